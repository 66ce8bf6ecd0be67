"""A gateway as a process, and what it is fed with."""

import json
import ssl
import urllib.error
import urllib.request

import confluent_kafka

from process import Program
from raw import RawClient, connections, get
from waiting import LIMIT, wait_for


class ServedGateway(Program):
    def __init__(self, binary, arguments, port, trusted=None, before=()):
        self.port = port
        self.trusted = trusted
        # Those that are told to end do so at once, and one client may ask a lot, unless a test wants it otherwise.
        usual = {"--gateway.drainMs": 0, "--gateway.drainSpreadMs": 0, "--gateway.limits.snapshots": 100_000}
        usual |= {f"--gateway.limits.perRoom.{kind}": 100_000 for kind in ("gift", "wish", "wishLike", "tap", "taps", "rainGrab", "spot", "pin")}
        flags = [word for name, value in usual.items() if name not in arguments for word in (name, value)]
        super().__init__(binary, [*before, "gateway", "--gateway.http.port", port, *flags, *arguments], name="gateway")

    @property
    def tls(self):
        """The TLS context of a client that trusts the gateway's certificate; None: the gateway has no TLS."""
        return ssl.create_default_context(cafile=self.trusted) if self.trusted else None

    def url(self, path):
        return f"{'https' if self.trusted else 'http'}://localhost:{self.port}{path}"

    def ask(self, path, **headers):
        """Status, headers, body."""
        request = urllib.request.Request(self.url(path), headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=LIMIT, context=self.tls) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.headers, refusal.read().decode()

    def wait_ready(self):
        def check():
            if not self.is_running:
                raise AssertionError(f"the gateway ended with {self.wait()}; it said:\n{self.said[-4000:]}")
            try:
                return self.ask("/readyz")[0] == 200
            except OSError:
                return False

        wait_for(lambda: f"the gateway to be ready; it said:\n{self.said[-4000:]}", check)
        return self

    def client(self, **options):
        return RawClient(self.port, tls=self.tls, **options)

    def stream(self, room, *headers, query="", **options):
        """A stream whose first event, a snapshot, has come."""
        client = self.client(**options)
        client.send(get(f"/rooms/{room}/commands{query}", *headers))
        client.head = client.read_until("\r\n\r\n")
        assert client.head.startswith("HTTP/1.1 200 "), client.head
        client.read_until("event: snapshot\n")
        client.read_until("\n\n")
        return client

    @property
    def connections(self):
        """Its sockets: those of connections, and those that it listens on."""
        return connections(self.pid, self.port)


class Commands:
    """Render commands, sent as a worker would."""

    def __init__(self, address, topic):
        self.topic = topic
        self._producer = confluent_kafka.Producer({
            "bootstrap.servers": address, "partitioner": "murmur2_random", "linger.ms": 1, "log_level": 2})
        self._sent = 0

    def send(self, room, count=1, padding="", lane=1):
        """Their numbers."""
        numbers = range(self._sent, self._sent + count)
        for number in numbers:
            command = {
                "roomId": room, "id": f"im.gifts/0/{number}/0", "atMs": 1_700_000_000_000 + number,
                "giftShow": {
                    "comboId": f"im.gifts/0/{number}", "lane": lane,
                    "sender": {"userId": "7", "name": "阿花", "avatarUrl": padding}, "receiverId": "",
                    "giftId": "rose", "giftName": "玫瑰", "value": 10, "from": 0, "total": 1, "enterMs": 250, "tier": 0,
                    "extra": ""}}
            self._producer.produce(self.topic, json.dumps(command, ensure_ascii=False, separators=(",", ":")), room)
            self._producer.poll(0)
        self._sent += count
        assert self._producer.flush(LIMIT) == 0
        return numbers


def command_id(number):
    return f"im.gifts/0/{number}/0"


def mark(number):
    """The text by which a stream shows this command."""
    return f'"id":"{command_id(number)}"'


