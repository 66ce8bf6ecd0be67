"""The documents' programs in Python and Node and their `curl` commands run as they stand, against a real gateway."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from google.protobuf import json_format

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# A broker, a gateway and a room are made as for the page.
sys.path[:0] = [str(HERE.parent / "browser"), str(HERE.parent / "kafka")]

from backstage import Gateway, Kafka, Room  # noqa: E402
from process import Program  # noqa: E402
from test_screen_cases import CASES  # noqa: E402
from waiting import LIMIT, wait_for  # noqa: E402

PAGE = (ROOT / "Schemas/CLIENTS.md").read_text()
README = (ROOT / "README.md").read_text()
FIRST_RUN = (ROOT / "Deploy/FIRST-RUN.md").read_text()
PYTHON = {re.match(r"# (\w+\.py)\n", block)[1]: block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)}


@pytest.fixture(scope="module")
def kafka():
    kafka = Kafka()
    yield kafka
    kafka.close()


@pytest.fixture
def gateway(kafka, binary):
    gateway = Gateway(kafka).wait_ready()
    yield gateway
    if gateway.is_running:
        gateway.terminate()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a reader who followed the page: its programs, screen.py, and what protoc makes."""
    folder = tmp_path_factory.mktemp("begun")
    for name, program in PYTHON.items():
        (folder / name).write_text(program)
    shutil.copy(HERE / "screen.py", folder)
    subprocess.run(["protoc", f"--python_out={folder}", f"-I{ROOT / 'Schemas'}", "flyscreen.proto"], check=True)
    return folder


def program(folder, *arguments):
    return Program(sys.executable, [str(folder / arguments[0]), *arguments[1:]], name=arguments[0])


def wait_lines(program, *wanted):
    """Waits until the program has printed these lines in this order, with any others in between."""
    def check():
        lines = iter(list(program.output))
        return all(line in lines for line in wanted)

    wait_for(lambda: f"{wanted}; it said {program.output}, {program.said}", check)


def test_a_viewer_in_python_follows_a_room_through_a_gateways_end(folder, kafka, gateway):
    room = kafka.room("follow")
    viewer = program(folder, "follow.py", f"http://localhost:{gateway.port}", room.id)
    try:
        wait_lines(viewer, "")
        room.show(1)
        room.bump(1)
        wait_lines(viewer, "玫瑰 ×0", "玫瑰 ×1")
        room.fly("w1", text="hi")
        wait_lines(viewer, "玫瑰 ×1, “hi”")
        gateway.terminate()
        room.bump(2)
        again = gateway.again().wait_ready()
        try:
            room.bump(3)
            # Also the commands that came while the gateway was away.
            wait_lines(viewer, "玫瑰 ×1", "玫瑰 ×2, “hi”", "玫瑰 ×3, “hi”")
        finally:
            again.terminate()
    finally:
        viewer.kill()


def test_a_viewer_in_python_ends_with_what_no_try_mends(folder, gateway):
    viewer = program(folder, "follow.py", f"http://localhost:{gateway.port}/nowhere", "r1")
    assert viewer.wait() != 0
    assert "404" in viewer.said


def commands_of(case):
    return [step["apply"] for step in case["steps"] if "apply" in step]


def test_a_reader_of_the_topic_folds_protobuf_as_it_folds_json(folder, kafka, monkeypatch):
    """All commands of all screen cases, each once as JSON and once as Protobuf, to two rooms."""
    monkeypatch.syspath_prepend(str(folder))
    import commands
    import flyscreen_pb2

    count, kinds = 0, set()
    topic = "commands-of-cases"
    for number, path in enumerate(CASES):
        for command in commands_of(json.loads(path.read_text())):
            try:
                message = json_format.ParseDict(command, flyscreen_pb2.Command())
            except json_format.ParseError:
                continue  # A newer server's.
            kinds.add(message.WhichOneof("body"))
            kafka.record(topic, f"room {number}", json.dumps(command | {"roomId": f"json {number}"}))
            message.room_id = f"protobuf {number}"
            kafka.record(topic, f"room {number}", message.SerializeToString(), [("content-type", b"application/x-protobuf")])
            count += 2
    assert kinds == {field.name for field in flyscreen_pb2.Command.DESCRIPTOR.oneofs[0].fields}
    rooms = {}
    for _, screen in zip(range(count), commands.screens(kafka.address, topic)):
        rooms[screen.room] = screen
    for number in {room.split()[1] for room in rooms}:
        ours, theirs = rooms[f"json {number}"], rooms[f"protobuf {number}"]
        for screen in (ours, theirs):
            text = json.dumps(screen.snapshot, sort_keys=True).replace(f'"{screen.room}"', '"room"')
            screen.shown = (text, screen.gifts.keys(), screen.skips, len(screen.bursts), screen.end is not None)
        assert ours.shown == theirs.shown, CASES[int(number)].stem


CURLS = re.search(r"```sh\n(.*?)```", PAGE, re.DOTALL)[1].splitlines()


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
@pytest.mark.parametrize("line", CURLS, ids=range(len(CURLS)))
def test_what_the_page_shows_of_curl_is_answered(line, gateway):
    assert line.startswith("curl -s")
    is_stream = " -sN " in line
    line = line.replace("localhost:8080", f"localhost:{gateway.port}").replace("curl ", "curl --fail-with-body -m 3 ", 1)
    ran = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=LIMIT, check=False)
    # A stream ends by curl's time limit.
    assert ran.returncode == (28 if is_stream else 0), ran
    if is_stream:
        assert "event: snapshot\n" in ran.stdout
    else:
        assert json.loads(ran.stdout).keys() & {"commands", "offset", "results"}


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_gift_that_the_first_run_posts_is_taken(gateway, kafka):
    shown = re.search(r"^    (curl -H \"Authorization.*?\n.*?')$", FIRST_RUN, re.DOTALL | re.MULTILINE)[1]
    line = shown.replace("localhost:8080", f"localhost:{gateway.port}").replace("curl ", "curl -s --fail-with-body ", 1)
    ran = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=LIMIT, check=False, env=os.environ | {"TOKEN": "none"})
    assert ran.returncode == 0, ran
    assert json.loads(ran.stdout)["topic"] == "im.gifts"
    kafka.wait_events(Room(kafka, "r1"), "gift", 1)
    gift, = [event for event in kafka.events("r1") if "gift" in event]
    assert gift["eventId"] == "order-4711-0b6ef2c49d"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_what_the_readme_shows_of_javascript_follows_and_sends(tmp_path, gateway, kafka):
    """Runs in Node, with the package from where the README says that it is."""
    package = tmp_path / "node_modules/flyscreen"
    package.mkdir(parents=True)
    for name in ("package.json", "flyscreen.js"):
        shutil.copy(ROOT / "Sources/Page/site" / name, package)
    shutil.copytree(ROOT / "Sources/Page/site/client", package / "client")
    snippet = re.search(r"```js\n(.*?)```", README, re.DOTALL)[1]
    snippet = re.sub(r'from "https://[^"]+"', 'from "flyscreen"', snippet)
    snippet = snippet.replace("https://gateway.example", f"http://localhost:{gateway.port}")
    room = kafka.room("node")
    snippet = snippet.replace('"r1"', f'"{room.id}"')
    (tmp_path / "readme.mjs").write_text(f"{snippet}\nconsole.log('it flies');\nflyscreen.close();\n")
    viewer = Program(shutil.which("node"), [str(tmp_path / "readme.mjs")], name="node")
    try:
        wish, = kafka.wait_events(room, "wish", 1)
        assert wish["text"] == "all the best"
        room.show(1, total=2)
        room.bump(2)
        wait_lines(viewer, "lane 1: 阿花 ×2")
        room.fly(wish["wishId"])
        assert viewer.wait() == 0, viewer.said
        wait_lines(viewer, "it flies")
    finally:
        viewer.kill()
