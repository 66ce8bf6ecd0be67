"""Three brokers, of which some hear late of what is new, and some are killed, and named workers, too. Only killed workers
and those with a namesake end."""

import random
import time

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, ConfigResource

from sending import Traffic
from waiting import LIMIT, wait_for

NAMES = ("w1", "w2")
# Most kills of brokers, if a minute is enough for them.
LEAST_KILLS, MOST_KILLS, MOST_SECONDS = 2, 4, 60
# So many that one of them meets a broker that lags; one in four does.
CREATIONS = 12


@pytest.fixture
def broker(three):
    return three


def test_topics_are_made_as_the_inputs_need_them(make_pipeline, three):
    """Each broker hears of a new topic in its own time, and each question may reach another."""
    made = [make_pipeline(inputs=(f"gifts-{n}", f"wishes-{n}")) for n in range(CREATIONS)]
    admin = AdminClient({"bootstrap.servers": three.address})

    def longest(topic):
        """The bytes of its longest record; None: this broker hasn't heard of it yet."""
        resource = ConfigResource("topic", topic)
        try:
            return int(admin.describe_configs([resource])[resource].result(LIMIT)["max.message.bytes"].value)
        except KafkaException:
            return None

    for topic in [topic for pipeline in made for topic in pipeline.inputs]:
        assert wait_for(topic, lambda: longest(topic)) <= wait_for(topic, lambda: longest(f"{topic}.dlq"))


def test_brokers_and_workers_killed_in_turn(pipeline, crowd, seed):
    """A member may be fenced with no namesake about: by a join of its own that came late, or by a coordinator that has
    not heard of its last."""
    pick = random.Random(seed)
    reader = pipeline.reader
    workers = {name: pipeline.worker(worker_id=name) for name in NAMES}

    def go_on(most):
        """Waits for some commands. The rooms of a worker that lost its place may stand still for a session."""
        target = reader.count + pick.randint(1, most)
        wait_for(f"{target} commands", lambda: reader.count >= target or reader.broken or ended())

    def ended():
        return [worker for worker in workers.values() if not worker.is_running]

    def perhaps_kill_a_worker(chance):
        if pick.random() < chance:
            name = pick.choice(NAMES)
            workers[name].kill()
            workers[name] = pipeline.start_worker(worker_id=name)

    with Traffic(pipeline.broker.address, crowd, rate=300):
        kills, end_of_faults = 0, time.monotonic() + MOST_SECONDS
        while kills < LEAST_KILLS or kills < MOST_KILLS and time.monotonic() < end_of_faults:
            with pipeline.broker.one_killed(kills % 3 + 1):
                perhaps_kill_a_worker(0.7)
                go_on(300)
            kills += 1
            perhaps_kill_a_worker(0.5)
            go_on(600)
            assert not ended(), "\n".join(worker.said for worker in ended())
        for worker in workers.values():
            worker.wait_ready()
        pipeline.wait_members(len(NAMES))
    lost = sum("given the place" in line for worker in workers.values() for line in worker.errors)
    print(f"{kills} brokers killed; {lost} times the workers that were left had lost a place")
    end(pipeline, *workers.values())


def test_of_two_namesakes_the_older_ends(pipeline, crowd):
    older = pipeline.worker(worker_id="w1")
    with Traffic(pipeline.broker.address, crowd, rate=300):
        wait_for("commands", lambda: pipeline.reader.count > 100)
        younger = pipeline.worker(worker_id="w1")
        assert older.wait() == 65, older.said
        assert "worker.id w1" in older.errors[-1], older.said
        wait_for("commands of the younger", lambda count=pipeline.reader.count: pipeline.reader.count > count + 100)
    assert not any("given the place" in line for line in younger.errors), younger.said
    end(pipeline, younger)


def test_a_namesake_that_comes_while_a_broker_is_down(pipeline, crowd):
    """Both may lose the place then, and either may get it again: one of them ends."""
    older = pipeline.worker(worker_id="w1")
    with Traffic(pipeline.broker.address, crowd, rate=300):
        wait_for("commands", lambda: pipeline.reader.count > 100)
        with pipeline.broker.one_killed(2):
            younger = pipeline.start_worker(worker_id="w1")
            younger.error_matching("message=assigned")
        wait_for("one of the two to end", lambda: not older.is_running or not younger.is_running)
        ended, left = (younger, older) if older.is_running else (older, younger)
        assert ended.wait() == 65 and "worker.id w1" in ended.errors[-1], ended.said
        left.wait_ready()
        wait_for("commands of the other", lambda count=pipeline.reader.count: pipeline.reader.count > count + 100)
    end(pipeline, left)


def end(pipeline, *workers):
    pipeline.wait_caught_up()
    for worker in workers:
        assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()
