"""The page says in words what is wrong, and offers what may help."""

import http.server
import threading
import time
from types import SimpleNamespace

import pytest
from backstage import Gateway, token
from selenium.common.exceptions import WebDriverException
from waiting import free_port, wait_for

SECRET = b"0123456789abcdef0123456789abcdef"
PANEL = "document.querySelector('.waiting')"


@pytest.fixture(scope="module")
def guarded(kafka, tmp_path_factory):
    """A gateway that wants tokens, and a page elsewhere that may frame it."""
    keys = tmp_path_factory.mktemp("keys")
    (keys / "k1.secret").write_bytes(SECRET)

    class Host(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>host</title>")

        def log_message(self, *_):
            pass

    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host)
    threading.Thread(target=host.serve_forever, daemon=True).start()
    origin = f"http://localhost:{host.server_port}"
    gateway = Gateway(kafka, "--gateway.auth.keys", keys, "--gateway.frame.origins", origin).wait_ready()
    gateway.host = origin
    yield gateway
    gateway.kill()
    host.shutdown()


def wait_words(phone, text):
    phone.wait(f"the words {text}", f"return {PANEL}.checkVisibility() && {PANEL}.innerText.includes(arguments[0])", text)


@pytest.mark.breaks_the_network
def test_an_overlay_without_a_token_says_so(phone, kafka, guarded):
    phone.driver.get(guarded.page(kafka.room("closed")) + "&overlay")
    wait_words(phone, "You need a token to watch")


def test_an_overlay_that_names_no_room_says_so_while_none_is_live(phone, guarded):
    phone.driver.get(f"http://127.0.0.1:{guarded.port}/?overlay&access_token=" + token("k1", SECRET, rooms=["nobody's"], sub="u7"))
    wait_words(phone, "No room is live yet")


@pytest.mark.breaks_the_network
@pytest.mark.parametrize("named", [True, False], ids=["a room", "no room"])
def test_without_a_token_it_says_that_one_is_needed_and_offers_no_try(phone, kafka, guarded, named):
    phone.driver.get(guarded.page(kafka.room("closed")) if named else f"http://127.0.0.1:{guarded.port}/")
    wait_words(phone, "You need a token to watch")
    assert phone.js("return [...document.querySelectorAll('.status-line')].every((line) => line.disabled)")
    assert phone.js("return document.querySelector('.bar').getBoundingClientRect().height") == 0


@pytest.mark.breaks_the_network
@pytest.mark.parametrize("claims, text", [
    ({"exp": 1_700_000_000}, "Your token has ended"), ({"rooms": ["another"]}, "Your token is for other rooms"),
    ({"secret": b"x" * 32}, "Your token is not accepted here")], ids=["ended", "other rooms", "another key"])
def test_a_token_that_will_not_do_is_told(phone, kafka, guarded, claims, text):
    room = kafka.room("refused")
    secret = claims.pop("secret", SECRET)
    phone.driver.get(guarded.page(room) + "&access_token=" + token("k1", secret, **{"rooms": [room.id], "sub": "u7", **claims}))
    wait_words(phone, text)


@pytest.mark.breaks_the_network
def test_a_gateway_that_is_not_ready_is_told_and_waited_for(phone):
    # It waits for its broker, however slow the browser is.
    lonely = Gateway(SimpleNamespace(address=f"127.0.0.1:{free_port()}"))
    try:
        def opens():
            try:
                phone.driver.get(f"http://127.0.0.1:{lonely.port}/")
                return True
            except WebDriverException:
                return False

        wait_for("the page", opens)
        wait_words(phone, "The gateway is starting")
    finally:
        phone.leave()
        lonely.kill()


def test_a_token_leaves_the_address_bar_and_a_reload_has_it_still(phone, kafka, guarded):
    room = kafka.room("hidden-token")
    room.show(count=3)
    phone.driver.get(guarded.page(room) + "&access_token=" + token("k1", SECRET, rooms=[room.id], sub="u7"))
    phone.wait_stage("the gift", lambda s: s["gifts"])
    assert "access_token" not in phone.driver.current_url and room.id in phone.driver.current_url
    phone.driver.refresh()
    phone.wait_stage("the gift again", lambda s: s["gifts"])


@pytest.mark.breaks_the_network
def test_a_page_that_frames_it_gives_it_tokens_and_nobody_else_does(phone, kafka, guarded):
    room = kafka.room("framed")
    room.show(count=3)
    first_ends = int(time.time()) + 8
    phone.driver.get(guarded.host)
    phone.js("""
      const [url, first, second] = arguments;
      window.asked = 0;
      addEventListener("message", ({ data, origin }) => {
        if (origin !== new URL(url).origin || data?.flyscreen !== "token-wanted") return;
        asked += 1;
        frame.contentWindow.postMessage({ flyscreen: "token", token: asked === 1 ? first : second }, origin);
      });
      window.frame = Object.assign(document.createElement("iframe"), { src: url, width: 390, height: 700 });
      document.body.append(frame);
    """, guarded.page(room),
        # The first is over in some seconds.
        token("k1", SECRET, rooms=[room.id], sub="u7", exp=first_ends), token("k1", SECRET, rooms=[room.id], sub="u7"))
    phone.driver.switch_to.frame(0)
    try:
        phone.wait_stage("the gift", lambda s: s["gifts"])
        phone.driver.switch_to.default_content()
        phone.wait("another token to be asked for in time", "return asked >= 2")
        phone.driver.switch_to.frame(0)
        phone.wait("the first to have ended", "return Date.now() > arguments[0]", first_ends * 1000)
        room.bump(4)
        phone.wait_stage("what comes after the first has ended", lambda s: s["gifts"] and s["gifts"][0]["count"] == 4)
        assert phone.js("return document.querySelector('.waiting').hidden")
        # A message of the frame to itself is not its host's.
        phone.js("window.postMessage({ flyscreen: 'token', token: 'evil' }, '*')")
        assert phone.driver.execute_async_script("setTimeout(arguments[0], 50, history.state?.token !== 'evil')")
    finally:
        phone.driver.switch_to.default_content()
