"""The JavaScript client as a package: its content, its types in TypeScript, and the README's example."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SITE = ROOT / "Sources/Page/site"
# Without the types of a page: Node has none.
TARGET = ["--target", "es2022", "--lib", "es2022", "--module", "es2022", "--moduleResolution", "node"]

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, ("tsc", "esbuild"))), reason="Debian's node-typescript and esbuild are not installed")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")


def run(*command, cwd=None):
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The package that `make client` makes."""
    return pathlib.Path(run(ROOT / "Deploy/package/client", tmp_path_factory.mktemp("packed")).strip())


@pytest.fixture(scope="module")
def user(tmp_path_factory, package):
    """The folder of a user of the package, with the files that npm would put there."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "node_modules").mkdir()
    run("tar", "xzf", package, "-C", folder / "node_modules")
    (folder / "node_modules/package").rename(folder / "node_modules/flyscreen")
    return folder


def test_the_package_has_the_sources_their_types_and_all_of_it_as_one_module(package):
    version = json.loads((SITE / "package.json").read_text())["version"]
    assert package.name == f"flyscreen-{version}.tgz"
    modules = [f"client/{path.stem}" for path in (SITE / "client").glob("*.js")]
    # They have no code.
    types = [f"types/client/{path.name}" for path in (SITE / "client").glob("*.d.ts")]
    assert {name.removeprefix("package/") for name in run("tar", "tzf", package).split() if not name.endswith("/")} == {
        "LICENSE", "README.md", "package.json", "flyscreen.js", "flyscreen.min.js", "types/flyscreen.d.ts",
        *(f"{module}.js" for module in modules), *(f"types/{module}.d.ts" for module in modules), *types}
    assert len(types) == 2


@needs_node
def test_the_one_module_is_the_same(user):
    (user / "same.mjs").write_text("""
      import * as sources from "flyscreen";
      import * as bundle from "flyscreen/min";
      import * as fold from "flyscreen/screen";
      const same = Object.keys(sources).join() === Object.keys(bundle).join();
      console.log(same && fold.Screen === sources.Screen && bundle.Flyscreen.name !== "" && new bundle.Screen("r1").snapshot.commands.length === 0);
    """)
    assert run("node", "same.mjs", cwd=user) == "true\n"


def test_what_an_apps_engineers_write_is_checked_strictly(user):
    """The sample uses every public name; and the README's snippet is checked, too."""
    sample = (HERE / "package/sample.ts").read_text()
    types = (user / "node_modules/flyscreen/types/flyscreen.d.ts").read_text()
    names = re.findall(r"export (?:type |\{ )(\w+)", types)
    assert len(names) > 15 and not [name for name in names if not re.search(rf"\b{name}\b", sample)]
    (user / "sample.ts").write_text(sample)
    snippet = re.search(r"```js\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    (user / "readme.ts").write_text("declare const console: { log(text: string): void };\n"
                                    + re.sub(r'from "https://[^"]+"', 'from "flyscreen"', snippet))
    run("tsc", "--strict", "--noEmit", *TARGET, "sample.ts", "readme.ts", cwd=user)
    # With the types of a page, as the module of one file.
    (user / "page.ts").write_text("""
      import { Flyscreen, type GiftView } from "flyscreen/min";
      import { Screen } from "flyscreen/screen";
      new Screen("r1").advance(1);
      const stop = new AbortController(), views: GiftView[] = [];
      new Flyscreen({ fetch }).addEventListener("command", ({ detail: { room } }) => views.push(...room.screen.gifts), { once: true, signal: stop.signal });
    """)
    run("tsc", "--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom", *TARGET[4:], "page.ts", cwd=user)


@needs_node
def test_what_the_readme_shows_runs(user):
    shutil.copy(HERE / "package/gateway.mjs", user)
    for readme in (ROOT / "README.md", SITE / "README.md"):
        snippet = re.search(r"```js\n(.*?)```", readme.read_text(), re.DOTALL)[1]
        snippet = re.sub(r'from "https://[^"]+"', 'from "flyscreen"', snippet)
        (user / "readme.mjs").write_text(f"{snippet}\nflyscreen.close();\n")
        assert "lane 1: 阿花 ×2" in run("node", "--import", "./gateway.mjs", "readme.mjs", cwd=user)
        # A gateway that refuses the wish ends no program.
        (user / "refuse.mjs").write_text("""
          import "./gateway.mjs";
          const { fetch } = globalThis;
          globalThis.fetch = (url, options) => options.method === "POST" ? new Response("{}", { status: 403 }) : fetch(url, options);
        """)
        run("node", "--import", "./refuse.mjs", "readme.mjs", cwd=user)
    assert "/flyscreen@1/flyscreen.js" in (ROOT / "README.md").read_text()
