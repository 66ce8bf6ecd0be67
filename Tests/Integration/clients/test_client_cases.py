"""The JavaScript client in Node passes the cases of every client (Tests/ClientCases), and those of its own."""

import json
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
@pytest.mark.parametrize(("cases", "least"), [("client_cases", 100), ("stream_cases", 40), ("viewer_cases", 15), ("surroundings_cases", 25), ("screen_cases", 40), ("retracted_law", 4000)])
def test_the_javascript_client_does_what_every_client_does(cases, least):
    ran = subprocess.run(["node", HERE / f"{cases}.mjs"], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["wrong"] == []
    assert told["looks"] > least
