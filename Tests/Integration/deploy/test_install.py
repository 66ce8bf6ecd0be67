"""Installed files, and the rights of what they run."""

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
UNITS = sorted((ROOT / "Deploy/systemd").glob("*.service"))


@pytest.fixture(scope="session")
def installed(binary, tmp_path_factory):
    """A root with the program under test."""
    root = tmp_path_factory.mktemp("root")
    subprocess.run([ROOT / "Deploy/package/install", root, "/usr", binary], check=True)
    return root


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_may_do_little(unit):
    told = run("systemd-analyze", "security", "--offline=true", unit).stdout
    assert float(re.search(r"Overall exposure level for \S+: ([\d.]+)", told)[1]) <= 2.0, told
    assert "\nDynamicUser=yes\n" in unit.read_text(), "it has no user of its own"


def test_units_are_good_and_start_what_is_installed(installed):
    assert [unit.name for unit in UNITS] == ["flyscreen-gateway.service", "flyscreen-worker@.service"]
    folder = installed / "lib/systemd/system"
    for unit in UNITS:
        text = (folder / unit.name).read_text()
        program, command, *words = re.search("^ExecStart=(.*)$", text, re.M)[1].split()
        assert (installed / program[1:]).stat().st_mode & 0o111
        assert (installed / words[words.index("--config") + 1][1:]).exists()
        check = run("systemd-analyze", "verify", f"--root={installed}", "--man=no", folder / unit.name.replace("@", "@0"))
        # The root has nothing but what we install.
        ours = [line for line in check.stderr.splitlines() if "Unknown" in line or "Failed to parse" in line]
        assert not ours, ours


def test_the_settings_that_are_installed_are_taken(installed, binary):
    for command in ("worker", "gateway"):
        told = run(binary, "settings", "--config", installed / f"etc/flyscreen/{command}.yaml", env={})
        assert told.returncode == 0, told.stderr
    told = run(binary, "settings", "--worker.id", "host-0", "--worker.http.port", "9090", env={})
    assert told.returncode == 0, told.stderr


def test_installing_again_keeps_the_settings(installed, binary):
    settings = installed / "etc/flyscreen/worker.yaml"
    before = settings.read_text()
    settings.write_text("worker: {http.port: 9999}\n")
    subprocess.run([ROOT / "Deploy/package/install", installed, "/usr", binary], check=True)
    assert settings.read_text() == "worker: {http.port: 9999}\n"
    settings.write_text(before)


def test_the_manual_page_is_good_and_has_all_commands(installed, binary):
    page = installed / "usr/share/man/man1/flyscreen.1.gz"
    text = run("gzip", "-dc", page).stdout
    check = run("groff", "-man", "-ww", "-Kutf8", "-Tutf8", "-P-c", input=text)
    assert (check.returncode, check.stderr) == (0, "")
    shown = re.sub(r".\x08", "", check.stdout).replace("‐", "-").replace("−", "-")
    commands = re.findall(r"^  (\w+(?: \w+)?)  ", run(binary, "--help").stdout, re.M)
    assert len(commands) >= 11
    for command in commands:
        assert re.search(rf"^ +{command}$", shown, re.M), command
    assert "--gift.lanes" in shown and "--kafka.bootstrap.servers" in shown


def complete(installed, *words):
    """The completions that bash offers for the last word."""
    script = installed / "usr/share/bash-completion/completions/flyscreen"
    line = f"""
      source {script}
      COMP_WORDS=(flyscreen {" ".join(f"'{word}'" for word in words)}) COMP_CWORD={len(words)}
      _flyscreen
      printf '%s\\n' "${{COMPREPLY[@]}}" """
    path = f"{installed}/usr/bin:{os.environ['PATH']}"
    done = run("bash", "-c", line, env={"PATH": path})
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_bash_completes_commands_and_settings(installed):
    assert complete(installed, "ga") == ["gateway"]
    assert complete(installed, "topics", "") == ["create"]
    assert {"--gift.lanes", "--members", "--config"} <= set(complete(installed, "worker", "--"))
    assert complete(installed, "worker", "--gift.la") == ["--gift.lanes"]
    assert complete(installed, "worker", "--gateway.http.p") == []
    assert complete(installed, "gateway", "--kafka.sasl.passw") == ["--kafka.sasl.password", "--kafka.sasl.password.file"]
    assert "worker" in complete(installed, "") and "--version" in complete(installed, "")


def test_the_version_names_commit_and_forms(binary):
    told = run(binary, "--version").stdout
    assert re.fullmatch(r"flyscreen \d+\.\d+\.\d+ \(commit [0-9a-z-]+\)\nforms: commits \d+, rooms \d+, journals \d+\n", told)
