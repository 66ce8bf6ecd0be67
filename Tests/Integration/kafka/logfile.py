"""The input topics with their journals as a file (STAGES.md, section 11), and what the engine makes of it."""

import base64
import json
import subprocess

from committed import read_all, stream_of
from waiting import LIMIT


def write_log(address, inputs, path):
    """Every record of the input, each after the lines of the journal that came before it."""
    with open(path, "wb") as file:
        for topic in inputs:
            journal = {}
            for record in read_all(address, f"flyscreen.journal.{topic}"):
                journal.setdefault(record.partition(), []).append(json.loads(record.value()))
            log = {}
            for record in read_all(address, topic):
                log.setdefault(record.partition(), []).append(record)
            for partition in sorted(log.keys() | journal.keys()):
                place = {"topic": topic, "partition": partition}
                lines = journal.get(partition, [])
                for record in log.get(partition, []):
                    while lines and lines[0]["offset"] <= record.offset():
                        file.write(_journal_line(place, lines.pop(0)))
                    file.write(_record_line(place, record))
                for line in lines:
                    file.write(_journal_line(place, line))
    return path


def journal_of(address, topic):
    """The journal's lines, as (partition, line)."""
    return [
        (record.partition(), json.loads(record.value())) for record in read_all(address, f"flyscreen.journal.{topic}")]


def replay(binary, path, *flags, limit=LIMIT):
    """The commands of a saved log, stream by stream."""
    streams = {}
    for line in replayed_lines(binary, path, "--json", *flags, limit=limit):
        streams.setdefault(stream_of(line)[0], []).append(line)
    return streams


def replayed_lines(binary, path, *flags, limit=LIMIT):
    run = subprocess.run([str(binary), "replay", "--input", str(path), *flags], capture_output=True, timeout=limit)
    assert run.returncode == 0, f"replay ended with {run.returncode}: {run.stderr.decode()[-2000:]}"
    return run.stdout.splitlines()


def compare(published, replayed):
    """Stream by stream, byte for byte."""
    for stream in sorted(published.keys() | replayed.keys()):
        ours, theirs = published.get(stream, []), replayed.get(stream, [])
        for place, (a, b) in enumerate(zip(ours, theirs)):
            assert a == b, f"{stream}, command {place}: published\n{a.decode()}\nreplayed\n{b.decode()}"
        more = "published" if len(ours) > len(theirs) else "replayed"
        assert len(ours) == len(theirs), (
            f"{stream}: {len(ours)} commands published, {len(theirs)} replayed; only {more}: "
            + max(ours, theirs, key=len)[min(len(ours), len(theirs))].decode())


def _journal_line(place, line):
    """The offset is told by where the line stands."""
    return _json({**place, **{name: value for name, value in line.items() if name != "offset"}}) + b"\n"


def _record_line(place, record):
    line = {**place, "offset": record.offset(), "timestampMs": record.timestamp()[1]}
    key, value = record.key(), record.value()
    if key is not None:
        text = _text(key)
        line |= {"keyBase64": base64.b64encode(key).decode()} if text is None else {"key": text}
    if record.headers():
        line["headers"] = [[name, _text(data)] for name, data in record.headers()]
    if value is None:
        return _json(line) + b"\n"
    if _is_plain_json(value):
        return _json(line)[:-1] + b',"value":' + value + b"}\n"
    text = _text(value)
    line |= {"valueBase64": base64.b64encode(value).decode()} if text is None else {"valueText": text}
    return _json(line) + b"\n"


def _is_plain_json(value):
    """JSON that every parser reads alike, on one line."""
    if b"\n" in value or b"\\u" in value:
        return False
    try:
        return isinstance(json.loads(value, parse_int=_integer), dict)
    except ValueError:
        return False


def _integer(digits):
    """Refuses an integer that has more than 64 bits: such a text is no JSON here (STAGES.md, section 2)."""
    if not -(1 << 63) <= int(digits) < 1 << 64:
        raise ValueError(digits)
    return int(digits)


def _text(data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _json(line):
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()
