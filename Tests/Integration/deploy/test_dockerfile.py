"""Checks Deploy/Dockerfile by its text alone; `make test-deploy` builds it and runs it."""

import http.server
import os
import pathlib
import subprocess
import sys
import threading

import pytest

DEPLOY = pathlib.Path(__file__).resolve().parents[3] / "Deploy"


def test_hadolint_is_silent():
    told = subprocess.run(
        [pathlib.Path(sys.executable).parent / "hadolint", DEPLOY / "Dockerfile"], capture_output=True, text=True)
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


def test_without_a_package_it_says_so(tmp_path):
    told = subprocess.run([DEPLOY / "image/build"], capture_output=True, text=True)
    assert told.returncode != 0 and "a package is missing" in told.stderr
    told = subprocess.run(
        [DEPLOY / "image/build", tmp_path / "none.deb"], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert told.returncode != 0 and ("none.deb" in told.stderr or "has to be installed" in told.stderr)


@pytest.fixture
def serve():
    """Something that answers /healthz with this status, and gives its port; without one it takes the connection and is
    silent."""
    running, enough = [], threading.Event()

    def start(status):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if status is None:
                    enough.wait()
                self.send_response((status or 200) if self.path == "/healthz" else 404)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *words):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        running.append(server)
        return server.server_port

    yield start
    enough.set()
    for server in running:
        server.shutdown()
        server.server_close()


def healthy(*words, **ports):
    run = subprocess.run(
        [DEPLOY / "image/healthy", *map(str, words)], capture_output=True, text=True,
        env={"PATH": os.environ["PATH"], **{name: str(port) for name, port in ports.items()}})
    assert (run.stdout, run.stderr) == ("", "")
    return run.returncode == 0


def test_the_health_check_asks_where_the_program_serves(serve):
    # Port 1 is nobody's: the defaults may be somebody's on this machine.
    nowhere = {"WORKER_HTTP_PORT": 1, "GATEWAY_HTTP_PORT": 1}
    well, ill, silent = serve(200), serve(503), serve(None)
    assert not healthy(**nowhere)
    for setting in ("WORKER_HTTP_PORT", "GATEWAY_HTTP_PORT"):
        assert healthy(**nowhere | {setting: well})
        assert not healthy(**nowhere | {setting: ill})
    assert not healthy(**nowhere | {"WORKER_HTTP_PORT": silent})
    # The other port serves no probes where they have one of their own.
    assert healthy(**nowhere | {"GATEWAY_PROBES_PORT": well, "GATEWAY_HTTP_PORT": ill})
    assert not healthy(**nowhere | {"GATEWAY_PROBES_PORT": ill, "GATEWAY_HTTP_PORT": well})
    assert healthy(well, **nowhere) and not healthy(ill, WORKER_HTTP_PORT=well)


def test_without_settings_it_asks_the_programs_own_ports(binary):
    told = subprocess.run([binary, "settings"], capture_output=True, text=True, check=True, env={}).stdout
    text = (DEPLOY / "image/healthy").read_text()
    assert "worker.http.port = 9090  " in told and "{WORKER_HTTP_PORT:-9090}" in text
    assert "gateway.http.port = 8080  " in told and "{GATEWAY_HTTP_PORT:-8080}" in text
    assert "gateway.probes.port =   " in told
