"""From a released version to this one and back, worker by worker, under load.

FLYSCREEN_TEST_RELEASED  the released program"""

import os
import pathlib

import pytest

from sending import Traffic
from waiting import wait_for

pytestmark = pytest.mark.long


@pytest.fixture
def released():
    """The program of a released version."""
    path = os.environ.get("FLYSCREEN_TEST_RELEASED")
    if not path:
        pytest.skip("FLYSCREEN_TEST_RELEASED names no released program")
    return pathlib.Path(path)


def test_workers_are_rolled_there_and_back(pipeline, crowd, released, binary):
    def start(program):
        pipeline.binary = program
        return pipeline.start_worker()

    def go_on():
        seen = pipeline.reader.count
        wait_for("more commands", lambda: pipeline.reader.count > seen + 500)

    pipeline.reader
    workers = [start(released).wait_ready(), start(released).wait_ready()]
    pipeline.wait_members(2)
    with Traffic(pipeline.broker.address, crowd, rate=1000):
        go_on()
        for program in (binary, binary, released, released):
            # Without a pause, as systemd and Kubernetes do.
            assert workers[0].terminate() == 0, workers[0].said
            workers = [workers[1], start(program).wait_ready()]
            pipeline.wait_members(2)
            go_on()
        # Both at once go on for a while, and one of them ends in a crash.
        workers[0].kill()
        workers[0] = start(binary).wait_ready()
        go_on()
    pipeline.wait_caught_up()
    for worker in workers:
        assert worker.terminate() == 0, worker.said
        assert not [line for line in worker.errors if "inexact" in line or "damaged" in line], worker.said
    # Both versions say of the whole log that this is what it gives.
    for program in (released, binary):
        pipeline.binary = program
        pipeline.check_against_replay()
