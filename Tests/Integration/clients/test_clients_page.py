"""The streams and refusals that Schemas/CLIENTS.md shows are right."""

import json
import pathlib
import re
import sys

import sseclient
from screen import Screen

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "schema"))

from documents import OPENAPI, SCHEMAS, check, follow, form

PAGE = (SCHEMAS / "CLIENTS.md").read_text()
STREAMS = [list(sseclient.SSEClient([block.encode()]).events())
           for block in re.findall(r"```event-stream\n(.*?)```", PAGE, re.DOTALL)]


def test_a_stream_is_as_documented_and_draws_what_is_told():
    screen = None
    counts = []
    for event in STREAMS[0]:
        value = json.loads(event.data)
        check(form(event.event.capitalize()), value)
        if event.event == "snapshot":
            screen = Screen(value["roomId"])
            screen.reset(value)
        elif event.event == "command":
            screen.apply(value)
            counts += [view["count"] for view in screen.gifts.values() if "leavesMs" not in view]
    assert counts == [0, 1, 2], "two roses"
    assert not screen.gifts and not screen.rains
    assert {event.event for event in STREAMS[0]} == {"snapshot", "command", "result"}
    assert "\n:\n\n" in PAGE, "a silence"


def test_who_comes_back_gets_what_came_after():
    since = re.search(r"`Last-Event-ID: ([^`]+)`", PAGE)[1]
    ids = [event.id for event in STREAMS[0]]
    after = STREAMS[0][ids.index(since) + 1:]
    pace, *missed = STREAMS[1]
    assert pace.event == "pace" and json.loads(pace.data) == {"lagMs": json.loads(STREAMS[0][0].data)["lagMs"]}
    assert [(event.id, event.data) for event in missed] == [(event.id, event.data) for event in after[:len(missed)]]


def test_refusals_are_those_of_the_document():
    told = {(status, error) for status, errors in re.findall(r"^\| (\d{3}) \| (.*?) \|", PAGE, re.MULTILINE)
            for error in re.findall(r"`(\w+)`", errors)}
    documented = set()
    for item in OPENAPI["paths"].values():
        for operation in (item[method] for method in ("get", "post") if method in item):
            for status, response in operation["responses"].items():
                content = follow("openapi.yaml", response)[1].get("content", {}).get("application/json", {})
                error = content.get("schema", {}).get("properties", {}).get("error", {})
                if status != "default":
                    documented |= {(status, word) for word in error.get("enum", [error.get("const")]) if word}
    # The errors that any request may be answered with have no status there.
    others = follow("openapi.yaml", {"$ref": "#/components/responses/Refused"})[1]
    others = set(others["content"]["application/json"]["schema"]["properties"]["error"]["enum"])
    assert documented <= told
    assert {error for _, error in told - documented} <= others
    errors = OPENAPI["components"]["schemas"]["Refusal"]["properties"]["error"]["enum"]
    assert {error for _, error in told} == set(errors)
