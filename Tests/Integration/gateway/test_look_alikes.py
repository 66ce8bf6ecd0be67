"""Ids of different bytes are two, however alike they look: a token speaks for one person, and names one room."""

import json
import unicodedata
import urllib.parse

import confluent_kafka
import pytest

from certificates import write
from served import mark
from test_tokens import SECRET, bearer, posted, token
from waiting import LIMIT, wait_for

# One name, in four spellings that are canonically equal, and other names that could pass for it.
NAME = "김철수"
CANONICAL = [unicodedata.normalize("NFC", NAME)] + [
    "".join(unicodedata.normalize("NFD", letter) if number in apart else letter for number, letter in enumerate(NAME))
    for apart in ({0}, {1, 2}, {0, 1, 2})]
OTHERS = [NAME + "\u200b", "\u200b" + NAME, "K7", "\u212a7", "k7"]
SPELLINGS = CANONICAL + OTHERS


@pytest.fixture(scope="module")
def gateway(make_shared_gateway, tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    write(folder / "hmac.secret", SECRET)
    return make_shared_gateway(
        "--gateway.auth.keys", folder, "--gateway.events", "on", "--gateway.limits.events", 100_000,
        "--gateway.limits.eventBurst", 100_000, "--gateway.limits.snapshots", 100_000)


@pytest.fixture(scope="module")
def consumer(broker):
    consumer = confluent_kafka.Consumer({"bootstrap.servers": broker.address, "group.id": "look-alikes"})
    yield consumer
    consumer.close()


def record(consumer, place):
    """The event that is on this place of its topic."""
    consumer.assign([confluent_kafka.TopicPartition(place["topic"], place["partition"], place["offset"])])
    return json.loads(consumer.poll(LIMIT).value())


def user(event):
    kind, = (event[kind] for kind in ("wish", "wishLike", "tap", "taps", "rainGrab") if kind in event)
    return kind["userId"] if "userId" in kind else kind["sender"]["userId"]


EVENTS = {
    "wish": lambda user: {"wish": {"sender": {"userId": user}, "text": "hi", "wishId": "w"}},
    "wishLike": lambda user: {"wishLike": {"userId": user, "wishId": "w"}},
    "tap": lambda user: {"tap": {"userId": user, "x": 1, "y": 2}},
    "taps": lambda user: {"taps": {"userId": user, "runId": "a", "count": 1}},
    "rainGrab": lambda user: {"rainGrab": {"rainId": "a", "packet": 1, "userId": user}},
}


def test_the_spellings_look_alike_and_are_many():
    assert len({unicodedata.normalize("NFC", one) for one in CANONICAL}) == 1
    assert len({one.encode() for one in SPELLINGS}) == len(SPELLINGS)


@pytest.mark.parametrize("kind", EVENTS)
def test_a_token_posts_as_its_own_spelling_alone(gateway, consumer, kind):
    for sub in (CANONICAL[0], CANONICAL[-1], "\u212a7"):
        header = f"Authorization: Bearer {token(rooms=['lobby'], sub=sub)}"
        for spelling in SPELLINGS + [""]:
            status, answer = posted(gateway, EVENTS[kind](spelling), header)
            if spelling in (sub, ""):
                assert status == 202, answer
                assert user(record(consumer, answer)).encode() == sub.encode()
            else:
                assert (status, answer["error"]) == (403, "forbidden"), (sub.encode(), spelling.encode())


def test_a_token_is_told_the_results_of_its_own_spelling_alone(gateway, broker):
    producer = confluent_kafka.Producer({"bootstrap.servers": broker.address})
    for number, spelling in enumerate(SPELLINGS):
        result = {"id": f"im.gifts/9/{number}", "roomId": "lobby", "eventId": "", "rainId": "a", "packet": number,
                  "userId": spelling, "outcome": "won", "coins": 4}
        producer.produce("gateway.results", json.dumps(result, ensure_ascii=False), spelling)
    assert producer.flush(LIMIT) == 0
    for number, spelling in enumerate(SPELLINGS):
        asker = bearer(token(rooms=["lobby"], sub=spelling))

        def told():
            path = f"/rooms/lobby/results?user={urllib.parse.quote(spelling)}"
            return [one["packet"] for one in json.loads(gateway.ask(path, **asker)[2])["results"]]

        wait_for("the result to be told", told)
        assert told() == [number], spelling.encode()
        for other in SPELLINGS:
            status = gateway.ask(f"/rooms/lobby/results?user={urllib.parse.quote(other)}", **asker)[0]
            assert status == (200 if other == spelling else 403)


def test_a_token_opens_the_room_of_its_own_spelling_alone(gateway, commands):
    for name in SPELLINGS:
        asker = bearer(token(rooms=[name], sub="7"))
        for other in SPELLINGS:
            expected = 200 if other == name else 403
            assert gateway.ask(f"/rooms/{urllib.parse.quote(other)}", **asker)[0] == expected
            status = posted(
                gateway, {"tap": {"x": 1, "y": 2}}, f"Authorization: {asker['Authorization']}",
                room=urllib.parse.quote(other))[0]
            assert status == (202 if other == name else 403)


def test_what_is_sent_to_a_room_is_on_the_screens_of_no_other(gateway, commands):
    asker = f"Authorization: Bearer {token(rooms=['*'])}"
    numbers = {}
    for name in SPELLINGS:
        numbers[name], = commands.send(name)
    for name in SPELLINGS:
        path = urllib.parse.quote(name)

        def shown():
            return json.loads(gateway.ask(f"/rooms/{path}", Authorization=asker.split(": ")[1])[2])

        wait_for("the room's view", lambda: shown()["commands"])
        snapshot = shown()
        assert snapshot["roomId"].encode() == name.encode()
        assert [mark(numbers[name])] == [f'"id":"{one["id"]}"' for one in snapshot["commands"]]
    # In one stream of all of them, each is told of its own.
    query = ",".join(urllib.parse.quote(name) for name in SPELLINGS)
    with gateway.client() as client:
        client.send(f"GET /commands?rooms={query} HTTP/1.1\r\nHost: localhost\r\n{asker}\r\n\r\n")
        snapshots = [client.read_until("event: snapshot\n") and client.read_until("\n\n") for _ in SPELLINGS]
    rooms = {json.loads(text.split("data: ")[1])["roomId"] for text in snapshots}
    assert rooms == set(SPELLINGS)


def test_an_answer_tells_nothing_of_other_events(gateway):
    """An `eventId` that came before, from any client, is answered as a new one."""
    known = {"eventId": "order-4711", "tap": {"x": 1, "y": 2}}
    platform = f"Authorization: Bearer {token(rooms=['*'], **{'as': '*', 'events': ['gift']})}"
    gift = {"eventId": "order-4711", "gift": {"sender": {"userId": "8"}, "giftId": "rose"}}
    assert posted(gateway, gift, platform)[0] == 202
    viewer = f"Authorization: Bearer {token(rooms=['*'], sub='7')}"
    for event in (known, known, {**known, "eventId": "nobody's"}):
        status, answer = posted(gateway, event, viewer)
        assert status == 202
        assert set(answer) == {"topic", "partition", "offset"}, "its place, and no more"
