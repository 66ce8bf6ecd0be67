"""The package, installed on a Debian without Swift and in an image.

FLYSCREEN_TEST_PACKAGE  the package; without it, the newest that `make package` made
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE.parent / "kafka", HERE.parent / "gateway"):
    sys.path.insert(0, str(folder))

ROOT = HERE.parents[2]


@pytest.fixture(scope="session")
def package():
    named = os.environ.get("FLYSCREEN_TEST_PACKAGE")
    made = [pathlib.Path(named)] if named else sorted(
        (ROOT / ".build").glob("flyscreen_*.deb"), key=lambda file: file.stat().st_mtime)
    assert made, "make package makes it"
    return made[-1]


@pytest.fixture(scope="session")
def debian(tmp_path_factory):
    """A small Debian 12, as an archive."""
    archive = tmp_path_factory.mktemp("debian") / "debian.tar"
    subprocess.run(["mmdebstrap", "--quiet", "--mode=root", "--variant=apt", "bookworm", archive], check=True)
    yield archive
    archive.unlink()


@pytest.fixture(scope="session")
def archive():
    """The newest that `make dist` made."""
    made = sorted((ROOT / ".build").glob("flyscreen-*-linux-*.tar.gz"), key=lambda file: file.stat().st_mtime)
    assert made, "make dist makes it"
    return made[-1]


@pytest.fixture(scope="session")
def apt():
    def run(root, *words):
        subprocess.run(
            ["chroot", root, "apt-get", "--quiet=2", "--yes", "--no-install-recommends", *words], check=True,
            stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], "DEBIAN_FRONTEND": "noninteractive"})

    return run


def new_root(debian, apt, tmp_path_factory):
    root = tmp_path_factory.mktemp("installed") / "root"
    root.mkdir()
    subprocess.run(["tar", "--extract", "--file", debian, "--directory", root], check=True)
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    apt(root, "update")
    return root


@pytest.fixture(scope="session")
def bare(debian, apt, tmp_path_factory):
    """The root of that Debian, with nothing more."""
    root = new_root(debian, apt, tmp_path_factory)
    yield root
    shutil.rmtree(root)


@pytest.fixture(scope="session")
def root(package, debian, apt, tmp_path_factory):
    """The root of that Debian, with the package."""
    root = new_root(debian, apt, tmp_path_factory)
    shutil.copy(package, root / "tmp")
    apt(root, "install", f"/tmp/{package.name}")
    yield root
    shutil.rmtree(root)


@pytest.fixture(scope="session")
def storage(tmp_path_factory):
    """The environment of a buildah with images of its own."""
    folder = tmp_path_factory.mktemp("images")
    (folder / "storage.conf").write_text(
        f'[storage]\ndriver = "vfs"\ngraphroot = "{folder}/graph"\nrunroot = "{folder}/run"\n')
    environment = os.environ | {
        "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"), "BUILDAH_ISOLATION": "chroot"}
    yield environment
    subprocess.run(["buildah", "rm", "--all"], env=environment, capture_output=True)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def buildah(storage):
    def run(*words, check=True):
        done = subprocess.run(["buildah", *map(str, words)], env=storage, capture_output=True, text=True)
        assert done.returncode == 0 or not check, f"buildah {words[0]}: {done.stdout[-2000:]} {done.stderr[-2000:]}"
        return done

    return run


@pytest.fixture(scope="session")
def image(package, debian, storage, buildah):
    """Made as `make image` makes it."""
    container = buildah("from", "scratch").stdout.strip()
    buildah("add", "--quiet", container, debian, "/")
    buildah("commit", "--quiet", "--rm", container, "localhost/debian-of-the-test")
    built = subprocess.run(
        [ROOT / "Deploy/image/build", package, "flyscreen"], capture_output=True, text=True,
        env=storage | {"BUILDER": "buildah", "BASE": "localhost/debian-of-the-test"})
    assert built.returncode == 0, built.stdout[-4000:] + built.stderr[-4000:]
    return "localhost/flyscreen"


@pytest.fixture(scope="session")
def container(image, buildah):
    return buildah("from", "--pull-never", image).stdout.strip()


@pytest.fixture(scope="session")
def in_root(root, tmp_path_factory):
    """The program in that Debian, run by nobody, where nothing can be written."""
    return script(
        tmp_path_factory,
        f"""exec unshare --mount sh -c 'mount --bind {root} {root} && mount -o remount,bind,ro {root} &&
  mount -t proc proc {root}/proc && exec chroot --userspec=65534:65534 {root} /usr/bin/flyscreen "$@"' - "$@" """)


@pytest.fixture(scope="session")
def in_image(container, storage, tmp_path_factory):
    """The program in a container, run by whom the image says."""
    return script(
        tmp_path_factory,
        f"CONTAINERS_STORAGE_CONF={storage['CONTAINERS_STORAGE_CONF']} "
        f'exec buildah run --isolation chroot {container} -- flyscreen "$@"')


def pid_of(program):
    """The process of flyscreen itself, which `docker stop` signals, below what has started it."""
    parents, names = {}, {}
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = file.read_text().partition("(")[2].rsplit(")", 1)
        except OSError:
            continue
        pid = int(file.parent.name)
        parents[pid], names[pid] = int(rest.split()[1]), name

    def is_below(pid):
        return pid == program.pid or pid in parents and is_below(parents[pid])

    found = [pid for pid, name in names.items() if name == "flyscreen" and is_below(pid)]
    assert len(found) == 1, found
    return found[0]


@pytest.fixture(scope="session")
def stop():
    """Ends a program as `docker stop` does, and gives its exit status."""
    def end(program):
        os.kill(pid_of(program), signal.SIGTERM)
        return program.wait()

    return end


@pytest.fixture
def frozen():
    @contextlib.contextmanager
    def while_frozen(program):
        pid = pid_of(program)
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    return while_frozen


def script(tmp_path_factory, line):
    file = tmp_path_factory.mktemp("bin") / "flyscreen"
    file.write_text(f"#!/bin/sh\n{line}\n")
    file.chmod(0o755)
    return file
