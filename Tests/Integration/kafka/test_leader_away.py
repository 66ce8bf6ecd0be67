"""One broker of several is away: short commands wait for it, and don't say that none answers; a worker goes on with what
others lead."""

import contextlib
import itertools
import json
import os
import pathlib

import pytest
from confluent_kafka.admin import AdminClient

from broker import Broker
from committed import murmur2
from crowd import gift, json_record
from pipeline import Pipeline
from process import end_all
from sending import Sender
from waiting import LIMIT, wait_for

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


@pytest.fixture
def three_alone(tmp_path_factory, binary, tmp_path):
    """A pipeline whose partitions have one broker each: 0 and 3 of every topic the first, 1 the second, 2 the third."""
    broker = Broker(
        ROOT / "Tests/Broker/broker", tmp_path_factory.mktemp("three") / "kafka", "min.insync.replicas=1", brokers=3)
    broker.start()
    pipeline = Pipeline(binary, broker, "leaders-away", tmp_path, partitions=4, inputs=("gifts",))
    pipeline.settings["topics.replication"] = 1
    pipeline.create_topics()
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"version": 1, "partitions": [
        {"topic": topic, "partition": number, "replicas": [number % 3 + 1]}
        for topic in leaders(broker) for number in range(4)]}))
    broker.tool("reassign.ReassignPartitionsCommand", "--reassignment-json-file", str(plan), "--execute")
    wait_for("partitions to move", lambda: all(of == [1, 2, 3, 1] for of in leaders(broker).values()))
    yield pipeline
    end_all()
    pipeline.close()
    broker.remove()


def test_a_worker_goes_on_with_what_other_brokers_lead(three_alone):
    pipeline = three_alone
    sender = Sender(pipeline.broker.address)

    def send(partition, event):
        room = next(room for room in map(str, itertools.count()) if murmur2(room.encode()) % 4 == partition)
        sender.send(json_record(pipeline.inputs[0], gift(event, room, 1)))
        sender.flush()

    worker = pipeline.worker()
    for partition in range(4):
        send(partition, f"first-{partition}")
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    commands = pipeline.reader
    with pipeline.broker.one_killed(3):
        wait_for("nobody to lead what it led", lambda: leaders(pipeline.broker)[pipeline.inputs[0]][2] == -1)
        worker = pipeline.start_worker()
        for partition in (0, 1, 3):
            seen = commands.count
            send(partition, f"second-{partition}")
            wait_for(f"commands of partition {partition}", lambda: commands.count > seen)
        wait_for("/readyz to name it", lambda: f"no broker leads {pipeline.inputs[0]}[2]" in worker.get("/readyz")[1])
    worker.wait_ready()
    seen = commands.count
    send(2, "second-2")
    wait_for("commands of partition 2", lambda: commands.count > seen)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()


def leaders(broker):
    """The broker that leads each partition of each topic of a test; -1: none does."""
    topics = AdminClient({"bootstrap.servers": broker.address, "log_level": 2}).list_topics(timeout=LIMIT).topics
    return {name: [topic.partitions[number].leader for number in sorted(topic.partitions)]
            for name, topic in topics.items() if not name.startswith("__")}


def connections_to(pid, port):
    """The connections of a process to a port of this machine."""
    sockets = set()
    for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            sockets.add(os.readlink(fd))
    with open(f"/proc/net/tcp") as table:
        rows = [line.split() for line in table]
    return [row for row in rows if row[2].endswith(f":{port:04X}") and f"socket:[{row[9]}]" in sockets]
