"""Everything goes wrong, one after the other or two at once, and nobody notices but for silence: what is committed is
what a replay gives, each command once and in order, every gift has its place, and viewers were told just that.

FLYSCREEN_CHAOS_MINUTES  how long faults go on, one minute by default; from ten on it is a soak, too
FLYSCREEN_SEED           repeats the kinds and the order of the faults
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import time

import pytest

import gifts
from committed import read_all
from faults import Faults
from folding import difference
from proto import Schema
from venue import Venue
from vitals import Vitals, has_grown

ROOT = pathlib.Path(__file__).resolve().parents[3]
MINUTES = float(os.environ.get("FLYSCREEN_CHAOS_MINUTES") or 1)
SOAK_MINUTES = 10
RATE = 200

pytestmark = pytest.mark.kafka


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    return Schema(ROOT / "Schemas/flyscreen.proto", tmp_path_factory.mktemp("schema"))


@pytest.fixture
def venue(binary, schema, seed, tmp_path):
    venue = Venue(binary, tmp_path, MINUTES)
    try:
        yield venue.start(schema, seed, RATE)
    finally:
        venue.close()


def test_faults_without_end(venue, schema, seed, tmp_path):
    venue.wait_well()
    watch, steady = venue.watch, {"worker": venue.workers[None], "gateway": venue.gateways[-1]}
    vitals = Vitals(steady, watch.delay)
    # Two may happen at once, so each has its own random choices.
    faults, beside = (Faults(venue, random.Random(seed + n), tmp_path) for n in range(2))
    silences, end = collections.defaultdict(list), time.monotonic() + 60 * MINUTES
    try:
        for kinds in faults.rounds():
            if time.monotonic() > end:
                break
            watch.forget_silences()
            began = time.monotonic()
            with concurrent.futures.ThreadPoolExecutor() as pool:
                list(pool.map(lambda of, kind: of.kinds[kind](), (faults, beside), kinds))
            mended = time.monotonic()
            venue.wait_well()
            kind = kinds[0] if len(kinds) == 1 else "two at once"
            silences[kind].append(watch.silence())
            print(f"{' and '.join(kinds)}: {mended - began:.1f} s, well {time.monotonic() - mended:.1f} s later; "
                  f"silent for {silences[kind][-1]:.1f} s at most", flush=True)
    finally:
        vitals.stop()
    venue.end()
    events = sum(len(read_all(venue.broker.address, topic)) for topic in venue.crew.inputs)
    differences = found(venue, schema)
    print(table(silences, events, watch.count, differences, vitals, venue.disk.why_not))
    assert not differences, "\n".join(differences[:10])
    if MINUTES >= SOAK_MINUTES:
        assert not [row for row in vitals.rows() if has_grown(*row[1:])]


def found(venue, schema):
    """All that is not as it must be, one a line."""
    crew, watch = venue.crew, venue.watch
    run = crew.run("replay", "--topic", ",".join(crew.inputs), "--compare", "--all",
                   "--kafka.group.id", crew.group, "--topics.commands", crew.commands, "--topics.results", crew.results)
    lines = [] if run.returncode == 0 else (run.stdout + run.stderr).splitlines()[:20]
    crew.check_against_replay()
    records = [record for topic in crew.inputs for record in read_all(crew.broker.address, topic)]
    sent = gifts.sent(records, {place_of(record) for record in crew.dead_letters()}, schema.json_form)
    told = gifts.told(watch.commands)
    lines += [f"{room}: {sent[room]} gifts were sent, and {told[room]} told" for room in sorted(sent.keys() | told.keys())
              if sent[room] != told[room]]
    for viewer in venue.viewers:
        commands = [json.loads(line) for line in watch.rooms[viewer.room]]
        tellers = {"a viewer": viewer.told} | {name: library.told(viewer.room) for name, library in venue.libraries.items()}
        lines += [f"{name}: {one}" for name, told in tellers.items() if (one := difference(viewer.room, told, commands))]
    return lines


def place_of(letter):
    headers = dict(letter.headers())
    return (headers["flyscreen-topic"].decode(), int(headers["flyscreen-partition"]), int(headers["flyscreen-offset"]))


def table(silences, events, commands, differences, vitals, why_no_disk):
    lines = ["", f"{'fault':<20} {'times':>5}  longest silence of a room, s"]
    lines += [f"{kind:<20} {len(of):>5}  {max(of):.1f}" for kind, of in sorted(silences.items())]
    if why_no_disk:
        lines.append(f"{'disk full':<20} {0:>5}  {why_no_disk}")
    lines += [f"{sum(map(len, silences.values()))} faults, {events} events, {commands} commands, "
              f"{len(differences)} differences", f"{'':<20} first minutes  last minutes"]
    lines += [f"{name + ', ' + what:<20} {first:>13.0f}  {last:>12.0f}" for name, what, first, last in vitals.rows()]
    return "\n".join(lines)
