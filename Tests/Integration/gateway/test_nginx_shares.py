"""Two gateways with half of the partitions each, behind nginx that finds a room's with njs."""

import json
import random
import shutil
import subprocess
import urllib.parse

import httpx
import pytest

from committed import murmur2
from process import Program
from proxied import NGINX, NJS, ROOT
from served import mark
from waiting import LIMIT

PARTITIONS = 4
SHARES = [(0, 1), (2, 3)]
CLIENT = """
  const { Flyscreen } = await import(process.argv[1]);
  const [url, ...rooms] = process.argv.slice(2);
  const flyscreen = new Flyscreen({ url });
  const tell = ({ detail: { roomId, room } }) => console.log(
    roomId, ...room.screen.gifts.map(({ show }) => show.comboId));
  for (const event of ["snapshot", "command"]) flyscreen.addEventListener(event, tell);
  flyscreen.follow(rooms);
"""

pytestmark = pytest.mark.skipif(
    NGINX is None or not NJS.exists(), reason="Debian's nginx-light and libnginx-mod-http-js are not installed")


def partition(room):
    return murmur2(room.encode()) % PARTITIONS


def share(room):
    return next(number for number, partitions in enumerate(SHARES) if partition(room) in partitions)


def quoted(room):
    return urllib.parse.quote(room, safe="")


def random_rooms(rng, count):
    alphabets = ["abcXYZ019-_.~", "直播间花火夜晚", "🎉🧧👩‍👩‍👧‍👦é", "a/b+c d%41&=?#,;:@'\"<\\", "\x01\x7f\u00ad\u2028"]

    def room():
        letters = rng.choice(alphabets) if rng.random() < 0.7 else "".join(alphabets)
        return "".join(rng.choice(letters) for _ in range(rng.randint(1, 24)))

    # A segment that a client's library would take for a path's own.
    return [room for room in (room() for _ in range(count)) if room.strip(".")]


@pytest.fixture(scope="module")
def gateways(make_shared_gateway):
    return [make_shared_gateway(
        "--gateway.partitions", ",".join(map(str, partitions)), "--gateway.events", "on",
        "--gateway.limits.events", 100_000, "--gateway.limits.eventBurst", 100_000,
        "--gateway.proxies.trusted", "127.0.0.1") for partitions in SHARES]


@pytest.fixture(scope="module")
def printed(binary, topic_settings, gateways):
    words = [f"127.0.0.1:{gateway.port}={first}-{last}" for gateway, (first, last) in zip(gateways, SHARES)]
    run = Program(binary, ["gateway", "partitions", *words, *topic_settings])
    assert run.wait() == 0, run.said
    return "\n".join(run.output)


@pytest.fixture(scope="module")
def site(gateways, make_site, printed):
    return make_site(gateways, printed)


@pytest.fixture
def client(site):
    with httpx.Client(base_url=site.plain, timeout=LIMIT) as client:
        yield client


@pytest.fixture
def apart(commands):
    """Two rooms that no gateway has both, with something on; with the numbers of their commands."""
    rooms = [next(f"apart-{n}" for n in range(100) if share(f"apart-{n}") == which) for which in range(len(SHARES))]
    return {room: commands.send(room)[0] for room in rooms}


def test_any_room_is_where_a_request_comes(client, commands, seed):
    rooms = random_rooms(random.Random(seed), 300)
    assert {share(room) for room in rooms} == {0, 1}
    for room in rooms:
        answer = client.get(f"/rooms/{quoted(room)}")
        assert answer.status_code == 200, (room, answer.text)
        assert answer.json()["roomId"] == room
        with client.stream("GET", f"/commands?user=7&rooms={quoted(room).replace('%20', '+')}") as answer:
            assert answer.status_code == 200, (room, answer.read())


def test_bytes_that_come_as_they_are_count_as_those_that_are_quoted(site):
    for room in ("花火", "é", "🎉x", "夜晚的直播间"):
        run = subprocess.run(["curl", "--silent", f"{site.plain}/rooms/{room}"], capture_output=True, text=True)
        assert json.loads(run.stdout)["roomId"] == room, run.stdout


def test_streams_snapshots_and_posts_go_to_the_gateway_of_the_room(client, site, gateways, commands, seed):
    for room in random_rooms(random.Random(seed), 12):
        stream = site.stream(f"/rooms/{quoted(room)}/commands")
        stream.output_matching("^event: snapshot")
        number, = commands.send(room)
        stream.output_matching(mark(number))
        stream.kill()
        assert mark(number) in client.get(f"/rooms/{quoted(room)}").text
        sent = client.post(f"/rooms/{quoted(room)}/events", json={"tap": {"userId": "7", "x": 1, "y": 2}})
        assert (sent.status_code, sent.json()["partition"]) == (202, partition(room))
    for gateway in gateways:
        refused = [line for line in gateway.ask("/metrics")[2].splitlines() if 'reason="misdirected"' in line]
        assert refused and all(line.endswith(" 0") for line in refused), refused


def test_rooms_of_one_share_are_told_in_one_stream(client):
    mine = [room for room in map(str, range(40)) if share(room) == 1][:5]
    with client.stream("GET", f"/commands?rooms=,{','.join(mine)}") as answer:
        assert answer.status_code == 200


def test_a_stream_for_rooms_of_two_gateways_is_refused(client, apart):
    answer = client.get(f"/commands?rooms={','.join(apart)}")
    assert answer.status_code == 421
    assert answer.json()["partitions"] == sorted(map(partition, apart))


def test_what_is_about_no_room_is_answered_by_any(client, site):
    assert "<title" in client.get("/").text
    assert client.get("/rooms").status_code == 200
    for odd in ("/commands", "/commands?rooms=", "/commands?rooms", "/rooms/", "/rooms/%zz", "/rooms/%", "/commands?a=%&rooms=b"):
        assert client.get(odd).status_code in (400, 404), odd
    assert "js exception" not in (site.folder / "error.log").read_text()


def draws(program, apart):
    """Waits until the commands of both rooms have been drawn, also one that comes later."""
    for room, number in apart.items():
        program.output_matching(f"^{room} .*im.gifts/0/{number}\\b")


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_the_javascript_client_draws_rooms_of_two_gateways(site, apart, commands):
    node = Program("node", ["--input-type=module", "--eval", CLIENT, "--",
                            ROOT / "Sources/Page/site/flyscreen.js", site.plain, *apart], name="node")
    draws(node, apart)
    draws(node, {room: commands.send(room)[0] for room in apart})
    node.kill()


def test_the_swift_client_draws_rooms_of_two_gateways(binary, site, apart, commands):
    tools = [path for path in (binary.with_name("ScreenTool"), ROOT / ".build/debug/ScreenTool") if path.exists()]
    if not tools:
        pytest.skip("ScreenTool is not built: swift build --product ScreenTool")
    tool = Program(tools[0], [site.plain, *apart], name="ScreenTool")
    draws(tool, apart)
    draws(tool, {room: commands.send(room)[0] for room in apart})
    tool.kill()


@pytest.mark.skipif(shutil.which("javac") is None, reason="Debian's default-jdk-headless is not installed")
def test_the_java_client_draws_rooms_of_two_gateways_and_leaves_no_thread(tmp_path, site, apart, commands):
    built = subprocess.run([ROOT / "Tests/AndroidClient/build", tmp_path], capture_output=True, text=True, timeout=120, check=True)
    # Those of the fixture may be over once the client is built.
    sent = {room: commands.send(room)[0] for room in apart}
    java = Program("java", ["-cp", built.stdout.strip(), "flyscreen.client.Follow", site.plain, *apart], name="java",
                   stdin=subprocess.PIPE)
    draws(java, sent)
    draws(java, {room: commands.send(room)[0] for room in apart})
    java.close_input()
    java.output_matching("^closed$")
    # On a JVM a thread that reads ends with the next bytes at the latest.
    for room in apart:
        commands.send(room)
    java.output_matching("^threads left: 0$")
    assert java.wait() == 0


@pytest.mark.parametrize(("words", "reason"), [
    ([], "name the gateways with their partitions"),
    (["a:1=0-3", "a:1=0-3"], "a:1 is named twice"),
    (["a:1=0-2", "b:1=2-3"], "a:1 and b:1 both have partition 2"),
    (["a:1=0-2"], "no gateway has partition 3 of gateway.commands"),
    (["a:1=0-4"], "gateway.commands has the partitions 0-3, so nobody can have 4"),
    (["a:1"], "'a:1' is not ADDRESS=PARTITIONS"), (["a:1="], "'a:1=' is not"), (["=1"], "'=1' is not"),
    (["a:1=3-0"], "is not"), (["a;b=0-3"], "is not"), (["a:1=0-99999"], "is not"),
])
def test_shares_that_would_leave_rooms_out_are_refused(binary, topic_settings, words, reason):
    run = Program(binary, ["gateway", "partitions", *words, *topic_settings])
    assert run.wait() == 64
    assert reason in run.said and not run.output


def test_gateways_of_one_share_are_behind_one_upstream(binary, topic_settings):
    run = Program(binary, ["gateway", "partitions", "a:1=0,2", "b:1=1,3", "c:1=2,0", *topic_settings])
    assert run.wait() == 0, run.said
    text = "\n".join(run.output)
    assert text.count("upstream ") == 2
    first = text[text.index("upstream flyscreen_0"):text.index("upstream flyscreen_1")]
    assert "server a:1 " in first and "server c:1 " in first and "b:1" not in first
    assert [f"  {n} flyscreen_{n % 2};" in text for n in range(4)] == [True] * 4
