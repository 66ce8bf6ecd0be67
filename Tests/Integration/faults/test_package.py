"""The package, installed on a Debian that has no Swift: what it needs is there, and it works against a real Kafka.

FLYSCREEN_TEST_PACKAGE  the package; without it, the newest that `make package` made
"""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE.parent / "kafka", HERE.parent / "gateway"):
    sys.path.insert(0, str(folder))

from crowd import gift, json_record
from pipeline import Pipeline
from process import Worker, end_all
from sending import Sender
from served import ServedGateway
from waiting import free_port, wait_for

ROOT = HERE.parents[2]

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def package():
    named = os.environ.get("FLYSCREEN_TEST_PACKAGE")
    made = [pathlib.Path(named)] if named else sorted(
        (ROOT / ".build").glob("flyscreen_*.deb"), key=lambda file: file.stat().st_mtime)
    assert made, "make package makes it"
    return made[-1]


@pytest.fixture(scope="module")
def root(package, tmp_path_factory):
    """A small Debian with the package."""
    root = tmp_path_factory.mktemp("debian") / "root"
    subprocess.run(
        ["mmdebstrap", "--quiet", "--mode=root", "--variant=apt", f"--customize-hook=copy-in {package} /tmp",
         f"--customize-hook=chroot $1 apt-get install --yes --quiet=2 --no-install-recommends /tmp/{package.name}",
         "bookworm", root], check=True)
    return root


@pytest.fixture(scope="module")
def program(root, tmp_path_factory):
    """The program in there, run by nobody."""
    script = tmp_path_factory.mktemp("bin") / "flyscreen"
    script.write_text(f"""#!/bin/sh
exec unshare --mount sh -c 'mount -t proc proc {root}/proc && exec chroot --userspec=65534:65534 {root} /usr/bin/flyscreen "$@"' - "$@"
""")
    script.chmod(0o755)
    return script


def test_it_needs_no_swift_and_starts_nothing(root, program):
    assert not list(root.rglob("libswift*"))
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
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


def test_worker_and_gateway_work_there(program, broker, tmp_path):
    pipeline = Pipeline(program, broker, "packaged", tmp_path, partitions=2, inputs=("gifts",)).create_topics()
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
        assert worker.terminate() == 0, worker.said
        assert gateway.terminate() == 0, gateway.said
    finally:
        end_all()
        pipeline.close()
