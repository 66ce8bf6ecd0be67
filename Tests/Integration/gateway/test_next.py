"""Rooms without streams: the next commands of a room, as one answer that any cache may keep."""

import asyncio
import collections
import gzip
import json
import math
import time
import urllib.request

import jwt
import pytest

from certificates import write
from proxied import NGINX
from served import command_id
from test_metrics import value
from waiting import LIMIT, wait_for

SECRET = b"fedcba9876543210fedcba9876543210"


def ask(gateway, room, after=None, **headers):
    """The answer's head, and its value."""
    query = "" if after is None else f"?after={after}"
    status, head, text = gateway.ask(f"/rooms/{room}/next{query}", **headers)
    return status, head, json.loads(text) if text else None


def ids(value):
    return [command["id"] for command in value["commands"]]


def test_an_answer_begins_with_a_snapshot_and_goes_on_with_what_came(make_gateway, commands):
    gateway = make_gateway("--gateway.next.holdMs", "100")
    first, = commands.send("polled")
    wait_for("it to be on the screen", lambda: command_id(first) in gateway.ask("/rooms/polled")[2])
    status, head, begin = ask(gateway, "polled")
    assert status == 200 and head["Cache-Control"] == "public, max-age=1"
    assert ids(begin["snapshot"]) == [command_id(first)] and begin["snapshot"]["lagMs"] == 360
    second, third = commands.send("polled", 2)
    status, head, told = ask(gateway, "polled", begin["id"])
    assert status == 200 and head["Cache-Control"] == "public, max-age=10" and head["Vary"] == "Accept-Encoding"
    assert ids(told)[0] == command_id(second) and told["lagMs"] == 360
    # A stream goes on from that id, and this from a stream's.
    stream = gateway.client()
    stream.send(f"GET /rooms/polled/commands?lastEventId={told['id']} HTTP/1.1\r\nHost: h\r\n\r\n")
    fourth, = commands.send("polled")
    text = stream.read_until(command_id(fourth)) + stream.read_until("\n\n")
    assert "event: snapshot" not in text and 'event: pace\ndata: {"lagMs":160}\n' in text
    again = ask(gateway, "polled", begin["id"])[2]
    assert ids(again) == [command_id(number) for number in (second, third, fourth)]
    # A stream's also tells up to when results of grabs were told.
    assert again["id"] == text.rsplit("id: ", 1)[1].split("\n")[0].split("~")[0], "an id is the same for all"

    # What is large comes packed, for who takes that.
    commands.send("polled", 20)
    request = urllib.request.Request(gateway.url(f"/rooms/polled/next?after={again['id']}"), headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=LIMIT) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        packed = answer.read()
    assert len(ids(json.loads(gzip.decompress(packed)))) <= 20

    status, head, refusal = ask(gateway, "polled", "nonsense")
    assert (status, refusal["error"], head["Location"]) == (410, "too_old", "next")
    assert head["Cache-Control"] == "public, max-age=1"
    assert value(gateway, "flyscreen_gateway_next_total") == 5
    assert value(gateway, "flyscreen_gateway_refused_total", reason="too_old") == 1


def test_with_tokens_an_answer_is_for_one_viewer(make_gateway, commands, tmp_path):
    write(tmp_path / "key.secret", SECRET)
    gateway = make_gateway("--gateway.auth.keys", str(tmp_path))
    token = jwt.encode({"rooms": ["kept"], "exp": time.time() + 600}, SECRET, headers={"kid": "key"})
    assert ask(gateway, "kept")[0] == 401
    status, head, _ = ask(gateway, "kept", Authorization=f"Bearer {token}")
    assert status == 200 and head["Cache-Control"] == "private, max-age=1"
    assert ask(gateway, "other", Authorization=f"Bearer {token}")[0] == 403


def test_a_gateway_that_ends_lets_nobody_wait(make_gateway):
    gateway = make_gateway("--gateway.threads", "1")
    begin = ask(gateway, "ended")[2]
    client = gateway.client()
    client.send(f"GET /rooms/ended/next?after={begin['id']} HTTP/1.1\r\nHost: h\r\n\r\n")
    # Its one loop has read that by the time that this is answered.
    assert gateway.ask("/rooms/ended")[0] == 200
    assert gateway.terminate() == 0
    head = client.read_until("\r\n\r\n")
    assert head.startswith("HTTP/1.1 204 ") and "Cache-Control: public, max-age=1\r\n" in head
    assert "Content-" not in head.replace("X-Content-", "")


@pytest.mark.skipif(NGINX is None, reason="Debian's nginx-light is not installed")
@pytest.mark.parametrize("count", [200, pytest.param(2000, marks=pytest.mark.more)])
def test_viewers_behind_a_cache_are_one_to_the_gateway(make_gateway, make_site, commands, count):
    gateway = make_gateway("--gateway.proxies.trusted", "127.0.0.1")
    site = make_site([gateway])
    audience = asyncio.run(watch(gateway, site, commands, f"cached-{count}", count))
    late = sorted(audience.late)
    p50, p99 = (late[math.ceil(len(late) * share) - 1] for share in (0.5, 0.99))
    print(f"{count} viewers asked {audience.asked} times, the gateway was asked {audience.reached:.0f} times by"
          f" {len(audience.addresses)} addresses; {len(late)} commands came late by p50 {p50:.2f} s, p99 {p99:.2f} s")
    assert audience.asked >= len(audience.addresses) * count / 2
    # A busy nginx lets some go beside the one that it waits for.
    assert audience.reached <= 3 * len(audience.addresses)


class Audience:
    def __init__(self):
        self.asked = 0
        self.addresses = collections.Counter()
        self.late = []
        self.reached = 0
        self.sent = {}
        self.begun = 0


async def watch(gateway, site, commands, room, count):
    """Viewers who each ask for the next commands until they have them all, in their order."""
    audience = Audience()
    numbers = []
    is_complete = asyncio.Event()
    viewers = [asyncio.create_task(view(site, room, audience, numbers, is_complete)) for _ in range(count)]
    async with asyncio.timeout(LIMIT):
        while audience.begun < count:
            await asyncio.sleep(0.01)
    before = value(gateway, "flyscreen_gateway_next_total")
    audience.asked, audience.addresses = 0, collections.Counter()
    for _ in range(20):
        number, = await asyncio.to_thread(commands.send, room)
        audience.sent[command_id(number)] = time.monotonic()
        numbers.append(number)
        await asyncio.sleep(0.25)
    is_complete.set()
    async with asyncio.timeout(LIMIT):
        for ids in await asyncio.gather(*viewers):
            assert ids == [command_id(number) for number in numbers]
    audience.reached = value(gateway, "flyscreen_gateway_next_total") - before
    return audience


async def view(site, room, audience, numbers, is_complete):
    """The ids of the commands that came, once the last has."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(site.plain.rsplit(":", 1)[1]))
    after, told = None, []
    while not (is_complete.is_set() and told and told[-1] == command_id(numbers[-1])):
        address = f"/rooms/{room}/next" + (f"?after={after}" if after else "")
        audience.asked += 1
        audience.addresses[address] += 1
        writer.write(f"GET {address} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        status = int(head.split()[1])
        assert status in (200, 204), head
        if status == 204:
            await asyncio.sleep(1)
            continue
        length = int(head.split("content-length: ")[1].split("\r\n")[0])
        body = await reader.readexactly(length)
        if "content-encoding: gzip" in head:
            body = gzip.decompress(body)
        answer = json.loads(body)
        if after is None:
            audience.begun += 1
        now = time.monotonic()
        for command in answer.get("commands", []):
            told.append(command["id"])
            audience.late.append(now - audience.sent.get(command["id"], now))
        after = answer["id"]
    writer.close()
    return told
