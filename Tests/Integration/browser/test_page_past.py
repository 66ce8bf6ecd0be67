"""What happened in a room before, for those who come late."""

from backstage import now_ms, sender


PAST = {
    "sinceMs": 0, "givers": [{"sender": sender("Mia", "9"), "gifts": 3, "coins": 15_000}], "crowds": {"gifts": 40, "coins": 400, "told": []},
    "wishes": [{"atMs": 1, "wishId": "w9", "sender": sender("Mia", "9"), "text": "before you came", "style": "", "likes": 2}]}


def test_who_comes_late_is_told_what_happened_before(phone, room):
    phone.open(room)
    phone.js("""
      const [roomId, past] = arguments, room = flyscreen.room(roomId);
      room.reset({ ...room.screen.snapshot, past });
    """, room.id, PAST | {"sinceMs": now_ms()})
    room.show(1, value=10)
    room.bump(2)
    phone.wait_stage("the gift", lambda s: s["gifts"] and s["gifts"][0]["count"] == 2)
    phone.click(".room:not([inert]) .ranking")
    phone.wait("the ranking", "return document.querySelector('.rank')")
    rows = phone.js("return [...document.querySelectorAll('.rank')].map((row) => [row.dataset.user, row.querySelector('.rank-gifts').textContent, row.querySelector('.rank-coins').textContent])")
    assert rows == [["9", "×3", "15K"], ["7", "×2", "20"], [None, "×40", "400"]]
    note = "return document.querySelector('.sheet-note').textContent"
    assert ":" in phone.js(note), "it says since when"
    phone.click(".sheet-close")
    phone.wait("it to be gone", "return document.querySelector('.sheet-layer').hidden")
    phone.click(".room:not([inert]) .wish-list")
    assert phone.wait("the wish", "return document.querySelector('.last-wish p')?.textContent") == "before you came"


def rows(phone):
    phone.click(".room:not([inert]) .ranking")
    phone.wait("the sheet", "return document.querySelector('.rank, .nobody')")
    return phone.js("return [...document.querySelectorAll('.rank')].map((row) => [row.dataset.user ?? null, row.querySelector('.rank-gifts').textContent])")


def test_crowds_that_take_turns_count_once(phone, room):
    body = {"receiverId": "", "giftName": "", "value": 1, "items": 9, "names": []}
    room.say("crowdShow", crowdId=room.combo(1), giftId="beer", units=50, **body)
    room.say("crowdShow", crowdId=room.combo(2), giftId="rose", units=10, **body)
    phone.gateway.wait_told(room, 1)
    phone.open(room)
    room.say("crowdShow", crowdId=room.combo(1), giftId="beer", units=55, **body)
    room.say("crowdShow", crowdId=room.combo(3), giftId="cake", units=7, **body)
    phone.wait("the last", "return flyscreen.room(arguments[0]).screen.crowd.show.units === 7", room.id)
    assert rows(phone) == [[None, "×72"]]
    assert phone.gateway.snapshot(room)["past"]["crowds"]["gifts"] == 72


def test_an_end_ends_the_past_for_those_who_stay(phone, room):
    room.show(1, total=3)
    room.bump(3)
    room.fly("w1", text="before the end")
    phone.gateway.wait_told(room, 2)
    phone.open(room)
    room.say("roomEnd")
    room.show(2, name="Bea", user="9", total=1)
    room.bump(1, combo=2)
    phone.wait_stage("the next gift", lambda s: s["gifts"] and s["gifts"][0]["count"] == 1)
    assert rows(phone) == [["9", "×1"]]
    told = phone.gateway.snapshot(room)["past"]
    assert [giver["sender"]["userId"] for giver in told["givers"]] == ["9"] and told["wishes"] == []
    phone.click(".sheet-close")
    phone.wait("it to be gone", "return document.querySelector('.sheet-layer').hidden")
    phone.click(".room:not([inert]) .wish-list")
    phone.wait("no wish", "return document.querySelector('.nobody') && !document.querySelector('.last-wish')")


def test_where_nothing_is_known_of_before_that_is_said(phone, room):
    phone.open(room)
    phone.js("const room = flyscreen.room(arguments[0]); room.reset(room.screen.snapshot);", room.id)
    room.show(1, count=500, total=501)
    room.bump(501)
    phone.wait_stage("the gift", lambda s: s["gifts"] and s["gifts"][0]["count"] == 501)
    phone.click(".room:not([inert]) .ranking")
    phone.wait("the ranking", "return document.querySelector('.rank')")
    assert phone.js("return document.querySelector('.rank-gifts').textContent") == "×1", "the others were before"
    assert phone.js("return document.querySelector('.sheet-note').textContent") == "Since you came"


def test_a_gateway_tells_who_comes_late(phone, room):
    room.show(1, total=5)
    room.bump(5)
    room.hide(5)
    room.fly("w1", text="before you came")
    phone.gateway.wait_told(room, 1)
    phone.open(room)
    phone.click(".room:not([inert]) .ranking")
    phone.wait("the ranking", "return document.querySelector('.rank')")
    assert phone.js("return document.querySelector('.rank').innerText").split() == ["1", "阿", "阿花", "×5", "50"]
    assert phone.js("return document.querySelector('.sheet-note').textContent") != "Since you came"
