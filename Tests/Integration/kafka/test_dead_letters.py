"""Records that can't be understood are put aside as they came, with the reason, and the log goes on."""

import json

from asyncapi import check_records
from committed import read_all
from crowd import Record, gift, json_record
from sending import Sender
from waiting import wait_for

PROTOBUF = (("content-type", b"application/x-protobuf"),)
OURS = ("flyscreen-error", "flyscreen-topic", "flyscreen-partition", "flyscreen-offset")


def cases(topic, schema):
    """Mistakes: what is wrong, a record with it, and a word of the reason that it gets."""
    good = gift("e", "r1", 7)

    def changed(**more):
        return json.dumps(dict(good, gift=dict(good["gift"], **more))).encode()

    def record(value, key=b"r1", headers=()):
        return Record(topic, key, value, headers)

    whole = json.dumps(good).encode()
    yield "undecodable bytes", record(bytes(range(128, 256))), "JSON"
    yield "no JSON", record(b'{"eventId":"e","roomId":"r1","gift":'), "JSON"
    yield "JSON of the wrong shape", record(b'["r1"]'), ""
    yield "a sender that is a number", record(changed(sender=5)), "sender"
    yield "a Protobuf cut short", record(schema.event(good)[:-2], headers=PROTOBUF), "Protobuf"
    yield "a count out of range", record(changed(count=1_000_001)), "count"
    yield "a value below 0", record(changed(value=-1)), "value"
    yield "a count with a fraction", record(changed(count=1.5)), "count"
    yield "an integer beyond 64 bits", record(changed(count=2 ** 70)), ""
    yield "no room", record(json.dumps(dict(good, roomId="")).encode()), "room"
    yield "no body", record(b'{"eventId":"e","roomId":"r1"}'), ""
    yield "two bodies", record(json.dumps(dict(good, tap={"userId": "7"})).encode()), ""
    yield "a streak without a count", record(changed(streakId="s", count=0)), "streak"
    yield "2 MB of what is no JSON", record(b"no JSON " * 262_144), "JSON"
    yield "a null value", record(None), "value"
    yield "an empty value", record(b""), ""
    yield "a wrong content type", record(whole, headers=(("content-type", b"text/plain"),)), "text/plain"
    yield "JSON said to be Protobuf", record(whole, headers=PROTOBUF), "Protobuf"
    yield "invalid UTF-8", record(whole.replace(b"n7", b"n\xff")), "UTF-8"
    yield "a key that is not the room's", record(whole, key=b"r2"), "key"
    yield "no key", record(whole, key=None), "key"
    yield "headers of its own", record(
        b"?", headers=(("trace", b"\x00\xff"), ("trace", b"2"), ("empty", b""))), "JSON"


def test_dead_letters(make_pipeline, schema):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    reader = pipeline.reader
    worker = pipeline.worker()
    sender = Sender(pipeline.broker.address)
    wrong = list(cases(topic, schema))
    for number, (_, record, _) in enumerate(wrong):
        # Each is followed by one that is understood.
        sender.send(record, json_record(topic, gift(f"good-{number}", f"room-{number}", 7)), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    counted = {
        sample.labels["reason"]: sample.value for family in worker.metrics().values() for sample in family.samples
        if "reason" in sample.labels and "dead" in family.name and sample.value}
    assert worker.terminate() == 0, worker.said

    letters = pipeline.dead_letters()
    check_records("deadLetters", letters)
    sent = {record.offset(): record for record in read_all(pipeline.broker.address, topic)}
    assert len(letters) == len(wrong), [dict(letter.headers())["flyscreen-error"] for letter in letters]
    for offset, (letter, (what, record, word)) in enumerate(zip(letters, wrong)):
        headers = letter.headers()
        came, added = headers[:len(record.headers)], dict(headers[len(record.headers):])
        original = sent[2 * offset]
        assert tuple(came) == record.headers and came == (original.headers() or []), what
        assert (letter.key(), letter.value()) == (original.key(), original.value()) == (record.key, record.value), what
        assert tuple(added) == OURS, what
        assert added["flyscreen-topic"] == topic.encode()
        assert added["flyscreen-partition"] == b"0"
        assert added["flyscreen-offset"] == str(original.offset()).encode()
        reason = added["flyscreen-error"].decode()
        assert reason and word.lower() in reason.lower(), f"{what}: {reason}"
        assert "\n" not in reason and len(reason) < 400, f"{what}: {reason}"

    assert sum(counted.values()) == len(wrong) and len(counted) >= 8, counted
    pipeline.check_against_replay()
    shown = {stream[0] for stream in reader.streams}
    assert shown == {f"room-{number}" for number in range(len(wrong))}, "the log goes on"


def test_a_dead_letter_comes_once_though_its_worker_is_killed(make_pipeline, schema):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    sender = Sender(pipeline.broker.address)
    worker = pipeline.worker(worker_id="a")
    for round_ in range(6):
        for number in range(50):
            sender.send(
                Record(topic, b"r", f"{round_} {number}".encode()),
                json_record(topic, gift(f"{round_}-{number}", "r", number)), partition=0)
        sender.flush()
        wait_for("some of it", lambda before=50 * round_: reached(pipeline, before + 1), every=0.001)
        worker.kill()
        worker = pipeline.worker(worker_id="a")
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    values = [letter.value() for letter in pipeline.dead_letters()]
    assert values == [f"{round_} {number}".encode() for round_ in range(6) for number in range(50)]


def reached(pipeline, offset):
    lag = pipeline.lag()
    return lag is not None and lag < 100
