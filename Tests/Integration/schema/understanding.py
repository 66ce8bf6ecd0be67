"""STAGES.md, section 2, once more and in another language: the meaning of a record, or its refusal."""

import json
import re

LINES = re.compile("[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]")
CONTROLS = re.compile("[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]")
BODIES = """gift wish wishLike tap taps rainStart rainGrab spot pin goal score retract roomSettings roomEnd""".split()
# The values of the settings that a room can have of its own: words, or the least and the greatest integer; tiers have
# their own form.
LONGEST = 600_000
SETTINGS = {
    **dict.fromkeys("""gift.enterMs gift.holdMs gift.exitMs gift.comboWindowMs gift.leastMs gift.turnMs gift.refreshMs
        gift.maxWaitMs wish.intervalMs wish.maxWaitMs wish.mergeMs like.doubleTapMs like.streakMs rain.fallMinMs
        rain.graceMs spot.gapMs spot.maxWaitMs crowd.waitMs goal.graceMs""".split(), (0, LONGEST)),
    **dict.fromkeys(["gift.catchUpTicks", "wish.gap", "wish.padding"], (0, 10**9)),
    **dict.fromkeys(["gift.lanes", "wish.tracks"], (1, 8)),
    **dict.fromkeys(["wish.stageWidth", "wish.em"], (1, 10**9)), "wish.durationMs": (1, LONGEST),
    **dict.fromkeys(["wish.maxLength", "wish.maxName"], (2, 10**9)), "rain.fallSpreadMs": (10, LONGEST),
    **dict.fromkeys("""gift.tickMs wish.likesMs like.paceMs rain.tallyMs spot.durationMs crowd.showMs
        crowd.paceMs goal.paceMs""".split(), (100, LONGEST)),
    **dict.fromkeys(["pin.refreshMs", "goal.refreshMs"], (5000, LONGEST)), "pin.durationMs": (1000, LONGEST),
    "like.most": (0, 1000),
    "spot.tier": (0, 16),
    "gift.placement": ["bottomFirst", "byUser"], "gift.order": ["tier", "fifo", "value"], "gift.tiers": None,
}  # fmt: skip


class Refused(Exception):
    pass


# Readers of JSON members: each returns the value, or None where it is absent.


def identifier(value):
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return string(value)


def string(value):
    if not isinstance(value, str):
        raise Refused("no string")
    return value or None


def integer(value):
    if isinstance(value, str):
        if value == "":
            return None
        if not re.fullmatch("-?[0-9]+", value, re.ASCII):
            raise Refused("no integer")
        # int() takes no more digits than this.
        return int(value) if len(value) < 4000 else 10**30
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused("no integer")
    return value


def message(fields):
    def read(value):
        if not isinstance(value, dict):
            raise Refused("no object")
        return {name: kind(value[name]) for name, kind in fields.items() if value.get(name) is not None}

    return read


def setting_values(value):
    """The values as texts; an integer may come as one, too."""
    if not isinstance(value, dict):
        raise Refused("no object")
    if not all(isinstance(item, (int, str)) and not isinstance(item, bool) for item in value.values()):
        raise Refused("no value of a setting")
    return {name: str(item) for name, item in value.items()}


def integers(value):
    if not isinstance(value, list):
        raise Refused("no list")
    return [integer(item) or 0 for item in value]


def identifiers(value):
    if not isinstance(value, list):
        raise Refused("no list")
    return [identifier(item) for item in value]


def points(value):
    if not isinstance(value, list):
        raise Refused("no list")
    return [message({"x": integer, "y": integer})(item) for item in value]


SENDER = {"userId": identifier, "name": string, "avatarUrl": string}
FIELDS = {
    "gift": {
        "sender": message(SENDER), "receiverId": identifier, "receiverName": string, "giftId": identifier, "giftName": string,
        "count": integer, "value": integer, "streakId": identifier, "apart": integer, "holdMs": integer, "extra": string,
    },
    "wish": {"sender": message(SENDER), "text": string, "wishId": identifier, "style": string, "extra": string},
    "wishLike": {"userId": identifier, "wishId": identifier},
    "tap": {"userId": identifier, "x": integer, "y": integer},
    "rainStart": {
        "rainId": identifier, "durationMs": integer, "perSecond": integer, "countdown": integer, "budget": integer,
        "winEvery": integer, "prizes": integers, "extra": string,
    },
    "rainGrab": {"rainId": identifier, "packet": integer, "userId": identifier},
    "taps": {"userId": identifier, "runId": identifier, "count": integer, "points": points},
    "pin": {
        "sender": message(SENDER), "pinId": identifier, "text": string, "style": string, "value": integer,
        "first": integer, "durationMs": integer, "extra": string,
    },
    "goal": {
        "goalId": identifier, "text": string, "by": string, "giftId": identifier, "receiverId": identifier,
        "target": integer, "sides": identifiers, "home": identifier, "durationMs": integer, "extra": string,
    },
    "score": {"goalId": identifier, "side": identifier, "total": integer},
    "spot": {
        "sender": message(SENDER), "kind": string, "spotId": identifier, "text": string, "style": string,
        "value": integer, "durationMs": integer, "extra": string,
    },
    "retract": {"wishId": identifier, "comboId": identifier, "spotId": identifier, "pinId": identifier,
        "goalId": identifier, "userId": identifier, "muteMs": integer},
    "roomSettings": {"set": setting_values, "forMs": integer},
    "roomEnd": {},
}  # fmt: skip


def of_json(data):
    """The event that JSON bytes hold, as a dictionary in the order of the schema."""
    try:
        value = json.loads(
            data.decode(), parse_int=strict_integer, parse_float=strict_float, parse_constant=refuse,
            object_pairs_hook=members,
        )  # fmt: skip
        has_bytes(value)
    except (ValueError, RecursionError) as error:
        raise Refused("no JSON") from error
    if not isinstance(value, dict):
        raise Refused("no object")
    bodies = [name for name in BODIES if value.get(name) is not None]
    if len(bodies) != 1:
        raise Refused("bodies")
    event = {name: identifier(value[name]) for name in ["eventId", "roomId"] if value.get(name) is not None}
    return understood(event, bodies[0], message(FIELDS[bodies[0]])(value[bodies[0]]))


def strict_integer(digits):
    value = int(digits) if len(digits) < 4000 else 10**30
    if not -(2**63) <= value < 2**64:
        raise ValueError(digits)
    return value


def strict_float(digits):
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(digits)
    return value


def refuse(word):
    raise ValueError(word)


def members(pairs):
    """The members of an object. A member that comes again counts once, but its first value, too, must be JSON."""
    has_bytes(pairs)
    return dict(pairs)


def has_bytes(value):
    """A lone surrogate has none."""
    json.dumps(value, ensure_ascii=False).encode()


def of_message(event):
    """The event that a message of Python's Protobuf holds."""
    body = event.WhichOneof("body")
    if body is None:
        raise Refused("no body")
    return understood(*(named(event, body)))


def named(event, body):
    inner = getattr(event, body)
    values = {}
    for field in inner.DESCRIPTOR.fields:
        value = getattr(inner, field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            value = dict(value)
        elif field.message_type is not None and field.label == field.LABEL_REPEATED:
            value = [{part.json_name: getattr(item, part.name) for part in field.message_type.fields} for item in value]
        elif field.message_type is not None:
            value = {part.json_name: getattr(value, part.name) for part in field.message_type.fields}
        elif field.label == field.LABEL_REPEATED:
            value = list(value)
        elif field.has_presence and not inner.HasField(field.name):
            continue
        values[field.json_name] = value
    return {"eventId": event.event_id, "roomId": event.room_id}, event.DESCRIPTOR.fields_by_name[body].json_name, values


def setting(name, value):
    """The value of a setting, as it is spelled."""
    kind = SETTINGS.get(name, ())
    if len(value.encode()) > 1024:
        raise Refused(name)
    if isinstance(kind, tuple) and kind:
        number = integer(value)
        if number is None or not kind[0] <= number <= kind[1] or (name == "gift.refreshMs" and 0 < number < 1000):
            raise Refused(name)
        return str(number)
    if kind is None:
        tiers = [re.fullmatch("([0-9]+):([0-9]+)", tier, re.ASCII) for tier in value.split(",") if value]
        if not all(tiers) or len(tiers) > 16:
            raise Refused(name)
        tiers = [(int(tier[1]), int(tier[2])) for tier in tiers]
        worths = [worth for worth, _ in tiers]
        if sorted(set(worths)) != worths or not all(0 < worth <= 10**15 and hold <= LONGEST for worth, hold in tiers):
            raise Refused(name)
        return ",".join(f"{worth}:{hold}" for worth, hold in tiers)
    if value not in kind:
        raise Refused(name)
    return value


def understood(event, body, values):
    """The event with its defaults, if every rule is kept."""

    def text(values, name, limit, needed=False, stripped=False, controls=CONTROLS):
        value = values.get(name) or ""
        if stripped:
            value = controls.sub("", value)
        if len(value.encode()) > limit or (needed and not value):
            raise Refused(name)
        return value

    def number(name, most, default=0, least=0):
        value = values.get(name) or 0
        if not 0 <= value <= most:
            raise Refused(name)
        value = value or default
        if value < least:
            raise Refused(name)
        return value

    def sender():
        person = values.get("sender") or {}
        return {
            "userId": text(person, "userId", 256, needed=True), "name": text(person, "name", 1024, stripped=True),
            "avatarUrl": text(person, "avatarUrl", 2048),
        }  # fmt: skip

    def optional(name, value):
        return {name: value} if value else {}

    event_id, room_id = text(event, "eventId", 256), text(event, "roomId", 256, needed=True)
    if body == "gift":
        streak = text(values, "streakId", 256)
        result = {
            "sender": sender(), **optional("receiverId", text(values, "receiverId", 256)),
            **optional("receiverName", text(values, "receiverName", 1024, stripped=True)),
            "giftId": text(values, "giftId", 256, needed=True),
            "giftName": text(values, "giftName", 1024, stripped=True),
            "count": number("count", 10**9, least=1) if streak else number("count", 10**6, default=1),
            "value": number("value", 10**12), **optional("streakId", streak), **optional("apart", number("apart", 1)),
            **optional("holdMs", number("holdMs", 60_000)), **optional("extra", text(values, "extra", 4096)),
        }  # fmt: skip
    elif body == "wish":
        wish_id = text(values, "wishId", 256) or event_id
        if not wish_id:
            raise Refused("wishId")
        result = {
            "sender": sender(), "text": text(values, "text", 16384, needed=True, stripped=True), "wishId": wish_id,
            **optional("style", text(values, "style", 256)), **optional("extra", text(values, "extra", 4096)),
        }  # fmt: skip
    elif body == "wishLike":
        result = {"userId": text(values, "userId", 256, needed=True), "wishId": text(values, "wishId", 256, needed=True)}
    elif body == "tap":
        result = {"userId": text(values, "userId", 256, needed=True), "x": number("x", 999), "y": number("y", 999)}
    elif body == "taps":
        if len(values.get("points") or []) > 16:
            raise Refused("points")
        places = [{"x": point.get("x") or 0, "y": point.get("y") or 0} for point in values.get("points") or []]
        if not all(0 <= place <= 999 for point in places for place in point.values()):
            raise Refused("points")
        result = {
            "userId": text(values, "userId", 256, needed=True), "runId": text(values, "runId", 256, needed=True),
            "count": number("count", 10**9, least=1), **optional("points", places),
        }  # fmt: skip
    elif body == "pin":
        pin_id = text(values, "pinId", 256) or event_id
        duration = number("durationMs", 21_600_000)
        if not pin_id or 0 < duration < 1000:
            raise Refused("pin")
        result = {
            "sender": sender(), "pinId": pin_id,
            "text": text(values, "text", 4096, needed=True, stripped=True, controls=LINES),
            **optional("style", text(values, "style", 256)), **optional("value", number("value", 10**12)),
            **optional("first", number("first", 1)), **optional("durationMs", duration),
            **optional("extra", text(values, "extra", 4096)),
        }  # fmt: skip
    elif body == "goal":
        duration = number("durationMs", 21_600_000)
        sides = values.get("sides") or []
        by, home, receiver = text(values, "by", 256), text(values, "home", 256), text(values, "receiverId", 256)
        if 0 < duration < 1000 or by not in ("", "value", "units", "likes", "none"):
            raise Refused("goal")
        if sides and not (2 <= len(set(sides)) == len(sides) <= 8 and not receiver and by != "likes"):
            raise Refused("sides")
        if any(not side or len(side.encode()) > 256 for side in sides) or (home and home not in sides):
            raise Refused("sides")
        result = {
            "goalId": text(values, "goalId", 256, needed=True),
            **optional("text", text(values, "text", 1024, stripped=True)), **optional("by", by if by != "value" else ""),
            **optional("giftId", text(values, "giftId", 256)), **optional("receiverId", receiver),
            **optional("target", number("target", 10**15)), **optional("sides", sides), **optional("home", home),
            **optional("durationMs", duration), **optional("extra", text(values, "extra", 4096)),
        }  # fmt: skip
    elif body == "score":
        result = {
            "goalId": text(values, "goalId", 256, needed=True), **optional("side", text(values, "side", 256)),
            "total": number("total", 9 * 10**15),
        }  # fmt: skip
    elif body == "rainStart":
        countdown = values.get("countdown")
        prizes = values.get("prizes") or []
        if len(prizes) > 10_000 or not all(0 <= prize <= 10**9 for prize in prizes):
            raise Refused("prizes")
        result = {
            "rainId": text(values, "rainId", 256, needed=True), "durationMs": number("durationMs", 600_000),
            "perSecond": number("perSecond", 100, default=4),
            "countdown": 5 if countdown is None else number("countdown", 60), "budget": number("budget", 10**15),
            "winEvery": number("winEvery", 10**6, default=3), **optional("prizes", prizes),
            **optional("extra", text(values, "extra", 4096)),
        }  # fmt: skip
    elif body == "spot":
        spot_id = text(values, "spotId", 1024) or event_id
        duration = number("durationMs", 60_000)
        if not spot_id or 0 < duration < 100:
            raise Refused("spot")
        result = {
            "sender": sender(), "kind": text(values, "kind", 256, needed=True), "spotId": spot_id,
            **optional("text", text(values, "text", 1024, stripped=True)),
            **optional("style", text(values, "style", 256)), **optional("value", number("value", 10**12)),
            **optional("durationMs", duration), **optional("extra", text(values, "extra", 4096)),
        }  # fmt: skip
    elif body == "retract":
        limits = [("wishId", 256), ("comboId", 1024), ("spotId", 1024), ("pinId", 256), ("goalId", 256), ("userId", 256)]
        ids = {name: text(values, name, limit) for name, limit in limits}
        result = {name: value for name, value in ids.items() if value}
        mute = number("muteMs", 31_536_000_000)
        if len(result) != 1 or (mute and not ids["userId"]):
            raise Refused("retract")
        if mute:
            result["muteMs"] = mute
    elif body == "roomSettings":
        if len(values.get("set") or {}) > 32:
            raise Refused("set")
        own = {name: setting(name, value) for name, value in (values.get("set") or {}).items()}
        if ("wish.gap" in own) != ("wish.stageWidth" in own):
            raise Refused("wish.gap")
        if "wish.gap" in own and int(own["wish.gap"]) >= int(own["wish.stageWidth"]):
            raise Refused("wish.gap")
        result = {"set": own, "forMs": number("forMs", 10**9, default=86_400_000)}
    elif body == "roomEnd":
        result = {}
    else:
        result = {
            "rainId": text(values, "rainId", 256, needed=True), "packet": number("packet", 10**6),
            "userId": text(values, "userId", 256, needed=True),
        }  # fmt: skip
    return {"eventId": event_id, "roomId": room_id, body: result}
