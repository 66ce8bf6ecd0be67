"""A tool sets a group back: that partition rests until somebody says that it is meant, and the others go on."""

import re

import confluent_kafka

from committed import read_all
from test_readiness import reasons
from test_second_group import send_gifts
from waiting import wait_for


def set_offset(pipeline, topic, partition, offset):
    """Commits an offset as a tool does, while nobody is in the group."""
    wait_for("the group to be empty", lambda: pipeline.members() == [])
    consumer = confluent_kafka.Consumer({
        "bootstrap.servers": pipeline.broker.address, "group.id": pipeline.group, "enable.auto.commit": False})
    place = confluent_kafka.TopicPartition(topic, partition, offset)
    assert consumer.commit(offsets=[place], asynchronous=False)[0].error is None
    consumer.close()


def commands(pipeline):
    return len(list(read_all(pipeline.broker.address, pipeline.commands)))


def test_a_partition_rests_where_a_tool_set_it_back(make_pipeline):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    topic, = pipeline.inputs
    worker = pipeline.worker()
    for partition in range(2):
        send_gifts(pipeline, f"a{partition}", 30, partition)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    shown = commands(pipeline)
    set_offset(pipeline, topic, 0, 0)

    worker = pipeline.start_worker()
    line = worker.error_matching("something set the group back")
    assert f"topic={topic} partition=0 offset=0" in line, line
    wait_for("it to be told", lambda: any("set worker.rewind to" in reason for reason in reasons(worker)))
    told, = [reason for reason in reasons(worker) if "worker.rewind" in reason]
    reached = int(re.search(r" from (\d+) to 0: ", told)[1])
    assert 0 < reached <= 30 and f"{topic}/0@0" in told and f" {reached} records " in told, told
    assert worker.metric("flyscreen_partitions", phase="resting") == 1
    wait_for("its metric", lambda: worker.metric("flyscreen_unready", reason="set_back") == 1)
    assert worker.get("/healthz")[0] == 200
    check = pipeline.run("check", *pipeline.flags())
    assert check.returncode == 64, check.stderr
    assert [line for line in check.stdout.splitlines() if line.startswith("wrong ") and told in line], check.stdout
    # The other goes on, and nothing is shown twice.
    send_gifts(pipeline, "b", 30, 1)
    wait_for("more commands", lambda: commands(pipeline) > shown)
    assert worker.metric("flyscreen_partitions", phase="running") == 1
    assert worker.terminate() == 0, worker.said

    again = pipeline.worker(worker_rewind=f"{topic}/0@0")
    again.error_matching("the group's offset was set by something else")
    pipeline.wait_caught_up()
    assert again.metric("flyscreen_partitions", phase="running") == 2
    assert again.terminate() == 0, again.said


def test_a_few_records_are_set_back_since_the_newest_savepoint(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    worker = pipeline.worker()
    send_gifts(pipeline, "a", 30, 0)
    pipeline.wait_caught_up()
    # Views that leave are lines of the journal beyond the last record, and there is no savepoint as far as that.
    wait_for("views to leave", lambda: any(
        b"giftHide" in record.value() for record in read_all(pipeline.broker.address, pipeline.commands)))
    assert worker.terminate() == 0, worker.said
    set_offset(pipeline, topic, 0, 28)
    worker = pipeline.start_worker()
    line = worker.error_matching("something set the group back")
    assert "offset=28 records=2" in line, line
    assert worker.terminate() == 0, worker.said


def test_a_group_that_is_set_forward_goes_on_there_and_says_what_it_skips(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    worker = pipeline.worker()
    send_gifts(pipeline, "a", 20, 0)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    send_gifts(pipeline, "b", 20, 0)
    set_offset(pipeline, topic, 0, 40)
    worker = pipeline.worker()
    line = worker.error_matching("something set the group forward")
    assert f"topic={topic} partition=0 offset=40" in line, line
    assert worker.terminate() == 0, worker.said
