"""A batch that is small as sent and large unpacked holds up nobody: it is one dead letter, the log goes on, and restores
and replays pass over it, too. Memory stays bounded."""

import functools
import json
import struct
import zlib

import pytest

from crowd import gift, json_record
from large_batches import GZIP, LZ4, batch, large_batch, produce, record
from sending import Sender

# Half of the memory that Deploy/kustomize/worker.yaml allows.
MOST = 512 * 1024 * 1024
CODECS = ("zstd", "gzip", "lz4")


def peak(worker):
    """The most bytes that were ever resident."""
    with open(f"/proc/{worker.pid}/status") as status:
        line, = (line for line in status if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def bomb(codec, megabytes, records, event):
    """A gift with a long member that nobody knows."""
    whole = json.dumps(event)
    return large_batch(codec, megabytes, records, event["roomId"].encode(), whole[:-1].encode() + b',"x":"', b'"}')


def send_bombs(pipeline, sizes, records):
    """Gifts, and the bombs between them. Returns the offsets of each bomb."""
    topic, = pipeline.inputs
    # 900 MB in lz4 take 3.5 MB.
    pipeline.change_topic(f"{topic}.dlq", "max.message.bytes", "4200000")
    pipeline.change_topic(topic, "max.message.bytes", "4000000")
    sender = Sender(pipeline.broker.address)
    places = []
    for number, (codec, megabytes) in enumerate(sizes):
        sender.send(json_record(topic, gift(f"before-{number}", f"r{number}", 7)), partition=0)
        sender.flush()
        content = bomb(codec, megabytes, records, gift(f"bomb-{number}", f"r{number}", 8))
        first = produce(pipeline.broker.address, topic, 0, content)
        places.append((first, first + records - 1))
        for partition in (0, 1):
            sender.send(json_record(topic, gift(f"after-{number}-{partition}", f"r{number}", 9)), partition=partition)
    sender.flush()
    return places


def check_letters(pipeline, places):
    letters = pipeline.dead_letters()
    assert [(letter.key(), letter.value()) for letter in letters] == [(None, None)] * len(places)
    for letter, (first, last) in zip(letters, places):
        headers = dict(letter.headers())
        assert headers["flyscreen-offset"] == str(last).encode()
        assert f"offsets {first} to {last}" in headers["flyscreen-error"].decode()


@pytest.mark.parametrize("members, records, sizes, bound", [
    (2, 10, (2,), 1_048_576),
    *(pytest.param(members, records, (100, 400, 900), 67_108_864, marks=mark) for members, records, mark in (
        (2, 1, pytest.mark.more), (2, 1000, pytest.mark.long), (1, 1, pytest.mark.long), (1, 1000, pytest.mark.long))),
])
def test_batches_that_are_large_unpacked_are_passed_over(make_pipeline, members, records, sizes, bound):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    topic, = pipeline.inputs
    pipeline.reader
    settings = {"worker_id": "a", "kafka_fetch_unpacked_max_bytes": bound}
    worker = pipeline.worker("--members", members, **settings)
    places = send_bombs(pipeline, [(codec, size) for codec in CODECS for size in sizes], records)
    pipeline.wait_caught_up()
    assert peak(worker) < MOST
    assert worker.metric("flyscreen_dead_letters_total", reason="batch_too_large") == len(places)
    lines = [line for line in worker.errors if "a batch was passed over" in line]
    assert len(lines) == len(places) and all(f"offset={first} " in line for line, (first, _) in zip(lines, places)), lines

    # A restore meets them again.
    worker.kill()
    worker = pipeline.worker("--members", members, **settings)
    sender = Sender(pipeline.broker.address)
    sender.send(json_record(topic, gift("last", "r0", 7)), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    assert worker.metric("flyscreen_restores_inexact_total") == 0
    assert peak(worker) < MOST
    assert not [line for line in worker.errors if "passed over" in line]
    assert worker.terminate() == 0, worker.said
    check_letters(pipeline, places)

    run = pipeline.run("replay", "--topic", topic, "--compare", *pipeline.flags())
    assert run.returncode == 0, run
    run = pipeline.run("explain", "--topic", topic, "--room", "r2", "--event", "after-2-0", *pipeline.flags())
    assert run.returncode == 0 and "r2" in run.stdout, run


@pytest.mark.parametrize("members", [
    pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.more)])
def test_batches_in_snappy_are_bounded_by_their_topic(make_pipeline, members):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    worker = pipeline.worker("--members", members, worker_id="a")
    for restarts in (False, True):
        if restarts:
            worker.freeze()
        for number in range(20):
            for partition in range(2):
                event = gift(f"{restarts}-{number}-{partition}", f"r{partition}", 8)
                produce(pipeline.broker.address, pipeline.inputs[0], partition, bomb("snappy", 21, 1, event))
        if restarts:
            worker.kill()
            worker = pipeline.worker("--members", members, worker_id="a")
        pipeline.wait_caught_up()
        assert peak(worker) < MOST
    assert worker.terminate() == 0, worker.said
    assert not pipeline.dead_letters()


def test_a_restore_and_a_replay_pass_over_what_they_could_unpack(make_pipeline, tmp_path):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    topic, = pipeline.inputs
    pipeline.reader
    worker = pipeline.worker(worker_id="a", kafka_fetch_unpacked_max_bytes=1_048_576)
    places = send_bombs(pipeline, [(codec, 2) for codec in CODECS], 10)
    pipeline.wait_caught_up()
    worker.kill()
    worker = pipeline.worker(worker_id="a")
    assert worker.metric("flyscreen_restores_inexact_total") == 0
    assert worker.terminate() == 0, worker.said
    check_letters(pipeline, places)
    file = tmp_path / "log.ndjson"
    assert pipeline.run("record", "--topic", topic, "--output", file).returncode == 0
    assert file.stat().st_size < 100_000
    for arguments in (("--topic", topic, "--compare", *pipeline.flags()), ("--input", file)):
        run = pipeline.run("replay", *arguments)
        assert run.returncode == 0, run


def test_what_a_restore_may_not_unpack_any_more_is_told(make_pipeline):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    worker = pipeline.worker(worker_id="a")
    (_, last), = send_bombs(pipeline, [("zstd", 2)], 10)
    pipeline.wait_caught_up()
    worker.kill()
    worker = pipeline.worker(worker_id="a", kafka_fetch_unpacked_max_bytes=1_048_576)
    worker.error_matching(rf"the batch that ends at offset {last} unpacks to more than kafka.fetch.unpacked.max.bytes")
    assert worker.metric("flyscreen_restores_inexact_total") == 1
    assert worker.terminate() == 0, worker.said


def odd_gzip(pieces):
    """A stream of two members, the second without anything."""
    whole = b"".join(pieces)
    return [zlib.compress(whole[:9], wbits=31), zlib.compress(whole[9:], wbits=31), zlib.compress(b"", wbits=31)]


def odd_lz4(pieces, *, flags="64", check="b9", behind=bytes(4)):
    """A frame with something behind its end mark."""
    whole = b"".join(pieces)
    return [bytes.fromhex(f"04224d18{flags}70{check}"), struct.pack("<I", len(whole) | 1 << 31), whole, bytes(4), behind]


@pytest.mark.parametrize("codec, pack, is_unpacked", [
    (GZIP, odd_gzip, True),
    # Java's client reads nothing behind the end, and compares no checksum of the content.
    (LZ4, functools.partial(odd_lz4, flags="60", check="73", behind=b"something"), True),
    (LZ4, odd_lz4, False),
])
def test_what_java_unpacks_and_a_library_would_not(make_pipeline, codec, pack, is_unpacked):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    topic, = pipeline.inputs
    pipeline.reader
    worker = pipeline.worker(worker_id="a")
    value = json.dumps(gift("odd", "r", 7)).encode()
    # Without letters of a piece's own.
    offset = produce(pipeline.broker.address, topic, 0, batch(codec, [[
        piece for piece in record(0, b"r", value, 0, b"") if isinstance(piece, bytes)]], pack))
    sender = Sender(pipeline.broker.address)
    sender.send(json_record(topic, gift("after", "r", 8)), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    letters = pipeline.dead_letters()
    assert not is_unpacked or not letters
    if not is_unpacked:
        letter, = letters
        assert f"offsets {offset} to {offset} " in (why := dict(letter.headers())["flyscreen-error"].decode())
        assert why.endswith("can't be unpacked")
    worker.kill()
    worker = pipeline.worker(worker_id="a")
    assert worker.metric("flyscreen_restores_inexact_total") == 0
    assert worker.terminate() == 0, worker.said
    run = pipeline.run("replay", "--topic", topic, "--compare", *pipeline.flags())
    assert run.returncode == 0, run


def test_bombs_in_the_topics_of_a_worker_stop_nobody(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    worker = pipeline.worker(worker_id="a")
    sender = Sender(pipeline.broker.address)
    for number, helper in enumerate(["changelog", "journal", None, None]):
        sender.send(json_record(topic, gift(f"e{number}", "r", 7)), partition=0)
        sender.flush()
        pipeline.wait_caught_up()
        output = f"flyscreen.{helper}.{topic}" if helper else (pipeline.commands, pipeline.results)[number - 2]
        produce(pipeline.broker.address, output, 0, bomb("zstd", 400, 3, gift("bomb", "r", 8)))
    worker.kill()
    worker = pipeline.worker(worker_id="a")
    sender.send(json_record(topic, gift("last", "r", 7)), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    assert worker.metric("flyscreen_restores_inexact_total") == 0
    assert peak(worker) < MOST
    assert worker.terminate() == 0, worker.said
    run = pipeline.run("replay", "--topic", topic, "--compare", *pipeline.flags())
    assert run.returncode == 0, run
