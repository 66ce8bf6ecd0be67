"""Readers of committed data, during a test and after it."""

import json
import threading

import confluent_kafka

from waiting import LIMIT, wait_for


def murmur2(data):
    """The hash by which Java's clients choose a key's partition."""
    mask, m = 0xFFFFFFFF, 0x5BD1E995
    h = 0x9747B28C ^ len(data)
    whole = len(data) & ~3
    for i in range(0, whole, 4):
        k = int.from_bytes(data[i:i + 4], "little") * m & mask
        k = (k ^ k >> 24) * m & mask
        h = (h * m & mask) ^ k
    if tail := data[whole:]:
        h = (h ^ int.from_bytes(tail, "little")) * m & mask
    h = (h ^ h >> 13) * m & mask
    return (h ^ h >> 15) & 0x7FFFFFFF


def stream_of(line):
    """The stream that a command belongs to: a room and the partition whose log it was made of; the order within it is
    contract. And the command's place there: the record's offset, and the number after it."""
    command = json.loads(line)
    topic, partition, offset, n = command["id"].rsplit("/", 3)
    return (command["roomId"], topic, int(partition)), (int(offset), int(n)), command["atMs"]


def _is_blank(record):
    """It says nothing: a worker ended a transaction once more by it."""
    return record.value() is None and any(name == "flyscreen-blank" for name, _ in record.headers() or ())


class TopicReader:
    """Everything that is committed in a topic, from its beginning, in the order of its partitions."""

    def __init__(self, address, topic, **properties):
        self._consumer = confluent_kafka.Consumer({
            "bootstrap.servers": address, "group.id": f"reader-of-{topic}", "enable.auto.commit": False,
            "isolation.level": "read_committed", "enable.partition.eof": True, "auto.offset.reset": "error",
            "fetch.wait.max.ms": 50, "reconnect.backoff.max.ms": 500, "log_level": 2,
            "fetch.message.max.bytes": 3_000_000, **properties})
        self.topic = topic
        # The broker that is asked may hear of a new topic later than the one that made it.
        known = wait_for(lambda: f"{topic} to be known", self._known)
        self.partitions = sorted(known)
        self._ends = dict.fromkeys(self.partitions, 0)
        self._consumer.assign([confluent_kafka.TopicPartition(topic, p, 0) for p in self.partitions])

    def _known(self):
        topic = self._consumer.list_topics(self.topic, timeout=LIMIT).topics[self.topic]
        return topic.error is None and topic.partitions

    def poll(self, limit=0.1):
        """The records that have come; empty at the end."""
        records = []
        for message in self._consumer.consume(1000, limit):
            error = message.error()
            if error is None:
                if not _is_blank(message):
                    records.append(message)
            elif error.code() == confluent_kafka.KafkaError._PARTITION_EOF:
                # Beyond the last record, and beyond the marks that end transactions.
                self._ends[message.partition()] = message.offset()
            elif not error.retriable() and error.code() != confluent_kafka.KafkaError._ALL_BROKERS_DOWN:
                raise AssertionError(f"reading {self.topic}: {error}")
        return records

    def has_read(self, ends):
        return all(self._ends[p] >= end for p, end in ends.items())

    def ends(self):
        """The offset after the last record of each partition, committed or not."""
        return {p: self._consumer.get_watermark_offsets(
            confluent_kafka.TopicPartition(self.topic, p), timeout=LIMIT)[1] for p in self.partitions}

    def close(self):
        self._consumer.close()


def read_all(address, topic, limit=LIMIT):
    """All that is committed in a topic. (Waits for transactions that are still open.)"""
    reader = TopicReader(address, topic)
    try:
        ends, records = reader.ends(), []

        def check():
            records.extend(reader.poll())
            return reader.has_read(ends)

        wait_for(f"all of {topic} to be committed, up to {ends}", check, limit, every=0)
        return sorted(records, key=lambda record: (record.partition(), record.offset()))
    finally:
        reader.close()


class CommandReader:
    """Reads committed commands from a thread while everything else happens, and holds each against what must be true
    at every moment: in each stream ids only go up, without a gap in their numbers, and log time with them."""

    def __init__(self, address, topic):
        self._reader = TopicReader(address, topic)
        self._places = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"reader of {topic}")
        self.streams = {}
        self.count = 0
        self.broken = []
        self._thread.start()

    def _run(self):
        try:
            while not self._stop.is_set():
                for record in self._reader.poll():
                    self._take(record)
        except Exception as error:
            self.broken.append(repr(error))

    def _take(self, record):
        line = record.value()
        stream, (offset, n), at = stream_of(line)
        before, number, time = self._places.get(stream, (-1, -1, 0))
        follows = (n == number + 1) if offset == before else (offset > before and n == 0)
        if not follows or at < time:
            self.broken.append(f"{line.decode()} came after {before}/{number} at {time}")
        if record.key() != stream[0].encode() or record.headers():
            self.broken.append(f"{line.decode()} has the key {record.key()} and the headers {record.headers()}")
        if record.partition() != murmur2(record.key()) % len(self._reader.partitions):
            self.broken.append(f"{line.decode()} is in partition {record.partition()}")
        self._places[stream] = (offset, n, at)
        self.streams.setdefault(stream, []).append(line)
        self.count += 1

    @property
    def commands(self):
        """All commands as values, each stream in its order."""
        return [json.loads(line) for lines in list(self.streams.values()) for line in list(lines)]

    def check(self):
        assert not self.broken, "\n".join(self.broken[:5])

    def wait_all(self, limit=LIMIT):
        """Waits until it has read to the end of the topic, which also shows that no transaction is left open."""
        ends = self._reader.ends()
        wait_for(f"a committed reader to reach {ends}", lambda: self.broken or self._reader.has_read(ends), limit)
        self.check()

    def close(self):
        self._stop.set()
        self._thread.join()
        self._reader.close()


def metadata(place):
    """The text committed with an offset: confluent_kafka reads on beyond its end, up to a NUL in what lies behind it."""
    try:
        text = place.metadata
    except UnicodeDecodeError as error:
        text = error.object[:error.start].decode()
    return text[:json.JSONDecoder().raw_decode(text)[1]]
