"""A recording replays to the same bytes wherever it is taken."""

import json
import os
import signal
import subprocess

import pytest

from sending import Sender
from test_replay import commands_of, crowd_of, work_off


@pytest.mark.parametrize("lanes", [2, 3])
def test_a_recording_has_its_settings(make_pipeline, crowd_of, tmp_path, lanes):
    pipeline = make_pipeline(partitions=2)
    topic = pipeline.inputs[0]
    work_off(pipeline, crowd_of(pipeline).records(300), gift_lanes=lanes)
    file = tmp_path / "log.ndjson"
    run = pipeline.run("record", "--topic", topic, "--output", file)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", ""), run
    firsts = {}
    for line in file.read_text().splitlines():
        firsts.setdefault(json.loads(line)["partition"], json.loads(line))
    assert len(firsts) == 2
    for first in firsts.values():
        assert first["settings"]["gift"]["lanes"] == lanes and first["settings"]["wish"]["tracks"] == 3, first

    whole = pipeline.run("replay", "--topic", topic, "--json").stdout
    environment = {**os.environ, "GIFT_LANES": "4", "WISH_TRACKS": "1"}
    again = subprocess.run(
        [str(pipeline.binary), "replay", "--input", str(file), "--json"], env=environment, capture_output=True, text=True,
        timeout=60)
    assert again.returncode == 0 and "have no say here" in again.stderr, again.stderr
    assert commands_of(again.stdout.encode().splitlines()) == commands_of(whole.encode().splitlines())


def test_a_room_that_is_not_there_is_not_compared(make_pipeline, crowd_of):
    pipeline = make_pipeline(partitions=2)
    work_off(pipeline, crowd_of(pipeline).records(50))
    run = pipeline.run("replay", "--topic", ",".join(pipeline.inputs), "--compare", "--room", "nowhere", *pipeline.flags())
    assert (run.returncode, run.stdout) == (1, "") and "no event of a room nowhere" in run.stderr, run


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_of_a_page_that_is_broken_off_nothing_stays(binary, tmp_path, ended_by):
    page, part = tmp_path / "r1.html", tmp_path / "r1.html.part"
    page.write_text("the old one")
    line = {
        "topic": "im.gifts", "partition": 0, "offset": 0, "timestampMs": 1700000000000, "key": "r1",
        "value": {"roomId": "r1", "gift": {"sender": {"userId": "7"}, "giftId": "rose"}},
    }
    with subprocess.Popen(
            [str(binary), "replay", "--input", "/dev/stdin", "--room", "r1", "--speed", "1000", "--json", "--timeline",
             str(page)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        run.stdin.write(json.dumps(line).encode() + b"\n")
        run.stdin.flush()
        # It is in the middle of it.
        assert b"giftShow" in run.stdout.readline()
        assert part.exists()
        run.send_signal(ended_by)
        assert run.wait(timeout=60) == -ended_by
    assert not part.exists() and page.read_text() == "the old one"
