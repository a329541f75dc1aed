"""What surrounds the library: pages without a network, Spack's recipe, the citation, the public run of the tests."""

import re
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from conftest import REPOSITORY

VERSION = re.search(r'^version = "(.+)"', (REPOSITORY / "fpm.toml").read_text(), re.MULTILINE)[1]  # type: ignore[index]


def offline(directory: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(REPOSITORY / "setup" / "offline_pages.py"), str(directory)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


PAGE = """<link href="https://a.net/npm/bootstrap@5/css/bootstrap.min.css" rel="stylesheet"
 integrity="sha384-x" crossorigin="anonymous"><script src="https://a.net/MathJax.js?config=TeX" async></script>
<a href="https://somewhere.org">a link may lead anywhere</a>"""


def test_pages_of_ford_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("bootstrap", reason="django-bootstrap-static is not installed")
    (tmp_path / "module").mkdir()
    for page in (tmp_path / "index.html", tmp_path / "module" / "arrays.html"):
        page.write_text(PAGE)
    done = offline(tmp_path)
    assert (done.returncode, done.stdout) == (0, "2 pages open without a network\n"), done.stderr
    text = (tmp_path / "module" / "arrays.html").read_text()
    assert '<link href="../css/bootstrap.min.css" rel="stylesheet">' in text
    assert "MathJax" not in text and '<a href="https://somewhere.org">' in text
    assert "--bs-blue" in (tmp_path / "css" / "bootstrap.min.css").read_text()


def test_a_page_that_needs_a_network_is_named(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<script src="//elsewhere.net/graph.js"></script>')
    done = offline(tmp_path)
    assert done.returncode != 0
    assert "index.html loads //elsewhere.net/graph.js" in done.stderr


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What Spack's recipe says, heard by directives that only note it."""
    heard: dict[str, Any] = {}
    spack, package = types.ModuleType("spack"), types.ModuleType("spack.package")

    def directive(name: str) -> None:
        def note(*words: str, **options: Any) -> None:
            heard.setdefault(name, []).append((words, options))

        setattr(package, name, note)

    names = ("license", "version", "variant", "depends_on", "conflicts", "generator")
    for name in names:
        directive(name)

    class CMakePackage:
        def define(self, name: str, value: object) -> tuple[str, object]:
            return name, value

        def define_from_variant(self, name: str, variant: str) -> tuple[str, object]:
            return name, variant

    package.CMakePackage = CMakePackage  # type: ignore[attr-defined]
    package.__all__ = ["CMakePackage", *names]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spack", spack)
    monkeypatch.setitem(sys.modules, "spack.package", package)
    path = REPOSITORY / "packaging" / "spack" / "packages" / "headrace" / "package.py"
    scope: dict[str, Any] = {"__file__": str(path), "__name__": "recipe"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return heard | {"class": scope["Headrace"]}


def test_spacks_recipe_names_versions_and_options_that_there_are(recipe: dict[str, Any]) -> None:
    released = re.findall(r"^## \[([0-9][^]]*)\]", (REPOSITORY / "CHANGELOG.md").read_text(), re.MULTILINE)
    versions = {words[0]: options for words, options in recipe["version"]}
    assert versions.pop("main") == {"branch": "main"}
    assert set(versions) <= set(released), "a version that is not released has no tag"
    assert all(options == {"tag": f"v{version}"} for version, options in versions.items())
    variants = {words[0] for words, _ in recipe["variant"]}
    cmake = "".join(path.read_text() for path in (REPOSITORY / "CMakeLists.txt", *(REPOSITORY / "cmake").iterdir()))

    class Spec:
        def satisfies(self, what: str) -> bool:
            assert what.lstrip("+~") in variants, what
            return True

        def __getitem__(self, name: str) -> Any:
            assert name in [re.split("[@+]", words[0])[0] for words, _ in recipe["depends_on"]], name
            return types.SimpleNamespace(mpicxx="mpicxx")

    package = recipe["class"]()
    package.spec = Spec()
    arguments = dict(package.cmake_args())
    for name, value in arguments.items():
        found = re.fullmatch("CMAKE_DISABLE_FIND_PACKAGE_(.*)", name)
        known = f"headrace_use_compression({found[1]} " if found else f"option({name} "
        assert known in cmake or name in ("BUILD_SHARED_LIBS", "MPI_CXX_COMPILER"), name
        assert not isinstance(value, str) or value in variants or value == "mpicxx", value
    assert f"cmake@{minimum_of_cmake()}:" in [words[0] for words, _ in recipe["depends_on"]]
    for _, options in recipe["depends_on"] + recipe["conflicts"] + recipe["variant"]:
        assert options.get("when", "+mpi").lstrip("+~") in variants, options


def minimum_of_cmake() -> str:
    first = (REPOSITORY / "CMakeLists.txt").read_text().splitlines()[0]
    return first.partition("VERSION ")[2].rstrip(")")


def test_the_citation_has_the_version_of_the_library() -> None:
    assert f"\nversion: {VERSION}\n" in (REPOSITORY / "CITATION.cff").read_text()


def workflows() -> dict[str, str]:
    return {path.stem: path.read_text() for path in (REPOSITORY / ".github" / "workflows").glob("*.yml")}


def test_public_runs_call_scripts_targets_and_parts_that_exist() -> None:
    """In the runs for each change and in the weekly one; logs that they keep are where the scripts leave them."""
    targets = set(re.findall(r"^([a-z0-9]+):.*##", (REPOSITORY / "Makefile").read_text(), re.M))
    lists = re.findall(r"^(?:quick|rest|everything) = (.*)$", (REPOSITORY / "setup" / "parts.mk").read_text(), re.M)
    parts = {"python", "packages", *" ".join(lists).split()}
    text = "\n".join(workflows().values())
    assert set(re.findall(r": make ([a-z0-9]+)", text)) <= targets
    assert {"test", "testall", "wheel"} <= set(re.findall(r": make ([a-z0-9]+)", text))
    called = {word for line in re.findall(r"parts: (.*)", text) for word in line.strip(" }").split()}
    assert called <= parts and {"rest-flang", "rest-mpich", "rest-sanitize"} <= called
    for script in re.findall(r"sh ((?:setup|test)/\S+[.]sh)", text):
        assert (REPOSITORY / script).exists(), script
    assert "build/test/" in text and "build/setup/" in text
