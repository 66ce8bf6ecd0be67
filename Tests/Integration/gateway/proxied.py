"""nginx before gateways, as Deploy/nginx.conf has it, with addresses and files of a test."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess

from process import Program
from waiting import LIMIT, TooLong, free_port, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
NJS = pathlib.Path("/usr/lib/nginx/modules/ngx_http_js_module.so")


class Curl(Program):
    """curl, line by line."""

    def __init__(self, *arguments):
        super().__init__("curl", ["--silent", "--show-error", "--no-buffer", *arguments], name="curl")


def run_nginx(folder, certificate, gateways, partitions=None):
    """The program and its site; `partitions` is what `flyscreen gateway partitions` printed."""
    port, plain = free_port(), free_port()
    text = (ROOT / "Deploy/nginx.conf").read_text()
    if partitions is not None:
        (folder / "partitions.conf").write_text(partitions)
        shutil.copy(ROOT / "Deploy/nginx-partition.js", folder)
        text, count = re.subn(r"(?m)^upstream flyscreen \{$(.|\n)*?^map .*$", "", text)
        assert count == 1
        text, count = re.subn(r"(?m)^# (js_import|js_set|include) ", r"\1 ", text)
        assert count == 3
        text = text.replace("/etc/nginx/flyscreen-partitions.conf", f"{folder}/partitions.conf")
        text = text.replace("/etc/nginx/flyscreen-partition.js", f"{folder}/nginx-partition.js")
    servers = "".join(f"server 127.0.0.1:{gateway.port} max_fails=1 fail_timeout=2s;" for gateway in gateways)
    for pattern, new in [
        (r"listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2; listen 127.0.0.1:{plain};"),
        (r"server_name [^;]*", "server_name localhost"),
        (r"ssl_certificate [^;]*", f"ssl_certificate {certificate}/cert.pem"),
        (r"ssl_certificate_key [^;]*", f"ssl_certificate_key {certificate}/key.pem"),
        (r"access_log [^ ]*", f"access_log {folder}/access.log"),
        (r"proxy_cache_path [^ ]*", f"proxy_cache_path {folder}/cache"),
        *([] if partitions is not None else [(r"server 127\.0\.0\.1:8080 [^;]*;", servers)]),
    ]:
        text, count = re.subn(pattern, new, text)
        assert count == 1, pattern
    (folder / "site.conf").write_text(text)
    (folder / "nginx.conf").write_text(f"""
        {f"load_module {NJS};" if partitions is not None else ""}
        daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
        worker_rlimit_nofile 10000;
        events {{ worker_connections 5000; }}
        http {{
          {''.join(f'{kind}_temp_path {folder}/{kind};' for kind in ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'))}
          include {folder}/site.conf;
        }}""")
    # Its workers are another user.
    for path in [folder, *folder.parents]:
        if path.stat().st_uid == os.getuid() and path != pathlib.Path("/"):
            path.chmod(path.stat().st_mode | 0o011)
    nginx = Program(NGINX, ["-p", folder, "-c", folder / "nginx.conf"], name="nginx")
    site = Site(f"https://localhost:{port}", f"http://localhost:{plain}", certificate / "cert.pem", folder)
    wait_for(lambda: f"nginx; it said {nginx.said}", lambda: site.get("/rooms/a")[0] == "2 200")
    return nginx, site


class Site:
    def __init__(self, url, plain, trusted, folder):
        self.url = url
        # Without TLS, for clients that know no certificate of a test.
        self.plain = plain
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
