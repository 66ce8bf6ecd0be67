"""A fold made from Schemas/CLIENTS.md alone shows what every fold must show: the page is enough."""

import json
import pathlib

import pytest
from screen import Screen, flown

CASES = sorted((pathlib.Path(__file__).resolve().parents[2] / "ScreenCases").glob("*.json"))
STAGE = 375


def shown(screen):
    """The screen in the form of Tests/ScreenCases/README.md."""
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
    spot = screen.spot and {"spotId": screen.spot["body"]["spotId"], "startMs": screen.spot["startMs"],
                            "endMs": screen.spot["startMs"] + screen.spot["body"]["durationMs"]}
    told = screen.crowd and screen.crowd["crowdShow"]
    crowd = told and {name: told[name] for name in ("crowdId", "items", "units")} | {
        "names": [sender["userId"] for sender in told["names"]]}
    return {"nowMs": screen.now, "gifts": gifts, "banners": banners, "rains": rains,
            "bursts": [burst["count"] for burst in screen.bursts], "skips": skips, "ended": screen.end is not None, "stalled": screen.stalled,
            "pins": [{name: told["pinShow"][name] for name in ("pinId", "startMs", "endMs")} for told in screen.sorted_pins],
            "goals": [{name: told["goalShow"][name] for name in ("goalId", "progress", "reached", "sides", "endMs")}
                      for told in screen.sorted_goals],
            "spot": spot, "crowd": crowd, "snapshot": screen.snapshot}


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
            assert {name: now[name] for name in value} == value, f"step {number}: {case['about']}"
    assert looks


def test_there_are_cases():
    assert len(CASES) > 10
