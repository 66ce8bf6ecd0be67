"""A later version of the program has written what a restore needs."""

import ctypes

import confluent_kafka

from committed import metadata
from crowd import Crowd
from sending import Traffic
from waiting import LIMIT, wait_for


def test_a_worker_that_is_too_old_for_what_is_committed_waits(make_pipeline, schema, seed):
    pipeline = make_pipeline(partitions=2)
    topic = pipeline.inputs[0]
    with Traffic(pipeline.broker.address, Crowd(seed, pipeline.inputs, schema), rate=300):
        worker = pipeline.worker()
        wait_for("commands", lambda: pipeline.reader.count > 200)
        assert worker.terminate() == 0, worker.said
        before = committed(pipeline, topic)
        newer = [
            confluent_kafka.TopicPartition(topic, place.partition, place.offset, '{"version":9}') for place in before]
        commit(pipeline, newer)
        worker = pipeline.start_worker()
        assert "version 9" in worker.error_matching("too old"), worker.said
        wait_for("it to leave its group", lambda: pipeline.members() == [])
        status, why = worker.get("/readyz")
        assert status == 503 and "version 9" in why, why
        assert worker.get("/healthz")[0] == 200
        assert [metadata(place) for place in committed(pipeline, topic)] == ['{"version":9}'] * 2
        commit(pipeline, before)
        worker.wait_ready()
        worker.error_matching("can be read again")
    assert sum("too old" in line for line in worker.errors) == 1, worker.said
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()


def consumer(pipeline):
    return confluent_kafka.Consumer({
        "bootstrap.servers": pipeline.broker.address, "group.id": pipeline.group, "enable.auto.commit": False,
        "log_level": 2})


def committed(pipeline, topic):
    places = [confluent_kafka.TopicPartition(topic, p) for p in range(pipeline.partitions)]
    places = consumer(pipeline).committed(places, timeout=LIMIT)
    assert all(metadata(place) for place in places), places
    return places


class Place(ctypes.Structure):
    """librdkafka's rd_kafka_topic_partition_t."""
    _fields_ = [("topic", ctypes.c_char_p), ("partition", ctypes.c_int32), ("offset", ctypes.c_int64),
                ("metadata", ctypes.c_void_p), ("size", ctypes.c_size_t), ("opaque", ctypes.c_void_p),
                ("error", ctypes.c_int), ("own", ctypes.c_void_p)]


def commit(pipeline, places):
    """Commits as the worker's librdkafka does: confluent_kafka would put a NUL at the end of the metadata."""
    kafka, libc = ctypes.CDLL("librdkafka.so.1"), ctypes.CDLL(None)
    for make in (kafka.rd_kafka_conf_new, kafka.rd_kafka_new, kafka.rd_kafka_topic_partition_list_new, libc.strdup):
        make.restype = ctypes.c_void_p
    kafka.rd_kafka_topic_partition_list_add.restype = ctypes.POINTER(Place)
    conf = ctypes.c_void_p(kafka.rd_kafka_conf_new())
    for name, value in (("bootstrap.servers", pipeline.broker.address), ("group.id", pipeline.group)):
        assert kafka.rd_kafka_conf_set(conf, name.encode(), value.encode(), None, ctypes.c_size_t(0)) == 0
    client = ctypes.c_void_p(kafka.rd_kafka_new(1, conf, None, ctypes.c_size_t(0)))
    offsets = ctypes.c_void_p(kafka.rd_kafka_topic_partition_list_new(len(places)))
    for place in places:
        entry = kafka.rd_kafka_topic_partition_list_add(offsets, place.topic.encode(), place.partition).contents
        text = metadata(place).encode()
        entry.offset, entry.metadata, entry.size = place.offset, libc.strdup(text), len(text)
    assert kafka.rd_kafka_commit(client, offsets, 0) == 0
    kafka.rd_kafka_topic_partition_list_destroy(offsets)
    kafka.rd_kafka_destroy(client)
