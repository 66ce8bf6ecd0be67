"""A platform's own messages, read by a mapping: by a worker, by those that restore its rooms, and by those who look."""

import json

from crowd import Record
from logfile import journal_of
from sending import Sender
from test_check import check
from waiting import wait_for

# With a text beyond ASCII, as no commit can have.
MAPPING = """
{topic}:
  otherwise: ignore
  own: false
  shapes:
    - when: {{ cmd: [SEND_GIFT, 送礼物] }}
      roomId: room.id
      eventId: "@header.message-id"
      gift:
        sender: {{ userId: data.uid, name: data.uname }}
        giftId: {gift}
        count: data.num
        value: {{ at: data.price, times: 100 }}
    - when: {{ cmd: HEARTBEAT }}
      ignore: true
"""


def write_mapping(pipeline, gift):
    path = pipeline.folder / "mapping.yaml"
    path.write_text(MAPPING.format(topic=pipeline.inputs[0], gift=gift))
    return path


def message(topic, number, command="SEND_GIFT", **data):
    data = {"uid": 7, "uname": "阿花", "gift": "rose", "num": 1, "price": "0.1"} | data
    value = json.dumps({"cmd": command, "room": {"id": "r1"}, "data": data}, ensure_ascii=False)
    return Record(topic, b"r1", value.encode(), (("message-id", f"m{number}".encode()),))


def test_a_worker_reads_them_and_a_restore_needs_no_file(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    pipeline.reader
    path = write_mapping(pipeline, "data.gift")
    sender = Sender(pipeline.broker.address)

    def send(*records):
        sender.send(*records, partition=0)
        sender.flush()
        pipeline.wait_caught_up()

    def mapped(shape, outcome):
        return worker.metric("flyscreen_mapped_messages_total", topic=topic, shape=str(shape), outcome=outcome)

    # A combo that goes on for as long as the test may take, and no room is written meanwhile.
    settings = {"topics_mapping": path, "gift_holdMs": 600_000, "worker_checkpointMs": 600_000}
    worker = pipeline.worker(**settings)
    send(
        message(topic, 1), message(topic, 1), message(topic, 2, "送礼物", num=2), message(topic, 3, "HEARTBEAT"),
        message(topic, 4, "ONLINE"), message(topic, 5, num=[3]),
        Record(topic, b"r1", b'{"roomId":"r1","roomEnd":{}}'))
    counted = ((1, "mapped"), (1, "refused"), (2, "ignored"), (0, "ignored"))
    wait_for("the messages to be counted", lambda: [mapped(*one) for one in counted] == [3, 1, 1, 1])
    assert mapped(0, "refused") == 1, "an event of our own is none here"
    reasons = [dict(letter.headers())["flyscreen-error"].decode() for letter in pipeline.dead_letters()]
    assert reasons == ["gift.count (data.num) is no integer", "no shape fits"]
    worker.kill()

    # Whoever restores the rooms has another file.
    write_mapping(pipeline, "{ is: car }")
    worker = pipeline.worker(**settings)
    assert worker.metric("flyscreen_restores_inexact_total") == 0
    assert "the topic's entry in topics.mapping" in worker.said
    send(message(topic, 6), message(topic, 2))
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()
    shows = [
        json.loads(line)["giftShow"] for lines in pipeline.reader.streams.values() for line in lines
        if b'"giftShow"' in line]
    assert [(show["giftId"], show["sender"]["name"], show["value"]) for show in shows] == [
        ("rose", "阿花", 10), ("car", "阿花", 10)], "the first combo is not drawn once more, and duplicates are known"
    lines = [line for _, line in journal_of(pipeline.broker.address, topic) if "mapping" in line]
    assert len(lines) == 2, "the mapping is journalled where it changes"

    told = pipeline.run(
        "explain", "--room", "r1", "--event", "m6",
        *pipeline.words({"topics.input": topic, "topics.commands": pipeline.commands}))
    assert told.returncode == 0, told.stderr
    assert '  came as {"cmd": "SEND_GIFT", ' in told.stdout, told.stdout
    assert '  read as {"eventId":"m6","roomId":"r1","gift":{' in told.stdout, told.stdout


def test_map_and_check_look_at_a_topic(make_pipeline):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    topic, = pipeline.inputs
    path = write_mapping(pipeline, "data.gift")
    sender = Sender(pipeline.broker.address)
    sender.send(
        message(topic, 1), message(topic, 2, "HEARTBEAT"), message(topic, 3, "ONLINE"), message(topic, 4, price="dear"),
        Record(topic, b"r2", message(topic, 5).value))
    sender.flush()

    status, lines = check(pipeline, topics_mapping=path)
    assert status == 0, lines
    assert ["ok", f"{path} can be read"] in lines
    warning, = [what for verdict, what in lines if verdict == "warning" and topic in what and "messages" in what]
    assert warning.startswith(
        f"of 5 messages of {topic} 2 fit shape 1, 1 fit shape 2, 1 fit none and are passed over, 1 are refused, "
        "1 have another key than their room (topics.key); the first: "), warning
    path.write_text("a: {shapes: [{when: {x: 1}, ignore: yes}]}\n")
    status, lines = check(pipeline, topics_mapping=path)
    assert status == 64
    assert any(verdict == "wrong" and f"file {path} line 1: a.shapes[0].ignore" in what for verdict, what in lines), lines

    write_mapping(pipeline, "data.gift")
    tried = pipeline.run("map", path, "--topic", topic, "--from", "-10m", "--json")
    assert tried.returncode == 0, tried.stderr
    found = [json.loads(line) for line in tried.stdout.splitlines()]
    assert {"ignored": 2} in found and {"ignored": True} in found
    assert {"refused": "gift.value (data.price) is no number"} in found
    gift = {"sender": {"userId": "7", "name": "阿花"}, "giftId": "rose", "count": 1, "value": 10}
    assert {"event": {"eventId": "m1", "roomId": "r1", "gift": gift}} in found
    assert tried.stderr.startswith("flyscreen: map: 5 messages: "), tried.stderr
