"""A browser as a phone in a hand: what is on its stage, and thumbs that touch it."""

import pathlib
import time

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, JavascriptException, StaleElementReferenceException)
from selenium.webdriver.chrome.service import Service
from waiting import LIMIT, TooLong, wait_for

HERE = pathlib.Path(__file__).resolve().parent


class Phone:
    def __init__(self, driver):
        self.driver = driver
        self.gateway = None
        self._touched = 0.0
        self._emulated = {}

    @classmethod
    def start(cls):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in (
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking",
            "--disable-component-update", "--window-size=700,1000", "--lang=en-US",
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # A throttled timer would be this machine's doing, not the page's.
        options.add_argument("--disable-background-timer-throttling")
        driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        driver.set_script_timeout(LIMIT)
        phone = cls(driver)
        phone._agent = phone.js("return navigator.userAgent")
        return phone

    def quit(self):
        self.driver.quit()

    def begin(self, gateway):
        # The page of a gateway that has ended asks for it again and again, and the console tells of that.
        if gateway is not self.gateway:
            self.leave()
        self.gateway = gateway
        self.resize(390, 844)
        self._emulate("TouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        self._emulate("EmulatedMedia", features=[])
        self.speak("en-US,en")
        self.console_errors()

    def _emulate(self, what, **parameters):
        if self._emulated.get(what) != parameters:
            self._cdp(f"Emulation.set{what}", **parameters)
            self._emulated[what] = parameters

    def leave(self):
        """Ends the page, with its streams."""
        self.driver.get("about:blank")

    def forget_files(self):
        """Clears the cache, as before a first visit."""
        self._cdp("Network.clearBrowserCache")

    def resize(self, width, height, ratio=1):
        """A screen of so many pixels of a page, each of `ratio` × `ratio` of its own."""
        self._emulate("DeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=True)

    def speak(self, languages):
        """The languages that pages are asked for, the dearest first."""
        self._emulate("UserAgentOverride", userAgent=self._agent, acceptLanguage=languages)

    def focus(self):
        """A page that has the focus is taken for seen, and so are those after it."""
        self._emulate("FocusEmulationEnabled", enabled=True)

    def count_tones(self):
        """Counts the tones that the page makes from now on, in its variable `tones`."""
        self.js("""
          window.tones = 0;
          const create = AudioContext.prototype.createOscillator;
          AudioContext.prototype.createOscillator = function () { tones += 1; return create.call(this); };
        """)

    def layouts(self):
        """The number of layouts on this page so far."""
        self._cdp("Performance.enable")
        metrics = self._cdp("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "LayoutCount")

    def reduce_motion(self):
        self._emulate("EmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, *rooms, sends=False, gateway=None):
        """Opens the page, and waits until it knows the rooms that it follows; with `sends`, also until it may send."""
        self.driver.get((gateway or self.gateway).page(*rooms))
        self.watch()
        # Two above and two below, and below the last is the first.
        for room in {*rooms[:3], *rooms[-2:]}:
            self.wait("to know the room", "return flyscreen.room(arguments[0])?.isKnown === true", room.id)
        if sends:
            self.wait("its controls", "return !document.querySelector('.bar').hidden")

    def watch(self):
        """Counts things that are soon gone, so that a test need not look just in time."""
        self.js("""
          window.seen = { hearts: 0, own: 0, flights: [], prizes: [], clicks: 0 };
          const post = Worker.prototype.postMessage;
          Worker.prototype.postMessage = function (message, ...more) {
            const { flight } = message.fly ?? {};
            if (flight?.art.startsWith("own heart")) seen.own += 1;
            else if (flight?.art.startsWith("heart")) seen.hearts += 1;
            if (flight) seen.flights.push(flight);
            return post.call(this, message, ...more);
          };
          new MutationObserver((changes) => {
            for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
              if (node.matches?.(".prize")) seen.prizes.push(node.textContent);
            }
          }).observe(document.body, { childList: true, subtree: true });
          addEventListener("click", () => (seen.clicks += 1), { capture: true });
        """)

    def _cdp(self, command, **parameters):
        return self.driver.execute_cdp_cmd(command, parameters)

    # Finding elements.

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def frame(self, script, *arguments):
        """Runs a script at the beginning of a frame, where all that moves is at the frame's place."""
        return self.driver.execute_async_script(
            "const args = [...arguments], tell = args.pop();"
            f"requestAnimationFrame(() => tell((function () {{ {script} }}).apply(null, args)));", *arguments)

    def run(self, file, *arguments):
        """Runs a file beside this one; it hands its result to its last argument."""
        script = (HERE / file).read_text()
        told = self.driver.execute_async_script(
            "const args = [...arguments], tell = args.at(-1);"
            f"(async function () {{ {script} }}).apply(null, args).catch((error) => tell(['' + error]));", *arguments)
        return told

    def wait(self, what, script, *arguments, limit=LIMIT):
        """Waits until a script's result is true, and returns it. Nodes that the script needs may not be there yet."""
        def asked():
            try:
                return self.js(script, *arguments)
            except JavascriptException:
                return None

        return wait_for(lambda: f"{what}: {script}; there is {self.stage()}", asked, limit, every=0.03)

    def wait_still(self, what, selector):
        """Waits until nothing within the selected nodes moves any more: short slides, fades and pops are over."""
        self.wait(f"{what} to stand", """
          const nodes = [...document.querySelectorAll(arguments[0])];
          const isSoonOver = ({ playState, currentTime, effect }) => {
            const { endTime } = effect.getComputedTiming();
            return playState === "running" && endTime !== Infinity && endTime - currentTime < 5000;
          };
          return nodes.length > 0 && nodes.every((node) => !node.getAnimations({ subtree: true }).some(isSoonOver));
        """, selector)

    def stretch_timers(self, of_ms, to_ms):
        """Makes timers of `of_ms` last `to_ms` from now on: a slow machine still finds what they would remove."""
        self.js("""
          if (!window.stretched) {
            const set = setTimeout;
            window.stretched = {};
            window.setTimeout = (act, ms, ...more) => set.call(window, act, stretched[ms] ?? ms, ...more);
          }
          stretched[arguments[0]] = arguments[1];
        """, of_ms, to_ms)

    def stage(self):
        """The parts of the room on screen, by its own nodes; of hearts, the number so far."""
        return self.js("""
          const room = document.querySelector(".room:not([inert])");
          if (!room) return null;
          const all = (selector) => [...room.querySelectorAll(selector)];
          return {
            room: room.dataset.room,
            gifts: all(".gift:not(.is-leaving)").map((node) => ({
              lane: Number(node.dataset.lane), combo: node.dataset.combo, count: Number(node.dataset.count),
              number: node.querySelector(".gift-number").textContent, words: node.querySelector(".gift-words").innerText,
            })).sort((a, b) => a.lane - b.lane),
            wishes: all(".wish").map((node) => ({
              wish: node.dataset.wish, track: Number(node.dataset.track), likes: Number(node.dataset.likes),
              liked: node.classList.contains("is-liked"), text: node.querySelector(".wish-words").innerText,
            })),
            packets: all(".packet").map((node) => ({ packet: Number(node.dataset.packet), outcome: node.dataset.outcome ?? "" })),
            hearts: window.seen?.hearts,
            own: window.seen?.own,
            cleared: room.querySelector(".hud").inert,
          };
        """)

    def wait_stage(self, what, check):
        """Waits until `check` holds for the stage, and returns the stage. Parts that it needs may not be there yet."""
        def asked():
            stage = self.stage()
            try:
                return stage and check(stage) and stage
            except LookupError:
                return None

        return wait_for(lambda: f"{what}; there is {self.stage()}", asked, every=0.03)

    def console_errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    def center(self, selector):
        x, y = self.js(
            "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]", selector)
        return x, y

    # Thumbs. Their events carry times of their own, so a busy machine taps as fast as an idle one.

    def touch(self, *steps, after_s=0.4):
        """Steps (`milliseconds`, `"down" | "move" | "up"`, x, y), at times since the first, so long after the last touch."""
        # A thumb is not at once where it is wanted next, and the browser doesn't like times that are yet to come.
        begin = max(time.time(), self._touched + after_s)
        time.sleep(max(0, begin - time.time()))
        self._touched = begin + steps[-1][0] / 1000
        kinds = {"down": "touchStart", "move": "touchMove", "up": "touchEnd"}
        for at_ms, kind, x, y in steps:
            points = [] if kind == "up" else [{"x": x, "y": y, "id": 1}]
            self._cdp("Input.dispatchTouchEvent", type=kinds[kind], touchPoints=points, timestamp=begin + at_ms / 1000)

    def tap(self, x, y, times=1, every_ms=120, after_s=0.4):
        self.touch(*(
            step
            for number in range(times)
            for step in ((number * every_ms, "down", x, y), (number * every_ms + 40, "up", x, y))), after_s=after_s)

    def hold(self, x, y):
        """A thumb that stays, until it is lifted."""
        self._cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y, "id": 1}])

    def lift(self):
        self._cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def tap_until(self, x, y, what, script):
        """Taps until that is taken for a click (a finger may also have stopped what still moved), and waits for the
        script to be true then."""
        def clicked():
            before = self.js("return seen.clicks")
            self.tap(x, y)
            try:
                return self.wait("a click", "return seen.clicks > arguments[0]", before, limit=10.0)
            except TooLong:
                return False

        wait_for("a tap to be a click", clicked)
        return self.wait(what, script)

    def click(self, selector):
        """Clicks with a mouse, once the browser lets it: it refuses a click on a node that is covered. A sheet must stand: it
        may slide away between the look at a node of it and the click."""
        def clicked():
            try:
                node = self.driver.find_element("css selector", selector)
                if self.js("return arguments[0].closest('.sheet')?.getAnimations().length > 0", node):
                    return False
                node.click()
                return True
            except (ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException):
                return False

        wait_for(lambda: f"{selector} to be where a mouse reaches it", clicked, every=0.03)

    def press_button(self, selector):
        """Gives a button the focus, and presses a key."""
        self.js("document.querySelector(arguments[0]).focus()", selector)
        for kind, more in (("keyDown", {"text": "\r"}), ("keyUp", {})):
            self._cdp("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, **more)

    def swipe(self, x, y, dx=0, dy=0, steps=6):
        moves = ((20 * k, "move", x + dx * k / steps, y + dy * k / steps) for k in range(1, steps + 1))
        self.touch((0, "down", x, y), *moves, (20 * steps + 10, "up", x + dx, y + dy))

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self._cdp("Input.dispatchKeyEvent", type=kind, key=key, code=key)
