"""What a look at Deploy/Dockerfile tells; `make test-deploy` builds it and runs it."""

import pathlib
import subprocess
import sys

DEPLOY = pathlib.Path(__file__).resolve().parents[3] / "Deploy"


def test_hadolint_is_silent():
    told = subprocess.run(
        [pathlib.Path(sys.executable).parent / "hadolint", DEPLOY / "Dockerfile"], capture_output=True, text=True)
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


def test_without_a_package_it_says_so(tmp_path):
    told = subprocess.run([DEPLOY / "image/build"], capture_output=True, text=True)
    assert told.returncode != 0 and "a package is missing" in told.stderr
    told = subprocess.run(
        [DEPLOY / "image/build", tmp_path / "none.deb"], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
    assert told.returncode != 0 and ("none.deb" in told.stderr or "has to be installed" in told.stderr)
