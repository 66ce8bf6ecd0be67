"""Events that are posted go where any producer would put them."""

import confluent_kafka
import httpx
from confluent_kafka.admin import AdminClient, NewPartitions

from waiting import LIMIT, wait_for

TOPIC = "posted.events"
ROOMS = [f"grown-{number}" for number in range(20)]


def test_after_an_input_topic_has_grown_events_go_where_producers_put_them(binary, broker, make_gateway):
    admin = AdminClient({"bootstrap.servers": broker.address})
    admin.create_topics([confluent_kafka.admin.NewTopic(TOPIC, 2, 1)])[TOPIC].result()
    wait_for("the broker to tell of the topic", lambda: len(admin.list_topics(TOPIC, LIMIT).topics[TOPIC].partitions) == 2)
    gateway = make_gateway("--gateway.events", "on", "--topics.produce.tap", TOPIC, "--gateway.limits.events", 1000,
                           "--gateway.limits.eventBurst", 1000)
    admin.create_partitions([NewPartitions(TOPIC, 7)])[TOPIC].result()

    def put_by_a_producer(room):
        told = []
        producer.produce(TOPIC, b"{}", room, on_delivery=lambda error, message: told.append(message.partition()))
        assert producer.flush(LIMIT) == 0
        return told[0]

    producer = confluent_kafka.Producer({"bootstrap.servers": broker.address, "partitioner": "murmur2_random"})
    assert len(producer.list_topics(TOPIC, timeout=LIMIT).topics[TOPIC].partitions) == 7
    expected = {room: put_by_a_producer(room) for room in ROOMS}
    assert max(expected.values()) > 1
    with httpx.Client(timeout=LIMIT) as client:
        def put_by_the_gateway(room):
            answer = client.post(
                gateway.url(f"/rooms/{room}/events"), json={"tap": {"userId": "7", "x": 1, "y": 2}})
            assert answer.status_code == 202, answer.text
            return answer.json()["partition"]

        wait_for("it to be seen", lambda: {room: put_by_the_gateway(room) for room in ROOMS} == expected)
