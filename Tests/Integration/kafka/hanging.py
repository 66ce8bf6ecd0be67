"""A transaction that nobody ends: what a broker that lost its marker leaves behind.

A batch of a transaction goes to a partition that was never added to one. No coordinator knows of it, so nothing ends it.
The broker needs `transaction.partition.verification.enable=false` (UNVERIFIED).
"""

import itertools
import socket
import struct
import time

from broker import Broker

UNVERIFIED = "transaction.partition.verification.enable=false"
_producers = itertools.count(900_000_000)


def unverified_broker(launcher, folder):
    """A broker that takes such batches."""
    return Broker(launcher, folder, UNVERIFIED)


def hang(port, topic, partition=0, value=b"lost", producer=None, transactional_id="lost"):
    """Leaves a transaction open in the partition; returns its producer's id. One that is given goes on with its own."""
    producer = next(_producers) if producer is None else producer
    batch = _batch(value, producer)
    body = _text(transactional_id) + struct.pack(">hii", -1, 10_000, 1) + _text(topic)
    body += struct.pack(">iii", 1, partition, len(batch)) + batch
    # Internal topics take records of Kafka's own tools alone.
    request = struct.pack(">hhi", 0, 7, 1) + _text("__admin_client") + body
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(struct.pack(">i", len(request)) + request)
        answer = _read(connection, struct.unpack(">i", _read(connection, 4))[0])
    # Correlation, topics, name, partitions, partition, error.
    at = 4 + 4 + 2 + len(topic.encode()) + 4
    answered, error = struct.unpack_from(">ih", answer, at)
    assert (answered, error) == (partition, 0), f"the broker refused the batch: {answer.hex()}"
    return producer


def _batch(value, producer):
    """A batch with one record of a transaction, in Kafka's log format 2."""
    record = b"\0\0\0" + _varint(-1) + _varint(len(value)) + value + b"\0"
    record = _varint(len(record)) + record
    now = int(1000 * time.time())
    checked = struct.pack(">hiqqqhii", 0x10, 0, now, now, producer, 0, 0, 1) + record
    head = struct.pack(">ibI", -1, 2, _crc32c(checked))
    return struct.pack(">qi", 0, len(head) + len(checked)) + head + checked


def _text(text):
    return struct.pack(">h", len(text.encode())) + text.encode()


def _varint(number):
    number, out = (number << 1) ^ (number >> 63), b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def _crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def _read(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        assert part, "the broker hung up"
        data += part
    return data
