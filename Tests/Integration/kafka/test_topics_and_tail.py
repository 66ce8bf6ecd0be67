"""The other commands that need a broker."""

import json
import pathlib

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient, NewPartitions

from asyncapi import check_records
from broker import Broker
from committed import murmur2, read_all
from pipeline import Pipeline
from process import end_all
from waiting import LIMIT, wait_for


def test_topics_create_makes_them_as_they_should_be(pipeline):
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address, "log_level": 2})
    made = [pipeline.commands, f"{pipeline.name}.results"]
    for topic in pipeline.inputs:
        made += [topic, f"flyscreen.changelog.{topic}", f"flyscreen.journal.{topic}", f"{topic}.dlq"]
    known = admin.list_topics(timeout=LIMIT).topics
    assert all(len(known[name].partitions) == pipeline.partitions for name in made)
    for topic in pipeline.inputs:
        assert pipeline.topic_setting(topic, "message.timestamp.type") == "LogAppendTime"

    topics = {name: value for name, value in pipeline.settings.items() if name.startswith("topics.")}
    again = pipeline.run("topics", "create", *pipeline.words(topics | {"topics.partitions": pipeline.partitions}))
    assert again.returncode == 0, again.stderr
    assert "made" not in again.stdout


@pytest.fixture
def eager(tmp_path_factory, binary, tmp_path):
    """A pipeline without topics, on a broker that makes those that a client asks for, as brokers do by default."""
    launcher = pathlib.Path(__file__).resolve().parents[3] / "Tests/Broker/broker"
    broker = Broker(launcher, tmp_path_factory.mktemp("eager") / "kafka", "auto.create.topics.enable=true")
    broker.start()
    pipeline = Pipeline(binary, broker, "eager", tmp_path, inputs=("gifts",))
    yield pipeline
    end_all()
    pipeline.close()
    broker.remove()


def test_nothing_but_topics_create_makes_topics(eager):
    admin = AdminClient({"bootstrap.servers": eager.broker.address, "log_level": 2})

    def known():
        topics = admin.list_topics(timeout=LIMIT).topics
        return {name: len(topic.partitions) for name, topic in topics.items() if not name.startswith("__")}

    topics = eager.words({name: value for name, value in eager.settings.items() if name.startswith("topics.")})
    check = eager.run("check", *topics)
    assert check.returncode == 64 and f"{eager.inputs[0]} is not there" in check.stdout, check
    worker = eager.start_worker()
    assert worker.wait() == 64 and "is not there" in worker.said
    send = eager.run("send", "gift", "--room", "r1", "--user", "7", "--gift", "rose",
                     "--topics.produce.gift", eager.inputs[0])
    assert send.returncode, send
    assert known() == {}
    eager.create_topics()
    assert len(known()) == 6 and set(known().values()) == {eager.partitions}


def test_topics_create_says_what_differs(pipeline):
    topic = pipeline.inputs[0]
    pipeline.change_topic(topic, "message.timestamp.type", "CreateTime")
    topics = {name: value for name, value in pipeline.settings.items() if name.startswith("topics.")}
    run = pipeline.run("topics", "create", *pipeline.words(topics))
    assert run.returncode == 1
    for part in ("kafka-configs", "--alter", topic, "message.timestamp.type=LogAppendTime"):
        assert part in run.stderr, run.stderr
    assert len(run.stderr.splitlines()) == 1, run.stderr


def test_from_send_to_tail(pipeline):
    gifts, wishes = pipeline.inputs
    topics = pipeline.words(
        {f"topics.produce.{kind}": gifts for kind in ("gift", "rainStart", "rainGrab")} | {"topics.produce.wish": wishes})

    def send(kind, *words, status=0):
        run = pipeline.run("send", kind, "--room", "r1", *topics, *words)
        assert run.returncode == status, run.stderr
        return run

    worker = pipeline.worker()
    tail = pipeline.program("tail", "--json", "--from", "beginning", "--topics.commands", pipeline.commands)
    sent = send("gift", "--user", "7", "--name", "阿花", "--gift", "rose", "--value", "10").stdout
    event, place = sent.split()
    topic, partition, offset = place.split("/")
    record, = read_all(pipeline.broker.address, topic)
    assert (topic, int(partition), int(offset)) == (gifts, record.partition(), record.offset())
    assert json.loads(record.value())["eventId"] == event and record.key() == b"r1"
    tail.output_matching(f'"giftShow":{{"comboId":"{place}",')
    send("wish", "--user", "7", "--text", "hello", "--wish", "w1", "--format", "protobuf")
    tail.output_matching('"wishFly":{"wishId":"w1"')
    send("rainStart", "--rain", "a", "--duration", "1m", "--countdown", "0", "--budget", "500")
    tail.output_matching('"rainDrop":{"rainId":"a","packet":0')
    send("rainGrab", "--rain", "a", "--packet", "0", "--user", "7")
    wait_for("the grab's result", lambda: read_all(pipeline.broker.address, pipeline.results))
    # An event for the room as a whole goes to each topic that has something of it.
    both = [f"--topics.produce.{kind}={gifts},{wishes}" for kind in ("retract", "roomSettings", "roomEnd")]
    told = send("retract", "--user", "7", "--mute", "10m", *both).stdout.split()
    assert told[0] == told[2] and [place.split("/")[0] for place in told[1::2]] == [gifts, wishes], told
    tail.output_matching('"wishGone":{"wishId":"w1"')
    send("gift", "--user", "7", "--gift", "rose")
    tail.output_matching('"skipped":{"stage":"gift","reason":"retracted"')
    send("roomSettings", "--gift.lanes", "1", "--for", "1h", *both)
    send("gift", "--user", "8", "--gift", "rose")
    tail.output_matching('"lane":0,"sender":{"userId":"8"')
    refused = send("roomSettings", "--gift.queueLimit", "1", *both, status=64)
    assert "gift.queueLimit" in refused.stderr and refused.stdout == "", refused
    send("roomEnd", *both)
    tail.output_matching('"roomEnd":{}')
    missing = send("gift", "--user", "7", "--gift", "rose", "--topics.produce.gift", "not.there", status=64)
    assert missing.stdout == "" and "not.there" in missing.stderr and "topics create" in missing.stderr, missing.stderr
    assert tail.terminate() == 0, tail.said
    assert worker.terminate() == 0, worker.said
    assert not pipeline.dead_letters(), "all that is sent is understood"


def test_tail_reads_partitions_that_come_later(pipeline):
    tail = pipeline.program("tail", "--json", "--topics.commands", pipeline.commands)
    of_room = pipeline.program("tail", "--json", "--room", "r1", "--topics.commands", pipeline.commands)

    def publish(partition):
        # Each asks how many partitions there are.
        producer = confluent_kafka.Producer({"bootstrap.servers": pipeline.broker.address, "log_level": 2})
        command = json.dumps({"id": f"{pipeline.inputs[0]}/0/1/{partition}", "roomId": "r1", "atMs": 1, "roomEnd": {}})
        producer.produce(pipeline.commands, command, "r1", partition=partition)
        producer.flush(LIMIT)
        return command

    before, after = (murmur2(b"r1") % count for count in (pipeline.partitions, 2 * pipeline.partitions))
    assert before != after
    for program in (tail, of_room):
        wait_for("it to read", lambda: publish(before) in program.output)
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address, "log_level": 2})
    admin.create_partitions([NewPartitions(pipeline.commands, 2 * pipeline.partitions)])[pipeline.commands].result(LIMIT)
    command = publish(after)
    for program in (tail, of_room):
        wait_for("what is on the new partition", lambda: command in program.output)
        assert program.terminate() == 0, program.said


def test_from_simulate_to_tail(pipeline):
    gifts, wishes = pipeline.inputs
    reader = pipeline.reader
    worker = pipeline.worker()
    tail = pipeline.program("tail", "--json", "--topics.commands", pipeline.commands)
    simulate = pipeline.program(
        "simulate", "--rooms", "8", "--rate", "40", "--seed", "7", "--topics.input", f"{gifts},{wishes}",
        *pipeline.words({f"topics.produce.{kind}": gifts for kind in ("gift", "tap", "taps", "rainStart", "rainGrab", "spot", "pin", "goal", "score")}),
        *pipeline.words({f"topics.produce.{kind}": wishes for kind in ("wish", "wishLike")}))
    tail.output_matching('"id"')
    wait_for("commands", lambda count=reader.count: reader.count > count + 200)
    assert simulate.terminate() == 0, simulate.said
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    assert not pipeline.dead_letters(), "all that is simulated is understood"
    pipeline.check_against_replay()
    for channel, topic in [
            ("gifts", gifts), ("wishes", wishes), ("commands", pipeline.commands), ("results", pipeline.results),
            ("changelog", f"flyscreen.changelog.{gifts}"), ("journal", f"flyscreen.journal.{gifts}")]:
        check_records(channel, read_all(pipeline.broker.address, topic))
    published = [record.value().decode() for record in read_all(pipeline.broker.address, pipeline.commands)]
    tail.output_matching('"id":' + json.dumps(json.loads(published[-1])["id"]))
    wait_for("tail to show the last", lambda: len(tail.output) >= 1 and set(tail.output) <= set(published))
    assert tail.terminate() == 0, tail.said
