"""Starting, ending and replacing workers."""

from sending import Traffic
from waiting import wait_for


def test_sigterm_commits_all_that_was_done_and_the_next_goes_on(pipeline, crowd):
    reader = pipeline.reader
    # One that is left open would be so for longer than anything here is waited for.
    patient = {"kafka.transaction.timeout.ms": 600_000}
    with Traffic(pipeline.broker.address, crowd, rate=1500):
        for _ in range(4):
            worker = pipeline.worker(**patient)
            wait_for("commands", lambda count=reader.count: reader.count > count + 300)
            assert worker.terminate() == 0, worker.said
            # Its work is committed: no transaction is left open, nothing has to time out.
            reader.wait_all()
            assert pipeline.members() == [], "it has left its group"
    worker = pipeline.worker()
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()


def test_a_named_worker_that_restarts_moves_no_partition(pipeline, crowd):
    reader = pipeline.reader
    patient = {"kafka.session.timeout.ms": 300_000, "kafka.max.poll.interval.ms": 600_000}
    workers = {name: pipeline.worker(worker_id=name, **patient) for name in ("a", "b")}
    before = {member.instance: member.partitions for member in pipeline.wait_members(2)}
    assert len(before) == 2 and None not in before
    revoked = workers["a"].error_matching("message=revoked")
    assert 'partitions="' in revoked, "the log says which b has taken"
    restores = restored_partitions(workers["b"])
    with Traffic(pipeline.broker.address, crowd, rate=500):
        for _ in range(2):
            wait_for("commands", lambda count=reader.count: reader.count > count + 100)
            assert workers["a"].terminate() == 0, workers["a"].said
            assert {m.instance: m.partitions for m in pipeline.members()} == before, "they wait for it"
            workers["a"] = pipeline.worker(worker_id="a", **patient)
            after = {member.instance: member.partitions for member in pipeline.wait_members(2)}
            assert after == before
    assert restored_partitions(workers["b"]) == restores, "b has kept what it had"
    pipeline.wait_caught_up()
    for worker in workers.values():
        assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()


def restored_partitions(worker):
    return worker.metric("flyscreen_restore_seconds_count")


def test_of_two_workers_with_one_id_the_older_stops(pipeline, crowd):
    reader = pipeline.reader
    older = pipeline.worker(worker_id="pod-0")
    with Traffic(pipeline.broker.address, crowd, rate=500):
        wait_for("commands", lambda: reader.count > 100)
        newer = pipeline.start_worker(worker_id="pod-0")
        assert older.wait() == 65
        assert "pod-0" in older.errors[-1] and "worker.id" in older.errors[-1], older.said
        newer.wait_ready()
        wait_for("commands of the newer", lambda count=reader.count: reader.count > count + 100)
    pipeline.wait_caught_up()
    assert newer.terminate() == 0, newer.said
    pipeline.check_against_replay()
