"""Clients that mean harm: whatever they do, a client that doesn't is served at once, and nothing is left of them."""

import json
import random
import time

import pytest

from raw import cpu_seconds, get, many, memory, post
from served import ServedGateway, mark
from waiting import LIMIT, free_port, wait_for

MB = 1 << 20


@pytest.fixture(scope="module")
def gateway(make_shared_gateway):
    """A gateway with little patience."""
    return make_shared_gateway(
        "--gateway.events", "on", "--gateway.limits.requestMs", "1000", "--gateway.limits.idleMs", "1500",
        "--gateway.limits.lagMs", "2000", "--gateway.limits.bodyBytes", "4096", "--gateway.limits.events", "1000",
        "--gateway.limits.eventBurst", "1000", "--gateway.limits.connectionsPerAddress", "10000")


@pytest.fixture(autouse=True)
def nothing_is_left(gateway, commands):
    """After each test."""
    before = gateway.connections
    yield
    assert gateway.is_running, gateway.said[-4000:]
    with gateway.stream("healthy") as stream:
        number, = commands.send("healthy")
        stream.read_until(mark(number))
    wait_for(lambda: f"{gateway.connections} connections to be {before} again",
             lambda: gateway.connections <= before)


BEGINNINGS = {
    "nothing": "",
    "head": "GET /rooms/a HTTP/1.1\r\nX: ",
    "body": "POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nContent-Length: 4000\r\n\r\n",
    "chunk": "POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n",
    "size of a chunk": "POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
    "trailer": "POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
}


@pytest.mark.parametrize("part", BEGINNINGS)
def test_a_byte_now_and_then_holds_nothing(gateway, part):
    with gateway.client() as slow:
        slow.send(BEGINNINGS[part])
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and not slow.is_closed:
            slow.read(0.1)
            if part != "nothing":
                slow.send("a" if part != "size of a chunk" else "0")
        assert slow.is_closed


def test_a_connection_that_asks_nothing_more_is_ended(gateway):
    with gateway.client() as client:
        client.send(get("/healthz"))
        assert client.read_to_end().startswith("HTTP/1.1 200 ")


ENDLESS = {
    "first line": ("GET /", "a" * 1000),
    "header": ("GET / HTTP/1.1\r\nX: ", "a" * 1000),
    "headers": ("GET / HTTP/1.1\r\n", "X: a\r\n" * 200),
    "folded header": ("GET / HTTP/1.1\r\nX: a\r\n", " a\r\n" * 200),
    "body": ("POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nContent-Length: 9000000000\r\n\r\n", "a" * 1000),
    "chunks": ("POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n" * 200),
    "one chunk": ("POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n",
                  "a" * 1000),
    "size of a chunk": ("POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", "0" * 1000),
    "extension of a chunk": (
        "POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;x=", "a" * 1000),
    "trailers": ("POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
                 "X: a\r\n" * 200),
    "more after a stream": (get("/rooms/a/commands"), "a" * 1000),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_what_has_no_end_takes_no_memory(gateway, what):
    begin, more = ENDLESS[what]
    before = memory(gateway.pid)
    with many(5, gateway.client) as clients:
        for client in clients:
            client.send(begin)
            client.socket.setblocking(False)
        end = time.monotonic() + 3
        data = more.encode() * 64
        sent, most = 0, 0
        while clients and time.monotonic() < end and sent < 400 * MB:
            for client in list(clients):
                try:
                    sent += client.socket.send(data)
                except BlockingIOError:
                    time.sleep(0.001)
                except OSError:
                    clients.remove(client)
            most = max(most, memory(gateway.pid) - before)
        assert most < 16 * MB, f"{most / MB:.1f} MB for {sent / MB:.0f} MB that came"


def heads(text):
    return text.count("HTTP/1.1 ")


HIDDEN = "GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n"

AMBIGUOUS = {
    "two lengths": ("Content-Length: 3", "Content-Length: 50"),
    "one length twice": ("Content-Length: 3", "Content-Length: 3"),
    "lengths in a list": ("Content-Length: 3, 50",),
    "a length below nothing": ("Content-Length: -1",),
    "a length with a sign": ("Content-Length: +3",),
    "a length in sixteens": ("Content-Length: 0x3",),
    "a length with more": ("Content-Length: 3 0",),
    "no number": ("Content-Length: a",),
    "a length beyond 64 bits": ("Content-Length: 18446744073709551619",),
    "length and chunks": ("Content-Length: 3", "Transfer-Encoding: chunked"),
    "chunks and length": ("Transfer-Encoding: chunked", "Content-Length: 3"),
    "an unknown coding": ("Transfer-Encoding: xchunked",),
    "two codings": ("Transfer-Encoding: gzip, chunked",),
    "chunks and then another": ("Transfer-Encoding: chunked, identity",),
    "chunked twice": ("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
    "identity, then chunked": ("Transfer-Encoding: identity", "Transfer-Encoding: chunked"),
    "a vertical tab": ("Transfer-Encoding:\x0bchunked",),
    "a blank before the colon": ("Transfer-Encoding : chunked",),
    "folded": ("Transfer-Encoding:", " chunked"),
    "a name with a blank": ("Content Length: 3",),
}


@pytest.mark.parametrize("how", AMBIGUOUS)
def test_a_body_of_no_clear_length_hides_no_request(gateway, how):
    """A proxy before it may take another length, and what is a body there would be a request here."""
    with gateway.client() as client:
        client.send("".join(f"{line}\r\n" for line in (
            "POST /rooms/a/events HTTP/1.1", "Host: h", *AMBIGUOUS[how], "")) + "0\r\n\r\n" + HIDDEN)
        text = client.read_to_end()
        assert heads(text) <= 1 and "hidden" not in text, text
        assert text.startswith(("HTTP/1.1 400 ", "HTTP/1.1 411 ")), text
        assert json.loads(text.partition("\r\n\r\n")[2])["error"] in ("bad_request", "length_required")


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE", "POST"])
@pytest.mark.parametrize("length", [f"Content-Length: {len(HIDDEN)}", "Transfer-Encoding: chunked"])
def test_no_method_hides_a_request_in_its_body(gateway, method, length):
    """evhttp takes a body of some methods for the next request; a proxy doesn't, and passes it on."""
    body = HIDDEN if "Length" in length else f"{len(HIDDEN):x}\r\n{HIDDEN}\r\n0\r\n\r\n"
    with gateway.client() as client:
        client.send(f"{method} /rooms/a/events HTTP/1.1\r\nHost: h\r\n{length}\r\n\r\n" + body)
        text = client.read_to_end()
        assert heads(text) == 1 and "hidden" not in text, text


CHUNKED = "POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

REFUSED = {
    "a body a little too long": (
        "POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nContent-Length: 5000\r\n\r\n" + "a" * 5000, 413, "too_large"),
    "a body much too long": (
        "POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n", 413, "too_large"),
    "chunks": (CHUNKED + "2\r\n{}\r\n0\r\n\r\n", 411, "length_required"),
    "chunks that don't come": (CHUNKED, 411, "length_required"),
    "many chunks": (CHUNKED + ("400\r\n" + "a" * 1024 + "\r\n") * 100, 411, "length_required"),
    "a size that evhttp takes, and others don't": (CHUNKED + "0x2\r\n{}\r\n0\r\n\r\n", 411, "length_required"),
    "a size with a sign": (CHUNKED + "+2\r\n{}\r\n0\r\n\r\n", 411, "length_required"),
    "a size with more": (CHUNKED + "2 garbage\r\n{}\r\n0\r\n\r\n", 411, "length_required"),
    "an expectation": (
        "POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: a miracle\r\n\r\n{}", 417,
        "expectation_failed"),
    "a method": ("BREW /rooms/a HTTP/1.1\r\nHost: h\r\n\r\n", 501, "not_implemented"),
    "a NUL": ("GET /rooms/a HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 10.0.0.1\0, 10.0.0.2\r\n\r\n", 400, "bad_request"),
    "two slashes": ("GET //x/metrics HTTP/1.1\r\nHost: h\r\n\r\n", 400, "bad_request"),
    "a blank": ("GET /metrics /x HTTP/1.1\r\nHost: h\r\n\r\n", 400, "bad_request"),
    "a long head": ("GET / HTTP/1.1\r\nX: " + "a" * 20_000 + "\r\n\r\n", 400, "bad_request"),
    "no HTTP": ("\x16\x03\x01\x02\r\n\r\n", 400, "bad_request"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_every_refusal_has_one_shape_and_ends_the_connection(gateway, what):
    text, status, error = REFUSED[what]
    with gateway.client() as client:
        client.send(text + HIDDEN)
        head, _, body = client.read_to_end().partition("\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status} ") and "Connection: close" in head, head
        refusal = json.loads(body)
        assert refusal["error"] == error and refusal["message"]


def test_one_address_has_only_so_many_connections(make_gateway, commands):
    gateway = make_gateway("--gateway.limits.connectionsPerAddress", "50", "--gateway.limits.connections", "100")
    with many(50, gateway.client):
        wait_for("them to be counted", lambda: is_closed(gateway))
    wait_for("them to be forgotten", lambda: not is_closed(gateway))
    gateway = make_gateway("--gateway.limits.connectionsPerAddress", "50", "--gateway.proxies.trusted", "127.0.0.0/8")
    with many(200, gateway.client) as clients:
        for client in clients:
            client.send(get("/healthz"))
            client.read_until("ok\n")


def is_closed(gateway):
    with gateway.client() as client:
        client.send(get("/healthz", "Connection: close"))
        return client.read_to_end() == ""


def test_idle_connections_give_way_to_those_that_come(make_gateway, commands):
    gateway = make_gateway("--gateway.limits.connections", "100")
    with many(300, gateway.client):
        with gateway.stream("crowd") as stream:
            number, = commands.send("crowd")
            stream.read_until(mark(number))


def test_thousands_of_connections_of_one_address_keep_nobody_out(gateway, commands):
    with many(2000, gateway.client):
        with gateway.stream("crowd") as stream:
            number, = commands.send("crowd")
            stream.read_until(mark(number))


def test_who_never_reads_takes_little_and_others_lose_nothing(gateway, commands):
    def stalled():
        client = gateway.client(receive_buffer=4096)
        client.send(get("/rooms/busy/commands"))
        return client

    with many(5, lambda: gateway.stream("busy")) as readers, many(50, stalled):
        before = memory(gateway.pid)
        # Each time no more than what a connection takes at once, so that these are not too slow.
        for _ in range(70):
            numbers = commands.send("busy", 30, padding="x" * 1000)
            for reader in readers:
                text = reader.read_until(mark(numbers[-1]))
                assert [n for n in numbers if mark(n) not in text] == []
        # The gateway itself keeps the last minute: 2100 commands of 1.3 KB.
        assert memory(gateway.pid) - before < 24 * MB


def test_who_comes_back_with_an_old_id_and_reads_nothing_takes_little(gateway, commands):
    with gateway.stream("back") as stream:
        number, = commands.send("back")
        text = stream.read_until(mark(number))
        last = text.rsplit("id: ", 1)[1].split("\n")[0]
    commands.send("back", 1500, padding="x" * 1000)
    before = memory(gateway.pid)

    def stalled():
        client = gateway.client(receive_buffer=4096)
        client.send(get("/rooms/back/commands", f"Last-Event-ID: {last}"))
        return client

    with many(100, stalled) as clients:
        for client in clients:
            client.read_until("\r\n\r\n")
        assert memory(gateway.pid) - before < 40 * MB


def test_who_makes_up_a_position_takes_no_time(gateway, commands):
    """An old one in one partition, one from the future in another: such a client waits, and costs nothing meanwhile."""
    old, new = two_partitions(gateway, commands)
    last = last_id(gateway, old, new)
    rooms, *positions = last.split("-")
    commands.send(old, 250)
    made_up = []
    for place in (0, 1):
        forged = positions.copy()
        forged[place] = "ffffffffff.1"
        made_up.append("-".join((rooms, *forged)))

    def waits(forged):
        client = gateway.client()
        client.send(get(f"/commands?rooms={old},{new}", f"Last-Event-ID: {forged}"))
        client.read_until("retry: 1000")
        return client

    with many(100, lambda: waits(random.choice(made_up))), gateway.stream(old) as stream:
        before = cpu_seconds(gateway.pid)
        for _ in range(100):
            number, = commands.send(old)
            stream.read_until(mark(number))
        # A hundred streams, a hundred times, some hundred commands: that would be half a minute.
        assert cpu_seconds(gateway.pid) - before < 4


def last_id(gateway, *rooms):
    """The last event id of a stream of the rooms that begins now."""
    with gateway.client() as client:
        client.send(get(f"/commands?rooms={','.join(rooms)}"))
        text = "".join(client.read_until("event: snapshot\n") for _ in rooms)
        return text.rsplit("id: ", 1)[1].split("\n")[0]


def two_partitions(gateway, commands):
    """Rooms of two partitions; each has a command."""
    rooms = [f"forged-{number}" for number in range(20)]
    for room in rooms:
        commands.send(room)
    return rooms[0], next(room for room in rooms[1:] if last_id(gateway, rooms[0], room).count("-") == 2)


def requests():
    event = json.dumps({"eventId": "", "roomId": "away", "tap": {"userId": "1", "x": 1, "y": 2}})
    return {
        "stream": get("/rooms/away/commands"), "snapshot": get("/rooms/away"), "page": get("/"),
        "event": post("/rooms/away/events", event),
    }


@pytest.mark.parametrize("what", ["stream", "snapshot", "page", "event"])
@pytest.mark.parametrize("how", ["close", "reset"])
def test_who_goes_away_after_any_byte_is_forgotten(gateway, what, how):
    text = requests()[what]
    for count in range(len(text) + 1):
        client = gateway.client()
        client.send(text[:count])
        getattr(client, how)()
    # With all of it sent, at any time of the answer.
    for wait in range(50):
        client = gateway.client()
        client.send(text)
        time.sleep(wait * 0.0002)
        getattr(client, how)()


def test_requests_in_one_go_are_answered_in_order(gateway):
    with gateway.client() as client:
        client.send("".join(get(f"/rooms/r{n}") for n in range(100)))
        at = 0
        for number in range(100):
            assert f'"roomId":"r{number}"' in client.read_until("]}"), number


def test_garbage_is_refused(gateway, seed):
    chance = random.Random(seed)
    begins = [b"", b"GET /nowhere HTTP/1.1\r\n",
              b"POST /rooms/a/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
              b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/9.9\r\n",
              b"GET http://[::1 HTTP/1.1\r\n", b"CONNECT a:1 HTTP/1.1\r\n", b"GET " + b"/x" * 4000 + b" HTTP/1.1\r\n"]
    with many(200, gateway.client) as clients:
        for number, client in enumerate(clients):
            client.send(begins[number % len(begins)] + chance.randbytes(chance.randrange(2000)))
        for client in clients:
            text = client.read_to_end()
            assert "HTTP/1.1 2" not in text, text


@pytest.mark.parametrize("path", [
    "/rooms/a%0d%0aX-Made: up", "/rooms/a%0d%0aX-Made:%20up/commands", "/%0d%0aX-Made:%20up",
    "/commands?rooms=a%0d%0aX-Made:%20up", "/rooms/a/commands?lastEventId=%0d%0aX-Made:%20up",
])
def test_nothing_of_an_address_becomes_a_header(gateway, path):
    with gateway.client() as client:
        client.send(get(path.replace(" ", "%20"), "Origin: http://a\x0bX-Made: up", "Connection: close"))
        head = client.read_until("\r\n\r\n")
        assert "\nX-Made" not in head


def test_where_few_files_may_be_open_connections_wait(binary, topic_settings):
    """One that can't be accepted would keep a loop busy for nothing."""
    limited = ["-c", "ulimit -n 300; exec \"$@\"", "sh", str(binary)]
    gateway = ServedGateway("sh", topic_settings, free_port(), before=limited).wait_ready()
    try:
        assert "100 connections at most" in gateway.said
        with many(150, gateway.client) as clients:
            for client in clients[:50]:
                client.close()
            with gateway.stream("few"):
                pass
        used = cpu_seconds(gateway.pid)
        with many(150, gateway.client):
            time.sleep(2)
            assert cpu_seconds(gateway.pid) - used < 1
    finally:
        gateway.kill()
