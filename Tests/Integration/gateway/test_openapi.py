"""Every answer of a gateway is as Schemas/openapi.yaml has it, and every answer that it has is given."""

import contextlib
import json
import re
import time

import httpx
import jsonschema
import jwt
import pytest

from certificates import write
from documents import OPENAPI, check, follow
from listening import events
from process import Program
from served import ServedGateway
from waiting import LIMIT, free_port, wait_for

SECRET = b"fedcba9876543210fedcba9876543210"
TAP = {"tap": {"userId": "7", "x": 1, "y": 2}}
BODIES = ("gift", "wish", "wishLike", "tap", "rainStart", "rainGrab")


def pointer(*parts):
    return "openapi.yaml#/" + "/".join(part.replace("~", "~0").replace("/", "~1") for part in parts)


def template(path):
    """The document's address for a request's path."""
    parts = path.split("?")[0].split("/")
    for address in OPENAPI["paths"]:
        pairs = list(zip(address.split("/"), parts))
        if address.count("/") == path.count("/") and all(re.fullmatch(re.sub("{\\w+}", ".*", name), part) for name, part in pairs):
            return address
    raise AssertionError(f"{path} is not documented")


def documented():
    return {(operation["operationId"], status) for item in OPENAPI["paths"].values()
            for method, operation in item.items() if method != "parameters" for status in operation["responses"]}


class Witness:
    """Asks, holds each answer against the document, and knows which of those documented have been given."""

    def __init__(self):
        self.client = httpx.Client(timeout=LIMIT)
        self.given = set()
        self.errors = set()
        self.reasons = set()

    def ask(self, status, gateway, path, method="GET", operation=None, **request):
        """Asks, and returns the answer's JSON value or its text; of a stream it checks the head alone.

        `operation`: the address and method to check a path by that the document doesn't have.
        """
        with self.client.stream(method, gateway.url(path), **request) as answer:
            assert answer.status_code == status, f"{answer.status_code} to {method} {path}: {answer.read()}"
            return self.see(answer, *(operation or (template(path), method.lower())))

    def see(self, answer, address, method):
        operation = OPENAPI["paths"][address][method]
        status = str(answer.status_code)
        status = status if status in operation["responses"] else "default"
        self.given.add((operation["operationId"], status))
        _, response = follow("openapi.yaml", operation["responses"][status])
        place = f"{answer.status_code} to {method} {address}"
        self.see_headers(answer.headers, response.get("headers", {}), place)
        if "content" not in response:
            assert answer.read() == b"" and "content-type" not in answer.headers, place
            return None
        kind = answer.headers["content-type"].split(";")[0]
        assert kind in response["content"], f"{place} is {kind}"
        if kind == "text/event-stream":
            return None
        where = operation["responses"][status].get("$ref") or pointer("paths", address, method, "responses", status)
        schema = f"openapi.yaml#{where.split('#')[1]}/content/{kind.replace('/', '~1')}/schema"
        text = answer.read().decode()
        value = json.loads(text) if kind == "application/json" else text
        is_refusal = "error" in value and kind == "application/json"
        check(schema, value, is_closed=not is_refusal)
        if is_refusal:
            check(pointer("components", "schemas", "Refusal"), value)
            self.errors.add(value["error"])
            self.reasons |= {value["reason"]} if "reason" in value else set()
        return value

    @staticmethod
    def see_headers(headers, documented, place):
        for name, header in documented.items():
            _, header = follow("openapi.yaml", header)
            value = headers.get(name)
            assert value is not None or not header.get("required"), f"{place} has no {name}"
            if value is not None:
                is_number = header["schema"]["type"] == "integer"
                jsonschema.validate(int(value) if is_number else value, header["schema"])


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("openapi-keys")
    write(folder / "k.secret", SECRET)
    return folder


def bearer(*rooms, **claims):
    token = jwt.encode({"exp": time.time() + 600, "rooms": rooms, **claims}, SECRET, "HS256", {"kid": "k"})
    return {"Authorization": f"Bearer {token}"}


def of_everybody(witness, gateway, room):
    """Requests that are not refused."""
    origin = {"Origin": "https://pages.example"}
    results = gateway.url(f"/rooms/{room}/results?user=7")
    wait_for("results to be read back", lambda: witness.client.get(results).status_code != 503)
    for path in (f"/rooms/{room}", f"/rooms/{room}/next", "/rooms", f"/rooms/{room}/results?user=7"):
        for coding in ("gzip", "identity"):
            witness.ask(200, gateway, path, headers={"Accept-Encoding": coding, **origin})
    witness.ask(410, gateway, f"/rooms/{room}/next?after=nonsense", headers=origin)
    for path in (f"/rooms/{room}/commands", f"/commands?rooms={room},other"):
        witness.ask(200, gateway, path, headers=origin)
        head = witness.client.head(gateway.url(path))
        assert (head.status_code, head.content) == (200, b"")
    for address, item in OPENAPI["paths"].items():
        if "options" in item:
            witness.ask(204, gateway, address.format(roomId=room, version=1), "OPTIONS", headers=origin)
            if "{roomId}" in address:
                # No room has such an id, so there is no such address.
                for wrong in ("", "x" * 257):
                    witness.ask(400, gateway, address.format(roomId=wrong), "OPTIONS", headers=origin)
    version = witness.client.get(gateway.url("/package.json")).json()["version"]
    witness.ask(307, gateway, "/flyscreen@1/flyscreen.js")
    for path in ("/", "/gifts", "/flyscreen.js", f"/flyscreen@{version}/flyscreen.js"):
        witness.ask(200, gateway, path)
        tag = witness.client.get(gateway.url(path)).headers["ETag"]
        witness.ask(304, gateway, path, headers={"If-None-Match": tag})
    for path in ("/healthz", "/readyz", "/metrics"):
        witness.ask(200, gateway, path)
    for event in (TAP, {**TAP, "roomId": room}):
        witness.ask(202, gateway, f"/rooms/{room}/events", "POST", json=event)


def of_the_clumsy(witness, gateway, room):
    """Requests that are refused for everybody, and some events that are taken."""
    long = "r" * 257
    for path in (f"/rooms/{long}/commands", f"/rooms/{long}", f"/rooms/{long}/next", "/commands", f"/rooms/{room}/results"):
        witness.ask(400, gateway, path)
    for address, item in OPENAPI["paths"].items():
        path = address.format(roomId=room, version=1)
        right, wrong = ("post", "GET") if "post" in item else ("get", "POST")
        witness.ask(405, gateway, path, wrong, (address, right))
    witness.ask(404, gateway, "/nothing", operation=("/", "get"))
    path = f"/rooms/{room}/events"
    for event in ({}, {**TAP, "roomId": "another"}):
        witness.ask(400, gateway, path, "POST", json=event)
    witness.ask(400, gateway, path, "POST", content=b"{", headers={"Content-Type": "application/json"})
    assert witness.reasons == {"no_body", "key", "not_json"}
    witness.ask(415, gateway, path, "POST", content=json.dumps(TAP))
    refusal = witness.ask(403, gateway, path, "POST", json={"rainStart": {"rainId": "a"}})
    assert refusal["error"] == "kind_not_allowed"
    witness.ask(413, gateway, path, "POST", json={**TAP, "extra": "x" * 200_000})
    witness.ask(411, gateway, path, "POST", content=iter([b"{}"]))
    witness.ask(417, gateway, path, "POST", json=TAP, headers={"Expect": "a miracle"})
    witness.ask(501, gateway, path, "BREW", ("/rooms/{roomId}/events", "post"))
    while witness.client.post(gateway.url(path), json=TAP).status_code == 202:
        pass
    witness.ask(429, gateway, path, "POST", json=TAP)


def of_tokens(witness, gateway):
    for path, method in [("/rooms/a", "GET"), ("/rooms/a/commands", "GET"), ("/commands?rooms=a", "GET"),
                         ("/rooms/a/results?user=7", "GET"), ("/rooms/a/next", "GET"),
                         ("/rooms/a/events", "POST")]:
        request = {"json": TAP} if method == "POST" else {}
        witness.ask(401, gateway, path, method, headers={"Authorization": "Bearer nonsense"}, **request)
        witness.ask(403, gateway, path, method, headers=bearer("b"), **request)
    witness.ask(401, gateway, "/rooms")
    for claims in ({}, {"sub": "8"}):
        witness.ask(403, gateway, "/rooms/a/events", "POST", json=TAP, headers=bearer("a", **claims))
    witness.ask(403, gateway, "/rooms/a/commands?user=8", headers=bearer("a", sub="7"))


def of_elsewhere(witness, gateway):
    """It serves one partition, two streams of an address, takes no events and tells no results."""
    witness.ask(404, gateway, "/rooms/a/results?user=7")
    witness.ask(404, gateway, "/rooms/a/events", "POST", json=TAP)
    rooms = list(map(str, range(100)))
    away = next(room for room in rooms if gateway.ask(f"/rooms/{room}")[0] == 421)
    for path in (f"/rooms/{away}/commands", f"/rooms/{away}", f"/rooms/{away}/next", f"/commands?rooms={away}"):
        assert 0 not in witness.ask(421, gateway, path)["partitions"]
    here = next(room for room in rooms if gateway.ask(f"/rooms/{room}")[0] == 200)
    with gateway.stream(here), gateway.stream(here):
        for path in (f"/rooms/{here}/commands", f"/commands?rooms={here}"):
            witness.ask(429, gateway, path)


def of_the_eager(witness, gateway, path):
    """It gives one snapshot a second, ten at once."""
    assert any(gateway.ask(path)[0] == 429 for _ in range(1000))
    witness.ask(429, gateway, path)


def of_the_lost(witness, gateway):
    """No broker is there."""
    for path in ("/rooms/a/commands", "/rooms/a", "/commands?rooms=a", "/rooms", "/readyz", "/rooms/a/results?user=7",
                 "/rooms/a/next"):
        witness.ask(503, gateway, path)
    witness.ask(503, gateway, "/rooms/a/events", "POST", json=TAP)


def test_every_answer_is_as_documented_and_every_documented_one_is_given(
        binary, topic_settings, commands, make_gateway, keys):
    witness = Witness()
    room = "openapi"
    lost = ServedGateway(binary, [
        "--kafka.bootstrap.servers", f"localhost:{free_port()}", "--gateway.events", "on",
        "--kafka.message.timeout.ms", 1000, "--kafka.socket.timeout.ms", 1000], free_port())
    with witness.client, contextlib.ExitStack() as stack:
        stack.callback(lost.kill)
        gateway = make_gateway(
            "--gateway.events", "on", "--gateway.limits.events", 1, "--gateway.limits.eventBurst", 10,
            "--gateway.cors.origins", "https://pages.example")
        commands.send(room, 20)
        of_everybody(witness, gateway, room)
        of_the_clumsy(witness, gateway, room)
        of_tokens(witness, make_gateway("--gateway.auth.keys", keys, "--gateway.events", "on"))
        of_elsewhere(witness, make_gateway("--gateway.partitions", 0, "--gateway.limits.streamsPerAddress", 2, "--gateway.results", "off"))
        of_the_eager(witness, make_gateway("--gateway.limits.snapshots", 1), f"/rooms/{room}")
        wait_for("it to listen", lambda: listens(lost))
        of_the_lost(witness, lost)
    # This one takes 25 seconds; test_next.py has the same answer of a gateway that ends.
    assert witness.given == documented() - {("getNextCommands", "204")}
    assert witness.errors == set(OPENAPI["components"]["schemas"]["Refusal"]["properties"]["error"]["enum"])


def listens(gateway):
    try:
        return gateway.ask("/healthz")[0] == 200
    except OSError:
        return False


def test_every_event_of_a_stream_has_its_form(binary, broker):
    """The stream of a room where a worker, a gateway and viewers do all that they can, on topics of its own."""
    topics = {"input": "openapi.events", "commands": "openapi.commands", "results": "openapi.results"}
    topics |= {f"produce.{kind}": topics["input"] for kind in (*BODIES, "taps", "spot", "pin", "goal", "score")}
    settings = ["--kafka.bootstrap.servers", broker.address,
                *(word for name, topic in topics.items() for word in (f"--topics.{name}", topic))]
    assert Program(binary, ["topics", "create", "--topics.partitions", 1, *settings]).wait() == 0
    # Long, so that nothing is over before a slow machine comes to it.
    slow = ["--like.doubleTapMs", 60_000, "--wish.durationMs", 60_000, "--rain.fallMinMs", 60_000]
    worker = Program(binary, ["worker", "--worker.http.port", 0, *slow, *settings], name="worker")
    gateway = ServedGateway(
        binary, ["--gateway.events", "on", "--gateway.events.kinds", ",".join(BODIES),
                 "--gateway.limits.eventBurst", 1000, *settings], free_port())
    try:
        see_every_event(gateway.wait_ready())
    finally:
        gateway.kill()
        assert worker.terminate() == 0, worker.said


def see_every_event(gateway):
    _, stream = follow("openapi.yaml", {"$ref": "#/components/responses/Stream"})
    forms = stream["content"]["text/event-stream"]["x-events"]
    sender = {"userId": "7", "name": "阿花"}
    missing = {"snapshot", "giftShow", "giftBump", "giftHide", "wishFly", "wishLikes", "likeBurst", "rainCountdown",
               "rainDrop", "rainTally", "result"}
    with httpx.Client(timeout=LIMIT) as client:

        def post(**body):
            assert client.post(gateway.url("/rooms/r/events"), json=body).status_code == 202

        with client.stream("GET", gateway.url("/rooms/r/commands?user=8")) as answer:
            for event in events(answer):
                value = json.loads(event.data)
                check(forms[event.event]["$ref"], value)
                kind = list(value)[-1] if event.event == "command" else event.event
                missing.discard(kind)
                if kind == "snapshot":
                    post(gift={"sender": sender, "giftId": "rose"})
                    # Counts for half a minute.
                    post(gift={"sender": sender, "giftId": "rocket", "count": 1_000_000})
                    post(wish={"sender": sender, "text": "生日快乐", "wishId": "w"})
                    for user in "78":
                        post(wishLike={"userId": user, "wishId": "w"})
                        post(tap={"userId": "7", "x": 1, "y": 2})
                    post(rainStart={"rainId": "a", "countdown": 0, "durationMs": 1000, "perSecond": 1, "budget": 1})
                # Results are told from when the gateway has begun to read them.
                if kind == "giftBump" and "rainDrop" not in missing and "result" in missing:
                    post(rainGrab={"rainId": "a", "packet": 0, "userId": "8"})
                if not missing:
                    break
        check("flyscreen.schema.yaml#/definitions/Snapshot", client.get(gateway.url("/rooms/r")).json())
