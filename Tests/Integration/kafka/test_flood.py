"""A room that is flooded gives no more than its lanes and the bar of crowds can show, and loses nothing."""

import random
from collections import defaultdict

from committed import read_all
from crowd import gift, json_record
from sending import Sender
from waiting import wait_for

GIFTS = 20_000
LANES, TICK, ENTER, HOLD, EXIT = 2, 100, 250, 200, 250
# Two gifts are sent, and one kind at a time has a crowd: so some gifts are drawn, some told, some skipped.
SHOW, PACE = 1500, 500
SETTINGS = {
    "gift.lanes": LANES, "gift.tickMs": TICK, "gift.enterMs": ENTER, "gift.holdMs": HOLD, "gift.exitMs": EXIT,
    "gift.queueLimit": 10, "gift.catchUpTicks": 3, "gift.comboWindowMs": 500,
    "crowd.kinds": 1, "crowd.showMs": SHOW, "crowd.paceMs": PACE,
}


def test_20000_gifts_in_a_second(make_pipeline, seed):
    pick = random.Random(seed)
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    reader = pipeline.reader
    worker = pipeline.worker(**SETTINGS)
    gifts = [
        gift(f"e{n}", "r", pick.randrange(150), pick.choice((1, 1, 10)), pick.choice(("rose", "car")))
        for n in range(GIFTS)]
    sent = sum(event["gift"]["count"] for event in gifts)
    sender = Sender(pipeline.broker.address, "lz4", **{"queue.buffering.max.messages": 200_000, "linger.ms": 100})
    sender.send(*(json_record(topic, event) for event in gifts), partition=0)
    sender.flush()
    pipeline.wait_caught_up()

    def accounted():
        """Units by where they went: drawn on lanes, told of crowds, skipped."""
        drawn, told, skipped = defaultdict(int), {}, 0
        for command in reader.commands:
            for body in ("giftBump", "giftHide"):
                if body in command:
                    drawn[command[body]["comboId"]] = command[body]["count"]
            if "crowdShow" in command:
                told[command["crowdShow"]["crowdId"]] = command["crowdShow"]["units"]
            if "skipped" in command:
                assert command["skipped"]["stage"] == "gift"
                skipped += command["skipped"]["units"]
        return sum(drawn.values()), sum(told.values()), skipped

    wait_for(
        lambda: f"all {sent} gifts to be drawn, told or skipped, not {accounted()}",
        lambda: sum(accounted()) >= sent, every=0.2)
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()
    assert sum(accounted()) == sent
    assert all(accounted()), "some of each"

    # A lane has a tick each TICK at most, and a tick one command at most (GiftShow comes again only after 30 s). Each
    # view adds a giftShow and a giftHide and keeps its lane for ENTER, one tick and EXIT at least. Of skips each
    # reason has one a second. The bar is shown again each PACE at most, and for each of its turns.
    times = [command["atMs"] for command in reader.commands]
    span = max(times) - min(times)
    ticks = span // TICK + 1
    views = span // (ENTER + TICK + EXIT) + 1
    bar = span // PACE + 2 * (span // SHOW + 1) + 1
    bound = LANES * (ticks + 2 * views) + 2 * (span // 1000 + 2) + bar
    log = read_all(pipeline.broker.address, topic)
    assert len(log) == GIFTS
    assert len(times) <= bound, f"{len(times)} commands in {span} ms, where {bound} are possible"
    assert len(times) < GIFTS / 10
