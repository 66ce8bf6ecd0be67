"""A fold made from Schemas/CLIENTS.md alone shows what every fold must show: the page is enough."""

import json
import pathlib

import pytest
from screen import Screen, flown

CASES = sorted((pathlib.Path(__file__).resolve().parents[2] / "ScreenCases").glob("*.json"))
STAGE = 375


def shown(screen):
    """As Tests/ScreenCases/README.md has it."""
    gifts = [{"lane": lane, "comboId": view["show"]["comboId"]}
             | {name: view[name] for name in ("count", "total", "enteredMs", "leavesMs") if name in view}
             for lane, view in sorted(screen.gifts.items())]
    banners = [{"wishId": banner["body"]["wishId"], "track": banner["body"]["track"], "startMs": banner["startMs"],
                "likes": banner["likes"], "left": STAGE - flown(banner, screen.now, STAGE + banner["body"]["width"])}
               for banner in screen.banners]
    rains = []
    for rain, known in screen.sorted_rains:
        drops = [{"packet": drop["body"]["packet"], "fallen": flown(drop, screen.now, 1000)} for drop in known["drops"]]
        left = {"left": known["countdown"]["rainCountdown"]["left"]} if known["countdown"] else {}
        opened = {"opened": known["tally"]["rainTally"]["opened"]} if known["tally"] else {}
        rains.append({"rainId": rain, **left, **opened, "drops": drops})
    skips = [{"stage": stage, "reason": reason, **count} for (stage, reason), count in screen.skips.items()]
    return {"nowMs": screen.now, "gifts": gifts, "banners": banners, "rains": rains,
            "bursts": [burst["count"] for burst in screen.bursts], "skips": skips, "ended": screen.is_ended,
            "snapshot": whole_snapshot(screen.snapshot)}


def whole(command):
    """With what an older server doesn't tell."""
    if show := command.get("giftShow"):
        return command | {"giftShow": {"tier": 0} | show}
    if drop := command.get("rainDrop"):
        return command | {"rainDrop": {"toX": drop["x"], "spinMs": drop["fallMs"]} | drop}
    return command


def whole_snapshot(snapshot):
    return snapshot | {"commands": [whole(command) for command in snapshot["commands"]]}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_screen_shows_what_every_fold_must_show(path):
    case = json.loads(path.read_text())
    screen = Screen(case["roomId"])
    looks = 0
    for number, step in enumerate(case["steps"]):
        for what, value in step.items():
            if what != "expect":
                getattr(screen, what)(value)
                continue
            looks += 1
            now = shown(screen)
            if "snapshot" in value:
                value = value | {"snapshot": whole_snapshot(value["snapshot"])}
            assert {name: now[name] for name in value} == value, f"step {number}: {case['about']}"
    assert looks


def test_there_are_cases():
    assert len(CASES) > 10
