"""Events, read by us and by others."""

import json
import random
import subprocess

import pytest
import understanding
import wire_format
from peers import PROTO, PROTOBUF, SCHEMAS, NotUnderstood
from google.protobuf import json_format, unknown_fields
from google.protobuf.message import DecodeError

ROUNDS = 3000
# Errors that others can't tell.
ANY = object()


def ours(tool, value, content_type):
    """Our event, or the reason why it can't be understood."""
    try:
        return json.loads(tool.event(value, content_type))
    except NotUnderstood as refused:
        return refused.reason


def theirs(schema, value):
    try:
        message = schema.Event.FromString(value)
    except DecodeError:
        return "not_protobuf"
    if any(field.field_number == 1 and field.wire_type == wire_format.BYTES
           for field in unknown_fields.UnknownFieldSet(message.room_settings)):
        # Python's library, unlike others, makes an entry of one that has unknown fields.
        return ANY
    try:
        return understanding.of_message(message)
    except understanding.Refused:
        return None


def same(ours, theirs):
    """Whether both read the same. A refusal of theirs (None) has no reason: it agrees with any reason of ours but
    `not_protobuf` and `not_json`."""
    if theirs is ANY:
        return ours != "not_protobuf"
    if theirs is None:
        return isinstance(ours, str) and ours not in ["not_protobuf", "not_json"]
    return ours == theirs


def examples(kind):
    return [path.read_text().removesuffix("\n") for path in sorted((SCHEMAS / "examples").glob(f"{kind}-*.json"))]


@pytest.mark.parametrize("mild", [True, False])
def test_a_message_in_any_order_with_fields_twice_and_unknown_ones(schema, tool, mild):
    """Packed and unpacked, merged bodies, another body after the first, wrong wire types, invalid UTF-8."""
    seen = {"understood": 0, "refused": 0, "not_protobuf": 0}
    for seed in range(ROUNDS):
        value = wire_format.message(random.Random(seed), schema.Event.DESCRIPTOR, mild)
        expected = theirs(schema, value)
        assert same(ours(tool, value, PROTOBUF), expected), f"seed {seed}: {value.hex()} is {expected}"
        seen["refused" if expected is None or expected is ANY else expected if isinstance(expected, str) else "understood"] += 1
    assert min(seen.values()) > ROUNDS / 100, seen


def test_broken_messages(schema, tool):
    """Cut short, or with bytes changed: never another event than others read, and no end of the reader."""
    broken = 0
    for seed in range(ROUNDS):
        rng = random.Random(seed)
        value = bytearray(wire_format.message(rng, schema.Event.DESCRIPTOR, mild=True))
        for _ in range(rng.randrange(1, 4)):
            if value and rng.random() < 0.7:
                value[rng.randrange(len(value))] = rng.randrange(256)
            else:
                del value[rng.randrange(len(value) + 1) :]
        expected = theirs(schema, bytes(value))
        assert same(ours(tool, bytes(value), PROTOBUF), expected), f"seed {seed}: {value.hex()} is {expected}"
        broken += expected == "not_protobuf"
    assert broken > ROUNDS / 10


def test_groups_nest_as_deep_as_others_read_them(schema, tool):
    tap = wire_format.data(1, b"7")
    for depth in range(95, 105):
        groups = wire_format.tag(15, wire_format.GROUP) * depth + wire_format.tag(15, wire_format.END_GROUP) * depth
        for outer, inner in [(groups, b""), (b"", groups)]:
            value = wire_format.data(2, b"r1") + wire_format.data(6, tap + inner) + outer
            assert same(ours(tool, value, PROTOBUF), theirs(schema, value)), depth


@pytest.mark.parametrize("text", examples("event"))
def test_every_field_both_ways(schema, tool, text):
    event = json_format.Parse(text, schema.Event())
    for field in set_fields(event):
        assert field, "an example of events has every field"
    value = event.SerializeToString(deterministic=True)
    assert tool.event(value, PROTOBUF) == text
    assert tool.event(text) == text
    assert tool.event(json_format.MessageToJson(event, ensure_ascii=False)) == text
    assert tool.event_bytes(text, "json").decode() == text
    # Fields stand in the order of JSON, which is not everywhere that of their numbers.
    written = tool.event_bytes(text, "protobuf")
    assert schema.Event.FromString(written) == event and len(written) == len(value)


def set_fields(message):
    return [value for _, value in message.ListFields()]


@pytest.mark.parametrize("text", examples("event"))
def test_protoc_reads_and_writes_the_same(schema, tool, text):
    def protoc(mode, value):
        command = ["protoc", f"-I{SCHEMAS}", f"--{mode}=flyscreen.v1.Event", PROTO.name]
        return subprocess.run(command, input=value, stdout=subprocess.PIPE, check=True, cwd=SCHEMAS).stdout

    value = tool.event_bytes(text, "protobuf")
    assert len(protoc("encode", protoc("decode", value))) == len(value)
    assert tool.event(protoc("encode", protoc("decode", value)), PROTOBUF) == text


def test_numbers_at_their_bounds_both_ways(schema, tool):
    """Each number of each event, from its least to its most and one beyond."""
    for text in examples("event"):
        example = json.loads(text)
        body = list(example)[-1]
        for name, value in example[body].items():
            if not isinstance(value, int):
                continue
            for number in wire_format.NUMBERS:
                changed = {**example, body: {**example[body], name: number}}
                as_json = json.dumps(changed, ensure_ascii=False)
                message = json_format.Parse(as_json, schema.Event())
                expected = theirs(schema, message.SerializeToString())
                assert same(ours(tool, message.SerializeToString(), PROTOBUF), expected), as_json
                assert same(ours(tool, as_json, None), expected), as_json
                if isinstance(expected, dict):
                    written = schema.Event.FromString(tool.event_bytes(as_json, "protobuf"))
                    assert understanding.of_message(written) == expected
