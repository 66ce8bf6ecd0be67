"""Clients of HTTP that do just what they are told, well or badly."""

import contextlib
import os
import pathlib
import re
import socket
import ssl
import struct
import time

from waiting import LIMIT, TooLong


class RawClient:
    """A connection, byte by byte."""

    def __init__(self, port, receive_buffer=None, tls=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(LIMIT)
        self.socket.connect(("127.0.0.1", port))
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
        self.got = b""
        self.is_closed = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, data):
        """False: the other side has closed."""
        try:
            self.socket.settimeout(LIMIT)
            self.socket.sendall(data if isinstance(data, bytes) else data.encode())
            return True
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.is_closed = True
            return False

    def read(self, wait=LIMIT):
        """The bytes that have come, or come within that time; empty at the end, or if none come."""
        self.socket.settimeout(max(wait, 0.001))
        try:
            data = self.socket.recv(65536)
        except (TimeoutError, ssl.SSLWantReadError):
            return b""
        except OSError:
            data = b""
        if not data:
            self.is_closed = True
        self.got += data
        return data

    def read_until(self, mark, limit=LIMIT):
        """All that came up to the mark, which is left out of what comes next."""
        mark = mark if isinstance(mark, bytes) else mark.encode()
        end = time.monotonic() + limit
        while mark not in self.got:
            if self.is_closed or time.monotonic() > end:
                raise TooLong(f"{mark!r} did not come within {limit:g} s; there was {self.got[-2000:]!r}")
            self.read(0.5)
        place = self.got.index(mark) + len(mark)
        text, self.got = self.got[:place], self.got[place:]
        return text.decode("utf-8", "replace")

    def read_to_end(self, limit=LIMIT):
        """All that came until the other side closed."""
        end = time.monotonic() + limit
        while not self.is_closed:
            if time.monotonic() > end:
                raise TooLong(f"it was not closed within {limit:g} s; there was {self.got[-2000:]!r}")
            self.read(0.5)
        return self.got.decode("utf-8", "replace")

    def reset(self):
        """Goes away without a word."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        self.socket.close()


def get(path, *headers):
    return "".join(f"{line}\r\n" for line in (f"GET {path} HTTP/1.1", "Host: gateway", *headers, ""))


def post(path, body, *headers):
    return "".join(f"{line}\r\n" for line in (
        f"POST {path} HTTP/1.1", "Host: gateway", "Content-Type: application/json", f"Content-Length: {len(body)}",
        *headers, "")) + body


def connections(pid, port):
    """Sockets of a process but those that it opened to others itself; those also that are closed and not given back."""
    inodes = []
    for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            inodes += re.findall(r"socket:\[(\d+)\]", os.readlink(link))
    lines = [line.split() for name in ("tcp", "tcp6")
             for line in pathlib.Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:]]
    outgoing = {line[9] for line in lines if int(line[1].rsplit(":", 1)[1], 16) != port}
    return sum(inode not in outgoing for inode in inodes)


def memory(pid):
    """Bytes that are its own."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no RssAnon")


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def many(count, make):
    clients = []
    try:
        for _ in range(count):
            clients.append(make())
        yield clients
    finally:
        for client in clients:
            client.close()
