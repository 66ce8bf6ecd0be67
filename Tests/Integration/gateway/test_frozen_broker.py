"""One broker of three is frozen, which a gateway may ask: streams of what others lead go on meanwhile."""

import concurrent.futures
import json

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from committed import murmur2
from served import Commands, ServedGateway, mark
from waiting import LIMIT, free_port, wait_for

LEADER, FROZEN = 1, 2
# Commands of the first room are in the first of two partitions, and so are the results.
ROOM, OTHER = (next(room for room in map(str, range(99)) if murmur2(room.encode()) % 2 == n) for n in range(2))
# Each asks one of its brokers every 2 s, by chance, but none that has been silent for a second.
GATEWAYS, FREEZES = 3, 4
QUESTIONS, QUESTION_SECONDS = 2, 1.5


def has_come(stream, marks):
    stream.read(0.02)
    return all(told in stream.got for told in marks)


def test_a_frozen_broker_holds_up_no_stream(binary, three):
    leader, frozen = (f"127.0.0.1:{three.port + node - 1}" for node in (LEADER, FROZEN))
    admin = AdminClient({"bootstrap.servers": leader, "log_level": 2})
    topics = [NewTopic(name, 2, replica_assignment=[[LEADER], [FROZEN]], config={"min.insync.replicas": "1"})
              for name in ("commands", "results")]
    for made in admin.create_topics(topics).values():
        made.result(LIMIT)
    commands = Commands(leader, "commands")
    results = confluent_kafka.Producer({"bootstrap.servers": leader, "linger.ms": 1, "log_level": 2})
    gateways = [
        ServedGateway(
            binary, ["--kafka.bootstrap.servers", three.address, "--topics.commands", "commands", "--topics.results",
                     "results"], free_port())
        for _ in range(GATEWAYS)]

    def ask_in_vain():
        admin = AdminClient({"bootstrap.servers": frozen, "log_level": 2})
        with pytest.raises(confluent_kafka.KafkaException):
            admin.list_topics(timeout=QUESTION_SECONDS)

    def send():
        """The marks of a command and of a result."""
        number = commands.send(ROOM)[-1]
        results.produce("results", json.dumps({
            "id": f"im.gifts/0/{number}", "roomId": ROOM, "eventId": f"e{number}", "rainId": "a", "packet": 3,
            "userId": "7", "outcome": "won", "coins": 4}), partition=0)
        assert results.flush(LIMIT) == 0
        return mark(number).encode(), f'"eventId":"e{number}"'.encode()

    try:
        streams = [gateway.wait_ready().stream(ROOM, query="?user=7") for gateway in gateways]
        first = send()
        for stream in streams:
            wait_for("what was sent first", lambda stream=stream: has_come(stream, first))
        for _ in range(FREEZES):
            with three.frozen(FROZEN), concurrent.futures.ThreadPoolExecutor() as pool:
                for _ in range(QUESTIONS):
                    # A gateway that waits for its own answer for longer shows nothing of what is sent meanwhile.
                    question = pool.submit(ask_in_vain)
                    sent = []
                    while not question.done():
                        sent.append(send())
                        for stream in streams:
                            stream.read(0.02)
                    question.result()
                    for kind, marks in zip(("commands", "results"), zip(*sent)):
                        for stream in streams:
                            assert any(told in stream.got for told in marks), f"no {kind} came while the question waited"
                    for stream in streams:
                        stream.got = b""
            # It is back for gateways, too.
            others = [gateway.stream(OTHER) for gateway in gateways]
            told = mark(commands.send(OTHER)[-1])
            for other in others:
                other.read_until(told)
                other.close()
    finally:
        for gateway in gateways:
            gateway.kill()
