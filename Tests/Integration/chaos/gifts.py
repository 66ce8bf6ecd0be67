"""Every gift has its place: what was sent, by the input, and what became of it, by the commands (STAGES.md, sections 3, 8
and 9)."""

import collections
import json

DEDUPE_MS, STREAK_MS = 60_000, 600_000


def sent(records, unreadable, json_form):
    """Units of gifts of each room and log, without duplicates and with what streaks let count.

    `records`: those of all inputs, each log in its order; `unreadable`: (topic, partition, offset) of those that are not
    understood; `json_form`: makes the JSON form of Protobuf's bytes."""
    units, clocks = collections.Counter(), collections.Counter()
    seen, streaks = {}, {}
    for record in records:
        log = f"{record.topic()}/{record.partition()}"
        now = clocks[log] = max(clocks[log], record.timestamp()[1])
        if (record.topic(), record.partition(), record.offset()) in unreadable:
            continue
        event = _event(record, json_form)
        if "gift" not in event:
            continue
        gift, room = event["gift"], (event["roomId"], log)
        user = gift["sender"]["userId"]
        coming = (room, event.get("eventId"), user)
        is_duplicate = event.get("eventId") and now < seen.get(coming, -1)
        seen[coming] = now + DEDUPE_MS
        if is_duplicate:
            continue
        count = int(gift.get("count") or 1)
        if gift.get("streakId"):
            streak = (room, user, gift.get("receiverId", ""), gift["giftId"], gift["streakId"])
            before, end = streaks.get(streak, (0, -1))
            before = before if now < end else 0
            streaks[streak] = (max(count, before), now + STREAK_MS)
            count = max(0, count - before)
        units[room] += count
    return +units


def told(commands):
    """Units of each room and log that were drawn, told of crowds, or told as skipped; nothing may be queued any more.

    `commands`: as values, those of one room and log in their order."""
    drawn, crowds, skipped = {}, {}, collections.Counter()
    for command in commands:
        room = (command["roomId"], log_of(command["id"]))
        if view := command.get("giftBump") or command.get("giftHide"):
            drawn[room, view["comboId"]] = view["count"]
        elif crowd := command.get("crowdShow"):
            crowds[room, crowd["crowdId"]] = crowd["units"]
        elif command.get("skipped", {}).get("stage") == "gift":
            skipped[room] += command["skipped"]["units"]
    units = skipped
    for part in (drawn, crowds):
        for (room, _), count in part.items():
            units[room] += count
    return +units


def log_of(command):
    return command.rsplit("/", 2)[0]


def _event(record, json_form):
    kind = dict(record.headers() or ()).get("content-type", b"")
    if kind.lower().startswith(b"application/x-protobuf"):
        return json_form(record.value())
    return json.loads(record.value())
