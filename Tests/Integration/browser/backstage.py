"""The page's surroundings: a broker, rooms whose commands a test gives, and the gateway."""

import json
import os
import pathlib
import re
import time
import urllib.request

import jwt
from confluent_kafka import Consumer, Producer, TopicPartition
from process import Program
from waiting import LIMIT, free_port, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("FLYSCREEN_BIN") or ROOT / ".build/release/flyscreen"
PARTITIONS = 4
TOPICS = ("render.commands", "rain.results", "im.gifts", "im.wishes")


def now_ms():
    return int(time.time() * 1000)


def token(key, secret, **claims):
    """A JSON Web Token, good for ten minutes."""
    return jwt.encode({"exp": int(time.time()) + 600, **claims}, secret, algorithm="HS256", headers={"kid": key})


class Kafka:
    """librdkafka's own broker for tests: it lives in the producer."""

    def __init__(self):
        quiet = {"log_level": 3}
        # Java's hash, as the contract says keys are partitioned.
        self._producer = Producer(
            {"bootstrap.servers": "embedded:1", "test.mock.num.brokers": 1, "partitioner": "murmur2_random", **quiet})
        broker = next(iter(self._producer.list_topics(timeout=LIMIT).brokers.values()))
        self.address = f"{broker.host}:{broker.port}"
        for topic in TOPICS:
            # To be asked for makes it.
            self._producer.list_topics(topic, timeout=LIMIT)
        self._consumer = Consumer({"bootstrap.servers": self.address, "group.id": "tests", **quiet})
        self._consumer.assign([
            TopicPartition(topic, partition, 0) for topic in TOPICS[2:] for partition in range(PARTITIONS)])
        self._events = []
        self._rooms = 0

    def room(self, name):
        self._rooms += 1
        return Room(self, f"{re.sub('[^a-z]+', '-', name.lower())[:24].strip('-')}-{self._rooms}")

    def send(self, topic, key, *values):
        """Returns the partition, once the broker has all of it."""
        told = []
        for value in values:
            self._producer.produce(
                topic, key=key, value=json.dumps(value, ensure_ascii=False),
                on_delivery=lambda error, message: told.append(message if error is None else error))
        self._producer.flush(LIMIT)
        if len(told) < len(values) or not all(hasattr(message, "partition") for message in told):
            raise RuntimeError(f"the broker did not take it: {told}")
        return told[0].partition()

    def record(self, topic, key, value, headers=()):
        """A record as it is, to a topic that is made if it isn't there."""
        self._producer.list_topics(topic, timeout=LIMIT)
        self._producer.produce(topic, key=key, value=value, headers=list(headers))
        self._producer.flush(LIMIT)

    def events(self, room_id):
        """The events of this room in the input topics, in the order of each topic."""
        while (message := self._consumer.poll(0.05)) is not None:
            if message.error() is None:
                self._events.append(json.loads(message.value()))
        return [event for event in self._events if event.get("roomId") == room_id]

    def wait_events(self, room, kind, count):
        """The bodies of a kind, once there are so many."""
        def check():
            bodies = [event[kind] for event in self.events(room.id) if kind in event]
            return len(bodies) >= count and bodies

        return wait_for(lambda: f"{count} × {kind} of {room.id}; there is {self.events(room.id)}", check)

    def close(self):
        self._consumer.close()


class Room:
    """A room whose commands a test says; its log time is the time of day."""

    def __init__(self, kafka, room_id):
        self.kafka = kafka
        self.id = room_id
        self.said_ms = 0
        self._place = 0

    def say(self, kind, /, at_ms=None, **body):
        """Produces a command. Returns its `atMs`."""
        at_ms = now_ms() if at_ms is None else at_ms
        self.say_all([(kind, at_ms, body)])
        return at_ms

    def come_to_now(self):
        """Moves the room's clock to now, so that a command with an earlier `atMs` is already under way."""
        self.say("likeBurst", count=1, points=[])

    def say_all(self, commands):
        """Produces commands, each a kind, its `atMs` and its body."""
        lines = []
        for kind, at_ms, body in commands:
            self._place += 1
            lines.append({"roomId": self.id, "id": f"im.{self.id}/0/{self._place}/0", "atMs": at_ms, kind: body})
            self.said_ms = max(self.said_ms, at_ms)
        self.partition = self.kafka.send("render.commands", self.id, *lines)

    def combo(self, number):
        return f"im.{self.id}/0/{number}"

    def show(self, combo=1, lane=1, name="阿花", gift="rose", count=0, total=1, at_ms=None, user="7", value=10, **more):
        return self.say(
            "giftShow", at_ms, **{
                "comboId": self.combo(combo), "lane": lane, "sender": sender(name, user), "receiverId": "", "giftId": gift,
                "giftName": "玫瑰", "value": value, "from": count, "total": max(total, count), "enterMs": 250, **more})

    def bump(self, count, combo=1, lane=1):
        return self.say("giftBump", comboId=self.combo(combo), lane=lane, count=count, tickMs=300)

    def hide(self, count, combo=1, lane=1):
        return self.say("giftHide", comboId=self.combo(combo), lane=lane, count=count, exitMs=250)

    def fly(self, wish="w1", track=0, width=190, duration_ms=600_000, at_ms=None, text="祝你生日快乐", likes=0, name="小明"):
        return self.say(
            "wishFly", at_ms, wishId=wish, track=track, sender=sender(name, "8"), text=text, style="", width=width,
            durationMs=duration_ms, likes=likes)

    def drop(self, packet, x=500, fall_ms=600_000, rain="rain", at_ms=None):
        return self.say("rainDrop", at_ms, rainId=rain, packet=packet, x=x, fallMs=fall_ms, angle=20, spin=90)

    def answer(self, grab, outcome, coins):
        self._place += 1
        result = {
            "id": f"im.{self.id}/0/{self._place}", "roomId": self.id, "eventId": "", "rainId": grab["rainId"], "packet": grab["packet"],
            "userId": grab["userId"], "outcome": outcome, "coins": coins}
        self.kafka.send("rain.results", grab["userId"], result)


def sender(name, user):
    return {"userId": user, "name": name, "avatarUrl": ""}


def spot(spot_id, kind, **more):
    """The body of a `spotShow` of the user 7, for a minute."""
    return {
        "spotId": spot_id, "kind": kind, "comboId": "", "sender": sender("阿花", "7"), "receiverId": "", "giftId": "",
        "giftName": "", "value": 0, "total": 0, "tier": 0, "text": "", "style": "", "durationMs": 60_000, "extra": "", **more}


class Gateway(Program):
    def __init__(self, kafka, *arguments, port=None):
        self.kafka = kafka
        self.port = port or free_port()
        super().__init__(
            BINARY,
            [
                "gateway", "--kafka.bootstrap.servers", kafka.address, "--gateway.http.port", self.port,
                "--gateway.events", "on", "--gateway.events.kinds", "gift,wish,wishLike,tap,taps,rainStart,rainGrab",
                "--gateway.limits.events", 1000, "--gateway.limits.eventBurst", 1000,
                "--gateway.limits.snapshots", 1000, "--gateway.limits.perRoom.wish", 1000,
                "--topics.timestamps", "any", "--gateway.drainMs", 0, "--gateway.drainSpreadMs", 0, *arguments,
            ],
            name="gateway")

    def again(self):
        """One that takes this one's place."""
        return Gateway(self.kafka, port=self.port)

    def page(self, *rooms):
        return f"http://127.0.0.1:{self.port}/?rooms={','.join(room.id for room in rooms)}"

    def snapshot(self, room):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/rooms/{room.id}", timeout=LIMIT) as answer:
            return json.load(answer)

    def wait_told(self, room, count):
        """Waits until the gateway has read all that was said in the room, and its snapshot has `count` commands
        or more. A viewer who comes afterwards gets all of it at once."""
        def check():
            snapshot = self.snapshot(room)
            return len(snapshot["commands"]) >= count and snapshot["nowMs"] >= room.said_ms

        wait_for(lambda: f"{count} commands of {room.id}; there is {self.snapshot(room)}", check)

    def wait_ready(self):
        def check():
            if not self.is_running:
                raise AssertionError(f"the gateway ended with {self.wait()}; it said:\n{self.said}")
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=LIMIT) as answer:
                    return answer.status == 200
            except OSError:
                return False

        wait_for(lambda: f"the gateway to be ready; it said:\n{self.said[-2000:]}", check)
        return self
