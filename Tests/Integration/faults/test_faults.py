"""Each fault, made for real, with a Prometheus that watches two workers and a gateway: its alert fires, no other does,
and it is over once the fault is mended."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient

HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE, HERE.parent / "kafka", HERE.parent / "gateway"):
    sys.path.insert(0, str(folder))

from broker import Broker
from crowd import gift, json_record
from pipeline import Pipeline
from process import end_all
from prometheus import Prometheus
from served import ServedGateway
from waiting import free_port, wait_for

ROOT = HERE.parents[2]
# An alert of `for: 10m` takes half a minute here.
LIMIT = 60

pytestmark = pytest.mark.long


class Gifts:
    """Some gifts a second, whatever becomes of the broker."""

    def __init__(self, address, topic):
        self._topic = topic
        self._producer = confluent_kafka.Producer({
            "bootstrap.servers": address, "partitioner": "murmur2_random", "linger.ms": 5, "log_level": 0,
            "message.timeout.ms": 3000})
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        number = 0
        while not self._enough.wait(0.05):
            number += 1
            record = json_record(self._topic, gift(f"e{number}", f"r{number % 40}", number))
            with contextlib.suppress(BufferError):
                self._producer.produce(record.topic, record.value, record.key)
            self._producer.poll(0)

    def send_what_nobody_understands(self, count):
        for _ in range(count):
            self._producer.produce(self._topic, b"?", b"r1")
        self._producer.flush(10)

    def stop(self):
        self._enough.set()
        self._thread.join()


class Night:
    """A broker, two workers and a gateway, with a Prometheus that watches them."""

    def __init__(self, binary, tools, folder):
        self.broker = Broker(ROOT / "Tests/Broker/broker", folder / "kafka").start()
        self.pipeline = Pipeline(binary, self.broker, "night", folder, inputs=("gifts",))
        self.pipeline.settings |= {"kafka.session.timeout.ms": 3000}
        self.pipeline.create_topics()
        self.prometheus = Prometheus(tools, ROOT / "Deploy/prometheus/alerts.yaml", folder)
        self.workers = [self.start_worker(), self.start_worker()]
        self.gateway = ServedGateway(
            binary, ["--kafka.bootstrap.servers", self.broker.address, "--topics.commands", self.pipeline.commands,
                     "--topics.results", self.pipeline.results], free_port()).wait_ready()
        self.prometheus.watch(self.gateway.port, "flyscreen-gateway")
        self.gifts = Gifts(self.broker.address, self.pipeline.inputs[0])
        wait_for("commands", lambda: self.prometheus.query("flyscreen_gateway_commands_total > 20"))

    def start_worker(self, *arguments, **settings):
        worker = self.pipeline.start_worker(*arguments, **settings).wait_ready()
        self.prometheus.watch(worker.port, "flyscreen-worker")
        return worker

    def end_worker(self, worker):
        self.prometheus.forget(worker.port)
        worker.terminate()

    @contextlib.contextmanager
    def only(self, alert, afterwards=()):
        """Meanwhile just this alert fires, and it ends afterwards, maybe with news of what was lost."""
        wait_for("quiet", lambda: not self.prometheus.firing(), LIMIT)
        since = time.monotonic()
        firing = []

        def check():
            firing[:] = self.prometheus.firing()
            return alert in firing

        def wait():
            wait_for(lambda: f"{alert}: {firing} fire, {self.prometheus.query('ALERTS')}", check, LIMIT)

        yield wait
        wait_for(lambda: f"quiet: {self.prometheus.query('ALERTS')}", lambda: not self.prometheus.firing(), LIMIT)
        fired = self.prometheus.fired(since)
        assert alert in fired and fired <= {alert, *afterwards}, fired

    def close(self):
        self.gifts.stop()
        self.prometheus.close()
        end_all()
        self.gateway.kill()
        self.broker.remove()


@pytest.fixture(scope="module")
def night(binary, prometheus_tools, tmp_path_factory):
    night = Night(binary, prometheus_tools, tmp_path_factory.mktemp("night"))
    yield night
    night.close()


class Stutter:
    """Stops something where it is, again and again, and lets it go on for a moment."""

    def __init__(self, stop, go_on, for_seconds=1.5, between=0.3):
        self._actions = (stop, for_seconds), (go_on, between)
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        while not self._enough.is_set():
            for action, seconds in self._actions:
                action()
                self._enough.wait(seconds)
        self._actions[1][0]()

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._enough.set()
        self._thread.join()


def test_every_query_of_the_dashboard_has_data(night):
    dashboard = json.loads((ROOT / "Deploy/grafana/flyscreen.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ())]
    assert len(expressions) > 30
    for name, value in (("$worker", "flyscreen-worker.*"), ("$gateway", "flyscreen-gateway.*"), ("$__rate_interval", "10s")):
        expressions = [expression.replace(name, value) for expression in expressions]
    for expression in expressions:
        assert "$" not in expression
        wait_for(f"data of {expression}", lambda: night.prometheus.query(expression))


def test_a_broker_that_is_away(night):
    with night.only("FlyscreenBrokerUnreachable") as wait, night.broker.away("kill"):
        wait()


def test_a_broker_that_is_slow(night):
    broker = night.broker.pid
    with night.only("FlyscreenTransactionsSlow") as wait, Stutter(
            lambda: os.kill(broker, signal.SIGSTOP), lambda: os.kill(broker, signal.SIGCONT)):
        wait()


def test_a_changelog_that_was_deleted(night):
    changelog = f"flyscreen.changelog.{night.pipeline.inputs[0]}"
    # One alert names the topic, another says that rooms stand still. The changelog comes back empty, so the rooms can't
    # be what they were.
    with night.only("FlyscreenRestoreStuck", afterwards=["FlyscreenNotReady", "FlyscreenRoomsInexact"]) as wait:
        admin = AdminClient({"bootstrap.servers": night.broker.address})
        admin.delete_topics([changelog])[changelog].result()
        wait()
        night.pipeline.create_topics()


def test_a_partition_that_another_program_has_taken(night):
    with night.only("FlyscreenPartitionWithoutWorker") as wait:
        other = confluent_kafka.Consumer({
            "bootstrap.servers": night.broker.address, "group.id": night.pipeline.group, "enable.auto.commit": False,
            "partition.assignment.strategy": "range", "session.timeout.ms": 60000, "log_level": 2})
        other.subscribe([night.pipeline.inputs[0]])
        wait_for("a partition to be taken", lambda: other.poll(0.1) is None and other.assignment())
        wait()
        other.close()


def test_a_flood_of_what_nobody_understands(night):
    with night.only("FlyscreenDeadLetters") as wait:
        night.gifts.send_what_nobody_understands(2000)
        wait()


def test_a_worker_that_is_frozen(night):
    with night.only("FlyscreenDown") as wait:
        night.workers[0].freeze()
        wait()
        night.workers[0].thaw()


def test_a_gateway_that_is_too_slow(night):
    with night.only("FlyscreenGatewaySlow") as wait, Stutter(night.gateway.freeze, night.gateway.thaw):
        wait()


def test_clocks_that_are_apart(night, tmp_path):
    library = tmp_path / "ahead.so"
    subprocess.run(["clang", "-shared", "-fPIC", "-o", library, HERE / "ahead.c"], check=True)
    with night.only("FlyscreenClocksApart") as wait:
        worker = night.start_worker(environment={"LD_PRELOAD": str(library)})
        wait()
        night.end_worker(worker)


def test_settings_that_differ(night):
    with night.only("FlyscreenSettingsDiffer") as wait:
        worker = night.start_worker("--gift.lanes", "3")
        wait()
        night.end_worker(worker)
