"""The archive of `make dist` on a Debian without Swift, as a new user installs it; licences and bill of materials there
and in the package."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.long


def in_chroot(root, *words, **options):
    return subprocess.run(["chroot", root, *map(str, words)], capture_output=True, text=True, **options)


@pytest.fixture(scope="module")
def unpacked(bare, archive):
    """The archive, unpacked in that Debian: (its root, the folder in it)."""
    shutil.copy(archive, bare / "opt")
    done = in_chroot(bare, "tar", "--extract", "--directory", "/opt", "--file", f"/opt/{archive.name}")
    assert done.returncode == 0, done.stderr
    return bare, pathlib.Path("/opt") / archive.name.removesuffix(".tar.gz")


def install(root, folder):
    return in_chroot(root, folder / "Deploy/package/install", "", "/usr/local", folder / "flyscreen")


def test_a_new_user_installs_it(unpacked, apt):
    root, folder = unpacked
    check = ["sh", "-c", f"cd {folder} && sha256sum --check --quiet SHA256SUMS"]
    assert in_chroot(root, *check).returncode == 0
    # Each file has a checksum.
    named = {line.split("  ", 1)[1] for line in (root / str(folder)[1:] / "SHA256SUMS").read_text().splitlines()}
    there = {str(file.relative_to(root / str(folder)[1:])) for file in (root / str(folder)[1:]).rglob("*") if file.is_file()}
    assert there - named == {"SHA256SUMS"} and not named - there
    # The contracts that its pages lead to are there, too.
    linked = {link for page in (root / str(folder)[1:] / "Deploy").glob("*.md")
              for link in re.findall(r"\]\(\.\./(Schemas/[^)#]+)", page.read_text())}
    assert linked and linked <= there, linked - there

    refused = install(root, folder)
    assert refused.returncode == 69 and "apt-get install ca-certificates " in refused.stderr, refused
    assert not (root / "usr/local/bin/flyscreen").exists()

    apt(root, "install", *(root / str(folder)[1:] / "packages").read_text().split())
    done = install(root, folder)
    assert done.returncode == 0, done.stderr
    told = in_chroot(root, "flyscreen", "--version").stdout
    assert re.match(rf"flyscreen {folder.name.split('-')[1]} \(commit ", told), told
    told = in_chroot(root, "flyscreen", "settings", "--config", "/etc/flyscreen/worker.yaml")
    assert told.returncode == 0, told.stderr
    unit = (root / "usr/local/lib/systemd/system/flyscreen-worker@.service").read_text()
    assert "ExecStart=/usr/local/bin/flyscreen worker " in unit
    assert not list(root.rglob("libswift*"))


def test_package_and_archive_say_what_is_in_them(unpacked, root, package):
    archived, folder = unpacked
    bills = [archived / str(folder)[1:] / "bill.cdx.json", root / "usr/share/doc/flyscreen/bill.cdx.json"]
    for file in bills:
        bill = json.loads(file.read_text())
        assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
        parts = {part["name"]: part for part in bill["components"]}
        assert all(part["version"] for part in parts.values()), parts
        linked = {name for name, part in parts.items() if "licenses" in part}
        assert {"swiftCore", "Foundation", "_FoundationICU", "dispatch", "simdjson"} <= linked
        # Nothing that talks to the network by itself.
        assert not {"FoundationNetworking", "FoundationXML"} & linked
        # Each of the packages that it needs is one of those.
        depends = subprocess.run(
            ["dpkg-deb", "--field", package, "Depends"], capture_output=True, text=True, check=True).stdout
        needed = {words.split()[0] for words in depends.split(",")} - {"ca-certificates"}
        assert needed and needed <= set(parts) - linked, needed - set(parts)
        assert parts["librdkafka1"]["purl"].startswith(f"pkg:deb/debian/librdkafka1@{parts['librdkafka1']['version']}?")


@pytest.mark.parametrize("place", ["package", "archive"])
def test_each_linked_library_has_its_licence(place, root, unpacked):
    within = root if place == "package" else unpacked[0]
    documents = within / ("usr" if place == "package" else "usr/local") / "share/doc/flyscreen"
    text = (documents / "copyright").read_text()
    assert "Apache License" in text.split("\n== ")[0]
    # Below each heading stand the names of the libraries, up to an empty line.
    named = {name.strip() for part in text.split("\n== ")[1:]
             for name in part.split("\n\n")[0].partition("\n")[2].replace("\n", " ").split(",")}
    bill = json.loads((documents / "bill.cdx.json").read_text())
    linked = {part["name"] for part in bill["components"] if "licenses" in part}
    assert linked <= named, linked - named
    assert "UNICODE LICENSE V3" in text and "Runtime Library Exception" in text
