"""Deploy/compose.yaml: against Compose's schema, against the program, and at work, process by process, with the real
Kafka, nginx and Prometheus of this machine."""

import json
import pathlib
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

import pytest
import yaml
from confluent_kafka.admin import AdminClient, ConfigResource, ResourceType

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from composed import DEPLOY, NGINX, OURS, ROOT, SERVICES, Composed, is_of_its_place, kafka_settings
from container import Container
from waiting import LIMIT, wait_for


def test_compose_takes_it():
    told = subprocess.run(
        [pathlib.Path(sys.executable).parent / "check-jsonschema", "--builtin-schema", "vendor.compose-spec",
         DEPLOY / "compose.yaml"], capture_output=True, text=True)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.parametrize("name", OURS)
def test_the_program_takes_its_commands_and_settings(binary, name):
    Container(tuple(OURS[name]["command"]), OURS[name]["environment"]).check(binary)


def test_workers_have_names_of_their_own():
    names = [service["environment"]["WORKER_ID"] for service in OURS.values() if service["command"] == ["worker"]]
    assert len(set(names)) == len(names) == 2


@pytest.fixture(scope="module")
def served(binary):
    """The ports that each service serves, by its name."""
    ports = {
        "kafka": {int(port) for port in re.findall(r":(\d+)", SERVICES["kafka"]["environment"]["KAFKA_LISTENERS"])},
        "proxy": {80}, "prometheus": {9090}, "grafana": {3000}}
    for name, service in OURS.items():
        kind = service["command"][0]
        if kind in ("worker", "gateway"):
            settings = Container(tuple(service["command"]), service["environment"]).check(binary)
            ports[name] = {int(settings[f"{kind}.http.port"])}
    return ports


def test_every_address_is_a_services(served):
    texts = {name: json.dumps(service | {"image": ""}) for name, service in SERVICES.items()}
    for file in [DEPLOY / "prometheus/prometheus.yaml", *DEPLOY.glob("grafana/provisioning/*/*.yaml")]:
        texts[file] = file.read_text()
    found = set()
    for where, text in texts.items():
        for host, port in re.findall(r"\b([a-z]+(?:-\d)?):(\d{2,5})\b", text):
            assert int(port) in served.get(host, ()), f"{where}: nobody serves {host}:{port}"
            found.add(host)
    assert found == {"kafka", "worker-1", "worker-2", "gateway-1", "gateway-2", "prometheus"}
    for name, service in SERVICES.items():
        for published in service.get("ports", ()):
            address, _, port = re.fullmatch(r"([\d.]+):(\d+):(\d+)", published).groups()
            assert address == "127.0.0.1" and int(port) in served[name], published


def test_files_and_those_that_are_waited_for_are_there():
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    for name, service in SERVICES.items():
        for volume in service.get("volumes", ()):
            source, target, mode = volume.split(":")
            assert (DEPLOY / source).exists() and target.startswith("/") and mode == "ro", volume
        for other, how in service.get("depends_on", {}).items():
            assert other in SERVICES, f"{name} waits for {other}"
            if how["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other] or other in OURS and "\nHEALTHCHECK " in dockerfile
            if how["condition"] == "service_completed_successfully":
                assert SERVICES[other]["restart"] == "no"
    dashboards = yaml.safe_load((DEPLOY / "grafana/provisioning/dashboards/flyscreen.yaml").read_text())
    folder = dashboards["providers"][0]["options"]["path"]
    assert f"./grafana/flyscreen.json:{folder}/flyscreen.json:ro" in SERVICES["grafana"]["volumes"]
    assert SERVICES["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"] == f"{folder}/flyscreen.json"


def test_its_kafka_is_one_that_loses_no_markers():
    """4.2 to 4.3.1 do, after a crash."""
    assert re.fullmatch(r"apache/kafka:4\.1\.\d+", SERVICES["kafka"]["image"])


def get(url, **options):
    """Status and text."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, **options), timeout=LIMIT) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode()
    except OSError:
        return 0, ""


@pytest.mark.kafka
@pytest.mark.skipif(NGINX is None, reason="Debian's nginx-light is not installed")
def test_it_works(binary, prometheus_tools, tmp_path):
    composed = Composed(binary, tmp_path)
    try:
        composed.start_kafka()
        assert composed.start("topics").wait() == 0, composed.programs["topics"].said
        for name in ("worker-1", "worker-2"):
            composed.start(name, port=("WORKER_HTTP_PORT", 9090))
        for name in ("gateway-1", "gateway-2"):
            composed.start(name, port=("GATEWAY_HTTP_PORT", 8080))
        composed.start("crowd")
        proxy = f"http://{composed.start_proxy()}"
        prometheus = f"http://{composed.start_prometheus(prometheus_tools)}"
        assert composed.programs.keys() == SERVICES.keys() - {"kafka", "grafana"}

        def said():
            return {name: program.said[-1000:] for name, program in composed.programs.items()}

        def rooms():
            status, text = get(f"{proxy}/rooms")
            return json.loads(text)["rooms"] if status == 200 else None

        room = wait_for(lambda: f"rooms in which something happens: {said()}", rooms)[0]
        room = urllib.parse.quote(room["roomId"] if isinstance(room, dict) else room)
        with urllib.request.urlopen(f"{proxy}/rooms/{room}/commands", timeout=LIMIT) as stream:
            # Each line comes by itself, though the stream doesn't end.
            assert any(line.startswith(b"event: command") for line in stream)
        gift = {"eventId": "by-hand", "gift": {
            "sender": {"userId": "7", "name": "阿花"}, "giftId": "rose", "giftName": "玫瑰", "value": 10}}
        assert get(f"{proxy}/rooms/by-hand/events", data=json.dumps(gift).encode(),
                   headers={"Content-Type": "application/json"})[0] == 202
        assert get(f"{proxy}/metrics")[0] == 404

        def query(expression):
            status, text = get(f"{prometheus}/api/v1/query?{urllib.parse.urlencode({'query': expression})}")
            return status == 200 and [one["metric"]["job"] for one in json.loads(text)["data"]["result"]]

        wait_for(
            lambda: f"all to be seen by Prometheus: {query('up == 1')}; {said()}",
            lambda: sorted(query("up == 1") or ()) == sorted(2 * ["flyscreen-worker", "flyscreen-gateway"]))
        wait_for("all to be ready", lambda: len(query("flyscreen_ready == 1") or ()) == 4)
        assert '"FlyscreenDown"' in get(f"{prometheus}/api/v1/rules")[1]

        # Kafka takes settings that it doesn't know in silence.
        node = ConfigResource(ResourceType.BROKER, "1")
        admin = AdminClient({"bootstrap.servers": composed.broker.address})
        known = admin.describe_configs([node])[node].result()
        for name, value in kafka_settings().items():
            assert name in known, f"Kafka has no {name}"
            assert is_of_its_place(name) or known[name].value == value
    finally:
        composed.close()
