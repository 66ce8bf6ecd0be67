"""`?overlay&touch`: an overlay over something that takes touches, too."""

import http.server
import threading

import pytest
from backstage import Gateway, now_ms

HOST = b"""<!doctype html><title>host</title><style>body { margin: 0 } iframe { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; pointer-events: none }
button { position: fixed; inset: 0; width: 100%; height: 100% }</style><button>a video's own</button>"""


@pytest.fixture(scope="module")
def framed(kafka):
    """A gateway whose page may be framed by a page elsewhere, at `host`."""
    class Host(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(HOST)

        def log_message(self, *_):
            """It says nothing."""

    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    gateway = Gateway(kafka, "--gateway.frame.origins", f"http://localhost:{host.server_port}").wait_ready()
    gateway.host = f"http://localhost:{host.server_port}"
    yield gateway
    gateway.kill()
    host.shutdown()


def test_over_a_page_packets_wishes_and_hearts_take_fingers_and_all_else_is_the_pages(phone, kafka, framed, room):
    room.come_to_now()
    room.show(1, count=3)
    room.fly("w1", width=200, at_ms=now_ms() - 300_000)
    room.drop(4, x=500, fall_ms=1_200_000, at_ms=now_ms() - 600_000)
    framed.wait_told(room, 3)
    phone.driver.get(framed.host)
    # What CLIENTS.md tells a page to do: it asks the frame what a click is for.
    phone.js("""
      const gateway = new URL(arguments[0]).origin, frame = Object.assign(document.createElement("iframe"), { src: arguments[0] });
      window.answers = [];
      window.ask = (flyscreen, x, y) => frame.contentWindow.postMessage({ flyscreen, x, y }, gateway);
      document.body.append(frame);
      document.querySelector("button").addEventListener("click", ({ clientX, clientY }) => ask("tap", clientX, clientY));
      addEventListener("message", ({ data, origin }) => origin === gateway && data.item !== undefined && answers.push(data));
    """, framed.page(room) + "&overlay&touch")
    phone.driver.switch_to.frame(0)
    phone.wait_stage("all of it", lambda s: s["gifts"] and s["wishes"] and s["packets"])
    phone.wait("what it may send", "return !document.querySelector('.wish').disabled")
    at = {name: phone.center(selector) for name, selector in (("packet", ".packet"), ("wish", ".wish"), ("gift", ".gift-body"))}
    phone.driver.switch_to.default_content()

    def answer(act):
        before = phone.js("return answers.length")
        act()
        return phone.wait("an answer", "return answers.length > arguments[0] && answers.at(-1)", before)

    packet, wish = {"kind": "packet", "rainId": "rain", "packet": 4}, {"kind": "wish", "wishId": "w1"}
    for name, item in (("gift", None), ("packet", packet), ("wish", wish)):
        told = answer(lambda: phone.js("ask('hit', ...arguments[0])", at[name]))
        assert told == {"flyscreen": "hit", "x": at[name][0], "y": at[name][1], "item": item}
    assert room.kafka.events(room.id) == [], "to ask does nothing"
    assert answer(lambda: phone.tap(*at["gift"]))["item"] is None
    assert answer(lambda: phone.tap(*at["packet"]))["item"] == packet
    assert answer(lambda: phone.tap(*at["wish"]))["item"] == wish
    # Two taps on nothing are a heart.
    told = answer(lambda: phone.js("ask('tap', 60, 400); ask('tap', 60, 400)"))
    phone.wait("the second", "return answers.at(-1).item?.kind === 'heart'")
    assert [grab["packet"] for grab in room.kafka.wait_events(room, "rainGrab", 1)] == [4]
    assert [like["wishId"] for like in room.kafka.wait_events(room, "wishLike", 1)] == ["w1"]
    room.kafka.wait_events(room, "taps", 1)


def test_in_an_apps_web_view_fingers_do_the_same_and_functions_tell_it(phone, room):
    room.come_to_now()
    room.fly("w1", width=200, at_ms=now_ms() - 300_000)
    room.drop(4, x=500, fall_ms=1_200_000, at_ms=now_ms() - 600_000)
    phone.gateway.wait_told(room, 2)
    phone.driver.get(phone.gateway.page(room) + "&overlay&touch")
    phone.wait_stage("both", lambda s: s["wishes"] and s["packets"])
    phone.wait("what it may send", "return !document.querySelector('.wish').disabled")
    assert phone.js("return flyscreenHit(...arguments[0])", phone.center(".packet")) == {"kind": "packet", "rainId": "rain", "packet": 4}
    assert phone.js("return flyscreenHit(20, 500)") is None
    assert phone.js("return flyscreenTap(...arguments[0])", phone.center(".packet"))["packet"] == 4
    phone.tap(*phone.center(".wish"))
    assert [grab["packet"] for grab in room.kafka.wait_events(room, "rainGrab", 1)] == [4]
    assert [like["wishId"] for like in room.kafka.wait_events(room, "wishLike", 1)] == ["w1"]
    # A swipe is not the overlay's.
    phone.swipe(100, 600, dx=200)
    assert phone.js("return !document.querySelector('.hud').inert")


def test_an_overlay_without_touch_answers_nothing(phone, room):
    phone.driver.get(phone.gateway.page(room) + "&overlay")
    phone.wait("the room", "return flyscreen.room(arguments[0])?.isKnown", room.id)
    assert phone.js("return typeof flyscreenHit") == "undefined"
