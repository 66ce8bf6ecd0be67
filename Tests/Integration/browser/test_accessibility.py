"""axe finds nothing to mend on the page, whatever it shows."""

import importlib.resources
import subprocess

import pytest
from backstage import Gateway, now_ms, spot, token
from process import _clean_environment
from test_page_screens import CONTRASTS
from test_page_trouble import SECRET
from waiting import LIMIT

AXE = importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text()
# The button that goes on with a combo stays for this time.
COMBO_MS = 3000


def see(phone, within="body"):
    """The violations that axe finds there, each with its place."""
    if not phone.js("return typeof axe === 'object'"):
        phone.js(f"const module = undefined, define = undefined; {AXE}; window.axe ??= axe")
    # A node that still fades in has less contrast.
    phone.wait_still("it", "body")
    found = phone.driver.execute_async_script("""
      const [within, tell] = arguments;
      axe.run({ include: [[within]], exclude: [[".scene"]] }, { resultTypes: ["violations"] }).then(({ violations, passes }) =>
        tell({ count: passes.length, wrong: violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) =>
          `${id}: ${help} – ${target.join(" ")} – ${failureSummary}`)) }), (error) => tell({ count: 0, wrong: [String(error)] }));
    """, within)
    assert found["wrong"] == []
    assert found["count"] > 5, "it has looked at something"


def fill(room):
    """Views of each tier, wishes of each style, a countdown, packets, a tally, hearts, skips."""
    for lane, tier in enumerate((0, 1)):
        room.show(lane + 1, lane=lane, count=12345, tier=tier, name=("阿花", "عبد الرحمن")[lane], gift=("rose", "castle")[lane])
    for track, style in enumerate(("", "gold", "neon")):
        # Everything that fades in with reduced motion has done so.
        room.say("wishFly", now_ms() - 120_000, wishId=f"w{track}", track=track, sender={"userId": "8", "name": "Ann", "avatarUrl": ""},
                 text="Good luck! 🎉", style=style, width=190, durationMs=600_000, likes=track * 7)
    room.say("rainCountdown", rainId="rain", left=3, startMs=now_ms() + 3000, durationMs=60_000)
    room.say("rainTally", rainId="rain", opened=3, winners=2, coins=40)
    for packet in range(5):
        room.drop(packet, x=packet * 200, at_ms=now_ms() - 200_000)
    room.come_to_now()


SIZES = {"upright": (390, 844), "on its side": (844, 390), "desktop": (1440, 900)}
SHEET = ".sheet-layer"


@pytest.fixture(params=["upright", *(pytest.param(size, marks=pytest.mark.more) for size in ("on its side", "desktop"))])
def screen(phone, request):
    phone.resize(*SIZES[request.param])
    return phone


def test_a_room_that_is_turned_and_made_wide(phone, room):
    fill(room)
    phone.open(room, sends=True)
    phone.wait_stage("all of it", lambda s: len(s["gifts"]) == 2 and len(s["wishes"]) == 3 and len(s["packets"]) == 5)
    for size in ("on its side", "desktop"):
        phone.resize(*SIZES[size])
        see(phone)


def test_a_room_with_all_that_it_may_show(screen, room):
    fill(room)
    screen.open(room, sends=True)
    screen.wait_stage("all of it", lambda s: len(s["gifts"]) == 2 and len(s["wishes"]) == 3 and len(s["packets"]) == 5)
    see(screen)
    # A moment, its own wish, a line about what was tried, and the combo button.
    room.show(3, lane=1, tier=3, gift="rocket")
    room.say("spotShow", **spot("s1", "gift", giftId="rocket", tier=3, total=1))
    screen.js("flyscreen.wish(arguments[0], 'my own').catch(() => {})", room.id)
    screen.press_button(".room:not([inert]) .packet[data-packet='2']")
    screen.wait("the moment", "return document.querySelector('.moment')")
    screen.wait("the own wish", "return document.querySelector('.own-wish')")
    see(screen)


@pytest.mark.parametrize("languages", ["ar", pytest.param("en", marks=pytest.mark.more)])
def test_a_crowd_an_entrance_and_a_milestone(screen, room, languages):
    screen.speak(languages)
    room.show(1, count=65, total=66)
    names = [{"userId": name, "name": name, "avatarUrl": ""} for name in ("阿花", "Maximiliane von Hohenfels", "نور")]
    room.say("crowdShow", crowdId=room.combo(9), receiverId="", giftId="rose", giftName="", value=1, items=55, units=1240, names=names)
    screen.open(room, sends=True)
    screen.wait_stage("the gift", lambda s: s["gifts"])
    room.say("spotShow", **spot("s1", "entrance"))
    room.bump(66)
    screen.wait("all of it", "return document.querySelector('.moment.is-strip') && !document.querySelector('.crowd').hidden")
    see(screen)
    screen.click(".room:not([inert]) .ranking")
    screen.wait("the sheet", "return document.querySelector('.sheet').getAnimations().length === 0 && !document.querySelector('.sheet-layer').hidden")
    see(screen, SHEET)


def test_a_room_with_reduced_motion(screen, room):
    fill(room)
    screen.reduce_motion()
    screen.open(room, sends=True)
    screen.wait_stage("all of it", lambda s: len(s["gifts"]) == 2 and len(s["packets"]) == 5)
    see(screen)


def test_the_sheets(screen, room):
    room.show(1, value=5)
    room.fly("w1", likes=3)
    screen.open(room, sends=True)
    screen.wait_stage("the gift", lambda s: s["gifts"])
    for opener in (".gift-opener", ".room:not([inert]) .ranking", ".room:not([inert]) .wish-list"):
        screen.click(opener)
        screen.wait("the sheet", "return document.querySelector('.sheet').getAnimations().length === 0 && !document.querySelector('.sheet-layer').hidden")
        see(screen, SHEET)
        screen.click(".sheet-close")
        screen.wait("it to be gone", "return document.querySelector('.sheet-layer').hidden")
    # With a gift sent, the button that goes on with it, for as long as it takes to look.
    screen.stretch_timers(COMBO_MS, 600_000)
    screen.click(".gift-opener")
    screen.wait("the choice", "return document.querySelector('.sheet').getAnimations().length === 0")
    screen.click("[data-gift=rose]")
    screen.wait("the combo button", "return !document.querySelector('.combo-button').hidden && document.querySelector('.sheet-layer').hidden")
    see(screen)


def test_sheets_with_nothing_in_them(phone, room):
    phone.open(room)
    for opener in (".room:not([inert]) .ranking", ".room:not([inert]) .wish-list"):
        phone.click(opener)
        phone.wait("the sheet", "return document.querySelector('.nobody') && document.querySelector('.sheet').getAnimations().length === 0")
        see(phone, SHEET)
        # Over a background that changes its colour axe says nothing.
        contrasts = phone.js(CONTRASTS, [[".nobody", ".sheet"], [".sheet-note", ".sheet"]])
        assert contrasts and all(ratio >= 4.5 for _, _, ratio in contrasts), contrasts
        phone.click(".sheet-close")
        phone.wait("it to be gone", "return document.querySelector('.sheet-layer').hidden")


def test_an_ended_room(screen, room):
    room.show(1)
    screen.open(room)
    screen.wait_stage("the gift", lambda s: s["gifts"])
    room.say("roomEnd")
    screen.wait("its end", "return !document.querySelector('.room:not([inert]) .room-over').hidden")
    see(screen)


def test_an_overlay(screen, room):
    fill(room)
    screen.driver.get(screen.gateway.page(room) + "&overlay")
    screen.wait_stage("all of it", lambda s: len(s["gifts"]) == 2 and len(s["packets"]) == 5)
    see(screen)


@pytest.fixture(scope="module")
def guarded(kafka, tmp_path_factory):
    keys = tmp_path_factory.mktemp("axe-keys")
    (keys / "k1.secret").write_bytes(SECRET)
    gateway = Gateway(kafka, "--gateway.auth.keys", keys).wait_ready()
    yield gateway
    if gateway.is_running:
        gateway.terminate()


def words(phone, text):
    phone.wait(f"the words {text}", "return document.querySelector('.waiting').innerText.includes(arguments[0]) && !document.querySelector('.waiting').hidden", text)


def test_a_lobby_without_rooms(screen, guarded):
    screen.driver.get(f"http://127.0.0.1:{guarded.port}/?access_token=" + token("k1", SECRET, rooms=["none-is-here"], sub="u7"))
    words(screen, "No room is live yet")
    see(screen)


@pytest.mark.breaks_the_network
def test_troubles(screen, kafka, guarded, room):
    screen.driver.get(guarded.page(room))
    words(screen, "You need a token to watch")
    see(screen)
    room.show(1)
    away = Gateway(kafka).wait_ready()
    screen.open(room, gateway=away)
    screen.wait_stage("the gift", lambda s: s["gifts"])
    away.kill()
    screen.wait("the line", "return document.querySelector('.status.is-trouble.is-shown')")
    screen.wait("it to stand", "return document.querySelector('.status').getAnimations().length === 0")
    see(screen)


def test_the_page_of_a_timeline(browser, binary, tmp_path):
    log, page = tmp_path / "log.ndjson", tmp_path / "page.html"
    log.write_text("".join(f"""{{"topic":"im.gifts","partition":0,"offset":{n},"timestampMs":{1_700_000_000_000 + 300 * n},"key":"r1",\
"value":{{"eventId":"e{n}","roomId":"r1","gift":{{"sender":{{"userId":"{n % 5}","name":"阿花"}},"giftId":"rose"}}}}}}\n""" for n in range(60)))
    subprocess.run(
        [binary, "replay", "--input", log, "--room", "r1", "--timeline", page], check=True, capture_output=True,
        timeout=LIMIT, env=_clean_environment())
    browser.resize(1440, 900)
    browser.driver.get(page.as_uri())
    browser.wait("its data", "return !document.getElementById('stage').hasAttribute('aria-busy')")
    see(browser)
    browser.js("""
      const search = document.getElementById("search");
      search.value = "e1";
      search.dispatchEvent(new Event("input"));
    """)
    see(browser)
    browser.js("document.querySelector('#found button').click()")
    see(browser)
    browser.leave()
