"""What released versions have written is read, and gives what it gave (`kept.py` says what there is)."""

import json

import confluent_kafka
import pytest

import kept
from broker import Broker
from committed import read_all
from process import end_all
from test_versions import commit


@pytest.fixture(scope="module", params=kept.VERSIONS, ids=lambda folder: folder.name)
def folder(request):
    return request.param


@pytest.fixture(scope="module")
def laid(folder, binary, tmp_path_factory):
    """The topics and the group of the version, on a broker of their own: each version gave them the same names."""
    broker = Broker(kept.ROOT / "Tests/Broker/broker", tmp_path_factory.mktemp("kept") / "kafka")
    of = kept.pipeline(binary, broker.start(), tmp_path_factory.mktemp("kept"))
    try:
        kept.lay(broker.address, folder)
        commit(of, [confluent_kafka.TopicPartition(place["topic"], 0, place["offset"], place["metadata"])
                    for place in json.loads((folder / "group.json").read_text())])
        yield of
        of.close()
    finally:
        end_all()
        broker.remove()


@pytest.mark.parametrize("log, replay", [
    ("log.ndjson.gz", "replay"), ("log.ndjson.zst", "replay"), ("from.ndjson", "replay-from")])
def test_a_saved_log_gives_the_same_commands(folder, binary, log, replay):
    expected = kept.read(folder / f"{replay}.ndjson.gz")
    assert len(expected) > 20 and kept.replayed(binary, folder / log) == expected


def test_its_settings_are_taken(folder, binary):
    now = kept.settings(binary, folder).splitlines()
    then = (folder / "settings.txt").read_text().splitlines()
    # There may be more by now.
    assert len(then) > 100 and not set(then) - set(now), set(then) - set(now)


def test_streams_and_tokens_are_taken(folder, laid):
    """A stream that began with the version's own gateway goes on; what comes next a worker adds that goes on, too."""
    then = json.loads((folder / "stream.json").read_text())
    gateway = kept.gateway(laid, "--gateway.auth.keys", folder / "keys")
    tokens = json.loads((folder / "tokens.json").read_text())
    for token in tokens:
        bearer = {"Authorization": f"Bearer {token['token']}"}
        assert gateway.ask(f"/rooms/{token['not']}/commands", **bearer)[0] == 403
    by = [f"Authorization: Bearer {tokens[0]['token']}"]
    with kept.stream(gateway, *by, f"Last-Event-ID: {then[0]['id']}") as first:
        worker = laid.worker(**kept.WORKER, gift_lanes=3)
        laid.wait_caught_up()
        assert worker.terminate() == 0, worker.said
        assert not [line for line in worker.errors if "inexact" in line or "damaged" in line], worker.said
        told = kept.events(first, len(then) - 1)
        assert kept.by_log(event["data"] for event in told) == kept.by_log(event["data"] for event in then[1:])
        place = len(told) // 2
    for token in tokens:
        by = [f"Authorization: Bearer {token['token']}"]
        with kept.stream(gateway, *by, f"Last-Event-ID: {told[place]['id']}") as again:
            assert kept.events(again, len(told) - place - 1) == told[place + 1:]


def test_a_worker_goes_on_from_there(folder, laid):
    """It has by now, for the streams."""
    for topic, name in ((laid.commands, "commands"), (laid.results, "results")):
        expected = kept.read(folder / f"{name}.ndjson.gz")
        published = [record.value() for record in read_all(laid.broker.address, topic)]
        assert expected and kept.by_log(published[-len(expected):]) == kept.by_log(expected)


def test_changelog_and_journal_tell_what_was_published(folder, laid):
    """From the beginning, and from savepoints in the middle."""
    for words in ([], ["--from", json.loads((folder / "middle.json").read_text())]):
        done = laid.run("replay", "--topic", ",".join(laid.inputs), *words, "--compare", "--topics.commands", laid.commands,
                        "--topics.results", laid.results)
        assert done.returncode == 0, done.stdout + done.stderr
