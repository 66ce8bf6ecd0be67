"""The number of a worker's members, and what they do as one."""

import contextlib
import os
import pathlib
import re

import pytest

from sending import Traffic
from waiting import wait_for

BY_ITSELF = {"WORKER_MEMBERS": ""}


@contextlib.contextmanager
def cores(count):
    """Programs that are started meanwhile may use this number of cores."""
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(all_of_them)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_of_them)


def started(worker):
    """The number of members that it says it has, and the reason."""
    line = worker.error_matching('message="the worker begins"')
    return int(re.search(r" members=(\d+) ", line)[1]), re.search(r'reason="?([^"]*)"?$', line)[1]


def clients(worker):
    """Each of librdkafka's has one such thread."""
    return sum(name_of(task) == "rdk:main" for task in pathlib.Path(f"/proc/{worker.pid}/task").iterdir())


def name_of(task):
    """Empty if the thread has ended since it was listed."""
    try:
        return (task / "comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_a_member_for_each_core_and_no_more_than_partitions(make_pipeline):
    many = make_pipeline(partitions=16, inputs=("gifts", "wishes"))
    usable = len(os.sched_getaffinity(0))
    for count in sorted({1, usable}):
        with cores(count):
            worker = many.start_worker(environment=BY_ITSELF).wait_ready()
        members, reason = started(worker)
        # The lesser bound counts where a cgroup bounds this process, too.
        assert 1 <= members <= min(count, 16) and reason.endswith("most partitions of an input: 16"), worker.said
        assert "cgroup quota" in reason or members == min(count, 16), worker.said
        assert len(many.wait_members(members)) == members
        assert worker.metric("flyscreen_members", state="working") == members
        assert worker.terminate() == 0, worker.said
    worker = many.start_worker("--members", 3, environment={"WORKER_MEMBERS": "2"}).wait_ready()
    assert started(worker) == (3, "worker.members")
    assert worker.terminate() == 0, worker.said


def test_no_more_members_than_an_input_has_partitions(make_pipeline):
    one = make_pipeline(partitions=1, inputs=("gifts", "wishes"))
    worker = one.start_worker(environment=BY_ITSELF).wait_ready()
    assert started(worker)[0] == 1, worker.said
    assert worker.terminate() == 0, worker.said


def test_a_member_without_partitions_has_no_producer(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    second = pipeline.worker(worker_id="b").wait_ready()
    one = clients(second)
    # The partition goes to the first by name.
    first = pipeline.start_worker("--members", 3, worker_id="a").wait_ready()
    wait_for("all others to have a consumer each, and that alone",
             lambda: (clients(second), clients(first)) == (one - 2, one + 2))
    assert first.terminate() == 0, first.said
    wait_for("the partition to be back with its producers", lambda: clients(second) == one)
    assert second.wait_ready().terminate() == 0, second.said


@pytest.mark.parametrize("ends", ["terminate", "kill"])
def test_a_named_worker_that_comes_back_with_fewer_members(pipeline, crowd, ends):
    """A machine with fewer cores makes fewer members. The partitions of the others wait for the end of their sessions,
    and the transactions that they had begun are over."""
    reader = pipeline.reader
    worker = pipeline.worker("--members", 3, worker_id="a")
    assert {member.instance for member in pipeline.wait_members(3)} == {"a-0", "a-1", "a-2"}
    with Traffic(pipeline.broker.address, crowd, rate=800):
        wait_for("commands", lambda: reader.count > 300)
        getattr(worker, ends)()
        worker = pipeline.start_worker(worker_id="a")
        only, = pipeline.wait_members(1)
        assert only.instance == "a-0"
        wait_for("commands", lambda count=reader.count: reader.count > count + 300)
    worker.wait_ready()
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()
