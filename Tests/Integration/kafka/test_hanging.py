"""A transaction that nobody ends is told by worker and gateway, with commands that end it."""

import os
import pathlib
import re
import shlex
import subprocess

import pytest

from crowd import Record, gift, json_record
from hanging import hang, unverified_broker
from pipeline import Pipeline
from process import Program, Worker, end_all
from sending import Sender
from waiting import LIMIT, free_port, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]
# More than the 30 s for which a last stable offset has to stand.
LONG = 90


@pytest.fixture
def pipeline(tmp_path_factory, binary, tmp_path):
    broker = unverified_broker(ROOT / "Tests/Broker/broker", tmp_path_factory.mktemp("unverified") / "kafka").start()
    pipeline = Pipeline(binary, broker, "hanging", tmp_path, partitions=1, inputs=("gifts",))
    yield pipeline.create_topics()
    end_all()
    pipeline.close()
    broker.remove()


class Gateway(Worker):
    def __init__(self, binary, port, settings):
        self.port = port
        Program.__init__(self, binary, ["gateway", "--gateway.http.port", port, *settings], name="gateway")


def transactions(pipeline):
    topics = {name: value for name, value in pipeline.settings.items() if name.startswith("topics.")}
    return pipeline.run("transactions", "--seconds", "1", *pipeline.words(topics))


def run_tool(line):
    """A line that was printed, by the classes of Kafka's scripts."""
    script, *words = shlex.split(line)
    assert script == "kafka-transactions.sh", line
    java = pathlib.Path(os.environ["JAVA_HOME"]) / "bin/java" if os.environ.get("JAVA_HOME") else "java"
    run = subprocess.run(
        [java, "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
         f"-Dlog4j2.configurationFile={ROOT / 'Tests/Broker/log4j2.properties'}", "-cp",
         os.environ["FLYSCREEN_TEST_KAFKA"] + "/libs/*", "org.apache.kafka.tools.TransactionsCommand", *words],
        capture_output=True, text=True, timeout=LIMIT)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_a_transaction_that_hangs_is_told_and_ended_by_the_commands_that_are_told(pipeline):
    topic, = pipeline.inputs
    journal = f"flyscreen.journal.{topic}"
    settings = ["--kafka.bootstrap.servers", pipeline.broker.address, "--topics.commands", pipeline.commands,
                "--topics.results", pipeline.results]
    reader = pipeline.reader
    worker = pipeline.worker(worker_id="a")
    gateway = Gateway(pipeline.binary, free_port(), settings).wait_ready()
    sender = Sender(pipeline.broker.address)
    sender.send(json_record(topic, gift("e1", "r1", "7")), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    healthy = transactions(pipeline)
    assert healthy.returncode == 0 and healthy.stdout.startswith("no transaction hangs in "), healthy

    wait_for("the gift to be off the screen", lambda: any("giftHide" in c for c in reader.commands))
    hidden = sorted((pipeline.commands, journal))
    for name in hidden:
        hang(pipeline.broker.port, name)
    for name in hidden:
        line = worker.error_matching(rf"a transaction hangs.* topic={re.escape(name)} ", limit=LONG)
        told = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', line))
        assert told["partition"] == "0" and int(told["lastStableOffset"]) < int(told["end"]), line
        found = run_tool(told["command"].strip('"'))
        assert "ProducerId" in found, found
    line = gateway.error_matching(rf"a transaction hangs.* topic={re.escape(pipeline.commands)} ", limit=LONG)
    assert "lastStableOffset=" in line and "find-hanging" in line
    for program in (worker, gateway):
        assert program.metric("flyscreen_partitions_hanging", topic=pipeline.commands) == 1
    assert worker.metric("flyscreen_partitions_hanging") == 2

    told = transactions(pipeline)
    assert told.returncode == 1, told
    ids = f"likely {pipeline.group}-a-0 or {pipeline.group}-a-0-b"
    assert re.findall(r"^(\S+) partition 0: readable to \d+, ends at \d+\n  whose:   (.*)$", told.stdout, re.M) == [
        (name, ids) for name in hidden], told.stdout
    ends = re.findall(r"^  end it:  (.*)$", told.stdout, re.M)
    assert len(ends) == 2
    for end in ends:
        run_tool(end)
    after = transactions(pipeline)
    assert after.returncode == 0, after
    for name in hidden:
        worker.error_matching(rf"the last stable offset moves again.* topic={re.escape(name)} ")
    gateway.error_matching("the last stable offset moves again")
    for program in (worker, gateway):
        assert program.metric("flyscreen_partitions_hanging") == 0
    assert worker.terminate() == 0, worker.said
    assert gateway.terminate() == 0, gateway.said


def test_a_restore_names_the_partition_that_it_waits_for(pipeline):
    topic, = pipeline.inputs
    journal = f"flyscreen.journal.{topic}"
    worker = pipeline.worker(worker_id="a")
    sender = Sender(pipeline.broker.address)
    sender.send(json_record(topic, gift("e1", "r1", "7")), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    hang(pipeline.broker.port, journal)
    worker = pipeline.start_worker(worker_id="a")
    line = worker.error_matching("a restore waits for a transaction that hangs", limit=LONG)
    assert f"topic={journal} partition=0" in line and "find-hanging" in line, line
    run_tool(re.search("^  end it:  (.*)$", transactions(pipeline).stdout, re.M)[1])
    worker.wait_ready()
    assert worker.terminate() == 0, worker.said


def test_a_password_that_is_right_again_hides_no_restore_that_hangs(pipeline, tmp_path):
    """`/readyz` tells the one reason while it stands, and then the other."""
    topic, = pipeline.inputs
    journal = f"flyscreen.journal.{topic}"
    broker = pipeline.broker
    password = tmp_path / "password"
    password.write_text("secret")
    worker = pipeline.worker(worker_id="a", **{
        "kafka.bootstrap.servers": broker.guarded_address, "kafka.security.protocol": "SASL_PLAINTEXT",
        "kafka.sasl.mechanism": "PLAIN", "kafka.sasl.username": "flyscreen", "kafka.sasl.password.file": password})
    sender = Sender(broker.address)
    sender.send(json_record(topic, gift("e1", "r1", "7")), partition=0)
    sender.flush()
    pipeline.wait_caught_up()
    hang(broker.port, journal)
    with broker.away():
        broker.set_password("another")

    def told():
        status, why = worker.get("/readyz")
        return "" if status == 200 else why

    wait_for("the refusal to be told", lambda: "refuses us" in told(), LONG)
    password.write_text("another")
    wait_for("the refusal to be over", lambda: "refuses us" not in told(), LONG)
    wait_for(lambda: f"the restore that hangs: {told()}", lambda: "a transaction that hangs" in told(), LONG)
    assert "refuses us" not in told() and journal in told(), told()
    run_tool(re.search("^  end it:  (.*)$", transactions(pipeline).stdout, re.M)[1])
    worker.wait_ready()
    assert worker.metric("flyscreen_unready") == 0
    assert worker.terminate() == 0, worker.said


def test_a_worker_goes_on_behind_a_transaction_of_another(pipeline):
    """A broker that was away, and has lost nothing, is no reason to decide its own once more."""
    topic, = pipeline.inputs
    reader = pipeline.reader
    worker = pipeline.worker()
    sender = Sender(pipeline.broker.address)

    def show(event):
        sender.send(json_record(topic, gift(event, event, "7")), partition=0)
        sender.flush()
        wait_for(f"{event} to be shown", lambda: any(c["roomId"] == event for c in reader.commands), LONG)
        # The last transaction has a dead letter, behind the other's.
        sender.send(Record(topic, b"r1", b"nonsense"), partition=0)
        sender.flush()
        pipeline.wait_caught_up()

    hang(pipeline.broker.port, f"{topic}.dlq")
    for event in ("r1", "r2", "r3"):
        show(event)
        with pipeline.broker.away():
            pass
    show("r4")
    # A look while the broker was away has no answer, and the time counts anew.
    wait_for("the hang to be counted again",
             lambda: worker.metric("flyscreen_partitions_hanging", topic=f"{topic}.dlq") == 1, LONG)
    assert not [line for line in worker.errors if "lost the end of a transaction" in line], worker.said
    run_tool(re.search("^  end it:  (.*)$", transactions(pipeline).stdout, re.M)[1])
    assert worker.terminate() == 0, worker.said
