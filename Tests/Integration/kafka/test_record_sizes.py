"""Nothing that comes in is too long for what becomes of it."""

import random

from asyncapi import check_records
from committed import read_all
from crowd import Record, gift, json_record
from sending import Sender

MIB = 1_048_588


def hexadecimal(count, seed=1):
    """zstd halves it; lz4 can't."""
    return random.Random(seed).randbytes(count // 2).hex().encode()


def note(letter, name):
    return dict(letter.headers()).get(name, b"").decode()


def send_around(sender, topic, record):
    """The record between two gifts, all in one partition."""
    sender.send(json_record(topic, gift("before", "r1", 7)), record, json_record(topic, gift("after", "r2", 7)),
                partition=0)
    sender.flush()


def test_a_record_that_unpacks_to_more_than_its_dead_letter_may_have(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    pipeline.change_topic(topic, "max.message.bytes", str(MIB))
    pipeline.change_topic(f"{topic}.dlq", "max.message.bytes", str(MIB + 65_536))
    reader = pipeline.reader
    worker = pipeline.worker()
    value = hexadecimal(1_900_000)
    send_around(Sender(pipeline.broker.address, "zstd"), topic, Record(topic, b"r1", value, (("trace", b"t"),)))
    pipeline.wait_caught_up()
    assert worker.metric("flyscreen_dead_letters_total") == 1
    assert worker.metric("flyscreen_transactions_total", outcome="failed") == 0, worker.said
    assert worker.terminate() == 0, worker.said
    letter, = pipeline.dead_letters()
    check_records("deadLetters", [letter])
    assert value.startswith(letter.value()) and 1_000_000 < len(letter.value()) < MIB + 65_536
    assert letter.key() == b"r1" and letter.headers()[0] == ("trace", b"t")
    assert note(letter, "flyscreen-cut") == "value=1900000 headers=6 key=2"
    pipeline.check_against_replay()
    assert {stream[0] for stream in reader.streams} == {"r1", "r2"}, "the log goes on"


def test_a_limit_that_is_lowered_while_it_works(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    worker = pipeline.worker()
    sender = Sender(pipeline.broker.address)
    send_around(sender, topic, Record(topic, b"r1", hexadecimal(200_000)))
    pipeline.wait_caught_up()
    pipeline.change_topic(f"{topic}.dlq", "max.message.bytes", "100000")
    for number in range(3):
        sender.send(Record(topic, b"r1", hexadecimal(200_000, number)), partition=0)
    sender.send(json_record(topic, gift("last", "r3", 7)), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    assert worker.metric("flyscreen_dead_letters_total") == 4, "each is counted once"
    assert worker.metric("flyscreen_transactions_total", outcome="failed") == 1, worker.said
    assert worker.terminate() == 0, worker.said
    letters = pipeline.dead_letters()
    assert [len(letter.value()) for letter in letters][0] == 200_000
    assert all(90_000 < len(letter.value()) < 100_000 for letter in letters[1:]), [len(x.value()) for x in letters]


def test_commands_come_in_batches_that_their_topic_takes(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    for name in (pipeline.commands, pipeline.results):
        pipeline.change_topic(name, "max.message.bytes", "100000")
    # lz4 must not help here: this topic's broker stores records uncompressed.
    pipeline.change_topic(pipeline.commands, "compression.type", "uncompressed")
    sender = Sender(pipeline.broker.address)
    for number in range(3000):
        sender.send(json_record(topic, gift(f"e{number}", f"room-{number}", number)), partition=0)
    sender.flush()
    worker = pipeline.worker()
    pipeline.wait_caught_up()
    assert worker.metric("flyscreen_transactions_total", outcome="failed") == 0, worker.said
    assert worker.terminate() == 0, worker.said
    assert len(read_all(pipeline.broker.address, pipeline.commands)) >= 3000


def test_a_commands_topic_that_takes_too_little(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    pipeline.change_topic(pipeline.commands, "max.message.bytes", "50000")
    worker = pipeline.start_worker()
    assert worker.wait() == 64
    line = worker.errors[-1]
    assert "kafka-configs" in line and pipeline.commands in line and "max.message.bytes=98592" in line, line
