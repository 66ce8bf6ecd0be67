"""The right to see a room, by tokens that PyJWT made."""

import base64
import hashlib
import hmac
import json
import time

import confluent_kafka
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from certificates import write
from process import Program
from raw import get, post
from served import mark
from waiting import LIMIT, wait_for

RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC = ec.generate_private_key(ec.SECP256R1())
SECRET = b"0123456789abcdef0123456789abcdef"


def public(key):
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


KEYS = {"rsa": (RSA, "RS256"), "ec": (EC, "ES256"), "hmac": (SECRET, "HS256")}


def token(kid="hmac", lasts=600, rooms=("tokens-*", "lobby"), **claims):
    key, algorithm = KEYS[kid]
    return jwt.encode({"exp": time.time() + lasts, "rooms": list(rooms), **claims}, key, algorithm, {"kid": kid})


def bearer(text):
    return {"Authorization": f"Bearer {text}"}


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    write(folder / "rsa.pem", public(RSA))
    write(folder / "ec.pem", public(EC))
    write(folder / "hmac.secret", SECRET + b"\n")
    return folder


@pytest.fixture(scope="module")
def gateway(make_shared_gateway, keys):
    return make_shared_gateway("--gateway.auth.keys", keys, "--gateway.events", "on")


@pytest.mark.parametrize("kid", KEYS)
def test_a_token_opens_the_rooms_that_it_names(gateway, commands, kid):
    for text in (token(kid), token(kid, rooms=["*"])):
        with gateway.stream("tokens-1", f"Authorization: Bearer {text}") as stream:
            number, = commands.send("tokens-1")
            stream.read_until(mark(number))
        assert gateway.ask("/rooms/tokens-1", **bearer(text))[0] == 200
    status, headers, body = gateway.ask("/rooms/other", **bearer(token(kid)))
    assert (status, json.loads(body)["error"]) == (403, "forbidden")
    status, _, body = gateway.ask("/commands?rooms=lobby,other", **bearer(token(kid)))
    assert status == 403 and "other" in json.loads(body)["message"]


def test_a_browser_names_its_token_in_the_query(gateway):
    with gateway.stream("lobby", query=f"?access_token={token()}"):
        pass


@pytest.mark.parametrize("path", ["/rooms/lobby", "/rooms/lobby/commands", "/commands?rooms=lobby", "/rooms"])
def test_without_a_token_there_is_a_challenge(gateway, path):
    status, headers, body = gateway.ask(path)
    assert (status, headers["WWW-Authenticate"]) == (401, 'Bearer realm="flyscreen"')
    assert json.loads(body)["error"] == "unauthorized"


def test_the_page_and_the_probes_need_none(gateway):
    for path in ("/", "/healthz", "/readyz", "/metrics"):
        assert gateway.ask(path)[0] == 200


def hmac_with_public_key():
    # PyJWT itself refuses to.
    signed = token("rsa").split(".")[1]
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"rsa"}').rstrip(b"=").decode()
    text = f"{header}.{signed}"
    return text + "." + base64.urlsafe_b64encode(
        hmac.new(public(RSA), text.encode(), hashlib.sha256).digest()).rstrip(b"=").decode()


FORGED = {
    "over": lambda: token(lasts=-1),
    "not yet": lambda: token(nbf=time.time() + 3600),
    "without an end": lambda: jwt.encode({"rooms": ["*"]}, SECRET, "HS256", {"kid": "hmac"}),
    "unsigned": lambda: jwt.encode({"exp": time.time() + 60, "rooms": ["*"]}, None, "none", {"kid": "hmac"}),
    "of another secret": lambda: jwt.encode(
        {"exp": time.time() + 60, "rooms": ["*"]}, b"x" * 32, "HS256", {"kid": "hmac"}),
    "of another algorithm": lambda: jwt.encode(
        {"exp": time.time() + 60, "rooms": ["*"]}, SECRET * 2, "HS512", {"kid": "hmac"}),
    "of no key": lambda: jwt.encode({"exp": time.time() + 60, "rooms": ["*"]}, SECRET, "HS256"),
    "of a path": lambda: jwt.encode(
        {"exp": time.time() + 60, "rooms": ["*"]}, SECRET, "HS256", {"kid": "../keys/hmac"}),
    "signed with a public key's text": hmac_with_public_key,
    "cut": lambda: token()[:-5],
    "huge": lambda: token(pad="x" * 10_000),
    "with rooms of another type": lambda: jwt.encode(
        {"exp": time.time() + 60, "rooms": "*"}, SECRET, "HS256", {"kid": "hmac"}),
}


@pytest.mark.parametrize("how", FORGED)
def test_a_token_that_is_not_as_it_must_be_opens_nothing(gateway, how):
    status, headers, body = gateway.ask("/rooms/lobby", **bearer(FORGED[how]()))
    assert status == 401
    assert headers["WWW-Authenticate"].startswith('Bearer realm="flyscreen", error="invalid_token", error_description=')
    assert json.loads(body)["error"] == "unauthorized"


def test_a_stream_ends_cleanly_when_its_token_does(gateway, commands):
    # The next lasts longer where one is over before anything has come.
    for lasts in (3, 9, 27, 81):
        with gateway.client() as client:
            client.send(get("/rooms/tokens-2/commands", f"Authorization: Bearer {token(lasts=lasts)}",
                            "Connection: close"))
            number, = commands.send("tokens-2")
            text = client.read_to_end()
        if mark(number) in text:
            break
    assert text.startswith("HTTP/1.1 200 ") and mark(number) in text and text.endswith("\r\n0\r\n\r\n")


def test_a_list_of_rooms_has_those_alone_that_the_token_names(gateway, commands):
    commands.send("tokens-3")
    commands.send("unnamed")

    def listed():
        rooms = json.loads(gateway.ask("/rooms", **bearer(token()))[2])["rooms"]
        assert "unnamed" not in rooms
        return "tokens-3" in rooms

    wait_for("the room to be listed", listed)


def test_a_user_is_the_one_that_the_token_was_given_to(gateway):
    text = token(sub="u7")
    with gateway.stream("lobby", f"Authorization: Bearer {text}", query="?user=u7"):
        pass
    assert gateway.ask("/rooms/lobby/commands?user=u8", **bearer(text))[0] == 403
    assert gateway.ask("/rooms/lobby/commands?user=u8", **bearer(token()))[0] == 403


def posted(gateway, event, *headers, room="lobby"):
    """Status and answer."""
    with gateway.client() as client:
        client.send(post(f"/rooms/{room}/events", json.dumps(event), *headers, "Connection: close"))
        head, _, body = client.read_to_end().partition("\r\n\r\n")
        return int(head.split(" ")[1]), json.loads(body)


def authorization(**claims):
    return f"Authorization: Bearer {token(**claims)}"


def test_events_are_taken_from_those_alone_who_may_see_the_room(gateway):
    event = {"eventId": "e1", "roomId": "lobby", "tap": {"userId": "u7", "x": 1, "y": 2}}
    assert posted(gateway, event, authorization(sub="u7"))[0] == 202
    assert posted(gateway, event)[0] == 401
    assert posted(gateway, event, authorization(rooms=["tokens-*"], sub="u7"))[0] == 403


GIFT = {"gift": {"sender": {"userId": "u8", "name": "somebody"}, "giftId": "rose", "value": 1_000_000_000}}
TAP = {"tap": {"userId": "u8", "x": 1, "y": 2}}


def test_nobody_is_robbed_by_who_has_a_token_of_the_room(gateway):
    """A gift in another's name, a rain of any budget, another's red packet."""
    rain = {"rainStart": {"rainId": "a", "budget": 10**15}}
    grab = {"rainGrab": {"rainId": "a", "packet": 1, "userId": "u8"}}
    for event, error in [(GIFT, "kind_not_allowed"), (rain, "kind_not_allowed"), (grab, "forbidden"), (TAP, "forbidden")]:
        status, answer = posted(gateway, event, authorization(sub="u7"))
        assert (status, answer["error"]) == (403, error), event
    status, answer = posted(gateway, grab, authorization())
    assert (status, answer["error"]) == (403, "forbidden") and "sub" in answer["message"]


def test_what_a_token_may_send_is_told_and_held(gateway):
    def kinds(**claims):
        return json.loads(gateway.ask("/rooms", **bearer(token(**claims)))[2])["kinds"]

    viewer = ["wish", "wishLike", "tap", "taps", "rainGrab"]
    assert kinds(sub="u7") == viewer
    assert kinds() == []
    assert kinds(sub="u7", events=["gift", "a kind of tomorrow"]) == ["gift"]
    assert posted(gateway, {"tap": {"x": 1, "y": 2}}, authorization(sub="u7"))[0] == 202
    assert posted(gateway, TAP, authorization(sub="u7", events=["gift"]))[1]["error"] == "kind_not_allowed"
    own = {"gift": {"giftId": "rose"}}
    assert posted(gateway, own, authorization(sub="u7", events=["gift"]))[0] == 202


def test_a_platforms_server_posts_gifts_in_anybodys_name(gateway, broker):
    header = authorization(**{"as": "*", "events": ["gift"], "rooms": ["*"], "name": "the platform"})
    for _ in range(60):  # more than a viewer may at once
        status, place = posted(gateway, GIFT, header)
        assert status == 202, place
    consumer = confluent_kafka.Consumer({"bootstrap.servers": broker.address, "group.id": "tokens"})
    try:
        consumer.assign([confluent_kafka.TopicPartition(place["topic"], place["partition"], place["offset"])])
        record = consumer.poll(LIMIT)
        assert json.loads(record.value())["gift"]["sender"] == GIFT["gift"]["sender"]
    finally:
        consumer.close()
    assert posted(gateway, TAP, header)[1]["error"] == "kind_not_allowed"


@pytest.mark.parametrize("claims", [{"as": "u8"}, {"as": ["*"]}, {"events": "gift"}, {"name": 7}, {"avatarUrl": []}])
def test_claims_of_another_type_open_nothing(gateway, claims):
    assert gateway.ask("/rooms/lobby", **bearer(token(**claims)))[0] == 401


def test_without_keys_it_says_that_anybody_can_send_anything(make_gateway):
    gateway = make_gateway("--gateway.events", "on")
    gateway.error_matching("anybody can send wish, wishLike, tap, taps, rainGrab, in anybody's name")


def test_keys_change_while_it_serves(make_gateway, tmp_path):
    write(tmp_path / "hmac.secret", SECRET)
    gateway = make_gateway("--gateway.auth.keys", tmp_path)

    def status(text):
        return gateway.ask("/rooms/lobby", **bearer(text))[0]

    assert (status(token()), status(token("ec"))) == (200, 401)
    with gateway.stream("lobby", f"Authorization: Bearer {token()}") as stream:
        write(tmp_path / "ec.pem", public(EC))
        gateway.error_matching("ec .ES256., hmac .HS256.")
        assert (status(token()), status(token("ec"))) == (200, 200)

        write(tmp_path / "ec.pem", b"-----BEGIN PUBLIC")
        gateway.error_matching("ec.pem is no public key")
        assert status(token("ec")) == 200

        (tmp_path / "hmac.secret").unlink()
        wait_for("the key to be gone", lambda: status(token()) == 401)
        # A stream that is open stays open until the token ends.
        stream.read(0.01)
        assert not stream.is_closed


@pytest.mark.parametrize("name, data, says", [
    ("a.secret", b"short", "a.secret has 5 bytes"),
    ("a.pem", RSA.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()),
     "a.pem is a private key"),
    ("README", b"", "has no key"),
], ids=["a short secret", "a private key", "no key"])
def test_a_folder_of_no_use_is_refused_at_the_start(binary, topic_settings, tmp_path, name, data, says):
    (tmp_path / name).write_bytes(data)
    program = Program(binary, ["gateway", "--gateway.http.port", "0", *topic_settings, "--gateway.auth.keys", tmp_path])
    assert program.wait() == 64
    assert says in program.said
