"""Topics, a group and workers for each test."""

import pathlib
import re

import pytest

from crowd import Crowd
from pipeline import Pipeline
from process import end_all
from proto import Schema

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def schema(tmp_path_factory):
    return Schema(ROOT / "Schemas/flyscreen.proto", tmp_path_factory.mktemp("schema"))


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
