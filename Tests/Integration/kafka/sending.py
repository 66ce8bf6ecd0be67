"""Producers that others wrote: kcat, and Confluent's for Python."""

import itertools
import subprocess
import threading

import confluent_kafka

from waiting import LIMIT, TooLong

CODECS = ("gzip", "snappy", "lz4", "zstd")
AS_JAVA = "murmur2_random"
AFTER_KEY, AFTER_VALUE = b"\x1f|\x1f", b"\x1e|\x1e"


def send_with_kcat(address, records, codec):
    """Keyed records with values; kcat takes one set of headers for a run, so it runs once for each."""
    def kind(record):
        return record.topic, record.headers

    for (topic, headers), group in itertools.groupby(sorted(records, key=kind_text), key=kind):
        command = ["kcat", "-P", "-b", address, "-t", topic, "-z", codec, "-X", f"topic.partitioner={AS_JAVA}",
                   "-K", AFTER_KEY.decode(), "-D", AFTER_VALUE.decode()]
        for name, value in headers:
            command += ["-H", f"{name}={value.decode()}"]
        lines = []
        for record in group:
            assert AFTER_KEY not in record.key + record.value and AFTER_VALUE not in record.key + record.value
            lines.append(record.key + AFTER_KEY + record.value + AFTER_VALUE)
        subprocess.run(command, input=b"".join(lines), check=True, timeout=LIMIT)


def kind_text(record):
    return record.topic, repr(record.headers)


class Sender:
    """Confluent's producer; each record arrives once."""

    def __init__(self, address, codec="none", **properties):
        self._failed = []
        self._producer = confluent_kafka.Producer({
            "bootstrap.servers": address, "compression.type": codec, "partitioner": AS_JAVA,
            "enable.idempotence": True, "linger.ms": 5, "message.max.bytes": 3_000_000, "log_level": 2,
            # One that heard of no leader while a broker was away asks again only after minutes otherwise.
            "topic.metadata.refresh.interval.ms": 2000, **properties})

    def send(self, *records, partition=-1):
        for record in records:
            self._producer.produce(
                record.topic, record.value, record.key, partition=partition, headers=list(record.headers),
                on_delivery=self._delivered)
        self._producer.poll(0)

    def flush(self, limit=LIMIT):
        if left := self._producer.flush(limit):
            raise TooLong(f"{left} records were not delivered in {limit:g} s")
        assert not self._failed, self._failed[:3]

    def _delivered(self, error, _):
        if error is not None:
            self._failed.append(error)


class Traffic:
    """A crowd that goes on sending, at a rate, from a thread, until it is told to stop.

    What a broker that went away had taken already may come again: one more duplicate for the worker, while an
    idempotent producer may give up."""

    def __init__(self, address, crowd, rate):
        self._crowd = crowd
        self._rate = rate
        self._senders = [Sender(address, codec, **{"enable.idempotence": False}) for codec in CODECS]
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._run, name="traffic")
        self.sent = 0

    def __enter__(self):
        self._thread.start()
        return self

    def enough(self):
        """Nothing more is sent."""
        self._enough.set()
        self._thread.join()

    def __exit__(self, *_):
        self.enough()
        for sender in self._senders:
            sender.flush()

    def _run(self):
        for sender in itertools.cycle(self._senders):
            if self._enough.wait(20 / self._rate):
                return
            sender.send(*self._crowd.records(20))
            self.sent += 20
