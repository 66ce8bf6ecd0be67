"""Three brokers, of which one hears late of topics that are new, and is asked about them."""

import contextlib

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from pipeline import Pipeline
from process import Program, end_all
from test_leader_away import connections_to
from waiting import LIMIT, free_port, wait_for

LAGS = 3


@pytest.fixture
def broker(three):
    return three


@pytest.fixture
def fresh(binary, three, request, tmp_path):
    """A pipeline whose topics one of the brokers hasn't heard of once it answers."""
    name = request.node.name.removeprefix("test_").replace("_", "-")
    pipeline = Pipeline(binary, three, name, tmp_path, partitions=2, inputs=("gifts",))
    gifts = pipeline.inputs[0]
    topics = [pipeline.commands, pipeline.results, gifts, f"{gifts}.dlq",
              f"flyscreen.changelog.{gifts}", f"flyscreen.journal.{gifts}"]
    others = ",".join(three.address.split(",")[:LAGS - 1])

    def make():
        """A client may turn to the broker that is frozen; another may not."""
        admin = AdminClient({"bootstrap.servers": others, "log_level": 0})
        made = admin.create_topics(
            [NewTopic(topic, 2, 2, config={"message.timestamp.type": "LogAppendTime"}) for topic in topics],
            request_timeout=4)
        try:
            return [answer.result(LIMIT) for answer in made.values()]
        except KafkaException as refusal:
            return "already exists" in str(refusal)

    @contextlib.contextmanager
    def ask(*arguments):
        """Runs a program that has asked that broker before it hears of them."""
        with three.frozen(LAGS):
            wait_for("the topics to be made", make)
            port = three.port + LAGS - 1
            program = Program(
                binary, [*arguments, *pipeline.words({"kafka.bootstrap.servers": f"127.0.0.1:{port}"})],
                environment={"TOPICS_HELPERS": "flyscreen", "KAFKA_GROUP_ID": pipeline.group}, name=arguments[0])
            wait_for("it to ask", lambda: connections_to(program.pid, port))
        yield program

    pipeline.ask = ask
    yield pipeline
    end_all()
    pipeline.close()


def test_check_says_what_is_so(fresh):
    topics = {name: value for name, value in fresh.settings.items() if name.startswith("topics.")}
    with fresh.ask("check", *fresh.words(topics)) as check:
        assert check.wait() == 0, check.said


def test_send_finds_it(fresh):
    with fresh.ask("send", "tap", "--room", "r1", "--user", "7", "--topics.produce.tap", fresh.inputs[0]) as send:
        assert send.wait() == 0, send.said


def test_tail_finds_it(fresh):
    with fresh.ask("tail", "--topics.commands", fresh.commands) as tail:
        worker = fresh.worker()

        def is_shown():
            """One that is sent before it reads is not."""
            fresh.run("send", "gift", "--room", "r1", "--user", "7", "--name", "n7", "--gift", "rose",
                      "--topics.produce.gift", fresh.inputs[0])
            assert tail.is_running, tail.said
            return tail.output

        wait_for("tail to show a gift", is_shown)
        assert tail.terminate() == 0 and worker.terminate() == 0, tail.said


def test_record_finds_it(fresh, tmp_path):
    with fresh.ask("record", "--topic", fresh.inputs[0], "--output", str(tmp_path / "log.ndjson")) as record:
        assert record.wait() == 0, record.said


def test_a_worker_begins(fresh):
    flags = [word for word in fresh.flags(worker_http_port=free_port()) if word]
    at = flags.index("--kafka.bootstrap.servers")
    del flags[at:at + 2]
    with fresh.ask("worker", *flags) as worker:
        worker.error_matching("message=restored")
        assert worker.terminate() == 0, worker.said
