"""What a version of the program has written, kept as bytes in `Tests/Kept/VERSION` by `Tests/Kept/make`:

- `version.txt`: what `--version` said.
- `topics.ndjson.gz`: each record of the topics of a group, at its offset. Workers have worked through a part of the
  input, under two sets of settings.
- `group.json`: the offsets and the metadata that the group has committed.
- `states.json`, `savepoints.json`, `journal.json`: values of the group's changelogs and journals, once more.
- `commands.ndjson.gz`, `results.ndjson.gz`: what a worker publishes that goes on from there.
- `log.ndjson.gz`, `log.ndjson.zst`: that part of the input as saved logs, and `replay.ndjson.gz`, their commands.
  `from.ndjson`, `replay-from.ndjson.gz`: a saved log that begins in the middle, at the time of `middle.json`.
- `stream.json`: the events of a gateway's stream of a room, from a snapshot on.
- `worker.yaml`, `gateway.yaml`, `own.yaml`: settings; `settings.txt`: each with the value that it had by that.
- `keys`, `tokens.json`: keys, and tokens with the rooms that they open."""

import base64
import gzip
import json
import pathlib
import subprocess
import sys

import confluent_kafka
from confluent_kafka.admin import AdminClient, NewTopic

from committed import TopicReader, metadata
from logfile import replayed_lines
from pipeline import Pipeline
from waiting import LIMIT, free_port, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/Integration/gateway"))

from raw import get
from served import ServedGateway

VERSIONS = sorted(folder for folder in (ROOT / "Tests/Kept").iterdir() if folder.is_dir())
GROUP = "kept"
ROOM = "everything"
INPUTS = ("gifts", "wishes")
# The topics that are laid have times of their own. Quick checkpoints, so that the changelog has states.
WORKER = {"worker_checkpointMs": 100, "topics_timestamps": "any", "clock_graceMs": 200}


def pipeline(binary, broker, folder):
    return Pipeline(binary, broker, GROUP, folder, partitions=1, inputs=INPUTS)


def topics(of):
    """All topics of the group."""
    helpers = [f"flyscreen.{kind}.{topic}" for kind in ("changelog", "journal") for topic in of.inputs]
    return [*of.inputs, of.commands, of.results, *helpers, *(f"{topic}.dlq" for topic in of.inputs)]


def read(path):
    """A file's lines, without their ends."""
    return gzip.decompress(path.read_bytes()).splitlines()


def write(path, lines):
    """The same lines give the same bytes."""
    path.write_bytes(gzip.compress(b"".join(line + b"\n" for line in lines), 9, mtime=0))


def _text(data):
    return None if data is None else base64.b64encode(data).decode()


def _bytes(text):
    return None if text is None else base64.b64decode(text)


def dump(address, topic):
    """Every committed record, and what takes the offsets between them, as lines of `topics.ndjson.gz`."""
    reader = TopicReader(address, topic)
    try:
        end = reader.ends()[0]
        records = []

        def check():
            records.extend(reader.poll())
            return reader.has_read({0: end})

        wait_for(f"all of {topic} to be committed", check)
    finally:
        reader.close()
    return [json.dumps({
        "topic": topic, "offset": record.offset(), "timestampMs": record.timestamp()[1], "key": _text(record.key()),
        "value": _text(record.value()), "headers": [[name, _text(value)] for name, value in record.headers() or ()],
    }).encode() for record in records] + [json.dumps({"topic": topic, "end": end}).encode()]


def lay(address, folder):
    """Makes the topics with the records of `topics.ndjson.gz` at their offsets. Where a transaction's end lay, a record
    that says nothing lies now."""
    admin = AdminClient({"bootstrap.servers": address, "log_level": 2})
    producer = confluent_kafka.Producer({
        "bootstrap.servers": address, "enable.idempotence": True, "message.max.bytes": 3_000_000, "log_level": 2})
    lines = [json.loads(line) for line in read(folder / "topics.ndjson.gz")]
    # They are as old as the version; but a gateway begins with the commands of the last minutes.
    young = {line["topic"] for line in lines if line["topic"].endswith((".commands", ".results"))}
    made = admin.create_topics([
        NewTopic(topic, 1, 1, config={
            "retention.ms": "-1", "message.timestamp.type": "CreateTime", "max.message.bytes": "3000000"})
        for topic in {line["topic"] for line in lines}])
    for topic in made.values():
        topic.result()
    ends = {}
    failed = []

    def put(topic, offset, **record):
        producer.produce(
            topic, partition=0, on_delivery=lambda error, message: failed.append((error, message.offset(), offset))
            if error is not None or message.offset() != offset else None, **record)
        producer.poll(0)

    for line in lines:
        topic = line["topic"]
        for offset in range(ends.get(topic, 0), line.get("offset", line.get("end"))):
            put(topic, offset, headers=[("flyscreen-blank", b"")])
        ends[topic] = line.get("end", line.get("offset", 0) + 1)
        if "offset" in line:
            put(topic, line["offset"], key=_bytes(line["key"]), value=_bytes(line["value"]),
                timestamp=0 if topic in young else line["timestampMs"], headers=[(name, _bytes(value)) for name, value in line["headers"]])
    assert producer.flush(LIMIT) == 0 and not failed, failed[:3]


def committed(of):
    """The group's commits, as `group.json` has them."""
    of.lag()
    return [{"topic": place.topic, "offset": place.offset, "metadata": metadata(place)}
            for place in of._committed.committed(of.places(), timeout=LIMIT)]


def events(stream, count):
    """The next events of a stream that are no pace: for each its fields, by name."""
    found = []
    while len(found) < count:
        fields = dict(line.split(": ", 1) for line in stream.read_until("\n\n").splitlines() if line and line[0] != ":")
        if "data" in fields and fields["event"] != "pace":
            found.append(fields)
    return found


def gateway(of, *arguments):
    return ServedGateway(of.binary, [
        "--kafka.bootstrap.servers", of.broker.address, "--topics.commands", of.commands, "--topics.results", of.results,
        *arguments], free_port()).wait_ready()


def stream(gateway, *headers, room=ROOM):
    """A stream of the room, of which nothing was read."""
    client = gateway.client()
    # In HTTP/1.0 nothing stands between the events.
    client.send(get(f"/rooms/{room}/commands", *headers).replace("HTTP/1.1", "HTTP/1.0"))
    client.head = client.read_until("\r\n\r\n")
    return client


def by_log(lines):
    """Commands or results by the log that they came of: in each their order is contract."""
    logs = {}
    for line in lines:
        topic, partition, _ = json.loads(line)["id"].split("/", 2)
        logs.setdefault((topic, partition), []).append(line)
    return logs


def version(program):
    return subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout


def replayed(program, log):
    return replayed_lines(program, log, "--json")


def settings(program, folder):
    """The settings by each of a version's files, a line each."""
    text = ""
    for name in ("worker", "gateway", "own"):
        file = folder / f"{name}.yaml"
        done = subprocess.run([program, "settings", "--config", file], env={}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        text += done.stdout.replace(str(file), file.name)
    return text
