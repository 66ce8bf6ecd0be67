"""A batch that a disk has damaged: its partition waits for an operator, others go on, and nothing is lost once it is
mended, as by a replica that takes over the lead."""

import json

import confluent_kafka
from confluent_kafka.admin import AdminClient
from crowd import gift, json_record
from large_batches import GZIP, batch, gzip, produce, record
from sending import Sender
from waiting import LIMIT, wait_for


def send_batch(pipeline, event):
    """One gift of room `r0`, as a batch that is packed. Returns its offset."""
    value = json.dumps(gift(event, "r0", 7)).encode()
    pieces = [piece for piece in record(0, b"r0", value, 0, b"") if isinstance(piece, bytes)]
    return produce(pipeline.broker.address, pipeline.inputs[0], 0, batch(GZIP, [pieces], gzip))


def test_a_damaged_batch_that_nobody_has_whole_is_deleted(make_pipeline):
    """As the runbook says: what comes behind the batch goes on, and the loss is counted."""
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    worker = pipeline.worker(worker_id="a")
    send_batch(pipeline, "e1")
    pipeline.wait_caught_up()
    worker.kill()
    damaged, after = send_batch(pipeline, "e2"), send_batch(pipeline, "e3")
    with pipeline.broker.damaged(topic, 0, damaged):
        worker = pipeline.start_worker(worker_id="a")
        worker.error_matching("can't be read: the rooms of")
        admin = AdminClient({"bootstrap.servers": pipeline.broker.address})
        place = confluent_kafka.TopicPartition(topic, 0, after)
        admin.delete_records([place])[place].result(LIMIT)
        pipeline.wait_caught_up()
    wait_for("its metric", lambda: worker.metric("flyscreen_unready", reason="unreadable") == 0)
    assert worker.metric("flyscreen_records_lost_total") == after - damaged
    assert worker.terminate() == 0, worker.said


def test_a_damaged_batch_holds_up_its_partition_alone(make_pipeline):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    topic, = pipeline.inputs
    pipeline.reader
    sender = Sender(pipeline.broker.address)

    def commands():
        return sum(len(lines) for lines in pipeline.reader.streams.values())

    def check_that_it_waits(worker, event):
        line = worker.error_matching(r"can't be read: the rooms of .* wait, and others go on")
        assert f"topic={topic} partition=0 " in line, line
        wait_for("its metric", lambda: worker.metric("flyscreen_unready", reason="unreadable") == 1)
        status, text = worker.get("/readyz")
        assert status == 503 and f"{topic}[0] can't be read" in text, text
        shown = commands()
        sender.send(json_record(topic, gift(event, "r1", 8)), partition=1)
        sender.flush()
        wait_for("the other partition's commands", lambda: commands() > shown)

    # No room is written again, so a restore reads the input.
    settings = {"worker_id": "a", "gift_holdMs": 600_000, "worker_checkpointMs": 600_000}
    worker = pipeline.worker(**settings)
    first = send_batch(pipeline, "e1")
    pipeline.wait_caught_up()
    worker.kill()
    with pipeline.broker.damaged(topic, 0, first):
        worker = pipeline.start_worker(**settings)
        check_that_it_waits(worker, "e2")
        run = pipeline.run("replay", "--topic", topic)
        assert run.returncode == 1 and f"{topic}[0]: " in run.stderr and f"at {first} " in run.stderr, run
    pipeline.wait_caught_up()
    wait_for("its metric", lambda: worker.metric("flyscreen_unready", reason="unreadable") == 0)
    worker.kill()

    # The batch that is next.
    second = send_batch(pipeline, "e3")
    with pipeline.broker.damaged(topic, 0, second):
        worker = pipeline.start_worker(**settings)
        check_that_it_waits(worker, "e4")
        wait_for("the lag", lambda: worker.metric("flyscreen_lag_seconds", topic=topic, partition="0") > 0)
        run = pipeline.run("check", *pipeline.flags())
        assert run.returncode == 64, run
        assert f"{topic}[0] can't be read from offset {second} on: " in run.stdout, run.stdout
    pipeline.wait_caught_up()
    assert worker.metric("flyscreen_restores_inexact_total") == 0
    assert worker.terminate() == 0, worker.said
    assert len([line for line in worker.errors if "can't be read" in line]) == 1, worker.said
    assert not pipeline.dead_letters()
    pipeline.check_against_replay()
