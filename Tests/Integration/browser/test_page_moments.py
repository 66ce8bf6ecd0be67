"""Dear gifts, ends, what is taken back, rain that slants, an overlay: what the page does beyond the usual."""

import itertools

import pytest
from backstage import now_ms, sender, spot

places = itertools.count(1_000_000)


def tell(phone, room, kind, /, at_ms=None, **body):
    """A command that comes by the room's stream, whatever the gateway between knows of it."""
    command = {
        "roomId": room.id, "id": f"im.{room.id}/0/{next(places)}/0", "atMs": now_ms() if at_ms is None else at_ms, kind: body}
    phone.js("flyscreen.room(arguments[0]).receive(arguments[1])", room.id, command)


def test_what_fills_the_screen_is_what_the_server_says(phone, room):
    phone.open(room)
    # A dear gift alone fills nothing.
    room.show(1, lane=0, gift="castle", tier=3)
    phone.wait_stage("the gift", lambda s: s["gifts"])
    assert phone.js("return document.querySelectorAll('.moment').length") == 0
    tell(phone, room, "spotShow", **spot("s1", "gift", giftId="castle", tier=3, total=1))
    phone.wait("the gift's moment", "return document.querySelector('.moment[data-tier=\"3\"][data-kind=gift]')")
    tell(phone, room, "spotShow", **spot("s2", "entrance", text="来了"))
    phone.wait("the entrance", "return document.querySelector('.moment[data-kind=entrance]')")
    assert phone.js("return document.querySelectorAll('.moment').length") == 1
    assert "来了" in phone.js("return document.querySelector('.moment').textContent")
    assert phone.js("return document.querySelector('.moments').matches('[aria-hidden=true]')")
    tell(phone, room, "spotGone", spotId="s1")
    assert phone.js("return document.querySelectorAll('.moment').length") == 1
    tell(phone, room, "spotGone", spotId="s2")
    phone.wait("the entrance to be gone", "return !document.querySelector('.moment')")


def test_a_bar_tells_a_crowd(phone, room):
    phone.open(room)
    crowd = {
        "crowdId": "c1", "receiverId": "", "giftId": "rose", "giftName": "玫瑰", "value": 1, "items": 5, "units": 12,
        "names": [{"userId": "7", "name": "阿花", "avatarUrl": ""}]}
    tell(phone, room, "crowdShow", **crowd)
    phone.wait("the bar", "return document.querySelector('.crowd:not([hidden])')")
    words = phone.js("return document.querySelector('.crowd').textContent")
    assert "阿花" in words and "×12" in words, words
    tell(phone, room, "crowdShow", **crowd | {"units": 40})
    phone.wait("more of it", "return document.querySelector('.crowd').textContent.includes('×40')")
    tell(phone, room, "crowdHide", crowdId="c0")
    assert not phone.js("return document.querySelector('.crowd').hidden")
    tell(phone, room, "crowdHide", crowdId="c1")
    phone.wait("the bar to be free", "return document.querySelector('.crowd').hidden")


def test_a_view_is_dressed_by_its_tier_which_may_rise_and_none_is_the_least(phone, room):
    room.show(1, value=1_000_000)
    phone.open(room)
    looks = "return document.querySelector('.gift').className"
    phone.wait_stage("the gift", lambda s: s["gifts"])
    assert phone.js(looks) == "gift", "what it costs is the server's to weigh"
    room.show(1, tier=1, enterMs=0)
    phone.wait("it to be dressed", "return document.querySelector('.gift.is-gold')")


def test_an_ended_room_is_shown_as_ended_until_something_comes(phone, room):
    room.show(1)
    room.fly("w1")
    room.drop(0)
    room.say("rainTally", rainId="rain", opened=1, winners=0, coins=0)
    phone.open(room)
    phone.wait_stage("all of it", lambda s: s["gifts"] and s["wishes"] and s["packets"])
    tell(phone, room, "roomEnd")
    phone.wait("its end", "return !document.querySelector('.room-over').hidden && document.querySelector('.live').textContent === 'ended'")
    assert phone.js("return document.querySelectorAll('.gift, .wish, .packet').length") == 0
    assert phone.js("return document.querySelector('.tally').hidden")
    room.kafka.send("render.commands", room.id, {
        "roomId": room.id, "id": f"im.{room.id}/0/{next(places)}/0", "atMs": now_ms(),
        "likeBurst": {"count": 1, "points": []}})
    phone.wait("life", "return document.querySelector('.room-over').hidden && document.querySelector('.live').textContent === 'LIVE'")


def test_a_room_where_nothing_has_happened_is_not_live(phone, room):
    phone.open(room)
    live = "const live = document.querySelector('.live'); return [live.textContent, live.dataset.life, getComputedStyle(live, '::before').animationName]"
    assert phone.js(live) == ["quiet", "quiet", "none"]
    room.fly("w1")
    phone.wait("life", f"return (() => {{ {live} }})()[0] === 'LIVE'")
    assert phone.js(live) == ["LIVE", "live", "pulse"]


def test_what_is_too_much_is_told_and_what_was_taken_back_is_not(phone, room):
    phone.open(room)
    room.say("skipped", stage="gift", reason="retracted", items=1, units=3)
    room.say("skipped", stage="wish", reason="ended", items=1, units=1)
    room.say("skipped", stage="gift", reason="overflow", items=1, units=7)
    phone.wait("the note", "return !document.querySelector('.skips').hidden")
    assert phone.js("return document.querySelector('.skips').textContent") == "+7 🎁"


def test_a_moment_says_what_is_sent_on_the_narrowest_phone(phone, room):
    phone.resize(320, 568)
    phone.open(room)
    tell(phone, room, "spotShow", **spot("s1", "gift", giftId="castle", tier=3, total=1, sender=sender("Maximiliane von Hohenfels", "7")))
    phone.wait("its line", "return document.querySelector('.moment-line')")
    name, gift = phone.js("return [...document.querySelectorAll('.moment-line > :not(.avatar)')].map((n) => [n.scrollWidth > n.clientWidth, n.textContent])")
    assert name == [True, "Maximiliane von Hohenfels"]
    assert gift == [False, " sent Dream castle"]


def test_a_wish_that_is_taken_back_goes_and_others_stay(phone, room):
    room.fly("w1", track=0)
    room.fly("w2", track=1)
    phone.open(room)
    phone.wait_stage("both", lambda s: len(s["wishes"]) == 2)
    tell(phone, room, "wishGone", wishId="w1")
    phone.wait_stage("one of them", lambda s: [wish["wish"] for wish in s["wishes"]] == ["w2"])


def test_a_packet_falls_from_where_it_begins_to_where_it_lands(phone, room):
    duration = 120_000
    at_ms = now_ms() - 60_000
    room.come_to_now()
    phone.open(room)
    tell(phone, room, "rainDrop", at_ms, rainId="rain", packet=0, x=0, fallMs=duration, angle=0, spin=90, toX=999, spinMs=30_000)
    tell(phone, room, "rainDrop", at_ms, rainId="rain", packet=1, x=500, fallMs=duration, angle=0, spin=90)
    phone.wait_stage("both", lambda s: len(s["packets"]) == 2)
    (left, straight), now, turned = phone.frame("""
      const box = (n) => document.querySelector(`[data-packet="${n}"]`);
      const { clock, lagMs } = flyscreen.room(arguments[0]);
      const way = (node) => new DOMMatrix(getComputedStyle(node).transform).e + node.offsetLeft;
      const art = new DOMMatrix(getComputedStyle(box(0).firstElementChild).transform);
      return [[way(box(0)), way(box(1))], clock.now(document.timeline.currentTime) - lagMs, Math.round(Math.atan2(art.b, art.a) * 180 / Math.PI)];
    """, room.id)
    assert left == pytest.approx((390 - 58) * (now - at_ms) / duration, abs=2)
    assert straight == pytest.approx((390 - 58) * 500 / 999, abs=2)
    assert turned == 90, "it has turned in its own time"


def test_an_overlay_is_the_room_alone_over_nothing_at_any_size(phone, room):
    room.show(1, count=3)
    room.fly("w1")
    for size in ((1920, 1080), (1080, 1920), (300, 500)):
        phone.resize(*size)
        phone.driver.get(phone.gateway.page(room) + "&overlay")
        phone.wait_stage("the gift", lambda s: s["gifts"])
        looks, seen, box = phone.js("""
          const clear = (node) => ["rgba(0, 0, 0, 0)", "transparent"].includes(getComputedStyle(node).backgroundColor) && getComputedStyle(node).backgroundImage === "none";
          const seen = (selector) => [...document.querySelectorAll(selector)].some((node) => node.getClientRects().length > 0);
          const { width, height } = document.querySelector(".rooms").getBoundingClientRect();
          return [[document.documentElement, document.body, ...document.querySelectorAll(".phone, .rooms, .room")].every(clear),
                  seen(".controls, .scene, .scrim, .room-head, .desk-side, .waiting, .status"), [width, height]];
        """)
        assert looks and not seen
        assert box == pytest.approx(size, abs=1)


def test_the_last_wishes_open_from_below(phone, room):
    for number in range(3):
        room.fly(f"w{number}", track=number, text=f"wish {number}")
    phone.open(room)
    phone.wait_stage("all", lambda s: len(s["wishes"]) == 3)
    room.say("wishLikes", wishId="w1", likes=5)
    phone.wait_stage("its likes", lambda s: [w["likes"] for w in s["wishes"] if w["wish"] == "w1"] == [5])
    # Both are of the same log: the one that is told first would make the other old.
    tell(phone, room, "wishGone", wishId="w0")
    phone.wait_stage("one to be gone", lambda s: len(s["wishes"]) == 2)
    phone.click(".room:not([inert]) .wish-list")
    phone.wait("the list", "return document.querySelectorAll('.last-wish').length === 2")
    texts = phone.js("return [...document.querySelectorAll('.last-wish p')].map((p) => p.textContent)")
    assert texts == ["wish 2", "wish 1"]
    assert "5" in phone.js("return document.querySelectorAll('.last-likes')[1].textContent")


def test_short_wishes_are_whole_at_default_settings(modules):
    cut = modules.driver.execute_async_script("""
      const tell = arguments[0];
      const wishes = [["Ann", "Good luck!"], ["Tom", "I wish you all the best"], ["Maximiliane von Hoh…", "Happy birthday!"],
        ["Jane Doe", "Merry Christmas to everyone"], ["William", "WOW WOW WOW MMM"], ["Екатерина", "С днём рождения!"],
        ["Дмитрий", "Желаю счастья и здоровья"], ["Щука", "Шшшш, жюри смотрит"], ["Élodie", "Bonne chance à tous"],
        ["Jürgen", "Viel Glück und Gesundheit"], ["Мария", "Люблю вас всех!"], ["Bob", "go go go"],
        ["Sam", "You are amazing, thank you"], ["Ольга Шмидт", "Пусть всё получится"], ["Mia", "Hello from Rome"],
        ["Alexander the Great", "World peace"]];
      import("/page/wishTracks.js").then(({ WishTracks }) => {
        const tracks = new WishTracks(() => 0, { canLike: true });
        document.querySelector(".phone").append(tracks.node);
        tracks.resize(390);
        const cut = wishes.filter(([name, text], number) => {
          const sender = { userId: "u", name, avatarUrl: "" };
          const wishFly = { wishId: `w${number}`, track: number, sender, text, style: "", width: 72 + 7 * (name + text).length, durationMs: 60000, likes: 0 };
          tracks.apply({ id: `a/0/${number}/0`, atMs: 0, wishFly });
          const words = tracks.node.lastElementChild.querySelector(".wish-text");
          return words.scrollWidth > words.clientWidth;
        });
        tracks.node.remove();
        tell(cut);
      });
    """)
    assert cut == []
