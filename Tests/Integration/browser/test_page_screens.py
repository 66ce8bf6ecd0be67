"""The page on every screen: what it takes of it, and what is said where there is nothing to see."""

import itertools
import json

import pytest
from backstage import Gateway, now_ms, sender, spot
from waiting import wait_for

places = itertools.count(1000)
BOX = "const { x, y, width, height } = document.querySelector('.phone').getBoundingClientRect(); return [x, y, width, height]"


@pytest.mark.parametrize("size, least", [((820, 1180), 0.99), ((1280, 800), 0.3), ((3840, 2160), 0.25)], ids=str)
def test_the_stage_takes_the_room_that_there_is(phone, room, size, least):
    phone.resize(*size)
    phone.open(room, sends=True)
    width, height = size
    x, y, stage_width, stage_height = phone.js(BOX)
    assert stage_width * stage_height >= least * width * height
    assert x >= 0 and y >= 0 and x + stage_width <= width + 1 and y + stage_height <= height + 1
    # A tap tells its place on the stage, whatever that is of the window.
    phone.tap(x + stage_width / 2, y + stage_height / 4, times=2)
    tap = phone.gateway.kafka.wait_events(room, "taps", 1)[0]["points"][0]
    assert (tap["x"], tap["y"]) == pytest.approx((500, 250), abs=6)


def test_a_television_is_legible_from_across_the_room(phone, room):
    phone.resize(3840, 2160)
    room.show(count=66)
    room.fly("w1", likes=7)
    phone.driver.get(phone.gateway.page(room) + "&stage")
    phone.wait_stage("both", lambda s: s["gifts"] and s["wishes"])
    smallest = phone.js("""
      const stage = document.querySelector(".phone"), scale = stage.getBoundingClientRect().width / stage.offsetWidth;
      const texts = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT), sizes = [];
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const node = text.parentElement;
        const isSeen = text.data.trim() && node.getClientRects().length > 0 && !node.closest(".away, [hidden], .wish-sender:empty");
        if (isSeen) sizes.push([parseFloat(getComputedStyle(node).fontSize) * scale, node.className, text.data]);
      }
      return sizes.sort(([a], [b]) => a - b)[0];
    """)
    assert smallest[0] >= 0.022 * 2160, smallest
    assert phone.js(BOX)[2:] == pytest.approx([3840, 2160], abs=1)
    assert phone.js("return [...document.querySelectorAll('.controls, .wish-list')].every((node) => !node.getClientRects().length)")


def end(room):
    room.kafka.send("render.commands", room.id, {
        "roomId": room.id, "id": f"im.{room.id}/0/{next(places)}/0", "atMs": now_ms(), "roomEnd": {}})


@pytest.mark.parametrize("comes_late", [False, True])
def test_an_ended_room_takes_nothing_and_offers_the_next(phone, kafka, comes_late):
    rooms = [kafka.room(name) for name in ("ends", "goes on")]
    for room in rooms:
        room.show(count=1)
    if comes_late:
        end(rooms[0])
        wait_for(
            "the gateway to hear of it",
            lambda: any("roomEnd" in command for command in phone.gateway.snapshot(rooms[0])["commands"]))
    phone.open(*rooms, sends=True)
    if not comes_late:
        end(rooms[0])
    phone.wait("its end", "return !document.querySelector('.room:not([inert]) .room-over').hidden")
    assert phone.js("return [...document.querySelectorAll('.bar, .rail')].every((node) => node.getClientRects().length === 0)")
    # Fingers and keys would make it live again, for everybody.
    phone.tap(195, 250, times=2)
    phone.press("l")
    phone.click(".room:not([inert]) .room-next")
    phone.wait_stage("the next", lambda s: s["room"] == rooms[1].id)
    phone.wait("its buttons", "return document.querySelector('.bar').getClientRects().length > 0")
    phone.press("l")
    # They go one by one, so all that were sent before are there.
    phone.gateway.kafka.wait_events(rooms[1], "taps", 1)
    assert phone.gateway.kafka.events(rooms[0].id) == [] and phone.js("return seen.own") == 1


def test_an_ended_room_on_a_television_offers_nothing_to_press(phone, kafka):
    rooms = [kafka.room(name) for name in ("ends", "goes on")]
    end(rooms[0])
    phone.driver.get(phone.gateway.page(*rooms) + "&stage")
    phone.wait("its end", "return !document.querySelector('.room:not([inert]) .room-over').hidden")
    assert phone.js("return document.querySelector('.room:not([inert]) .room-next').getClientRects().length") == 0


def test_of_a_quiet_room_with_a_past_nobody_says_that_nothing_is_known(phone, room):
    room.fly("w1", at_ms=now_ms() - 60_000, duration_ms=50)
    room.come_to_now()
    phone.gateway.wait_told(room, 0)
    phone.open(room)
    phone.wait("its past", "return flyscreen.room(arguments[0]).past?.wishes.length === 1", room.id)
    assert phone.js("return document.querySelector('.room-over').hidden")


def test_a_room_of_which_only_hearts_were_seen_is_known(phone, room):
    room.say("likeBurst", at_ms=now_ms() - 60_000, count=3, points=[])
    phone.gateway.wait_told(room, 0)
    phone.open(room)
    past = phone.js("return flyscreen.room(arguments[0]).past", room.id)
    assert (past["givers"], past["wishes"], past["crowds"]["gifts"]) == ([], [], 0)
    assert phone.js("return document.querySelector('.room-over').hidden")


CROWD = {
    "receiverId": "", "giftId": "beer", "giftName": "", "value": 1, "items": 12, "units": 36,
    "names": [sender(name, name) for name in ("Mia", "Дмитрий", "Maximiliane")]}
NAME = "Maximiliane von Hohenfels"
# From the smallest phone to a wall; those between are where the page's styles change.
SIZES = (
    (300, 480), (320, 568), (360, 560), (360, 640), (375, 667), (390, 844), (430, 932), (559, 520), (600, 600),
    (568, 320), (667, 375), (740, 360), (844, 390), (1000, 519), (820, 1180), (1280, 800), (3840, 2160))
READABLE = (
    ".gift-words", ".gift-number", ".milestone b", ".crowd", ".skips", ".wish", ".tally", ".moment-line", ".own-wish", ".combo-button", ".goal", ".pins",
    ".rail-button", ".wish-input", ".gift-opener", ".room-name", ".wish-list", ".ranking")
LYING_ON_EACH_OTHER = """
  const text = document.createRange(), stage = document.querySelector(".phone").getBoundingClientRect();
  const boxes = arguments[0].flatMap((selector) => [...document.querySelectorAll(selector)].map((node) => {
    text.selectNodeContents(node);
    return [selector, (selector === ".gift-number" ? text : node).getBoundingClientRect()];
  })).filter(([, { width, height }]) => width > 0 && height > 0);
  const isWithin = (a, b) => a.left > b.left - 1 && a.right < b.right + 1 && a.top > b.top - 1 && a.bottom < b.bottom + 1;
  const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return [
    ...boxes.flatMap(([name, a], i) => boxes.slice(i + 1).filter(([, b]) => overlap(a, b)).map(([other]) => [name, other])),
    // A wish comes in from beyond an edge.
    ...boxes.filter(([name, a]) => name !== ".wish" && !isWithin(a, stage)).map(([name]) => [name, "the edge"]),
  ];
"""


def fill(room):
    """Says all that a room may show at once, but for what falls and what fills the stage in the midst of it."""
    for lane in (0, 1):
        room.show(lane, lane=lane, name=NAME, user=str(lane), count=1313, total=1314, tier=2 * lane)
    room.say("crowdShow", crowdId=room.combo(9), **CROWD)
    room.say("rainTally", rainId="rain", opened=1234, winners=1000, coins=99_999)
    begin = now_ms()
    room.say("goalShow", goalId="g", text="New microphone", by="value", giftId="", receiverId="", target=1000, progress=500, reached=0,
             sides=[], startMs=begin, endMs=begin + 600_000, extra="")
    room.say("pinShow", pinId="p", sender=sender(NAME, "5"), text="a word that stays", style="", value=50, first=0, startMs=begin,
             endMs=begin + 600_000, extra="")
    for track in range(3):
        room.fly(f"w{track}", track=track, width=300, at_ms=now_ms() - 600_000, duration_ms=1_200_000)
    room.come_to_now()


def celebrate(phone, room):
    """Both lanes come to a milestone, which stays, and something is skipped."""
    phone.js("""
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, time) {
        return animate.call(this, ...(this.matches(".milestone *") ? [{ opacity: [1, 1] }, { ...time, duration: 600_000 }] : [frames, time]));
      };
    """)
    phone.stretch_timers(2600, 600_000)
    room.say("skipped", stage="gift", reason="overflow", items=1, units=1200)
    room.say("skipped", stage="wish", reason="overflow", items=1, units=1200)
    for lane in (0, 1):
        room.bump(1314, combo=lane, lane=lane)
    phone.wait("milestones", "return document.querySelectorAll('.milestone').length === 2")


def show_moment(phone, room, kind):
    room.say("spotShow", **spot(kind, kind, giftId="castle" if kind == "gift" else "", tier=2, total=1, sender=sender(NAME, "7")))
    phone.wait("the moment", "return document.querySelector('.moment')?.dataset.kind === arguments[0]", kind)
    phone.js("document.querySelector('.moment-line').getAnimations().forEach((animation) => animation.cancel())")
    phone.wait_still("the gifts", ".gift")


@pytest.mark.parametrize("language, kind", [("en", "gift"), ("zh", "entrance"), ("ar", "gift")])
def test_on_no_screen_anything_that_is_read_lies_on_another(phone, room, language, kind):
    fill(room)
    phone.speak(language)
    phone.open(room, sends=True)
    phone.wait("all of it", "return document.querySelectorAll('.gift').length === 2 && document.querySelector('.crowd:not([hidden])')")
    # The button of a combo and own wishes stay for so long; here until they are seen.
    phone.stretch_timers(3000, 600_000)
    phone.stretch_timers(32_000, 600_000)
    phone.tap_until(*phone.center(".gift-opener"), "the gifts", "return document.querySelectorAll('.gift-choice').length > 5")
    phone.wait("them to stand", "return !document.querySelector('.sheet').getAnimations().length")
    phone.click("[data-gift='crown']")
    phone.wait("the button", "return document.querySelector('.sheet-layer').hidden && !document.querySelector('.combo-button').hidden")
    celebrate(phone, room)
    phone.js("""
      for (let n = 0; n < 3; n += 1) flyscreen.wish(arguments[0], `my own, number ${n}, which is as long as there is room for it`).catch(() => {});
    """, room.id)
    phone.wait("the own wishes", "return document.querySelectorAll('.own-wish').length === 3")
    show_moment(phone, room, kind)
    assert phone.js("return arguments[0].filter((selector) => !document.querySelector(selector))", READABLE) == [], "all of it is there"
    # These have no words, and much to draw at each size.
    phone.js("document.querySelectorAll('.scene, .moment-halo').forEach((node) => node.remove())")
    lying = {}
    for size in SIZES:
        phone.resize(*size)
        phone.wait("it to be so large", "return innerWidth === arguments[0] && innerHeight === arguments[1]", *size)
        # Parts that know their size hear of it in this frame, and a wish may come in place of others.
        phone.frame("return 0")
        phone.wait_still("the own wishes", ".own-wishes")
        lying[size] = phone.frame(LYING_ON_EACH_OTHER, READABLE)
    assert {size: pairs for size, pairs in lying.items() if pairs} == {}


@pytest.mark.parametrize("size, query", [((1920, 1080), "&stage"), ((1080, 1920), "&stage"), ((1280, 720), "&overlay"), ((1280, 720), "&overlay&side=right")], ids=str)
def test_where_nothing_is_pressed_nothing_that_is_read_lies_on_another(phone, room, size, query):
    fill(room)
    phone.resize(*size)
    phone.driver.get(phone.gateway.page(room) + query)
    phone.wait("all of it", "return document.querySelectorAll('.gift').length === 2 && document.querySelector('.crowd:not([hidden])')")
    celebrate(phone, room)
    for kind in ("gift", "entrance"):
        show_moment(phone, room, kind)
        assert phone.frame(LYING_ON_EACH_OTHER, READABLE) == []


def test_of_a_room_that_nothing_is_known_of_that_is_told(phone, room):
    phone.open(room)
    phone.wait("words", "return document.querySelector('.room-over').innerText.includes('Nothing has happened here yet')")
    assert "address" not in phone.js("return document.querySelector('.room-over').innerText")
    room.fly("w1")
    phone.wait("them gone", "return document.querySelector('.room-over').hidden")


CONTRASTS = """
  const luminance = (rgb) => rgb.map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const colours = (text) => [...text.matchAll(/rgba?\\(([^)]*)\\)/g)].map((match) => match[1].split(/[ ,/]+/).map(Number));
  return arguments[0].flatMap(([text, ground]) => {
    const ink = colours(getComputedStyle(document.querySelector(text)).color)[0];
    const style = getComputedStyle(document.querySelector(ground));
    const grounds = style.backgroundImage === "none" ? colours(style.backgroundColor) : colours(style.backgroundImage);
    return grounds.map((rgb) => {
      const [a, b] = [ink, rgb].map((one) => luminance(one.slice(0, 3)));
      const alpha = rgb[3] ?? 1;
      return [text, alpha, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    });
  });
"""


def test_text_of_an_overlay_stands_out_over_any_video(phone, room):
    room.show(1, lane=1, count=3)
    room.show(2, lane=0, count=3, tier=1, user="9")
    room.fly("w1", likes=3)
    room.say("crowdShow", crowdId=room.combo(9), **CROWD)
    phone.driver.get(phone.gateway.page(room) + "&overlay")
    phone.wait_stage("all", lambda s: len(s["gifts"]) == 2 and s["wishes"])
    phone.wait("the crowd", "return document.querySelector('.crowd:not([hidden])')")
    contrasts = phone.js(CONTRASTS, [
        [".wish-text", ".wish"], [".wish-sender", ".wish"], [".gift-sender", ".gift-body"], [".gift.is-gold .gift-sender", ".gift.is-gold .gift-body"],
        [".wish-likes", ".wish-likes"], [".crowd-names", ".crowd"]])
    assert len(contrasts) >= 11
    assert all(alpha == 1 and ratio >= 4.5 for _, alpha, ratio in contrasts), contrasts


def test_an_overlay_shows_the_parts_that_it_is_asked_for(phone, room):
    room.show(1, lane=1, count=3)
    room.show(2, lane=0, count=3, tier=3, user="9")
    room.fly("w1")
    phone.driver.get(phone.gateway.page(room) + "&overlay&only=gifts,moments&side=right&quiet&scale=0.5")
    phone.wait_stage("the gifts", lambda s: len(s["gifts"]) == 2)
    # A gift slides in from the side.
    phone.wait("it at the right", 'return innerWidth - document.querySelector(".gift").getBoundingClientRect().right < 40')
    assert phone.js("return document.documentElement.style.getPropertyValue('--stage-scale')") == "0.5"
    phone.watch()
    room.say("likeBurst", count=1, points=[{"x": 500, "y": 500}])
    room.say("spotShow", **spot("s1", "gift", giftId="castle", tier=3, total=1))
    room.bump(4)
    phone.wait_stage("what comes after", lambda s: any(gift["count"] == 4 for gift in s["gifts"]))
    assert phone.js('return [...[".wish", ".moment"].map((part) => document.querySelectorAll(part).length), seen.hearts]') == [0, 0, 0]


def test_an_overlay_that_is_asked_for_no_part_of_a_room_says_so(phone, room):
    room.fly("w1")
    phone.driver.get(phone.gateway.page(room) + "&overlay&only=%20Wishes")
    phone.wait_stage("the wish", lambda s: s["wishes"])
    phone.driver.get(phone.gateway.page(room) + "&overlay&only=nonsense")
    phone.wait("words", "return document.querySelector('.waiting').innerText.includes('gifts, wishes, rain, likes, moments')")


@pytest.mark.parametrize("ends, text", [(False, "Nothing has happened here yet"), (True, "The live has ended")], ids=["unknown", "ended"])
def test_an_overlay_without_a_living_room_says_so_until_it_lives(phone, room, ends, text):
    if ends:
        end(room)
    phone.resize(1280, 720)
    phone.driver.get(phone.gateway.page(room) + "&overlay&only=wishes&quiet")
    phone.wait("words", "return document.querySelector('.room-over').checkVisibility() && document.querySelector('.room-over').innerText.includes(arguments[0])", text)
    x, y, width, height = phone.js("const { x, y, width, height } = document.querySelector('.room-over').getBoundingClientRect(); return [x, y, width, height]")
    assert ends or room.id in phone.js("return document.querySelector('.room-over p').textContent"), "who sets it up sees which room it is"
    assert x >= 0 and x + width <= 1280 and y >= 0.75 * 720 and y + height <= 720, "it is small, at the edge"
    assert all(alpha == 1 and ratio >= 4.5 for _, alpha, ratio in phone.js(CONTRASTS, [[".room-over h3", ".room-over"]]))
    assert phone.js("return parseFloat(getComputedStyle(document.querySelector('.room-over h3')).fontSize) * 720 / document.querySelector('.phone').offsetHeight") >= 14
    room.fly("w1")
    phone.wait_stage("the wish", lambda s: s["wishes"])
    assert not phone.js("return document.querySelector('.room-over').checkVisibility()")


def test_at_the_right_the_edge_cuts_off_nothing_of_a_number(phone, room):
    room.show(count=1313, total=1314)
    phone.resize(1280, 720)
    phone.driver.get(phone.gateway.page(room) + "&overlay&side=right")
    phone.wait_stage("the gift", lambda s: s["gifts"])
    # It comes in from that side, too.
    slide = "return document.querySelector('.gift').getAnimations().flatMap(({ effect }) => effect.getKeyframes().map(({ transform }) => transform))"
    assert "translateX(112%)" in phone.js(slide)
    phone.wait_still("the gift", ".gift")
    room.bump(1314)
    popping = """
      const number = document.querySelector(".gift-number"), text = document.createRange();
      text.selectNodeContents(number);
      const [pop] = number.getAnimations();
      if (!pop || number.parentElement.parentElement.dataset.count !== "1314") return null;
      pop.pause();
      return [0, 0.4, 0.68, 1].map((share) => {
        pop.currentTime = share * pop.effect.getComputedTiming().duration;
        return text.getBoundingClientRect().right;
      });
    """
    rights = phone.wait("it to pop", popping)
    assert max(rights) <= 1280 and min(rights) > 1180, rights


@pytest.mark.parametrize("watched", ["&stage", "&overlay"])
def test_what_is_only_looked_at_has_nothing_to_press(phone, room, watched):
    room.show(1)
    room.fly("w1")
    room.drop(1)
    phone.gateway.wait_told(room, 3)
    # The list of rooms says what may be sent.
    phone.driver.get(phone.gateway.page(room) + watched)
    phone.wait_stage("all of it", lambda s: s["gifts"] and s["wishes"] and s["packets"])
    phone.wait("the answer", "return performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/rooms'))")
    assert phone.js("return [...document.querySelectorAll('button:enabled')].filter((one) => one.checkVisibility({ visibilityProperty: true })).map((one) => one.className)") == []
    phone.watch()
    phone.tap(195, 300, times=2)
    phone.press("l")
    assert phone.js("return seen.own") == 0


@pytest.mark.parametrize("watched, is_heard", [("&overlay&sound", True), ("&stage&sound", True), ("&overlay", False), ("&sound", False)])
def test_what_nobody_can_touch_is_heard_if_its_address_says_so(phone, room, watched, is_heard):
    phone.driver.get(phone.gateway.page(room) + watched)
    phone.wait("to know the room", "return flyscreen.room(arguments[0])?.isKnown === true", room.id)
    phone.count_tones()
    room.show(1)
    phone.wait_stage("the gift", lambda s: s["gifts"])
    assert (phone.js("return tones") > 0) == is_heard


@pytest.mark.parametrize("size", [(812, 375), (375, 812)], ids=str)
def test_a_platforms_gifts_fill_the_tray_whatever_their_names_are(phone, kafka, room, tmp_path, size):
    file = tmp_path / "gifts.json"
    names = {"drum": "Drum", "dragon": "Great dragon of the eastern sea and of all its islands", "tea": "चाय", "dear": "Rose"}
    file.write_text(json.dumps({"gifts": [{"id": gift, "name": name, "price": 99_999} for gift, name in names.items()]}))
    gateway = Gateway(kafka, "--gateway.gifts", file).wait_ready()
    try:
        phone.resize(*size)
        phone.open(room, sends=True, gateway=gateway)
        phone.click(".gift-opener")
        phone.wait("the tray", "return document.querySelectorAll('.gift-choice').length === 4")
        left, right, lines, heights = phone.js("""
          const tiles = [...document.querySelectorAll(".gift-choice")], boxes = tiles.map((tile) => tile.getBoundingClientRect());
          // Lines of text are some 17 pixels high, those of prices 15.
          const high = (selector, line) => tiles.map((tile) => Math.round(tile.querySelector(selector).clientHeight / line));
          return [boxes[0].left, boxes[3].right, [Math.max(...high("span", 17)), Math.max(...high("small", 15))], new Set(boxes.map(({ height }) => height)).size];
        """)
        assert left < 16 and right > size[0] - 16, "they are side by side, and nothing is left"
        assert lines[0] <= 2 and lines[1] == 1 and heights == 1
    finally:
        phone.leave()
        gateway.terminate()
