"""The scripts behind `make`: what they say while they work."""

import fnmatch
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import left_out
from conftest import REPOSITORY


@pytest.fixture
def shell(tmp_path: Path) -> Path:
    """A folder in which the scripts can be tried."""
    (tmp_path / "setup").symlink_to(REPOSITORY / "setup")
    return tmp_path


def run(folder: Path, text: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", f". setup/common.sh; {text}"], cwd=folder, capture_output=True, text=True, timeout=60
    )


def test_a_long_step_says_what_it_does(shell: Path) -> None:
    """The step ends when it has been told that it is at it, not after a time."""
    step = 'echo "[1/2] Building a"; while ! [ -e told ]; do sleep 0.1; done; echo "[2/2] Building b"'
    text = f"""tell_every=0.2; say() {{ printf "headrace: %s\\n" "$*"; case $* in *Building*) : >told;; esac; }}
logged build "building" sh -c '{step}'"""
    done = run(shell, text)
    said = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert said[0] == "headrace: building ..." and said[1].endswith("s so far: [1/2] Building a"), said
    assert (shell / "build" / "setup" / "build.log").read_text() == "[1/2] Building a\n[2/2] Building b\n"


def test_a_step_that_fails_shows_the_end_of_its_log(shell: Path) -> None:
    done = run(shell, "logged build building sh -c 'echo one; exit 3'; echo never")
    assert done.returncode == 3 and done.stdout == "headrace: building ...\n"
    assert "failed with exit code 3: building; the end of build/setup/build.log:\n  | one" in done.stderr


def test_python_keeps_what_it_compiles(shell: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise each process of the tests would compile numpy again."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    (shell / "module.py").write_text("")
    done = run(shell, f"{sys.executable} -c 'import sys; sys.path.insert(0, str()); import module'")
    assert done.returncode == 0, done.stderr
    assert list((shell / "build" / "pycache").rglob("module.*.pyc"))
    assert not (shell / "__pycache__").exists()


@pytest.mark.parametrize("target", ["setup", "bench", "build", "test", "testall", "lint", "adios2", "doc"])
def test_what_is_missing_is_told_in_the_name_of_the_target(shell: Path, target: str) -> None:
    """On a machine without Python, compilers and a package manager."""
    tools = shell / "bin"
    tools.mkdir()
    for name in ("sh", "make", "mkdir", "id", "date", "sed", "tr", "cat"):
        (tools / name).symlink_to(shutil.which(name) or name)
    done = subprocess.run(
        ["make", "-f", str(REPOSITORY / "Makefile"), target],
        cwd=shell,
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert f"`make {target}` needs what this machine does not have" in done.stderr
    assert f"then run `make {target}` again" in done.stderr


@pytest.fixture
def pip_alone(shell: Path) -> Path:
    """A checkout with a pip that notes what the environment asks for, and fails if it is to build the library."""
    for name in ("cmake", "include", "intercept", "src", "python", "bin", ".venv/bin"):
        (shell / name).mkdir(parents=True)
    for name in ("pyproject.toml", "fpm.toml", "CMakeLists.txt"):
        (shell / name).write_text("")
    python = shell / ".venv" / "bin" / "python"
    python.write_text("""#!/bin/sh
case "$*" in
*" -v "*) echo "${HEADRACE_LIBRARY_OPTIONAL:-library}" >>asked; [ "${HEADRACE_LIBRARY_OPTIONAL:-}" ];;
*) cat;;
esac
""")
    python.chmod(0o755)
    (shell / ".venv" / "bin" / "pip").write_text(f"#!{python}")
    tools = ("sh", "cat", "mkdir", "date", "sed", "tr", "cut", "tail", "find", "sort", "xargs", "cksum", "wc", "grep")
    for tool in tools:
        (shell / "bin" / tool).symlink_to(shutil.which(tool) or tool)
    return shell


@pytest.mark.parametrize("cxx", ["", "c++"])
def test_without_a_compiler_alone_the_library_is_left_out(pip_alone: Path, cxx: str) -> None:
    """And it is said; where there is a compiler, an error of the build is one of the target."""
    if cxx:
        (pip_alone / "bin" / cxx).symlink_to("/bin/false")
    done = subprocess.run(
        ["sh", "setup/venv.sh"],
        cwd=pip_alone,
        env={"PATH": str(pip_alone / "bin"), "PYTHON": ".venv/bin/python"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    asked = (pip_alone / "asked").read_text()
    if cxx:
        assert done.returncode == 2 and asked == "library\n", done.stdout + done.stderr
        assert "failed with exit code 1: compiling the library" in done.stderr
    else:
        assert done.returncode == 0 and asked == "1\n", done.stdout + done.stderr
        assert "this machine has no C++ compiler: `headrace bench` works; `headrace run`" in done.stdout
        again = (pip_alone / ".venv" / "stamps" / "files").read_text()
        assert "no C++ compiler" in again, "with a compiler the library is built by the next `make setup`"


def summary(results: Path) -> "subprocess.CompletedProcess[str]":
    script = REPOSITORY / "setup" / "summary.py"
    return subprocess.run(
        [sys.executable, str(script), str(results), "no-list"], capture_output=True, text=True, timeout=60
    )


def test_the_summary_tells_the_time_of_each_part(tmp_path: Path) -> None:
    for part in ("lint", "python"):
        (tmp_path / part).mkdir()
    (tmp_path / "lint" / "checks.tsv").write_text("ruff check\tpassed\t\n")
    (tmp_path / "lint" / "times").write_text("1000 1030\n0m0.500s 0m0.500s\n1m2.000s 0m3.000s\n")
    (tmp_path / "python" / "times").write_text("990 1000\n0m0.000s 0m0.000s\n0m4.000s 0m0.000s\n")
    said = [line.split() for line in summary(tmp_path).stdout.splitlines()]
    assert ["python", "0", "10", "4"] in said
    assert ["lint", "10", "40", "66"] in said
    assert ["together", "0", "40", "70"] in said
    assert said[-1] == ["1", "passed,", "0", "failed,", "0", "skipped"]


def parts(name: str) -> list[str]:
    text = (REPOSITORY / "setup" / "parts.mk").read_text()
    return next(line.split(" = ")[1].split() for line in text.splitlines() if line.startswith(f"{name} = "))


def test_parts_wait_for_what_they_need() -> None:
    """Nothing runs before what it needs."""
    makefile = REPOSITORY / "setup" / "parts.mk"
    done = subprocess.run(["make", "-n", "-f", str(makefile), "quick"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    order = [line.split()[-1] for line in done.stdout.splitlines()]
    assert sorted(order) == sorted([*parts("quick"), "python", "packages"])
    for build in ("gfortran", "openmpi"):
        assert order.index(f"build-{build}") < order.index(f"test-{build}")
    assert order.index("build-gfortran") < order.index("package"), "which takes its objects from ccache"
    assert order.index("test-openmpi") < min(order.index("pytest"), order.index("test-gfortran")), "it runs alone"


def test_every_part_is_known() -> None:
    """A name that setup/test.sh does not know is refused, so that a part cannot be left out by a spelling."""
    text = (REPOSITORY / "setup" / "test.sh").read_text()
    cases = text[text.index("run_part() {") :].split("esac", 1)[0]
    labels = re.findall(r"^  ([a-z0-9*| -]+)[)]", cases, re.M)
    patterns = [pattern.strip() for label in labels for pattern in label.split("|") if pattern.strip() != "*"]
    for name in (*parts("quick"), *parts("rest"), *parts("everything"), "python", "packages"):
        assert any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns), name


def table() -> dict[str, list[str]]:
    text = (REPOSITORY / "setup" / "parts.mk").read_text()
    rows = text[text.index("define table\n") : text.index("\nendef")].splitlines()[1:]
    assert len(rows) <= 25
    return {path: row.split(": ")[1].split() for row in rows for path in row.split(": ")[0].split()}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository with a file for each path of the table, as committed."""
    for path in table():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        if (REPOSITORY / path).is_dir():
            (tmp_path / path).mkdir(exist_ok=True)
            (tmp_path / path / "file").write_text(path)
        elif not (tmp_path / path).exists():
            (tmp_path / path).write_text(path)
    for name in ("parts.mk", "tested.sh"):
        shutil.copy(REPOSITORY / "setup" / name, tmp_path / "setup" / name)
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *name, *arguments], cwd=folder, check=True, capture_output=True, timeout=60)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "files")


def covered(folder: Path, what: str) -> tuple[list[str], str]:
    done = subprocess.run(["sh", "setup/tested.sh", what], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


def test_what_has_changed_since_everything_passed_adds_its_parts(clone: Path) -> None:
    """By the hash of each path; what passed and is committed adds none."""
    assert covered(clone, "parts")[0] == parts("rest"), "nothing has passed yet"
    covered(clone, "write")
    assert "HEAD" not in (clone / ".ci" / "tested-all").read_text()
    assert covered(clone, "parts")[0] == []
    commit(clone)
    assert covered(clone, "parts")[0] == [], "the file itself is no change"
    for path in ("bench/parallel", "CMakeLists.txt"):
        wanted = {part for named, its in table().items() if f"{path}/".startswith(f"{named}/") for part in its}
        file = clone / path / "file" if (clone / path).is_dir() else clone / path
        before = file.read_text()
        file.write_text(before + "\n# changed\n")
        found, why = covered(clone, "parts")
        assert found == [part for part in parts("rest") if part in wanted], path
        assert f"{path} has changed" in why
        file.write_text(before)
    (clone / "mpi" / "file").write_text("another")
    commit(clone)
    assert covered(clone, "parts")[0] == table()["mpi"], "in a commit"


def test_a_path_that_the_table_does_not_name_adds_all_parts(clone: Path) -> None:
    covered(clone, "write")
    for path in ("new/file", "src/new/file"):
        (clone / path).parent.mkdir(parents=True, exist_ok=True)
        (clone / path).write_text("new")
        commit(clone)
        assert covered(clone, "parts")[0] == parts("rest"), path
        git(clone, "reset", "-q", "--hard", "HEAD~1")
    shutil.rmtree(clone / ".git")
    assert covered(clone, "parts")[0] == parts("rest"), "without git"


def test_hashes_of_changed_files_are_not_written(clone: Path) -> None:
    (clone / "mpi" / "file").write_text("changed")
    assert "not committed" in covered(clone, "write")[1]
    assert not (clone / ".ci" / "tested-all").exists()


def test_every_path_of_this_repository_has_its_parts() -> None:
    """Otherwise every run would add all parts."""
    listed = subprocess.run(["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, timeout=60)
    if listed.returncode != 0:
        pytest.skip("no git repository")
    for name in set(listed.stdout.split("\n")) - {"", ".ci/tested-all"}:
        assert any(name == path or name.startswith(f"{path}/") for path in table()), name
    assert {part for wanted in table().values() for part in wanted} == set(parts("rest"))


def test_patterns_are_what_each_suite_takes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only * is special: brackets, dots and slashes are themselves."""
    monkeypatch.setattr(left_out, "LIST", tmp_path / "list")
    (tmp_path / "list").write_text("# a comment\n\nctest a.b*\npytest x.py::*[*flang*]\nkernel_tests A.B/*\n")
    assert left_out.patterns("kernel_tests") == ["A.B/*"]
    pattern = re.compile(left_out.expression(left_out.patterns("pytest")[0]))
    assert pattern.fullmatch("x.py::test_a[flang-19.1]") and not pattern.fullmatch("x.py::test_flang")
    assert re.fullmatch(left_out.expression("a.b*"), "a.bc") and not re.fullmatch(left_out.expression("a.b*"), "axbc")


@pytest.fixture
def small(clone: Path) -> Path:
    """The same with two parts in `make testall`: linters that do nothing, and HEADRACE_TEST_DOC breaks the other."""
    for name in ("test.sh", "common.sh", "summary.py", "left_out.py"):
        shutil.copy(REPOSITORY / "setup" / name, clone / "setup" / name)
    text = (clone / "setup" / "parts.mk").read_text()
    (clone / "setup" / "parts.mk").write_text(re.sub(r"(?m)^everything = .*$", "everything = lint doc", text))
    (clone / "setup" / "venv.sh").write_text("exit 0\n")
    (clone / "setup" / "doc.sh").write_text('exit "${HEADRACE_TEST_DOC:-0}"\n')
    (clone / ".gitignore").write_text("build\n.venv\n")
    (clone / ".venv" / "bin").mkdir(parents=True)
    for name in ("ruff", "mypy", "fortitude", "clang-format"):
        (clone / ".venv" / "bin" / name).write_text("#!/bin/sh\n")
        (clone / ".venv" / "bin" / name).chmod(0o755)
    commit(clone)
    return clone


def everything(folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "setup/test.sh", "everything"],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_run_of_everything_goes_on_where_it_failed(small: Path) -> None:
    """Parts that passed for the same files are not run again; hashes are written when all have passed."""
    done = everything(small, HEADRACE_TEST_DOC="3")
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "4 passed, 1 failed, 0 skipped", done.stdout
    assert not (small / ".ci" / "tested-all").exists()
    done = everything(small)
    assert "lint has passed for these files already" in done.stdout and "ruff check ..." not in done.stdout
    assert done.returncode == 0 and "5 passed, 0 failed, 0 skipped" in done.stdout, done.stdout + done.stderr
    assert covered(small, "parts")[0] == []
    commit(small)
    assert "doc has passed for these files already" in everything(small).stdout, "the file of hashes is no change"
    (small / "mpi" / "file").write_text("changed")
    assert "ruff check ..." in everything(small).stdout
