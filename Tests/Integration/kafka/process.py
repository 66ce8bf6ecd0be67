"""The program under test as a process of its own, always ended."""

import os
import re
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

from waiting import LIMIT, TooLong, wait_for

_running = set()


class Program:
    """A run of `flyscreen` with a process group of its own; its lines are kept as they come."""

    def __init__(self, binary, arguments, environment=None, name="flyscreen", stdin=subprocess.DEVNULL):
        self.name = name
        self.errors = []
        self.output = []
        self._news = threading.Condition()
        self._process = subprocess.Popen(
            [str(binary), *map(str, arguments)], env={**_clean_environment(), **(environment or {})},
            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        _running.add(self)
        self._readers = [
            threading.Thread(target=self._keep, args=pair, daemon=True)
            for pair in ((self._process.stdout, self.output), (self._process.stderr, self.errors))
        ]
        for reader in self._readers:
            reader.start()

    def _keep(self, stream, lines):
        for line in stream:
            with self._news:
                lines.append(line.decode("utf-8", "replace").rstrip("\n"))
                self._news.notify_all()

    def close_input(self):
        self._process.stdin.close()

    @property
    def pid(self):
        return self._process.pid

    @property
    def is_running(self):
        return self._process.poll() is None

    @property
    def said(self):
        return "\n".join(self.errors)

    def error_matching(self, pattern, limit=LIMIT, since=0):
        """The first line on stderr, from line `since` on, in which the pattern is found."""
        return self._line(self.errors, pattern, limit, since)

    def output_matching(self, pattern, limit=LIMIT):
        return self._line(self.output, pattern, limit, 0)

    def _line(self, lines, pattern, limit, since):
        end = time.monotonic() + limit
        with self._news:
            while True:
                while since < len(lines):
                    if re.search(pattern, lines[since]):
                        return lines[since]
                    since += 1
                left = end - time.monotonic()
                if left <= 0 or (not self.is_running and not any(r.is_alive() for r in self._readers)):
                    raise TooLong(f"{self.name} did not say /{pattern}/; it said:\n{self.said[-4000:]}")
                self._news.wait(min(left, 0.5))

    def wait(self, limit=LIMIT):
        """Its exit status."""
        try:
            status = self._process.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            raise TooLong(f"{self.name} did not end in {limit:g} s; it said:\n{self.said[-4000:]}") from None
        for reader in self._readers:
            reader.join(timeout=LIMIT)
        _running.discard(self)
        return status

    def signal(self, number):
        os.killpg(self.pid, number)

    def terminate(self, limit=LIMIT):
        self.signal(signal.SIGTERM)
        return self.wait(limit)

    def kill(self):
        """A crash. Ends what is frozen too."""
        if self.is_running:
            self.signal(signal.SIGKILL)
        return self.wait()

    def freeze(self):
        self.signal(signal.SIGSTOP)

    def thaw(self):
        self.signal(signal.SIGCONT)

    def tasks(self):
        """The folders of its threads in /proc."""
        return [f"/proc/{self.pid}/task/{task}" for task in os.listdir(f"/proc/{self.pid}/task")]

    def threads(self):
        return len(self.tasks())

    def files(self):
        """Open ones, and sockets."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.pid}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Server(Program):
    """One that serves probes at a port."""

    def __init__(self, binary, arguments, port, environment=None, name="gateway"):
        self.port = port
        super().__init__(binary, arguments, environment, name)

    def get(self, path):
        """Status and text of what it serves; (0, "") while it serves nothing."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=LIMIT) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()
        except OSError:
            return 0, ""

    def wait_ready(self, limit=LIMIT):
        def check():
            if not self.is_running:
                raise AssertionError(f"{self.name} ended with {self.wait()}; it said:\n{self.said[-4000:]}")
            return self.get("/readyz")[0] == 200

        wait_for(lambda: f"{self.name} to be ready; it said:\n{self.said[-4000:]}", check, limit)
        return self

    def metrics(self):
        """Families of metrics by name."""
        return {family.name: family for family in self._families()}

    def metric(self, name, **labels):
        """The sum of a metric's samples that have these labels."""
        found = [
            sample.value
            for family in self._families()
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        ]
        return sum(found)

    def _families(self):
        status, text = self.get("/metrics")
        assert status == 200, f"{self.name} tells no metrics: {status} {text}"
        return text_string_to_metric_families(text)


class Worker(Server):
    """A worker with one member on any machine, unless the arguments have `--members`."""

    def __init__(self, binary, arguments, port, environment=None, name="worker"):
        super().__init__(
            binary, ["worker", "--worker.http.port", port, *arguments], port,
            environment={"WORKER_MEMBERS": "1", **(environment or {})}, name=name)


def end_all():
    """Prints the output of programs that had not ended by themselves: a test that failed shows it."""
    for program in list(_running):
        program.kill()
        print(f"---- {program.name} was killed; it had said:\n{program.said[-60000:]}")


def _clean_environment():
    """The environment without settings that a test's surroundings happen to have."""
    groups = ("GIFT_", "WISH_", "LIKE_", "RAIN_", "SPOT_", "CROWD_", "DEDUPE_", "CLOCK_", "TOPICS_", "COMMANDS_",
              "WORKER_", "GATEWAY_", "LOG_", "KAFKA_")
    return {name: value for name, value in os.environ.items() if not name.startswith(groups)}
