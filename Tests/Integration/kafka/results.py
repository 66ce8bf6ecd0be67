"""Results of grabs: each grab has one, under its user's key, and no rain pays more than its budget."""

import collections
import json

from committed import murmur2


def by_user(lines):
    """The results of each user and log, in their order: between logs there is none."""
    streams = collections.defaultdict(list)
    for line in lines:
        result = json.loads(line)
        streams[result["userId"], result["id"].rsplit("/", 1)[0]].append(line)
    return streams


def check_results(records, replayed, partitions):
    """Holds what is committed in the topic of results against what the log and its journal give. Returns how many there
    are of each outcome."""
    published = [record.value() for record in records]
    for record in records:
        assert record.key().decode() == json.loads(record.value())["userId"] and not record.headers()
        assert record.partition() == murmur2(record.key()) % partitions
    ours, theirs = by_user(published), by_user(replayed)
    for stream in sorted(ours.keys() | theirs.keys()):
        assert ours[stream] == theirs[stream], f"{stream}: published {ours[stream]}, replayed {theirs[stream]}"
    check_rains([json.loads(line) for line in published])
    return collections.Counter(json.loads(line)["outcome"] for line in published)


def check_rains(results):
    ids = [result["id"] for result in results]
    assert len(ids) == len(set(ids)), "a grab has two results"
    opened, paid = {}, collections.Counter()
    for result in results:
        rain = result["roomId"], result["rainId"]
        grab = *rain, result["packet"], result["userId"]
        if result["outcome"] == "again":
            assert result["coins"] == opened[grab], f"not what it paid, {opened[grab]}: {result}"
            continue
        assert (result["coins"] > 0) == (result["outcome"] == "won"), result
        if result["outcome"] == "missed":
            continue
        assert grab not in opened, f"opened twice: {result}"
        opened[grab] = result["coins"]
        paid[rain] += result["coins"]
    for (room, rain), coins in paid.items():
        # An audience of the program's own tells no budget in its ids.
        if ":" in rain:
            assert coins <= int(rain.rsplit(":", 1)[1]), f"{rain} of {room} paid {coins}"
