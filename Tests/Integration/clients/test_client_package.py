"""The JavaScript client as a package: what npm takes, what TypeScript sees of it, and what the README shows."""

import pathlib
import re
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SITE = ROOT / "Sources/Page/site"
TARGET = ["--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--module", "es2022", "--moduleResolution", "node"]

needs_tsc = pytest.mark.skipif(shutil.which("tsc") is None, reason="there is no tsc here (Debian's node-typescript)")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")


def run(*command, cwd=None):
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def user(tmp_path_factory):
    """A folder of somebody who uses the package: what npm would put there, there."""
    folder = tmp_path_factory.mktemp("user")
    package = folder / "node_modules/flyscreen"
    package.mkdir(parents=True)
    for name in ("package.json", "flyscreen.js"):
        shutil.copy(SITE / name, package)
    for name in ("client", "types"):
        shutil.copytree(SITE / name, package / name)
    return folder


@needs_tsc
def test_the_types_are_those_that_its_comments_say(tmp_path):
    """They are made anew by: cd Sources/Page/site && tsc --allowJs --declaration … --outDir types flyscreen.js"""
    run("tsc", "--allowJs", "--declaration", "--emitDeclarationOnly", "--outDir", tmp_path, *TARGET, SITE / "flyscreen.js")
    made = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*.d.ts")}
    assert made == {path.relative_to(SITE / "types"): path.read_text() for path in (SITE / "types").rglob("*.d.ts")}


@needs_tsc
def test_what_an_apps_engineers_write_is_checked_strictly(user):
    shutil.copy(HERE / "package/sample.ts", user)
    run("tsc", "--strict", "--noEmit", *TARGET, "sample.ts", cwd=user)
    # And it is checked: a word that is none is refused.
    (user / "wrong.ts").write_text('import { Flyscreen } from "flyscreen";\nnew Flyscreen().folow(["r"]);\n')
    with pytest.raises(AssertionError, match="folow"):
        run("tsc", "--strict", "--noEmit", *TARGET, "wrong.ts", cwd=user)


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here")
def test_npm_takes_the_package_with_all_that_it_imports(tmp_path):
    packed = run("npm", "pack", "--pack-destination", tmp_path, SITE).split()[-1]
    names = run("tar", "tzf", tmp_path / packed).split()
    wanted = {"package.json", "flyscreen.js", *(f"client/{path.name}" for path in (SITE / "client").glob("*.js")), "types/flyscreen.d.ts"}
    assert {f"package/{name}" for name in wanted} <= set(names)
    assert not [name for name in names if "/page/" in name or "/css/" in name]


@needs_node
def test_what_the_readme_shows_runs(user):
    readme = (ROOT / "README.md").read_text()
    snippet = re.search(r"```js\n(.*?)```", readme, re.DOTALL)[1]
    assert "/flyscreen@1/flyscreen.js" in snippet
    snippet = re.sub(r'from "https://[^"]+"', 'from "flyscreen"', snippet)
    (user / "readme.mjs").write_text(f"{snippet}\nflyscreen.close();\n")
    shutil.copy(HERE / "package/gateway.mjs", user)
    told = run("node", "--import", "./gateway.mjs", "readme.mjs", cwd=user)
    assert "lane 1: 阿花 ×2" in told
