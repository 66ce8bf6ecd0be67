"""Tests in Python: of the schema, of what is there for clients and other programs, (in `browser`) of the page, and (in
`kafka` and `gateway`) of the program against a real Apache Kafka.

FLYSCREEN_TEST_KAFKA  a folder whose `libs/` has Kafka's jars; without it, one that Tests/Broker/fetch gets
FLYSCREEN_BIN         the program; without it, that of the release build
FLYSCREEN_SEED        makes every random choice as in an earlier run, which printed it
FLYSCREEN_TEST_FILES  a folder in which processes that run the same tests at once tell who has which file (`run`)
FLYSCREEN_TEST_BEGIN  the folder with which such a process begins

Nothing is shared by such processes but what is only read: each has its brokers and browsers, keeps its ports from others
(`waiting.free_port`), and writes to folders of its own.
"""

import collections
import functools
import os
import pathlib
import secrets
import signal
import subprocess
import sys
import zlib

import pytest

HERE = pathlib.Path(__file__).resolve().parent
# The tests of the gateway drive programs and the broker by the same modules.
sys.path.insert(0, str(HERE / "kafka"))

from broker import Broker

ROOT = HERE.parents[1]
BINARY = pathlib.Path(os.environ.get("FLYSCREEN_BIN") or ROOT / ".build/release/flyscreen")
FETCH = HERE.parent / "Broker/fetch"
FETCH_PROMETHEUS = HERE.parent / "Prometheus/fetch"
# The files that take longest, so that none of them begins last.
LONGEST = [f"{file}.py" for file in (
    "kafka/test_brokers_killed", "kafka/test_hanging", "kafka/test_exactly_once", "kafka/test_rights", "chaos/test_chaos",
    "kafka/test_lost_ends", "kafka/test_benchmarks", "kafka/test_broker_away", "gateway/test_hostile_clients",
    "kafka/test_lost_beginnings", "browser/test_accessibility", "kafka/test_versions", "browser/test_page_fingers",
    "kafka/test_restore", "kafka/test_replay")]
# The files of `make test-more`: each waits for a minute or more, mostly for what a broker forgets, or makes up its own
# cases. `-m "not more"` leaves them out.
MORE = [f"{file}.py" for file in (
    "chaos/test_chaos", "gateway/test_schemathesis", "kafka/test_brokers_killed", "kafka/test_benchmarks",
    "kafka/test_hanging", "kafka/test_lost_ends", "kafka/test_rights", "kafka/test_versions")]
SEED = int(os.environ.get("FLYSCREEN_SEED") or secrets.randbits(32))

# A shell starts what runs beside it with SIGINT ignored, nohup with SIGHUP, and what is started here would ignore them,
# too.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@functools.cache
def why_without_kafka():
    """Names a Kafka in the environment, or tells why there is none."""
    if not os.environ.get("FLYSCREEN_TEST_KAFKA"):
        fetch = subprocess.run([FETCH], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if fetch.returncode != 0:
            return f"FLYSCREEN_TEST_KAFKA names no Kafka, and {fetch.stderr.strip() or 'none can be fetched'}"
        os.environ["FLYSCREEN_TEST_KAFKA"] = fetch.stdout.strip()
    folder = os.environ["FLYSCREEN_TEST_KAFKA"]
    if not list(pathlib.Path(folder).glob("libs/kafka_*.jar")):
        return f"{folder}, which FLYSCREEN_TEST_KAFKA names, has no libs/ with Kafka's jars"
    return None


def pytest_configure(config):
    # A run that is ended ends what it has started, too.
    signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))


@functools.cache
def is_ours(file):
    """Whether this process is the first that comes to a file of tests."""
    try:
        (pathlib.Path(os.environ["FLYSCREEN_TEST_FILES"]) / str(file.relative_to(HERE)).replace("/", ".")).touch(
            exist_ok=False)
    except FileExistsError:
        return False
    return True


def is_more(path):
    return path.is_relative_to(HERE) and str(path.relative_to(HERE)) in MORE


def pytest_ignore_collect(collection_path, config):
    """Schemathesis makes its cases up where it is collected, which takes a minute: only the process that runs it does."""
    if "not more" in config.option.markexpr and is_more(collection_path):
        return True
    if not os.environ.get("FLYSCREEN_TEST_FILES") or collection_path != HERE / "gateway/test_schemathesis.py":
        return None
    return None if is_ours(collection_path) else True


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """One of several processes that run the same tests takes only the files that no other has begun."""
    if not os.environ.get("FLYSCREEN_TEST_FILES") or session.testsfailed or session.config.option.collectonly:
        return None
    begin = os.environ.get("FLYSCREEN_TEST_BEGIN")

    def turn(item):
        file = str(item.path.relative_to(HERE))
        return item.path.parent.name != begin, LONGEST.index(file) if file in LONGEST else len(LONGEST)

    turns = sorted(session.items, key=turn)
    items = (item for item in turns if is_ours(item.path))
    item = next(items, None)
    while item is not None:
        following = next(items, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        item = following
    return True


def pytest_report_header(config):
    return f"FLYSCREEN_SEED={SEED}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    for item in items:
        if is_more(item.path):
            item.add_marker("more")
    folders = {HERE / name for name in ("kafka", "gateway", "faults")}
    need = [item for item in items if folders & set(item.path.parents) or item.get_closest_marker("kafka")
            or "broker" in getattr(item, "fixturenames", ())]
    if need and (reason := why_without_kafka()):
        config.why_skipped = reason
        for item in need:
            item.add_marker(pytest.mark.skip(reason=reason))


_seconds = collections.Counter()


def pytest_runtest_logreport(report):
    _seconds[report.location[0]] += report.duration


def pytest_terminal_summary(terminalreporter):
    """The files that took longest are those whose time is worth a look."""
    terminalreporter.section("seconds by file")
    for file, seconds in _seconds.most_common(10):
        terminalreporter.write_line(f"{seconds:7.1f} {file}")
    terminalreporter.write_line(f"FLYSCREEN_SEED={SEED}")


def pytest_unconfigure(config):
    if reason := getattr(config, "why_skipped", None):
        print(f"the tests with a real Kafka were skipped: {reason}")


@pytest.fixture(scope="session")
def run_seed():
    """The seed of all random choices of this run."""
    return SEED


@pytest.fixture
def seed(request, run_seed):
    """The seed of this test's random choices."""
    print(f"FLYSCREEN_SEED={run_seed}")
    return run_seed ^ zlib.crc32(request.node.name.encode())


@pytest.fixture(scope="session")
def binary():
    if not os.access(BINARY, os.X_OK):
        pytest.exit(f"{BINARY} is not there: build it with `make release`, or name one in FLYSCREEN_BIN", 1)
    return BINARY


@pytest.fixture(scope="session")
def prometheus_tools():
    """A folder with prometheus and promtool."""
    fetch = subprocess.run([FETCH_PROMETHEUS], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if fetch.returncode != 0:
        pytest.skip(fetch.stderr.strip())
    return pathlib.Path(fetch.stdout.strip())


@pytest.fixture(scope="session")
def broker(tmp_path_factory):
    broker = Broker(ROOT / "Tests/Broker/broker", tmp_path_factory.mktemp("broker") / "kafka")
    try:
        yield broker.start()
    finally:
        broker.remove()


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """Three brokers of the module's own, which it may freeze and kill."""
    broker = Broker(ROOT / "Tests/Broker/broker", tmp_path_factory.mktemp("three") / "kafka", brokers=3)
    try:
        yield broker.start()
    finally:
        broker.remove()
