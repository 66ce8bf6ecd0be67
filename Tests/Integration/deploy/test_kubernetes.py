"""Deploy/kustomize, as kustomize builds it, against the schemas of Kubernetes and KEDA, and against the program."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import urllib.error
import urllib.request

import jsonschema
import kubernetes_validate
import pytest
import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from container import Container
from process import Program, end_all
from waiting import LIMIT, free_port, wait_for

BASE = HERE.parents[2] / "Deploy/kustomize"
# The oldest that unhealthyPodEvictionPolicy is in by default, and the newest.
VERSIONS = ["1.27", kubernetes_validate.latest_version()]


def build(folder):
    built = subprocess.run(
        [pathlib.Path(sys.executable).parent / "kubectl", "kustomize", folder], capture_output=True, text=True)
    assert (built.returncode, built.stderr) == (0, "")
    return list(yaml.safe_load_all(built.stdout))


@pytest.fixture(scope="module")
def resources():
    return build(BASE)


@pytest.fixture(scope="module")
def one(resources):
    def find(kind, name):
        found = [each for each in resources if each["kind"] == kind and each["metadata"]["name"] == name]
        assert len(found) == 1, f"{len(found)} of {kind} {name}"
        return found[0]

    return find


WORKLOADS = [("StatefulSet", "flyscreen-worker"), ("Deployment", "flyscreen-gateway")]


@pytest.fixture(params=WORKLOADS, ids=lambda pair: pair[1])
def workload(request, one):
    return one(*request.param)


def pod(workload):
    return workload["spec"]["template"]["spec"]


def only(values):
    assert len(values) == 1, values
    return values[0]


def value_from(source, container, workload):
    """The value that Kubernetes fills in."""
    if "fieldRef" in source:
        assert source["fieldRef"] == {"fieldPath": "metadata.name"}
        return f"{workload['metadata']['name']}-0"
    field = source["resourceFieldRef"]
    assert field == {"containerName": container["name"], "resource": "requests.cpu", "divisor": "1"}
    return str(int(container["resources"]["requests"]["cpu"]))


@pytest.fixture
def container(workload, one, tmp_path):
    """The workload's container: its command, with the files of its ConfigMaps."""
    spec = only(pod(workload)["containers"])
    environment = {}
    for source in spec.get("envFrom", ()):
        environment |= one("ConfigMap", source["configMapRef"]["name"])["data"]
    for variable in spec.get("env", ()):
        environment[variable["name"]] = variable.get("value") or value_from(variable["valueFrom"], spec, workload)
    volumes = {volume["name"]: volume for volume in pod(workload)["volumes"]}
    words = list(spec["args"])
    for number, mount in enumerate(spec["volumeMounts"]):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, text in one("ConfigMap", volumes.pop(mount["name"])["configMap"]["name"])["data"].items():
            (folder / name).write_text(text)
        words = [word.replace(mount["mountPath"], str(folder)) for word in words]
    assert not volumes, "mounted nowhere"
    return Container(tuple(words), environment)


def test_every_file_is_a_part_of_it():
    listed = yaml.safe_load((BASE / "kustomization.yaml").read_text())
    files = {*listed["resources"], *(file for each in listed["configMapGenerator"] for file in each.get("files", ()))}
    there = {str(file.relative_to(BASE)) for file in BASE.rglob("*") if file.is_file()}
    assert there == files | {"kustomization.yaml"}


@pytest.mark.parametrize("version", VERSIONS)
def test_kubernetes_takes_it(resources, version):
    for each in resources:
        if each["apiVersion"] != "keda.sh/v1alpha1":
            kubernetes_validate.validate(each, version, strict=True)


def test_keda_takes_it(one):
    jsonschema.validate(one("ScaledObject", "flyscreen-worker"), json.loads((HERE / "scaled-object.json").read_text()))


def test_nothing_is_there_twice(resources):
    names = [(each["kind"], each["metadata"]["name"]) for each in resources]
    assert len(set(names)) == len(names)


def test_selectors_find_the_pods_of_their_name(resources, one):
    pods = {name: one(kind, name)["spec"]["template"] for kind, name in WORKLOADS}
    selecting = [each for each in resources if "selector" in each.get("spec", {})]
    assert len(selecting) == 6
    for each in selecting:
        labels = each["spec"]["selector"]
        labels = labels.get("matchLabels", labels)
        found = [name for name, template in pods.items() if labels.items() <= template["metadata"]["labels"].items()]
        assert found == [each["metadata"]["name"]], f"{each['kind']} {each['metadata']['name']} selects {found}"
    for kind, name in WORKLOADS:
        for spread in pod(one(kind, name))["topologySpreadConstraints"]:
            assert spread["labelSelector"] == one(kind, name)["spec"]["selector"]
    for budget in ("flyscreen-worker", "flyscreen-gateway"):
        assert one("PodDisruptionBudget", budget)["spec"]["maxUnavailable"] == 1
    # Names of its pods need a Service without an address.
    service = one("Service", one(*WORKLOADS[0])["spec"]["serviceName"])
    assert service["spec"]["clusterIP"] == "None"


def test_settings_and_ports_are_the_programs(binary, workload, container, one):
    settings = container.check(binary)
    spec = only(pod(workload)["containers"])
    ports = {port["name"]: port["containerPort"] for port in spec["ports"]}
    kind = spec["name"]
    assert container.words[0] == kind
    assert ports["http"] == int(settings[f"{kind}.http.port"])
    if kind == "gateway":
        assert ports.keys() == {"http", "probes"} and ports["probes"] == int(settings["gateway.probes.port"])
    else:
        assert ports.keys() == {"http"}
        assert settings["worker.id"] == "flyscreen-worker-0"
        assert settings["worker.members"] == spec["resources"]["requests"]["cpu"] == "1"
    for port in one("Service", workload["metadata"]["name"])["spec"]["ports"]:
        assert port["targetPort"] in ports
        # A port of a name that a proxy or a Prometheus can't know is the container's own.
        assert port["port"] in (80, ports[port["targetPort"]])


def test_probes_ask_what_the_program_serves(binary, workload, container):
    """The program, with these settings, and no broker."""
    spec = only(pod(workload)["containers"])
    ports = {port["name"]: free_port() for port in spec["ports"]}
    flags = [word for name, port in ports.items() for word in (f"--{spec['name']}.{name}.port", port)]
    program = Program(
        binary, [*container.words, *flags, "--kafka.bootstrap.servers", "127.0.0.1:1"], name=spec["name"])
    try:
        def ask(probe):
            get = probe["httpGet"]
            try:
                with urllib.request.urlopen(
                        f"http://127.0.0.1:{ports[get['port']]}{get['path']}", timeout=LIMIT) as answer:
                    return answer.status
            except urllib.error.HTTPError as refusal:
                return refusal.code
            except OSError:
                return None

        wait_for(lambda: f"it to be alive; it said {program.said}", lambda: ask(spec["livenessProbe"]) == 200)
        # Without a broker it is of no use, and must not be started anew.
        assert ask(spec["readinessProbe"]) == 503
        assert ask(spec["startupProbe"]) == 200
        assert spec["livenessProbe"].get("failureThreshold", 3) * spec["livenessProbe"]["periodSeconds"] >= 20
    finally:
        end_all()


def test_it_has_time_to_end(binary, workload, container):
    settings = container.check(binary)
    drain = (int(settings["gateway.drainMs"]) + int(settings["gateway.drainSpreadMs"])) / 1000 + 3
    assert pod(workload)["terminationGracePeriodSeconds"] > drain
    readiness = only(pod(workload)["containers"])["readinessProbe"]
    if container.words[0] == "gateway":
        # No new client comes once it listens no more.
        assert readiness["failureThreshold"] * readiness["periodSeconds"] < int(settings["gateway.drainMs"]) / 1000


def test_a_pod_may_do_little(workload):
    spec = pod(workload)
    user = re.search(r"^USER (\d+):(\d+)$", (BASE.parent / "Dockerfile").read_text(), re.M)
    context = spec["securityContext"]
    assert (context["runAsUser"], context["runAsGroup"]) == (int(user[1]), int(user[2]))
    assert context["runAsNonRoot"] and context["seccompProfile"] == {"type": "RuntimeDefault"}
    assert spec["automountServiceAccountToken"] is False
    # Kubernetes would make variables of all Services, and some of their names may be settings.
    assert spec["enableServiceLinks"] is False
    for each in spec["containers"]:
        assert each["image"] == "flyscreen"
        assert each["securityContext"] == {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}


@pytest.mark.parametrize("workload", WORKLOADS[:1], ids=["flyscreen-worker"], indirect=True)
def test_keda_counts_what_the_workers_work_on(binary, workload, container, one):
    settings = container.check(binary)
    spec = one("ScaledObject", "flyscreen-worker")["spec"]
    target = spec["scaleTargetRef"]
    assert (target["apiVersion"], target["kind"], target["name"]) == (
        workload["apiVersion"], workload["kind"], workload["metadata"]["name"])
    assert "replicas" not in workload["spec"], "each apply would take back what KEDA said"
    kafka = [trigger["metadata"] for trigger in spec["triggers"] if trigger["type"] == "kafka"]
    assert [trigger["topic"] for trigger in kafka] == settings["topics.input"].split(",")
    for trigger in kafka:
        assert trigger["bootstrapServersFromEnv"] in container.environment
        assert trigger["consumerGroup"] == settings["kafka.group.id"]
    assert spec["maxReplicaCount"] <= int(settings["topics.partitions"]) * len(kafka)
    # A share of the CPU is one of what the pod asks for.
    assert [trigger["type"] for trigger in spec["triggers"]].count("cpu") == 1
    assert "cpu" in only(pod(workload)["containers"])["resources"]["requests"]


def test_the_overlay_that_is_shown_is_one(tmp_path):
    """The overlay in Deploy/README.md says where the image and the brokers are, and has settings of its own."""
    shown = re.search(r"\n((?:    .*\n|\n)*    # kustomization.yaml\n(?:    .*\n|\n)*)", (BASE.parent / "README.md").read_text())
    shutil.copytree(BASE, tmp_path / "base")
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings/worker.yaml").write_text("gift: {lanes: 3}\n")
    (tmp_path / "kustomization.yaml").write_text(textwrap.dedent(shown[1]))
    overlaid = build(tmp_path)
    assert {each["metadata"]["namespace"] for each in overlaid} == {"live"}
    data = {name: text for each in overlaid if each["kind"] == "ConfigMap" for name, text in each["data"].items()}
    assert data["worker.yaml"] == "gift: {lanes: 3}\n"
    assert data["KAFKA_BOOTSTRAP_SERVERS"] == "kafka-0.kafka:9092,kafka-1.kafka:9092"
    names = {each["metadata"]["name"] for each in overlaid if each["kind"] == "ConfigMap"}
    for each in overlaid:
        if each["kind"] in ("StatefulSet", "Deployment"):
            container = only(pod(each)["containers"])
            assert container["image"] == "images.example.org/flyscreen:1.0.0"
            used = {volume["configMap"]["name"] for volume in pod(each)["volumes"]}
            assert used | {source["configMapRef"]["name"] for source in container["envFrom"]} <= names


OVERLAY = BASE.parent / "overlay"
SCHEMAS = json.loads((HERE / "custom-resources.json").read_text())


@pytest.fixture(scope="module")
def overlaid():
    return build(OVERLAY)


@pytest.mark.parametrize("version", VERSIONS)
def test_kubernetes_takes_the_overlay(overlaid, version):
    for each in overlaid:
        if each["kind"] == "ScaledObject":
            jsonschema.validate(each, json.loads((HERE / "scaled-object.json").read_text()))
        elif each["kind"] in SCHEMAS:
            jsonschema.validate(each, SCHEMAS[each["kind"]])
        else:
            kubernetes_validate.validate(each, version, strict=True)


def named(overlaid, kind):
    return {each["metadata"]["name"]: each for each in overlaid if each["kind"] == kind}


def test_the_overlay_has_the_alerts_as_they_are(overlaid):
    alerts = yaml.safe_load((BASE.parent / "prometheus/alerts.yaml").read_text())
    assert named(overlaid, "PrometheusRule")["flyscreen"]["spec"] == alerts


def test_the_overlay_gives_each_program_settings_that_it_takes(binary, overlaid, tmp_path):
    maps = named(overlaid, "ConfigMap")
    workloads = [*named(overlaid, "StatefulSet").values(), *named(overlaid, "Deployment").values(),
                 *named(overlaid, "Job").values()]
    assert len(workloads) == 3
    for workload in workloads:
        spec = pod(workload)
        container = only(spec["containers"])
        volumes = {volume["name"]: volume for volume in spec["volumes"]}
        mounted = {mount["mountPath"]: volumes[mount["name"]] for mount in container["volumeMounts"]}
        environment = dict(maps[only(container["envFrom"])["configMapRef"]["name"]]["data"])
        assert mounted["/run/kafka"]["secret"]["secretName"] == "flyscreen-kafka"
        for name, file in (("KAFKA_SASL_PASSWORD_FILE", "password"), ("KAFKA_SSL_CA_LOCATION", "ca.pem")):
            assert environment[name] == f"/run/kafka/{file}"
            (tmp_path / file).write_text("x")
            environment[name] = str(tmp_path / file)
        settings = Program(binary, ["settings"], environment)
        assert settings.wait() == 0, settings.said
        assert any(line.startswith("kafka.sasl.mechanism = SCRAM-SHA-512") for line in settings.output)


def test_what_the_overlay_selects_is_there(overlaid):
    pods = {each["metadata"]["name"]: each["spec"]["template"] for kind in ("StatefulSet", "Deployment", "Job")
            for each in named(overlaid, kind).values()}
    selecting = [(each, each["spec"]["podSelector"]) for each in named(overlaid, "NetworkPolicy").values()]
    selecting += [(each, each["spec"]["selector"]) for each in named(overlaid, "PodMonitor").values()]
    assert len(selecting) == 5
    for each, selector in selecting:
        template, = (template for template in pods.values()
                     if selector["matchLabels"].items() <= template["metadata"]["labels"].items())
        ports = {port["name"] for container in template["spec"]["containers"] for port in container.get("ports", ())}
        asked = {end["port"] for end in each["spec"].get("podMetricsEndpoints", ())}
        asked |= {port["port"] for rule in each["spec"].get("ingress", ()) for port in rule["ports"]}
        assert asked <= ports, each["metadata"]["name"]
    scaled = named(overlaid, "ScaledObject")["flyscreen-gateway"]["spec"]
    assert "replicas" not in named(overlaid, "Deployment")[scaled["scaleTargetRef"]["name"]]["spec"]
    query = only(scaled["triggers"])["metadata"]["query"]
    assert re.search(r"flyscreen_\w+", query)[0] in (BASE.parents[1] / "Sources/Gateway/GatewayMetrics.swift").read_text()
    for monitor in named(overlaid, "PodMonitor").values():
        job, = only(monitor["spec"]["podMetricsEndpoints"])["relabelings"]
        assert (job["targetLabel"], job["replacement"]) == ("job", monitor["metadata"]["name"])
    triggers = named(overlaid, "ScaledObject")["flyscreen-worker"]["spec"]["triggers"]
    for trigger in triggers:
        if trigger["type"] == "kafka":
            assert trigger["authenticationRef"]["name"] in named(overlaid, "TriggerAuthentication")
