"""TLS by the gateway itself."""

import os
import socket
import ssl
import time

import pytest

from certificates import make_certificate, write
from process import Program
from raw import RawClient, get, many
from served import mark
from waiting import LIMIT, wait_for


@pytest.fixture(scope="module")
def gateway(make_shared_gateway, certificate):
    return make_shared_gateway(
        "--gateway.tls.certificate", certificate / "cert.pem", "--gateway.tls.key", certificate / "key.pem",
        "--gateway.limits.requestMs", "3000", trusted=certificate / "cert.pem")


def test_streams_go_by_tls(gateway, commands):
    with gateway.stream("secret") as stream:
        assert stream.socket.version() in ("TLSv1.2", "TLSv1.3")
        for _ in range(10):
            numbers = commands.send("secret", 20, padding="x" * 500)
            text = stream.read_until(mark(numbers[-1]))
            assert [n for n in numbers if mark(n) not in text] == []


def test_who_never_reads_gets_a_snapshot_for_what_it_missed(gateway, commands):
    with gateway.stream("slow", receive_buffer=4096) as slow, gateway.stream("slow") as quick:
        for _ in range(10):
            numbers = commands.send("slow", 100, padding="x" * 1000)
            quick.read_until(mark(numbers[-1]))
        slow.read_until("event: snapshot")
        number, = commands.send("slow")
        slow.read_until(mark(number))


def test_who_begins_no_handshake_or_half_of_one_is_cut_off(gateway, commands):
    before = gateway.connections

    def stalled(data):
        client = RawClient(gateway.port)
        client.send(data)
        return client

    beginnings = [b"", b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32), b"GET / HTTP/1.1\r\n\r\n",
                  bytes(1000)]
    with many(100, iter([stalled(data) for data in beginnings * 20]).__next__) as clients:
        with gateway.stream("handshake") as stream:
            number, = commands.send("handshake")
            stream.read_until(mark(number))
        for client in clients:
            client.read_to_end()
    wait_for("the connections to be gone", lambda: gateway.connections <= before)


def test_a_handshake_byte_by_byte_is_cut_off(gateway):
    inbound, outbound = ssl.MemoryBIO(), ssl.MemoryBIO()
    hello = gateway.tls.wrap_bio(inbound, outbound, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        hello.do_handshake()
    data = outbound.read()
    with RawClient(gateway.port) as client:
        end = time.monotonic() + LIMIT
        for byte in data:
            client.send(bytes([byte]))
            client.read(0.02)
            if client.is_closed or time.monotonic() > end:
                break
        assert client.is_closed


def test_an_old_protocol_is_refused(gateway):
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version = ssl.TLSVersion.TLSv1
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=LIMIT) as plain:
        with pytest.raises((ssl.SSLError, ConnectionResetError)):
            old.wrap_socket(plain)


def test_a_new_certificate_is_for_those_who_come_later(make_gateway, tmp_path, commands):
    make_certificate(tmp_path)
    gateway = make_gateway(
        "--gateway.tls.certificate", tmp_path / "cert.pem", "--gateway.tls.key", tmp_path / "key.pem",
        trusted=tmp_path / "cert.pem")
    with gateway.stream("renewed") as stream:
        make_certificate(tmp_path)

        def is_new():
            try:
                return gateway.ask("/healthz")[0] == 200
            except OSError:
                return False

        wait_for("the new certificate", is_new)
        number, = commands.send("renewed")
        stream.read_until(mark(number))
        write(tmp_path / "key.pem", b"nonsense")
        gateway.error_matching("key.pem has no key")
        assert is_new()


def test_what_is_no_certificate_is_refused_at_the_start(binary, topic_settings, tmp_path):
    make_certificate(tmp_path)
    arguments = ["gateway", "--gateway.http.port", "0", *topic_settings, "--gateway.tls.certificate"]
    alone = Program(binary, [*arguments, tmp_path / "cert.pem"])
    assert alone.wait() == 64 and "gateway.tls.key" in alone.said
    swapped = Program(binary, [*arguments, tmp_path / "key.pem", "--gateway.tls.key", tmp_path / "cert.pem"])
    assert swapped.wait() == 64 and "has no certificate" in swapped.said


def test_who_comes_to_another_gateway_with_a_ticket_needs_no_whole_handshake(
        make_gateway, certificate, tmp_path, commands):
    def gateway(*keys):
        return make_gateway(
            "--gateway.tls.certificate", certificate / "cert.pem", "--gateway.tls.key", certificate / "key.pem",
            "--gateway.tls.ticketKeys", ",".join(str(tmp_path / key) for key in keys),
            trusted=certificate / "cert.pem")

    for name in ("new", "old"):
        write(tmp_path / name, os.urandom(80))
    old, both, new = gateway("old"), gateway("new", "old"), gateway("new")
    trusting = old.tls

    def visit(gateway, ticket=None):
        """Connects with a ticket. Returns whether the gateway took it, and the next ticket."""
        with socket.create_connection(("localhost", gateway.port), timeout=LIMIT) as plain:
            with trusting.wrap_socket(plain, server_hostname="localhost", session=ticket) as client:
                client.sendall(get("/healthz").encode())
                assert client.recv(4096).startswith(b"HTTP/1.1 200 ")
                return client.session_reused, client.session

    reused, ticket = visit(old)
    assert not reused and ticket.has_ticket
    assert visit(new, ticket)[0] is False
    reused, ticket = visit(both, ticket)
    assert reused
    assert visit(new, ticket)[0] is True
    # The same goes for streams.
    with new.stream("resumed") as stream:
        number, = commands.send("resumed")
        stream.read_until(mark(number))
