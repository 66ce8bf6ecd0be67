"""Pins, goals and battles on the page, and what is taken back."""

import pytest
from backstage import now_ms, sender

NOBODY = {"wishId": "", "comboId": "", "spotId": "", "pinId": "", "goalId": "", "userId": ""}


def pin(room, pin_id, value=0, first=0, text="hello", name="阿花", ms=600_000):
    begin = now_ms()
    room.say("pinShow", pinId=pin_id, sender=sender(name, f"u-{pin_id}"), text=text, style="", value=value, first=first,
             startMs=begin, endMs=begin + ms, extra="")


def goal(room, goal_id="g", at_ms=None, **more):
    begin = now_ms()
    room.say("goalShow", at_ms, **{
        "goalId": goal_id, "text": "New microphone", "by": "value", "giftId": "", "receiverId": "", "target": 1000, "progress": 0,
        "reached": 0, "sides": [], "startMs": begin, "endMs": begin + 600_000, "extra": "", **more})


def count(room, progress, goal_id="g", reached=0, sides=(), at_ms=None):
    room.say("goalCount", at_ms, goalId=goal_id, progress=progress, reached=reached, sides=list(sides))


def sides(left, right):
    return [{"id": "anna", "total": left}, {"id": "bob", "total": right}]


PINS = "return [...document.querySelectorAll('.room:not([inert]) .pin')].map((node) => node.dataset.pin)"


def test_pins_stand_in_a_row_those_of_the_host_and_the_dearest_first(phone, room):
    pin(room, "cheap", 5)
    pin(room, "host", first=1)
    phone.gateway.wait_told(room, 2)
    phone.open(room)
    phone.wait("both, for who comes late", f"return (() => {{ {PINS} }})().join() === 'host,cheap'")
    pin(room, "dear", 5000, text="two\nlines")
    phone.wait("the third", f"return (() => {{ {PINS} }})().join() === 'host,dear,cheap'")
    assert phone.js("return document.querySelector('[data-pin=dear]').innerText").split("\n")[:2] == ["阿", "阿花"]
    lasts = phone.js("return document.querySelector('[data-pin=dear] .pin-left').getAnimations()[0].effect.getTiming().duration")
    assert lasts == 600_000
    room.say("pinGone", pinId="host", reason="retracted")
    pin(room, "soon over", 99, ms=300)
    phone.wait("two to be gone", f"return (() => {{ {PINS} }})().join() === 'dear,cheap'")


def test_a_goal_fills_and_is_celebrated_when_it_is_reached(phone, room):
    goal(room, progress=250)
    phone.gateway.wait_told(room, 1)
    phone.open(room)
    phone.wait("it, for who comes late", "return document.querySelector('.goal')?.innerText.includes('250 / 1K')")
    assert phone.js("return document.querySelector('.goal-title').textContent") == "New microphone"
    assert phone.js("return document.querySelector('.goal-fill').getBoundingClientRect().width / document.querySelector('.goal').clientWidth") == pytest.approx(0.25, abs=0.01)
    assert phone.js("return /^(10:00|9:[0-5][0-9])$/.test(document.querySelector('.goal-clock').textContent)")
    phone.js("""
      window.celebrated = [];
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) if (node.matches?.(".milestone")) celebrated.push(node.textContent);
      }).observe(document.body, { childList: true, subtree: true });
    """)
    count(room, 1000, reached=1)
    phone.wait("a moment", "return celebrated.length === 1")
    assert phone.js("return celebrated") == ["Goal reached!"]
    count(room, 1200, reached=1)
    phone.wait("the count", "return document.querySelector('.goal').dataset.progress === '1200'")
    assert phone.js("return celebrated.length") == 1 and phone.js("return document.querySelector('.goal').matches('.is-reached')")
    room.say("goalEnd", goalId="g", progress=1200, reached=1, sides=[], reason="over")
    phone.wait("its end", "return !document.querySelector('.goal')")


def test_a_goal_that_is_reached_is_heard_unless_it_was_long_ago(phone, room):
    goal(room, "late")
    goal(room, "now")
    phone.gateway.wait_told(room, 2)
    phone.driver.get(phone.gateway.page(room) + "&stage&sound")
    phone.wait("both", "return document.querySelectorAll('.goal').length === 2")
    phone.count_tones()
    count(room, 1000, "late", reached=1, at_ms=now_ms() - 3000)
    phone.wait("the first", "return document.querySelectorAll('.goal.is-reached').length === 1")
    assert phone.js("return tones") == 0
    count(room, 1000, "now", reached=1)
    phone.wait("the second", "return document.querySelectorAll('.goal.is-reached').length === 2")
    assert phone.js("return tones") == 4
    count(room, 1001, "now", reached=1)
    phone.wait("the count", "return document.querySelector('[data-goal=now]').dataset.progress === '1001'")
    assert phone.js("return tones") == 4


def test_where_nothing_comes_any_more_a_goals_clock_stands_still(phone, room):
    goal(room, progress=10)
    phone.open(room)
    phone.wait("it", "return document.querySelector('.goal')")
    # The span of this room becomes so short that a test can wait for its end.
    phone.js("const room = flyscreen.room(arguments[0]); room.reset({ ...room.screen.snapshot, staleAfterMs: 1500 })", room.id)
    phone.wait("it to stand still", "return document.querySelector('.goals.is-still') && getComputedStyle(document.querySelector('.goal-clock')).visibility === 'hidden'")
    assert phone.js("return document.querySelector('.goal').dataset.progress") == "10", "how it went is still told"
    count(room, 20)
    phone.wait("it to go on", "return !document.querySelector('.goals.is-still')")


def test_a_battle_has_two_colours_names_and_a_clock_and_shows_who_won(phone, room):
    room.show(1, receiverId="anna", receiverName="Anna 🎤")
    room.show(2, lane=0, receiverId="bob", receiverName="\u3164")
    goal(room, sides=sides(0, 0), target=0, text="")
    phone.open(room)
    phone.wait("it", "return document.querySelector('.goal.is-battle')")
    parts = """
      const widths = [...document.querySelectorAll(".goal-sides > i")].map((node) => node.getBoundingClientRect().width);
      const names = [...document.querySelectorAll(".goal-side bdi")].map((node) => node.textContent);
      return [widths[0] / (widths[0] + widths[1]), names, document.querySelector(".goal-middle").textContent.includes(":")];
    """
    assert phone.js(parts) == [pytest.approx(0.5, abs=0.01), ["Anna 🎤", "bob"], True]
    count(room, 400, sides=sides(300, 100))
    phone.wait("the bar to have moved", f"return Math.abs((() => {{ {parts} }})()[0] - 0.75) < 0.01")
    room.say("goalEnd", goalId="g", progress=400, reached=0, sides=sides(300, 100), reason="over")
    phone.wait("who won", "return document.querySelector('.goal-side.is-winner bdi')?.textContent === 'Anna 🎤'")
    phone.wait("its end", "return !document.querySelector('.goal')")


def test_an_overlay_may_show_pins_and_goals_alone(phone, room):
    pin(room, "p")
    goal(room)
    room.show(1)
    phone.gateway.wait_told(room, 3)
    phone.driver.get(f"{phone.gateway.page(room)}&overlay&only=pins,goals")
    phone.wait("both", "return document.querySelector('.pin') && document.querySelector('.goal')")
    assert phone.js("return document.querySelector('.gift')") is None


def test_what_is_taken_back_leaves_every_list_and_what_waits_to_be_said(phone, room):
    room.show(1, user="7", total=2, value=10)
    room.show(2, lane=0, user="9", name="Mia", total=1, value=1)
    phone.open(room)
    room.bump(2)
    room.bump(1, combo=2, lane=0)
    room.fly("w1", name="Mia")
    room.fly("w2", track=1, text="stays")
    phone.wait_stage("all", lambda s: len(s["wishes"]) == 2 and [g["count"] for g in s["gifts"]] == [1, 2])
    room.say("retracted", **NOBODY | {"wishId": "w1"})
    room.say("wishGone", wishId="w1")
    room.say("retracted", **NOBODY | {"userId": "7"})
    room.say("giftHide", comboId=room.combo(1), lane=1, count=2, exitMs=250)
    phone.wait_stage("one of each", lambda s: len(s["wishes"]) == 1 and len(s["gifts"]) == 1)
    phone.click(".room:not([inert]) .wish-list")
    phone.wait("the list", "return document.querySelector('.last-wish')")
    assert phone.js("return [...document.querySelectorAll('.last-wish p')].map((p) => p.textContent)") == ["stays"]
    phone.click(".sheet-close")
    phone.wait("it to be gone", "return document.querySelector('.sheet-layer').hidden")
    phone.click(".room:not([inert]) .ranking")
    phone.wait("the ranking", "return document.querySelector('.rank')")
    assert phone.js("return [...document.querySelectorAll('.rank')].map((row) => row.dataset.user)") == ["9"]


def test_a_word_that_waits_to_be_said_is_not_if_it_is_taken_back(modules):
    said = modules.driver.execute_async_script("""
      const [nobody, tell] = arguments, set = setTimeout;
      import("/page/announcer.js").then(({ Announcer }) => {
        window.setTimeout = (act) => set(act, 0);
        const announcer = new Announcer(), sender = { userId: "7", name: "Ann", avatarUrl: "" };
        announcer.hear({ wishFly: { wishId: "w", sender, text: "bad words" } }, 0);
        announcer.hear({ retracted: { ...nobody, userId: "7" } }, 0);
        set(() => tell(announcer.node.textContent), 50);
      });
    """, NOBODY)
    assert said == ""
