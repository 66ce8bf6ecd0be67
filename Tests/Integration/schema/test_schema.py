"""Changes that the schema may have, and its JSON form: Schemas/README.md."""

import json

import pytest
from peers import SCHEMAS
from google.protobuf import json_format

EXAMPLES = sorted((SCHEMAS / "examples").glob("*.json"))
LOCK = SCHEMAS / "flyscreen.lock"
MESSAGES = {"event": "Event", "command": "Command", "result": "Result"}
TYPES = "double float int64 uint64 int32 fixed64 fixed32 bool string group message bytes uint32 enum sfixed32 sfixed64 sint32 sint64"  # fmt: skip


def locked(file):
    """Each field and each value of an enumeration as a line: name, number, type, which of several."""

    def enumeration(path, enum):
        for value in enum.value:
            yield f"{path}.{enum.name}.{value.name} = {value.number}"

    for message in file.message_type:
        for enum in message.enum_type:
            yield from enumeration(message.name, enum)
        for field in message.field:
            kind = field.type_name.rsplit(".", 1)[-1] or TYPES.split()[field.type - 1]
            label = "repeated " if field.label == field.LABEL_REPEATED else ""
            label = "optional " if field.proto3_optional else label
            group = message.oneof_decl[field.oneof_index].name + " " if field.HasField("oneof_index") else ""
            group = "" if field.proto3_optional else group
            yield f"{message.name}.{field.name} = {field.number} {group}{label}{kind} {field.json_name}"
    for enum in file.enum_type:
        yield from enumeration("", enum)


def test_what_was_promised_stays_and_what_is_new_is_promised(schema):
    promised = LOCK.read_text().splitlines()
    present = list(locked(schema.file))
    gone = [line for line in promised if line not in present]
    assert not gone, f"changed or removed, which breaks those who read or write it: {gone}"
    new = [line for line in present if line not in promised]
    assert not new, f"new: add to {LOCK.relative_to(SCHEMAS.parent)}, for good: {new}"


def test_no_number_or_name_is_used_twice(schema):
    lines = [line.split(" ") for line in LOCK.read_text().splitlines()]
    numbers = [(line[0].rsplit(".", 1)[0], line[2]) for line in lines]
    assert len(set(numbers)) == len(numbers)
    assert len({line[0] for line in lines}) == len(lines)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_of_the_schema(schema, path):
    """Every member is a field, and of commands and results every field is there, in the schema's order."""
    kind, name = path.stem.split("-")
    message = getattr(schema, MESSAGES[kind])()
    text = path.read_text().removesuffix("\n")
    value = json.loads(text)
    json_format.ParseDict(value, message)
    assert json.dumps(value, ensure_ascii=False, separators=(",", ":")) == text
    back = json_format.MessageToDict(message, including_default_value_fields=True)
    # An event may leave out what is empty.
    assert as_integers(value, back) == (within(back, value) if kind == "event" else back)
    if kind != "event":
        in_order(value, message)
    if kind != "result":
        assert name in value


def in_order(value, message):
    set_fields = [
        field
        for field in message.DESCRIPTOR.fields
        if field.containing_oneof is None or message.HasField(field.name)
    ]
    assert list(value) == [field.json_name for field in set_fields]
    for field in set_fields:
        inner = getattr(message, field.name)
        if field.label == field.LABEL_REPEATED:
            for item, part in zip(value[field.json_name], inner):
                in_order(item, part)
        elif field.message_type is not None:
            in_order(value[field.json_name], inner)


def within(whole, part):
    """The members of `whole` that `part` has, too."""
    if not isinstance(whole, dict):
        return whole
    return {name: within(item, part[name]) for name, item in whole.items() if name in part}


def as_integers(value, like):
    """Protobuf's own JSON has integers of 64 bits as strings."""
    if isinstance(value, dict):
        return {name: as_integers(item, like[name]) for name, item in value.items()}
    if isinstance(value, list):
        return [as_integers(item, other) for item, other in zip(value, like)]
    return str(value) if isinstance(like, str) and isinstance(value, int) else value


def test_every_kind_has_an_example(schema):
    names = {path.stem for path in EXAMPLES}
    for kind in ["event", "command"]:
        for field in getattr(schema, MESSAGES[kind]).DESCRIPTOR.oneofs_by_name["body"].fields:
            assert f"{kind}-{field.json_name}" in names
    assert any(name.startswith("result-") for name in names)
