"""Deploy/compose.yaml on this machine: the same commands and settings, with addresses and files of a test's own."""

import os
import pathlib
import re
import shutil
import subprocess

import yaml

from broker import Broker
from process import Program
from waiting import free_port

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "Deploy"
SERVICES = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "flyscreen"}
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")


def kafka_settings():
    """The settings that Kafka's image makes of the environment."""
    return {
        name.removeprefix("KAFKA_").lower().replace("_", "."): value
        for name, value in SERVICES["kafka"]["environment"].items()}


def is_of_its_place(setting):
    """One that a broker on this machine has otherwise."""
    return re.search("listener|^node.id$|^process.roles$|quorum", setting)


class Composed:
    def __init__(self, binary, folder):
        self._binary = binary
        self._folder = folder
        # The addresses on this machine of the services' names.
        self._addresses = {}
        self.programs = {}
        self.broker = Broker(
            ROOT / "Tests/Broker/broker", folder / "kafka",
            *(f"{name}={value}" for name, value in kafka_settings().items() if not is_of_its_place(name)))

    def start_kafka(self):
        self._addresses["kafka:9092"] = self.broker.start().address

    def here(self, text):
        """The text with addresses of this machine."""
        return re.sub(
            r"\b[a-z]+(?:-\d)?:\d+\b", lambda found: self._addresses.get(found[0], found[0]), text)

    def start(self, name, port=None):
        """One of ours; with `port`, the setting and what it is by default, on another."""
        service = OURS[name]
        environment = {key: self.here(value) for key, value in service["environment"].items()}
        if port:
            setting, usual = port
            number = free_port()
            environment[setting] = str(number)
            self._addresses[f"{name}:{usual}"] = f"127.0.0.1:{number}"
        self.programs[name] = Program(self._binary, service["command"], environment, name=name)
        return self.programs[name]

    def start_proxy(self):
        """Its own script, but that the nginx it comes to is one with paths of the test. Gives its address."""
        folder = self._folder / "proxy"
        folder.mkdir()
        address = f"127.0.0.1:{free_port()}"
        self._addresses["proxy:80"] = address
        shell, option, script = SERVICES["proxy"]["command"]
        for path, mine in [("/etc/flyscreen/nginx.conf", DEPLOY / "nginx.conf"),
                           ("/etc/nginx/conf.d/default.conf", folder / "made.conf")]:
            assert path in script
            script = script.replace(path, str(mine))
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{ }}"
            f" http {{ {temporary} include {folder}/site.conf; }}")
        (folder / "nginx").write_text(f'#!/bin/sh\n[ "$*" = "-g daemon off;" ]\n')
        (folder / "nginx").chmod(0o755)
        subprocess.run(
            [shell, option, "set -e\n" + script], check=True,
            env={"PATH": f"{folder}:{os.environ['PATH']}"})
        site = self.here((folder / "made.conf").read_text())
        assert site.count("listen 80;") == 1
        (folder / "site.conf").write_text(
            site.replace("listen 80;", f"listen {address};").replace("/var/cache/nginx", str(folder)))
        # Its workers are another user.
        for path in [folder, *folder.parents]:
            if path.stat().st_uid == os.getuid() and path != pathlib.Path("/"):
                path.chmod(path.stat().st_mode | 0o011)
        self.programs["proxy"] = Program(NGINX, ["-p", folder, "-c", folder / "nginx.conf"], name="proxy")
        return address

    def start_prometheus(self, tools):
        """Starts a Prometheus with Deploy's own configuration, but that it looks each second. Gives its address."""
        folder = self._folder / "prometheus"
        shutil.copytree(DEPLOY / "prometheus", folder)
        settings = self.here((folder / "prometheus.yaml").read_text())
        (folder / "prometheus.yaml").write_text(settings.replace("scrape_interval: 15s", "scrape_interval: 1s"))
        address = f"127.0.0.1:{free_port()}"
        self._addresses["prometheus:9090"] = address
        command = [word.replace("/etc/prometheus", str(folder)).replace("=/prometheus", f"={folder}/data")
                   for word in SERVICES["prometheus"]["command"]]
        self.programs["prometheus"] = Program(
            tools / "prometheus", [*command, f"--web.listen-address={address}"], name="prometheus")
        return address

    def close(self):
        for program in self.programs.values():
            program.kill()
        self.broker.remove()
