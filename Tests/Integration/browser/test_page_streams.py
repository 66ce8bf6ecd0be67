"""The page's streams of commands, and what it does without them."""


import urllib.request

import pytest
from backstage import ROOT, Gateway, now_ms, token
from waiting import LIMIT



@pytest.fixture
def own_gateway(kafka, phone):
    """One that a test may end and freeze."""
    started = [Gateway(kafka).wait_ready()]
    yield started
    # Nobody looks any more before they end.
    phone.leave()
    for gateway in started:
        if gateway.is_running:
            gateway.kill()


@pytest.mark.breaks_the_network
def test_a_page_whose_gateway_went_away_says_so_and_goes_on_when_it_is_back(phone, room, own_gateway):
    room.show(count=2, total=9)
    phone.open(room, gateway=own_gateway[0])
    phone.wait_stage("the gift", lambda s: s["gifts"])
    own_gateway[0].kill()
    phone.wait("it to say so", "return document.querySelector('.status.is-trouble')?.textContent === 'Reconnecting…'")
    # A tap on it asks for another try now.
    phone.js("window.tries = 0; const retry = flyscreen.retryNow; flyscreen.retryNow = function () { tries += 1; retry.call(this); }")
    phone.tap_until(*phone.center(".status-line"), "another try", "return window.tries > 0")
    # The screen stays, and what happens meanwhile is not lost.
    assert phone.stage()["gifts"][0]["number"] == "×2"
    room.bump(3)
    room.fly("w1", likes=4)
    own_gateway.append(own_gateway[0].again().wait_ready())
    stage = phone.wait_stage("the news", lambda s: s["wishes"] and s["gifts"] and s["gifts"][0]["number"] == "×3")
    assert [wish["likes"] for wish in stage["wishes"]] == [4]
    phone.wait("it to be quiet again", "return !document.querySelector('.status.is-trouble')")
    room.bump(4)
    phone.wait_stage("what comes next", lambda s: s["gifts"][0]["number"] == "×4")


@pytest.mark.breaks_the_network
def test_the_browsers_own_event_source_has_everything_once_through_a_restart(phone, room, own_gateway):
    room.show(count=1, total=9)
    # Waits until it is in the snapshot, rather than a command after that.
    own_gateway[0].wait_told(room, 1)
    # Any page of the gateway's that runs nothing itself.
    phone.driver.get(f"http://127.0.0.1:{own_gateway[0].port}/readyz")
    phone.js("""
      window.seen = [];
      const connect = (lastEventId) => {
        const source = new EventSource(`/rooms/${arguments[0]}/commands?lastEventId=${encodeURIComponent(lastEventId)}`);
        let last = lastEventId;
        for (const name of ["snapshot", "command"]) {
          source.addEventListener(name, (event) => {
            seen.push([name, JSON.parse(event.data)]);
            last = event.lastEventId;
          });
        }
        // It comes back by itself, but gives up where it finds a gateway that is not ready yet.
        source.onerror = () => source.readyState === EventSource.CLOSED && setTimeout(connect, 100, last);
      };
      connect("");
    """, room.id)
    phone.wait("the snapshot", "return seen.length > 0")
    for count in range(2, 5):
        room.bump(count)
    phone.wait("what comes", "return seen.at(-1)[1].giftBump?.count === 4")
    own_gateway[0].kill()
    for count in range(5, 8):
        room.bump(count)
    own_gateway.append(own_gateway[0].again().wait_ready())
    room.bump(8)
    phone.wait("the last", "return seen.at(-1)[1].giftBump?.count === 8")
    (first, _), *others = phone.js("return seen")
    assert first == "snapshot"
    assert [(name, data["giftBump"]["count"]) for name, data in others] == [("command", n) for n in range(2, 9)]


def test_another_room_is_there_at_once_and_waits_for_no_network(phone, kafka, own_gateway, capsys):
    rooms = [kafka.room("switch") for _ in range(3)]
    for number, room in enumerate(rooms):
        room.show(count=number + 1, total=9)
        room.fly(f"w{number}")
    phone.open(*rooms, gateway=own_gateway[0])
    phone.wait_stage("the first", lambda s: s["room"] == rooms[0].id and s["gifts"])
    phone.wait("all to be known", """
      const screens = arguments[0].map((room) => flyscreen.room(room).settle());
      return screens.every(({ gifts, banners }) => gifts.length === 1 && banners.length === 1);
    """, [room.id for room in rooms])
    own_gateway[0].freeze()
    try:
        spans = []
        for key, room, count in (("ArrowDown", rooms[1], 2), ("ArrowUp", rooms[0], 1), ("ArrowUp", rooms[2], 3)):
            # From the key until the frame after the one that has all of it.
            took, drawn = phone.driver.execute_async_script("""
              const [key, tell] = arguments, begin = performance.now();
              document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
              const room = document.querySelector(".room:not([inert])");
              const drawn = [room.dataset.room, room.querySelector(".gift")?.dataset.count, room.querySelectorAll(".wish").length];
              requestAnimationFrame(() => requestAnimationFrame(() => tell([performance.now() - begin, drawn])));
            """, key)
            assert drawn == [room.id, str(count), 1]
            spans.append(took)
    finally:
        own_gateway[0].thaw()
    with capsys.disabled():
        print(f"\na room switch took {', '.join(f'{span:.0f}' for span in spans)} ms with the gateway frozen")


@pytest.mark.parametrize("way", [-1, 1], ids=["below", "above"])
def test_two_quick_swipes_wait_for_no_network(phone, kafka, own_gateway, way):
    rooms = [kafka.room("quick") for _ in range(7)]
    for number, room in enumerate(rooms):
        room.show(count=number + 1, total=9)
    phone.open(*rooms, gateway=own_gateway[0])
    phone.wait_stage("the first", lambda s: s["room"] == rooms[0].id and s["gifts"])
    own_gateway[0].freeze()
    try:
        for swipes in (1, 2):
            phone.swipe(195, 420, dy=way * 300)
            place = -way * swipes % len(rooms)
            stage = phone.wait_stage("the next", lambda s, place=place: s["room"] == rooms[place].id)
            assert [gift["count"] for gift in stage["gifts"]] == [place + 1]
    finally:
        own_gateway[0].thaw()
    # The network hears of it afterwards.
    rooms[place].bump(9)
    phone.wait_stage("what comes then", lambda s: s["gifts"][0]["count"] == 9)
    beyond = rooms[-way * 4 % len(rooms)]
    phone.wait("to know the rooms beyond", "return flyscreen.room(arguments[0])?.isKnown === true", beyond.id)


@pytest.mark.breaks_the_network
def test_rooms_that_no_single_gateway_has_get_a_stream_each(phone, kafka, own_gateway):
    rooms = [kafka.room("apart") for _ in range(12)]
    for room in rooms:
        room.show(count=5, total=5)
    mine = rooms[0].partition
    other = next(room for room in rooms if room.partition != mine)
    own_gateway.append(Gateway(kafka, "--gateway.partitions", mine).wait_ready())
    phone.driver.get(own_gateway[1].page(rooms[0], other))
    phone.wait_stage("the room that is here", lambda s: s["gifts"] and s["gifts"][0]["number"] == "×5")
    # The browser's console calls it an error that it asked elsewhere, and it goes on to ask.
    assert all("421" in error for error in phone.console_errors())


@pytest.mark.breaks_the_network
def test_a_page_brings_its_token_along_and_says_where_one_is_missing(phone, kafka, own_gateway, tmp_path):
    secret = b"0123456789abcdef0123456789abcdef"
    (tmp_path / "k1.secret").write_bytes(secret)
    own_gateway.append(Gateway(kafka, "--gateway.auth.keys", tmp_path).wait_ready())
    room = kafka.room("token")
    room.show(count=3)
    phone.driver.get(own_gateway[1].page(room))
    phone.wait("it to say so", "return document.querySelector('.waiting:not([hidden])')?.innerText.includes('token')")
    for claims in ({"sub": "u7"}, {}):
        phone.driver.get(own_gateway[1].page(room) + "&access_token=" + token("k1", secret, rooms=[room.id], **claims))
        phone.wait_stage("the gift", lambda s: s["gifts"] and s["gifts"][0]["number"] == "×3")


def test_a_page_that_was_hidden_wakes_up_to_what_there_is_by_then(phone, room):
    room.show(count=1, total=9)
    phone.open(room)
    phone.wait_stage("the gift", lambda s: s["gifts"])
    hide = """
      Object.defineProperty(document, "hidden", { configurable: true, get: () => arguments[0] });
      document.dispatchEvent(new Event("visibilitychange"));
    """
    phone.js(hide, True)
    assert phone.js("return document.querySelectorAll('.gift, .wish').length") == 0
    room.bump(8)
    room.fly("w1")
    phone.wait("it to know", "return flyscreen.room(arguments[0]).settle().banners.length === 1", room.id)
    assert phone.js("return document.querySelectorAll('.gift, .wish').length") == 0
    phone.js(hide, False)
    stage = phone.stage()
    assert stage["gifts"][0]["number"] == "×8" and len(stage["wishes"]) == 1


def test_a_room_that_nothing_happened_in_yet_comes_to_life(phone, room):
    phone.open(room)
    assert phone.stage()["gifts"] == []
    room.show(count=1)
    phone.wait_stage("its first gift", lambda s: s["gifts"])


def test_a_wheel_and_the_list_of_a_wide_screen_choose_rooms(phone, kafka):
    rooms = [kafka.room("wheel") for _ in range(3)]
    phone.resize(1440, 900)
    phone.open(*rooms)
    turn = "document.querySelector('.room:not([inert])').dispatchEvent(new WheelEvent('wheel', { deltaY: arguments[0], bubbles: true }))"
    phone.js(turn, 100)
    phone.wait_stage("the next", lambda s: s["room"] == rooms[1].id)
    phone.js(f"document.querySelector('.desk-room[data-room=\"{rooms[2].id}\"]').click()")
    phone.wait_stage("the chosen", lambda s: s["room"] == rooms[2].id)
    room = rooms[2]
    at_ms = room.show(count=1)
    phone.wait_stage("its gift", lambda s: s["gifts"])
    phone.wait("its command in the margin", "return [...document.querySelectorAll('.desk-log li')].some((li) => li.textContent.includes('enters lane'))")
    assert at_ms <= now_ms()
    # A sentence is read in the page's direction, whatever its first name is written in.
    room.show(2, lane=0, name="سارة")
    phone.wait("her line", "return [...document.querySelectorAll('.desk-log bdi')].some((one) => one.textContent.includes('سارة'))")
    assert phone.js("return [...document.querySelectorAll('.desk-log bdi')].every((one) => getComputedStyle(one).direction === 'ltr')")
    for count in range(2, 40):
        room.bump(count)
    phone.wait("a full margin", "const [log, first] = ['.desk-log', '.desk-log li'].map((one) => document.querySelector(one).getBoundingClientRect()); return first.top <= log.top")


def test_rooms_that_have_ended_are_left_out_and_the_one_on_screen_stays(modules):
    ways = modules.driver.execute_async_script("""
      const tell = arguments[0];
      Promise.all([import("/page/deck.js"), import("/page/roomView.js")]).then(([{ Deck }, { RoomView }]) => {
        const make = (roomId) => new RoomView(roomId, () => undefined, {}, { openRanking() {}, openWishes() {}, onLikes() {} });
        const deck = new Deck(document.createElement("div"), { make, follow() {}, onSwitch() {} });
        const ways = [];
        const say = (...rooms) => (deck.setRooms(rooms), ways.push(deck.rooms.join("")));
        say("a", "b", "c");
        say("d", "b");
        say();
        for (let list = 0; list < 4; list += 1) say("b", "d");
        say("b", "d");
        say("c");
        tell(ways);
      });
    """)
    # A room may be quiet for a while; and no list at all means that nobody knows.
    assert ways == ["abc", "abcd", "abcd", "abcd", "abcd", "abcd", "abcd", "abd", "abdc"]


def test_who_looks_for_a_room_among_many_opens_one_stream(phone, kafka):
    rooms = [kafka.room("many") for _ in range(8)]
    phone.open(*rooms)
    phone.js("""
      window.opened = 0;
      flyscreen.addEventListener("state", ({ detail }) => (opened += detail.state === "connecting"));
      for (let n = 0; n < 43; n += 1) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
    """)
    phone.wait_stage("the last room", lambda s: s["room"] == rooms[43 % 8].id)
    phone.wait("to know it", "return flyscreen.room(arguments[0])?.isKnown === true", rooms[43 % 8].id)
    assert phone.js("return opened") == 1


def test_a_page_that_nobody_sees_asks_for_no_list_of_rooms(modules):
    asked = modules.driver.execute_async_script("""
      const tell = arguments[0], set = setTimeout;
      import("/page/directory.js").then(async ({ Directory }) => {
        let [asked, isHidden, ring] = [0, true, null];
        Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
        window.fetch = async () => ((asked += 1), new Response(JSON.stringify({ rooms: ["r"] }), { headers: { "Content-Type": "application/json" } }));
        window.setTimeout = (act, span) => (span >= 2000 ? ((ring = act), 1) : set(act, span));
        const wait = () => new Promise((go) => set(go, 50));
        new Directory({ rooms: [], token: async () => undefined, onRooms() {}, onKinds() {}, onAnswer() {} });
        const told = [];
        for (const step of ["first", "hidden", "seen", "later"]) {
          await wait();
          if (step === "hidden" || step === "later") ring();
          if (step === "seen") [isHidden] = [false, document.dispatchEvent(new Event("visibilitychange"))];
          await wait();
          told.push(asked);
        }
        tell(told);
      }).catch((error) => tell("" + error));
    """)
    assert asked == [1, 1, 2, 3]


@pytest.mark.breaks_the_network
def test_a_room_that_no_stream_tells_of_is_not_live(phone, room):
    room.fly()
    phone.open(room)
    phone.wait("life", "return document.querySelector('.live').textContent === 'LIVE'")
    # As after the end of a token that nobody renews.
    phone.js("window.answered = fetch; window.fetch = async () => new Response('', { status: 401 }); flyscreen.renewToken()")
    phone.wait("its end", "return document.querySelector('.live').textContent === 'offline'")
    phone.js("window.fetch = answered; flyscreen.renewToken()")
    phone.wait("life", "return document.querySelector('.live').textContent === 'LIVE'")
