"""What a worker tells those who watch it."""

import re

from crowd import Record, gift, json_record
from sending import Sender
from waiting import wait_for


def test_metrics(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    reader = pipeline.reader
    sender = Sender(pipeline.broker.address)
    for n in range(30):
        event = json_record(topic, gift(f"e{n}", f"r{n % 3}", n))
        sender.send(event, event, partition=0)
    sender.send(Record(topic, b"r0", b"?"), Record(topic, b"r0", None), Record(topic, b"r0", b"!"), partition=0)
    sender.flush()
    worker = pipeline.worker()
    pipeline.wait_caught_up()
    wait_for("the lag to be 0", lambda: worker.metric("flyscreen_lag_records") == 0)
    wait_for("its rooms", lambda: worker.metric("flyscreen_rooms") == 3)
    families = worker.metrics()
    assert worker.metric("flyscreen_records_total") == 63
    assert worker.metric("flyscreen_duplicates_total") == 30
    reasons = {s.labels["reason"]: s.value for s in families["flyscreen_dead_letters"].samples if s.value}
    assert reasons == {"not_json": 2, "no_value": 1}
    assert worker.metric("flyscreen_transaction_seconds_count") >= 1
    assert worker.metric("flyscreen_restore_seconds_count") >= 1
    assert "flyscreen_restore_records" in families and "flyscreen_transactions_failed" in families
    for name, family in families.items():
        assert name.startswith("flyscreen_") and family.documentation and family.type != "unknown", name
    wait_for("views to hide by themselves", lambda: worker.metric("flyscreen_commands_total", kind="giftHide") >= 30)
    assert worker.terminate() == 0, worker.said
    reader.wait_all()
    assert {kind for command in reader.commands for kind in command} >= {"giftShow", "giftBump", "giftHide"}


def test_counts_of_commands_are_those_of_the_topic(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    reader = pipeline.reader
    worker = pipeline.worker()
    sender = Sender(pipeline.broker.address)
    sender.send(*(json_record(pipeline.inputs[0], gift(f"e{n}", f"r{n}", n, count=3)) for n in range(40)))
    sender.flush()
    wait_for("all to hide", lambda: sum("giftHide" in command for command in reader.commands) == 40, every=0.1)
    for kind, count in (("giftShow", 40), ("giftBump", 120), ("giftHide", 40), ("skipped", 0)):
        assert sum(kind in command for command in reader.commands) == count
        # Counted once they are committed, so maybe a moment after they were read.
        wait_for(f"{count} {kind}", lambda: worker.metric("flyscreen_commands_total", kind=kind) == count)
    assert worker.terminate() == 0


def test_any_free_port(pipeline):
    worker = pipeline.start_worker(port=0)
    line = worker.error_matching(r"\bport=\d+")
    worker.port = int(re.search(r"\bport=(\d+)", line)[1])
    assert worker.wait_ready().get("/metrics")[0] == 200
    assert worker.terminate() == 0
