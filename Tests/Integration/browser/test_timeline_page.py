"""The page that `replay --timeline` writes, in a real browser."""

import json
import subprocess

import pytest

from process import _clean_environment
from waiting import LIMIT


def sent(log, events):
    log.write_text("".join(json.dumps({
        "topic": "im.gifts", "partition": 0, "offset": offset, "timestampMs": at, "key": "r1",
        "value": {"eventId": id, "roomId": "r1", **body}}) + "\n" for offset, (at, id, body) in enumerate(events)))


def opened(browser, binary, log, *settings):
    page = log.with_suffix(".html")
    subprocess.run(
        [binary, "replay", "--input", log, "--room", "r1", "--timeline", page, *settings], check=True,
        capture_output=True, timeout=LIMIT, env=_clean_environment())
    browser.driver.get("about:blank")
    browser.resize(1440, 900)
    browser.console_errors()
    browser.driver.get(page.as_uri())
    browser.wait("its data", "return !document.getElementById('stage').hasAttribute('aria-busy')")


@pytest.fixture
def page(browser, binary, tmp_path):
    events = [(1_700_000_000_000 + 400 * n, f"e{n}", {"gift": {
        "sender": {"userId": str(n % 3), "name": "阿花"}, "giftId": "rose", "giftName": "玫瑰"}}) for n in range(40)]
    events += [(events[-1][0] + 100, "e39", events[-1][2]), (events[-1][0] + 200, "broken-1", {"gift": 5})]
    sent(tmp_path / "log.ndjson", events)
    opened(browser, binary, tmp_path / "log.ndjson")
    yield browser
    assert browser.console_errors() == []


@pytest.fixture
def full_page(browser, binary, tmp_path):
    """A room with something of every kind: shown, told, skipped and in a crowd."""
    start = 1_700_000_000_000
    bodies = [{"rainStart": {"rainId": "a", "durationMs": 5000, "countdown": 0, "budget": 10}},
              {"goal": {"goalId": "g", "text": "roses", "target": 9, "durationMs": 20_000}},
              {"goal": {"goalId": "battle", "sides": ["red", "blue"], "home": "red"}}]
    for n in range(4):
        sender = {"userId": str(n), "name": f"viewer {n}"}
        bodies += [
            {"gift": {"sender": sender, "giftId": "rose", "giftName": "玫瑰"}},
            {"wish": {"sender": sender, "text": f"wish {n}"}},
            {"spot": {"sender": sender, "kind": "entrance", "text": f"welcome {n}"}},
            {"pin": {"sender": sender, "pinId": f"p{n}", "text": f"pin {n}", "value": [5, 1, 9, 9][n]}}]
    bodies += [{"tap": {"userId": "1", "x": 5, "y": 5}}] * 2
    sent(tmp_path / "log.ndjson", [(start + n, f"e{n}", body) for n, body in enumerate(bodies)] + [
        (start + 60_000, "", {"tap": {"userId": "1", "x": 5, "y": 5}}), (start + 60_001, "dead", {"gift": 5})])
    opened(
        browser, binary, tmp_path / "log.ndjson", "--gift.lanes", "1", "--gift.queueLimit", "1", "--wish.queueLimit", "1",
        "--spot.queueLimit", "1", "--pin.limit", "1")
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


def test_every_kind_of_thing_is_told_in_words(full_page):
    told = full_page.js("""
      const others = rows.flatMap((row) => row.items).filter((d) => !things.includes(d));
      return [...things.map((d) => [d.k, summary(d), remark(d), tell(d)]), ...others.map((d) => [d.k, tell(d)])];
    """)
    assert {kind for kind, *_ in told} >= set("vwroljbxsqedig")
    for kind, *words in told:
        assert not {"undefined", "NaN", "Invalid"} & set(" ".join(words).replace(",", " ").split()), (kind, words)


def press(page, key):
    page.js("""
      document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", { key: arguments[0], bubbles: true, cancelable: true }));
    """, key)


def test_all_that_is_drawn_is_a_list_for_keys_and_screen_readers(full_page):
    assert full_page.js("return document.getElementById('found').hidden")
    press(full_page, "l")
    listed = full_page.js("return [...document.querySelectorAll('#items > li > button')].map((line) => line.innerText)")
    drawn = full_page.js("return rows.filter((row) => !['queue', 'arrivals'].includes(row.kind))"
                         ".flatMap((row) => [...row.items, ...(row.each || [])]).length + marks.length")
    # And each event, which the picture counts.
    assert len(listed) == drawn + full_page.js("return things.filter((d) => d.k === 'e').length"), listed
    assert full_page.js("return document.getElementById('count').innerText").startswith(f"{len(listed)} in view")
    assert not {"undefined", "NaN"} & set(" ".join(listed).split())

    full_page.js("document.querySelector('#items button').focus()")
    press(full_page, "ArrowDown")
    assert full_page.js("return document.activeElement === document.querySelectorAll('#items button')[1]")
    told = full_page.js("""
      const line = document.activeElement;
      line.click();
      const opened = line.nextElementSibling;
      return [line.getAttribute("aria-expanded"), opened.hidden, opened.innerText, tell(hover), line.isConnected];
    """)
    assert told[:2] == ["true", False] and told[2] == told[3] != "" and told[4], told


def test_the_list_follows_what_is_in_view(page):
    press(page, "l")
    everything = page.js("return document.querySelectorAll('#items button').length")
    page.js("show(from, from + 1000)")
    part = page.js("return document.querySelectorAll('#items button').length")
    assert 0 < part < everything
    press(page, "l")
    assert page.js("return document.getElementById('found').hidden")


def test_the_header_counts_what_was_skipped_by_its_stage(full_page):
    sums = full_page.js("return document.getElementById('sums').innerText")
    assert "2 wishes skipped" in sums and "2 items of the spot skipped" in sums


def test_the_header_counts_the_gifts_of_a_crowd_once_however_often_it_has_the_bar(browser, binary, tmp_path):
    start, log = 1_700_000_000_000, tmp_path / "log.ndjson"
    # Two crowds take turns; one gift has the lane.
    sent(log, [(start + 500 * n, f"e{n}", {"gift": {
        "sender": {"userId": str(n), "name": str(n)}, "giftId": ("rose", "rocket")[n % 2], "value": 1}}) for n in range(30)])
    settings = ["--gift.lanes", "1", "--gift.queueLimit", "0", "--crowd.showMs", "1000"]
    ran = subprocess.run([binary, "replay", "--input", log, "--json", *settings], check=True, capture_output=True,
                         text=True, timeout=LIMIT, env=_clean_environment())
    shows = [one["crowdShow"] for one in map(json.loads, ran.stdout.splitlines()) if "crowdShow" in one]
    told = {one["crowdId"]: one["units"] for one in shows}
    turns = [one["crowdId"] for n, one in enumerate(shows) if n == 0 or shows[n - 1]["crowdId"] != one["crowdId"]]
    assert len(told) >= 2 and len(turns) > len(told), shows
    opened(browser, binary, log, *settings)
    assert f"{sum(told.values())} gifts told of crowds" in browser.js("return document.getElementById('sums').innerText")


def test_the_header_counts_one_of_a_kind_as_one(browser, binary, tmp_path):
    sent(tmp_path / "log.ndjson", [
        (1_700_000_000_000, "a", {"gift": {"sender": {"userId": "1"}, "giftId": "rose"}}),
        (1_700_000_000_001, "b", {"wish": {"sender": {"userId": "1"}, "text": "hi"}}),
        (1_700_000_060_000, "c", {"gift": 5})])
    opened(browser, binary, tmp_path / "log.ndjson")
    sums = browser.js("return document.getElementById('sums').innerText")
    assert "1 gift view" in sums and "1 wish" in sums and "1 gift views" not in sums and "1 wishes" not in sums, sums


def test_the_slash_key_begins_a_search(page):
    page.js("document.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }))")
    assert page.js("return document.activeElement.id") == "search"
