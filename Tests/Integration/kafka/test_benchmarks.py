"""The benchmark of a whole worker still runs; its speed is not tested."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_the_benchmark_of_a_whole_worker_runs(binary, broker):
    # It need not be fast here, so that of the unit tests will do.
    benchmarks = [path for path in (binary.with_name("Benchmarks"), ROOT / ".build/debug/Benchmarks") if path.exists()]
    if not benchmarks:
        pytest.skip("Benchmarks is not built: swift build --product Benchmarks")
    run = subprocess.run(
        [sys.executable, ROOT / "Tests/Benchmarks/worker", "--bootstrap", broker.address, "--count", "4000",
         "--rate", "200", "300", "--seconds", "5", "--warm", "5", "--pairs", "1", "--rooms", "500", "--takeovers", "1",
         "--restarts", "1", "--settle", "3"],
        env=os.environ | {"FLYSCREEN_BIN": str(binary), "BENCHMARKS_BIN": str(benchmarks[0]),
                          # A worker without a name that was killed is missed soon.
                          "KAFKA_SESSION_TIMEOUT_MS": "6000", "KAFKA_HEARTBEAT_INTERVAL_MS": "300"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, run.stdout + run.stderr
    lines = run.stdout.splitlines()
    for start in ("machine: ", "worker flood: ", "worker evening: ", "replay evening: ",
                  "latency at 200/s", "latency at 300/s", "worker steady: ", "takeover: 5"):
        assert any(line.startswith(start) for line in lines), run.stdout
