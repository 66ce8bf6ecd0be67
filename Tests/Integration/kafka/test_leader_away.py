"""One broker of two is away: short commands wait for it, and don't say that none answers."""

import contextlib
import os
import pathlib

import pytest

from broker import Broker
from crowd import gift, json_record
from pipeline import Pipeline
from process import end_all
from sending import Sender
from waiting import wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def two(tmp_path_factory, binary, tmp_path):
    """A pipeline whose topics have their partitions on one broker or the other."""
    broker = Broker(ROOT / "Tests/Broker/broker", tmp_path_factory.mktemp("two") / "kafka", brokers=2)
    broker.start()
    pipeline = Pipeline(binary, broker, "leader-away", tmp_path, partitions=4, inputs=("gifts",))
    pipeline.settings["topics.replication"] = 1
    pipeline.create_topics()
    # A broker that had not heard of the input yet may have told another size for it.
    pipeline.change_topic(f"{pipeline.inputs[0]}.dlq", "max.message.bytes", str(3_145_728 + 65_536))
    yield pipeline
    end_all()
    pipeline.close()
    broker.remove()


def test_a_leader_that_is_away(two):
    worker = two.worker()
    sender = Sender(two.broker.address)
    sender.send(*(json_record(two.inputs[0], gift(f"e{n}", f"r{n}", n)) for n in range(40)))
    sender.flush()
    two.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    replay = ["replay", "--topic", two.inputs[0], "--kafka.group.id", two.group, "--topics.helpers", "flyscreen"]
    with two.broker.frozen(2):
        failed = two.run(*replay)
    assert failed.returncode == 1, failed.stderr
    assert "not the one that is needed" in failed.stderr and "no broker answers" not in failed.stderr
    assert len(failed.stderr.splitlines()) == 1, failed.stderr
    with two.broker.frozen(2):
        waiting = two.program(*replay)
        wait_for("it to ask", lambda: connections_to(waiting.pid, two.broker.port + 1))
    assert waiting.wait() == 0, waiting.said


def connections_to(pid, port):
    """The connections of a process to a port of this machine."""
    sockets = set()
    for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            sockets.add(os.readlink(fd))
    with open(f"/proc/net/tcp") as table:
        rows = [line.split() for line in table]
    return [row for row in rows if row[2].endswith(f":{port:04X}") and f"socket:[{row[9]}]" in sockets]
