"""The page that `replay --timeline` writes, in a real browser."""

import json
import subprocess

import pytest

from process import _clean_environment
from waiting import LIMIT


@pytest.fixture
def page(browser, binary, tmp_path):
    log, page = tmp_path / "log.ndjson", tmp_path / "page.html"
    events = [(1_700_000_000_000 + 400 * n, f"e{n}", {"gift": {
        "sender": {"userId": str(n % 3), "name": "阿花"}, "giftId": "rose", "giftName": "玫瑰"}}) for n in range(40)]
    events += [(events[-1][0] + 100, "e39", events[-1][2]), (events[-1][0] + 200, "broken-1", {"gift": 5})]
    log.write_text("".join(json.dumps({
        "topic": "im.gifts", "partition": 0, "offset": offset, "timestampMs": at, "key": "r1",
        "value": {"eventId": id, "roomId": "r1", **body}}) + "\n" for offset, (at, id, body) in enumerate(events)))
    subprocess.run(
        [binary, "replay", "--input", log, "--room", "r1", "--timeline", page], check=True, capture_output=True,
        timeout=LIMIT, env=_clean_environment())
    browser.driver.get("about:blank")
    browser.resize(1440, 900)
    browser.console_errors()
    browser.driver.get(page.as_uri())
    yield browser
    assert browser.console_errors() == []


def found(page, words):
    page.js("""
      const search = document.getElementById("search");
      search.value = arguments[0];
      search.dispatchEvent(new Event("input"));
    """, words)
    return page.js("return [...document.querySelectorAll('#found button')].map((line) => line.innerText)")


def test_its_header_stands_on_one_line(page):
    tops = page.js("""
      return [...document.querySelector("header").children].map((part) => {
        const box = part.getBoundingClientRect();
        return (box.top + box.bottom) / 2;
      });
    """)
    assert max(tops) - min(tops) < 8, tops
    assert page.js("return document.querySelector('header').getBoundingClientRect().height") < 60


def test_events_duplicates_and_dead_letters_are_found(page):
    dead, = found(page, "broken-1")
    assert "dead letter im.gifts/0/41, event broken-1" in dead and "not an object" in dead
    event, twice = found(page, "e39")
    assert "duplicate" not in event and "duplicate" in twice
    assert len(found(page, "dead letter")) == 1 and len(found(page, "duplicate")) == 1
    assert found(page, "nobody") == []


def test_the_slash_key_begins_a_search(page):
    page.js("document.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }))")
    assert page.js("return document.activeElement.id") == "search"
