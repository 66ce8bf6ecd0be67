"""The commands and results topics grow under gateways that serve streams."""

import contextlib
import itertools
import json
import re
import secrets

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic

from committed import murmur2
from served import Commands, ServedGateway, mark
from waiting import LIMIT, free_port, wait_for

BEFORE, AFTER = 3, 7
NAMES = [f"r{number}" for number in range(300)]


def partition(room, count):
    return murmur2(room.encode()) % count


STAYING = next(room for room in NAMES if partition(room, BEFORE) == partition(room, AFTER) == 0)
MOVING_AMONG_OLD = next(room for room in NAMES if (partition(room, BEFORE), partition(room, AFTER)) == (0, 1))
MOVING_TO_NEW = next(room for room in NAMES if partition(room, BEFORE) == 0 and partition(room, AFTER) >= BEFORE)
ROOMS = [STAYING, MOVING_AMONG_OLD, MOVING_TO_NEW]


class GrowingTopic:
    def __init__(self, broker, name):
        self.address, self.name = broker.address, name
        self._admin = AdminClient({"bootstrap.servers": broker.address, "log_level": 2})
        self._admin.create_topics([NewTopic(name, BEFORE, 1)])[name].result(LIMIT)
        # Its producer knows the count of now, and goes on with it when the topic has grown, as a worker's does.
        self.old = Commands(self.address, name)
        self.old.send("somebody")

    def grow(self):
        self._admin.create_partitions([NewPartitions(self.name, AFTER)])[self.name].result(LIMIT)

        def is_grown():
            return len(self._admin.list_topics(self.name, LIMIT).topics[self.name].partitions) == AFTER

        wait_for("the topic to have grown", is_grown)
        # From where the old one is, since ids of one input partition only grow.
        self.new = Commands(self.address, self.name)
        self.new._sent = self.old._sent
        return self.new


@pytest.fixture
def topic(request, broker):
    return GrowingTopic(broker, f"{request.node.originalname}.{secrets.token_hex(2)}")


@pytest.fixture
def start(binary, broker, topic):
    with contextlib.ExitStack() as stack:
        def run(*arguments):
            gateway = ServedGateway(
                binary, ["--kafka.bootstrap.servers", broker.address, "--topics.commands", topic.name, *arguments],
                free_port())
            stack.callback(gateway.kill)
            return gateway.wait_ready()

        yield run


def shown(gateway, room):
    """The commands of a room's snapshot."""
    snapshot = json.loads(gateway.ask(f"/rooms/{room}")[2])
    return [command["id"] for command in snapshot["commands"]]


def test_rooms_that_move_are_served_on_from_where_they_come(start, topic):
    gateway = start()
    streams = {room: gateway.stream(room) for room in ROOMS}
    for room, stream in streams.items():
        stream.read_until(mark(topic.old.send(room)[-1]))
    new = topic.grow()
    # At once: whatever the gateway knows of it yet.
    last = {}
    for room, stream in streams.items():
        numbers = new.send(room, 3)
        last[room] = numbers[-1]
        told = "".join(stream.read_until(mark(number)) for number in numbers)
        assert "event: snapshot" not in told, "nothing came out of order"
        assert shown(gateway, room) == [f"im.gifts/0/{last[room]}/0"]
    assert gateway.ask("/readyz")[0] == 200
    # A gateway that starts now reads back both partitions of a room, and shows the same.
    other = start()
    for room in ROOMS:
        assert shown(other, room) == [f"im.gifts/0/{last[room]}/0"]


def test_what_comes_out_of_order_is_healed_with_a_snapshot(start, topic):
    gateway = start()
    stream = gateway.stream(MOVING_TO_NEW)
    stream.read_until(mark(topic.old.send(MOVING_TO_NEW)[-1]))
    new = topic.grow()
    topic.old._sent = 50
    new._sent = 100
    # The later one comes first, so a client takes the earlier one, on the other lane, for a repeat.
    later = new.send(MOVING_TO_NEW)[-1]
    stream.read_until(mark(later))
    earlier = topic.old.send(MOVING_TO_NEW, lane=0)[-1]
    stream.read_until("event: snapshot\n")
    healed = json.loads(re.search("^data: (.+)$", stream.read_until("\n\n"), re.MULTILINE)[1])
    assert {command["id"] for command in healed["commands"]} == {f"im.gifts/0/{n}/0" for n in (earlier, later)}
    # A client that comes back with its position of before gets all of it as well.
    late = gateway.stream(MOVING_TO_NEW)
    number = new.send(MOVING_TO_NEW)[-1]
    for one in (stream, late):
        one.read_until(mark(number))


def test_of_shares_a_moved_room_is_misdirected_and_what_is_nobodys_is_told(start, topic):
    gateway = start("--gateway.partitions", "0")
    streams = {room: gateway.stream(room) for room in ROOMS}
    new = topic.grow()
    gateway.error_matching(f"grown from {BEFORE} to {AFTER} partitions.*nobody")
    for room in (MOVING_AMONG_OLD, MOVING_TO_NEW):
        streams[room].read_to_end()
        status, _, body = gateway.ask(f"/rooms/{room}/commands")
        assert status == 421
        assert json.loads(body)["partitions"] == [partition(room, AFTER)]
    number = new.send(STAYING)[-1]
    streams[STAYING].read_until(mark(number))
    # Given a share of the new count, a gateway has them.
    other = start("--gateway.partitions", f"{partition(MOVING_TO_NEW, AFTER)}")
    stream = other.stream(MOVING_TO_NEW)
    stream.read_until(mark(new.send(MOVING_TO_NEW)[-1]))


def test_results_of_grabs_come_from_new_partitions_too(binary, broker, topic):
    results = GrowingTopic(broker, f"{topic.name}.results")
    gateway = ServedGateway(
        binary, ["--kafka.bootstrap.servers", broker.address, "--topics.commands", topic.name,
                 "--topics.results", results.name], free_port())
    try:
        stream = gateway.wait_ready().stream(STAYING, query="?user=7")
        results.grow()
        producer = confluent_kafka.Producer({"bootstrap.servers": broker.address, "log_level": 2})
        producer.produce(results.name, json.dumps({
            "id": "im.gifts/0/9", "roomId": STAYING, "eventId": "after", "rainId": "a", "packet": 3, "userId": "7",
            "outcome": "won", "coins": 4}), partition=AFTER - 1)
        assert producer.flush(LIMIT) == 0
        stream.read_until('"eventId":"after"')
    finally:
        gateway.kill()
