"""The package, installed on a Debian that has no Swift: what it needs is there, and it works against a real Kafka, there
and in the image."""

import shutil
import subprocess

import pytest

from crowd import gift, json_record
from pipeline import Pipeline
from process import Worker, end_all
from sending import Sender
from served import ServedGateway
from waiting import free_port, wait_for

pytestmark = pytest.mark.long


def test_it_needs_no_swift_and_starts_nothing(root, in_root):
    assert not list(root.rglob("libswift*"))
    told = subprocess.run([in_root, "--version"], capture_output=True, text=True, check=True).stdout
    assert told.startswith("flyscreen ")
    for file in ("lib/systemd/system/flyscreen-worker@.service", "etc/flyscreen/gateway.yaml"):
        assert (root / file).exists()
    assert not list((root / "etc/systemd").rglob("flyscreen*"))


def test_removing_it_leaves_the_settings(root, package):
    def dpkg(*words):
        subprocess.run(["chroot", root, "dpkg", *words], check=True, capture_output=True)

    dpkg("--remove", "flyscreen")
    assert not (root / "usr/bin/flyscreen").exists() and (root / "etc/flyscreen/worker.yaml").exists()
    shutil.copy(package, root / "tmp")
    dpkg("--install", f"/tmp/{package.name}")
    assert (root / "usr/bin/flyscreen").exists()


@pytest.mark.parametrize("place", ["in_root", "in_image"])
def test_worker_and_gateway_work_there(place, request, broker, stop, tmp_path):
    program = request.getfixturevalue(place)
    pipeline = Pipeline(program, broker, f"packaged.{place}", tmp_path, partitions=2, inputs=("gifts",)).create_topics()
    try:
        worker = Worker(program, pipeline.flags(), free_port()).wait_ready()
        gateway = ServedGateway(
            program, ["--kafka.bootstrap.servers", broker.address, "--topics.commands", pipeline.commands,
                      "--topics.results", pipeline.results], free_port()).wait_ready()
        stream = gateway.stream("r1")
        sender = Sender(broker.address)
        sender.send(json_record(pipeline.inputs[0], gift("e1", "r1", 7)))
        sender.flush()
        stream.read_until('"giftShow"')
        wait_for("its metrics", lambda: worker.metric("flyscreen_records_total") == 1)
        assert worker.metric("process_resident_memory_bytes") > 0
        assert stop(worker) == 0, worker.said
        assert stop(gateway) == 0, gateway.said
    finally:
        end_all()
        pipeline.close()
