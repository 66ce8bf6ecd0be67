"""Every event once, whatever happens to workers: the committed output equals the engine's output for the log, and
no reader ever sees anything else."""

import random

from sending import CODECS, Sender, Traffic, send_with_kcat
from waiting import wait_for

EVENTS = 20_000


def send_by_every_client(pipeline, crowd, events=EVENTS):
    """Sends in turns from kcat and Python, in each compression."""
    clients = [(send, codec) for codec in CODECS for send in (send_with_kcat, send_with_python)]
    for send, codec in clients:
        send(pipeline.broker.address, crowd.records(events // len(clients)), codec)


def send_with_python(address, records, codec):
    sender = Sender(address, codec)
    sender.send(*records)
    sender.flush()


def end(pipeline, *workers):
    """Cleanly, once everything is worked off; then all must be as the replay has it."""
    pipeline.wait_caught_up()
    for worker in workers:
        assert worker.terminate() == 0, worker.said
    return pipeline.check_against_replay()


def test_20000_events_from_many_clients(pipeline, crowd):
    pipeline.reader
    worker = pipeline.worker()
    send_by_every_client(pipeline, crowd)
    for topic in pipeline.inputs:
        assert pipeline.broker.codecs(topic) >= {1, 2, 3, 4}, "gzip, snappy, lz4 and zstd are in the log"
    streams = end(pipeline, worker)
    assert len({room for room, _, _ in streams}) == 200


def test_workers_join_and_leave(pipeline, crowd):
    first = pipeline.worker()
    with Traffic(pipeline.broker.address, crowd, rate=2500) as traffic:
        seen = pipeline.reader
        second = pipeline.worker()
        pipeline.wait_members(2)
        wait_for("more commands", lambda count=seen.count: seen.count > count + 500)
        assert first.terminate() == 0, first.said
        pipeline.wait_members(1)
        third = pipeline.worker()
        pipeline.wait_members(2)
        wait_for("more commands", lambda count=seen.count: seen.count > count + 500)
        assert second.terminate() == 0, second.said
        pipeline.wait_members(1)
        wait_for("enough events", lambda: traffic.sent >= EVENTS)
    end(pipeline, third)


def test_members_of_one_process(pipeline, crowd):
    pipeline.reader
    worker = pipeline.worker("--members", 3)
    members = pipeline.wait_members(3)
    assert all(member.partitions for member in members)
    send_by_every_client(pipeline, crowd, events=8000)
    end(pipeline, worker)


def test_workers_killed_at_random_moments(pipeline, crowd, seed):
    """Two with names, so that the killed one's partitions are its own again at once, and one without."""
    pick = random.Random(seed)
    reader = pipeline.reader
    names = ["a", "b", None]
    workers = {name: pipeline.start_worker(**named(name)) for name in names}
    kills = 0
    with Traffic(pipeline.broker.address, crowd, rate=600) as traffic:
        while kills < 22:
            # A moment in the middle of work, or while it is still on its way to it.
            moment = pick.choice(("commands", "events", "line"))
            name = pick.choices(names, (4, 4, 1))[0]
            if pick.random() < 0.6:
                workers[name].wait_ready()
            await_moment(moment, pick, reader, traffic, workers[name])
            workers[name].kill()
            kills += 1
            reader.check()
            workers[name] = pipeline.start_worker(**named(name))
        for worker in workers.values():
            worker.wait_ready()
        pipeline.wait_members(3)
    end(pipeline, *workers.values())
    assert all(pipeline.outcomes[outcome] > 0 for outcome in ("missed", "again", "won", "empty")), pipeline.outcomes


def named(name):
    return {"worker_id": name} if name else {}


def await_moment(moment, pick, reader, traffic, worker):
    match moment:
        case "commands":
            target = reader.count + pick.randint(1, 400)
            wait_for(f"{target} commands", lambda: reader.count >= target or reader.broken, every=0.001)
        case "events":
            target = traffic.sent + pick.randint(1, 600)
            wait_for(f"{target} events", lambda: traffic.sent >= target, every=0.001)
        case "line":
            count = len(worker.errors)
            wait_for("another line, or the worker being ready", lambda: (
                len(worker.errors) > count or worker.get("/readyz")[0] == 200), every=0.001)


def test_a_worker_frozen_past_its_session(pipeline, crowd, seed):
    """Another takes over; what the frozen one had begun is never seen, and it comes back as a new member."""
    pick = random.Random(seed)
    reader = pipeline.reader
    workers = [pipeline.worker(), pipeline.worker()]
    with Traffic(pipeline.broker.address, crowd, rate=800) as traffic:
        for _ in range(2):
            before = {member.id for member in pipeline.wait_members(2)}
            await_moment("commands", pick, reader, traffic, workers[0])
            frozen = workers[0]
            frozen.freeze()
            left, = pipeline.wait_members(1)
            assert left.id in before
            # The other one works on the frozen one's partitions.
            count, end_of_input = reader.count, traffic.sent
            wait_for("the other to catch up", lambda: pipeline.lag() is not None and pipeline.lag() < 800)
            wait_for("commands of the other", lambda: reader.count > count or reader.broken)
            frozen.thaw()
            after = {member.id for member in pipeline.wait_members(2)}
            assert len(after - before) == 1 and left.id in after, "it comes back as a new member"
            frozen.wait_ready()
            reader.check()
            assert traffic.sent > end_of_input
            workers.reverse()
    end(pipeline, *workers)
