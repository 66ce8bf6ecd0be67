"""A process at its limit of open files."""

import contextlib
import resource
import socket

from waiting import LIMIT, wait_for


def check_open_files(server, answers):
    """Holds connections whose requests don't end, up to the limit and beyond, and lets go of them: a line says that they
    wait, another that they don't any more, and nothing else writes a line."""
    limits = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
    said = len(server.errors)
    with contextlib.ExitStack() as held:
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (server.files() + 5, limits[1]))
        for _ in range(40):
            connection = held.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT))
            connection.sendall(b"GET /healthz HTTP/1.1\r\n")
        server.error_matching("connections wait until another has gone.*RLIMIT_NOFILE", since=said)
        # Its sweeps, one a second, find no file either.
        before = waits(server)
        wait_for("sweeps", lambda: waits(server) > before + 50)
    # Connections that ended in the queue still take files for a moment, and the server makes room by ending idle ones.
    wait_for("an answer", lambda: is_answered(answers))
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, limits)
    server.error_matching("connections are accepted again", since=said)
    lines = server.errors[said:]
    assert all(line.startswith("time=") for line in lines), lines
    assert len([line for line in lines if "accept" in line or "connections" in line]) == 2, lines


def is_answered(answers):
    with contextlib.suppress(OSError):
        return answers()
    return False


def waits(server):
    """How often its threads have waited for something."""
    count = 0
    for task in server.tasks():
        with contextlib.suppress(OSError), open(f"{task}/status") as status:
            count += sum(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))
    return count
