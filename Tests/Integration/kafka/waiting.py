"""Waiting for an event with a limit, never for a time."""

import socket
import time

_ports = iter(range(23000, 23700))


class TooLong(AssertionError):
    """What was waited for did not come."""


def wait_for(what, check, limit=30.0, every=0.02):
    """Asks `check` until its answer is true, and gives that answer.

    `what` ends the sentence of the failure; a function is asked for it then.
    """
    end = time.monotonic() + limit
    while True:
        if answer := check():
            return answer
        if time.monotonic() > end:
            raise TooLong(f"waited {limit:g} s for {what() if callable(what) else what}")
        time.sleep(every)


def free_port(*offsets):
    """A port of 23000–23999 on which nobody listens, nor at the given distances above it."""
    for port in _ports:
        if all(_is_free(port + offset) for offset in (0, *offsets)):
            return port
    raise RuntimeError("no free port left in 23000–23999")


def _is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
