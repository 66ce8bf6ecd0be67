"""Groups beside each other on one input, and where a group begins."""

import re
import time

import confluent_kafka
from confluent_kafka.admin import AdminClient

from committed import read_all
from crowd import gift, json_record
from pipeline import Pipeline
from sending import Sender
from waiting import LIMIT, wait_for


def send_gifts(pipeline, name, count=20, partition=-1):
    sender = Sender(pipeline.broker.address)
    topic = pipeline.inputs[0]
    for number in range(count):
        sender.send(json_record(topic, gift(f"{name}-{number}", f"room-{number % 4}", number)), partition=partition)
    sender.flush()


def beside(pipeline, name, **settings):
    """Another group on the same input, with commands and results of its own; its topics are made."""
    other = Pipeline(pipeline.binary, pipeline.broker, f"{pipeline.name}-{name}", pipeline.folder, pipeline.partitions)
    other.inputs = pipeline.inputs
    other.settings |= {"topics.input": ",".join(pipeline.inputs), **settings}
    return other.create_topics()


def group_of(record):
    return dict(record.headers() or []).get("flyscreen-group")


def test_a_second_group_leaves_the_first_ones_rooms_alone(make_pipeline):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    topic, = pipeline.inputs
    reader = pipeline.reader
    # The worst case: both write to the same changelog and journal.
    other = beside(pipeline, "staging")
    first = pipeline.worker(gift_lanes=2)
    second = other.worker(gift_lanes=5)
    send_gifts(pipeline, "a", 60)
    pipeline.wait_caught_up()
    other.wait_caught_up()
    # The last records are the other's.
    assert first.terminate() == 0, first.said
    assert second.terminate() == 0, second.said
    writers = {group_of(r) for name in ("changelog", "journal") for r in read_all(
        pipeline.broker.address, f"flyscreen.{name}.{topic}")}
    assert writers == {pipeline.group.encode(), other.group.encode()}
    again = pipeline.worker(gift_lanes=2)
    line = again.error_matching("another group writes there")
    assert "flyscreen." in line and "topics.helpers" in line
    assert again.metric("flyscreen_restore_foreign_records_total") > 0
    assert again.metric("flyscreen_restores_inexact_total") == 0
    send_gifts(pipeline, "b", 20)
    pipeline.wait_caught_up()
    assert again.terminate() == 0, again.said
    reader.wait_all()
    run = pipeline.run("replay", "--topic", topic, "--compare", *pipeline.flags())
    assert run.returncode == 0, run.stderr + run.stdout
    other.close()


def test_what_another_group_wrote_long_ago_is_no_news(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    worker = pipeline.worker()
    send_gifts(pipeline, "a", 20)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    producer = confluent_kafka.Producer({"bootstrap.servers": pipeline.broker.address})
    changelog = f"flyscreen.changelog.{topic}"
    pipeline.change_topic(changelog, "message.timestamp.type", "CreateTime")
    for minutes in (30, 60):
        producer.produce(
            changelog, b"another's", b"r1", 0, headers={"flyscreen-group": b"another"},
            timestamp=round((time.time() - 60 * minutes) * 1000))
    assert producer.flush(LIMIT) == 0
    again = pipeline.worker()
    assert again.metric("flyscreen_restore_foreign_records_total") == 0
    assert not any("another group writes there" in line for line in again.errors), again.said
    assert again.terminate() == 0, again.said


def test_each_group_has_changelogs_and_journals_of_its_own(make_pipeline):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    topic, = pipeline.inputs
    other = Pipeline(pipeline.binary, pipeline.broker, f"{pipeline.name}-b", pipeline.folder, 2)
    other.inputs = pipeline.inputs
    other.settings["topics.input"] = topic
    del other.settings["topics.helpers"]
    worker = other.start_worker()
    assert worker.wait() == 64
    line = worker.errors[-1]
    assert f"{other.group}.changelog.{topic} is not there" in line and "topics create" in line, line
    run = other.run("topics", "create", *other.flags(topics_helpers=other.group))
    assert run.returncode == 0, run.stderr
    worker = other.worker()
    send_gifts(pipeline, "a")
    other.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    assert read_all(pipeline.broker.address, f"{other.group}.changelog.{topic}")
    assert not read_all(pipeline.broker.address, f"flyscreen.changelog.{topic}")
    other.close()


def test_helper_topics_that_were_deleted_are_not_taken_for_empty(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    quick = {"worker.checkpointMs": 500, "gift.lanes": 3}
    worker = pipeline.worker(**quick)
    for name in "abc":
        send_gifts(pipeline, name)
        wait_for("a checkpoint", lambda: worker.metric("flyscreen_checkpoints_total") > 0)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address, "log_level": 2})
    names = [f"flyscreen.{name}.{topic}" for name in ("changelog", "journal")]
    for future in admin.delete_topics(names).values():
        future.result()
    wait_for("them to be gone", lambda: not set(names) & set(admin.list_topics(timeout=30).topics))
    pipeline.create_topics()
    worker = pipeline.worker(**quick)
    worker.error_matching("level=error.*gone")
    assert worker.metric("flyscreen_restores_inexact_total") == 1
    assert worker.terminate() == 0, worker.said


def begins(worker):
    line = worker.error_matching("the group begins here")
    return {name: re.search(rf'{name}="?([^"]*?)"?( [a-z]+=|$)', line)[1] for name in ("offsets", "before", "after")}


def test_a_group_that_begins_at_the_end_publishes_nothing_again(make_pipeline):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    for partition in range(2):
        send_gifts(pipeline, f"old-{partition}", 10, partition)
    first = pipeline.start_worker(worker_begin="end")
    second = pipeline.start_worker(worker_begin="end")
    # Either may have partition 0.
    wait_for("one to say where the group begins", lambda: "begins here" in first.said + second.said)
    begin = begins(first if "begins here" in first.said else second)
    assert begin == {"offsets": "0:10 1:10", "before": "20", "after": "0"}, begin
    pipeline.wait_members(2)
    first.wait_ready()
    second.wait_ready()
    send_gifts(pipeline, "new", 5, 1)
    pipeline.wait_caught_up()
    assert first.terminate() == 0, first.said
    assert second.terminate() == 0, second.said
    assert "begins here" not in (first.said if "begins here" in second.said else second.said)
    assert "set by something else" not in first.said + second.said
    ids = [record.value() for record in read_all(pipeline.broker.address, pipeline.commands)]
    assert ids and all(b"/1/1" in value for value in ids), "only the new records have commands"
    # The setting has no effect on a group that has begun.
    worker = pipeline.worker(worker_begin="beginning")
    assert worker.terminate() == 0
    assert "begins here" not in worker.said


def test_a_group_begins_at_a_time_or_the_beginning(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    send_gifts(pipeline, "old", 10)
    worker = pipeline.worker(worker_begin="2000-01-01T00:00Z")
    assert begins(worker) == {"offsets": "0:0", "before": "0", "after": "10"}
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    late = beside(pipeline, "late", **{"topics.helpers": f"{pipeline.name}-late"})
    worker = late.worker(worker_begin="2999-01-01T00:00Z")
    assert begins(worker) == {"offsets": "0:10", "before": "10", "after": "0"}
    assert worker.terminate() == 0
    early = beside(pipeline, "early", **{"topics.helpers": f"{pipeline.name}-early"})
    worker = early.worker()
    assert begins(worker) == {"offsets": "0:0", "before": "0", "after": "10"}
    assert worker.terminate() == 0


def test_workers_with_different_settings_are_told_apart(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    first = pipeline.worker(gift_lanes=2)
    send_gifts(pipeline, "a")
    pipeline.wait_caught_up()
    hashes = [settings_hash(first)]
    assert first.terminate() == 0, first.said
    assert "other settings" not in first.said
    second = pipeline.worker(gift_lanes=5, clock_graceMs=150)
    line = second.error_matching("other settings than the last worker had")
    assert "gift.lanes 2 → 5, clock.graceMs 100 → 150" in line and f"{pipeline.inputs[0]}[0]" in line, line
    hashes.append(settings_hash(second))
    assert second.terminate() == 0, second.said
    assert len(set(hashes)) == 2
    again = pipeline.worker(gift_lanes=5, clock_graceMs=150)
    assert settings_hash(again) == hashes[1]
    assert again.terminate() == 0 and "other settings" not in again.said


def settings_hash(worker):
    return worker.metrics()["flyscreen_settings_info"].samples[0].labels["hash"]
