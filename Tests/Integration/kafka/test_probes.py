"""Probes and metrics of a worker."""

import re
import subprocess
import threading

import confluent_kafka
from confluent_kafka.admin import AdminClient

from crowd import Record, gift, json_record
from open_files import check_open_files
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
    assert worker.metric("flyscreen_transactions_total", outcome="committed") >= 1
    assert worker.metric("flyscreen_latency_seconds_count", topic=topic) == 63
    for name, family in families.items():
        assert name.startswith(("flyscreen_", "process_")) and family.documentation and family.type != "unknown", name
    wait_for("views to hide by themselves", lambda: worker.metric("flyscreen_commands_total", kind="giftHide") >= 30)
    assert worker.terminate() == 0, worker.said
    reader.wait_all()
    assert {kind for command in reader.commands for kind in command} >= {"giftShow", "giftBump", "giftHide"}


def test_a_worker_at_its_limit_of_open_files_says_so_once(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    worker = pipeline.worker()
    check_open_files(worker, lambda: worker.get("/healthz")[0] == 200)
    assert worker.terminate() == 0, worker.said


def test_what_waits_and_how_long_what_is_drawn_had_waited(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    sender = Sender(pipeline.broker.address)
    for n in range(30):
        sender.send(json_record(topic, gift(f"e{n}", "full" if n < 20 else "other", n)), partition=0)
    sender.flush()
    worker = pipeline.worker(gift_lanes=1, gift_maxWaitMs=600_000)

    def queued(name):
        return worker.metric(f"flyscreen_{name}_items", stage="gift")

    # The queue gets shorter with each turn; it is looked at every five seconds.
    wait_for("what is queued", lambda: queued("queued") > queued("queue_longest") > 1)
    assert worker.metric("flyscreen_rooms_live") == 2
    assert worker.metric("flyscreen_queued_items", stage="wish") == 0
    # The first of each room, then one that had to wait.
    wait_for("those that waited", lambda: worker.metric("flyscreen_wait_seconds_count", stage="gift") >= 4)
    assert worker.metric("flyscreen_wait_seconds_bucket", stage="gift", le="0") == 2
    assert worker.metric("flyscreen_wait_seconds_sum", stage="gift") > 2
    assert worker.terminate() == 0


def check_metrics(tools, text):
    """Checks metrics with Prometheus' own tool."""
    check = subprocess.run([tools / "promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    assert (check.returncode, check.stdout, check.stderr) == (0, "", "")


def test_all_that_can_be_counted_is_there_from_the_start(make_pipeline, prometheus_tools):
    pipeline = make_pipeline(partitions=3)
    worker = pipeline.start_worker()
    wait_for("its metrics", lambda: worker.get("/metrics")[0] == 200)
    families = worker.metrics()
    counted = {
        "flyscreen_dead_letters": 20, "flyscreen_skipped_units": 16, "flyscreen_skipped_items": 16,
        "flyscreen_transactions": 3, "flyscreen_records_lost": 1, "flyscreen_partitions_restarted": 1,
        "flyscreen_restores_inexact": 1, "flyscreen_retracts_forgotten": 1, "flyscreen_restore_foreign_records": 1,
        "flyscreen_unready": 11,
        "flyscreen_rooms_live": 1, "flyscreen_queued_items": 3, "flyscreen_queue_longest_items": 3}
    for name, count in counted.items():
        assert len(families[name].samples) == count, name
    assert {s.labels["topic"] for s in families["flyscreen_latency_seconds"].samples} == set(pipeline.inputs)
    waits = families["flyscreen_wait_seconds"].samples
    assert {(s.labels["stage"], s.value) for s in waits} == {("gift", 0), ("wish", 0), ("spot", 0), ("pin", 0)}
    worker.wait_ready()
    places = {(topic, str(partition)) for topic in pipeline.inputs for partition in range(3)}

    def seen(name):
        family = worker.metrics().get(name)
        return {(s.labels["topic"], s.labels["partition"]) for s in family.samples if s.value == expected} if family else ()

    for name, expected in (("flyscreen_lag_records", 0), ("flyscreen_partition_worked_on", 1), ("flyscreen_lag_seconds", 0)):
        wait_for(f"{name} of all partitions", lambda: seen(name) == places)
    assert worker.metric("flyscreen_ready") == worker.metric("flyscreen_broker_reachable") == 1
    assert worker.metric("flyscreen_unready") == 0
    assert worker.metric("flyscreen_members", state="working") == 1
    assert worker.metric("flyscreen_partitions", phase="running") == 6
    assert worker.metric("process_open_fds") > 3 and worker.metric("flyscreen_thread_cpu_seconds_total") > 0
    wait_for("librdkafka's own", lambda: worker.metric("flyscreen_kafka_connections", client="group") >= 1)
    assert worker.metric("flyscreen_kafka_round_trip_seconds", client="group", percentile="99") > 0
    check_metrics(prometheus_tools, worker.get("/metrics")[1])
    assert worker.terminate() == 0


def test_the_lag_of_what_another_program_has_taken(make_pipeline):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    topic, = pipeline.inputs
    worker = pipeline.worker()
    wait_for("both partitions", lambda: worker.metric("flyscreen_partition_worked_on") == 2)
    other = confluent_kafka.Consumer({
        "bootstrap.servers": pipeline.broker.address, "group.id": pipeline.group, "enable.auto.commit": False,
        "partition.assignment.strategy": "range", "session.timeout.ms": 6000, "log_level": 2})
    try:
        other.subscribe([topic])
        wait_for("a partition to be taken", lambda: other.poll(0.1) is None and len(other.assignment()) == 1)
        taken = str(other.assignment()[0].partition)
        sender = Sender(pipeline.broker.address)
        for n in range(40):
            sender.send(json_record(topic, gift(f"e{n}", f"r{n}", n)), partition=n % 2)
        sender.flush()
        wait_for("its lag", lambda: other.poll(0) and False or worker.metric("flyscreen_lag_records", partition=taken) == 20)
        assert worker.metric("flyscreen_partition_worked_on", partition=taken) == 0
        wait_for("the other's to be worked on", lambda: worker.metric("flyscreen_lag_records") == 20)
        assert worker.metric("flyscreen_lag_seconds") == 0
    finally:
        other.close()
    wait_for("all to be worked on", lambda: worker.metric("flyscreen_lag_records") == 0)
    assert worker.terminate() == 0


def test_where_nothing_is_committed_the_lag_is_what_is_there(make_pipeline):
    """Another program has the only partition, so the worker begins nothing; the oldest records were deleted."""
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    sender = Sender(pipeline.broker.address)
    for n in range(10):
        sender.send(json_record(topic, gift(f"e{n}", f"r{n}", n)), partition=0)
    sender.flush()
    place = confluent_kafka.TopicPartition(topic, 0, 4)
    # Its answers come as long as somebody holds it.
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address})
    admin.delete_records([place])[place].result()
    is_over = threading.Event()
    # Of several members the one whose name comes first gets it.
    other = confluent_kafka.Consumer({
        "bootstrap.servers": pipeline.broker.address, "group.id": pipeline.group, "client.id": "a",
        "enable.auto.commit": False, "partition.assignment.strategy": "range", "log_level": 2})
    try:
        other.subscribe([topic])
        wait_for("the partition to be taken", lambda: other.poll(0.1) and False or len(other.assignment()) == 1)
        # It takes part in rebalances as long as it polls.
        polling = threading.Thread(target=lambda: [other.poll(0.1) for _ in iter(is_over.is_set, True)])
        polling.start()
        worker = pipeline.worker()
        wait_for("its lag", lambda: worker.metric("flyscreen_lag_records", partition="0") == 6)
        assert worker.metric("flyscreen_partition_worked_on", partition="0") == 0
    finally:
        is_over.set()
        polling.join()
        other.close()
    wait_for("all to be worked on", lambda: worker.metric("flyscreen_lag_records") == 0)
    assert worker.terminate() == 0


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
