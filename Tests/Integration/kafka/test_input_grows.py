"""An input topic gets more partitions while workers work on it."""

import pytest
from confluent_kafka.admin import AdminClient, NewPartitions

from sending import Sender
from waiting import LIMIT, wait_for

BEFORE, AFTER = 4, 9


@pytest.fixture
def grow(pipeline):
    def run(inputs, count=AFTER):
        topics = {name: value for name, value in pipeline.settings.items() if name.startswith("topics.")}
        return pipeline.run(
            "topics", "create", "--grow", ",".join(f"{topic}={count}" for topic in inputs),
            *pipeline.words(topics))

    return run


def send(pipeline, crowd, count):
    """Sends by a producer that knows the present number of partitions."""
    sender = Sender(pipeline.broker.address)
    sender.send(*crowd.records(count))
    sender.flush()


def finish(pipeline, workers):
    """All is worked on, and was what a replay of the log gives."""
    pipeline.wait_caught_up()
    for worker in workers:
        assert worker.terminate() == 0, worker.said
    # Commands and results have as many partitions as they had.
    pipeline.partitions = BEFORE
    pipeline.check_against_replay()


def test_rooms_move_under_load_and_nothing_is_lost(pipeline, crowd, grow):
    assert pipeline.reader
    workers = [pipeline.worker(), pipeline.worker("--members", 2)]
    pipeline.wait_members(3)
    send(pipeline, crowd, 400)
    run = grow(pipeline.inputs)
    assert run.returncode == 0, run.stderr
    grown = [line.split(":")[0] for line in run.stdout.splitlines() if "grown from 4 to 9" in line]
    for topic in pipeline.inputs:
        assert grown.index(topic) == max(
            grown.index(name) for name in grown if name == topic or name.endswith(f".{topic}") or name == f"{topic}.dlq")
    send(pipeline, crowd, 400)
    pipeline.partitions = AFTER
    pipeline.wait_members(3)
    send(pipeline, crowd, 400)
    finish(pipeline, workers)
    assert not any("level=error" in worker.said for worker in workers)


def test_partitions_without_a_place_for_their_state_wait_for_it(pipeline, crowd, grow):
    assert pipeline.reader
    worker = pipeline.worker()
    gifts = pipeline.inputs[0]
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address, "log_level": 2})
    admin.create_partitions([NewPartitions(gifts, AFTER)])[gifts].result(LIMIT)
    worker.error_matching(f"topics create --grow {gifts}={AFTER}")
    wait_for("it to tell that it has not all of its part", lambda: worker.get("/readyz")[0] == 503)
    # Rooms that had a place go on, also in a worker that starts now.
    worker.kill()
    worker = pipeline.start_worker()
    worker.error_matching(f"topics create --grow {gifts}={AFTER}")
    commands = pipeline.reader.count
    send(pipeline, crowd, 400)
    wait_for("commands", lambda: pipeline.reader.count > commands)
    run = grow(pipeline.inputs)
    assert run.returncode == 0, run.stderr
    assert f"\n{gifts}: grown" not in run.stdout, "it had grown already"
    pipeline.partitions = AFTER
    worker.wait_ready()
    finish(pipeline, [worker])


@pytest.mark.parametrize("topic, count, told", [
    ("commands", AFTER, "make a new topic"), ("results", AFTER, "make a new topic"), ("gifts", BEFORE - 1, "fewer"),
    ("others", AFTER, "topics.input"),
])
def test_what_must_not_grow_is_refused(pipeline, grow, topic, count, told):
    run = grow([f"{pipeline.name}.{topic}"], count)
    assert run.returncode == 64
    assert told in run.stderr and len(run.stderr.splitlines()) == 1, run.stderr
