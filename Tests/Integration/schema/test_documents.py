"""The documents for programs: they are what they say they are, and agree with the schema and the sources.

(`gateway/test_openapi.py` and `kafka/test_asyncapi.py` hold them against what is really answered and written.)
"""

import json
import random
import re
import subprocess
import sys

import jsonschema
import openapi_spec_validator
import pytest
import yaml
from asyncapi3 import AsyncAPI3
from documents import ASYNCAPI, FORMS, OPENAPI, SCHEMAS, check, follow, form, validator
from peers import NotUnderstood
from test_events import examples
from test_json import ODD, members, odd, written

ROOT = SCHEMAS.parent
# Definitions that go by another name than the message of flyscreen.proto.
NAMES = {"Event": "PostedEvent"}
# Messages that are read, so that little of them must be there.
EVENTS = ("Event", "Gift", "Wish", "WishLike", "Tap", "Taps", "TapPoint", "RainStart", "RainGrab", "Spot", "Pin", "Goal",
          "Score", "Retract", "RoomSettings", "RoomEnd")


def references(node):
    if isinstance(node, dict):
        yield from (value for name, value in node.items() if name == "$ref")
        node = list(node.values())
    for item in node if isinstance(node, list) else []:
        yield from references(item)


def lines(path):
    """The lines of a file, cut at newlines alone and not at Unicode's other ends of lines."""
    return path.read_text().split("\n")[:-1]


# Their form


def test_the_openapi_document_is_one():
    assert OPENAPI["openapi"].startswith("3.1.")
    openapi_spec_validator.validate(OPENAPI, base_uri=(SCHEMAS / "openapi.yaml").as_uri())


def test_the_asyncapi_document_is_one():
    """Models check it that refuse fields that the specification doesn't have; then come checks that they lack."""
    assert ASYNCAPI["asyncapi"].startswith("3.")
    AsyncAPI3.model_validate(ASYNCAPI)
    for name, channel in ASYNCAPI["channels"].items():
        assert set(re.findall(r"{(\w+)}", channel["address"])) == set(channel.get("parameters", {})), name
    channels = [f"#/channels/{name}" for name in ASYNCAPI["channels"]]
    assert {operation["channel"]["$ref"] for operation in ASYNCAPI["operations"].values()} == set(channels)
    messages = {follow("asyncapi.yaml", message)[1]["title"] for channel in ASYNCAPI["channels"].values()
                for message in channel["messages"].values()}
    assert messages == {message["title"] for message in ASYNCAPI["components"]["messages"].values()}
    for message in ASYNCAPI["components"]["messages"].values():
        for schema in (message.get("headers", {}), message["payload"]):
            jsonschema.Draft7Validator.check_schema(schema)


@pytest.mark.parametrize("draft", [jsonschema.Draft7Validator, jsonschema.Draft202012Validator])
def test_the_forms_are_json_schema(draft):
    draft.check_schema({"definitions": FORMS["definitions"]})


@pytest.mark.parametrize("name", ["flyscreen.schema.yaml", "openapi.yaml", "asyncapi.yaml"])
def test_every_reference_leads_somewhere(name):
    for reference in references(yaml.safe_load((SCHEMAS / name).read_text())):
        follow(name, {"$ref": reference})


def test_every_form_is_used():
    used = {reference.rsplit("/", 1)[1] for document in (FORMS, OPENAPI, ASYNCAPI)
            for reference in references(document) if "/definitions/" in reference}
    assert used == set(FORMS["definitions"])


# Their agreement with the schema and the sources


def test_forms_have_the_fields_of_the_schema(schema):
    """The fields have the same order, and in what we write all are required."""
    for message in schema.file.message_type:
        fields = [field.json_name for field in message.field]
        written = FORMS["definitions"][NAMES.get(message.name, message.name)]
        assert list(written.get("properties", {})) == fields, message.name
        if message.name not in EVENTS and message.name != "Command":
            assert written.get("required", []) == fields, message.name
        for enum in message.enum_type:
            words = [value.name for value in enum.value if value.number > 0]
            assert written["properties"][enum.name.lower()]["enum"] == words
    assert list(FORMS["definitions"]["EventSender"]["properties"]) == list(FORMS["definitions"]["Sender"]["properties"])
    for name in ("Command", "PostedEvent"):
        bodies = [part["required"][0] for part in FORMS["definitions"][name]["oneOf"]]
        assert bodies == list(FORMS["definitions"][name]["properties"])[-len(bodies):]
        assert len(bodies) == len(getattr(schema, name.removeprefix("Posted")).DESCRIPTOR.oneofs_by_name["body"].fields)


def test_the_types_of_the_javascript_client_are_those_of_the_schema(tmp_path):
    subprocess.run([sys.executable, ROOT / "Sources/Page/types", tmp_path], check=True)
    written = {path.name: path.read_text() for path in tmp_path.iterdir()}
    client = ROOT / "Sources/Page/site/client"
    assert written == {path.name: path.read_text() for path in client.glob("*.d.ts")}, "run make types"


@pytest.mark.parametrize("path", sorted((SCHEMAS / "examples").glob("*.json")), ids=lambda path: path.stem)
def test_examples_have_their_forms(path):
    check(form(path.stem.split("-")[0].capitalize()), json.loads(path.read_text()))


def test_worked_cases_have_their_forms():
    """A part of each: they are many."""
    kinds = set()
    for folder in sorted((SCHEMAS / "vectors").iterdir()):
        commands = [json.loads(line) for line in lines(folder / "commands.ndjson")]
        seen = {next(reversed(command)): command for command in commands}
        for command in [*seen.values(), *commands[::50]]:
            check(form("Command"), command)
        kinds |= set(seen)
        for line in lines(folder / "results.ndjson")[::20]:
            check(form("Result"), json.loads(line))
    assert kinds == set(FORMS["definitions"]["Command"]["properties"]) - {"roomId", "id", "atMs"}


class Fraction:
    """A number with a fraction. JSON Schema takes 1.0 for an integer, and we don't."""


def replaced():
    """Examples in which one member has each of some odd values; or several have, by chance."""

    def places(event):
        for member in event:
            yield member
            if isinstance(member[1], list):
                yield from places(member[1])

    rng = random.Random(0)
    for text in examples("event"):
        event = members(json.loads(text))
        for member in list(places(event)):
            was = member[1]
            for member[1] in [*ODD, "1000000001", json.dumps("é" * 257)]:
                yield written(rng, event)
            member[1] = was
    for seed in range(500):
        yield odd(random.Random(seed))


def test_what_is_understood_has_its_form(tool):
    """An event without its form is never understood. One that has it may break rules that JSON Schema can't say."""
    beyond = {"key", "not_json", "too_long", "out_of_range", "missing", "streak_without_count", "wrong_type", "sides"}
    seen = {"understood": 0, "refused": 0}
    for text in replaced():
        try:
            event = json.loads(text, parse_float=lambda _: Fraction())
        except ValueError:
            continue
        try:
            tool.event(text, None, key="r1", rule="any")
            reason = None
        except NotUnderstood as refusal:
            reason = refusal.reason
        has_form = validator(form("Event")).is_valid(event)
        seen["understood" if reason is None else "refused"] += 1
        assert has_form or reason is not None, f"{text} is understood"
        assert not has_form or reason is None or reason in beyond, f"{text} is refused for {reason}"
    assert min(seen.values()) > 200, seen


# Words that the sources have, too


def cases(source, enum):
    """Raw values of a Swift enumeration of strings."""
    body = re.search(rf"enum {enum}: String[^{{]*{{(.*?)\n  }}", (ROOT / source).read_text(), re.DOTALL)[1]
    return {value or name for names in re.findall(r"case (\w.+)", body)
            for name, value in re.findall(r'(\w+)(?: = "(\w+)")?', names)}


def test_every_error_of_the_gateway_is_documented():
    errors = cases("Sources/Gateway/GatewayMetrics.swift", "Refusal")
    for folder in ("Gateway", "HTTP"):
        for path in (ROOT / "Sources" / folder).rglob("*.swift"):
            errors |= set(re.findall(r'\(\s*(?:\w+,\s*)?\.\w+,\s*"([a-z_]+)",', path.read_text()))
            errors |= set(re.findall(r'\berror: "([a-z_]+)"', path.read_text()))
    assert errors == set(OPENAPI["components"]["schemas"]["Refusal"]["properties"]["error"]["enum"])


def test_every_reason_of_an_event_is_documented():
    reasons = OPENAPI["components"]["schemas"]["Refusal"]["properties"]["reason"]["enum"]
    # What a gateway never meets: whole batches, and messages of a platform's own.
    of_workers = {"batch_too_large", "no_shape", "passed_over"}
    assert cases("Sources/Wire/NotUnderstood.swift", "Reason") - of_workers == set(reasons)


def test_topics_are_those_of_the_settings(binary):
    """By their defaults."""
    told = subprocess.run([binary, "topics", "create", "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    settings = dict(re.findall(r"^ +--(topics\.\w+) .*\[([^\[\]]+)\]$", told, re.MULTILINE))
    addresses = {name: channel["address"] for name, channel in ASYNCAPI["channels"].items()}
    assert settings["topics.input"] == f"{addresses['gifts']},{addresses['wishes']}"
    assert (settings["topics.commands"], settings["topics.results"]) == (addresses["commands"], addresses["results"])
