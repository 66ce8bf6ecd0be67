"""A broker for all tests, and topics, a group and workers for each."""

import os
import pathlib
import re
import sys
import zlib

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from broker import Broker
from crowd import Crowd
from pipeline import Pipeline
from process import end_all
from proto import Schema

ROOT = HERE.parents[2]
BINARY = pathlib.Path(os.environ.get("FLYSCREEN_BIN") or ROOT / ".build/release/flyscreen")


@pytest.fixture(scope="session")
def binary():
    if not os.access(BINARY, os.X_OK):
        pytest.exit(f"{BINARY} is not there: build it with `make release`, or name one in FLYSCREEN_BIN", 1)
    return BINARY


@pytest.fixture(scope="session")
def broker(tmp_path_factory):
    broker = Broker(ROOT / "Tests/Broker/broker", tmp_path_factory.mktemp("broker") / "kafka")
    try:
        yield broker.start()
    finally:
        broker.remove()


@pytest.fixture(scope="session")
def schema(tmp_path_factory):
    return Schema(ROOT / "Schemas/flyscreen.proto", tmp_path_factory.mktemp("schema"))


@pytest.fixture
def seed(request, run_seed):
    """Of this test's random choices."""
    print(f"FLYSCREEN_TEST_SEED={run_seed}")
    return run_seed ^ zlib.crc32(request.node.name.encode())


@pytest.fixture
def make_pipeline(binary, broker, request, tmp_path):
    """Makes topics of its own for a test, and workers on them."""
    made = []

    def make(**layout):
        name = re.sub("[^a-z0-9]+", "-", request.node.name.removeprefix("test_"))[:60].strip("-")
        made.append(Pipeline(binary, broker, name, tmp_path, **layout))
        return made[-1].create_topics()

    yield make
    end_all()
    for pipeline in made:
        pipeline.close()


@pytest.fixture
def pipeline(make_pipeline):
    return make_pipeline()


@pytest.fixture
def crowd(pipeline, schema, seed):
    return Crowd(seed, pipeline.inputs, schema)
