"""`/readyz` tells each reason that stands, and none that is over."""

import contextlib

from confluent_kafka.admin import AdminClient

from pipeline import Pipeline

from test_second_group import send_gifts
from waiting import LIMIT, wait_for


def reasons(worker):
    status, text = worker.get("/readyz")
    return [] if status == 200 else text.splitlines()


def test_a_topic_that_is_gone_is_told_until_it_is_there(make_pipeline):
    """Nothing comes meanwhile, so members don't notice; another reason comes and goes beside it."""
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    worker = pipeline.worker()
    send_gifts(pipeline, "a")
    pipeline.wait_caught_up()
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address, "log_level": 2})

    def is_told(topic):
        return any(f"{topic} is not there" in line for line in reasons(worker))

    gone = (pipeline.results, f"{pipeline.inputs[0]}.dlq")
    for topic in gone:
        admin.delete_topics([topic])[topic].result(LIMIT)
        wait_for(f"{topic} to be told", lambda: is_told(topic))
    assert is_told(gone[0]) and worker.metric("flyscreen_unready", reason="topic_gone") == 1
    assert worker.metric("flyscreen_broker_reachable") == 1
    pipeline.create_topics()
    worker.wait_ready()
    assert worker.metric("flyscreen_unready") == 0
    send_gifts(pipeline, "b")
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said


def test_a_coordinator_that_is_away_is_told_until_it_is_back(three, binary, tmp_path):
    """Without two of three brokers nobody takes its place."""
    pipeline = Pipeline(binary, three, "coordinator-away", tmp_path, partitions=2, inputs=("gifts",)).create_topics()
    worker = pipeline.worker()
    send_gifts(pipeline, "a")
    pipeline.wait_caught_up()
    admin = AdminClient({"bootstrap.servers": three.address, "log_level": 0})
    group = admin.describe_consumer_groups([pipeline.group], request_timeout=LIMIT)[pipeline.group].result()
    coordinator = group.coordinator.id
    with contextlib.ExitStack() as killed:
        for node in (coordinator, coordinator % 3 + 1):
            killed.enter_context(three.one_killed(node))
        wait_for("the coordinator to be told", lambda: any("the coordinator of the group" in why for why in reasons(worker)))
    worker.wait_ready()
    assert worker.terminate() == 0, worker.said
    pipeline.close()
