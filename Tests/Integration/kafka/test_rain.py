"""Rains in which very many grab."""

import itertools
import random

from committed import read_all
from crowd import json_record
from sending import Sender
from waiting import wait_for

USERS = 60_000
USER_BYTES = 40


def grabs(topic, users, round):
    for number, user in enumerate(users):
        body = {"rainId": "storm:1000000", "packet": 0, "userId": user}
        yield json_record(topic, {"eventId": f"g{round}-{number}", "roomId": "r1", "rainGrab": body})


def test_who_opened_what_is_known_to_the_next_owner_however_many_they_are(make_pipeline, seed):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    settings = {"rain_fallMinMs": 600_000, "worker_checkpointMs": 1000}
    worker = pipeline.worker(**settings)
    reader = pipeline.reader
    sender = Sender(pipeline.broker.address, "lz4", **{"queue.buffering.max.messages": 200_000})
    rain = {"rainId": "storm:1000000", "durationMs": 500, "countdown": 0, "budget": 1_000_000}
    sender.send(json_record(topic, {"eventId": "r", "roomId": "r1", "rainStart": rain}))
    wait_for("a packet to drop", lambda: any("rainDrop" in command for command in reader.commands))

    pick = random.Random(seed)
    users = [f"{pick.getrandbits(4 * USER_BYTES):0{USER_BYTES}x}" for _ in range(USERS)]
    sender.send(*grabs(topic, users, 1))
    sender.flush()
    pipeline.wait_caught_up()
    changelog = f"flyscreen.changelog.{topic}"
    taps = itertools.count()

    def is_written():
        # The state is written when something happens and it is time for it; on an idle log nothing may.
        tap = {"eventId": f"t{next(taps)}", "roomId": "r1", "tap": {"userId": "1", "x": 1, "y": 1}}
        sender.send(json_record(topic, tap))
        sender.flush()
        return sum(len(record.value()) for record in read_all(pipeline.broker.address, changelog)) > USERS * USER_BYTES

    wait_for("all who opened to be in the changelog", is_written, every=0.5)
    worker.kill()

    worker = pipeline.worker(**settings)
    again = users[::100]
    sender.send(*grabs(topic, again, 2))
    sender.flush()
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    pipeline.check_against_replay()
    assert pipeline.outcomes == {"won": USERS, "again": len(again)}
