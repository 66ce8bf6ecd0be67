"""Compares the screens that clients of gateways made of their streams with the topic."""

import json
import time

from listening import Viewer
from screen import Screen


# Seconds for which a gateway lets a client wait that is ahead of it.
GATEWAYS_PATIENCE = 10


class Folding(Viewer):
    """A viewer who keeps all that was told, and gives up a stream that says nothing for a while."""

    def __init__(self, *arguments):
        self.told = []
        super().__init__(*arguments, patience=10)

    def _take(self, event):
        super()._take(event)
        if event.event == "pace":
            return
        is_late = self.opened and time.monotonic() - self.opened >= GATEWAYS_PATIENCE
        name = "late snapshot" if event.event == "snapshot" and is_late else event.event
        self.told.append((name, json.loads(event.data)))


class Library:
    """A client library in a program of its own, that follows all rooms by one gateway."""

    def __init__(self, program):
        self._program = program

    def told(self, room):
        """As `Folding.told`. The program doesn't know when a snapshot is late, so each may be."""
        events = [json.loads(line) for line in list(self._program.output)]
        return [(name, data) for name, data in events if data["roomId"] == room]

    def has(self, room, command_id):
        return any(data.get("id") == command_id for _, data in self.told(room)[-50:])

    @property
    def failure(self):
        return None if self._program.is_running else f"{self._program.name} ended: {self._program.said[-2000:]}"


def difference(room, told, commands):
    """The first thing that a viewer was told otherwise than the room's commands, in the order of their topic, have it;
    None if there is none. After a snapshot the screen must be that of the topic, and so after each command; without one
    no command may be missing, and none comes twice. A late snapshot may be of an earlier place in the topic.

    told: (name, data) of each event of the viewer's streams."""
    places = {command["id"]: place for place, command in enumerate(commands)}
    mine, topic = Screen(room), Screen(room)
    following, has_snapshot, may_go_back = 0, False, False
    for name, data in told:
        if name in ("snapshot", "late snapshot"):
            mine.reset(data)
            topic.stale_after = mine.stale_after
            has_snapshot, may_go_back = True, name == "late snapshot" or may_go_back
            continue
        place = places.get(data["id"])
        if place is None or data != commands[place]:
            return f"{room}: the topic has no such command: {data}"
        if place < following and may_go_back:
            topic, following = Screen(room), 0
            topic.stale_after = mine.stale_after
        if place < following or (place > following and not has_snapshot):
            return f"{room}: {data['id']} came, where {commands[following]['id']} was next"
        for command in commands[following:place]:
            topic.apply(command)
        if has_snapshot:
            # A snapshot doesn't have when a view was counted last, so the view may be over sooner.
            topic.reset(topic.snapshot)
            if two := _apart(mine, topic):
                return f"{room}: a snapshot before {data['id']}: {two}"
        for screen in (mine, topic):
            screen.apply(data)
        if two := _apart(mine, topic):
            return f"{room}: after {data['id']}: {two}"
        following, has_snapshot, may_go_back = place + 1, False, False
    return None


def _apart(mine, topic):
    """A snapshot tells a later time than the last command, maybe."""
    now = max(mine.now, topic.now)
    for screen in (mine, topic):
        screen.advance(now)
    # Only a gateway tells how long it takes until what no command ends is over.
    if mine.snapshot["commands"] == topic.snapshot["commands"]:
        return None
    ours, theirs = (screen.snapshot["commands"] for screen in (mine, topic))
    return (f"at {now} only the viewer has {[one for one in ours if one not in theirs]}, "
            f"only the topic {[one for one in theirs if one not in ours]}")
