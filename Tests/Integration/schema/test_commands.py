"""Commands, written by us and read by others, and the other way round."""

import json
import random
import subprocess

import pytest
from peers import PROTO, PROTOBUF, SCHEMAS, NotUnderstood
from google.protobuf import json_format
from test_events import examples

EXAMPLES = examples("command")
# Numbers of 32 bits.
SMALL = ["lane", "track", "enterMs", "tickMs", "exitMs", "durationMs", "x", "y", "left", "packet", "fallMs", "angle", "spin",
         "tier", "toX", "spinMs", "first", "reached"]


def command(schema, text):
    return json_format.Parse(text, schema.Command())


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_field_both_ways(schema, tool, text):
    value = tool.command_bytes(text, "protobuf")
    assert schema.Command.FromString(value) == command(schema, text)
    assert tool.command(value, PROTOBUF) == text
    assert tool.command(command(schema, text).SerializeToString(), PROTOBUF) == text
    assert tool.command(text) == text
    assert tool.command_bytes(text, "json").decode() == text


@pytest.mark.parametrize("text", EXAMPLES)
def test_fields_of_every_size(schema, tool, text):
    """Empty and long texts, which need more bytes for their count, and what JSON escapes; 0 and great numbers."""
    for seed in range(60):
        rng = random.Random(seed)
        changed = json.dumps(other(rng, json.loads(text)), ensure_ascii=False, separators=(",", ":"))
        value = tool.command_bytes(changed, "protobuf")
        message = command(schema, changed)
        # Fields stand in the order of JSON, which is not everywhere that of their numbers.
        assert schema.Command.FromString(value) == message and len(value) == message.ByteSize(), changed
        assert tool.command(value, PROTOBUF) == tool.command(changed)
        assert json.loads(tool.command(changed)) == json.loads(changed)


def other(rng, value, name=""):
    if isinstance(value, dict):
        return {name: other(rng, item, name) for name, item in value.items()}
    if isinstance(value, list):
        # Many points; few people, or their texts would be megabytes.
        most = 4 if any(isinstance(part, str) for item in value for part in item.values()) else 40
        return [other(rng, item) for item in value for _ in range(rng.randrange(most))]
    if name in ["id", "comboId", "crowdId", "stage", "reason", "outcome", "by"]:
        return value
    if isinstance(value, str):
        every = "".join(map(chr, range(0x20))) + '"\\/\x7f\u2028玫🎉'
        return rng.choice(["", "a", every, "x" * rng.randrange(300), "玫" * rng.randrange(6000), value])
    most = 2**31 - 1 if name in SMALL else 2**63 - 1
    number = rng.choice([0, 1, 127, 128, 16383, 16384, 10**9, most, rng.randrange(most)])
    # Neither `toX` nor `spinMs` is what an older server tells: it means a packet that falls straight down.
    return max(1, number) if name == "spinMs" else number


@pytest.mark.parametrize("text", EXAMPLES)
def test_protoc_reads_what_we_write(tool, text):
    value = tool.command_bytes(text, "protobuf")
    for mode in ["decode", "encode"]:
        command = ["protoc", f"-I{SCHEMAS}", f"--{mode}=flyscreen.v1.Command", PROTO.name]
        value = subprocess.run(command, input=value, stdout=subprocess.PIPE, check=True, cwd=SCHEMAS).stdout
    # It writes fields in the order of their numbers, which is not everywhere that of JSON.
    assert len(value) == len(tool.command_bytes(text, "protobuf")) and tool.command(value, PROTOBUF) == text


@pytest.mark.parametrize("text", EXAMPLES)
def test_bytes_that_are_cut_short_are_refused(schema, tool, text):
    with pytest.raises(NotUnderstood):
        tool.command(command(schema, text).SerializeToString()[:-1], PROTOBUF)


@pytest.mark.parametrize("text", examples("result"))
def test_results_both_ways(schema, tool, text):
    for seed in range(60):
        rng = random.Random(seed)
        changed = json.dumps(other(rng, json.loads(text)), ensure_ascii=False, separators=(",", ":")) if seed else text
        message = json_format.Parse(changed, schema.Result())
        assert tool.result_bytes(changed, "protobuf") == message.SerializeToString(deterministic=True), changed
        assert json.loads(tool.result(message.SerializeToString(), PROTOBUF)) == json.loads(changed)
        assert tool.result(changed) == tool.result_bytes(changed, "json").decode()
    assert tool.result(text) == text
