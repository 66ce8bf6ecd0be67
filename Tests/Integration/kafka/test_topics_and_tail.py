"""The other commands that need a broker."""

import json

from confluent_kafka.admin import AdminClient

from asyncapi import check_records
from committed import read_all
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


def test_topics_create_says_what_differs(pipeline):
    topic = pipeline.inputs[0]
    pipeline.change_topic(topic, "message.timestamp.type", "CreateTime")
    topics = {name: value for name, value in pipeline.settings.items() if name.startswith("topics.")}
    run = pipeline.run("topics", "create", *pipeline.words(topics))
    assert run.returncode == 1
    for part in ("kafka-configs", "--alter", topic, "message.timestamp.type=LogAppendTime"):
        assert part in run.stderr, run.stderr
    assert len(run.stderr.splitlines()) == 1, run.stderr


def test_from_simulate_to_tail(pipeline):
    gifts, wishes = pipeline.inputs
    reader = pipeline.reader
    worker = pipeline.worker()
    tail = pipeline.program("tail", "--json", "--topics.commands", pipeline.commands)
    simulate = pipeline.program(
        "simulate", "--rooms", "8", "--rate", "40", "--seed", "7",
        *pipeline.words({f"topics.produce.{kind}": gifts for kind in ("gift", "tap", "rainStart", "rainGrab")}),
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
