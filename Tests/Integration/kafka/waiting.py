"""Waiting for an event with a limit, never for a time."""

import fcntl
import pathlib
import random
import socket
import tempfile
import time

# The limit of every wait, in seconds: it costs nothing where all is well, and a machine may be very busy.
LIMIT = 120.0
_FIRST, _LAST = 22000, 25999
# Held until this process ends: other runs keep away from its ports, also while nobody listens there.
_taken = {}


class TooLong(AssertionError):
    """The awaited thing did not come in time."""


def wait_for(what, check, limit=LIMIT, every=0.02):
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
    """A port for this run, with those at the given distances above it; nobody listens on them."""
    for port in random.sample(range(_FIRST, _LAST + 1 - max(offsets, default=0)), 500):
        wanted = [port + offset for offset in (0, *offsets)]
        if not any(p in _taken for p in wanted) and all(_take(p) for p in wanted):
            return port
    raise RuntimeError(f"no free port left in {_FIRST}–{_LAST}")


def _take(port):
    file = open(pathlib.Path(tempfile.gettempdir()) / f"flyscreen-port-{port}", "w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    if _is_free(port):
        _taken[port] = file
        return True
    return False


def _is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
