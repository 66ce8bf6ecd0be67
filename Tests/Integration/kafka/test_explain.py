"""`explain` says why a command was sent and what became of an event, from the broker, after all kinds of things."""

import json
import re

from committed import murmur2, read_all
from crowd import gift, json_record
from sending import Sender
from timelinefile import timeline_rows
from waiting import wait_for


def explain(pipeline, *arguments):
    topics = {name: pipeline.settings[name] for name in ("topics.input", "topics.commands")}
    return pipeline.run("explain", "--room", "r1", *arguments, *pipeline.words(topics))


def hidden(reader):
    return [command for command in reader.commands if "giftHide" in command]


def test_explanations_come_from_the_broker(make_pipeline):
    pipeline = make_pipeline(partitions=2)
    topic = pipeline.inputs[0]
    reader = pipeline.reader
    sender = Sender(pipeline.broker.address)

    def send(*events):
        sender.send(*(json_record(topic, event) for event in events))
        sender.flush()

    worker = pipeline.worker()
    wish = {"sender": {"userId": "7"}, "text": "<b>hi</b>", "wishId": "w1"}
    sender.send(json_record(pipeline.inputs[1], {"eventId": "w1", "roomId": "r1", "wish": wish}))
    send(*(gift(f"e{user}", "r1", user, count=3) for user in range(5)), gift("e0", "r2", 1))
    wait_for("the first to hide", lambda: hidden(reader))
    worker.kill()
    worker = pipeline.worker(gift_lanes=3)
    broken = gift("bad", "r1", 9)
    broken["gift"]["count"] = -1
    send(gift("e1", "r1", 1, count=3), broken, gift("e5", "r1", 0, count=2))
    wait_for("all to hide", lambda: {c["giftHide"]["comboId"] for c in hidden(reader) if c["roomId"] == "r1"}
             and sum(c["giftHide"]["count"] for c in hidden(reader) if c["roomId"] == "r1") >= 3 * 5 + 2)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    reader.wait_all()

    published = {}
    for record in read_all(pipeline.broker.address, pipeline.commands):
        command = json.loads(record.value())
        if command["roomId"] == "r1":
            published[command["id"]] = (record.value().decode(), record.timestamp()[1])
    names = list(published)
    for name in names[:2] + names[len(names) // 2:len(names) // 2 + 2] + names[-2:]:
        run = explain(pipeline, name)
        assert run.returncode == 0, run.stderr
        lines = run.stdout.splitlines()
        assert lines[:2] == [f"command {name} of room r1", published[name][0]]
        assert re.search(r"^rule +STAGES\.md, [34]\.\d+ ", run.stdout, re.MULTILINE)
        assert re.search(r"^published +\d{4}-\d\d-\d\d ", run.stdout, re.MULTILINE), run.stdout

    first = explain(pipeline, "--event", "e0", "--from", "-1h")
    assert first.returncode == 0, first.stderr
    assert "1 record" in first.stdout and "all of it was shown" in first.stdout
    told = re.findall(r"\[([^ ,\]]+), published ", first.stdout)
    assert len(told) >= 3 and set(told) <= set(published)

    twice = explain(pipeline, "--event", "e1", "--topic", topic)
    assert "2 records" in twice.stdout and f"duplicate of {topic}/" in twice.stdout
    dead = explain(pipeline, "--event", "bad")
    assert f"dead letter, to {topic}.dlq: gift.count: -1 is not in 0…1000000" in dead.stdout


    # A sender partitions otherwise than Java's clients: a room that is not where its key belongs is looked for elsewhere.
    elsewhere = 1 - murmur2(b"r1") % pipeline.partitions
    sender.send(json_record(topic, gift("far", "r1", 3)), partition=elsewhere)
    sender.flush()
    far = explain(pipeline, "--event", "far")
    assert f"{topic}/{elsewhere}/" in far.stdout and far.stderr.count("\n") == 1, far
    assert "all other partitions are looked through" in far.stderr
    nowhere = explain(pipeline, "--event", "nowhere")
    for log in pipeline.inputs:
        assert f"{log}/{murmur2(b'r1') % pipeline.partitions} from 0 to " in nowhere.stderr, nowhere

    # Of the other partitions, in which a user is looked for in vain, none need have anything.
    nobody = explain(pipeline, "--user", "nobody", "--topic", pipeline.inputs[1], "--from", "-1h")
    assert "all other partitions are looked through" in nobody.stderr, nobody
    assert "user nobody did nothing in room r1" in nobody.stderr and "is in that range" not in nobody.stderr, nobody

    # Without the commands an event still is what it is.
    alone = pipeline.run("explain", "--room", "r1", "--event", "e0", "--topic", topic, "--topics.commands", "absent")
    assert alone.returncode == 0 and "all of it was shown" in alone.stdout and "published" not in alone.stdout
    assert "there is no topic absent" in alone.stderr

    page = pipeline.folder / "r1.html"
    drawn = pipeline.run("replay", "--topic", ",".join(pipeline.inputs), "--room", "r1", "--timeline", page)
    assert drawn.returncode == 0, drawn.stderr
    # The one partition of each topic where its key belongs.
    assert " in 2 partitions\n" in drawn.stdout
    data = timeline_rows(page)
    views = {f"{topic}/{murmur2(b'r1') % pipeline.partitions}/{line['c']}" for line in data if line["k"] == "v"}
    assert views == {json.loads(line)["giftShow"]["comboId"] for line, _ in published.values() if "giftShow" in line}
    assert [(line["wish"], line["text"]) for line in data if line["k"] == "w"] == [("w1", "<b>hi</b>")]
    gifts = next(line["p"] for line in data if line["k"] == "p" and line["name"].startswith(topic))
    assert [line["words"] for line in data if line["k"] == "c" and line["p"] == gifts] == ['{"gift":{"lanes":3}}']
    assert [line["why"] for line in data if line["k"] == "d"] == ["gift.count: -1 is not in 0…1000000"]
    assert any(line.get("dup") for line in data if line["k"] == "q")


def test_what_cannot_be_explained_is_one_line(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    sender = Sender(pipeline.broker.address)
    sender.send(json_record(topic, gift("e0", "r1", 7)))
    sender.flush()
    worker = pipeline.worker()
    wait_for("it to hide", lambda: hidden(pipeline.reader))
    assert worker.terminate() == 0, worker.said
    for arguments, reason in (
            (("--event", "nobody"), "no event of room r1 has the id nobody in what was read"),
            ((f"{topic}/0/99/0",), "offset 1: there is no 99 yet"),
            ((f"{topic}/0/0/77",), "there is no 77"),
            ((f"{topic}/7/0/0",), f"{topic} has no partition 7")):
        run = explain(pipeline, *arguments)
        assert (run.returncode, run.stdout) == (1, "")
        assert len(run.stderr.splitlines()) == 1 and reason in run.stderr, run.stderr


def test_of_a_worker_that_lags_it_tells_what_it_will_send(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    sender = Sender(pipeline.broker.address)

    def send(*events):
        sender.send(*(json_record(topic, event) for event in events))
        sender.flush()

    worker = pipeline.worker()
    send(gift("e0", "r1", 7))
    wait_for("it to hide", lambda: hidden(pipeline.reader))
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    send(*(gift(f"late{n}", "r1", n, count=2) for n in range(3)))
    shows = f"{topic}/0/1/0"
    standing = f"not yet: the worker stands at offset 1 of {topic}/0, 3 records behind; "

    command, event = explain(pipeline, shows), explain(pipeline, "--event", "late0")
    assert command.returncode == 0 and command.stdout.startswith(
        f"{standing}this is what it will send\ncommand {shows} of room r1\n"), command
    promised = command.stdout.splitlines()[2]
    assert "published" not in command.stdout
    assert event.returncode == 0 and standing in event.stdout and f"[{shows}, not yet sent]" in event.stdout, event
    assert "NOT AS PUBLISHED" not in event.stdout
    told = json.loads(explain(pipeline, "--event", "late0", "--json").stdout)
    assert told["exact"] and told["answer"]["notes"][0].startswith(standing), told
    # So does what has no command yet, and the room as it will be.
    for question in (("--event", "late2"), ("--at", "-0s")):
        run = explain(pipeline, *question)
        assert run.returncode == 0 and f"\n{standing[:-2]}; " in run.stdout, run
    # Commands that it has sent are told of as before.
    before = explain(pipeline, "--event", "e0")
    assert before.returncode == 0 and "not yet" not in before.stdout, before

    worker = pipeline.worker()
    wait_for("the rest to hide", lambda: len(hidden(pipeline.reader)) >= 4)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    command = explain(pipeline, shows)
    assert command.returncode == 0 and command.stdout.splitlines()[:2] == [f"command {shows} of room r1", promised], command
    assert "not yet" not in explain(pipeline, "--event", "late0").stdout
