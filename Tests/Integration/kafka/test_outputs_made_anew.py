"""An output topic that somebody deletes and makes anew with fewer partitions, while a worker works."""

from confluent_kafka.admin import AdminClient, NewTopic

from committed import read_all
from crowd import gift, json_record
from sending import Sender
from waiting import LIMIT, wait_for


def send(pipeline, name):
    sender = Sender(pipeline.broker.address)
    for number in range(20):
        sender.send(json_record(pipeline.inputs[0], gift(f"{name}-{number}", f"room-{number}", number)))
    sender.flush()


def test_a_worker_that_is_started_again_goes_on_and_loses_nothing(make_pipeline):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    worker = pipeline.worker()
    send(pipeline, "before")
    pipeline.wait_caught_up()
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address, "log_level": 2})
    admin.delete_topics([pipeline.commands])[pipeline.commands].result(LIMIT)
    wait_for("it to be gone", lambda: pipeline.commands not in admin.list_topics(timeout=LIMIT).topics)
    admin.create_topics([NewTopic(pipeline.commands, 1, 1)])[pipeline.commands].result(LIMIT)
    send(pipeline, "after")
    assert worker.wait() == 64, worker.said
    line = worker.errors[-1]
    assert f"{pipeline.commands} was made anew with fewer partitions (1, it had 2)" in line, line
    worker = pipeline.worker()
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    assert {record.key().decode() for record in read_all(pipeline.broker.address, pipeline.commands)} == {
        f"room-{number}" for number in range(20)}
