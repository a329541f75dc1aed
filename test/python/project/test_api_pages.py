"""The API pages of the site: they are made of the comments in the sources, and their examples compile and run."""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

import headrace
from headrace import native

ROOT = Path(__file__).resolve().parents[3]
HEADERS = sorted((ROOT / "include").glob("*.h"))


def c_pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("c_pages", ROOT / "setup" / "c_pages.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_c_is_made_of_the_headers() -> None:
    assert (ROOT / "doc" / "api" / "c.md").read_text() == c_pages().page(), "python setup/c_pages.py > doc/api/c.md"


def test_the_page_of_c_has_every_function_of_every_header_as_a_heading() -> None:
    page = (ROOT / "doc" / "api" / "c.md").read_text()
    named = set(re.findall(r"\w+", " ".join(re.findall(r"^### (.*)$", page, re.MULTILINE))))
    declared = set()
    for header in HEADERS:
        bare = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        declared |= set(
            re.findall(
                r"^(?:int|void|const char\*|const hr_format\*|size_t|long long|int64_t) (hr_\w+)\(", bare, re.MULTILINE
            )
        )
    assert len(declared) > 60 and declared - named == set()


@pytest.mark.parametrize("header", ["headrace.h", "headrace_records.h", "headrace_rows.h", "headrace_tables.h"])
def test_the_example_in_a_header_compiles_and_runs(header: str, tmp_path: Path) -> None:
    """That of headrace_mpi.h needs an MPI: test/mpi/package has a program in C."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    library = Path(native.library_path())
    comment = (ROOT / "include" / header).read_text()[2:].split("*/")[0]
    (example,) = re.findall(r"```c\n(.*?)```", c_pages().prose(comment), re.DOTALL)
    checked = f"{example}\nif (error.status > 0) puts(error.message);\nreturn error.status > 0;\n"
    (tmp_path / "main.c").write_text(f"#include <stdio.h>\n#include <{header}>\nint main(void) {{\n{checked}}}\n")
    headrace.write_array(tmp_path / "run.unf", [1.0, 2.0, 3.0], format="unformatted")
    (tmp_path / "stars.csv").write_text("mass\n" + "1.5\n" * 1000)
    command = [compiler, "-Wall", "-Werror", "-I", str(ROOT / "include"), "main.c", str(library), "-o", "main"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    variables = {**os.environ, "LD_LIBRARY_PATH": str(library.parent)}
    done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=False, env=variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("name", ["arrays"])
def test_the_example_in_a_docstring_runs(name: str, tmp_path: Path) -> None:
    tree = ast.parse((ROOT / "python" / "headrace" / f"{name}.py").read_text())
    text = ast.get_docstring(tree)
    assert text is not None
    (example,) = re.findall(r"\n\n((?:    .*\n|\n)+)", text)
    code = textwrap.dedent(example)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"x.csv", "x.dat"}


def test_the_page_of_python_has_every_public_name() -> None:
    page = (ROOT / "doc" / "api" / "python.md").read_text()
    public = set(headrace.__all__) - {"__version__"}
    assert public == set(re.findall(r"^\.\. auto(?:function|exception):: (\w+)$", page, re.MULTILINE))
    assert all(getattr(headrace, name).__doc__ for name in public)
