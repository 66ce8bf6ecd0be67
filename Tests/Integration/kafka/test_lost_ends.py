"""A broker that crashes loses the markers of transactions, and the worker ends these once more, as they were decided."""

import pathlib
import random

import pytest

from broker import Broker
from sending import Traffic
from waiting import wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]
KILLS = 3


@pytest.fixture
def broker(tmp_path_factory):
    broker = Broker(ROOT / "Tests/Broker/broker", tmp_path_factory.mktemp("stock") / "kafka", is_stock=True)
    try:
        yield broker.start()
    finally:
        broker.remove()


def test_a_broker_that_loses_the_ends_of_transactions(pipeline, crowd, seed):
    """Nothing hangs, and nothing is torn."""
    pick = random.Random(seed)
    reader = pipeline.reader
    worker = pipeline.worker()
    with Traffic(pipeline.broker.address, crowd, rate=300):
        for _ in range(KILLS):
            target = reader.count + pick.randint(50, 600)
            wait_for(f"{target} commands", lambda target=target: reader.count >= target or not worker.is_running)
            with pipeline.broker.away("kill"):
                pass
    pipeline.wait_caught_up()
    lost = sum("lost the end of a transaction; " in line for line in worker.errors)
    print(f"{lost} transactions were ended once more")
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()
