"""`explain`, on logs that lost their beginnings, says as much as on the whole log, or that it can't tell."""

import json
import random
import re
import time
from concurrent.futures import ThreadPoolExecutor

import confluent_kafka
from confluent_kafka.admin import AdminClient

from committed import read_all
from crowd import gift, json_record
from waiting import LIMIT

CHUNKS, EACH, STEPS, ASKED = 16, 12, 5, 14
WINDOW_MS = 2000
# A broker looks half a minute after its start which records are older than it keeps them.
BEGAN = int(time.time() - 3600) * 1000
# Words about what came before the part of the log that is left: an answer may say less of it, but nothing different.
FORGOTTEN = re.compile(
    r"which was there when this piece of the log began|one before this piece of the log")
OTHER = re.compile(r"the id came before with another kind or user, so it is no duplicate: \S+/(\d+) was:")


def events(pick, number):
    """One of a room, with its id."""
    user = str(pick.randrange(5))
    id, sender = f"e{number}", {"userId": user, "name": f"n{user}"}
    kind = pick.choices(("gift", "again", "wish", "like", "tap", "retract", "spot"), (12, 2, 4, 2, 2, 1, 1))[0]
    if kind in ("gift", "again"):
        id = id if kind == "gift" else f"e{max(0, number - pick.randrange(1, 4))}"
        return id, gift(id, "r1", user, count=pick.randrange(1, 12), gift_id=pick.choice(("rose", "car")))
    body = {
        "wish": {"wish": {"sender": sender, "text": f"hi {number}", "wishId": f"w{number}"}},
        "like": {"wishLike": {"userId": user, "wishId": f"w{max(0, number - pick.randrange(1, 9))}"}},
        "tap": {"tap": {"userId": user, "x": 1, "y": 2}},
        "retract": {"retract": {"userId": user, "muteMs": pick.choice((0, 4000))}},
        "spot": {"spot": {"sender": sender, "spotId": f"s{number}", "content": "{}", "durationMs": 2000}},
    }[kind]
    return id, {"eventId": id, "roomId": "r1"} | body


def plain(answer):
    """The answer without the times of publishing, which are no longer known once commands are gone."""
    if isinstance(answer, dict):
        return {name: plain(value) for name, value in answer.items() if name != "publishedMs"}
    if isinstance(answer, list):
        return [plain(item) for item in answer
                if not (isinstance(item, dict) and item.get("name") == "published")
                and not (isinstance(item, str) and item.startswith(("LATE: ", "NOT COMPARED: ")))]
    return answer


def test_what_is_told_with_status_0_is_what_the_whole_log_tells(make_pipeline, seed):
    pick = random.Random(seed)
    pipeline = make_pipeline(partitions=1, inputs=("a", "b", "c"))
    # By offset: of all topics the same.
    times = []
    for topic in pipeline.inputs:
        pipeline.change_topic(topic, "message.timestamp.type", "CreateTime")
    worker = pipeline.worker(
        topics_timestamps="any", dedupe_windowMs=WINDOW_MS, gift_lanes=2, wish_tracks=1, worker_checkpointMs=200)
    producer = confluent_kafka.Producer({"bootstrap.servers": pipeline.broker.address, "linger.ms": 0})
    ids = {topic: [] for topic in pipeline.inputs}
    now = BEGAN
    for chunk in range(CHUNKS):
        for n in range(EACH):
            now += pick.randrange(20, 900)
            for topic in pipeline.inputs:
                id, event = events(pick, chunk * EACH + n)
                record = json_record(topic, event)
                producer.produce(record.topic, record.value, record.key, timestamp=now)
                ids[topic].append(id)
            times.append(now)
        producer.flush(LIMIT)
        pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    commands = {topic: [] for topic in pipeline.inputs}
    for record in read_all(pipeline.broker.address, pipeline.commands):
        name = json.loads(record.value())["id"]
        commands[name.split("/")[0]].append(name)

    def ask(topic, question):
        run = pipeline.run(
            "explain", "--room", "r1", "--topic", topic, "--json", *question, "--topics.commands", pipeline.commands)
        if run.returncode == 1:
            return run.stderr
        assert run.returncode in (0, 3), (question, run)
        said = json.loads(run.stdout)
        assert said["exact"] == (run.returncode == 0) == (not said["cantTell"]), run
        assert "answer" in said or not said["exact"], run
        return said

    def iso(ms):
        return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ms // 1000)) + f".{ms % 1000:03d}Z"

    questions = {
        topic: [("--event", id) for id in pick.sample(sorted(set(ids[topic])), 12)]
        + [(name,) for name in pick.sample(commands[topic], 8)]
        + [("--at", iso(at + pick.randrange(5000))) for at in pick.sample(times, 3)]
        + [("--user", "3")]
        for topic in pipeline.inputs}
    admin = AdminClient({"bootstrap.servers": pipeline.broker.address})
    told = untold = 0
    with ThreadPoolExecutor(3) as pool:
        asked = [(topic, question) for topic in pipeline.inputs for question in questions[topic]]
        whole = dict(zip(asked, pool.map(lambda one: ask(*one), asked)))
        for (topic, question), said in whole.items():
            assert isinstance(said, dict) and said["exact"], (topic, question, said)
        kinds = {
            topic: pick.sample(((topic,), (f"flyscreen.journal.{topic}",), (f"flyscreen.changelog.{topic}",),
                                (topic, f"flyscreen.journal.{topic}"), (f"flyscreen.changelog.{topic}", topic),
                                (f"flyscreen.journal.{topic}", f"flyscreen.changelog.{topic}")), 6)
            for topic in pipeline.inputs}
        first = {}
        for step in range(STEPS):
            for topic in pipeline.inputs:
                for log in kinds[topic][step] + ((pipeline.commands,) if step % 2 else ()):
                    low, high = sender_offsets(pipeline, log, first)
                    # The first steps leave most, so that there is something to tell.
                    first[log] = low + pick.randrange(1 + (high - low) // (STEPS + 1 - step))
                    place = confluent_kafka.TopicPartition(log, 0, first[log])
                    admin.delete_records([place])[place].result()
            check = pipeline.run("check", *pipeline.flags(), limit=LIMIT).stdout
            for topic in pipeline.inputs:
                if not any(f"flyscreen.{log}.{topic}" in first for log in ("journal", "changelog")):
                    exact = min(exact_from(check, topic), len(times) - 1)
                    assert times[exact] - times[first.get(topic, 0)] <= WINDOW_MS + 30_000, (topic, first, check)
            asked = [(topic, question) for topic in pipeline.inputs
                     for question in pick.sample(questions[topic], ASKED)]
            for (topic, question), said in zip(asked, pool.map(lambda one: ask(*one), asked)):
                about = f"{question} of {topic} after step {step} (seed {seed}), {first}"
                expected, left = whole[topic, question], first.get(topic, 0)
                if isinstance(said, str):
                    # The records themselves are gone.
                    untold += 1
                    assert all(offset < left for offset in offsets_of(topic, question, expected)), (about, said)
                elif said["exact"]:
                    told += 1
                    check_same(plain(left_of(expected["answer"], left)), plain(said["answer"]), about)
                else:
                    untold += 1
                    exact = exact_from(check, topic)
                    offsets = offsets_of(topic, question, expected)
                    # The answer has what is exact, and nothing else.
                    # What a user did in records that are gone is not known.
                    assert not offsets or min(offsets) < exact or question[0] == "--user" and left > 0, about
                    if "answer" in said:
                        check_same(plain(left_of(expected["answer"], exact)), plain(said["answer"]), about)
    assert told > 30 and untold > 30, (told, untold)
    assert told + untold == 3 * STEPS * ASKED >= 200


def sender_offsets(pipeline, log, first):
    consumer = confluent_kafka.Consumer({"bootstrap.servers": pipeline.broker.address, "group.id": "law"})
    try:
        low, high = consumer.get_watermark_offsets(confluent_kafka.TopicPartition(log, 0), LIMIT)
    finally:
        consumer.close()
    return max(low, first.get(log, 0)), high


def exact_from(check, topic):
    """The record from which on all is known exactly, as `check` says; none: infinity."""
    line = next((line for line in check.splitlines() if f"{topic}[0] is known exactly from offset " in line), None)
    if line:
        return int(re.search(r"exactly from offset (\d+)", line)[1])
    return 0 if f"of {topic} 1 partitions are known exactly" in check else float("inf")


def check_same(whole, told, about):
    whole, told = json.dumps(whole, ensure_ascii=False), json.dumps(told, ensure_ascii=False)
    if FORGOTTEN.search(told) and not FORGOTTEN.search(whole):
        return
    first = next((n for n, (one, other) in enumerate(zip(told, whole)) if one != other), min(len(told), len(whole)))
    part = slice(max(0, first - 200), first + 200)
    assert told == whole, f"{about}: …{told[part]}…, the whole log: …{whole[part]}…"


def left_of(answer, first):
    """The answer with only the events whose records are still there."""
    if "events" not in answer:
        return answer
    events = [event for event in answer["events"] if int(event["record"].split("/")[2]) >= first]
    return answer | {"events": without_gone(events, first)}


def without_gone(answer, first):
    """The answer without the lines about events whose records are gone."""
    if isinstance(answer, dict):
        return {name: without_gone(value, first) for name, value in answer.items()}
    if isinstance(answer, list):
        return [without_gone(item, first) for item in answer if not (
            isinstance(item, dict) and (other := OTHER.match(item.get("words", ""))) and int(other[1]) < first)]
    return answer


def offsets_of(topic, question, whole):
    """The offsets of the records that a question is about; of a moment: none."""
    if question[0] == "--at":
        return []
    if question[0].startswith(topic):
        return [int(question[0].split("/")[2])]
    return [int(event["record"].split("/")[2]) for event in whole["answer"]["events"]]
