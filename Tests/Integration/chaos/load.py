"""Events for rooms while everything goes wrong."""

import threading

from crowd import Crowd, json_record
from sending import Sender, Traffic

PULSE_SECONDS = 0.25
# Producers send an event again until it has arrived, and soon know of a topic that has grown.
PATIENT = {"message.timeout.ms": 600_000, "topic.metadata.refresh.interval.ms": 2000}


class Pulse:
    """Somebody in each room taps without end, so a room that works is never silent for long."""

    def __init__(self, address, topic, rooms):
        self._topic = topic
        self._rooms = rooms
        self._sender = Sender(address, **PATIENT, **{"enable.idempotence": False})
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse")
        self._thread.start()

    def _run(self):
        while not self._enough.wait(PULSE_SECONDS):
            self._sender.send(*(
                json_record(self._topic, {"roomId": room, "tap": {"userId": "pulse", "x": 1, "y": 2}})
                for room in self._rooms))

    def enough(self):
        self._enough.set()
        self._thread.join()

    def stop(self):
        """Ends it once everything has arrived."""
        self.enough()
        self._sender.flush()


class Load:
    """A crowd with duplicates, rains and what nobody understands; an audience of the program's own, which takes back and
    ends rooms, too; and a pulse in the crowd's rooms."""

    def __init__(self, pipeline, schema, seed, rooms, rate):
        address, (gifts, wishes) = pipeline.broker.address, pipeline.inputs
        self._rooms = rooms
        self._pipeline = pipeline
        self._pulse = Pulse(address, gifts, rooms)
        self._traffic = Traffic(address, Crowd(seed, pipeline.inputs, schema, len(rooms)), rate / 2)
        self._traffic.__enter__()
        self._count = len(rooms)
        self._rate = rate // 2
        self._seed = seed % 1000
        self._begin()

    def _begin(self):
        gifts, wishes = self._pipeline.inputs
        produced = {kind: gifts for kind in ("gift", "tap", "taps", "rainStart", "rainGrab", "spot", "pin", "goal", "score")}
        produced |= {kind: wishes for kind in ("wish", "wishLike")}
        settings = {f"topics.produce.{kind}": topic for kind, topic in produced.items()}
        settings |= {"topics.input": ",".join(self._pipeline.inputs), "topics.commands": self._pipeline.commands,
                     "topics.results": self._pipeline.results, "kafka.message.timeout.ms": 600_000}
        self._audience = self._pipeline.program(
            "simulate", "--rooms", self._count, "--rate", self._rate, "--seed", self._seed, "--format", "mixed",
            *self._pipeline.words(settings))

    def go_on(self):
        """Another audience comes where the last has gone: an idempotent producer gives up when it can't tell what brokers
        that all crashed have of what it sent."""
        if not self._audience.is_running:
            assert self._audience.wait() != 0
            self._seed += 1
            self._begin()

    def enough(self):
        """Nothing more is sent."""
        self._pulse.enough()
        self._traffic.enough()

    def stop(self):
        """Ends every room, too: then nothing is queued any more."""
        self._pulse.stop()
        self._traffic.__exit__()
        if self._audience.is_running:
            self._audience.terminate()
        sender = Sender(self._pipeline.broker.address)
        # The audience numbers its rooms from 1 on.
        everywhere = {*self._rooms, *(f"room-{n + 1}" for n in range(len(self._rooms)))}
        # A room may have been in any partition before its topic grew.
        for topic, count in self._pipeline.sizes().items():
            for partition in range(count):
                sender.send(*(json_record(topic, {"roomId": room, "roomEnd": {}}) for room in everywhere),
                            partition=partition)
        sender.flush()
