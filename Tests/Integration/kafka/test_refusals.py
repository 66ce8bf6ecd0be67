"""Errors that waiting doesn't mend end a command, with a status for their kind and one line that says what to do."""

import contextlib
import itertools
import socket
import subprocess
import threading

import pytest

from pipeline import Pipeline
from process import Program
from waiting import LIMIT, free_port

USAGE, UNREACHABLE = 64, 69


def refusal(worker, status=USAGE):
    """The line with which it ended."""
    assert worker.wait() == status, worker.said
    assert not worker.output
    lines = [line for line in worker.errors if line.strip()]
    assert lines, "it says nothing"
    return lines[-1]


def test_a_wrong_password(make_pipeline):
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    login = {
        "kafka.bootstrap.servers": pipeline.broker.guarded_address, "kafka.security.protocol": "SASL_PLAINTEXT",
        "kafka.sasl.mechanism": "PLAIN", "kafka.sasl.username": "flyscreen"}
    right, wrong = login | {"kafka.sasl.password": "secret"}, login | {"kafka.sasl.password": "guess"}
    worker = pipeline.worker(**right)
    assert worker.terminate() == 0
    line = refusal(pipeline.start_worker(**wrong))
    assert "password" in line and "kafka.sasl" in line and "guess" not in line, line
    tail = Program(pipeline.binary, ["tail", *Pipeline.words(wrong)])
    line = refusal(tail)
    assert "password" in line and "guess" not in line, line
    assert len(tail.errors) == 1, tail.said


@contextlib.contextmanager
def every_other_handshake_cut_off(port):
    """A port by which one comes to the broker's; the connection ends with the SASL handshake, the first time, the third..."""
    handshake, begun = 17, itertools.count()

    def forward(source, target):
        with contextlib.suppress(OSError):
            while piece := source.recv(65536):
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)

    def serve(client):
        with client, socket.create_connection(("127.0.0.1", port)) as server:
            threading.Thread(target=forward, args=(server, client), daemon=True).start()
            with contextlib.suppress(OSError):
                while head := client.recv(4, socket.MSG_WAITALL):
                    request = client.recv(int.from_bytes(head), socket.MSG_WAITALL)
                    if int.from_bytes(request[:2]) == handshake and next(begun) % 2 == 0:
                        return client.shutdown(socket.SHUT_RDWR)
                    server.sendall(head + request)

    def accept(listener):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", free_port())) as listener:
        threading.Thread(target=accept, args=(listener,), daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
    assert next(begun), "nobody began a handshake"


def test_a_broker_that_goes_away_in_a_handshake_refuses_nobody(make_pipeline):
    """librdkafka tells it like a wrong password."""
    pipeline = make_pipeline(partitions=1, inputs=("gifts",))
    with every_other_handshake_cut_off(int(pipeline.broker.guarded_address.rpartition(":")[2])) as port:
        worker = pipeline.worker(
            kafka_bootstrap_servers=f"127.0.0.1:{port}", kafka_security_protocol="SASL_PLAINTEXT",
            kafka_sasl_mechanism="PLAIN", kafka_sasl_username="flyscreen", kafka_sasl_password="secret")
        assert worker.terminate() == 0
    assert not [line for line in worker.errors if "refuses us" in line], worker.said


def test_timeouts_that_the_broker_refuses(pipeline):
    line = refusal(pipeline.start_worker(kafka_session_timeout_ms=400, kafka_heartbeat_interval_ms=100))
    assert "kafka.session.timeout.ms (400)" in line and "group.min.session.timeout.ms" in line, line
    line = refusal(pipeline.start_worker(kafka_transaction_timeout_ms=1_800_000))
    assert "kafka.transaction.timeout.ms" in line and "transaction.max.timeout.ms" in line, line


def test_a_root_without_proc(binary):
    """Words of the command line are read all the same."""
    run = subprocess.run(
        ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" --version', str(binary)],
        capture_output=True, text=True, timeout=LIMIT)
    if "unshare" in run.stderr or "mount" in run.stderr:
        pytest.skip(f"no mounts of our own: {run.stderr.strip()}")
    assert run.returncode == 0 and run.stdout.startswith("flyscreen "), run


def test_a_topic_that_is_not_there(pipeline):
    absent = f"{pipeline.name}.absent"
    line = refusal(pipeline.start_worker(topics_input=f"{pipeline.inputs[0]},{absent}"))
    assert absent in line and "flyscreen topics create" in line
    line = refusal(pipeline.start_worker(topics_commands=absent))
    assert absent in line and "flyscreen topics create" in line


def test_an_input_topic_with_the_clocks_of_its_senders(pipeline):
    pipeline.change_topic(pipeline.inputs[1], "message.timestamp.type", "CreateTime")
    line = refusal(pipeline.start_worker())
    for part in ("kafka-configs", "--alter", pipeline.inputs[1], "message.timestamp.type=LogAppendTime"):
        assert part in line, line
    worker = pipeline.worker(topics_timestamps="any")
    assert worker.terminate() == 0


def test_dead_letters_that_would_not_fit(pipeline):
    topic = pipeline.inputs[0]
    pipeline.change_topic(f"{topic}.dlq", "max.message.bytes", "100000")
    line = refusal(pipeline.start_worker())
    assert f"{topic}.dlq" in line and "flyscreen topics create" in line, line


def test_a_topic_that_is_altered_just_now(pipeline):
    """One of several brokers may not know of it yet."""
    topic = f"{pipeline.inputs[0]}.dlq"
    needed = pipeline.topic_setting(topic, "max.message.bytes")
    pipeline.change_topic(topic, "max.message.bytes", "100000")
    worker = pipeline.start_worker()
    worker.error_matching(f"looking at the topics again: {topic}")
    worker.freeze()
    pipeline.change_topic(topic, "max.message.bytes", needed)
    worker.thaw()
    assert worker.wait_ready().terminate() == 0


@pytest.mark.parametrize("flag, nearest", [
    ("gift.lanez", "gift.lanes"), ("worker.comitMs", "worker.commitMs"),
    ("kafka.session.timout.ms", "kafka.session.timeout.ms"),
])
def test_an_unknown_setting(pipeline, flag, nearest, tmp_path):
    line = refusal(pipeline.start_worker(f"--{flag}", "3"))
    assert flag in line and nearest in line, line
    settings = tmp_path / "settings.yaml"
    settings.write_text(f"{flag}: 3\n")
    line = refusal(pipeline.start_worker("--config", settings))
    assert flag in line and nearest in line, line


def test_a_setting_out_of_its_range(pipeline):
    line = refusal(pipeline.start_worker(environment={"GIFT_LANES": "65"}))
    assert "GIFT_LANES" in line and "65" in line and "64" in line, line


def test_a_broker_that_cannot_be_reached(binary):
    address = f"127.0.0.1:{free_port()}"
    commands = (("topics", "create"), ("tail",), ("simulate", "--rooms", "2", "--rate", "10"))
    programs = [
        Program(binary, [*command, "--kafka.bootstrap.servers", address], name=" ".join(command))
        for command in commands]
    for program in programs:
        assert address in refusal(program, UNREACHABLE)
        assert len(program.errors) == 1, program.said
