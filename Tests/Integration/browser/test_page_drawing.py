"""The page shows what the commands say."""

import json
import pathlib
import random

import pytest
from backstage import now_ms, spot
from waiting import wait_for

CASES = pathlib.Path(__file__).resolve().parents[2] / "ScreenCases"
VECTORS = pathlib.Path(__file__).resolve().parents[3] / "Schemas/vectors"


def test_a_gift_enters_counts_and_leaves(phone, room):
    room.show(total=3, lane=1)
    phone.open(room)
    stage = phone.wait_stage("the gift", lambda s: s["gifts"])
    assert stage["gifts"][0] == {"lane": 1, "combo": room.combo(1), "count": 0, "number": "", "words": "阿花\n\nsent Rose"}
    for count in (1, 2, 3):
        room.bump(count)
        phone.wait_stage(f"×{count}", lambda s, n=f"×{count}": s["gifts"] and s["gifts"][0]["number"] == n)
    room.hide(3)
    phone.wait_stage("an empty lane", lambda s: not s["gifts"])
    phone.wait("no node to be left", "return document.querySelector('.gift') === null")


def test_what_counts_makes_no_node_anew(phone, room):
    def tally(opened):
        room.say("rainTally", rainId="rain", opened=opened, winners=0, coins=0)

    room.show(count=1, total=9)
    tally(1)
    phone.open(room)
    phone.wait_stage("the gift", lambda s: s["gifts"])
    phone.wait("the tally", "return document.querySelector('.tally').textContent.startsWith('1 ')")
    phone.js("""
      window.made = 0;
      const observer = new MutationObserver((changes) => (made += changes.length));
      for (const node of document.querySelectorAll(".gift-number, .tally")) observer.observe(node, { childList: true, subtree: true });
    """)
    for count in range(2, 6):
        room.bump(count)
        tally(count)
    phone.wait("the last number", "return document.querySelector('.tally').textContent.startsWith('5 ')")
    phone.wait_stage("the other", lambda s: s["gifts"][0]["number"] == "×5")
    assert phone.js("return made") == 0


def test_two_lanes_hold_two_gifts_one_above_the_other(phone, room):
    room.show(1, lane=1, name="阿花")
    room.show(2, lane=0, name="Ann", user="9")
    phone.open(room)
    phone.wait_stage("both", lambda s: [g["combo"] for g in s["gifts"]] == [room.combo(2), room.combo(1)])
    tops = phone.js("return [0, 1].map((lane) => document.querySelector(`[data-lane='${lane}']`).getBoundingClientRect().top)")
    assert tops[0] + 40 < tops[1]


@pytest.mark.parametrize("width", [320, 390])
def test_a_name_begins_where_it_is_read_and_a_great_number_hides_neither_it_nor_a_button(phone, room, width):
    phone.resize(width, 700)
    room.show(1, lane=0, name="نور الدين عبد الرحمن بن محمد", count=999_999, value=5000)
    room.show(2, lane=1, name="Maximiliane von Hohenstein", count=77_777, user="9")
    phone.open(room, sends=True)
    phone.wait_stage("both", lambda s: len(s["gifts"]) == 2)
    phone.wait_still("them", ".gift")
    for lane, way in ((0, "rtl"), (1, "ltr")):
        name, number, button, direction = phone.js("""
          const gift = document.querySelector(`.gift[data-lane="${arguments[0]}"]`);
          const [name, number] = [".gift-sender", ".gift-number"].map((s) => gift.querySelector(s));
          return [name.clientWidth, number.getBoundingClientRect().right - parseFloat(getComputedStyle(number).paddingRight),
                  document.querySelector(".rail .icon").getBoundingClientRect().left, getComputedStyle(name).direction];
        """, lane)
        assert name >= 50 and number <= button + 4 and direction == way


def test_what_viewers_wrote_is_only_ever_text(phone, room):
    evil = "<img src=x onerror=alert(1)>"
    room.show(name=evil, giftName=evil)
    room.fly(name=evil, text=evil, width=500)
    phone.open(room)
    stage = phone.wait_stage("both", lambda s: s["gifts"] and s["wishes"])
    assert evil in stage["gifts"][0]["words"] and evil in stage["wishes"][0]["text"]
    assert phone.js("return document.querySelector('.room [onerror]')") is None


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (1440, 900)], ids=str)
def test_a_wish_is_where_its_command_has_it_at_every_moment(phone, room, size):
    phone.resize(*size)
    duration = 120_000
    at_ms = room.fly(width=190, duration_ms=duration, at_ms=now_ms() - 40_000)
    room.come_to_now()
    phone.gateway.wait_told(room, 1)
    phone.open(room)
    phone.wait_stage("the wish", lambda s: s["wishes"])
    for _ in range(3):
        left, width, now, stage = phone.frame("""
          const [box, rooms] = [".wish", ".rooms"].map((s) => document.querySelector(s).getBoundingClientRect());
          const { clock, lagMs } = flyscreen.room(arguments[0]);
          // A window may make a pixel of the stage larger.
          const pixel = rooms.width / document.querySelector(".rooms").offsetWidth;
          return [(box.left - rooms.left) / pixel, box.width / pixel, clock.now(document.timeline.currentTime) - lagMs, rooms.width / pixel];
        """, room.id)
        # A stage that is narrower than any in use shows the same picture, smaller.
        units = max(375, stage)
        scale = stage / units
        assert width == pytest.approx(190 * scale, abs=1)
        flown = (now - at_ms) / duration
        assert left == pytest.approx(scale * (units - (units + 190) * flown), abs=0.5)


@pytest.mark.parametrize("width", [320, 390])
def test_wishes_on_a_track_keep_apart_on_every_stage(phone, room, width):
    phone.resize(width, 700)
    # Banners as close as section 4 of STAGES.md lets them: a short one after a long one.
    first, second, duration, gap, stage_width = 300, 120, 120_000, 24, 375
    after = max(
        -(-(first + gap) * duration // (stage_width + first)),
        duration - (stage_width - gap) * duration // (stage_width + second))
    # The second has just begun: they are nowhere nearer to each other.
    start = now_ms() - after
    room.fly("w1", width=first, duration_ms=duration, at_ms=start)
    room.fly("w2", width=second, duration_ms=duration, at_ms=start + after)
    room.come_to_now()
    phone.gateway.wait_told(room, 2)
    phone.open(room)
    phone.wait_stage("both", lambda s: len(s["wishes"]) == 2)
    for _ in range(30):
        left, right = phone.frame("""
          const [a, b] = ["w1", "w2"].map((wish) => document.querySelector(`[data-wish=${wish}]`).getBoundingClientRect());
          return [a.right, b.left];
        """)
        assert right - left >= gap * min(1, width / stage_width) - 1


def test_likes_of_a_wish_and_hearts_of_the_room_are_drawn(phone, room):
    phone.open(room)
    room.fly("w1", likes=2)
    phone.wait_stage("its likes", lambda s: s["wishes"] and s["wishes"][0]["likes"] == 2)
    room.say("wishLikes", wishId="w1", likes=9)
    phone.wait_stage("more", lambda s: s["wishes"][0]["likes"] == 9)
    room.say("likeBurst", count=3, points=[{"x": 100, "y": 500}, {"x": 500, "y": 500}, {"x": 900, "y": 500}])
    phone.wait_stage("the hearts", lambda s: s["hearts"] == 3)


def test_a_rain_counts_down_falls_and_is_summed_up(phone, room):
    phone.open(room)
    # One that is far off, and one that begins soon.
    room.say("rainCountdown", rainId="later", left=2, startMs=now_ms() + 600_000, durationMs=3000)
    number = "document.querySelector('.countdown-number').textContent"
    phone.wait("the countdown", f"return !document.querySelector('.countdown').hidden && {number} === '2'")
    room.say("rainEnd", rainId="later")
    phone.wait("the countdown to go", "return document.querySelector('.countdown').hidden")
    room.say("rainCountdown", rainId="rain", left=1, startMs=now_ms() + 1000, durationMs=3000)
    phone.wait("the next", "return flyscreen.room(arguments[0]).settle().rains.length === 1", room.id)
    phone.wait("the countdown to go", "return document.querySelector('.countdown').hidden")
    room.drop(0, x=0, fall_ms=60_000)
    room.drop(1, x=999, fall_ms=60_000)
    phone.wait_stage("packets", lambda s: len(s["packets"]) == 2)
    # Packets turn about their middles.
    places = "return [...document.querySelectorAll('.packet')].map((p) => p.getBoundingClientRect()).map((b) => [b.left + b.width / 2, b.top])"
    before = phone.js(places)
    assert before[0][0] == pytest.approx(29, abs=1) and before[1][0] == pytest.approx(390 - 29, abs=1)
    phone.wait("them to fall", f"return ((p) => p.length && p[0][1] > {before[0][1]} + 20)((() => {{ {places} }})())")
    room.say("rainTally", rainId="rain", opened=5, winners=2, coins=11)
    phone.wait("the tally", "return document.querySelector('.tally').textContent.includes('5 opened')")
    room.say("rainEnd", rainId="rain")
    phone.wait("its end", "return !document.querySelector('.summary').hidden && document.querySelector('.tally').hidden")


def test_who_comes_late_sees_what_everybody_sees(phone, room):
    at_ms = now_ms() - 2500
    room.show(count=7, total=9, at_ms=at_ms)
    room.fly(at_ms=at_ms)
    room.drop(4, fall_ms=60_000, at_ms=at_ms)
    # By this the log has come to now.
    room.bump(8)
    phone.gateway.wait_told(room, 3)
    phone.open(room)
    stage = phone.wait_stage("all of it", lambda s: s["gifts"] and s["wishes"] and s["packets"])
    assert stage["gifts"][0]["number"] == "×8"
    # A view that entered long ago stands; a packet in the air is in the middle of its way.
    entered, flown, top, now = phone.frame("""
      const time = (selector) => document.querySelector(selector).getAnimations()[0];
      const { clock, lagMs } = flyscreen.room(arguments[0]);
      return [time(".gift").playState, time(".wish").currentTime, new DOMMatrix(getComputedStyle(document.querySelector(".packet")).transform).f,
              clock.now(document.timeline.currentTime) - lagMs];
    """, room.id)
    assert entered == "finished" and flown > 2000
    assert flown == pytest.approx(now - at_ms, abs=20)
    # Its button follows it, a little behind.
    def begun(ms):
        return -90 + (844 + 90) * ms / 60_000

    assert begun(now - at_ms - 1000) <= top <= begun(now - at_ms + 20)


def test_what_flies_is_drawn_where_it_is(phone, room):
    drawn = """
      const [canvas, packet] = [".air canvas", ".packet"].map((selector) => document.querySelector(selector));
      const [stage, box] = [canvas, packet].map((node) => node.getBoundingClientRect());
      const context = new OffscreenCanvas(stage.width, stage.height).getContext("2d");
      context.drawImage(canvas, 0, 0, stage.width, stage.height);
      const at = (aside, down) => [...context.getImageData(box.x - stage.x + box.width / 2 + aside, box.y - stage.y + box.height / 2 + down, 1, 1).data];
      return [at(0, 20), at(120, 0)];
    """
    room.come_to_now()
    room.drop(0, at_ms=now_ms() - 300_000)
    phone.open(room)
    (red, green, blue, opacity), beside = phone.wait("a packet", f"const seen = (() => {{ {drawn} }})(); return seen[0][3] === 255 && seen")
    assert red > 180 and green < 120 and blue < 120, "it is a red one"
    assert beside[3] == 0, "and there is nothing beside it"
    # A heart rises from where somebody tapped.
    taken = "const b = document.querySelector('.packet').getBoundingClientRect(); return [b.x + b.width / 2 + 120, b.y + b.height / 2]"
    x, y = phone.js(taken)
    points = [{"x": int(x / 390 * 1000), "y": int((y + 50 + n) / 844 * 1000)} for n in range(40)]

    def is_drawn():
        # Hearts are there for a moment, which a busy machine may miss.
        room.say("likeBurst", count=40, points=points)
        return phone.js(drawn)[1][3] > 0

    wait_for("hearts", is_drawn, every=0.5)


def test_a_room_that_sleeps_keeps_no_canvas_and_moves_nothing(phone, room, kafka):
    other = kafka.room("another")
    for one in (room, other):
        one.drop(0)
        phone.gateway.wait_told(one, 1)
    phone.open(room, other)
    canvases = "return [...document.querySelectorAll('.room')].map((node) => [node.dataset.room, node.querySelectorAll('canvas').length]).sort()"
    phone.wait("a canvas", f"return JSON.stringify((() => {{ {canvases} }})()) === arguments[0]", as_json(sorted([[room.id, 1], [other.id, 0]])))
    phone.press("ArrowDown")
    phone.wait("the other's", f"return JSON.stringify((() => {{ {canvases} }})()) === arguments[0]", as_json(sorted([[room.id, 0], [other.id, 1]])))
    phone.wait("nothing to move in the room that sleeps", """
      const moves = document.getAnimations().filter(({ playState }) => playState === "running");
      return moves.length > 0 && !moves.some(({ effect }) => effect.target.closest(".is-away"));
    """)


def as_json(value):
    return json.dumps(value, separators=(",", ":"))


def test_places_take_their_steps_together_and_no_more_of_them_than_are_seen(phone, room, kafka):
    phone.open(room, kafka.room("another"))
    steps = phone.js("""
      return document.getAnimations().filter(({ effect }) => effect.target.matches(".layer")).map(({ animationName, effect }) => {
        const frames = effect.getKeyframes();
        const [, steps] = /^steps\\((\\d+)\\)$/.exec(frames[0].easing) ?? [null, Infinity];
        return [animationName, effect.getTiming().duration / (frames.length - 1) / steps];
      });
    """)
    assert {name for name, _ in steps} == {"beam", "bob", "drift", "ember", "shimmer", "swell"}
    assert all(abs(ms - 50) < 0.001 for _, ms in steps), steps


def test_a_flood_is_on_the_page_as_it_is_on_the_screen_it_is_folded_into(phone, room):
    """Nodes are never more than what is shown, and show just that."""
    lines = (VECTORS / "flood-1/commands.ndjson").read_text().splitlines()
    commands = [json.loads(line) for line in lines]
    some = [c for c in commands if c["roomId"] == commands[0]["roomId"]][:260]
    phone.open(room)
    phone.js("""
      window.flew = new Set();
      window.heard = 0;
      flyscreen.addEventListener("command", ({ detail: { command } }) => (flew.add(command.wishFly?.wishId), (heard += 1)));
    """)
    compare = """
      const screen = flyscreen.room(arguments[0]).settle();
      const node = document.querySelector(".room:not([inert])");
      const drawn = [...node.querySelectorAll(".gift:not(.is-leaving)")].map((g) => `${g.dataset.lane} ${g.dataset.combo} ${g.dataset.count}`);
      const shown = screen.gifts.filter((g) => g.leavesMs === null).map((g) => `${g.show.lane} ${g.show.comboId} ${g.count}`);
      const wishes = [...node.querySelectorAll(".wish")].map((w) => `${w.dataset.wish} ${w.dataset.track} ${w.dataset.likes}`);
      // One that lands in this very frame is gone from one and not yet from the other.
      const near = (b) => b.landMs - screen.nowMs < 60;
      const flying = screen.banners.filter((b) => !near(b)).map((b) => `${b.fly.wishId} ${b.fly.track} ${b.likes}`);
      // A node may stay a frame longer than its banner, but there was one.
      const strange = [...node.querySelectorAll(".wish")].filter((w) => !flew.has(w.dataset.wish)).length;
      return [drawn.sort(), shown.sort(), flying.filter((b) => !wishes.includes(b)), strange,
              wishes.length - screen.banners.length, node.querySelectorAll("*").length];
    """
    moved = """
      const frames = document.getAnimations().flatMap(({ effect }) => effect.getKeyframes());
      return frames.flatMap(({ offset, computedOffset, easing, composite, ...properties }) => Object.keys(properties));
    """
    most = 0
    for begin in range(0, len(some), 40):
        kinds = [(next(k for k in c if k not in ("roomId", "id", "atMs")), c) for c in some[begin:begin + 40]]
        room.say_all([(kind, now_ms(), command[kind]) for kind, command in kinds])
        # Commands that come at once are drawn over several frames.
        is_drawn = f"if (heard < arguments[1]) return null; const told = (function () {{ {compare} }}).apply(null, arguments); return `${{told[0]}}` === `${{told[1]}}` && told[2].length === 0 && told"
        _, shown, _, strange, _, nodes = phone.wait("it to be drawn", is_drawn, room.id, begin + len(kinds))
        assert strange == 0
        assert nodes < 1500
        # Properties that a compositor moves by itself: no frame has anything laid out or painted.
        assert set(phone.js(moved)) <= {"transform", "opacity"}
        most = max(most, len(shown))
    assert most == 2
    wait_for("what has landed to be gone", lambda: phone.js(compare, room.id)[4] == 0)


@pytest.mark.more
def test_the_module_folds_as_the_server_does(phone, room):
    phone.open(room)
    cases = sorted(CASES.glob("*.json"))
    assert cases
    wrong = {}
    for case in cases:
        told = json.loads(case.read_text())
        if complaints := phone.run("fold_case.js", told["steps"], told["roomId"]):
            wrong[case.name] = complaints[:2]
    assert wrong == {}


def test_reduced_motion_stands_still_and_tells_as_much(phone, room):
    phone.reduce_motion()
    at_ms = now_ms()
    room.show(count=3, total=3, at_ms=at_ms)
    room.fly(at_ms=at_ms)
    room.drop(0, at_ms=at_ms)
    phone.open(room)
    phone.wait_stage("all of it", lambda s: s["gifts"] and s["wishes"] and s["packets"])
    wait_for("them to have appeared", lambda: phone.js("return flyscreen.room(arguments[0]).nowMs", room.id) > at_ms + 800)
    places = """
      return [".gift", ".wish", ".packet"].map((s) => document.querySelector(s).getBoundingClientRect())
        .map((b) => [b.left, b.top]);
    """
    before = phone.js(places)
    inside = all(0 <= left < 390 and 0 <= top < 844 for left, top in before)
    now = phone.js("return flyscreen.room(arguments[0]).nowMs", room.id)
    phone.wait("time to pass", "return flyscreen.room(arguments[0]).nowMs > arguments[1]", room.id, now + 300)
    assert inside and phone.js(places) == before


@pytest.mark.parametrize("stage_width", [375, 320, 700])
def test_a_crowds_wishes_never_overlap_on_any_stage(modules, stage_width):
    """A page doesn't know the narrowest stage in use, which is a setting of the gateway: wishes keep apart for each."""
    flies = crowd_of_wishes(random.Random(stage_width), stage_width)
    nearest = modules.run("wish_gaps.js", flies, [320, 375, 430, 2560])
    assert len(nearest) == 4 and all(gap > 0 for gap in nearest.values()), nearest
    if stage_width <= 375:
        # The gap, but for what the page's clock has learned between two; on a narrow stage everything is smaller.
        assert all(gap >= 12 * min(1, int(width) / 375) for width, gap in nearest.items()), nearest


def crowd_of_wishes(chance, stage_width, gap=24, tracks=3, duration=6000):
    """Banners as close as section 4 of STAGES.md lets them fly."""
    free = [[] for _ in range(tracks)]
    flies, now = [], 0
    for number in range(45):
        width = chance.choice((90, 120, 190, 260, 420, 800))

        def opens(track):
            return max((
                max(start + -(-(before + gap) * duration // (stage_width + before)),
                    start + duration - (stage_width - gap) * duration // (stage_width + width))
                for start, before in free[track][-1:]), default=0)

        now = max(now, min(map(opens, range(tracks)))) + chance.choice((0, 0, 350, 1000))
        track = next(track for track in range(tracks) if opens(track) <= now)
        free[track].append((now, width))
        flies.append({"wishId": f"w{number}", "track": track, "width": width, "atMs": now})
        now += 200
    return flies


def test_sparks_fly_about_a_moment_and_are_gone_with_it(phone, room):
    phone.resize(390, 844)
    phone.open(room)
    # A castle's sparks fly from three places; the gift itself is smaller than the square that is looked at.
    room.say("spotShow", **spot("s", "gift", giftId="castle", tier=2, durationMs=20_000))
    seen = phone.wait("sparks", """
      const canvas = document.querySelector(".moment > .moment-sparks > canvas");
      const seen = (window.seen_ ??= document.createElement("canvas")).getContext("2d", { willReadFrequently: true });
      [seen.canvas.width, seen.canvas.height] = [canvas.width, canvas.height];
      seen.drawImage(canvas, 0, 0);
      const { data } = seen.getImageData(0, 0, canvas.width, canvas.height);
      const [xs, ys] = [[], []];
      for (let at = 3; at < data.length; at += 4) if (data[at] > 100) {
        xs.push(((at - 3) / 4 % canvas.width) / canvas.width);
        ys.push(Math.floor((at - 3) / 4 / canvas.width) / canvas.height);
      }
      const ends = (list) => list.reduce(([least, most], one) => [Math.min(least, one), Math.max(most, one)], [1, 0]);
      return xs.length > 0 && [...ends(xs), ...ends(ys)];
    """)
    left, right, top, bottom = seen
    assert 0 <= left < right <= 1 and 0.1 < top < bottom < 0.8, seen
    room.say("spotGone", spotId="s")
    phone.wait("all of it to be gone", "return !document.querySelector('.moment') && document.querySelectorAll('canvas').length === 0")
