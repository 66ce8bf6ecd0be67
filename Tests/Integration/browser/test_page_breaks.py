"""After a break: what is over neither sounds nor moves, and nothing stays that no command will end."""

import pytest
from backstage import Gateway, now_ms, sender, spot

BREAK_MS = 20_000


@pytest.fixture
def own_gateway(kafka, phone):
    """A gateway that a test may end."""
    gateway = Gateway(kafka).wait_ready()
    yield gateway
    phone.leave()
    if gateway.is_running:
        gateway.kill()


def count_all(phone):
    """Counts tones and celebrations from now on."""
    phone.count_tones()
    phone.js("""
      window.celebrated = 0;
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) if (node.matches?.(".milestone")) celebrated += 1;
      }).observe(document.body, { childList: true, subtree: true });
    """)


def test_after_a_break_nothing_that_is_over_sounds_flies_or_is_celebrated(phone, room):
    room.show(1, count=60, total=2000, at_ms=now_ms() - BREAK_MS - 2000)
    room.come_to_now()
    phone.gateway.wait_told(room, 1)
    phone.open(room, sends=True)
    phone.wait_stage("the gift", lambda s: s["gifts"])
    phone.click(".rail-button.is-sound")
    count_all(phone)
    hearts = phone.stage()["hearts"]
    # All that was missed comes at once.
    begin = now_ms() - BREAK_MS
    missed = []
    for n in range(63):
        at_ms = begin + n * 200
        missed.append(("giftBump", at_ms, {"comboId": room.combo(1), "lane": 1, "count": 61 + n * 3, "tickMs": 300}))
        missed.append(("likeBurst", at_ms, {"count": 3, "points": [{"x": 500, "y": 500}] * 3}))
    missed.append(("skipped", begin, {"stage": "gift", "reason": "overflow", "items": 1, "units": 7}))
    missed.append(("rainTally", begin, {"rainId": "a", "opened": 3, "winners": 1, "coins": 2}))
    missed.append(("rainEnd", begin + 100, {"rainId": "a"}))
    room.say_all(missed)
    phone.wait_stage("the last number", lambda s: s["gifts"][0]["count"] == 247)
    assert phone.js("return [tones, celebrated]") == [0, 0]
    assert phone.stage()["hearts"] == hearts
    assert phone.js("return [document.querySelector('.skips').hidden, document.querySelector('.tally').hidden]") == [True, True]
    # Commands that come in time are heard and seen.
    room.bump(520)
    room.say("likeBurst", count=1, points=[{"x": 500, "y": 500}])
    phone.wait("a tone and a milestone", "return tones > 0 && celebrated === 1")
    phone.wait_stage("the heart", lambda s: s["hearts"] == hearts + 1)


def test_whatever_comes_only_so_many_tones_sound_at_once(modules):
    most = modules.driver.execute_async_script("""
      const [tell] = arguments;
      let [now, most] = [0, 0];
      const create = AudioContext.prototype.createOscillator;
      AudioContext.prototype.createOscillator = function () {
        const tone = create.call(this);
        tone.addEventListener("ended", () => (now -= 1));
        most = Math.max(most, (now += 1));
        return tone;
      };
      import("/page/sound.js").then(({ Sound }) => {
        const sound = new Sound();
        sound.toggle();
        for (let n = 0; n < 100; n += 1) sound.hear({ spotShow: {} }, 0), sound.hear({ rainDrop: {} }, 0);
        tell(most);
      });
    """)
    assert 5 <= most <= 10


def test_a_viewer_who_listens_is_told_nothing_that_is_long_over(modules):
    said = modules.driver.execute_async_script("""
      const [tell] = arguments;
      import("/page/announcer.js").then(({ Announcer }) => {
        const announcer = new Announcer(), sender = { userId: "7", name: "\\u3164", avatarUrl: "" };
        const set = setTimeout;
        window.setTimeout = (act) => set(act, 0);
        announcer.hear({ wishFly: { sender, text: "long ago" } }, 20000);
        set(() => {
          const late = announcer.node.textContent;
          announcer.hear({ wishFly: { sender, text: "now" } }, 0);
          set(() => tell([late, announcer.node.textContent]), 50);
        }, 50);
      });
    """)
    assert said == ["", "7 wishes: now"]


def test_items_that_no_command_ends_are_over_and_the_room_says_that_nothing_comes(phone, room):
    room.show(1, count=2, total=9)
    room.say("rainTally", rainId="a", opened=1, winners=1, coins=3)
    phone.gateway.wait_told(room, 2)
    phone.open(room)
    phone.wait_stage("the gift", lambda s: s["gifts"])
    assert phone.gateway.snapshot(room)["staleAfterMs"] == 32_300
    # The span of this room becomes so short that a test can wait for its end.
    phone.js("const room = flyscreen.room(arguments[0]); room.reset({ ...room.screen.snapshot, staleAfterMs: 1500 })", room.id)
    phone.wait_stage("an empty lane", lambda s: not s["gifts"])
    phone.wait("the words", "return !document.querySelector('.room-over').hidden && document.querySelector('.live').dataset.life === 'stalled'")
    assert phone.js("return document.querySelector('.room-over h3').textContent") == "Nothing comes from this room any more"
    assert phone.js("return document.querySelector('.tally').hidden")
    room.fly("w1")
    phone.wait("life", "return document.querySelector('.room-over').hidden && document.querySelector('.live').dataset.life === 'live'")


@pytest.mark.breaks_the_network
def test_an_overlay_says_so_when_its_stream_is_away(phone, room, own_gateway):
    room.show(1)
    own_gateway.wait_told(room, 1)
    phone.driver.get(f"{own_gateway.page(room)}&overlay")
    phone.watch()
    phone.wait_stage("the gift", lambda s: s["gifts"])
    own_gateway.kill()
    phone.wait("its words", "return !document.querySelector('.waiting').hidden && document.querySelector('.waiting h2').textContent")
    assert phone.js("return document.querySelector('.waiting').checkVisibility({ visibilityProperty: true })")
    assert phone.js("return performance.now()") > 5000
    assert phone.stage()["gifts"], "the room is drawn beside the words"


def test_a_page_that_was_frozen_opens_its_stream_anew(phone, room):
    room.show(1, count=1, total=9)
    phone.open(room)
    phone.wait_stage("the gift", lambda s: s["gifts"])
    phone.js("""
      window.opened = [];
      flyscreen.addEventListener("state", ({ detail }) => opened.push(detail.state));
    """)
    phone._cdp("Page.setWebLifecycleState", state="frozen")
    room.bump(5)
    phone._cdp("Page.setWebLifecycleState", state="active")
    phone.wait("a new stream", "return opened.includes('open')")
    phone.wait("what was missed", "return flyscreen.room(arguments[0]).screen.gifts[0]?.count === 5", room.id)
    # The browser takes a page that was frozen for hidden, and one that has the focus for seen.
    phone.focus()
    phone.wait_stage("the gift", lambda s: s["gifts"] and s["gifts"][0]["count"] == 5)


GIFTS = {"en": "Golden rocket of the seven seas", "zh": "七彩祥云踏浪而来的大火箭", "ar": "صاروخ ذهبي من البحار السبعة"}
SIZES = ((320, 568), (360, 640), (390, 844), (393, 852), (844, 390), (1440, 900))
NAMES = {"en": "Maximiliane von Hohenfels", "zh": "月半弯弯照九州的追光者", "ar": "نور الدين عبد الرحمن بن محمد"}


@pytest.mark.parametrize("language", ["en", "zh", "ar"])
def test_a_name_keeps_room_beside_whatever_is_sent(phone, room, language):
    phone.speak(language)
    phone.open(room)
    name, gift = NAMES[language], GIFTS[language]
    crowd = {"receiverId": "", "giftId": "beer", "value": 1, "items": 123_456, "units": 9_999_999}
    # Each language begins at another size.
    first = 2 * list(NAMES).index(language)
    for letters in (4, len(gift)):
        room.say("spotShow", **spot(f"s{letters}", "gift", giftId="x", giftName=gift[:letters], tier=2, total=1, sender=sender(name, "7")))
        room.say("crowdShow", crowdId=room.combo(9), giftName=gift[:letters], names=[sender(name, str(n)) for n in range(3)], **crowd)
        text = gift[:letters] * 2
        # As wide as the server measures it (STAGES.md, section 4).
        room.fly(f"w{letters}", text=text, name=name[:20], width=72 + sum(14 if letter >= "\u2e80" else 7 for letter in name[:20] + text))
        phone.wait("the moment", "return document.querySelector('.moment bdi + *')?.textContent.includes(arguments[0])", gift[:letters])
        phone.wait_stage("the wish", lambda s: [wish["wish"] for wish in s["wishes"]] == [f"w{letters}"])
        for size in SIZES[first:] + SIZES[:first]:
            phone.resize(*size)
            # What the page measures by itself it has measured by the next frame.
            phone.frame("")
            widths = phone.frame("""
              return [[".moment-line > bdi", ".moment-line"], [".crowd-names", ".crowd-words"], [".wish-sender", ".wish-words"]].map(([name, line]) => {
                const node = document.querySelector(name);
                return [name, node.clientWidth || node.getBoundingClientRect().width, node.scrollWidth, document.querySelector(line).clientWidth];
              });
            """)
            for part, width, whole, line in widths:
                assert width >= min(whole, 0.4 * line) or part == ".wish-sender" and width >= 34, (size, letters, part, width, whole, line)
        room.say("spotGone", spotId=f"s{letters}")
        room.say("wishGone", wishId=f"w{letters}")
        phone.wait("the moment to be over", "return !document.querySelector('.moment')")


UNSEEN = ("\u3164", "\u200b\u2060", " \u2800 ", "")


def test_a_name_that_nobody_can_see_gives_way_to_the_id(phone, room):
    phone.open(room)
    for number, name in enumerate(UNSEEN, start=70):
        room.show(number, name=name, user=str(number), count=1, total=1, receiverId="host", receiverName=name)
        room.fly(f"w{number}", name=name, width=300)
        stage = phone.wait_stage("both", lambda s: s["gifts"][0]["combo"] == room.combo(number) and s["wishes"][-1]["wish"] == f"w{number}")
        assert stage["gifts"][0]["words"].startswith(f"{number}\n")
        assert phone.js("return document.querySelector('.gift:not(.is-leaving) .avatar').textContent") == "7"
        label, text = phone.js("const wish = document.querySelector(`[data-wish=${arguments[0]}]`); return [wish.getAttribute('aria-label'), wish.textContent]", f"w{number}")
        assert label.startswith("Like the wish of 8:") and text.startswith("8")
        assert phone.js("return document.querySelector('.gift:not(.is-leaving) .gift-receiver').textContent") == "host"
        room.bump(2, number)
        phone.wait_stage("the number", lambda s: s["gifts"][0]["count"] == 2)
    phone.click(".room:not([inert]) .ranking")
    phone.wait("the ranking", "return document.querySelectorAll('.rank-name').length === arguments[0]", len(UNSEEN))
    assert set(phone.js("return [...document.querySelectorAll('.rank-name')].map((node) => node.textContent)")) == {"70", "71", "72", "73"}
