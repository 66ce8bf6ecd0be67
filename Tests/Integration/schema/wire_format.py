"""Protobuf's bytes put together by hand: every way in which a message may be written, and some in which it may not."""

import struct

VARINT, FIXED64, BYTES, GROUP, END_GROUP, FIXED32 = range(6)


def varint(value, longer=0):
    """`longer`: so many bytes more than it takes, which readers accept up to ten."""
    value &= 2**64 - 1
    digits = []
    while True:
        digits.append(value & 0x7F)
        value >>= 7
        if not value:
            break
    digits += [0] * min(longer, 10 - len(digits))
    return bytes([digit | 0x80 for digit in digits[:-1]] + [digits[-1]])


def tag(number, kind):
    return varint(number << 3 | kind)


def integer(number, value, longer=0):
    return tag(number, VARINT) + varint(value, longer)


def data(number, value):
    return tag(number, BYTES) + varint(len(value)) + value


def unknown(random, numbers, depth=0):
    """A field that the schema does not have."""
    number = random.choice([n for n in [9, 15, 16, 100, 2047, 2048, 19000, 2**29 - 1] if n not in numbers])
    kind = random.choice([VARINT, FIXED64, BYTES, FIXED32] + [GROUP] * (depth < 3))
    if kind == VARINT:
        return integer(number, random.getrandbits(64), random.randrange(4))
    if kind == FIXED64:
        return tag(number, kind) + random.randbytes(8)
    if kind == FIXED32:
        return tag(number, kind) + random.randbytes(4)
    if kind == BYTES:
        return data(number, random.randbytes(random.randrange(20)))
    inner = b"".join(unknown(random, [], depth + 1) for _ in range(random.randrange(3)))
    return tag(number, GROUP) + inner + tag(number, END_GROUP)


def wrong_type(random, number, kind):
    """A field of the schema with another wire type: readers take it for one that they don't know."""
    if kind != VARINT and random.random() < 0.4:
        return integer(number, random.getrandbits(60))
    if kind != FIXED64 and random.random() < 0.5:
        return tag(number, FIXED64) + struct.pack("<q", 7)
    return tag(number, FIXED32) + struct.pack("<i", 7)


TEXTS = ["", "7", "u-1", "rose", "玫瑰", "阿花🎉", "a\u0000\u202eb", "é\u0085x", "x" * 256, "y" * 257, "花" * 342, "z" * 2049]
NUMBERS = [0, 0, 1, 2, 3, 5, 60, 61, 100, 101, 999, 1000, 10**6, 10**6 + 1, 10**9, 10**9 + 1, 10**15, 10**15 + 1, -1, -(2**63), 2**63 - 1, 2**32 + 1]  # fmt: skip


def message(random, descriptor, mild):
    """The bytes of a random message: fields in any order, some of them twice, some unknown. `mild`: hardly anything
    in it that events must not have."""
    parts = []
    numbers = [field.number for field in descriptor.fields]
    for field in descriptor.fields:
        if field.containing_oneof is not None and not field.has_presence:
            continue
        times = random.choices([0, 1, 2], [2, 14, 3] if mild else [4, 8, 3])[0]
        if field.containing_oneof is not None and field.message_type is not None:
            continue
        parts += [one(random, field, mild) for _ in range(times)]
    bodies = [field for oneof in descriptor.oneofs if oneof.name == "body" for field in oneof.fields]
    if bodies:
        body = random.choice(bodies)
        for _ in range(random.choices([0, 1, 2, 3], [1, 14, 3, 1])[0]):
            parts.append(one(random, body if random.random() < 0.8 else random.choice(bodies), mild))
    if random.random() < 0.4:
        parts += [unknown(random, numbers) for _ in range(random.randrange(1, 4))]
    if not mild and descriptor.fields and random.random() < 0.1:
        field = random.choice(descriptor.fields)
        kind = VARINT if field.cpp_type == field.CPPTYPE_INT64 else BYTES
        parts.append(wrong_type(random, field.number, kind))
    random.shuffle(parts)
    return b"".join(parts)


SETTINGS = [
    (b"gift.lanes", b"3"), (b"gift.lanes", b"65"), (b"gift.order", b"fifo"), (b"gift.tiers", b"500:2000,5000:4000"),
    (b"gift.tiers", b"5:0,5:1"), (b"wish.gap", b"8"), (b"wish.stageWidth", b"300"), (b"rain.tallyMs", b"0100"),
    (b"rain.limit", b"3"), (b"gift.tickMs", b""), (b"", b""), ("玫瑰".encode(), b"\xff"),
]  # fmt: skip


def one(random, field, mild):
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        name, value = random.choice(SETTINGS[:4] if mild else SETTINGS)
        return data(field.number, data(1, name) + data(2, value))
    if field.message_type is not None:
        return data(field.number, message(random, field.message_type, mild))
    if field.cpp_type == field.CPPTYPE_STRING:
        texts = TEXTS[1:8] if mild else TEXTS
        value = random.choice(texts).encode()
        if random.random() < 0.01:
            value = random.choice([b"\xff", b"a\xed\xa0\x80", b"\xc0\x80", b"12345678\xf8", b"\xe7\x8e"])
        return data(field.number, value)
    if field.label == field.LABEL_REPEATED:
        values = [number(random, mild) for _ in range(random.randrange(6))]
        if random.random() < 0.5:
            return data(field.number, b"".join(varint(value) for value in values))
        return b"".join(integer(field.number, value) for value in values)
    return integer(field.number, number(random, mild), random.choice([0, 0, 0, 2]))


def number(random, mild):
    return random.randrange(0, 61) if mild else random.choice(NUMBERS)
