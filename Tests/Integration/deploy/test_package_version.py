"""The version of a package: apt takes a later build for an upgrade."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def git(*words):
    run = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True)
    if run.returncode != 0:
        pytest.skip("this is no clone: its commits are not known")
    return run.stdout.split()


def version(commit):
    line = f"flyscreen 1.0.0 (commit {commit})"
    return subprocess.run(
        [ROOT / "Deploy/package/version", line], capture_output=True, text=True, check=True).stdout.strip()


def is_older(one, other):
    return subprocess.run(["dpkg", "--compare-versions", one, "lt", other]).returncode == 0


def test_versions_sort_as_their_commits_were_made():
    pairs = git("log", "--format=%ct:%h", "-n", "60")
    commits = sorted((int(time) // 60, commit) for time, commit in (pair.split(":") for pair in pairs))
    versions = [(minute, version(commit)) for minute, commit in commits]
    for (minute, one), (next_minute, other) in zip(versions, versions[1:]):
        if minute < next_minute:
            assert is_older(one, other), f"{one} is not older than {other}"


def test_one_with_changes_is_newer_than_its_commit_and_says_so():
    commit, = git("log", "--format=%h", "-n", "1")
    assert version(f"{commit}-dirty").endswith(f".{commit}.dirty")
    assert is_older(version(commit), version(f"{commit}-dirty"))


def test_one_of_no_commit_that_is_known_is_of_now():
    commit, = git("log", "--format=%h", "-n", "1")
    assert is_older(version(commit), version("unknown"))


def test_what_is_no_version_is_refused():
    run = subprocess.run([ROOT / "Deploy/package/version", "flyscreen"], capture_output=True, text=True)
    assert run.returncode == 64 and "is no version of flyscreen" in run.stderr
