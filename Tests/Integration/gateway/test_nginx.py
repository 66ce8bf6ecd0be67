"""Deploy/nginx.conf, in Debian's nginx: HTTP/2 for clients, one connection for many streams."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from process import Program
from served import mark
from waiting import LIMIT, TooLong, free_port, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")

pytestmark = pytest.mark.skipif(NGINX is None, reason="Debian's nginx-light is not installed")


class Curl(Program):
    """curl, line by line."""

    def __init__(self, *arguments):
        super().__init__("curl", ["--silent", "--show-error", "--no-buffer", *arguments], name="curl")


@pytest.fixture(scope="module")
def gateways(make_shared_gateway):
    return [make_shared_gateway("--gateway.proxies.trusted", "127.0.0.1", "--gateway.limits.streamsPerAddress", "3")
            for _ in range(2)]


@pytest.fixture(scope="module")
def site(gateways, certificate, tmp_path_factory):
    """nginx as it is deployed, with addresses and files of this test."""
    folder = tmp_path_factory.mktemp("nginx")
    port = free_port()
    text = (ROOT / "Deploy/nginx.conf").read_text()
    servers = "".join(f"server 127.0.0.1:{gateway.port} max_fails=1 fail_timeout=2s;" for gateway in gateways)
    for pattern, new in [
        (r"server 127\.0\.0\.1:8080 [^;]*;", servers), (r"listen 443", f"listen 127.0.0.1:{port}"),
        (r"server_name [^;]*", "server_name localhost"), (r"ssl_certificate [^;]*", f"ssl_certificate {certificate}/cert.pem"),
        (r"ssl_certificate_key [^;]*", f"ssl_certificate_key {certificate}/key.pem"),
        (r"access_log [^ ]*", f"access_log {folder}/access.log"),
    ]:
        text, count = re.subn(pattern, new, text)
        assert count == 1, pattern
    (folder / "site.conf").write_text(text)
    (folder / "nginx.conf").write_text(f"""
        daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
        events {{ }}
        http {{
          {''.join(f'{kind}_temp_path {folder}/{kind};' for kind in ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))}
          include {folder}/site.conf;
        }}""")
    # Its workers are another user.
    for path in [folder, *folder.parents]:
        if path.stat().st_uid == os.getuid() and path != pathlib.Path("/"):
            path.chmod(path.stat().st_mode | 0o011)
    nginx = Program(NGINX, ["-p", folder, "-c", folder / "nginx.conf"], name="nginx")
    site = Site(f"https://localhost:{port}", certificate / "cert.pem", folder)
    try:
        wait_for(lambda: f"nginx; it said {nginx.said}", lambda: site.get("/rooms/a")[0] == "2 200")
        yield site
    finally:
        nginx.kill()


class Site:
    def __init__(self, url, trusted, folder):
        self.url = url
        self.trusted = trusted
        self.folder = folder

    def get(self, path):
        """The protocol's version and the status, and the body."""
        run = subprocess.run(
            ["curl", "--silent", "--http2", "--cacert", self.trusted, "--max-time", str(LIMIT), "--write-out",
             "%{stderr}%{http_version} %{http_code}", self.url + path], stdin=subprocess.DEVNULL,
            capture_output=True, text=True)
        return run.stderr, run.stdout

    def stream(self, path, *more):
        return Curl("--http2", "--cacert", self.trusted, *more, self.url + path)

    def opened(self, path):
        """A stream that has begun, once those of the tests before are gone."""
        def begun():
            stream = self.stream(path)
            with contextlib.suppress(TooLong):
                return stream.output_matching("^event: snapshot") and stream

        return wait_for(f"a stream of {path}", begun)


def last_id(lines):
    return [line for line in lines if line.startswith("id: ")][-1].removeprefix("id: ")


def test_a_stream_comes_by_http_2_event_by_event_and_goes_on_where_it_ended(site, commands):
    stream = site.stream("/rooms/proxied/commands", "--dump-header", "-")
    assert stream.output_matching("^HTTP/2 200")
    stream.output_matching("^event: snapshot")
    numbers = [commands.send("proxied")[0] for _ in range(3)]
    for number in numbers:
        stream.output_matching(mark(number))
    stream.output_matching("^id: ")
    last = last_id(stream.output)
    stream.kill()

    missed = commands.send("proxied", 3)
    again = site.stream("/rooms/proxied/commands", "--header", f"Last-Event-ID: {last}")
    again.output_matching(mark(missed[-1]))
    text = "\n".join(again.output)
    again.kill()
    assert "event: snapshot" not in text
    assert [n for n in (*numbers, *missed) if mark(n) in text] == list(missed)


def test_many_streams_share_a_connection(site, commands):
    """As a browser has them; the gateways count them as one address's, which may have three at each of them."""
    paths = [f"/rooms/shared-{n}/commands" for n in range(3)]
    together = [word for path in paths[1:] for word in ("--next", "--silent", "--no-buffer", "--http2", "--cacert",
                                                      site.trusted, site.url + path)]
    stream = Curl("--parallel", "--parallel-immediate", "--http2", "--cacert", site.trusted, site.url + paths[0],
                  *together)
    numbers = {n: commands.send(f"shared-{n}")[0] for n in range(3)}
    for n, number in numbers.items():
        stream.output_matching(f"(shared-{n}.*{mark(number)}|{mark(number)}|shared-{n})")
    stream.kill()


def test_snapshots_the_page_and_refusals_come_through(site):
    assert site.get("/rooms/proxied")[0] == "2 200"
    assert "<title" in site.get("/")[1]
    assert '"error"' in site.get("/rooms/x/y")[1]
    assert {site.get(path)[0] for path in ("/metrics", "/healthz", "/metrics/", "//metrics", "/readyz/?a")} == {"2 404"}


def test_a_token_in_the_query_is_in_no_log(site):
    site.get("/rooms/logged?access_token=confidential")
    log = site.folder / "access.log"
    wait_for("the log's line", lambda: "/rooms/logged" in log.read_text())
    assert "confidential" not in log.read_text()


def test_streams_are_counted_by_whom_the_proxy_speaks_for(site, gateways):
    """Each gateway takes three of an address, and this address has two gateways."""
    streams = [site.opened(f"/rooms/counted-{n}/commands") for n in range(6)]
    assert '"too_many_streams"' in site.get("/rooms/counted-7/commands")[1]
    for stream in streams:
        stream.kill()


def test_a_gateway_that_ends_is_made_up_for_by_the_other(site, gateways, commands, make_shared_gateway):
    # Each gateway takes three of an address, so of four each has one at least.
    streams = [site.opened("/rooms/moved/commands") for _ in range(4)]
    number, = commands.send("moved")
    for stream in streams:
        stream.output_matching(mark(number))
    gateways[0].terminate()
    ended = wait_for("its streams to end", lambda: [stream for stream in streams if not stream.is_running])
    # The last chunk has come, so curl knows that all is well.
    assert [stream.wait() for stream in ended] == [0] * len(ended)
    last = last_id(ended[0].output)
    for stream in streams:
        stream.kill()
    missed, = commands.send("moved")
    def comes_back():
        stream = site.stream("/rooms/moved/commands", "--header", f"Last-Event-ID: {last}")
        with contextlib.suppress(TooLong):
            return stream.output_matching(mark(missed)) and stream

    again = wait_for("the others to be gone, and what was missed", comes_back)
    assert "event: snapshot" not in "\n".join(again.output)
    again.kill()
