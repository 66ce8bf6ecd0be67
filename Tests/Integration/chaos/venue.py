"""Three brokers, a proxy before them, workers and gateways behind it, viewers, and a reader of committed data."""

import collections
import json
import pathlib
import shutil
import statistics
import subprocess
import time

import confluent_kafka

from broker import Broker
from committed import CommandReader
from folding import Folding, Library
from load import Load
from pipeline import Pipeline
from process import Program, end_all
from proxy import Proxy
from served import ServedGateway
from small_disk import SmallDisk
from waiting import LIMIT, free_port, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]
BROKERS = 3
# Of these the last is only frozen, so that it is as old as the run.
WORKERS = ("w1", "w2", None)
GATEWAYS = 2
ROOMS = tuple(f"room-{n}" for n in range(8))
PARTITIONS = 4


class Watch(CommandReader):
    """Reads along, and tells for how long those rooms were silent that are never without events."""

    def __init__(self, address, topic, busy):
        self._busy = busy
        self.rooms = collections.defaultdict(list)
        self._last = {}
        self._longest = 0
        self._delays = collections.deque(maxlen=200)
        super().__init__(address, topic)

    def _take(self, record):
        super()._take(record)
        room, now = record.key().decode(), time.monotonic()
        if room in self._busy:
            self._longest = max(self._longest, now - self._last.get(room, now))
        self._last[room] = now
        self.rooms[room].append(record.value())
        if len(self.rooms[room]) % 10 == 0:
            self._delays.append(time.time() * 1000 - json.loads(record.value())["atMs"])

    def delay(self):
        """ms from the time that a command tells until it was read here, the median of the last ones."""
        return statistics.median(list(self._delays)) if self._delays else None

    def forget_silences(self):
        self._longest = 0

    def silence(self):
        """Seconds: the longest that was, or is now."""
        now = time.monotonic()
        return max(self._longest, *(now - self._last.get(room, now) for room in self._busy))

    def heard(self, room, since):
        return self._last.get(room, 0) > since


class Crew(Pipeline):
    """Workers that reach the brokers through the proxy; all else goes to them directly."""

    def sizes(self):
        topics = self._admin.list_topics(timeout=LIMIT).topics
        return {topic: len(topics[topic].partitions) for topic in self.inputs}

    @property
    def admin(self):
        return self._admin

    def places(self):
        """Topics grow, each for itself."""
        return [confluent_kafka.TopicPartition(topic, p) for topic, size in self.sizes().items() for p in range(size)]


class Venue:
    def __init__(self, binary, folder, minutes):
        self._binary = binary
        data = folder / "kafka"
        # The last broker's data; enough for what is written, with Kafka's own logs.
        self.disk = SmallDisk(data / f"node-{BROKERS}/data", 256 + round(minutes * 48))
        self.broker = Broker(
            ROOT / "Tests/Broker/broker", data, brokers=BROKERS, within=self.disk.within)
        self._first = free_port(*range(1, BROKERS))
        self.proxy = Proxy(self._first, [self.broker.port + 10 + n for n in range(BROKERS)])
        self.login = {
            "kafka.bootstrap.servers": ",".join(f"127.0.0.1:{self._first + n}" for n in range(BROKERS)),
            "kafka.security.protocol": "SASL_PLAINTEXT", "kafka.sasl.mechanism": "PLAIN",
            "kafka.sasl.username": "flyscreen", "kafka.sasl.password": "secret"}
        self.crew = Crew(binary, self.broker, "chaos", folder, PARTITIONS)
        self.workers, self.viewers, self.watch, self.load = {}, [], None, None
        self._folder, self.libraries = folder, {}

    def start(self, schema, seed, rate):
        self.broker.start("--advertise-sasl", str(self._first))
        self.crew.create_topics()
        self.crew.settings |= self.login
        self.watch = Watch(self.broker.address, self.crew.commands, ROOMS)
        for name in WORKERS:
            self.start_worker(name)
        self._ports = [free_port() for _ in range(GATEWAYS)]
        self.gateways = [self._gateway(port) for port in self._ports]
        self.wait_ready()
        self.load = Load(self.crew, schema, seed, ROOMS, rate)
        urls = [gateway.url("").rstrip("/") for gateway in self.gateways]
        self.viewers = [Folding(room, urls, seed + n) for n, room in enumerate(ROOMS)]
        self._start_libraries(urls)
        return self

    def _start_libraries(self, urls):
        """The client libraries that can be run here, each by another of the gateways."""
        words = {}
        if shutil.which("node"):
            words["JavaScript"] = ["node", ROOT / "Tests/Integration/chaos/told.mjs"]
        if shutil.which("javac"):
            classes = self._folder / "java"
            built = subprocess.run([ROOT / "Tests/AndroidClient/build", classes], capture_output=True, text=True, timeout=120, check=True)
            words["Java"] = ["java", "-cp", built.stdout.strip(), "flyscreen.client.Told"]
        if shutil.which("swift"):
            # The debug build: where the tests in Swift ran, it is there.
            subprocess.run(["swift", "build", "--product", "ScreenTool"], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
            words["Swift"] = [ROOT / ".build/debug/ScreenTool", "--told"]
        for number, (name, (program, *arguments)) in enumerate(words.items()):
            arguments = [*map(str, arguments), urls[number % len(urls)], *ROOMS]
            self.libraries[name] = Library(Program(program, arguments, name=name))

    def start_worker(self, name):
        self.workers[name] = self.crew.start_worker(**({"worker_id": name} if name else {}))

    def start_gateway(self, number):
        self.gateways[number] = self._gateway(self._ports[number])

    def _gateway(self, port):
        topics = {"topics.commands": self.crew.commands, "topics.results": self.crew.results}
        return ServedGateway(self._binary, [str(word) for word in self.crew.words(self.login | topics)], port)

    def wait_ready(self):
        for program in (*self.workers.values(), *self.gateways):
            program.wait_ready()

    def wait_well(self):
        """Waits until all programs are ready and every room goes on."""
        self.wait_ready()
        since = time.monotonic()

        def silent():
            return [room for room in ROOMS if not self.watch.heard(room, since)]

        wait_for(lambda: f"rooms {silent()} to go on; {self._said()}", lambda: self.watch.broken or not silent())
        self.check()

    def check(self):
        """Checks what must hold at every moment."""
        self.watch.check()
        self.load.go_on()
        for program in (*self.workers.values(), *self.gateways):
            assert program.is_running, f"{program.name} ended by itself:\n{program.said[-6000:]}"
        for viewer in self.viewers:
            if viewer.failure:
                raise viewer.failure
        for library in self.libraries.values():
            assert not library.failure, library.failure

    def _said(self):
        return "\n".join(f"{worker.name} said:\n{worker.said[-3000:]}" for worker in self.workers.values())

    def end(self):
        """Cleanly: everything is worked on, told to the viewers, and handed over."""
        self.load.stop()
        self.crew.wait_caught_up()
        for worker in self.workers.values():
            assert worker.terminate() == 0, worker.said
        self.watch.wait_all()
        for viewer in self.viewers:
            last = json.loads(self.watch.rooms[viewer.room][-1])["id"]
            wait_for(lambda: f"{viewer.room}'s viewer to be told {last}: {viewer.failure}",
                     lambda: viewer.failure or last in viewer.ids[-50:])
            viewer.end()
            for name, library in self.libraries.items():
                wait_for(lambda: f"the library in {name} to be told {last} of {viewer.room}: {library.failure}",
                         lambda: library.failure or library.has(viewer.room, last))

    def close(self):
        for viewer in self.viewers:
            viewer.done.set()
        if self.load is not None:
            self.load.enough()
        end_all()
        if self.watch is not None:
            self.watch.close()
        self.crew.close()
        self.broker.remove()
        self.proxy.close()
        self.disk.close()
