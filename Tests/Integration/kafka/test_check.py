"""`flyscreen check` finds what would stop a fleet."""

import re

from process import Program


def check(pipeline, environment=None, **settings):
    program = Program(
        pipeline.binary, ["check", *pipeline.flags(**settings)], environment, name="check")
    status = program.wait(120)
    return status, [re.split(r"  +", line, maxsplit=1) for line in program.output]


def test_it_names_what_is_wrong(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    status, lines = check(pipeline, gateway_events="on")
    assert status == 0, lines
    assert lines[0][0] == "ok" and pipeline.broker.address in lines[0][1]
    assert any(verdict == "ok" and what.startswith("no transaction hangs in ") for verdict, what in lines), lines
    assert any(verdict == "ok" and "kafka.session.timeout.ms 6000" in what for verdict, what in lines), lines
    assert any(verdict == "warning" and "anybody can send" in what for verdict, what in lines), lines

    pipeline.change_topic(pipeline.commands, "max.message.bytes", "20000")
    status, lines = check(
        pipeline, {"GIFT_LANSE": "3", "GIFTED_CHILDREN": "2"}, kafka_session_timeout_ms=100,
        gateway_auth_keys="/no/such", gateway_partitions=1)
    assert status == 64
    told = {verdict: [what for each, what in lines if each == verdict] for verdict, _ in lines}
    keys, short, share, session = told["wrong"]
    assert "gateway.auth.keys names a folder of keys" in keys
    assert share.startswith(f"gateway.partitions has 1, and {pipeline.commands} has the partitions 0…0")
    assert re.search(rf"{pipeline.commands} has max.message.bytes=20000.*--add-config max.message.bytes=\d+", short)
    assert "kafka.session.timeout.ms is 100, and brokers take no less than 500" in session
    warning, = told["warning"]
    assert warning == "GIFT_LANSE in the environment has no effect; the setting nearest to it is GIFT_LANES"


def test_it_names_an_input_whose_batches_may_be_too_large_unpacked(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs

    def told(**settings):
        _, lines = check(pipeline, **settings)
        return [what for verdict, what in lines if verdict == "warning" and "snappy" in what]

    assert not told()
    assert topic in told(kafka_fetch_unpacked_max_bytes=2_000_000)[0]


def test_a_fleet_with_an_input_of_its_own_may_write_where_the_usual_one_does(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("vip",))
    _, lines = check(pipeline, topics_commands="render.commands")
    assert not any("viewers see everything twice" in what for _, what in lines), lines
    _, lines = check(pipeline, topics_commands="render.commands", topics_input="im.gifts")
    assert any("viewers see everything twice" in what for _, what in lines), lines
