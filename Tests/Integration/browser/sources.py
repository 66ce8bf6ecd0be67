"""The page's sources as they are, module by module, for tests of one of them; a gateway serves them packed."""

import functools
import http.server
import pathlib
import threading

SITE = pathlib.Path(__file__).resolve().parents[3] / "Sources/Page/site"
BLANK = b'<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/css/page.css"><div class="phone"></div>'


class _Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(BLANK)))
        self.end_headers()
        return self.wfile.write(BLANK)

    def log_message(self, *_):
        """It says nothing."""


class Sources:
    """A server: `address` is an empty page with the styles; beside it are the modules."""

    def __init__(self):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=SITE))
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
