"""Alerts, the runbook, and the metrics that they are about."""

import json
import pathlib
import re
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from rules import SICK, scenes

ROOT = HERE.parents[2]
DEPLOY = ROOT / "Deploy"
ALERTS = DEPLOY / "prometheus/alerts.yaml"
RULES = yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]
NAMES = [rule["alert"] for rule in RULES]


def promtool(tools, *arguments):
    return subprocess.run([tools / "promtool", *map(str, arguments)], capture_output=True, text=True)


def test_every_alert_has_its_section_of_the_runbook():
    runbook = (DEPLOY / "RUNBOOK.md").read_text()
    sections = re.findall(r"^## (Flyscreen\w+)$", runbook, re.M)
    assert sections == NAMES
    for section in runbook.split("\n## Flyscreen")[1:]:
        assert "**It means**" in section and "**Do:**" in section, section[:40]
    for rule in RULES:
        assert rule["annotations"]["runbook"] == f"RUNBOOK.md#{rule['alert'].lower()}"
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_the_rules_and_the_configuration_are_prometheus_own(prometheus_tools):
    for what, file in (("rules", ALERTS), ("config", DEPLOY / "prometheus/prometheus.yaml")):
        check = promtool(prometheus_tools, "check", what, file)
        assert check.returncode == 0, check.stdout + check.stderr


def test_each_alert_fires_in_its_scene_alone_and_none_in_a_healthy_one(prometheus_tools, tmp_path):
    assert sorted(SICK) == sorted(NAMES)
    file = tmp_path / "scenes.json"
    file.write_text(json.dumps(scenes(ALERTS)))
    check = promtool(prometheus_tools, "test", "rules", file)
    assert check.returncode == 0, check.stdout + check.stderr


def test_the_dashboard_is_one():
    """Checks without Grafana: panels have places of their own, queries, and variables that are there."""
    dashboard = json.loads((DEPLOY / "grafana/flyscreen.json").read_text())
    known = {variable["name"] for variable in dashboard["templating"]["list"]}
    cells, ids = set(), set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        taken = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        assert not taken & cells and max(x for x, _ in taken) < 24, panel["title"]
        cells |= taken
        assert panel["id"] not in ids
        ids.add(panel["id"])
        assert panel["type"] == "row" or panel["targets"], panel["title"]
        for target in panel.get("targets", ()):
            assert set(re.findall(r"\$(\w+)", target["expr"])) - {"__rate_interval"} <= known, target["expr"]


def test_every_metric_that_is_spoken_of_is_there():
    """The sources have each name in full. A word that begins with a $ is a variable of nginx."""
    told = set()
    for source in (ROOT / "Sources").rglob("*.swift"):
        told |= set(re.findall(r'"((?:flyscreen|process)_[a-z_]+)"', source.read_text()))
    told |= {f"{name}_{part}" for name in told for part in ("bucket", "count", "sum")}
    for page in (ALERTS, DEPLOY / "RUNBOOK.md", DEPLOY / "README.md", DEPLOY / "grafana/flyscreen.json",
                 ROOT / "Schemas/INTERFACES.md"):
        for name in re.findall(r"(?<!\$)\b((?:flyscreen|process)_[a-z_]+)", page.read_text()):
            assert name in told, f"{page.name}: there is no {name}"
