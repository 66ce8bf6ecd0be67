"""Events that rooms full of people send, from a seed."""

import dataclasses
import json
import random

JSON_TYPES = (None, b"application/json", b"Application/JSON; charset=utf-8")
PROTOBUF_TYPES = (b"application/x-protobuf", b"APPLICATION/X-PROTOBUF")
NAMES = ("阿花", "Zoë", "o_O", "小明🎉", "Ⅷ", "\u202eevil", "👩‍👩‍👧‍👦", "名" * 30)
TEXTS = ("生日快乐🎂", "gl hf", "a" * 90, "👍🏽" * 40, "🇨🇳🇨🇳 加油", 'he said "hi"\\', "tab\tand\nline", "é" * 70)
GIFTS = (("rose", "玫瑰", 1), ("car", "跑车", 1200), ("heart", "❤️", 10), ("rocket", "火箭", 100_000))


@dataclasses.dataclass(frozen=True)
class Record:
    topic: str
    key: bytes | None
    value: bytes | None
    headers: tuple = ()


def gift(event_id, room, user, count=1, gift_id="rose", **more):
    sender = {"userId": str(user), "name": f"n{user}"}
    body = {"sender": sender, "giftId": gift_id, "giftName": gift_id, "count": count, "value": 10, **more}
    return {"eventId": event_id, "roomId": room, "gift": body}


def json_record(topic, event, content_type=None):
    value = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    headers = () if content_type is None else (("content-type", content_type),)
    return Record(topic, event["roomId"].encode(), value, headers)


class Crowd:
    """Gifts go to the first topic, wishes and their likes to the second; about every second event is Protobuf."""

    def __init__(self, seed, inputs, schema, rooms=200):
        self._random = random.Random(seed)
        self._inputs = inputs
        self._schema = schema
        self._rooms = [f"room-{n}" for n in range(rooms)]
        self._weights = [1 / (n + 1) ** 0.5 for n in range(rooms)]
        self._prefix = f"{seed:x}"
        self._count = 0
        self._recent = {}
        self._streaks = {}
        self._wishes = {}
        self._rains = []

    def records(self, count):
        return [self.record() for _ in range(count)]

    def record(self):
        pick = self._random
        self._count += 1
        self._id = f"{self._prefix}-{self._count}"
        self._room = pick.choices(self._rooms, self._weights)[0]
        make = pick.choices(
            (self._gift, self._repeat, self._streak, self._wish, self._like, self._duplicate, self._tap, self._noise,
             self._rain, self._grab),
            (36, 20, 8, 8, 8, 5, 5, 2, 0.5, 7.5))[0]
        return make()

    def _record(self, place, event):
        self._recent[self._room] = (place, event)
        if self._random.random() < 0.5:
            headers = (("content-type", self._random.choice(PROTOBUF_TYPES)),)
            return Record(self._inputs[place], event["roomId"].encode(), self._schema.event(event), headers)
        return json_record(self._inputs[place], event, self._random.choice(JSON_TYPES))

    def _event(self, **body):
        return {"eventId": self._id, "roomId": self._room, **body}

    def _sender(self):
        user = self._random.randrange(5000)
        return {"userId": str(user), "name": f"{self._random.choice(NAMES)}{user}", "avatarUrl": f"https://a/{user}"}

    def _gift(self):
        gift_id, name, value = self._random.choice(GIFTS)
        body = {"sender": self._sender(), "giftId": gift_id, "giftName": name, "value": value}
        if self._random.random() < 0.7:
            body["count"] = self._random.choice((1, 1, 1, 5, 66, 520))
        if self._random.random() < 0.2:
            body["receiverId"] = self._random.choice(("host", "guest"))
        return self._record(0, self._event(gift=body))

    def _repeat(self):
        """The combo goes on."""
        place, event = self._recent.get(self._room, (1, {}))
        if place == 1 or "gift" not in event or "streakId" in event["gift"]:
            return self._gift()
        return self._record(0, self._event(gift=dict(event["gift"], count=self._random.choice((1, 1, 2, 10)))))

    def _streak(self):
        body, count = self._streaks.pop(self._room, (None, 0))
        if body is None:
            body = {"sender": self._sender(), "giftId": "heart", "giftName": "❤️", "value": 10, "streakId": self._id}
        # Now and then one that was overtaken by a later one.
        sent = max(1, count + self._random.choice((1, 1, 3, -1)))
        if self._random.random() < 0.9:
            self._streaks[self._room] = (body, max(count, sent))
        return self._record(0, self._event(gift=dict(body, count=sent)))

    def _wish(self):
        body = {"sender": self._sender(), "text": self._random.choice(TEXTS), "style": "gold"}
        if self._random.random() < 0.5:
            body["wishId"] = f"w{self._id}"
        self._wishes.setdefault(self._room, []).append(body.get("wishId", self._id))
        return self._record(1, self._event(wish=body))

    def _like(self):
        wishes = self._wishes.get(self._room)
        if not wishes:
            return self._wish()
        body = {"userId": str(self._random.randrange(500)), "wishId": self._random.choice(wishes[-4:])}
        return self._record(1, self._event(wishLike=body))

    def _duplicate(self):
        """The last event of the room again, maybe in the other format."""
        if self._room not in self._recent:
            return self._gift()
        return self._record(*self._recent[self._room])

    def _tap(self):
        self._room = self._random.choice(self._rooms[:5])
        user = str(self._random.randrange(3))
        return self._record(0, self._event(tap={"userId": user, "x": self._random.randrange(1000), "y": 999}))

    def _rain(self):
        """Its id tells the budget, to be held against what it paid."""
        pick = self._random
        self._room = pick.choice(self._rooms[:5])
        budget = pick.choice((0, 30, 1000))
        rain = {"rainId": f"{self._id}:{budget}", "durationMs": pick.choice((0, 2000, 6000)), "budget": budget,
                "perSecond": pick.choice((4, 10, 50)), "countdown": pick.choice((0, 0, 1)), "winEvery": pick.choice((1, 3))}
        if pick.random() < 0.3:
            rain["prizes"] = [pick.choice((0, 1, 70)) for _ in range(10)]
        self._rains = [*self._rains[-3:], (self._room, rain["rainId"])]
        return self._record(0, self._event(rainStart=rain))

    def _grab(self):
        if not self._rains:
            return self._rain()
        self._room, rain = self._random.choice(self._rains)
        body = {"rainId": rain, "packet": self._random.randrange(8), "userId": str(self._random.randrange(40))}
        return self._record(0, self._event(rainGrab=body))

    def _noise(self):
        """A record that can't be understood."""
        good = self._event(gift={"sender": self._sender(), "giftId": "rose", "count": 1})
        topic, key = self._random.choice(self._inputs), self._room.encode()
        cut = self._schema.event(good)[:-3]
        return self._random.choice((
            Record(topic, key, b'{"eventId":"x"'),
            Record(topic, key, b"\xff\xfe\xfd"),
            Record(topic, b"someone-elses", json_record(topic, good).value),
            Record(topic, key, cut, (("content-type", b"application/x-protobuf"),)),
            json_record(topic, good, b"text/plain"),
            json_record(topic, dict(good, gift=dict(good["gift"], count=-1))),
            json_record(topic, dict(good, gift={"giftId": "rose"})),
        ))
