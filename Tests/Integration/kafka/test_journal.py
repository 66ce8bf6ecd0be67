"""The journal has what the log alone doesn't tell, so that log and journal give every command again."""

import json

from asyncapi import check_records
from crowd import Crowd, gift, json_record
from logfile import journal_of, replay
from sending import Sender, Traffic
from waiting import wait_for


def test_timers_fire_on_an_idle_log(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    reader = pipeline.reader
    worker = pipeline.worker()
    sender = Sender(pipeline.broker.address)
    sender.send(json_record(topic, gift("e1", "r1", 7, count=2)), partition=0)
    sender.flush()
    wait_for("giftHide, with nothing more in the log", lambda: any("giftHide" in c for c in reader.commands))
    told, *fired = journal_of(pipeline.broker.address, topic)
    assert worker.terminate() == 0, worker.said

    kinds = [next(name for name in ("giftShow", "giftBump", "giftHide") if name in c) for c in reader.commands]
    assert kinds == ["giftShow", "giftBump", "giftBump", "giftHide"]
    shown, *_, hidden = reader.commands
    # enterMs 250, two ticks of 300 that count, one that finds nothing more and starts the hold of 1000.
    assert hidden["atMs"] - shown["atMs"] == 250 + 3 * 300 + 1000
    assert told[1]["offset"] == 0 and "gift" in told[1]["settings"], "those in force from the beginning"
    assert fired and all(line["offset"] == 1 for _, line in fired), "they came after the only record"
    times = [line["firedToMs"] for _, line in fired]
    # A line for each deadline, or, on a busy machine, for several.
    assert times == sorted(times) and times[-1] >= hidden["atMs"]
    pipeline.check_against_replay()


def test_an_idle_timer_is_fired_once_though_the_worker_is_killed(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    reader = pipeline.reader
    worker = pipeline.worker(worker_id="a")
    sender = Sender(pipeline.broker.address)
    for user in range(3):
        sender.send(json_record(topic, gift(f"e{user}", "r1", user, count=3)), partition=0)
    sender.flush()
    while True:
        count = reader.count
        if sum("giftHide" in command for command in reader.commands) == 3:
            break
        wait_for("another command", lambda: reader.count > count, every=0.001)
        worker.kill()
        worker = pipeline.worker(worker_id="a")
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()


def test_settings_that_change_between_two_runs(pipeline, crowd, tmp_path):
    reader = pipeline.reader

    def changes(topic, partition):
        told = [line["settings"] for place, line in journal_of(pipeline.broker.address, topic)
                if place == partition and "settings" in line]
        assert all(settings.keys() == told[0].keys() for settings in told), "each is whole"
        return [(settings["gift"]["lanes"], settings["wish"]["tracks"]) for settings in told]

    def wait_for_all(settings):
        for topic in pipeline.inputs:
            for partition in range(pipeline.partitions):
                wait_for(f"{topic}[{partition}] to have {settings}",
                         lambda: changes(topic, partition)[-1:] == [settings], every=0.2)

    with Traffic(pipeline.broker.address, crowd, rate=1000):
        worker = pipeline.worker()
        wait_for("commands", lambda: reader.count > 300)
        assert worker.terminate() == 0, worker.said
        worker = pipeline.worker(gift_lanes=3, wish_tracks=2)
        wait_for("commands on the third lane", lambda: any(
            command.get("giftShow", {}).get("lane") == 2 for command in reader.commands), every=0.2)
        wait_for_all((3, 2))
        assert worker.terminate() == 0, worker.said
        worker = pipeline.worker(gift_lanes=1)
        wait_for("commands", lambda count=reader.count: reader.count > count + 300)
        wait_for_all((1, 3))
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said

    for topic in pipeline.inputs:
        for partition in range(pipeline.partitions):
            assert changes(topic, partition) == [(2, 3), (3, 2), (1, 3)]
    expected = pipeline.check_against_replay()
    # Without the settings in its journal the log would give something else.
    bare = tmp_path / "bare.ndjson"
    with open(tmp_path / "log.ndjson") as log, open(bare, "w") as without:
        without.writelines(line for line in log if "settings" not in json.loads(line))
    assert replay(pipeline.binary, bare) != expected


def test_commands_in_protobuf(make_pipeline, schema, seed):
    from committed import read_all
    from logfile import write_log

    pipeline = make_pipeline(partitions=2)
    worker = pipeline.worker(commands_format="protobuf")
    sender = Sender(pipeline.broker.address)
    sender.send(*Crowd(seed, pipeline.inputs, schema, rooms=20).records(1000))
    sender.flush()
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    published = {}
    for channel, topic in [("commands", pipeline.commands), ("results", pipeline.results)]:
        check_records(channel, read_all(pipeline.broker.address, topic))
    for record in read_all(pipeline.broker.address, pipeline.commands):
        assert record.headers() == [("content-type", b"application/x-protobuf")]
        command = schema.command(record.value())
        assert record.key() == command.room_id.encode()
        topic, partition, _ = command.id.split("/", 2)
        published.setdefault((command.room_id, topic, int(partition)), []).append(command)
    expected = replay(pipeline.binary, write_log(pipeline.broker.address, pipeline.inputs, pipeline.folder / "log"))
    assert published == {
        stream: [schema.command_of_json(line) for line in lines] for stream, lines in expected.items()}
