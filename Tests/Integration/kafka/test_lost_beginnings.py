"""Logs lose their beginnings. Answers about the rest are exact, and say from where."""

import json
import re
import time
import zlib
from datetime import datetime, timezone

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from committed import read_all
from crowd import gift, json_record
from test_replay import compare, offset_of
from timelinefile import timeline_rows
from waiting import LIMIT, wait_for

CHUNKS, EACH, EVERY_MS = 20, 10, 7000
# A broker looks half a minute after its start which records are older than it keeps them.
BEGAN = int(time.time() - 3600) * 1000


class Log:
    """Twenty times ten gifts, seven seconds of log time apart, each worked off before the next comes: so there are many
    savepoints, and timers that only the journal tells of."""

    def __init__(self, pipeline):
        self.pipeline = pipeline
        self.topic, = pipeline.inputs
        pipeline.change_topic(self.topic, "message.timestamp.type", "CreateTime")
        worker = pipeline.worker(
            topics_timestamps="any", dedupe_windowMs=2000, gift_lanes=1, worker_checkpointMs=200)
        producer = confluent_kafka.Producer({"bootstrap.servers": pipeline.broker.address, "linger.ms": 0})

        def fired():
            return worker.metric("flyscreen_idle_firings_total")

        for chunk in range(CHUNKS):
            before = fired()
            for n in range(EACH):
                number = chunk * EACH + n
                record = json_record(self.topic, gift(f"e{number}", "r1", number % 4, count=n + 1))
                producer.produce(
                    record.topic, record.value, record.key, timestamp=BEGAN + chunk * EVERY_MS + n * 300)
            producer.flush(LIMIT)
            pipeline.wait_caught_up()
            wait_for("timers to be fired", lambda: fired() > before)
        assert worker.terminate() == 0, worker.said
        self.published = read_all(pipeline.broker.address, pipeline.commands)
        self.journal = read_all(pipeline.broker.address, f"flyscreen.journal.{self.topic}")

    def forget(self, topic, before):
        place = confluent_kafka.TopicPartition(topic, 0, before)
        # Its answers come as long as somebody holds it.
        admin = AdminClient({"bootstrap.servers": self.pipeline.broker.address})
        admin.delete_records([place])[place].result()

    def compare(self, *flags, **settings):
        return compare(self.pipeline, self.topic, *flags, **settings)

    def json(self, *words):
        run = self.pipeline.run("replay", *words, "--json")
        assert run.returncode == 0, run.stderr
        return run.stdout.splitlines()

    def check_end(self, lines, first):
        """They are what was published from that record on."""
        published = [record.value().decode() for record in self.published]
        end = [record.value().decode() for record in self.published if offset_of(record) >= first]
        assert end and published[-len(lines):] == lines and lines[-len(end):] == end

    def copy(self, name, records):
        """Commands that were published otherwise."""
        admin = AdminClient({"bootstrap.servers": self.pipeline.broker.address})
        admin.create_topics([NewTopic(name, num_partitions=1)])[name].result()
        producer = confluent_kafka.Producer({"bootstrap.servers": self.pipeline.broker.address})
        for key, value in records:
            producer.produce(name, value, key, partition=0)
        producer.flush(LIMIT)
        return name


@pytest.fixture
def log(make_pipeline):
    return Log(make_pipeline(partitions=1, inputs=("gifts",)))


def first_of(text, topic):
    """The record from which it is exact."""
    return int(re.search(rf"{re.escape(topic)}\[0\] (?:begins at|from|is known exactly from) offset (\d+)", text)[1])


def test_without_the_journals_beginning_it_begins_where_it_is_exact(log, tmp_path):
    assert log.compare().stdout.count("\n") == 1
    log.forget(f"flyscreen.journal.{log.topic}", log.journal[len(log.journal) // 2].offset())
    run = log.pipeline.run("replay", "--topic", log.topic)
    line, = run.stderr.splitlines()
    first = first_of(line, log.topic)
    assert run.returncode == 0 and 0 < first < CHUNKS * EACH, run
    assert ", not at 0: " in line and f"flyscreen.journal.{log.topic}[0] begins at offset" in line, line
    log.check_end(log.json("--topic", log.topic), first)

    file = tmp_path / "rest.ndjson"
    run = log.pipeline.run("record", "--topic", log.topic, "--output", file)
    assert run.returncode == 0 and first_of(run.stderr, log.topic) == first, run
    log.check_end(log.json("--input", file), first)

    whole = log.compare()
    assert whole.returncode == 0 and "no difference: " in whole.stdout, whole
    assert first_of(whole.stdout, log.topic) == first
    asked = log.compare("--from", "offset:0", "--partition", "0")
    assert asked.returncode == 3 and "can't tell: " in asked.stderr, asked
    rest = log.compare("--from", f"offset:{first}", "--partition", "0")
    assert rest.returncode == 0 and rest.stdout.count("\n") == 1 and rest.stderr == "", rest
    run = log.pipeline.run("explain", "--room", "r1", "--topic", log.topic, "--event", "e0")
    assert run.returncode == 3 and run.stdout.startswith("can't tell: ") and run.stdout.count("\n") == 1, run
    assert first_of(run.stdout, log.topic) == first and f"record {log.topic}/0/0 is before it" in run.stdout, run
    anyway = log.pipeline.run("explain", "--room", "r1", "--topic", log.topic, "--event", "e0", "--anyway")
    assert anyway.returncode == 3 and anyway.stdout.startswith("can't tell: "), anyway
    assert f"\nevent e0 of room r1: 1 record\n\n{log.topic}/0/0 of " in anyway.stdout, anyway
    last = f"e{CHUNKS * EACH - 1}"
    run = log.pipeline.run("explain", "--room", "r1", "--topic", log.topic, "--event", last)
    assert run.returncode == 0 and run.stdout.startswith(f"event {last} of room r1: 1 record\n"), run

    # The output says where nothing tells any more how rooms stood, also of the settings that a line was of.
    log.forget(f"flyscreen.changelog.{log.topic}", confluent_kafka.OFFSET_END)
    run = log.pipeline.run("replay", "--topic", log.topic)
    assert run.returncode == 3 and "not exact" in run.stderr and run.stdout.startswith("not exact: "), run
    run = log.pipeline.run("replay", "--topic", log.topic, "--json")
    assert run.returncode == 3 and run.stdout.startswith('{"notExact":{"partition":"'), run
    page = tmp_path / "r1.html"
    run = log.pipeline.run("replay", "--topic", log.topic, "--room", "r1", "--timeline", page)
    assert run.returncode == 3 and [row["p"] for row in timeline_rows(page) if row["k"] == "doubt"] == [0], run
    run = log.pipeline.run("explain", "--room", "r1", "--topic", log.topic, "--event", last)
    assert run.returncode == 3 and run.stdout.startswith(f"can't tell: nothing of {log.topic}[0] "), run
    run = log.compare()
    assert (run.returncode, run.stdout) == (3, "") and "nothing of " in run.stderr, run


def test_a_worker_tells_for_how_long_its_log_is_not_known_exactly(log):
    def exact_at():
        """Log time, in ms, of the first record from which on all is known."""
        check = log.pipeline.run("check", *log.pipeline.flags(topics_timestamps="any")).stdout
        at = re.search(rf"{re.escape(log.topic)}\[0\] is known exactly from offset \d+ \(([-0-9: .]+) UTC\) on", check)
        assert at, check
        return int(datetime.fromisoformat(at[1]).replace(tzinfo=timezone.utc).timestamp() * 1000)

    def check_gauge(first):
        wanted = (exact_at() - (BEGAN + first // EACH * EVERY_MS + first % EACH * 300)) // 1000
        assert wanted > 0
        worker = log.pipeline.worker(topics_timestamps="any", dedupe_windowMs=2000, gift_lanes=1)
        try:
            told = lambda: worker.metric("flyscreen_inexact_seconds", topic=log.topic)
            wait_for(lambda: f"{wanted} s that are not exact: {told()}", lambda: told() == wanted, every=0.2)
        finally:
            # Also while it looks.
            assert worker.terminate() == 0, worker.said

    log.forget(f"flyscreen.journal.{log.topic}", log.journal[len(log.journal) // 2].offset())
    check_gauge(first=0)
    log.forget(log.topic, 3 * EACH)
    check_gauge(first=3 * EACH)


def test_without_the_inputs_beginning_the_rest_is_compared(log):
    log.forget(log.topic, 5 * EACH + 3)
    run = log.compare()
    assert run.returncode == 0 and "no difference: " in run.stdout, run
    assert 5 * EACH + 3 < first_of(run.stdout, log.topic) < CHUNKS * EACH
    assert log.compare("--from", f"offset:{5 * EACH + 3}", "--partition", "0").returncode == 3

    pairs = [(record.key(), record.value()) for record in log.published]
    changed = pairs[-1][1].replace(b'"lane":0', b'"lane":7')
    assert changed != pairs[-1][1]
    for number, (kind, records) in enumerate((
            ("missing", pairs[:-3] + pairs[-2:]), ("other", pairs[:-1] + [(b"r1", changed)]),
            # Commands of timers after the last record came twice.
            ("repeated", pairs + pairs[-1:]), ("missing", pairs[:-1]))):
        copy = log.copy(f"{log.topic}.{number}", records)
        run = log.compare(topics_commands=copy)
        assert run.returncode == 1 and f"of {log.topic}[0]: {kind}\n" in run.stdout, run


def test_no_command_is_explained_that_was_not_sent(log):
    kept = 5 * EACH + 3
    log.forget(log.topic, kept)
    published = {json.loads(record.value())["id"]: record.value().decode() for record in log.published}
    explained = 0
    for offset in (kept, kept + 1, kept + 2, kept + 4, 6 * EACH - 1, 12 * EACH - 1):
        for place in (0, 3):
            name = f"{log.topic}/0/{offset}/{place}"
            run = log.pipeline.run(
                "explain", "--room", "r1", name, "--topics.commands", log.pipeline.commands)
            if run.returncode == 0:
                assert run.stdout.splitlines()[1] == published[name], run
                explained += 1
            else:
                told = run.stdout.startswith("can't tell: ") and run.stdout.count("\n") == 1
                assert (run.returncode == 3 and told) or (run.returncode == 1 and run.stdout == ""), run
                assert told or name not in published or "published" in run.stderr, run
    assert explained >= 2


def test_what_is_gone_can_not_be_told(log):
    kept = 5 * EACH + 3
    log.forget(log.topic, kept)
    gone = f"can't tell: {log.topic}[0] begins at offset {kept}: what lies before it is gone\n"

    def explain(*words):
        run = log.pipeline.run("explain", "--room", "r1", *words, "--topics.commands", log.pipeline.commands)
        return run.returncode, run.stdout

    assert explain(f"{log.topic}/0/3/0") == (3, gone)
    for event in ("e3", "nobody"):
        assert explain("--topic", log.topic, "--event", event) == (
            3, f"{gone}can't tell: no event of room r1 has the id {event} in what was read: {log.topic}/0 from {kept} to "
            f"{CHUNKS * EACH - 1}\n")
    status, text = explain("--topic", log.topic, "--at", "2100-01-01")
    assert (status, text) == (3, "can't tell: that moment is yet to come\n")


def test_what_was_published_before_the_commands_topic_begins_is_not_missing(log):
    """Workers were moved to a new topic."""
    pairs = [(record.key(), record.value()) for record in log.published]
    middle = next(i for i, record in enumerate(log.published) if offset_of(record) >= CHUNKS * EACH // 2)
    later = log.copy(f"{log.topic}.later", pairs[middle:])
    run = log.compare(topics_commands=later)
    assert run.returncode == 0 and f"no difference: {len(pairs) - middle} commands " in run.stdout, run
    assert f": {later} begins with record {CHUNKS * EACH // 2} of {log.topic}[0]: " in run.stdout, run
    for event in ("e3", f"e{CHUNKS * EACH - 1}"):
        run = log.pipeline.run(
            "explain", "--room", "r1", "--topic", log.topic, "--event", event, "--topics.commands", later)
        assert run.returncode == 0, run
        assert "NOT AS PUBLISHED" not in run.stdout and "not published" not in run.stdout, run
    less = log.copy(f"{log.topic}.less", pairs[middle:-3] + pairs[-2:])
    run = log.compare(topics_commands=less)
    assert run.returncode == 1 and f"of {log.topic}[0]: missing\n" in run.stdout, run


def test_after_a_damaged_line_of_the_journal_nothing_is_exact(log, tmp_path):
    journal = f"flyscreen.journal.{log.topic}"
    line = next(record.value() for record in log.journal if b'"lanes":1,' in record.value())
    producer = confluent_kafka.Producer({"bootstrap.servers": log.pipeline.broker.address})
    producer.produce(journal, line.replace(b'"lanes":1,', b'"lanes":2,'), partition=0)
    producer.flush(LIMIT)
    file = tmp_path / "log.ndjson"
    run = log.pipeline.run("record", "--topic", log.topic, "--output", file)
    why = re.search(rf"{re.escape(journal)}\[0\] offset \d+ is damaged and left out\n", run.stderr)
    assert run.returncode == 0 and why, run
    for source in (("--topic", log.topic), ("--input", file)):
        run = log.pipeline.run("replay", *source)
        assert run.returncode == 3 and run.stdout.startswith(f"not exact: {log.topic}[0]: {why[0]}"), run
        run = log.pipeline.run("explain", "--room", "r1", "--event", "e3", *source, "--json")
        told = json.loads(run.stdout)
        assert run.returncode == 3 and not told["exact"], run
        assert told["cantTell"] == [f"{log.topic}[0] is not known exactly: {why[0].strip()}"], run


def checksum(text):
    return f"{zlib.crc32(text.encode()):08x}"


def test_what_older_rules_gave_is_nothing_that_can_be_told(make_pipeline):
    """A worker under older rules worked the log through; it published other commands than these rules give."""
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    producer = confluent_kafka.Producer({"bootstrap.servers": pipeline.broker.address, "linger.ms": 0})
    record = json_record(topic, gift("e1", "r1", 7))
    producer.produce(topic, record.value, record.key)
    told = '{"offset":0,"settings":{"gift":{"lanes":1}},"rules":2,"version":3'
    producer.produce(
        f"flyscreen.journal.{topic}", f'{told},"sum":"{checksum(told)}"}}'.encode(), partition=0)
    producer.flush(LIMIT)
    consumer = confluent_kafka.Consumer({
        "bootstrap.servers": pipeline.broker.address, "group.id": pipeline.group, "enable.auto.commit": False})
    began = {"offset": 0, "clock": -2**63, "lastOffset": -1, "settingsEpoch": 0, "journalFrom": 0}
    left = json.dumps({
        "commit": "c0", "clock": int(time.time() * 1000), "lastOffset": 0, "partitions": 1, "applyFrom": 0,
        "changelogFrom": 0, "mark": began, "settings": {"gift": {"lanes": 1}}, "rules": 2}, separators=(",", ":"))[1:]
    left = f'1 {{"version":4,"sum":"{checksum("4" + left)}",{left}'
    producer.produce(f"flyscreen.changelog.{topic}", f"{left} {checksum(left)}".encode(), partition=0)
    producer.flush(LIMIT)
    consumer.commit(offsets=[confluent_kafka.TopicPartition(topic, 0, 1)], asynchronous=False)
    consumer.close()

    run = pipeline.run("replay", "--topic", topic, "--json")
    mark, shown = map(json.loads, run.stdout.splitlines()[:2])
    assert run.returncode == 3 and mark["notExact"]["partition"] == f"{topic}[0]", run
    assert "rules 2" in mark["notExact"]["why"] and shown["giftShow"]["lane"] == 0, run
    assert run.stderr.count("rules 2") == 1 and "not exact" in run.stderr, run.stderr
    saved = pipeline.folder / "old.ndjson"
    assert pipeline.run("record", "--topic", topic, "--output", saved).returncode == 0
    first = json.loads(saved.read_text().splitlines()[0])
    assert first["rules"] == 2, first

    # Nothing was published; then something else.
    run = compare(pipeline, topic)
    assert run.returncode == 3 and "can't tell" in run.stderr and "rules 2" in run.stderr, run
    assert "first difference" not in run.stdout
    other = {**shown, "giftShow": {**shown["giftShow"], "total": 2}}
    producer.produce(pipeline.commands, json.dumps(other, separators=(",", ":"), ensure_ascii=False).encode(), b"r1")
    producer.flush(LIMIT)
    run = compare(pipeline, topic)
    assert run.returncode == 3 and "can't tell" in run.stderr, run
    run = pipeline.run("explain", "--room", "r1", shown["id"], "--topics.commands", pipeline.commands)
    assert run.returncode == 3 and "can't tell" in run.stderr, run

    # A worker goes on from there, under these rules; its output can be explained.
    worker = pipeline.worker()
    producer.produce(topic, json_record(topic, gift("e2", "r2", 8)).value, b"r2")
    producer.flush(LIMIT)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    told = [json.loads(r.value()) for r in read_all(pipeline.broker.address, f"flyscreen.journal.{topic}")]
    assert told[1]["rules"] == 4 and told[1]["settings"]["gift"]["order"] == "tier", told
    run = compare(pipeline, topic)
    assert run.returncode == 3 and "rules 2" in run.stderr and "before offset 1 " in run.stderr, run
    assert run.stdout.startswith("no difference: "), run
    # A command that differs there is a difference, whatever was before.
    again = [r for r in read_all(pipeline.broker.address, pipeline.commands) if r.key() == b"r2"][-1]
    producer.produce(pipeline.commands, again.value(), again.key())
    producer.flush(LIMIT)
    run = compare(pipeline, topic)
    assert run.returncode == 1 and "in room r2" in run.stdout and "repeated" in run.stdout, run


def test_of_records_before_a_group_began_nothing_is_expected(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    producer = confluent_kafka.Producer({"bootstrap.servers": pipeline.broker.address, "linger.ms": 0})

    def send(names):
        for name in names:
            record = json_record(topic, gift(name, "r1", 7))
            producer.produce(topic, record.value, record.key)
        producer.flush(LIMIT)

    send(["e1", "e2"])
    worker = pipeline.worker(worker_begin="end")
    send(["e3"])
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    run = compare(pipeline, topic)
    assert run.returncode == 0 and "from offset 2 on: " in run.stdout and "began at offset 2" in run.stdout, run
    published = [r.value().decode() for r in read_all(pipeline.broker.address, pipeline.commands)]
    run = pipeline.run("replay", "--topic", topic, "--json")
    assert run.stdout.splitlines()[:len(published)] == published and "began at offset 2" in run.stderr, run
