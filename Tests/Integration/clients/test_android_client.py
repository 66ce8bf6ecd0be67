"""The Java library for Android, on a JVM: the cases of every client, and the jars that an app takes."""

import json
import pathlib
import shutil
import subprocess
import zipfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
JSON = pathlib.Path("/usr/share/java/com.android.json.jar")

pytestmark = pytest.mark.skipif(
    shutil.which("javac") is None or not JSON.exists(),
    reason="Debian's default-jdk-headless and libandroid-json-java are not installed")


def run(*command):
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_the_java_client_does_what_every_client_does(tmp_path):
    classes = run(ROOT / "Tests/AndroidClient/build", tmp_path).strip()
    told = json.loads(run("java", "-cp", classes, "flyscreen.client.Cases", ROOT / "Tests"))
    assert told["wrong"] == []
    assert told["looks"] > 5000


def test_the_jars_have_classes_of_java_8_and_no_other_dependency(tmp_path):
    jar = pathlib.Path(run(ROOT / "Deploy/package/client-android", tmp_path).strip())
    version = json.loads((ROOT / "Sources/Page/site/package.json").read_text())["version"]
    assert {path.name for path in tmp_path.iterdir()} == {
        f"flyscreen-client-{version}{end}" for end in (".jar", "-sources.jar", "-javadoc.jar", ".pom")}
    with zipfile.ZipFile(jar) as classes:
        names = [name for name in classes.namelist() if name.endswith(".class")]
        assert "flyscreen/client/Flyscreen.class" in names
        # The major version of a class file of Java 8.
        assert {classes.read(name)[7] for name in names} == {52}
    used = run("jdeps", "--multi-release", "base", "-cp", JSON, "-verbose:package", jar)
    packages = {line.split("->")[1].split()[0] for line in used.splitlines() if line.startswith("   ") and "->" in line}
    assert {name for name in packages if not name.startswith(("java.", "flyscreen.client"))} == {"org.json"}
    assert f"<version>{version}</version>" in (tmp_path / f"flyscreen-client-{version}.pom").read_text()
    with zipfile.ZipFile(tmp_path / f"flyscreen-client-{version}-sources.jar") as sources:
        assert "flyscreen/client/Screen.java" in sources.namelist()
