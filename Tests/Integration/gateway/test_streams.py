"""Streams tell what is committed."""

import itertools
import json
import random
import signal
import subprocess
import threading
import time

import confluent_kafka
import httpx
import pytest

from listening import Viewer, events
from served import command_id, mark
from waiting import LIMIT, wait_for


@pytest.fixture
def room(request):
    """One for each test."""
    return request.node.name


def metric(gateway, name):
    return next(float(line.split()[1]) for line in gateway.ask("/metrics")[2].splitlines() if line.startswith(name))


def test_a_stream_is_what_was_committed_in_order(room, broker, commands, make_gateway, seed):
    """Records of aborted transactions are never seen."""
    gateway = make_gateway()
    choice = random.Random(seed)
    producer = confluent_kafka.Producer({
        "bootstrap.servers": broker.address, "transactional.id": room, "partitioner": "murmur2_random", "log_level": 2})
    producer.init_transactions(LIMIT)
    with httpx.stream("GET", gateway.url(f"/rooms/{room}/commands"), timeout=LIMIT) as response:
        stream = events(response)
        assert next(stream).event == "snapshot"
        committed = []
        numbers = itertools.count(1_000_000)
        for is_last in [False] * 30 + [True]:
            producer.begin_transaction()
            sent = [next(numbers) for _ in range(choice.randint(1, 5))]
            for number in sent:
                value = {"roomId": room, "id": command_id(number), "atMs": number, "rainEnd": {"rainId": "a"}}
                producer.produce(commands.topic, json.dumps(value), room)
            if is_last or choice.random() < 0.6:
                producer.commit_transaction(LIMIT)
                committed += sent
            else:
                producer.flush(LIMIT)
                producer.abort_transaction(LIMIT)
        got = [json.loads(event.data)["id"] for event in itertools.islice(stream, len(committed))]
    assert got == [command_id(number) for number in committed]


def test_who_comes_back_has_everything_once(room, commands, make_gateway, seed):
    """At random moments, at either of two gateways, which are restarted meanwhile, cleanly or not."""
    gateways = [make_gateway(), make_gateway()]
    urls = [gateway.url("") for gateway in gateways]
    sent = [*commands.send(room, 1)]
    # Waits until it is in the snapshots, rather than a command after them.
    for gateway in gateways:
        wait_for("it to be on the screen", lambda: command_id(sent[0]) in gateway.ask(f"/rooms/{room}")[2])
    viewers = [Viewer(room, urls, seed + number) for number in range(6)]
    wait_for("all viewers to have begun", lambda: all(viewer.snapshots for viewer in viewers))
    begun = [viewer.ids[:] for viewer in viewers]
    assert not any(begun)
    stop = threading.Event()

    def send():
        while not stop.is_set():
            sent.extend(commands.send(room, 5))
            time.sleep(0.02)

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    for number, end in [(0, signal.SIGTERM), (1, signal.SIGKILL), (0, signal.SIGKILL), (1, signal.SIGTERM)]:
        before = len(sent)
        wait_for("something to happen", lambda: len(sent) > before + 100)
        gateways[number].signal(end)
        assert gateways[number].wait() == (0 if end == signal.SIGTERM else -end)
        gateways[number] = make_gateway()
        urls[number] = gateways[number].url("")
    stop.set()
    sender.join()
    wanted = [command_id(number) for number in sent[1:]]
    for viewer in viewers:
        wait_for(
            lambda: f"all commands; of {len(wanted)}, {len(viewer.ids)} have come",
            lambda: viewer.failure or len(viewer.ids) >= len(wanted))
        viewer.end()
        assert viewer.snapshots == 1
        assert viewer.ids == wanted
    print(f"{len(wanted)} commands, stays of each viewer: {[viewer.stays for viewer in viewers]}")
    assert all(viewer.stays > 5 for viewer in viewers)


def test_who_reads_too_slowly_gets_a_snapshot_and_others_lose_nothing(room, commands, make_gateway):
    gateway = make_gateway()
    slow = gateway.stream(room, receive_buffer=4096)
    quick = gateway.stream(room)
    padding = "x" * 2000
    while metric(gateway, "flyscreen_gateway_dropped_total") == 0:
        # Each of them, in order: what is read is not looked at again.
        for number in commands.send(room, 10, padding):
            quick.read_until(mark(number))
    # Now it reads, and catches up.
    slow.read_until("event: snapshot")
    number = commands.send(room)[0]
    slow.read_until(mark(number))
    wait_for("it to be counted", lambda: metric(gateway, "flyscreen_gateway_resyncs_total") >= 1)


def test_curl_follows_a_stream(room, commands, make_gateway):
    gateway = make_gateway()
    curl = subprocess.Popen(
        ["curl", "--silent", "--no-buffer", gateway.url(f"/rooms/{room}/commands")], stdout=subprocess.PIPE, text=True)
    try:
        lines = iter(curl.stdout.readline, "")
        assert any(line == "event: snapshot\n" for line in lines)
        number = commands.send(room)[0]
        assert any(mark(number) in line for line in lines if line.startswith("data: "))
        gateway.terminate()
        # It ends well, not in the middle of a chunk.
        assert curl.wait(LIMIT) == 0
    finally:
        curl.kill()
