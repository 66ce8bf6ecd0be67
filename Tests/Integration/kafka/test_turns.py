"""A worker's transactions are made by two producers in turn, each with an id of its own: whatever one of its name left
open with either is ended before it reads what is committed."""

import confluent_kafka
import pytest

from sending import Traffic
from waiting import LIMIT, wait_for

# Longer than any test: what the next of its name did not end would stand until then.
PATIENT = {"kafka.transaction.timeout.ms": 600_000, "worker.commitMs": 1}


def open_transaction(pipeline, name):
    """Opens a transaction and leaves it, as a crash does, with records that nobody may ever read."""
    producer = confluent_kafka.Producer({
        "bootstrap.servers": pipeline.broker.address, "transactional.id": name, "transaction.timeout.ms": 600_000,
        "log_level": 2})
    producer.init_transactions(LIMIT)
    producer.begin_transaction()
    topic = pipeline.inputs[0]
    for output in (pipeline.commands, f"flyscreen.changelog.{topic}", f"flyscreen.journal.{topic}"):
        for partition in range(pipeline.partitions):
            producer.produce(output, b"never", partition=partition)
    assert producer.flush(LIMIT) == 0
    return producer


def test_both_ids_are_fenced_before_a_restore(pipeline, crowd):
    reader = pipeline.reader
    worker = pipeline.worker(worker_id="a", **PATIENT)
    with Traffic(pipeline.broker.address, crowd, rate=500):
        wait_for("commands", lambda: reader.count > 200)
        worker.kill()
        left = [open_transaction(pipeline, f"{pipeline.group}-a-0{suffix}") for suffix in ("", "-b")]
        worker = pipeline.worker(worker_id="a", **PATIENT)
        wait_for("more commands", lambda count=reader.count: reader.count > count + 200)
    for producer in left:
        with pytest.raises(confluent_kafka.KafkaException, match="(?i)fenced|epoch"):
            producer.commit_transaction(LIMIT)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()


def test_what_a_killed_worker_left_open_holds_up_nobody(pipeline, crowd):
    reader = pipeline.reader
    with Traffic(pipeline.broker.address, crowd, rate=1000):
        for _ in range(8):
            worker = pipeline.worker(worker_id="a", **PATIENT)
            wait_for("more commands", lambda count=reader.count: reader.count > count + 100)
            worker.kill()
    worker = pipeline.worker(worker_id="a", **PATIENT)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()
