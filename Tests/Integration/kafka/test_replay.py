"""A replay gives what was published then, from wherever it begins, and says so; what was changed since, it finds."""

import json
import random
import re
import time

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic

from committed import read_all, stream_of
from crowd import gift, json_record
from logfile import replay
from sending import Sender, Traffic
from waiting import LIMIT, wait_for


def compare(pipeline, topic, *flags, **settings):
    return pipeline.run("replay", "--topic", topic, "--compare", *flags, *pipeline.flags(**settings))


def check_same(run):
    """The number of commands and results that were compared."""
    assert run.returncode == 0, run.stdout + run.stderr
    found = re.fullmatch(r"no difference: (\d+) commands of \d+ rooms(?:, (\d+) results of grabs)?\n", run.stdout)
    return int(found[1]) + int(found[2] or 0)


def work_off(pipeline, records, **settings):
    """A worker from its start until all of this is published, and its end."""
    worker = pipeline.worker(**settings)
    sender = Sender(pipeline.broker.address)
    sender.send(*records)
    sender.flush()
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said


def iso(milliseconds):
    whole, rest = divmod(milliseconds, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{rest:03d}Z"


def offset_of(record):
    """The offset of the input record that a command or a result came of."""
    return int(json.loads(record.value())["id"].split("/")[2])


def commands_of(lines):
    streams = {}
    for line in lines:
        streams.setdefault(stream_of(line)[0], []).append(line)
    return streams


@pytest.fixture
def eventful(pipeline, crowd):
    """A log with everything in it that the log alone doesn't tell: workers that were killed, settings that were changed
    between and under load, and a silence in which timers fired."""
    reader = pipeline.reader
    with Traffic(pipeline.broker.address, crowd, rate=400):
        worker = pipeline.worker(worker_id="a", worker_checkpointMs=1000)
        for lanes in (2, 3, 3):
            wait_for("commands", lambda count=reader.count: reader.count > count + 400)
            worker.kill()
            worker = pipeline.worker(worker_id="a", worker_checkpointMs=1000, gift_lanes=lanes, wish_tracks=lanes)
        wait_for("commands", lambda count=reader.count: reader.count > count + 400)
        fired = worker.metric("flyscreen_idle_firings_total")
    pipeline.wait_caught_up()
    wait_for("timers on an idle log", lambda: worker.metric("flyscreen_idle_firings_total") > fired, every=0.2)
    with Traffic(pipeline.broker.address, crowd, rate=400):
        assert worker.terminate() == 0, worker.said
        worker = pipeline.worker(worker_id="a", worker_checkpointMs=1000, gift_lanes=1)
        wait_for("commands", lambda count=reader.count: reader.count > count + 400)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    reader.wait_all()
    return pipeline


def test_a_replay_gives_what_was_published_from_wherever_it_begins(eventful, seed, tmp_path):
    pipeline, pick = eventful, random.Random(seed)
    total = 0
    for topic in pipeline.inputs:
        total += check_same(compare(pipeline, topic))
        times = sorted(record.timestamp()[1] for record in read_all(pipeline.broker.address, topic))
        for _ in range(6):
            first, last = sorted(pick.sample(times, 2))
            run = compare(pipeline, topic, "--from", iso(first), "--to", iso(last))
            if "nothing to compare" not in run.stderr:
                check_same(run)
        check_same(compare(pipeline, topic, "--from", iso(times[len(times) // 2]), "--room", "room-3"))
    assert total == check_same(compare(pipeline, ",".join(pipeline.inputs)))
    assert total == pipeline.reader.count + len(read_all(pipeline.broker.address, pipeline.results))

    # A file begins with the rooms as they stood, and gives the same commands wherever it is replayed.
    topic = pipeline.inputs[0]
    times = sorted(record.timestamp()[1] for record in read_all(pipeline.broker.address, topic))
    middle = iso(times[len(times) // 2])
    for name, room in (("whole.ndjson", ()), ("packed.ndjson.gz", ()), ("room.ndjson.zst", ("--room", "room-1"))):
        file = tmp_path / name
        run = pipeline.run("record", "--topic", topic, "--from", middle, "--output", file, *room)
        assert run.returncode == 0 and run.stdout == run.stderr == "", run
        run = pipeline.run("replay", "--topic", topic, "--from", middle, "--json", *room)
        assert run.returncode == 0, run.stderr
        saved = replay(pipeline.binary, file, *room)
        assert saved and saved == commands_of(run.stdout.encode().splitlines())


def test_late_records_are_replayed_as_they_came(make_pipeline, seed):
    pipeline, pick = make_pipeline(partitions=1, inputs=("gifts",)), random.Random(seed)
    topic, = pipeline.inputs
    pipeline.change_topic(topic, "message.timestamp.type", "CreateTime")
    reader = pipeline.reader
    worker = pipeline.worker(topics_timestamps="any")
    producer = confluent_kafka.Producer({"bootstrap.servers": pipeline.broker.address, "linger.ms": 0})
    for n in range(300):
        record = json_record(topic, gift(f"e{n}", f"r{n % 5}", pick.randrange(9), count=pick.randrange(1, 9)))
        # Up to five seconds late, or (as the next will find) too early.
        late = pick.choice((0, 0, 40, 700, 5000, -300))
        producer.produce(topic, record.value, record.key, timestamp=int(time.time() * 1000) - late)
        producer.flush(LIMIT)
        if n % 60 == 59:
            wait_for("timers to fire", lambda count=reader.count: reader.count > count)
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    reader.wait_all()
    assert check_same(compare(pipeline, topic)) == reader.count
    for offset in (50, 150, 299):
        check_same(compare(pipeline, topic, "--from", f"offset:{offset}", "--partition", "0"))


@pytest.mark.parametrize("form", ["json", "protobuf"])
def test_one_byte_that_was_changed_is_found(make_pipeline, crowd_of, form, seed):
    pipeline, pick = make_pipeline(partitions=2), random.Random(seed)
    worker = pipeline.worker(commands_format=form)
    sender = Sender(pipeline.broker.address)
    sender.send(*crowd_of(pipeline).records(1500))
    sender.flush()
    pipeline.wait_caught_up()
    topic = pipeline.inputs[0]
    wait_for("views to come and go", lambda: check_same(compare(pipeline, topic)) > 200, every=0.5)
    assert worker.terminate() == 0, worker.said

    admin = AdminClient({"bootstrap.servers": pipeline.broker.address})
    for setting, output in (("topics_commands", pipeline.commands), ("topics_results", pipeline.results)):
        published = read_all(pipeline.broker.address, output)
        origins = [re.search(rf"{topic}/(\d+)/(\d+)".encode(), record.value()) for record in published]
        firsts = {}
        for origin in filter(None, origins):
            firsts[origin[1]] = min(firsts.get(origin[1], int(origin[2])), int(origin[2]))
        # Without the first of a partition it can't be told whether that was published in this topic.
        mine = [i for i, origin in enumerate(origins) if origin and int(origin[2]) > firsts[origin[1]]]
        for number, changed in enumerate(pick.sample(mine, 3)):
            copy = f"{output}.{number}"
            admin.create_topics([NewTopic(copy, num_partitions=2)])[copy].result()
            producer = confluent_kafka.Producer({"bootstrap.servers": pipeline.broker.address})
            for i, record in enumerate(published):
                value = bytearray(record.value())
                if i == changed:
                    place = pick.randrange(len(value))
                    value[place] ^= pick.choice((1, 2, 4))
                    altered = value.decode(errors="replace")
                producer.produce(
                    copy, bytes(value), record.key(), partition=record.partition(), headers=record.headers())
                producer.poll(0)
            producer.flush(LIMIT)
            run = compare(pipeline, topic, **{setting: copy})
            original = published[changed]
            assert run.returncode == 1, f"{original.value()} with its byte {place} changed: {run.stdout}{run.stderr}"
            whose = f"{'in room' if output == pipeline.commands else 'in the results of user'} {original.key().decode()}"
            assert f"the first difference, {whose} of {topic}[" in run.stdout, run.stdout
            if form == "json":
                body = json.loads(original.value())
                if ": repeated\n" in run.stdout or f"expected   {original.value().decode()}\n" not in run.stdout:
                    # With another's id it may be met where that one was, or should be, before it is missed.
                    assert json.loads(altered) | {"id": body["id"]} == body, run.stdout
                    assert f"published  {altered} (" in run.stdout, run.stdout
                    continue
                # The reason why it had to come, with the room before it.
                assert body["id"] in run.stdout.split("published", 1)[1]
                if output == pipeline.commands:
                    assert "lane 0" in run.stdout or "the room just before\n  nothing\n" in run.stdout, run.stdout


def test_what_is_still_there_of_the_output_is_compared(make_pipeline, crowd_of):
    pipeline = make_pipeline(partitions=1)
    topic = pipeline.inputs[0]
    pipeline.change_topic(topic, "message.timestamp.type", "CreateTime")
    work_off(pipeline, crowd_of(pipeline).records(600), topics_timestamps="any")
    whole = check_same(compare(pipeline, topic))
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address})
    there = 0
    for output in (pipeline.results, pipeline.commands):
        published = read_all(pipeline.broker.address, output)
        # Commands of records, rather than of timers after the last.
        early = [record for record in published if topic.encode() + b"/" in record.value() and offset_of(record) < 200]
        first = early[len(early) // 2]
        place = confluent_kafka.TopicPartition(output, 0, first.offset())
        admin.delete_records([place])[place].result()
        # A part of this record may be gone.
        there = max(there, offset_of(first) + 1)
        run = compare(pipeline, topic)
        assert run.returncode == 0 and "no difference: " in run.stdout, run
        if output == pipeline.results:
            assert f"{topic}[0] from offset " in run.stdout, run
            assert f"{output}[0] begins at offset {first.offset()}: what was published before is gone" in run.stdout, run
        run = compare(pipeline, topic, "--from", "offset:0", "--partition", 0)
        assert run.returncode == 3 and "can't tell: " in run.stderr, run
        assert 0 < check_same(compare(pipeline, topic, "--from", f"offset:{there}", "--partition", 0)) < whole


@pytest.fixture
def crowd_of(schema, seed):
    from crowd import Crowd

    return lambda pipeline: Crowd(seed, pipeline.inputs, schema, rooms=10)


def test_a_log_that_no_longer_reaches_back_says_so_and_goes_on(make_pipeline, crowd_of):
    pipeline = make_pipeline(partitions=1, inputs=("gifts", "wishes"))
    topic = pipeline.inputs[0]
    work_off(pipeline, crowd_of(pipeline).records(1000))
    kept = read_all(pipeline.broker.address, topic)[200].offset()
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address})
    changelog = f"flyscreen.changelog.{topic}"
    now = iso(int(time.time() * 1000))
    for name, offset in ((topic, kept), (changelog, confluent_kafka.OFFSET_END)):
        place = confluent_kafka.TopicPartition(name, 0, offset)
        admin.delete_records([place])[place].result()

    run = pipeline.run("replay", "--topic", topic)
    assert run.returncode == 3 and run.stdout.startswith("not exact: ") and "\nrecords " in run.stdout, run
    assert len(run.stderr.splitlines()) == 1 and "not exact" in run.stderr, run.stderr
    run = pipeline.run("replay", "--topic", topic, "--from", "-1h", "--to", now)
    assert run.returncode == 3 and "were deleted by retention" in run.stderr.splitlines()[0], run.stderr
    run = pipeline.run("replay", "--topic", topic, "--from", "-2h", "--to", "-1h")
    assert (run.returncode, run.stdout) == (1, "") and "that range is gone" in run.stderr, run.stderr
    run = pipeline.run("replay", "--topic", topic, "--from", "offset:3")
    assert run.returncode == 1, run
    assert run.stderr == (
        f"flyscreen: replay: {topic}[0] begins at offset {kept}: what lies before it is gone\n")


def test_what_something_else_wrote_is_told_with_its_place(make_pipeline, crowd_of):
    pipeline = make_pipeline(partitions=1, inputs=("gifts", "wishes"))
    topic = pipeline.inputs[0]
    work_off(pipeline, crowd_of(pipeline).records(100))
    journal = f"flyscreen.journal.{topic}"
    producer = confluent_kafka.Producer({"bootstrap.servers": pipeline.broker.address})
    producer.produce(journal, b"junk", partition=0)
    producer.flush(LIMIT)
    place = f"{journal}[0] offset {read_all(pipeline.broker.address, journal)[-1].offset()}"
    run = pipeline.run("replay", "--topic", topic)
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (1, "", 1) and place in run.stderr, run
    worker = pipeline.worker()
    worker.error_matching(rf"journal's line at offset {place.split()[-1]} is damaged")
    assert worker.terminate() == 0, worker.said

    admin = AdminClient({"bootstrap.servers": pipeline.broker.address})
    admin.create_partitions([NewPartitions(topic, 2)])[topic].result()
    line = f"{topic} has got more partitions than {journal}, which has 1: "
    wait_for("a replay to know of it", lambda: line in pipeline.run("replay", "--topic", topic).stderr)


def test_a_group_that_was_set_back_published_twice(make_pipeline, crowd_of):
    pipeline = make_pipeline(partitions=1)
    topic = pipeline.inputs[0]
    work_off(pipeline, crowd_of(pipeline).records(400))
    run = compare(pipeline, topic)
    check_same(run)
    # Without the results of grabs, which --json doesn't print.
    once = int(re.search(r"(\d+) commands", run.stdout)[1])
    back = [confluent_kafka.TopicPartition(topic, 0, 20)]
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address})
    request = confluent_kafka.ConsumerGroupTopicPartitions(pipeline.group, back)
    admin.alter_consumer_group_offsets([request])[pipeline.group].result()
    worker = pipeline.worker(worker_rewind="follow")
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    run = compare(pipeline, topic)
    assert run.returncode == 1 and "was the group's offset set back" in run.stdout, run
    run = pipeline.run("replay", "--topic", topic, "--json")
    assert run.returncode == 0 and len(run.stdout.splitlines()) >= once, run.stderr


def test_many_partitions_are_read_over_few_connections(make_pipeline, crowd_of):
    pipeline = make_pipeline(partitions=30)
    work_off(pipeline, crowd_of(pipeline).records(300))
    # Replays as slowly as it was, so that all partitions are open when the first command comes.
    slow = pipeline.program("replay", "--topic", ",".join(pipeline.inputs), "--speed", 1, "--json")
    slow.output_matching("giftShow")
    assert slow.threads() < 20
    slow.kill()
    for topic in pipeline.inputs:
        check_same(compare(pipeline, topic))


def test_what_is_broken_gets_one_line(pipeline, tmp_path):
    topic = pipeline.inputs[0]

    def complaint(*arguments):
        run = pipeline.run(*arguments)
        assert run.returncode in (1, 64) and run.stdout == "", run
        line, = run.stderr.splitlines()
        return line

    assert "it is not JSON" in complaint("replay", "--input", _written(tmp_path / "cut.ndjson", '{"topic":"a","part'))
    assert "cut short" in complaint("replay", "--input", _written(tmp_path / "cut.ndjson", '{"topic":"a","part'))
    assert "line 1: offset must be there" in complaint(
        "replay", "--input", _written(tmp_path / "no.ndjson", '{"topic":"a","partition":0}\n'))
    assert "no gzip" in complaint("replay", "--input", _written(tmp_path / "no.ndjson.gz", "{}\n"))
    assert f"no input of a worker's, since there is no topic flyscreen.journal.{pipeline.commands}" in complaint(
        "replay", "--topic", pipeline.commands)
    unknown = complaint("replay", "--topic", "no-such-topic")
    assert "no-such-topic" in unknown and "see that its name is right" in unknown and "create" not in unknown, unknown
    for partition in (4, 2**31 - 1):
        assert f"{topic} has no partition {partition}: it has 4, from 0" in complaint(
            "replay", "--topic", topic, "--partition", partition)
    assert "ends at offset 0" in complaint("record", "--topic", topic, "--from", "offset:7", "--partition", 0,
                                           "--output", tmp_path / "none")
    assert f"give --partition N too ({topic} has several)" in complaint("replay", "--topic", topic, "--from", "offset:7")
    assert "has processed no record of this range" in complaint("replay", "--topic", topic, "--compare")
    assert "--from: 'yesterday' will not do" in complaint("replay", "--topic", topic, "--from", "yesterday")
    assert not (tmp_path / "none").exists()


def _written(path, text):
    path.write_text(text)
    return path
