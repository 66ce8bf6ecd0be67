"""Deploy/nginx.conf, in Debian's nginx: HTTP/2 for clients, one connection for many streams."""

import collections
import contextlib
import re
import signal
import threading
import time

import httpx
import pytest

from proxied import NGINX, Curl
from served import ServedGateway, mark
from waiting import LIMIT, TooLong, free_port, wait_for

pytestmark = pytest.mark.skipif(NGINX is None, reason="Debian's nginx-light is not installed")


@pytest.fixture(scope="module")
def gateways(make_shared_gateway):
    return [make_shared_gateway("--gateway.proxies.trusted", "127.0.0.1", "--gateway.limits.streamsPerAddress", "3")
            for _ in range(2)]


@pytest.fixture(scope="module")
def site(gateways, make_site):
    return make_site(gateways)


def last_id(lines):
    return [line for line in lines if line.startswith("id: ")][-1].removeprefix("id: ")


def test_a_stream_comes_by_http_2_event_by_event_and_goes_on_where_it_ended(site, commands):
    stream = site.stream("/rooms/proxied/commands", "--dump-header", "-")
    assert stream.output_matching("^HTTP/2 200")
    stream.output_matching("^event: snapshot")
    numbers = [commands.send("proxied")[0] for _ in range(3)]
    for number in numbers:
        stream.output_matching(mark(number))
    stream.output_matching("^id: ")
    last = last_id(stream.output)
    stream.kill()

    missed = commands.send("proxied", 3)
    again = site.stream("/rooms/proxied/commands", "--header", f"Last-Event-ID: {last}")
    again.output_matching(mark(missed[-1]))
    text = "\n".join(again.output)
    again.kill()
    assert "event: snapshot" not in text
    assert [n for n in (*numbers, *missed) if mark(n) in text] == list(missed)


def test_many_streams_share_a_connection(site, commands):
    """The gateways count a browser's streams for one address, which may have three at each gateway."""
    paths = [f"/rooms/shared-{n}/commands" for n in range(3)]
    together = [word for path in paths[1:] for word in ("--next", "--silent", "--no-buffer", "--http2", "--cacert",
                                                      site.trusted, site.url + path)]
    stream = Curl("--parallel", "--parallel-immediate", "--http2", "--cacert", site.trusted, site.url + paths[0],
                  *together)
    numbers = {n: commands.send(f"shared-{n}")[0] for n in range(3)}
    for n, number in numbers.items():
        stream.output_matching(f"(shared-{n}.*{mark(number)}|{mark(number)}|shared-{n})")
    stream.kill()


def test_snapshots_the_page_and_refusals_come_through(site):
    assert site.get("/rooms/proxied")[0] == "2 200"
    assert "<title" in site.get("/")[1]
    assert '"error"' in site.get("/rooms/x/y")[1]
    assert {site.get(path)[0] for path in ("/metrics", "/healthz", "/metrics/", "//metrics", "/readyz/?a")} == {"2 404"}
    # nginx passes on the path as it was asked for; a path that the rule doesn't see isn't served by a gateway.
    assert site.get("//x/metrics")[0] == "2 400"


def test_a_token_in_the_query_is_in_no_log(site):
    site.get("/rooms/logged?access_token=confidential")
    log = site.folder / "access.log"
    wait_for("the log's line", lambda: "/rooms/logged" in log.read_text())
    assert "confidential" not in log.read_text()


def test_streams_are_counted_by_whom_the_proxy_speaks_for(site, gateways):
    """Each gateway takes three of an address, and this address has two gateways."""
    streams = [site.opened(f"/rooms/counted-{n}/commands") for n in range(6)]
    assert '"too_many_streams"' in site.get("/rooms/counted-7/commands")[1]
    for stream in streams:
        stream.kill()


def test_a_gateway_that_ends_is_made_up_for_by_the_other(site, gateways, commands, make_shared_gateway):
    # Each gateway takes three of an address, so of four each has one at least.
    streams = [site.opened("/rooms/moved/commands") for _ in range(4)]
    number, = commands.send("moved")
    for stream in streams:
        stream.output_matching(mark(number))
    gateways[0].terminate()
    ended = wait_for("its streams to end", lambda: [stream for stream in streams if not stream.is_running])
    # The last chunk has come, so curl knows that all is well.
    assert [stream.wait() for stream in ended] == [0] * len(ended)
    last = last_id(ended[0].output)
    for stream in streams:
        stream.kill()
    missed, = commands.send("moved")
    def comes_back():
        stream = site.stream("/rooms/moved/commands", "--header", f"Last-Event-ID: {last}")
        with contextlib.suppress(TooLong):
            return stream.output_matching(mark(missed)) and stream

    again = wait_for("the others to be gone, and what was missed", comes_back)
    assert "event: snapshot" not in "\n".join(again.output)
    again.kill()


def test_gateways_restarted_one_by_one_are_not_noticed(
        binary, topic_settings, certificate, tmp_path, commands, make_site):
    """No answer is a server's error, and whoever follows a room misses nothing."""
    waits = ["--gateway.drainMs", 5000, "--gateway.drainSpreadMs", 1000, "--gateway.events", "on",
             "--gateway.limits.events", 100_000, "--gateway.limits.eventBurst", 100_000,
             "--gateway.proxies.trusted", "127.0.0.1"]

    def start(port):
        return ServedGateway(binary, [*topic_settings, *waits], port).wait_ready()

    gateways = [start(free_port()) for _ in range(2)]
    site = make_site(gateways)
    stop = threading.Event()
    followers = [Follower(site, "rolling", stop) for _ in range(4)]
    askers = [Asker(site, stop) for _ in range(2)]
    try:
        sent = []
        for number in range(2):
            for _ in range(5):
                sent += commands.send("rolling")
            gateways[number].signal(signal.SIGTERM)
            while gateways[number].is_running:
                sent += commands.send("rolling")
                time.sleep(0.05)
            assert gateways[number].wait() == 0
            gateways[number] = start(gateways[number].port)
        sent += commands.send("rolling")
        for follower in followers:
            follower.wait_for(sent[-1])
    finally:
        stop.set()
        for one in (*followers, *askers):
            one.join()
        for gateway in gateways:
            gateway.kill()
    statuses = collections.Counter(status for asker in askers for status in asker.statuses)
    assert set(statuses) == {200, 202}, statuses
    for follower in followers:
        assert follower.statuses == {200}
        begin = follower.numbers[0]
        assert follower.numbers == [number for number in sent if number >= begin]
        assert follower.begins > 1 and max(follower.snapshots, default=0) == 0


class Follower(threading.Thread):
    """Follows a room, and comes back as it is told."""

    def __init__(self, site, room, stop):
        super().__init__(daemon=True)
        self.site, self.room, self.stop = site, room, stop
        self.numbers, self.statuses, self.snapshots, self.begins = [], set(), [], 0
        self.start()

    def wait_for(self, number):
        wait_for(lambda: f"command {number}; there is {self.numbers[-3:]}", lambda: number in self.numbers)

    def run(self):
        last, wait_ms = None, 0
        with httpx.Client(timeout=LIMIT, verify=str(self.site.trusted)) as client:
            while not self.stop.wait(wait_ms / 1000):
                headers = {"Last-Event-ID": last} if last else {}
                try:
                    with client.stream("GET", f"{self.site.url}/rooms/{self.room}/commands", headers=headers) as answer:
                        self.statuses.add(answer.status_code)
                        self.begins += 1
                        for line in answer.iter_lines():
                            if self.stop.is_set():
                                return
                            name, _, value = line.partition(": ")
                            if name == "retry":
                                wait_ms = int(value)
                            elif name == "id":
                                last = value
                            elif name == "data" and '"commands":' in value and self.begins > 1:
                                self.snapshots.append(1)
                            elif name == "data" and (found := re.search(r'"id":"im.gifts/0/(\d+)/0"', value)):
                                if '"commands":' not in value:
                                    self.numbers.append(int(found[1]))
                except httpx.TransportError:
                    self.statuses.add("broken")


class Asker(threading.Thread):
    """Asks for snapshots and posts events, as fast as it can."""

    def __init__(self, site, stop):
        super().__init__(daemon=True)
        self.site, self.stop = site, stop
        self.statuses = []
        self.start()

    def run(self):
        with httpx.Client(timeout=LIMIT, verify=str(self.site.trusted)) as client:
            while not self.stop.wait(0.01):
                self.statuses.append(client.get(f"{self.site.url}/rooms/rolling").status_code)
                event = {"tap": {"userId": "7", "x": 1, "y": 2}}
                self.statuses.append(client.post(f"{self.site.url}/rooms/rolling/events", json=event).status_code)
