"""The schema, and the program that knows it from us."""

import subprocess

import pytest
from peers import ROOT, Schema, WireTool


@pytest.fixture(scope="session")
def schema(tmp_path_factory):
    return Schema(tmp_path_factory.mktemp("schema"))


@pytest.fixture(scope="session")
def tool():
    build = ["swift", "build", "-c", "release", "--product", "WireTool"]
    subprocess.run(build, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    folder = subprocess.run(
        [*build, "--show-bin-path"], check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ).stdout.strip()
    tool = WireTool(f"{folder}/WireTool")
    yield tool
    tool.process.stdin.close()
    assert tool.process.wait(120) == 0
