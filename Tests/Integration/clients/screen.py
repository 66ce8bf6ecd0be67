"""A room's screen: its commands, folded by Schemas/CLIENTS.md alone. A start for other languages."""

import re

BURST_MS = 2000
MOST_BURSTS = 64
ID = re.compile(r"(.+)/([0-9]+)/([0-9]+)", re.DOTALL)


class Screen:
    def __init__(self, room):
        self.room = room
        self.now = 0
        self.gifts = {}  # by lane
        self.banners = []  # in the order in which they started
        self.rains = {}  # by id
        self.bursts = []
        self.spot = None  # what fills the screen
        self.crowd = None  # the command that told it
        self.pins = {}  # by id: the command that told it last
        self.goals = {}  # by id: the command that showed it last, with what has been counted since
        self.skips = {}  # by stage and reason
        self.end = None  # the command that ended the room, until any other comes
        self.stale_after = 0  # an item is over when no command has told of it for so long; 0: no such span is known
        self.stalled = False  # an item was over so, or none told of what must be told again; no command has come since
        self._last = 0  # the time of the latest command
        self._reached = {}  # by log: offset and place of the last command, and its time

    def apply(self, command):
        """Draws a command of this room, unless it came before."""
        if self._is_new(command):
            self.advance(command["atMs"])
            self._draw(command)
            self._drop_stale()

    def reset(self, snapshot):
        """Shows the snapshot, and nothing from before."""
        self.__init__(self.room)
        self.now = snapshot["nowMs"]
        self.stale_after = snapshot.get("staleAfterMs", 0)
        for command in snapshot["commands"]:
            self._is_new(command)
            self._draw(command)
        self._drop_stale()

    def advance(self, now):
        """Lets time pass; it never goes back."""
        if now <= self.now:
            return
        self.now = now
        self.gifts = {lane: view for lane, view in self.gifts.items() if view.get("leavesMs", now + 1) > now}
        self.banners = [banner for banner in self.banners if land(banner) > now]
        self.bursts = [burst for burst in self.bursts if burst["atMs"] + BURST_MS > now]
        if self.spot and land(self.spot) <= now:
            self.spot = None
        self.pins = {pin: told for pin, told in self.pins.items() if told["pinShow"]["endMs"] > now}
        for rain in self.rains.values():
            rain["drops"] = [drop for drop in rain["drops"] if land(drop) > now]
        self.rains = {rain: known for rain, known in self.rains.items() if is_known(known)}
        self._drop_stale()

    def _drop_stale(self):
        """Takes away items that no command will end: the last that told of them came too long ago."""
        def is_stale(told):
            return 0 < self.stale_after <= self.now - told

        gifts = {lane: view for lane, view in self.gifts.items() if "leavesMs" in view or not is_stale(view["toldMs"])}
        rains = {rain: known for rain, known in self.rains.items() if not is_stale(known["toldMs"])}
        crowd = self.crowd if self.crowd and not is_stale(self.crowd["atMs"]) else None
        goals = {goal: told for goal, told in self.goals.items()
                 if not is_stale(max(told["atMs"], told["goalShow"]["endMs"]))}
        before = (len(self.gifts), len(self.rains), self.crowd, len(self.goals))
        self.stalled |= (len(gifts), len(rains), crowd, len(goals)) != before
        ends = [told["pinShow"]["endMs"] for told in self.pins.values()]
        ends += [told["goalShow"]["endMs"] for told in goals.values()]
        self.stalled |= max(ends, default=0) > self.now and is_stale(self._last)
        self.gifts, self.rains, self.crowd, self.goals = gifts, rains, crowd, goals

    @property
    def snapshot(self):
        """The commands that draw this screen on another."""
        commands = [view["command"] | {"giftShow": view["show"] | {"from": view["count"], "total": view["total"]}}
                    for _, view in sorted(self.gifts.items()) if "leavesMs" not in view]
        commands += [banner["command"] | {"wishFly": banner["body"] | {"likes": banner["likes"]}}
                     for banner in self.banners]
        for _, rain in self.sorted_rains:
            commands += [command for command in [rain["countdown"]] if command]
            commands += [drop["command"] for drop in rain["drops"]]
            commands += [command for command in [rain["tally"]] if command]
        commands += [self.spot["command"]] if self.spot else []
        commands += [self.crowd] if self.crowd else []
        commands += self.sorted_pins + self.sorted_goals
        commands.sort(key=lambda command: command["atMs"])  # Of one time they stay in this order.
        commands += [self.end] if self.end else []
        span = {"staleAfterMs": self.stale_after} if self.stale_after else {}
        return {"roomId": self.room, "nowMs": self.now, **span, "commands": commands}

    @property
    def sorted_rains(self):
        return sorted(self.rains.items(), key=lambda item: item[0].encode())

    @property
    def sorted_pins(self):
        return sorted(self.pins.values(), key=lambda told: began(told["pinShow"], "pinId"))

    @property
    def sorted_goals(self):
        return sorted(self.goals.values(), key=lambda told: began(told["goalShow"], "goalId"))

    def _is_new(self, command):
        parts = ID.fullmatch(command["id"])
        if not parts:
            return True
        log, place, at = parts[1], (int(parts[2]), int(parts[3])), command["atMs"]
        if log in self._reached:
            last_place, last_at = self._reached[log]
            if place <= last_place and at <= last_at:
                return False
        self._reached[log] = (place, at)
        return True

    def _draw(self, command):
        self.end = None
        self.stalled = False
        self._last = max(self._last, command["atMs"])
        for kind, draw in DRAW.items():
            if kind in command:
                return draw(self, command, command[kind])

    # Gifts

    def _gift_show(self, command, show):
        self.gifts[show["lane"]] = {
            "command": command, "show": show, "count": show["from"], "total": max(show["total"], show["from"]),
            "enteredMs": command["atMs"] + show["enterMs"], "toldMs": command["atMs"]}

    def _shown(self, body):
        view = self.gifts.get(body["lane"])
        return view if view and view["show"]["comboId"] == body["comboId"] and "leavesMs" not in view else None

    def _gift_bump(self, command, bump):
        if view := self._shown(bump):
            view["count"], view["toldMs"] = bump["count"], command["atMs"]
            view["total"] = max(view["total"], bump["count"])

    def _gift_hide(self, command, hide):
        if view := self._shown(hide):
            self._gift_bump(command, hide)
            view["leavesMs"] = command["atMs"] + hide["exitMs"]
            if view["leavesMs"] <= self.now:
                del self.gifts[hide["lane"]]

    # Wishes and likes

    def _wish_fly(self, command, fly):
        banner = {"command": command, "body": fly, "startMs": command["atMs"], "likes": fly["likes"]}
        if land(banner) > self.now:
            self.banners.append(banner)
            self.banners.sort(key=lambda banner: banner["startMs"])

    def _wish_likes(self, command, likes):
        for banner in reversed(self.banners):
            if banner["body"]["wishId"] == likes["wishId"]:
                banner["likes"] = likes["likes"]
                return

    def _wish_gone(self, command, gone):
        self.banners = [banner for banner in self.banners
                        if banner["body"]["wishId"] != gone["wishId"] or log(banner["command"]) != log(command)]

    def _like_burst(self, command, burst):
        if command["atMs"] + BURST_MS > self.now:
            burst = burst | {"command": command, "atMs": command["atMs"]}
            self.bursts = [*self.bursts, burst][-MOST_BURSTS:]

    # Rains and skips

    def _rain(self, body, told):
        rain = self.rains.setdefault(body["rainId"], {"countdown": None, "drops": [], "tally": None, "toldMs": told})
        rain["toldMs"] = max(rain["toldMs"], told)
        return rain

    def _rain_countdown(self, command, countdown):
        self._rain(countdown, command["atMs"])["countdown"] = command

    def _rain_drop(self, command, body):
        drop = {"command": command, "body": body, "startMs": command["atMs"]}
        if land(drop) > self.now:
            self._rain(body, land(drop))["drops"].append(drop)

    def _rain_tally(self, command, tally):
        self._rain(tally, command["atMs"])["tally"] = command

    def _rain_end(self, command, end):
        self.rains.pop(end["rainId"], None)

    def _spot_show(self, command, show):
        spot = {"command": command, "body": show, "startMs": command["atMs"]}
        if land(spot) > self.now:
            self.spot = spot

    def _spot_gone(self, command, gone):
        if self.spot and self.spot["body"]["spotId"] == gone["spotId"]:
            self.spot = None

    def _crowd_show(self, command, show):
        self.crowd = command

    def _crowd_hide(self, command, hide):
        if self.crowd and self.crowd["crowdShow"]["crowdId"] == hide["crowdId"]:
            self.crowd = None

    # Pins and goals

    def _pin_show(self, command, show):
        self.pins.pop(show["pinId"], None)
        if show["endMs"] > self.now:
            self.pins[show["pinId"]] = command

    def _pin_gone(self, command, gone):
        self.pins.pop(gone["pinId"], None)

    def _goal_show(self, command, show):
        self.goals[show["goalId"]] = command

    def _goal_count(self, command, count):
        if told := self.goals.get(count["goalId"]):
            self.goals[count["goalId"]] = told | {"goalShow": told["goalShow"] | count}

    def _goal_end(self, command, end):
        self.goals.pop(end["goalId"], None)

    def _room_end(self, command, end):
        def stays(told):
            return told and log(told) != log(command)

        self.gifts = {lane: view for lane, view in self.gifts.items() if stays(view["command"])}
        self.banners = [banner for banner in self.banners if stays(banner["command"])]
        self.bursts = [burst for burst in self.bursts if stays(burst["command"])]
        self.spot = self.spot if self.spot and stays(self.spot["command"]) else None
        self.crowd = self.crowd if stays(self.crowd) else None
        self.pins = {pin: told for pin, told in self.pins.items() if stays(told)}
        self.goals = {goal: told for goal, told in self.goals.items() if stays(told)}
        for rain in self.rains.values():
            rain["drops"] = [drop for drop in rain["drops"] if stays(drop["command"])]
            for what in ("countdown", "tally"):
                rain[what] = rain[what] if stays(rain[what]) else None
        self.rains = {rain: known for rain, known in self.rains.items() if is_known(known)}
        self.end = command

    def _skipped(self, command, skipped):
        count = self.skips.setdefault((skipped["stage"], skipped["reason"]), {"items": 0, "units": 0})
        count["items"] += skipped["items"]
        count["units"] += skipped["units"]


def is_known(rain):
    """Whether anything of a rain is left."""
    return rain["countdown"] or rain["drops"] or rain["tally"]


def began(show, name):
    """Sorts pins, and goals: by their beginning, and of one time by their ids."""
    return show["startMs"], show[name].encode()


def log(command):
    """The log that a command came from."""
    parts = ID.fullmatch(command["id"])
    return parts[1] if parts else command["id"]


def land(flying):
    """The time at which a banner or a packet has landed, or the spot's item is over."""
    body = flying["body"]
    return flying["startMs"] + (body["durationMs"] if "durationMs" in body else body["fallMs"])


def flown(flying, now, way):
    """The part of its way that it has flown by now."""
    span = land(flying) - flying["startMs"]
    return way * min(max(now - flying["startMs"], 0), span) // span


DRAW = {
    "giftShow": Screen._gift_show, "giftBump": Screen._gift_bump, "giftHide": Screen._gift_hide,
    "wishFly": Screen._wish_fly, "wishLikes": Screen._wish_likes, "wishGone": Screen._wish_gone,
    "likeBurst": Screen._like_burst,
    "rainCountdown": Screen._rain_countdown, "rainDrop": Screen._rain_drop, "rainTally": Screen._rain_tally,
    "rainEnd": Screen._rain_end, "spotShow": Screen._spot_show, "spotGone": Screen._spot_gone,
    "crowdShow": Screen._crowd_show, "crowdHide": Screen._crowd_hide,
    "pinShow": Screen._pin_show, "pinGone": Screen._pin_gone, "goalShow": Screen._goal_show,
    "goalCount": Screen._goal_count, "goalEnd": Screen._goal_end, "skipped": Screen._skipped, "roomEnd": Screen._room_end,
}  # fmt: skip
