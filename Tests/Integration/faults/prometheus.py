"""A real Prometheus that looks each second, with the rules of Deploy at twenty times their pace."""

import json
import os
import re
import signal
import subprocess
import time
import urllib.parse
import urllib.request

import yaml

from waiting import LIMIT, free_port, wait_for

PACE = 20


def hastened(rules):
    """Five minutes become fifteen seconds, in windows as in what has to last."""
    def seconds(match):
        return f"{int(match[1]) * {'m': 60, 'h': 3600}[match[2]] // PACE}s"

    text = re.sub(r"(?<=\[)(\d+)([mh])(?=\])", lambda m: seconds(m), rules)
    return re.sub(r"(?<=for: )(\d+)([mh])", lambda m: seconds(m), text)


class Prometheus:
    def __init__(self, tools, rules, folder):
        self._targets = folder / "targets.json"
        self._jobs = {}
        self._write_targets()
        (folder / "alerts.yaml").write_text(hastened(rules.read_text()))
        (folder / "prometheus.yaml").write_text(yaml.safe_dump({
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
            "rule_files": ["alerts.yaml"],
            "scrape_configs": [{"job_name": "flyscreen", "file_sd_configs": [{
                "files": ["targets.json"], "refresh_interval": "1s"}]}]}))
        self.port = free_port()
        self._output = open(folder / "prometheus.out", "w")
        self._process = subprocess.Popen(
            [tools / "prometheus", f"--config.file={folder}/prometheus.yaml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{self.port}"],
            stdin=subprocess.DEVNULL, stdout=self._output, stderr=subprocess.STDOUT, start_new_session=True)
        wait_for("Prometheus", self._answers)

    def _answers(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/-/ready", timeout=LIMIT) as answer:
                return answer.status == 200
        except OSError:
            return False

    def _write_targets(self):
        text = json.dumps([
            {"targets": [f"127.0.0.1:{port}"], "labels": {"job": job}} for port, job in self._jobs.items()])
        new = self._targets.with_suffix(".new")
        new.write_text(text)
        new.replace(self._targets)

    def watch(self, port, job):
        self._jobs[port] = job
        self._write_targets()
        wait_for(f"{job} to be seen", lambda: self.query(f'up{{instance="127.0.0.1:{port}"}} == 1'))

    def forget(self, port):
        del self._jobs[port]
        self._write_targets()
        wait_for("it to be forgotten", lambda: not self.query(f'up{{instance="127.0.0.1:{port}"}}'))

    def query(self, expression):
        """Labels and value of each series."""
        words = urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/query?{words}", timeout=LIMIT) as answer:
            return [(one["metric"], one["value"][1]) for one in json.load(answer)["data"]["result"]]

    def firing(self):
        return {labels["alertname"] for labels, _ in self.query('ALERTS{alertstate="firing"}')}

    def fired(self, since):
        """All that fired, be it for a moment."""
        seconds = int(time.monotonic() - since) + 1
        return {
            labels["alertname"]
            for labels, _ in self.query(f'max_over_time(ALERTS{{alertstate="firing"}}[{seconds}s])')}

    def close(self):
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._output.close()
