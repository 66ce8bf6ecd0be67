"""A real Apache Kafka, through the launcher in Tests/Broker."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess

from waiting import LIMIT, free_port, wait_for

# A worker's session may be shorter than Kafka's least by default; one event in a test has 2 MB.
FOR_TESTS = ("group.min.session.timeout.ms=500", "message.max.bytes=3145728")


class Broker:
    def __init__(self, launcher, folder, *settings, brokers=1, within=(), is_stock=False):
        """`within`: the words of a command that runs another, as `nsenter` does. `is_stock`: with the faults of the
        release that are mended for other tests."""
        self._brokers = brokers
        self._settings = (*FOR_TESTS, *settings)
        self._launcher = [*within, str(launcher)]
        self._folder = folder
        self._environment = os.environ | ({"KAFKA_STOCK": "1"} if is_stock else {})
        self._groups = []
        # Clients without and with a password, and the controller, each have a port.
        self.port = free_port(*(10 * kind + n for kind in range(3) for n in range(brokers) if kind or n))

    @property
    def address(self):
        """The addresses of all its nodes."""
        return ",".join(f"127.0.0.1:{self.port + n}" for n in range(self._brokers))

    @property
    def guarded_address(self):
        """The address at which it asks for a password."""
        return f"127.0.0.1:{self.port + 10}"

    def start(self, *options):
        settings = [word for setting in self._settings for word in ("--set", setting)]
        self._run("start", "--port", str(self.port), "--brokers", str(self._brokers), *options, *settings)
        return self

    def resume(self, node):
        """Starts one of several nodes again, which has ended."""
        self._run("resume", str(node))

    def tool(self, program, *arguments, check=True):
        """Runs one of Kafka's own tools."""
        self._run("tool", f"org.apache.kafka.tools.{program}", "--bootstrap-server", self.address, *arguments, check=check)

    @contextlib.contextmanager
    def away(self, verb="stop"):
        """Ends the broker, by SIGTERM or (`kill`) as in a crash, and starts it again afterwards."""
        self._run(verb)
        try:
            yield
        finally:
            self._run("resume")

    @contextlib.contextmanager
    def one_killed(self, node):
        """Ends one of several nodes as in a crash, and starts it again afterwards; the others go on."""
        self._run("kill", str(node))
        try:
            yield
        finally:
            self.resume(node)

    @contextlib.contextmanager
    def frozen(self, node):
        """Freezes one of several nodes, which answers nothing meanwhile."""
        self._run("freeze", str(node))
        try:
            wait_for("all threads of the broker to stand", lambda: self._threads(node) == {"T"})
            yield
        finally:
            self._run("thaw", str(node))

    def _threads(self, node):
        """The states of its threads, each a letter: T for one that is stopped."""
        states = set()
        for thread in pathlib.Path(f"/proc/{self.pid_of(node)}/task").iterdir():
            # A name may have any bytes, and a thread may end meanwhile.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                states.add((thread / "stat").read_bytes().rpartition(b") ")[2][:1].decode())
        return states

    def is_up(self, node):
        """Whether a node runs; otherwise it has ended by itself."""
        return pathlib.Path(f"/proc/{self.pid_of(node)}").exists()

    @contextlib.contextmanager
    def damaged(self, topic, partition, offset):
        """Damages the content of the batch that begins at an offset, as a disk may, and mends it afterwards."""
        log, = self._folder.glob(f"node-1/data/{topic}-{partition}/*.log")
        data = log.read_bytes()
        at = next(at for at in _batches(data) if int.from_bytes(data[at:at + 8], "big") == offset) + 61

        def write(content):
            with open(log, "r+b") as file:
                file.seek(at)
                file.write(content)

        write(bytes(4))
        try:
            yield
        finally:
            write(data[at:at + 4])

    def set_password(self, password):
        """Sets the password of the user flyscreen, from the next start on."""
        for properties in self._folder.glob("node-*/server.properties"):
            text = re.sub('user_flyscreen="[^"]*"', f'user_flyscreen="{password}"', properties.read_text())
            properties.write_text(text)

    @property
    def pid(self):
        """The process id of its only node."""
        return self.pid_of(1)

    def pid_of(self, node):
        return int((self._folder / f"node-{node}/pid").read_text())

    def remove(self):
        """Ends it, come what may."""
        if (self._folder / "bootstrap").exists():
            self._run("kill", check=False)
        for group in self._groups:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def codecs(self, topic):
        """Kafka's numbers of the compressions that the batches in the topic's log have."""
        return {codec for log in self._folder.glob(f"node-*/data/{topic}-*/*.log") for codec in _codecs(log.read_bytes())}

    def _run(self, verb, *arguments, check=True):
        with open(self._folder.with_suffix(".out"), "a+") as output:
            process = subprocess.Popen(
                [*self._launcher, verb, str(self._folder), *arguments],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                env=self._environment)
            self._groups.append(process.pid)
            # One that crashed on a busy machine takes its time to look through its logs.
            status = process.wait(timeout=2 * LIMIT)
            if check and status != 0:
                output.seek(0)
                raise RuntimeError(f"{self._launcher[-1]} {verb} ended with {status}:\n{output.read()[-2000:]}")


def _batches(data):
    """The places of the record batches of a log. A batch begins with (KIP-98) base offset 8, length 4, epoch 4, magic 1,
    crc 4 and attributes 2 bytes; its content begins at byte 61."""
    at = 0
    while at + 61 <= len(data) and (length := int.from_bytes(data[at + 8:at + 12], "big")):
        yield at
        at += 12 + length


def _codecs(data):
    return (int.from_bytes(data[at + 21:at + 23], "big") & 7 for at in _batches(data))
