"""Metrics of a gateway."""

import subprocess

import confluent_kafka
from prometheus_client.parser import text_string_to_metric_families

from open_files import check_open_files
from served import mark
from waiting import LIMIT, wait_for


def families(gateway):
    status, _, text = gateway.ask("/metrics")
    assert status == 200
    return text, {family.name: family.samples for family in text_string_to_metric_families(text)}


def value(gateway, name, **labels):
    samples = [one for family in families(gateway)[1].values() for one in family]
    return sum(one.value for one in samples if one.name == name and labels.items() <= one.labels.items())


def test_all_that_can_be_counted_is_there_from_the_start(make_gateway, commands, prometheus_tools):
    gateway = make_gateway("--gateway.threads", "2")
    text, samples = families(gateway)
    assert {one.labels["reason"] for one in samples["flyscreen_gateway_records_skipped"]} == {
        "not_understood", "unknown_kind", "misplaced"}
    assert {one.labels["reason"] for one in samples["flyscreen_unready"]} == {
        "broker_away", "refused", "reading_back", "topic_gone", "shutting_down"}
    assert {one.labels["thread"] for one in samples["flyscreen_thread_cpu_seconds"]} == {"feed", "loop 0", "loop 1"}
    assert all(one.value == 0 for one in samples["flyscreen_gateway_refused"]) and len(samples["flyscreen_gateway_refused"]) > 10
    for name in ("flyscreen_ready", "flyscreen_broker_reachable", "flyscreen_build_info"):
        assert value(gateway, name) == 1, name
    check = subprocess.run([prometheus_tools / "promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    assert (check.returncode, check.stdout, check.stderr) == (0, "", "")

    stream = gateway.stream("watched")
    number, = commands.send("watched")
    stream.read_until(mark(number))
    assert value(gateway, "flyscreen_gateway_delay_seconds_count") >= 1
    wait_for("the loops' delays", lambda: value(gateway, "flyscreen_gateway_loop_delay_seconds_count") >= 2)
    wait_for("librdkafka's own", lambda: value(gateway, "flyscreen_kafka_connections", client="commands") == 1)
    assert value(gateway, "flyscreen_thread_cpu_seconds_total", thread="feed") > 0
    assert gateway.ask("/rooms/watched/nothing")[0] == 404
    assert value(gateway, "flyscreen_gateway_refused_total", reason="not_found") == 1


def test_records_that_say_nothing_are_no_trouble(make_gateway, commands, broker):
    """A worker writes them where it ends a transaction once more."""
    gateway = make_gateway()
    stream = gateway.stream("watched")
    producer = confluent_kafka.Producer({"bootstrap.servers": broker.address, "log_level": 2})
    for topic in ("gateway.commands", "gateway.results"):
        for partition in range(4):
            # The second can't be understood, so all that lie before it have been read once it is counted.
            producer.produce(topic, None, None, partition, headers={"flyscreen-blank": "1"})
            producer.produce(topic, b"nonsense", b"watched", partition)
    assert producer.flush(LIMIT) == 0
    wait_for("the others to be counted", lambda: value(
        gateway, "flyscreen_gateway_records_skipped_total", reason="not_understood") >= 8)
    number, = commands.send("watched")
    stream.read_until(mark(number))
    assert value(gateway, "flyscreen_gateway_records_skipped_total") == 8


def test_a_gateway_at_its_limit_of_open_files_says_so_once(make_gateway):
    gateway = make_gateway("--gateway.threads", "2")
    check_open_files(gateway, lambda: gateway.ask("/healthz")[0] == 200)
