"""The commands topic is deleted and made anew under a gateway that serves streams."""

import contextlib
import itertools
import json
import re
import secrets

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient, NewTopic, OffsetSpec

from committed import murmur2
from served import Commands, ServedGateway, mark
from waiting import LIMIT, free_port, wait_for

PARTITIONS = 3
# One in each partition.
ROOMS = [next(room for room in map(str, itertools.count()) if murmur2(room.encode()) % PARTITIONS == partition)
         for partition in range(PARTITIONS)]


class Topic:
    def __init__(self, broker, name):
        self.name, self.address = name, broker.address
        self._admin = AdminClient({"bootstrap.servers": broker.address, "log_level": 2})
        self.make()
        self.commands = Commands(broker.address, name)
        self._producer = confluent_kafka.Producer({"bootstrap.servers": broker.address, "linger.ms": 1, "log_level": 2})

    def make(self, partitions=PARTITIONS):
        def is_made():
            try:
                self._admin.create_topics([NewTopic(self.name, partitions, 1)])[self.name].result(LIMIT)
            except confluent_kafka.KafkaException as error:
                # The topic that was deleted a moment ago may still be in the way.
                if error.args[0].code() != confluent_kafka.KafkaError.TOPIC_ALREADY_EXISTS:
                    raise
                return False
            return True

        def is_empty():
            # A broker that is slow still takes records into the logs of the topic before, and deletes them then.
            places = {confluent_kafka.TopicPartition(self.name, n): OffsetSpec.latest() for n in range(partitions)}
            try:
                return all(end.result(LIMIT).offset == 0 for end in self._admin.list_offsets(places).values())
            except confluent_kafka.KafkaException:
                return False

        wait_for("the topic to be made", is_made)
        wait_for("the topic's own logs", is_empty)

    def send(self, value, count=1):
        """Sends a value to each partition."""
        for partition in [*range(PARTITIONS)] * count:
            self._producer.produce(self.name, value, partition=partition)
        assert self._producer.flush(LIMIT) == 0

    def delete(self):
        self._admin.delete_topics([self.name])[self.name].result(LIMIT)


@pytest.fixture
def topic(request, broker):
    return Topic(broker, f"{request.node.originalname}.{secrets.token_hex(2)}")


@pytest.fixture
def results(request, broker):
    return Topic(broker, f"{request.node.originalname}.{secrets.token_hex(2)}.results")


@pytest.fixture
def gateway(binary, broker, topic, results):
    gateway = ServedGateway(
        binary, ["--kafka.bootstrap.servers", broker.address, "--topics.commands", topic.name,
                 "--topics.results", results.name], free_port())
    try:
        yield gateway.wait_ready()
    finally:
        gateway.kill()
        print(f"---- the gateway had said:\n{gateway.said[-20000:]}")


def test_a_topic_that_no_broker_had_heard_of_at_the_start(request, binary, broker):
    """With several brokers each hears of a new topic in its own time, and anybody is asked."""
    name = f"{request.node.originalname}.{secrets.token_hex(2)}"
    gateway = ServedGateway(binary, ["--kafka.bootstrap.servers", broker.address, "--topics.commands", name], free_port())
    try:
        gateway.error_matching("can't tell of the topic")
        topic = Topic(broker, name)
        stream = gateway.wait_ready().stream(ROOMS[0])
        stream.read_until(mark(topic.commands.send(ROOMS[0])[-1]))
    finally:
        gateway.kill()


class Following:
    """A stream of each room."""

    def __init__(self, gateway, commands):
        self._commands = commands
        self._streams = {room: gateway.stream(room) for room in ROOMS}
        self.last_id = None
        self.go_on()

    def go_on(self):
        for room, stream in self._streams.items():
            self._follow(stream, self._commands.send(room, 3))

    def begin_anew(self, **sent):
        """Each stream gets a snapshot that knows nothing of the past.

        `sent`: commands that have been sent since, by room. What is not in the snapshot follows.
        """
        for room, stream in self._streams.items():
            stream.read_until("event: snapshot\n")
            known = [int(number) for number in re.findall(r'"id":"im.gifts/0/(\d+)/', stream.read_until("\n\n"))]
            new = [*sent.get(room, [])]
            assert set(known) <= set(new)
            self._follow(stream, [number for number in new if number > max(known, default=-1)])
        self.go_on()

    def _follow(self, stream, numbers):
        for number in numbers:
            told = stream.read_until(mark(number))
            assert "event: snapshot" not in told
            self.last_id = re.findall("^id: (.+)$", told, re.MULTILINE)[-1]


@contextlib.contextmanager
def frozen(program):
    program.freeze()
    yield
    program.thaw()


def test_a_topic_that_is_gone_is_waited_for(gateway, topic):
    following = Following(gateway, topic.commands)
    topic.delete()
    wait_for("it to tell", lambda: gateway.ask("/readyz")[0] == 503)
    assert "commands topic" in gateway.ask("/readyz")[2]
    assert gateway.ask(f"/rooms/{ROOMS[0]}")[0] == 503
    topic.make()
    last_id = following.last_id
    following.begin_anew()
    # A client comes back with the position it had; `stream` expects a snapshot.
    gateway.wait_ready().stream(ROOMS[-1], f"Last-Event-ID: {last_id}")
    following.go_on()


def test_partitions_that_were_filled_again_meanwhile_are_begun_anew_with_the_others(gateway, topic):
    """A gateway that saw nothing of it: one partition is as long as it was, and only of the others librdkafka says
    that what comes next is not there."""
    following = Following(gateway, topic.commands)
    with frozen(gateway):
        topic.delete()
        topic.make()
        sent = {ROOMS[1]: topic.commands.send(ROOMS[1], 10)}
    following.begin_anew(**sent)
    gateway.wait_ready()
    following.go_on()


def test_fewer_partitions_take_another_gateway(gateway, topic):
    Following(gateway, topic.commands)
    topic.delete()
    topic.make(PARTITIONS - 1)
    assert gateway.wait() == 1
    assert f"{PARTITIONS - 1} partitions" in gateway.said


def test_more_partitions_are_read_too(gateway, topic):
    following = Following(gateway, topic.commands)
    topic.delete()
    topic.make(PARTITIONS + 2)
    # A producer that knows of them.
    following._commands = Commands(topic.address, topic.name)
    following._commands._sent = 100
    following.begin_anew()


@pytest.mark.parametrize("is_seen", [True, False])
def test_results_of_grabs_are_passed_on_from_a_topic_made_anew(gateway, results, is_seen):
    stream = gateway.stream(ROOMS[0], query="?user=7")

    def told(event_id):
        """Sends a result, and returns whether the stream told it. One that comes before reading begins is not told."""
        results.send(json.dumps({
            "id": "im.gifts/0/9", "roomId": ROOMS[0], "eventId": event_id, "rainId": "a", "packet": 3, "userId": "7",
            "outcome": "won", "coins": 4}))
        stream.read(0.1)
        return f'"eventId":"{event_id}"'.encode() in stream.got

    wait_for("a result", lambda: told("before"))
    # More than the new topic will have.
    results.send("of another kind", 1000)
    with contextlib.nullcontext() if is_seen else frozen(gateway):
        results.delete()
        if is_seen:
            gateway.error_matching("results of grabs (may be missing|are not passed on)")
        results.make()
    wait_for("another result", lambda: told("after"))
