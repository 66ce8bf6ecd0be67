"""The image of Deploy/Dockerfile: small, run by nobody, with a health check that tells."""

import json
import pathlib
import subprocess

import pytest

from pipeline import Pipeline
from process import Worker, end_all
from waiting import free_port, wait_for

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def settings(image, buildah):
    """The image's, as Docker has them."""
    return json.loads(buildah("inspect", "--type", "image", image).stdout)["Docker"]["config"]


def test_it_starts_the_program_as_nobody(container, buildah, settings, package):
    assert settings["User"] == "65534:65534"
    assert settings["Entrypoint"] == ["flyscreen"]
    told = buildah("run", container, "--", *settings["Entrypoint"], "--version").stdout
    version = subprocess.run(
        ["dpkg-deb", "--field", package, "Version"], capture_output=True, text=True, check=True).stdout.strip()
    number, _, built = version.partition("+")
    assert told.startswith(f"flyscreen {number} (commit ")
    label = settings["Labels"].get
    assert label("org.opencontainers.image.version") == number and label("org.opencontainers.image.licenses") == "Apache-2.0"
    assert built.endswith("." + label("org.opencontainers.image.revision"))
    assert buildah("inspect", "--type", "image", f"localhost/flyscreen:{number}").returncode == 0
    assert buildah("run", container, "--", "id", "--user").stdout == "65534\n"
    assert buildah("run", container, "--", "touch", "/usr/bin/flyscreen", check=False).returncode != 0


def test_it_is_small(container, buildah):
    root = pathlib.Path(buildah("mount", container).stdout.strip())
    try:
        used = int(subprocess.run(
            ["du", "--summarize", "--one-file-system", "--block-size=1M", root], capture_output=True, text=True,
            check=True).stdout.split()[0])
        print(f"{used} MiB")
        # 155 of them are the test's Debian, 61 the program.
        assert used < 300
        # Nothing that was only for the installation; of the package itself an empty file remains.
        assert not list(root.glob("var/lib/apt/lists/*"))
        assert not [file for file in root.glob("tmp/*") if file.stat().st_size]
    finally:
        buildah("umount", container)


def test_its_health_check_tells(in_image, container, buildah, settings, broker, frozen, tmp_path):
    kind, *command = settings["Healthcheck"]["Test"]
    assert kind == "CMD"
    port = free_port()

    def status():
        return buildah("run", "--env", f"WORKER_HTTP_PORT={port}", container, "--", *command, check=False).returncode

    assert status() == 1
    pipeline = Pipeline(in_image, broker, "healthy", tmp_path, partitions=1, inputs=("gifts",)).create_topics()
    try:
        worker = Worker(in_image, pipeline.flags(), port).wait_ready()
        assert status() == 0
        assert buildah("run", container, "--", *command, str(port)).returncode == 0
        with frozen(worker):
            assert status() == 1
        wait_for("it to be healthy again", lambda: status() == 0)
    finally:
        end_all()
        pipeline.close()
