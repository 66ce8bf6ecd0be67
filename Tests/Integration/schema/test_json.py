"""JSON events, read by us and by Python with the rules as understanding.py has them."""

import json
import random

import understanding
from peers import NotUnderstood
from test_events import ours, examples
from wire_format import NUMBERS, TEXTS

ROUNDS = 5000

# Values by which a member's may be replaced.
ODD = ["null", '""', "[]", "{}", "true", "0", "-0", "1.0", "1e2", "-1", '"3"', '"03"', '"+3"', '" 3"', '"-0"', '"1.0"', '"٣"', "18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "1e999", "2e308", "1e-999", '"\\ud83d"', '"\\udc00\\ud83d"', '"\\ud83d\\ude00"', '"\\u0000\\u202e"', "NaN", "01", "1.", ".5", "+1", '{"userId":5}', '{"userId":"8","name":"\\u0085é"}', '[1,"2",0]', '[1.5]', "[null]", '"\\u00e9\\/"', "'a'", '"\t"']  # fmt: skip


def test_events_with_odd_members(tool):
    seen = {"understood": 0, "refused": 0}
    for seed in range(ROUNDS):
        text = odd(random.Random(seed))
        try:
            expected = understanding.of_json(text.encode())
        except understanding.Refused:
            expected = None
        got = ours(tool, text, "Application/JSON; charset=utf-8")
        assert isinstance(got, str) if expected is None else got == expected, f"seed {seed}: {text} is {expected}"
        seen["refused" if expected is None else "understood"] += 1
    assert min(seen.values()) > ROUNDS / 10, seen


def odd(rng):
    """An example with a few members replaced, doubled, moved, taken away or added, at any level."""
    event = members(json.loads(rng.choice(examples("event"))))
    for _ in range(rng.randrange(4)):
        change(rng, event)
    return written(rng, event)


def members(value):
    """Objects as lists of members, so that a member can be there twice; all else as it is written."""
    if isinstance(value, dict):
        return [[name, members(item)] for name, item in value.items()]
    return json.dumps(value, ensure_ascii=False)


def change(rng, event):
    place = event
    while True:
        inner = [item for _, item in place if isinstance(item, list)]
        if not inner or rng.random() < 0.3:
            break
        place = rng.choice(inner)
    if not place:
        return
    member = rng.choice(place)
    what = rng.random()
    if what < 0.5:
        member[1] = replacement(rng)
    elif what < 0.6:
        place.remove(member)
    elif what < 0.75:
        place.insert(rng.randrange(len(place) + 1), [member[0], replacement(rng)])
    elif what < 0.9:
        name = rng.choice(["extra", "", "gift\\u0000", "g\\u0069ft", "tap", "aNameOfMoreThanFifteenBytes", "\\ud83d"])
        place.insert(rng.randrange(len(place) + 1), [name, replacement(rng)])
    else:
        rng.shuffle(place)


def replacement(rng):
    if rng.random() < 0.6:
        return rng.choice(ODD)
    if rng.random() < 0.5:
        return json.dumps(rng.choice(TEXTS), ensure_ascii=rng.random() < 0.5)
    return rng.choice(['{}', '"{}"']).format(rng.choice(NUMBERS))


def written(rng, value):
    if not isinstance(value, list):
        return value
    blank = rng.choice(["", "", " ", "\n\t"])
    return "{" + (blank + ",").join(f'{blank}"{name}"{blank}:{blank}{written(rng, item)}' for name, item in value) + "}"


def test_broken_text(tool):
    """Bytes changed, put in, or cut off: what we take, others take too, and for the same."""
    for seed in range(ROUNDS):
        rng = random.Random(seed)
        text = bytearray(rng.choice(examples("event")).encode())
        for _ in range(rng.randrange(1, 3)):
            place = rng.randrange(len(text))
            what = rng.random()
            if what < 0.5:
                text[place] = rng.choice(b'{}[]",:\\0123456789-+.eEtfn \n\x00\x7f\x80\xc2\xe2\xed\xf0\xff')
            elif what < 0.8:
                text.insert(place, rng.randrange(256))
            else:
                del text[rng.randrange(len(text)) :]
            if not text:
                break
        try:
            expected = understanding.of_json(bytes(text))
        except understanding.Refused:
            expected = None
        got = ours(tool, bytes(text), None)
        assert isinstance(got, str) if expected is None else got == expected, f"seed {seed}: {bytes(text)} is {expected}"


def test_the_key_is_the_room(tool):
    event = '{"roomId":42,"tap":{"userId":"7"}}'
    assert json.loads(tool.event(event, None, key="42", rule="roomId"))["roomId"] == "42"
    for key in [None, "", "4", "42 ", "r"]:
        tool.event(event, None, key=key, rule="any")
        try:
            tool.event(event, None, key=key, rule="roomId")
            raise AssertionError(f"{key} was taken")
        except NotUnderstood as refused:
            assert refused.reason == "key"
