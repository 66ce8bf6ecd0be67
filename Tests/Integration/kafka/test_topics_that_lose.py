"""Topics that would lose gifts are refused, with the line that mends it."""

import pytest

from process import Program
from waiting import free_port


def refusal(program):
    assert program.wait() == 64, program.said
    return [line for line in program.errors if line.strip()][-1]


def gateway(pipeline, **settings):
    return Program(
        pipeline.binary, ["gateway", "--gateway.http.port", free_port(), "--topics.commands", pipeline.commands,
                          "--topics.results", pipeline.results, *pipeline.words(settings),
                          "--kafka.bootstrap.servers", pipeline.broker.address], name="gateway")


@pytest.mark.parametrize("which", ["inputs", "commands", "results"])
def test_a_compacted_topic(make_pipeline, which):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic = pipeline.inputs[0] if which == "inputs" else getattr(pipeline, which)
    pipeline.change_topic(topic, "cleanup.policy", "compact")
    programs = [pipeline.start_worker()] + ([] if which == "inputs" else [gateway(pipeline)])
    for program in programs:
        line = refusal(program)
        assert f"--entity-name {topic} --add-config cleanup.policy=delete" in line, line
    topics = {name: value for name, value in pipeline.settings.items() if name.startswith("topics.")}
    run = pipeline.run("topics", "create", *pipeline.words(topics))
    assert run.returncode == 1 and "cleanup.policy=delete" in run.stdout, run.stdout


def test_an_input_that_is_not_kept_for_a_restore(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    topic, = pipeline.inputs
    pipeline.change_topic(topic, "retention.ms", "119999")
    line = refusal(pipeline.start_worker())
    assert f"--entity-name {topic} --add-config retention.ms=120000" in line and "dedupe.windowMs" in line, line
    worker = pipeline.worker(worker_checkpointMs=4000)
    assert worker.terminate() == 0


def test_commands_that_are_not_kept_for_a_gateway_that_starts(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    pipeline.change_topic(pipeline.commands, "retention.ms", "30000")
    line = refusal(gateway(pipeline))
    assert f"--entity-name {pipeline.commands} --add-config retention.ms=60000" in line, line
    assert "gateway.lookbackMs" in line
    worker = pipeline.worker()
    assert worker.terminate() == 0, "a worker needs them not so long"
