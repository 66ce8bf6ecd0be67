"""Shared by the benchmarks of whole programs: processes, their use of CPU and memory, and profiles."""

import os
import pathlib
import signal
import socket
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("FLYSCREEN_BIN") or str(ROOT / ".build/release/flyscreen")
BENCHMARKS = os.environ.get("BENCHMARKS_BIN") or str(pathlib.Path(BINARY).with_name("Benchmarks"))
LAUNCHER = str(ROOT / "Tests/Broker/broker")


def say(line):
    print(line, flush=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run(*words, **environment):
    """A command to its end; what it printed but where and how it ran."""
    say("$ " + " ".join(pathlib.Path(words[0]).name if n == 0 else word for n, word in enumerate(words)))
    done = subprocess.run(words, env=os.environ | environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"it ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def say_machine():
    say(run(BENCHMARKS, "encode", "--count", "1").splitlines()[0])


class Broker:
    """A real Kafka of our own in a folder, or the one that `servers` names. None: there is none to be had."""

    @staticmethod
    def find(folder, servers):
        if servers:
            return Broker(None, servers)
        if not list(pathlib.Path(os.environ.get("FLYSCREEN_TEST_KAFKA", "/nowhere")).glob("libs/kafka_*.jar")):
            return None
        servers = f"127.0.0.1:{free_port()}"
        with open(f"{folder}/broker.out", "w") as output:
            subprocess.run([LAUNCHER, "start", f"{folder}/broker", "--port", servers.split(":")[1]],
                           stdout=output, stderr=output, stdin=subprocess.DEVNULL, check=True,
                           # Compiled as one in service is, given time.
                           env={"BROKER_JAVA": "-XX:+UseSerialGC"} | os.environ)
        return Broker(f"{folder}/broker", servers)

    def __init__(self, folder, servers):
        self.folder = folder
        self.servers = servers

    def end(self):
        if self.folder:
            subprocess.run([LAUNCHER, "kill", self.folder], stdin=subprocess.DEVNULL, check=False)


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Profile:
    """A profile of processes by perf (Debian's linux-perf), from the beginning to `end`."""

    def __init__(self, pids, folder):
        self.data = f"{folder}/perf.data"
        self.perf = subprocess.Popen(
            ["perf", "record", "-q", "-e", "cpu-clock", "-F", "499", "-p", ",".join(map(str, pids)), "-o", self.data],
            stdin=subprocess.DEVNULL)

    def end(self):
        self.perf.send_signal(signal.SIGINT)
        self.perf.wait(timeout=60)
        for what, most in (("comm", 5), ("dso", 10), ("dso,symbol", 25)):
            report = subprocess.run(["perf", "report", "-i", self.data, "--stdio", "-q", "--sort", what],
                                    capture_output=True, text=True, check=True).stdout
            lines = [line.rstrip(" -") for line in report.splitlines() if line.strip()][:most]
            say(f"profile by {what}:\n" + demangled("\n".join(lines)))


def demangled(text):
    try:
        return subprocess.run(["swift-demangle", "--simplified"], input=text, capture_output=True, text=True,
                              check=True).stdout.rstrip()
    except (OSError, subprocess.CalledProcessError):
        return text
