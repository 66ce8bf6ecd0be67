"""Unusual moments of the page: dear gifts, ends, items that are taken back, rain that slants, an overlay."""

import itertools

import pytest
from backstage import now_ms, sender, spot

places = itertools.count(1_000_000)


def tell(phone, room, kind, /, at_ms=None, **body):
    """A command that comes by the room's stream, whatever the gateway between knows of it."""
    command = {
        "roomId": room.id, "id": f"im.{room.id}/0/{next(places)}/0", "atMs": now_ms() if at_ms is None else at_ms, kind: body}
    phone.js("flyscreen.room(arguments[0]).receive(arguments[1])", room.id, command)


def pass_over(phone, room, kind, /, **body):
    """The same, once what came until then has been drawn: commands are drawn in their order."""
    tell(phone, room, kind, **body)
    number = next(places)
    tell(phone, room, "rainTally", rainId="rain", opened=number, winners=0, coins=0)
    phone.wait("what comes next", "return document.querySelector('.tally').textContent.includes(arguments[0])", str(number))


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
    pass_over(phone, room, "spotGone", spotId="s1")
    assert phone.js("return document.querySelectorAll('.moment').length") == 1
    tell(phone, room, "spotGone", spotId="s2")
    phone.wait("the entrance to be gone", "return !document.querySelector('.moment')")
    # What is no gift is none on the page either.
    tell(phone, room, "spotShow", **spot("s3", "effect", giftId=""))
    phone.wait("the effect", "return document.querySelector('.moment-art')")
    assert phone.js("return document.querySelectorAll('.moment-art rect').length") == 0


def test_a_bar_tells_a_crowd(phone, room):
    phone.open(room)
    crowd = {
        "crowdId": "c1", "receiverId": "", "giftId": "rose", "giftName": "玫瑰", "value": 1, "items": 5, "units": 12,
        "names": [{"userId": "7", "name": "阿花", "avatarUrl": ""}]}
    tell(phone, room, "crowdShow", **crowd)
    phone.wait("the bar", "return document.querySelector('.crowd:not([hidden])')")
    words = phone.js("return document.querySelector('.crowd').textContent")
    assert "阿花" in words and "and 4 more" in words and "×12" in words, words
    tell(phone, room, "crowdShow", **crowd | {"units": 40})
    phone.wait("more of it", "return document.querySelector('.crowd').textContent.includes('×40')")
    # A name is read its own way, and turns no others.
    people = [{"userId": name, "name": name, "avatarUrl": ""} for name in ("نور", "Ann", "Bob")]
    tell(phone, room, "crowdShow", **crowd | {"units": 41, "names": people})
    phone.wait("them", "return document.querySelectorAll('.crowd-names bdi').length === 3")
    lefts = phone.js("return [...document.querySelectorAll('.crowd-names bdi')].map((name) => name.getBoundingClientRect().left)")
    assert lefts == sorted(lefts)
    pass_over(phone, room, "crowdHide", crowdId="c0")
    assert not phone.js("return document.querySelector('.crowd').hidden")
    tell(phone, room, "crowdHide", crowdId="c1")
    phone.wait("the bar to be free", "return document.querySelector('.crowd').hidden")
    # It may have gone while the stream was away.
    tell(phone, room, "crowdShow", **crowd | {"units": 41})
    phone.wait("the bar", "return !document.querySelector('.crowd').hidden")
    phone.js("const room = flyscreen.room(arguments[0]); room.reset({ ...room.screen.snapshot, commands: [] })", room.id)
    assert phone.js("return document.querySelector('.crowd').hidden")


def test_a_view_is_dressed_by_its_tier_which_may_rise_and_none_is_the_least(phone, room):
    room.show(1, value=1_000_000)
    phone.open(room)
    looks = "return document.querySelector('.gift').className"
    phone.wait_stage("the gift", lambda s: s["gifts"])
    assert phone.js(looks) == "gift", "the server weighs its price"
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
    tell(phone, room, "spotShow", **spot("s1", "gift", giftId="castle", tier=3, total=1, sender=sender("Maximiliane von Hohenfels zu Sternberg", "7")))
    phone.wait("its line", "return document.querySelector('.moment-line')")
    name, gift = phone.js("return [...document.querySelectorAll('.moment-line > :not(.avatar)')].map((n) => [n.scrollWidth > n.clientWidth, n.textContent])")
    assert name == [True, "Maximiliane von Hohenfels zu Sternberg"]
    assert gift == [False, " sent Dream castle"]


def test_nothing_moves_a_moment_between_its_coming_and_its_going(phone, room):
    phone.open(room)
    phone.js("""
      window.moves = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, time) {
        if (this.matches(".moment")) moves.push([...frames.map(({ opacity }) => opacity), Math.round(time.duration)]);
        return animate.call(this, frames, time);
      };
    """)
    tell(phone, room, "spotShow", **spot("s1", "gift", giftId="castle", tier=2, durationMs=2000))
    phone.wait("it to have come and gone", "return moves.length > 0 && !document.querySelector('.moment')")
    assert phone.js("return moves") == [[0, 1, 160], [1, 0, 280]]


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
    (left, straight), now, turned, layers = phone.frame("""
      const box = (n) => document.querySelector(`[data-packet="${n}"]`);
      const { clock, lagMs } = flyscreen.room(arguments[0]);
      const way = (node) => new DOMMatrix(getComputedStyle(node).transform).e + node.offsetLeft;
      const turn = new DOMMatrix(getComputedStyle(box(0)).transform);
      return [[way(box(0)), way(box(1))], clock.now(document.timeline.currentTime) - lagMs, Math.round(Math.atan2(turn.b, turn.a) * 180 / Math.PI),
              [box(0).childElementCount, box(0).getAnimations().length]];
    """, room.id)
    assert left == pytest.approx((390 - 58) * (now - at_ms) / duration, abs=2)
    assert straight == pytest.approx((390 - 58) * 500 / 999, abs=2)
    assert turned == 90, "it has turned in its own time"
    assert layers == [0, 0], "there may be hundreds: each is one element that nothing moves"


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
    assert phone.js("return [...document.querySelectorAll('.last-wish')].map((row) => row.querySelector('.last-likes')?.textContent ?? '')") == ["", "♥ 5"]
    assert phone.js("return document.querySelectorAll('.sheet [aria-label]:not(button, [role])').length") == 0, "only what has a role has a name"


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


def test_what_a_banner_is_wider_than_its_words_is_left_on_both_sides(modules):
    """The width knows no fonts: marks above and below and joined emoji are less wide than it reckons."""
    lines = [["สมชาย", "ขอให้มีความสุขมากๆ"], ["राहुल", "जन्मदिन की हार्दिक"], ["فاطِمَة", "أَلسَّلَامُ عَلَيْكُمْ"], ["Mia", "👨‍👩‍👧‍👦👩‍❤️‍💋‍👨"], ["", "hi"]]
    gaps = modules.driver.execute_async_script("""
      const [lines, tell] = arguments;
      import("/page/wishTracks.js").then(({ WishTracks }) => {
        const tracks = new WishTracks(() => 0, { canLike: true });
        document.querySelector(".phone").append(tracks.node);
        tracks.resize(390);
        tell(lines.map(([name, text], number) => {
          const sender = { userId: "u", name, avatarUrl: "" };
          const wishFly = { wishId: `w${number}`, track: 0, sender, text, style: "", width: 500, durationMs: 60000, likes: 0 };
          tracks.apply({ id: `a/0/${number}/0`, atMs: 0, wishFly });
          const words = tracks.node.lastElementChild.querySelector(".wish-words"), box = words.getBoundingClientRect();
          const shown = [...words.children].map((one) => one.getBoundingClientRect()).filter(({ width }) => width > 0);
          return [Math.min(...shown.map(({ left }) => left)) - box.left, box.right - Math.max(...shown.map(({ right }) => right))];
        }));
        tracks.node.remove();
      }, (error) => tell("" + error));
    """, lines)
    assert len(gaps) == len(lines)
    assert all(left > 20 and abs(left - right) < 1 for left, right in gaps), gaps


def test_of_a_banner_only_what_does_not_fit_is_cut(modules):
    """Widths as section 4 of STAGES.md reckons them, where fonts draw a little wider; and some that are far too narrow."""
    lines = [["小明4", "祝你生日快乐", 191], ["Ann", "Good luck!", 163], ["Mia", "go go go", 149], ["小明4", "祝你生日快乐, 万事如意, 身体健康", 290], ["Maximiliane von", "hi", 150]]
    told = modules.driver.execute_async_script("""
      const [lines, tell] = arguments;
      import("/page/wishTracks.js").then(({ WishTracks }) => {
        const tracks = new WishTracks(() => 0, { canLike: true });
        document.querySelector(".phone").append(tracks.node);
        tracks.resize(390);
        tell(lines.map(([name, text, width], number) => {
          const wishFly = { wishId: `w${number}`, track: 0, sender: { userId: "u", name, avatarUrl: "" }, text, style: "", width, durationMs: 60000, likes: 0 };
          tracks.apply({ id: `a/0/${number}/0`, atMs: 0, wishFly });
          const words = tracks.node.lastElementChild.querySelector(".wish-words"), box = words.getBoundingClientRect();
          const [who, what] = words.children, [left, right] = [who.getBoundingClientRect().left - box.left, box.right - what.getBoundingClientRect().right];
          return [who.textContent, who.scrollWidth <= who.clientWidth && what.scrollWidth <= what.clientWidth, Math.abs(left - right) < 1, left >= -0.5];
        }));
        tracks.node.remove();
      }, (error) => tell("" + error));
    """, lines)
    assert [name for name, *_ in told[:4]] == ["小明4", "Ann", "Mia", "小明4"]
    assert told[4][0].startswith("Max") and told[4][0].endswith("…"), "and no more is cut than must be"
    assert all(all(rest) for _, *rest in told), told


def test_an_entrance_is_a_strip_and_the_room_stays_to_be_seen(phone, room):
    for size in ((390, 844), (844, 390), (1440, 900)):
        phone.resize(*size)
        phone.open(room)
        tell(phone, room, "spotShow", **spot("s1", "entrance"))
        phone.wait("the entrance", "return document.querySelector('.moment.is-strip')")
        share, words = phone.js("""
          const strip = document.querySelector(".moment"), stage = document.querySelector(".rooms");
          return [strip.offsetHeight / stage.clientHeight, strip.innerText];
        """)
        assert share < 0.2, size
        assert "阿花" in words and "came in" in words


def test_each_gift_of_the_page_moves_in_a_way_of_its_own(modules):
    ways = modules.driver.execute_async_script("""
      const tell = arguments[0];
      Promise.all([import("/page/choreography.js"), import("/page/catalogue.js")]).then(([{ choreography, sparks }, { presents }]) => {
        const node = document.querySelector(".phone");
        tell([...presents().map(({ giftId }) => giftId), "another"].map((giftId) => {
          const { way, sparks: kind } = choreography(giftId);
          // A browser refuses frames that are out of order.
          node.animate(way, 1000).cancel();
          const spark = sparks[kind](0.3);
          if (!spark.every((place) => Object.values(place).every(Number.isFinite))) throw new Error(JSON.stringify([giftId, spark]));
          if (`${spark.map(({ offset, opacity }) => [offset, opacity])}` !== "0,0,0.4,1,1,0") throw new Error(JSON.stringify([giftId, spark]));
          return JSON.stringify(way);
        }));
      }, (error) => tell("" + error));
    """)
    assert len(set(ways)) == 13, ways


def test_a_number_that_comes_to_a_milestone_or_passes_it_is_celebrated(phone, room):
    room.show(1, count=60, total=2000)
    phone.open(room)
    phone.wait_stage("the gift", lambda s: s["gifts"])
    phone.js("""
      window.milestones = [];
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          if (node.matches?.(".milestone")) milestones.push([node.dataset.milestone, node.querySelector("i").className, document.querySelectorAll(".milestone").length]);
        }
      }).observe(document.body, { childList: true, subtree: true });
    """)
    for count in (65, 66, 70, 188, 519, 2000):
        room.bump(count)
    phone.wait_stage("the last number", lambda s: s["gifts"][0]["count"] == 2000)
    assert phone.js("return milestones") == [["66", "is-leaf", 1], ["188", "is-coin", 1], ["1314", "is-star", 1]]
    phone.wait("them to be gone", "return !document.querySelector('.milestone')")


def test_there_is_no_sound_until_a_viewer_asks_for_it(phone, room):
    phone.open(room, sends=True)
    phone.count_tones()
    room.show(1)
    phone.wait_stage("the gift", lambda s: s["gifts"])
    assert phone.js("return tones") == 0
    phone.click(".rail-button.is-sound")
    assert phone.js("return document.querySelector('.is-sound').getAttribute('aria-label')") == "Sound off"
    room.bump(1)
    phone.wait("a tone", "return tones > 0")
    phone.click(".rail-button.is-sound")
    tones = phone.js("return tones")
    room.show(2, lane=0)
    phone.wait_stage("the other gift", lambda s: len(s["gifts"]) == 2)
    assert phone.js("return tones") == tones


def test_wishes_force_no_layout(phone, room):
    phone.open(room)
    room.fly("first")
    phone.wait_stage("the first", lambda s: s["wishes"])
    before = phone.layouts()
    phone.js("""
      const [roomId, atMs] = arguments, room = flyscreen.room(roomId);
      for (let n = 0; n < 100; n += 1) {
        const sender = { userId: `u${n}`, name: `Maximiliane ${n}`, avatarUrl: "" };
        room.receive({ roomId, id: `im.x/0/${n}/0`, atMs, wishFly: { wishId: `w${n}`, track: n % 3, sender, text: `wish number ${n}`, style: "", width: 150, durationMs: 60000, likes: 0, extra: "" } });
      }
    """, room.id, now_ms() - 10_000)
    phone.wait("all of them", "return document.querySelectorAll('.wish').length === 101")
    # Forced layouts would be one a wish, and those of frames come on top.
    assert phone.layouts() - before < 100


def test_an_own_wish_that_joined_an_equal_one_has_flown(phone, room):
    # An equal one may have come before it was sent, or comes while it waits.
    phone.open(room, sends=True)
    for number, is_before in enumerate((True, False)):
        text = f"good luck {number}"
        if is_before:
            room.fly("another", text=text)
            phone.wait_stage("the other", lambda s: any(text in wish["text"] for wish in s["wishes"]))
        phone.js("window.ended = null; flyscreen.wish(arguments[0], arguments[1]).then((how) => (window.ended = how))", room.id, text)
        room.kafka.wait_events(room, "wish", number + 1)
        if not is_before:
            phone.wait("it to be at hand", "return document.querySelector('.own-wish')")
            room.fly("one more", text=text, track=1)
        assert phone.wait("its end", "return window.ended") == "flies"
        phone.wait("it to be no more at hand", "return !document.querySelector('.own-wish')")
