"""However long a service has run, a take-over reads a bounded part; what a room no longer remembers takes no memory."""

import bisect
import json

from committed import read_all
from crowd import Record, gift, json_record
from sending import Sender, Traffic
from waiting import wait_for

FORGETFUL = {
    "dedupe.windowMs": 1000, "gift.comboWindowMs": 300, "gift.holdMs": 100, "gift.exitMs": 50, "gift.enterMs": 50,
    "gift.tickMs": 50, "gift.streakMs": 1000, "worker.checkpointMs": 500,
}


def test_a_restore_reads_a_bounded_part(pipeline, crowd):
    pipeline.reader
    worker = pipeline.worker(worker_id="a", **FORGETFUL)
    with Traffic(pipeline.broker.address, crowd, rate=1500) as traffic:
        wait_for("a long log", lambda: traffic.sent >= 18_000)
        transaction_ms = 1000 * (
            worker.metric("flyscreen_transaction_seconds_sum") / worker.metric("flyscreen_transaction_seconds_count"))
        worker.kill()
    records = [r for topic in pipeline.inputs for r in read_all(pipeline.broker.address, topic)]
    worker = pipeline.worker(worker_id="a", **FORGETFUL)
    restored = worker.metric("flyscreen_restore_records_total")
    pipeline.wait_caught_up()
    assert worker.metric("flyscreen_restores_inexact_total") == 0
    assert worker.terminate() == 0, worker.said

    # The input of the last seconds, and of the changelog about the rooms (200 in two topics) as often as they were
    # written meanwhile, and of the journal at most a line for each record.
    # Marks at which it can begin lie a second apart; and a checkpoint may wait for the transaction after next.
    slack_ms = 1000 + max(1500, 6 * transaction_ms)
    span = FORGETFUL["dedupe.windowMs"] + FORGETFUL["worker.checkpointMs"] + slack_ms
    times = sorted(record.timestamp()[1] for record in records)
    recent = max(bisect.bisect_right(times, time + span) - place for place, time in enumerate(times))
    checkpoints = 400 * (span // FORGETFUL["worker.checkpointMs"] + 1)
    assert 0 < restored <= 2 * recent + checkpoints, f"{restored:g} records read, of {len(records)}, {recent} recent"
    assert restored < len(records)
    pipeline.check_against_replay()


def test_what_is_forgotten_takes_no_memory(make_pipeline):
    pipeline = make_pipeline(partitions=2, inputs=("gifts",))
    topic, = pipeline.inputs
    worker = pipeline.worker(**FORGETFUL)
    sender = Sender(pipeline.broker.address, "lz4", **{"queue.buffering.max.messages": 200_000})

    def rooms_left():
        # Log time stands still on an idle log: more records move it on, and each sweeps a little.
        for partition in range(2):
            sender.send(*[json_record(topic, gift("", f"clock-{partition}", 1))] * 400, partition=partition)
        return worker.metric("flyscreen_rooms")

    memory = []
    for wave in range(5):
        before = worker.metric("flyscreen_records_total")
        sender.send(*(json_record(topic, gift(f"{wave}-{n}", f"room-{wave}-{n}", n)) for n in range(8000)))
        sender.flush()
        pipeline.wait_caught_up()
        wait_for("its rooms", lambda: worker.metric("flyscreen_records_total") >= before + 8000)
        wait_for(
            lambda: f"all rooms to be forgotten, not {worker.metric('flyscreen_rooms'):g} of them",
            lambda: rooms_left() <= 2, every=0.25)
        memory.append(worker.memory())
    assert worker.terminate() == 0, worker.said
    megabyte = 1 << 20
    assert memory[-1] - memory[1] < 12 * megabyte, [size // megabyte for size in memory]


def test_state_that_went_quiet_before_the_crash_is_restored(make_pipeline):
    """Its newest checkpoint lies far back in the changelog by then."""
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    settings = FORGETFUL | {"gift.streakMs": 600_000}
    reader = pipeline.reader
    worker = pipeline.worker(worker_id="a", **settings)
    sender = Sender(pipeline.broker.address)
    sender.send(json_record(topic, gift("e1", "quiet", 7, count=5, streakId="s")), partition=0)
    for n in range(6000):
        sender.send(json_record(topic, gift(f"x{n}", f"loud-{n % 20}", n % 50)), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    wait_for("the quiet room's gift to hide", lambda: any(
        command["roomId"] == "quiet" and "giftHide" in command for command in reader.commands), every=0.1)
    written = worker.metric("flyscreen_checkpoints_total")
    for n in range(3):
        sender.send(json_record(topic, gift(f"y{n}", "loud-1", n)), partition=0)
        sender.flush()
        wait_for("more checkpoints", lambda: worker.metric("flyscreen_checkpoints_total") > written)
        written = worker.metric("flyscreen_checkpoints_total")
    worker.kill()
    worker = pipeline.worker(worker_id="a", **settings)
    # Cumulative: two more of the streak of five.
    sender.send(json_record(topic, gift("e2", "quiet", 7, count=7, streakId="s")), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    wait_for("the rest of the streak", lambda: sum(
        command["roomId"] == "quiet" and "giftHide" in command for command in reader.commands) == 2, every=0.1)
    assert worker.terminate() == 0, worker.said
    quiet = [command for command in reader.commands if command["roomId"] == "quiet" and "giftShow" in command]
    assert [command["giftShow"]["total"] for command in quiet] == [5, 2]
    pipeline.check_against_replay()


def test_what_is_damaged_costs_its_room_and_is_told(make_pipeline):
    """A byte of a room's state and of a line of the journal is another than was written."""
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    settings = FORGETFUL | {"gift.streakMs": 600_000}
    reader = pipeline.reader
    worker = pipeline.worker(**settings)
    sender = Sender(pipeline.broker.address)
    sender.send(*(json_record(topic, gift(f"e{room}", room, 7, count=5, streakId="s")) for room in ("broken", "whole")))
    sender.flush()
    wait_for("both to hide", lambda: sum("giftHide" in command for command in reader.commands) == 2)
    wait_for("the rooms to be in the changelog", lambda: pipeline.committed_metadata(topic)["applyFrom"] == 2)
    assert worker.terminate() == 0, worker.said

    changelog, journal = f"flyscreen.changelog.{topic}", f"flyscreen.journal.{topic}"
    state = [r for r in read_all(pipeline.broker.address, changelog) if r.key() == b"broken"][-1]
    line = read_all(pipeline.broker.address, journal)[-1]
    for name, record in ((changelog, state), (journal, line)):
        value = bytearray(record.value())
        value[len(value) // 2] ^= 4
        sender.send(Record(name, record.key(), bytes(value)), partition=0)
    sender.flush()
    places = [read_all(pipeline.broker.address, name)[-1].offset() for name in (changelog, journal)]

    worker = pipeline.worker(**settings)
    worker.error_matching(rf"room broken is damaged \(changelog offset {places[0]}\).*begins anew")
    worker.error_matching(rf"journal's line at offset {places[1]} is damaged")
    assert worker.metric("flyscreen_restores_inexact_total") == 1
    # Cumulative: two more of the streak of five, of which one room knows nothing.
    sender.send(*(json_record(topic, gift(f"f{room}", room, 7, count=7, streakId="s")) for room in ("broken", "whole")))
    sender.flush()
    wait_for("both to hide again", lambda: sum("giftHide" in command for command in reader.commands) == 4)
    assert worker.terminate() == 0, worker.said
    totals = {room: [c["giftShow"]["total"] for c in reader.commands if c["roomId"] == room and "giftShow" in c]
              for room in ("broken", "whole")}
    assert totals == {"broken": [5, 7], "whole": [5, 2]}


def test_records_that_say_nothing_are_passed_over(make_pipeline):
    """A worker writes them where it ends a transaction once more."""
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    reader = pipeline.reader
    sender = Sender(pipeline.broker.address)
    for event in ("e1", "e2"):
        worker = pipeline.worker(**FORGETFUL)
        sender.send(json_record(topic, gift(event, event, 7)))
        sender.flush()
        wait_for("it to hide", lambda event=event: any(c["roomId"] == event and "giftHide" in c for c in reader.commands))
        pipeline.wait_caught_up()
        assert worker.metric("flyscreen_restores_inexact_total") == 0, worker.said
        assert not [line for line in worker.errors if "damaged" in line], worker.said
        assert worker.terminate() == 0, worker.said
        headers = (("flyscreen-group", pipeline.group.encode()), ("flyscreen-blank", b"1"))
        for name in (f"flyscreen.changelog.{topic}", f"flyscreen.journal.{topic}", pipeline.commands, pipeline.results):
            sender.send(Record(name, None, None, headers), partition=0)
        sender.flush()
    run = pipeline.run("replay", "--topic", topic, "--compare", *pipeline.flags())
    assert run.returncode == 0, run.stderr + run.stdout


def test_a_room_larger_than_any_record_is_written_and_restored(make_pipeline):
    """75,000 streaks, which are remembered for ten minutes: as one record they were more than any topic takes."""
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    # Shown combos are forgotten soon; the streaks are not.
    settings = {
        "gift.enterMs": 0, "gift.tickMs": 10, "gift.holdMs": 0, "gift.tiers": "", "gift.exitMs": 0, "gift.comboWindowMs": 0,
        "worker.checkpointMs": 1000,
    }
    worker = pipeline.worker(**settings)
    sender = Sender(pipeline.broker.address, "lz4", **{"queue.buffering.max.messages": 200_000})

    def start(number):
        return json_record(topic, gift("", "r1", "7", streakId=f"{number}-".ljust(250, "x")))

    def drawn():
        commands = [json.loads(record.value()) for record in read_all(pipeline.broker.address, pipeline.commands)]
        return sum(command["giftHide"]["count"] for command in commands if "giftHide" in command)

    for first in range(0, 75_000, 5000):
        sender.send(*(start(number) for number in range(first, first + 5000)), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    wait_for("all gifts to be drawn", lambda: drawn() == 75_000, every=0.5)
    wait_for("the room to be in the changelog", lambda: pipeline.committed_metadata(topic)["applyFrom"] == 75_000)
    assert worker.metric("flyscreen_transactions_total", outcome="failed") == 0
    worker.kill()
    state = [r for r in read_all(pipeline.broker.address, f"flyscreen.changelog.{topic}") if r.key() == b"r1"]
    assert max(len(record.value()) for record in state) < 64 << 10 < 16 << 20 < sum(len(r.value()) for r in state)

    worker = pipeline.worker(**settings)
    assert worker.metric("flyscreen_restores_inexact_total") == 0
    # All are remembered: of these three one is new.
    sender.send(start(0), start(74_999), start(75_000), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    wait_for("the new one to be drawn", lambda: drawn() > 75_000, every=0.2)
    assert worker.terminate() == 0, worker.said
    assert drawn() == 75_001
