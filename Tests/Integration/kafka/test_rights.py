"""A password or a right that is taken away for a while: whoever has worked says so once, and goes on by itself."""

import contextlib
import pathlib

import pytest
from confluent_kafka.admin import (
    AclBinding, AclBindingFilter, AclOperation, AclPermissionType, AdminClient, ResourcePatternType, ResourceType)

from broker import Broker
from crowd import Crowd
from pipeline import Pipeline
from process import Program, Server, end_all
from sending import Traffic
from test_broker_away import HASTY, wait_until_quiet
from waiting import LIMIT, free_port, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]
USER = "User:flyscreen"
# Clients without a password may do all; flyscreen may do what it was given.
GUARDED = (
    "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer", "super.users=User:ANONYMOUS")


@pytest.fixture(scope="module")
def guarded_broker(tmp_path_factory):
    broker = Broker(ROOT / "Tests/Broker/broker", tmp_path_factory.mktemp("guarded") / "kafka", *GUARDED)
    try:
        yield broker.start()
    finally:
        broker.remove()


class Rights:
    def __init__(self, broker):
        self._admin = AdminClient({"bootstrap.servers": broker.address, "log_level": 2})

    def give(self, kind, name, operation, pattern=ResourcePatternType.LITERAL):
        binding = AclBinding(kind, name, pattern, USER, "*", operation, AclPermissionType.ALLOW)
        self._admin.create_acls([binding])[binding].result(LIMIT)

    def take(self, kind, name, operation, pattern=ResourcePatternType.LITERAL):
        which = AclBindingFilter(kind, name, pattern, USER, "*", operation, AclPermissionType.ALLOW)
        assert self._admin.delete_acls([which])[which].result(LIMIT), "there was no such right"

    @contextlib.contextmanager
    def without(self, *right):
        self.take(*right)
        try:
            yield
        finally:
            self.give(*right)


@pytest.fixture
def secured(guarded_broker, binary, request, tmp_path, seed, schema):
    """A pipeline whose worker has a name, a password in a file, and rights of its own."""
    name = request.node.name.removeprefix("test_").replace("_", "-").replace("[", "-").replace("]", "")[:60]
    pipeline = Pipeline(binary, guarded_broker, name, tmp_path, partitions=2).create_topics()
    pipeline.password = tmp_path / "password"
    pipeline.password.write_text("secret\n")
    pipeline.login = {
        "kafka.bootstrap.servers": guarded_broker.guarded_address, "kafka.security.protocol": "SASL_PLAINTEXT",
        "kafka.sasl.mechanism": "PLAIN", "kafka.sasl.username": "flyscreen",
        "kafka.sasl.password.file": pipeline.password}
    pipeline.rights = Rights(guarded_broker)
    outputs = [pipeline.commands, pipeline.results] + [
        topic for i in pipeline.inputs for topic in (f"flyscreen.changelog.{i}", f"flyscreen.journal.{i}", f"{i}.dlq")]
    for topic in (*pipeline.inputs, *outputs):
        for operation in (AclOperation.DESCRIBE_CONFIGS, AclOperation.READ, AclOperation.WRITE):
            pipeline.rights.give(ResourceType.TOPIC, topic, operation)
    pipeline.rights.give(ResourceType.GROUP, pipeline.group, AclOperation.READ)
    pipeline.rights.give(
        ResourceType.TRANSACTIONAL_ID, f"{pipeline.group}-", AclOperation.WRITE, ResourcePatternType.PREFIXED)
    pipeline.crowd = Crowd(seed, pipeline.inputs, schema)
    yield pipeline
    end_all()
    pipeline.close()


def start_gateway(pipeline):
    port = free_port()
    words = pipeline.words(
        pipeline.login | {"topics.commands": pipeline.commands, "topics.results": pipeline.results,
                          "gateway.http.port": port})
    return Server(pipeline.binary, ["gateway", *words], port)


def goes_on(reader):
    wait_for("commands", lambda count=reader.count: reader.count > count + 200)


def times(program, pattern):
    return sum(pattern in line for line in program.errors)


@pytest.mark.parametrize("what", ["input", "commands", "changelog", "group", "transaction"])
def test_a_right_that_is_taken_away(secured, what):
    reader = secured.reader
    topic = secured.inputs[0]
    right, name = {
        "input": ((ResourceType.TOPIC, topic, AclOperation.READ), topic),
        "commands": ((ResourceType.TOPIC, secured.commands, AclOperation.WRITE), secured.commands),
        "changelog": ((ResourceType.TOPIC, f"flyscreen.changelog.{topic}", AclOperation.WRITE),
                      f"flyscreen.changelog.{topic}"),
        "group": ((ResourceType.GROUP, secured.group, AclOperation.READ), f"group {secured.group}"),
        "transaction": (
            (ResourceType.TRANSACTIONAL_ID, f"{secured.group}-", AclOperation.WRITE, ResourcePatternType.PREFIXED),
            f"transactional id {secured.group}-"),
    }[what]
    # All of its members are refused, and say it once until they can go on.
    worker = secured.worker("--members", 3, **secured.login)
    with Traffic(secured.broker.address, secured.crowd, rate=300):
        goes_on(reader)
        with secured.rights.without(*right):
            assert name in worker.error_matching("the broker refuses us"), worker.said
        goes_on(reader)
    worker.wait_ready()
    assert times(worker, "the broker refuses us") == times(worker, "accepts our credentials"), worker.said
    secured.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    secured.check_against_replay()


def test_a_gateway_whose_right_is_taken_away(secured):
    reader = secured.reader
    worker = secured.worker(**{"kafka.bootstrap.servers": secured.broker.address})
    gateway = start_gateway(secured)
    gateway.error_matching("the gateway has read back its commands and is ready")
    with Traffic(secured.broker.address, secured.crowd, rate=300):
        goes_on(reader)
        with secured.rights.without(ResourceType.TOPIC, secured.commands, AclOperation.READ):
            assert secured.commands in gateway.error_matching("the broker refuses us")
            # Balancers and alerts hear of it; those who are there already are served on.
            wait_for("it to be not ready", lambda: gateway.get("/readyz")[0] == 503)
            assert secured.commands in gateway.get("/readyz")[1]
            assert gateway.metric("flyscreen_unready", reason="refused") == 1
            assert gateway.get("/rooms")[0] == 200
        gateway.error_matching("the gateway's credentials and rights again")
        gateway.wait_ready()
    assert times(gateway, "the broker refuses us") == 1, gateway.said
    assert gateway.terminate() == 0, gateway.said
    assert worker.terminate() == 0, worker.said


def test_a_right_that_was_never_given_ends_a_worker(secured):
    with secured.rights.without(ResourceType.TOPIC, secured.commands, AclOperation.WRITE), \
            Traffic(secured.broker.address, secured.crowd, rate=100):
        worker = secured.start_worker("--members", 3, **secured.login)
        assert worker.wait() == 64, worker.said
        assert secured.commands in worker.errors[-1], worker.said
        assert times(worker, secured.commands) == 1, worker.said


def test_a_worker_some_of_whose_members_need_no_producer_has_no_right_to_one(secured):
    """They are ready; the others are not, so it is set up wrongly all the same."""
    right = (ResourceType.TRANSACTIONAL_ID, f"{secured.group}-", AclOperation.WRITE, ResourcePatternType.PREFIXED)
    with secured.rights.without(*right):
        worker = secured.start_worker("--members", secured.partitions + 2, **secured.login)
        assert worker.wait() == 64, worker.said
        assert f"transactional id {secured.group}-" in worker.errors[-1], worker.said


def check(secured, *more):
    words = secured.words(secured.settings | secured.login)
    return Program(secured.binary, ["check", *words, *more], name="check")


def test_a_check_of_what_is_well(secured):
    # A gateway reads what a worker writes.
    program = check(secured)
    assert program.wait() == 0, program.said
    assert not program.errors
    assert any(line.startswith("ok ") and f"{secured.commands} can be written" in line for line in program.output)
    assert any(line.startswith("not checked ") and secured.group in line for line in program.output)
    assert not [line for line in program.output if line.startswith("wrong ")], program.output
    assert secured.reader.count == 0 and secured.members() == []


def test_a_check_says_all_that_is_wrong_at_once(secured):
    gifts, wishes = secured.inputs
    secured.rights.take(ResourceType.TOPIC, secured.commands, AclOperation.WRITE)
    secured.rights.take(ResourceType.TOPIC, secured.results, AclOperation.WRITE)
    secured.rights.take(ResourceType.TOPIC, gifts, AclOperation.READ)
    secured.rights.take(ResourceType.GROUP, secured.group, AclOperation.READ)
    secured.change_topic(wishes, "message.timestamp.type", "CreateTime")
    program = check(secured)
    assert program.wait() == 64, program.said
    assert len(program.errors) == 1, program.said
    wrong = [line for line in program.output if line.startswith("wrong ")]
    for what in (f"{secured.commands} can't be written", f"{secured.results} can't be written",
                 f"{gifts} can't be", f"the group {secured.group}", f"{wishes} has message.timestamp.type=CreateTime"):
        assert [line for line in wrong if what in line], (what, program.output)
    assert any(f"{wishes} can be read" in line for line in program.output)


def test_a_password_that_is_swapped(secured):
    """The last of these tests: the broker keeps the password."""
    broker, reader = secured.broker, secured.reader
    worker = secured.worker("--members", 2, **secured.login, **HASTY)
    gateway = start_gateway(secured)
    gateway.error_matching("the gateway has read back its commands and is ready")
    with Traffic(broker.address, secured.crowd, rate=300):
        goes_on(reader)
    # A broker that ends in the middle of a transaction can leave that hanging for good; so not in one.
    secured.wait_caught_up()
    wait_until_quiet(worker)
    with broker.away():
        broker.set_password("another")
    for program in (worker, gateway):
        program.error_matching("the broker refuses us")
    status, why = worker.get("/readyz")
    assert status == 503 and "refuses us" in why, why
    assert worker.get("/healthz")[0] == 200
    secured.password.write_text("another")
    with Traffic(broker.address, secured.crowd, rate=300):
        goes_on(reader)
        gateway.error_matching("the gateway's credentials and rights again")
    for program in (worker, gateway):
        assert times(program, "the broker refuses us") == 1, program.said
    worker.wait_ready()
    secured.wait_caught_up()
    assert worker.terminate() == 0, worker.said
    assert gateway.terminate() == 0, gateway.said
    secured.check_against_replay()
