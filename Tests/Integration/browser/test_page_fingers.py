"""Gestures of a thumb on the page, and the events that come of them."""

import itertools

import pytest
from backstage import now_ms, sender
from waiting import wait_for

EMPTY = (195, 420)


def test_a_double_tap_throws_a_heart_where_the_finger_was_and_a_triple_tap_two(phone, room):
    phone.open(room, sends=True)
    phone.tap(*EMPTY, times=2)
    phone.wait_stage("one heart", lambda s: s["own"] == 1)
    begin = phone.js("return seen.flights.find(({ art }) => art.startsWith('own heart')).frames[0]")
    assert (begin["x"], begin["xPx"], begin["y"]) == (0.5, 0, 0.497)
    taps = room.kafka.wait_events(room, "taps", 1)[0]
    assert (taps["count"], taps["points"]) == (1, [{"x": 500, "y": 497}])
    # That streak is over.
    phone.tap(*EMPTY, times=3, after_s=1.1)
    phone.wait_stage("two more", lambda s: s["own"] == 3)
    # An event says how many there have been so far: one that is lost is made good by the next.
    phone.press("l")
    wait_for("all of them to be told", lambda: room.kafka.wait_events(room, "taps", 1)[-1]["count"] == 4)
    taps = room.kafka.wait_events(room, "taps", 1)
    assert len({run["runId"] for run in taps}) == 1 and sum(len(run["points"]) for run in taps) == 4


def test_slow_taps_and_a_single_one_are_no_likes(phone, room):
    phone.open(room, sends=True)
    phone.tap(*EMPTY, times=3, every_ms=400)
    phone.tap(*EMPTY, times=2)
    assert room.kafka.wait_events(room, "taps", 1)[0]["count"] == 1
    assert phone.stage()["own"] == 1


def test_a_heart_that_comes_back_in_a_burst_is_not_drawn_twice(phone, room):
    phone.open(room, sends=True)
    phone.tap(*EMPTY, times=2)
    phone.wait_stage("one heart", lambda s: s["own"] == 1)
    room.say("likeBurst", count=2, points=[{"x": 500, "y": 497}, {"x": 100, "y": 300}])
    assert phone.wait_stage("the other's", lambda s: s["hearts"])["hearts"] == 1


def test_a_tap_on_a_packet_opens_it_and_is_no_like(phone, room):
    phone.open(room, sends=True)
    room.come_to_now()
    room.drop(0, x=300, at_ms=now_ms() - 150_000)
    room.drop(1, x=700, at_ms=now_ms() - 150_000)
    phone.wait("packets in sight", "return [...document.querySelectorAll('.packet')].filter((p) => p.getBoundingClientRect().top > -60).length === 2")
    for packet in (0, 1):
        x, y = phone.center(f".packet[data-packet='{packet}']")
        phone.tap(x, max(4, y), times=2, every_ms=150)
    grabs = room.kafka.wait_events(room, "rainGrab", 2)
    assert sorted(grab["packet"] for grab in grabs) == [0, 1]
    # The art of an open one keeps its turn, which was a quarter of the way, and what is written on it stands upright.
    turns = phone.js("""
      return [...document.querySelectorAll(".packet")].map((node) =>
        [parseFloat(getComputedStyle(node.querySelector(".packet-art")).rotate), new DOMMatrix(getComputedStyle(node).transform).b]);
    """)
    assert turns == [[pytest.approx(20 + 90 / 4, abs=3), 0]] * 2
    # A second finger on an open one asks for nothing, and none of it was a tap on the room.
    assert phone.stage()["own"] == 0
    assert [event for event in room.kafka.events(room.id) if "taps" in event] == []
    assert len([event for event in room.kafka.events(room.id) if "rainGrab" in event]) == 2


def test_a_packet_is_opened_by_a_key_and_the_focus_falls_with_it(phone, room):
    phone.open(room, sends=True)
    room.come_to_now()
    at_ms = room.drop(0, x=300, fall_ms=60_000, at_ms=now_ms() - 10_000)
    phone.wait_stage("a packet", lambda s: s["packets"])
    led, fallen = phone.frame("""
      const packet = document.querySelector(".packet");
      packet.focus();
      const { clock, lagMs } = flyscreen.room(arguments[0]);
      return [packet.getAnimations()[0]?.currentTime, clock.now(document.timeline.currentTime) - lagMs - arguments[1]];
    """, room.id, at_ms)
    assert led == pytest.approx(fallen, abs=50), "its button falls as it does, whatever else the page has to do"
    phone.press_button(".packet")
    assert [grab["packet"] for grab in room.kafka.wait_events(room, "rainGrab", 1)] == [0]
    phone.wait("it to stand", "return document.querySelector('.packet.is-opening')?.getAnimations().length === 0")


def test_a_mouse_over_a_packet_shows_that_it_can_be_pressed(phone, room):
    phone.open(room, sends=True)
    room.come_to_now()
    room.drop(0, x=0, at_ms=now_ms() - 300_000)
    phone.wait_stage("a packet", lambda s: s["packets"])
    cursor = "return document.getElementById('rooms').style.cursor"
    for x, y, shown in ((*phone.center(".packet"), "pointer"), (*EMPTY, "")):
        phone._cdp("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        phone.wait("the cursor", f"return (() => {{ {cursor} }})() === arguments[0]", shown)


def test_an_opened_packet_shows_what_it_paid_or_that_it_was_empty(phone, room):
    phone.open(room, sends=True)
    room.come_to_now()
    room.say("rainTally", rainId="rain", opened=0, winners=0, coins=0)
    packets = itertools.count()
    answered = []

    def open_one(outcome, coins):
        """Opens a packet and returns the text that it shows; nothing if the page no longer waited for the answer, as it
        does for some seconds only."""
        number = next(packets)
        node = f".packet[data-packet='{number}']"
        room.drop(number, x=100 + 300 * number % 900, at_ms=now_ms() - 150_000)
        phone.wait("it in sight", f"return document.querySelector(\"{node}\").getBoundingClientRect().top > -60")
        phone.tap(*phone.center(node))
        room.answer(room.kafka.wait_events(room, "rainGrab", number + 1)[number], outcome, coins)
        answered.append(coins)
        phone.wait("its answer", f"return document.querySelector(\"{node} .prize\") || !document.querySelector(\"{node}\")")
        return phone.js("return seen.prizes")

    for outcome, coins, told in (("won", 7, "+7coins"), ("empty", 0, "Empty"), ("missed", 0, "Too late")):
        wait_for(f"one to be answered: {outcome}", lambda: told in (open_one(outcome, coins) or ()))
    assert set(phone.js("return seen.prizes")) == {"+7coins", "Empty", "Too late"}
    room.say("rainEnd", rainId="rain")
    won = phone.wait("what this viewer won", "return /You won (\\d+) coins/.exec(document.querySelector('.summary').textContent)?.[1]")
    assert int(won) in range(7, sum(answered) + 1, 7)


def test_taps_beside_the_packets_are_taps_while_they_fall(phone, room):
    phone.open(room, sends=True)
    room.drop(0, x=0)
    phone.wait_stage("a packet", lambda s: s["packets"])
    phone.tap(*EMPTY, times=2)
    phone.wait_stage("a heart", lambda s: s["own"] == 1)
    assert phone.stage()["packets"][0]["outcome"] == ""


def test_a_tap_on_a_wish_likes_it_once(phone, room):
    phone.open(room, sends=True)
    room.come_to_now()
    room.fly("w1", width=300, at_ms=now_ms() - 200_000)
    phone.wait("it in sight", "return document.querySelector('.wish')?.getBoundingClientRect().left < 370")
    for _ in range(2):
        left, y = phone.js("const b = document.querySelector('.wish').getBoundingClientRect(); return [b.left, b.top + b.height / 2]")
        phone.tap(min(left + 14, 385), y)
    phone.wait_stage("its heart", lambda s: s["wishes"][0]["liked"])
    likes = room.kafka.wait_events(room, "wishLike", 1)
    room.say("wishLikes", wishId="w1", likes=1)
    phone.wait_stage("its like", lambda s: s["wishes"][0]["likes"] == 1)
    assert [like["wishId"] for like in likes] == ["w1"]
    events = room.kafka.events(room.id)
    assert len([e for e in events if "wishLike" in e]) == 1 and not [e for e in events if "taps" in e]
    assert phone.stage()["own"] == 0


def test_a_swipe_over_a_wish_switches_rooms_and_likes_nothing(phone, kafka):
    rooms = [kafka.room("swipe") for _ in range(3)]
    phone.open(*rooms, sends=True)
    rooms[0].come_to_now()
    rooms[0].fly("w1", width=300, at_ms=now_ms() - 200_000)
    phone.wait("it in sight", "return document.querySelector('.wish')?.getBoundingClientRect().left < 365")
    left, y = phone.js("const b = document.querySelector('.wish').getBoundingClientRect(); return [b.left, b.top + b.height / 2]")
    phone.swipe(min(left + 14, 385), y, dy=300)
    phone.wait_stage("the room above", lambda s: s["room"] == rooms[2].id)
    phone.swipe(*EMPTY, dy=-300)
    stage = phone.wait_stage("the room below", lambda s: s["room"] == rooms[0].id)
    assert [wish["liked"] for wish in stage["wishes"]] == [False]
    assert kafka.events(rooms[0].id) == []


def test_a_drag_that_turns_back_stays_where_it_was(phone, kafka):
    rooms = [kafka.room("back") for _ in range(2)]
    phone.open(*rooms)
    x, y = EMPTY
    phone.touch(
        (0, "down", x, y), (40, "move", x, y - 60), (80, "move", x, y - 90), (200, "move", x, y - 30), (300, "move", x, y - 14),
        (310, "up", x, y - 14))
    phone.wait("it to settle", "return document.querySelector('.room:not([inert])').style.transform === '' && document.querySelectorAll('.room:not(.is-away)').length === 1")
    assert phone.stage()["room"] == rooms[0].id


def test_a_key_that_is_held_switches_once(phone, kafka):
    rooms = [kafka.room("held") for _ in range(5)]
    phone.open(*rooms)
    phone.js("""
      for (const repeat of [false, true, true]) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", repeat, bubbles: true, cancelable: true }));
      }
    """)
    assert phone.stage()["room"] == rooms[1].id


def test_a_mouse_that_was_let_go_elsewhere_drags_nothing(phone, kafka):
    rooms = [kafka.room("mouse") for _ in range(2)]
    phone.open(*rooms)
    assert phone.js("""
      const room = document.querySelector(".room:not([inert])");
      const say = (type, y, buttons) => room.dispatchEvent(new PointerEvent(type, {
        pointerId: 1, pointerType: "mouse", button: 0, buttons, clientX: 195, clientY: y, bubbles: true }));
      say("pointerdown", 400, 1);
      say("pointermove", 200, 0);
      return room.style.transform;
    """) == ""


def test_a_swipe_to_the_right_clears_the_stage_and_one_to_the_left_brings_it_back(phone, room):
    room.show(count=3, total=3)
    phone.open(room, sends=True)
    phone.wait_stage("a gift", lambda s: s["gifts"])
    phone.swipe(*EMPTY, dx=200)
    phone.wait_stage("a clear stage", lambda s: s["cleared"])
    phone.wait("nothing in sight", """
      const inSight = (node) => { const b = node.getBoundingClientRect(); return b.left < 390 && b.right > 0 && b.width > 0; };
      return ![...document.querySelectorAll(".gift, .room-head, .bar, .rail")].some(inSight);
    """)
    # It goes on unseen, and comes back as it is by then.
    room.bump(4)
    phone.swipe(*EMPTY, dx=-200)
    phone.wait_stage("all of it", lambda s: not s["cleared"] and s["gifts"][0]["number"] == "×4")
    phone.wait("the gift in sight", "return document.querySelector('.gift').getBoundingClientRect().left < 60")
    assert [e for e in room.kafka.events(room.id) if "taps" in e] == []


@pytest.mark.more
def test_the_sheet_scrolls_closes_and_switches_no_rooms(phone, kafka):
    rooms = [kafka.room("sheet") for _ in range(3)]
    phone.open(*rooms, sends=True)
    # They come and go on one lane: a ranking has all of them.
    body = lambda number: {
        "comboId": rooms[0].combo(number), "lane": 0, "sender": sender(f"viewer {number}", str(number)), "receiverId": "",
        "giftId": "rose", "giftName": "玫瑰", "value": 10, "from": 0, "total": number, "enterMs": 250}
    bump = lambda number: {"comboId": rooms[0].combo(number), "lane": 0, "count": number, "tickMs": 300}
    rooms[0].say_all([
        (kind, now_ms(), make(number)) for number in range(1, 31) for kind, make in (("giftShow", body), ("giftBump", bump))])
    phone.wait_stage("the last of them", lambda s: s["gifts"] and s["gifts"][0]["combo"] == rooms[0].combo(30))
    closed = "return document.querySelector('.sheet-layer').hidden"
    scroll = "return document.querySelector('.sheet-list').scrollTop"
    settled = "return !document.querySelector('.sheet').getAnimations().length"

    def open_sheet():
        phone.tap_until(*phone.center(".room:not([inert]) .ranking"), "the sheet", f"return !({closed.removeprefix('return ')})")

    open_sheet()
    ranks = phone.js("return [...document.querySelectorAll('.rank')].map((r) => r.dataset.user)")
    assert ranks == [str(number) for number in range(30, 0, -1)]
    assert phone.js("return ['.rooms', '.controls'].every((s) => document.querySelector(s).inert)"), "it is alone in reach"
    phone.wait("it to stand", settled)
    x, y = phone.center(".sheet-list")
    rested = 0

    def rest():
        # A finger on a list that still runs only stops it.
        nonlocal rested
        phone.wait("the list to rest", "return window.rested > arguments[0]", rested)
        phone.driver.execute_async_script("""
          const tell = arguments[0], list = document.querySelector(".sheet-list");
          let [top, frames] = [NaN, 0];
          const look = () => {
            [top, frames] = [list.scrollTop, list.scrollTop === top ? frames + 1 : 0];
            if (frames < 5) requestAnimationFrame(look);
            else tell();
          };
          look();
        """)
        rested = phone.js("return window.rested")

    phone.js("window.rested = 0; document.querySelector('.sheet-list').addEventListener('scrollend', () => (window.rested += 1))")
    phone.swipe(x, y, dy=-200, steps=12)
    rest()
    assert phone.js(scroll) > 60
    # Back up: that is a scroll as well, not a drag of the sheet.
    phone.swipe(x, y - 60, dy=50)
    rest()
    assert not phone.js(closed) and phone.stage()["room"] == rooms[0].id
    if phone.js(scroll) > 0:
        phone.js("document.querySelector('.sheet-list').scrollTop = 0")
        rest()
    # From its top, a list that is pulled takes the sheet with it.
    phone.swipe(x, y - 100, dy=260, steps=10)
    phone.wait("the sheet to be gone", closed)

    open_sheet()
    phone.wait("it to stand", settled)
    phone.swipe(*phone.center(".sheet-head h2"), dy=220, steps=10)
    phone.wait("the sheet to be gone", closed)

    open_sheet()
    phone.tap_until(195, 120, "the sheet to be gone", closed)

    open_sheet()
    phone.press("ArrowDown")
    phone.press("Escape")
    phone.wait("the sheet to be gone", closed)
    assert phone.stage()["room"] == rooms[0].id
    assert [e for e in kafka.events(rooms[0].id) if "taps" in e] == []


def test_buttons_send_a_gift_a_combo_a_flood_a_wish_and_a_rain(phone, room):
    phone.open(room, sends=True)
    # The button that goes on with a combo stays for this long; here until it is seen.
    combo_ms = 3000
    phone.stretch_timers(combo_ms, 600_000)
    phone.tap_until(*phone.center(".gift-opener"), "the gifts", "return document.querySelectorAll('.gift-choice').length > 5")
    phone.wait("them to stand", "return !document.querySelector('.sheet').getAnimations().length")
    phone.click("[data-gift='crown']")
    gift = room.kafka.wait_events(room, "gift", 1)[0]
    assert (gift["giftId"], gift["value"], gift["count"]) == ("crown", 520, 1)
    phone.wait("the sheet to be gone", "return document.querySelector('.sheet-layer').hidden")
    # A click, which fails where something lies over the button.
    phone.click(".combo-button")
    room.kafka.wait_events(room, "gift", 2)
    x, y = phone.center(".combo-button")
    # A thumb that stays: one at once, then one after the other.
    phone.hold(x, y)
    gifts = room.kafka.wait_events(room, "gift", 7)
    phone.lift()
    phone.stretch_timers(combo_ms, 300)
    phone.click(".combo-button")
    assert {(g["giftId"], g["sender"]["userId"]) for g in gifts} == {("crown", gift["sender"]["userId"])}
    phone.wait("its time to run out", "return document.querySelector('.combo-button').hidden")
    before = len(room.kafka.wait_events(room, "gift", 7))
    phone.click(".is-flood")
    gifts = room.kafka.wait_events(room, "gift", before + 42)
    assert len({g["sender"]["userId"] for g in gifts}) > 5
    phone.driver.find_element("css selector", ".wish-input").send_keys("all the best\n")
    assert room.kafka.wait_events(room, "wish", 1)[0]["text"] == "all the best"
    phone.click(".is-rain")
    room.kafka.wait_events(room, "rainStart", 1)
    ids = [event["eventId"] for event in room.kafka.events(room.id)]
    assert len(set(ids)) == len(ids)


TAP = [["down", 1, 100, 100, 0], ["up", 1, 100, 100, 50]]


MEANINGS = [
    ("a tap", TAP, ["tap"]),
    ("a double tap", [*TAP, ["down", 1, 104, 98, 200], ["up", 1, 104, 98, 240]], ["tap", "tap"]),
    ("a tap on a thing and one beside it", [["down", 1, 100, 100, 0, "packet"], ["up", 1, 100, 100, 50], ["down", 1, 104, 98, 200], ["up", 1, 104, 98, 240]],
     ["tap", "tap"]),
    ("one too late", [*TAP, ["down", 1, 100, 100, 300], ["up", 1, 100, 100, 340]], ["tap", "tap"]),
    ("a long press", [["down", 1, 100, 100, 0], ["up", 1, 100, 100, 900]], []),
    ("a tap that shakes", [["down", 1, 100, 100, 0], ["move", 1, 107, 104, 20], ["up", 1, 106, 104, 50]], ["tap"]),
    ("a swipe", [["down", 1, 100, 400, 0], ["move", 1, 102, 300, 50], ["up", 1, 103, 200, 100]], ["drag y", "drop y up"]),
    ("a slow short drag", [["down", 1, 100, 400, 0], ["move", 1, 100, 380, 400], ["move", 1, 100, 370, 800], ["up", 1, 100, 370, 1200]],
     ["drag y", "drag y", "drop y null"]),
    ("a drag that was taken away", [["down", 1, 100, 400, 0], ["move", 1, 250, 400, 50], ["cancel", 1]], ["drag x", "drop x null"]),
    ("two thumbs", [["down", 1, 100, 400, 0], ["down", 2, 300, 400, 60], ["up", 1, 100, 400, 90], ["up", 2, 300, 400, 150]],
     ["tap", "tap"]),
    ("one that drags while another taps", [
        ["down", 1, 100, 400, 0], ["move", 1, 200, 400, 40], ["down", 2, 300, 300, 50], ["up", 2, 300, 300, 90], ["up", 1, 260, 400, 120]],
     ["drag x", "tap", "drop x right"]),
]


def test_what_fingers_mean(fingers):
    meant = fingers.js("return arguments[0].map(meaning)", [steps for _, steps, _ in MEANINGS])
    assert dict(zip((name for name, *_ in MEANINGS), meant)) == {name: expected for name, _, expected in MEANINGS}


@pytest.fixture
def fingers(modules):
    """The recogniser by itself."""
    modules.driver.execute_async_script("""
      const tell = arguments[0];
      import("/page/gestures.js").then(({ GestureRecogniser }) => {
        window.meaning = (steps) => {
          const recogniser = new GestureRecogniser(), seen = [];
          for (const [kind, id, x, y, t, target] of steps) {
            const told = kind === "cancel" ? recogniser.cancel(id) : recogniser[kind]({ id, x, y, t, target });
            if (!told) continue;
            seen.push([told.kind, told.axis, told.kind === "drop" && String(told.swipe)].filter(Boolean).join(" "));
          }
          return seen;
        };
        tell();
      });
    """)
    return modules
