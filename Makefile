# Targets for building, testing and shipping. Each installs its tools on a fresh Debian 12 with Swift 6.3.

# The commit of the build; `unknown` without git.
export FLYSCREEN_COMMIT := $(shell git describe --always --dirty --exclude '*' 2>/dev/null || echo unknown)
PREFIX      := /usr/local
SWIFT_BUILD := swift build --explicit-target-dependency-import-check error
FLYSCREEN   := .build/release/flyscreen

.PHONY: help demo test built unit-at-its-end unit integration test-more test-deploy lint format simulate chaos fuzz bench bench-check bench-counts bench-gateway bench-sizing build release static install package dist \
        client client-android image readme types mutants clean

help:                    ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: release            ## all of it on an embedded broker, in this terminal; Ctrl-C ends it
	@exec $(FLYSCREEN) demo

# Those in Swift wait most of the time, so the release is built beside them.
test: built .venv/ready  ## what a change needs; skipped tests name what is missing
	@$(MAKE) --no-print-directory -j 2 unit-at-its-end integration

unit: built              ## the tests in Swift
	Tests/Broker/with Tests/unit

unit-at-its-end:
	@Tests/Broker/with Tests/unit >.build/unit.out 2>&1; status=$$?; cat .build/unit.out; exit $$status

built: .build/broker-ready
	Tests/Mutants/run --check
	$(SWIFT_BUILD) --build-tests
	Tests/Mutants/run --check-types

integration: release .venv/ready .build/broker-ready ## the tests in Python: the program against a real Kafka
	Tests/Integration/run -m "not long and not more" Tests/Integration

test-more: release .venv/ready .build/broker-ready ## tests that mostly wait: brokers killed, rights taken away, transactions that hang, chaos
	Tests/Integration/run -m more Tests/Integration

test-deploy: release package dist .build/deploy-ready .venv/ready ## the slow tests: the package, the archive, the image, each fault of the runbook, batches of gigabytes
	.venv/bin/python -m pytest Tests/Integration -m long

lint: .build/ready       ## formatting and style, as CI wants them
	swift format lint --strict --recursive Package.swift Sources Tests

format:                  ## mends the formatting
	swift format --in-place --recursive Package.swift Sources Tests

simulate: .build/test-ready ## whole workers over a simulated Kafka, where all goes wrong: SEEDS=100000 of it
	swift build -c release --build-tests
	FLYSCREEN_SCHEDULES=$(or $(SEEDS),10000) swift test -c release --skip-build --filter 'ScheduleTests|LostEndTests'

chaos: release .venv/ready ## real brokers, workers and gateways, where all goes wrong: MINUTES=20 of it
	FLYSCREEN_CHAOS_MINUTES=$(or $(MINUTES),20) .venv/bin/python -m pytest -s Tests/Integration/chaos/test_chaos.py

mutants: .build/test-ready ## realistic mistakes, one at a time, and the test that notices each: NUMBERS="101 102" of them
	Tests/Mutants/run $(NUMBERS)

fuzz: .build/ready       ## looks for bytes that crash a reader with libFuzzer, a minute each
	Tests/Fuzz/fuzz

bench: release .build/test-ready ## measures the speed, and names the machine
	swift build -c release --product Benchmarks
	.build/release/Benchmarks
	Tests/Benchmarks/worker

bench-check: release .build/test-ready ## counts instructions: fails where they grew by 3 % (Tests/Benchmarks/counts.json)
	swift build -c release --product Benchmarks
	Tests/Benchmarks/check

bench-counts: release .build/test-ready ## writes these counts anew
	swift build -c release --product Benchmarks
	Tests/Benchmarks/check --write

bench-gateway: release .build/bench-ready ## a gateway beside nginx with nchan, under the same load
	swift build -c release --product Benchmarks
	Tests/Benchmarks/gateway
	Tests/Benchmarks/gateway --deliveries 60000
	Tests/Benchmarks/gateway --tls --deliveries 25000

bench-sizing: release .build/test-ready ## measures the figures of Deploy/SIZING.md
	swift build -c release --product Benchmarks
	Tests/Benchmarks/sizing

build: .build/ready      ## everything, for debugging
	$(SWIFT_BUILD)

release: .build/ready    ## the program: .build/release/flyscreen
	swift build -c release --product flyscreen

static: .build/ready     ## the same with Swift's library inside: .build/static/release/flyscreen
	swift build -c release --product flyscreen --static-swift-stdlib --scratch-path .build/static

install: static          ## program, units, settings, manual, licences: to DESTDIR and PREFIX (/usr/local)
	Deploy/package/install "$(DESTDIR)" "$(PREFIX)" .build/static/release/flyscreen

package: static          ## a Debian package of that: .build/flyscreen_VERSION_ARCH.deb
	Deploy/package/build .build/static/release/flyscreen .build

dist: static             ## an archive of that, for a Linux without this repository: .build/flyscreen-VERSION-linux-ARCH.tar.gz
	Deploy/package/dist .build/static/release/flyscreen .build

client: .build/test-ready ## the npm package of the JavaScript client: .build/flyscreen-VERSION.tgz
	Deploy/package/client .build

client-android: .build/test-ready ## the Java client for Android: .build/flyscreen-client-VERSION.jar
	Deploy/package/client-android .build

image: package           ## an image of that, flyscreen, with docker, podman or buildah; BASE names a Debian 12
	BASE=$(BASE) Deploy/image/build "$$(ls -t .build/flyscreen_*.deb | head -1)"

readme:                  ## the table in Deploy/SETTINGS.md, from the settings themselves
	RECORD=1 swift test --filter SettingsPageTests

types: .build/test-ready ## the JavaScript client's types, from the schema
	.venv/bin/python Sources/Page/types Sources/Page/site/client

clean:                   ## removes all that was built
	rm -rf .build .venv

.build/ready: Deploy/install-dependencies
	Deploy/install-dependencies
	@mkdir -p .build && touch $@

.build/test-ready: Deploy/install-dependencies
	Deploy/install-dependencies --tests
	@mkdir -p .build && touch $@ .build/ready

# A first start of Kafka keeps Java's classes for those that follow.
.build/broker-ready: .build/test-ready Tests/Broker/broker
	Tests/Broker/with true
	@touch $@

.build/deploy-ready: Deploy/install-dependencies
	Deploy/install-dependencies --tests --deploy
	@mkdir -p .build && touch $@

.build/bench-ready: Deploy/install-dependencies
	Deploy/install-dependencies --tests --benchmarks
	@mkdir -p .build && touch $@

.venv/ready: Tests/Integration/requirements.txt .build/test-ready
	python3 -m venv .venv
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
