"""Tests of the chaos test's parts: with a fault that does nothing, or a reader that sees nothing, it would pass."""

import contextlib
import dataclasses
import itertools
import json
import pathlib
import random
import socket
import threading
import types

import pytest

import gifts
from faults import Faults
from folding import difference
from proxy import Proxy
from waiting import LIMIT, free_port, wait_for


def test_a_round_has_every_kind_and_two_at_once_are_in_two_places():
    venue = types.SimpleNamespace(disk=types.SimpleNamespace(why_not=None))
    faults = Faults(venue, random.Random(1), pathlib.Path())
    happened = list(itertools.islice(faults.rounds(), 20 * len(faults.kinds)))
    assert sorted(kinds[0] for kinds in happened) == sorted(20 * list(faults.kinds))
    pairs = {frozenset(kinds) for kinds in happened if len(kinds) > 1}
    programs = {"worker killed", "worker frozen", "gateway killed", "gateway frozen"}
    brokers = {"broker killed", "broker frozen", "all brokers killed", "disk full", "leaders moved", "topic grown"}
    connections = set(faults.kinds) - programs - brokers
    assert set(map(len, pairs)) == {2}
    for place in (programs, brokers, connections):
        assert {len(pair & place) for pair in pairs} == {0, 1}


@pytest.fixture
def echo():
    """A port that answers what it is told."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        def serve(connection):
            with connection, contextlib.suppress(OSError):
                while data := connection.recv(100):
                    connection.sendall(data)

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=serve, args=server.accept()[:1], daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def proxied(echo):
    """A link to it, and what connects through it."""
    port = free_port()
    proxy = Proxy(port, [echo])
    yield proxy.links[0], lambda: socket.create_connection(("127.0.0.1", port), LIMIT)
    proxy.close()


def says(client, word=b"a"):
    client.sendall(word)
    return client.recv(100) == word


def test_a_link_passes_on(proxied):
    _, connect = proxied
    with connect() as client:
        assert says(client) and says(client)


def test_a_link_that_is_reset_works_again_for_those_who_connect_anew(proxied):
    link, connect = proxied
    with connect() as client:
        assert says(client)
        link.reset()
        with pytest.raises(ConnectionResetError):
            says(client)
    with connect() as client:
        assert says(client)


def test_a_link_that_is_cut_takes_nobody(proxied):
    link, connect = proxied
    with link.cut(), connect() as client:
        with contextlib.suppress(ConnectionError):
            assert not says(client)
    with connect() as client:
        assert says(client)


@pytest.mark.parametrize("way", ["requests", "answers"])
def test_what_is_held_arrives_afterwards(proxied, way):
    link, connect = proxied
    with connect() as client:
        assert says(client)
        with link.held(way):
            client.sendall(b"b")
            client.settimeout(0.3)
            with pytest.raises(TimeoutError):
                client.recv(100)
        client.settimeout(LIMIT)
        assert client.recv(100) == b"b"


@dataclasses.dataclass
class Sent:
    """A record as a consumer gives it."""

    at: int
    event: dict
    place: tuple = ("gifts", 0, 0)

    def topic(self):
        return self.place[0]

    def partition(self):
        return self.place[1]

    def offset(self):
        return self.place[2]

    def timestamp(self):
        return (0, self.at)

    def headers(self):
        return None

    def value(self):
        return json.dumps(self.event).encode()


def gift(event_id, count, user="7", **more):
    return {"eventId": event_id, "roomId": "r1",
            "gift": {"sender": {"userId": user}, "giftId": "rose", "count": count, **more}}


def units(*records, unreadable=()):
    return dict(gifts.sent(records, set(unreadable), None))


@pytest.mark.parametrize("records, expected", [
    ([Sent(0, gift("a", 3)), Sent(1, gift("b", 0))], 4),
    ([Sent(0, gift("a", 3)), Sent(59_999, gift("a", 3))], 3),
    ([Sent(0, gift("a", 3)), Sent(60_000, gift("a", 3))], 6),
    ([Sent(0, gift("a", 3)), Sent(50_000, gift("a", 3)), Sent(100_000, gift("a", 3))], 3),
    ([Sent(0, gift("a", 3)), Sent(1, gift("a", 3, user="8"))], 6),
    ([Sent(0, gift("a", 3, streakId="s")), Sent(1, gift("b", 5, streakId="s")), Sent(2, gift("c", 4, streakId="s"))], 5),
    ([Sent(0, gift("a", 3, streakId="s")), Sent(600_000, gift("b", 5, streakId="s"))], 8),
    ([Sent(70_000, gift("a", 3)), Sent(0, gift("a", 3))], 3),
    ([Sent(0, gift("a", 3)), Sent(1, {"eventId": "b", "roomId": "r1", "roomEnd": {}})], 3),
])
def test_gifts_that_were_sent(records, expected):
    assert units(*records) == {("r1", "gifts/0"): expected}


def test_gifts_of_two_logs_are_two_rooms_and_what_is_not_understood_is_none():
    records = [Sent(0, gift("a", 3)), Sent(0, gift("a", 4), ("gifts", 1, 0)), Sent(0, gift("b", 5), ("gifts", 1, 1))]
    assert units(*records, unreadable=[("gifts", 1, 1)]) == {("r1", "gifts/0"): 3, ("r1", "gifts/1"): 4}


def command(number, **body):
    return {"roomId": "r1", "id": f"gifts/0/{number}/0", "atMs": number, **body}


def test_gifts_that_were_told():
    told = [
        command(1, giftShow={"comboId": "c", "from": 0}), command(2, giftBump={"comboId": "c", "count": 2}),
        command(3, giftHide={"comboId": "c", "count": 5}), command(4, giftHide={"comboId": "d", "count": 1}),
        command(5, crowdShow={"crowdId": "e", "units": 10}), command(6, crowdShow={"crowdId": "e", "units": 20}),
        command(7, skipped={"stage": "gift", "units": 100}), command(8, skipped={"stage": "wish", "units": 1000}),
    ]
    assert dict(gifts.told(told)) == {("r1", "gifts/0"): 126}


def show(number, lane, user="7"):
    return command(number, giftShow={
        "comboId": f"gifts/0/{number}", "lane": lane, "sender": {"userId": user}, "from": 0, "total": 1, "enterMs": 0})


TOPIC = [show(1, 0), show(2, 1), show(3, 0), show(4, 1)]
EMPTY = ("snapshot", {"roomId": "r1", "nowMs": 0, "commands": []})
OF_TWO = ("snapshot", {"roomId": "r1", "nowMs": 2, "commands": TOPIC[:2]})
LATE_OF_TWO = ("late snapshot", OF_TWO[1])


def commands(*places):
    return [("command", TOPIC[place]) for place in places]


@pytest.mark.parametrize("told, why", [
    ([EMPTY, *commands(0, 1, 2, 3)], None),
    ([EMPTY, *commands(0), OF_TWO, *commands(2, 3)], None),
    ([OF_TWO, *commands(3)], "a snapshot before gifts/0/4/0"),
    ([EMPTY, *commands(0, 2)], "gifts/0/2/0 was next"),
    ([EMPTY, *commands(0, 1, 2), OF_TWO, *commands(2)], "gifts/0/4/0 was next"),
    ([EMPTY, *commands(0, 1, 2), LATE_OF_TWO, *commands(2, 3)], None),
    ([EMPTY, *commands(0, 1, 2), LATE_OF_TWO, *commands(1)], "a snapshot before gifts/0/2/0"),
    ([EMPTY, *commands(0, 1, 2), LATE_OF_TWO, *commands(2, 2)], "gifts/0/4/0 was next"),
    ([EMPTY, *commands(0, 1, 1)], "gifts/0/3/0 was next"),
    ([EMPTY, *commands(0), ("command", show(2, 1, user="8"))], "no such command"),
])
def test_what_a_viewer_was_told(told, why):
    found = difference("r1", told, TOPIC)
    assert found is None if why is None else why in found


def test_a_snapshot_does_not_tell_when_a_view_was_counted_last():
    bump = command(20, giftBump={"comboId": "gifts/0/1", "lane": 0, "count": 1})
    wish = {"roomId": "r1", "id": "wishes/0/1/0", "atMs": 110, "spotGone": {"spotId": "none"}}
    counted = TOPIC[0] | {"giftShow": TOPIC[0]["giftShow"] | {"from": 1}}
    snapshot = ("snapshot", {"roomId": "r1", "nowMs": 20, "staleAfterMs": 100, "commands": [counted]})
    topic = [TOPIC[0], bump, wish, show(130, 0)]
    assert difference("r1", [snapshot, *(("command", one) for one in topic[2:])], topic) is None
