"""The right to post, as a table: (claims × kind × trick with the body) → status, error and what the topic then has.

The kinds are those of Schemas/openapi.yaml; the rules are those of Schemas/INTERFACES.md, "Gateway".
"""

import json
import time

import confluent_kafka
import httpx
import jwt
import pytest

from certificates import write
from documents import OPENAPI
from waiting import LIMIT

SECRET = b"claims89abcdef0123456789abcdef01"
ROOM = "claims-1"
KINDS = OPENAPI["components"]["schemas"]["Rooms"]["properties"]["kinds"]["items"]["enum"]
VIEWERS = ("wish", "wishLike", "tap", "taps", "rainGrab")
# é of one scalar; another user has it of two.
ME, LOOK_ALIKE = "u7-\u00e9", "u7-e\u0301"

# Each kind's body, without who does it.
BODIES = {
    "gift": {"giftId": "rose"}, "wish": {"text": "hi", "wishId": "w"}, "wishLike": {"wishId": "w"},
    "tap": {"x": 1, "y": 2}, "rainStart": {"rainId": "a"}, "rainGrab": {"rainId": "a", "packet": 1},
    "spot": {"kind": "entrance", "spotId": "s"}, "pin": {"text": "hi", "pinId": "p"}, "goal": {"goalId": "g"},
    "score": {"goalId": "g", "total": 3}, "taps": {"runId": "a", "count": 3}, "retract": {"wishId": "w"}, "roomSettings": {"set": {"gift.lanes": 3}},
    "roomEnd": {},
}
SENDERS = ("gift", "wish", "spot", "pin")
USERS = (*SENDERS, "wishLike", "tap", "taps", "rainGrab")

CLAIMS = {
    "no token": None,
    "of the past": {"sub": ME, "exp": 1_700_000_000},
    "of another room": {"sub": ME, "rooms": ["claims-2"]},
    "a viewer": {"sub": ME},
    "a viewer with a name": {"sub": ME, "name": "阿花", "avatarUrl": "https://a.example/7.png"},
    "a viewer with a name that can't be seen": {"sub": ME, "name": "\u200b\u2800 ", "events": KINDS},
    "a viewer who may post nothing": {"sub": ME, "events": []},
    "a viewer who may post all": {"sub": ME, "events": [*KINDS, "a kind of tomorrow"]},
    "nobody": {},
    "nobody who may post all": {"events": KINDS},
    "nobody by an empty sub": {"sub": "", "events": KINDS},
    "a platform": {"as": "*", "rooms": ["*"]},
    "a platform that may post all": {"as": "*", "events": KINDS, "name": "the platform"},
}


def signed(kind, user):
    """An event of a user, as JSON; "" for none."""
    sender = {} if user == "" else {"userId": user}
    body = dict(BODIES[kind])
    if kind in SENDERS:
        body["sender"] = {**sender, "name": "Official Support", "avatarUrl": "https://elsewhere.example/x.png"}
        body["extra"] = '{"badge":"https://elsewhere.example/moderator.png"}'
    elif kind in USERS:
        body |= sender
    return json.dumps({"eventId": "e", kind: body}, ensure_ascii=False)


def twice(kind):
    """Its user comes twice, the own one first."""
    return signed(kind, ME).replace(f'"userId": "{ME}"', f'"userId": "{ME}", "userId": "u8"')


# Events to post of a kind, and whose each is: "own", "another's", "nobody's", or "bad" for what is none of this room's.
TRICKS = {
    "as it should be": (lambda kind: signed(kind, ME), "own"),
    "without a user": (lambda kind: signed(kind, ""), "nobody's"),
    "null": (lambda kind: signed(kind, None), "nobody's"),
    "another user": (lambda kind: signed(kind, "u8"), "another's"),
    "a look-alike": (lambda kind: signed(kind, LOOK_ALIKE), "another's"),
    "a user twice": (twice, "another's"),
    "a user by number": (lambda kind: signed(kind, 8), "another's"),
    "of this room": (lambda kind: json.dumps({**json.loads(signed(kind, ME)), "roomId": ROOM}), "own"),
    "of another room": (lambda kind: json.dumps({**json.loads(signed(kind, ME)), "roomId": "claims-2"}), "bad"),
    "two kinds": (lambda kind: json.dumps({**json.loads(signed(kind, ME)), ("wish" if kind == "tap" else "tap"): {}}),
                  "no kind"),
    "no kind": (lambda kind: "{}", "no kind"),
    "no JSON": (lambda kind: signed(kind, ME)[:-1], "no kind"),
    "a kind in capitals": (lambda kind: signed(kind, ME).replace(f'"{kind}"', f'"{kind.upper()}"'), "no kind"),
}


def expected(claims, kind, whose):
    """Status and error."""
    if claims is None or claims.get("exp", time.time() + 1) < time.time():
        return 401, "unauthorized"
    if claims.get("rooms", [ROOM]) not in ([ROOM], ["*"]):
        return 403, "forbidden"
    is_platform = claims.get("as") == "*"
    if whose == "no kind":
        return 400, "bad_request"
    if not is_platform and not claims.get("sub"):
        return 403, "forbidden"
    if kind not in claims.get("events", VIEWERS):
        return 403, "kind_not_allowed"
    if whose == "bad":
        return 400, "bad_request"
    if kind in USERS:
        if whose == "another's" and not is_platform:
            return 403, "forbidden"
        if whose == "nobody's" and is_platform:
            return 400, "bad_request"
    return 202, None


@pytest.fixture(scope="module")
def gateway(make_shared_gateway, tmp_path_factory):
    keys = tmp_path_factory.mktemp("claims-keys")
    write(keys / "k.secret", SECRET)
    return make_shared_gateway(
        "--gateway.auth.keys", keys, "--gateway.events", "on", "--gateway.limits.events", 100_000,
        "--gateway.limits.eventBurst", 100_000)


def headers(claims):
    content = {"Content-Type": "application/json"}
    if claims is None:
        return content
    token = jwt.encode({"exp": time.time() + 600, "rooms": [ROOM], **claims}, SECRET, "HS256", {"kid": "k"})
    return {**content, "Authorization": f"Bearer {token}"}


def test_the_table_has_every_kind():
    assert set(BODIES) == set(KINDS)


@pytest.mark.parametrize("who", CLAIMS)
def test_who_may_post_what(gateway, broker, who):
    claims = CLAIMS[who]
    head = headers(claims)
    places = []
    with httpx.Client(timeout=LIMIT) as client:
        for kind in KINDS:
            for trick, (make, whose) in TRICKS.items():
                answer = client.post(gateway.url(f"/rooms/{ROOM}/events"), content=make(kind).encode(), headers=head)
                status, error = expected(claims, kind, whose)
                row = f"{who}, {kind}, {trick}: {answer.status_code} {answer.text}"
                assert (answer.status_code, answer.json().get("error")) == (status, error), row
                if status == 202:
                    places.append((row, kind, make(kind), answer.json()))
            plain = client.post(gateway.url(f"/rooms/{ROOM}/events"), content="{}", headers={**head, "Content-Type": "text/plain"})
            assert plain.status_code in (401, 403, 415), f"{who}, {kind}"
        kinds = client.get(gateway.url("/rooms"), headers=head)
    if kinds.status_code == 200:
        may = [kind for kind in KINDS if expected({**claims, "rooms": [ROOM]}, kind, "own")[0] == 202]
        assert kinds.json()["kinds"] == may
    records = read(broker, [place for *_, place in places])
    for row, kind, posted, place in places:
        see_signed(row, kind, json.loads(posted), json.loads(records[place["partition"], place["offset"]]), claims)


def see_signed(row, kind, posted, record, claims):
    """The record is of whom the token names, and they look as it says."""
    if kind not in USERS:
        return
    body = record[kind]
    sender = body["sender"] if kind in SENDERS else body
    if claims.get("as") == "*":
        assert body == posted[kind], row
        return
    assert sender["userId"] == ME, row
    if kind in SENDERS:
        has_name = claims.get("name", "").strip("\u200b\u2800 ") != ""
        looks = {name: claims[name] for name in ("name", "avatarUrl") if has_name and name in claims}
        assert {name: text for name, text in sender.items() if name != "userId"} == looks, row
        assert "extra" not in body, row


def read(broker, places):
    """The records' values, by partition and offset."""
    values = {}
    wanted = {(place["partition"], place["offset"]) for place in places}
    if not wanted:
        return values
    topic, = {place["topic"] for place in places}
    consumer = confluent_kafka.Consumer({"bootstrap.servers": broker.address, "group.id": "claims"})
    try:
        first = min(offset for _, offset in wanted)
        partition, = {partition for partition, _ in wanted}
        consumer.assign([confluent_kafka.TopicPartition(topic, partition, first)])
        while wanted - values.keys():
            record = consumer.poll(LIMIT)
            assert record is not None and record.error() is None, record and record.error()
            values[record.partition(), record.offset()] = record.value()
    finally:
        consumer.close()
    return values
