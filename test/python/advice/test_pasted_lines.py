"""Every line that `headrace trace` and `headrace advise` print to be pasted is pasted, and no file may lose anything.

Only what the command prints is looked at. program_shapes.py has the programs, pasting.py follows the advice.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pasting import Edit, numbers
from program_shapes import SHAPES, Shape, source
from trace_advice import results_file
from trace_runs import FLANGS, LONG

Command = Callable[..., "subprocess.CompletedProcess[str]"]
CHOSEN = [one for one in SHAPES if LONG or one.quick]
COMPILERS = ["gfortran", *FLANGS[:1]] if LONG else ["gfortran"]
SAME = ("identical", "durability", "none")


@dataclass
class Pasted:
    """One piece of advice in one program: its lines after it, and what may differ."""

    shape: int
    said: str
    edit: Edit
    effect: str = "identical"


def build(compiler: str, folder: Path, name: str, bodies: list[list[str]]) -> list[int]:
    """The program of all procedures; where each begins."""
    text, starts = source(bodies)
    (folder / f"{name}.f90").write_text(text)
    flags = ["-g", "-O0", *(["-ffree-line-length-none"] if compiler == "gfortran" else [])]
    done = subprocess.run(
        [compiler, *flags, f"{name}.f90", "-o", name], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stderr}\n{text}"
    return starts


def run(program: Path, number: int, shape: Shape, folder: Path, shell: list[str]) -> tuple[dict[str, Path], str]:
    """The files that the program leaves, and what it prints."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in shape.before.items():
        (folder / name).write_bytes(data)
    text = "\n".join((*shell, f'exec "{program}" {number}'))
    done = subprocess.run(
        ["bash", "-euc", text],
        cwd=folder,
        env=os.environ | shape.variables,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, (shape.name, shell, done.stderr)
    return {path.name: path for path in sorted(folder.iterdir())}, done.stdout


def require_same(pasted: Pasted, shape: Shape, before: dict[str, Path], after: dict[str, Path]) -> None:
    """The same bytes, or where the advice says that readers must change the same numbers."""
    where = (shape.name, pasted.said, "\n".join(pasted.edit.lines))
    assert before.keys() == after.keys(), where
    for name, path in before.items():
        if pasted.effect in SAME:
            assert (
                path.stat().st_size == after[name].stat().st_size and path.read_bytes() == after[name].read_bytes()
            ), (
                name,
                *where,
            )
        elif "convert" not in pasted.said.lower():
            assert numbers(path) == numbers(after[name]), (name, *where)


def of_trace(advice: list[dict[str, Any]], number: int, start: int) -> list[Pasted]:
    """What `headrace trace` says of one program."""
    found = []
    for one in advice:
        edit = Edit(SHAPES_BODIES[number])
        at = int(one["place"].rpartition(":")[2]) - start - 1
        # What reads a file that somebody must change first has nothing to read yet.
        is_left = one["now"].startswith("read") and one["effect"] not in SAME
        if edit.paste_better(at, one["better"]) and not is_left:
            found.append(Pasted(number, f"{one['rule']}: {one['better']}", edit, one["effect"]))
    return found


def of_advise(items: list[dict[str, Any]], number: int) -> list[Pasted]:
    """What `headrace advise` says of it; what another program is started with is part of the long form."""
    found = []
    for item in items:
        edit = Edit(SHAPES_BODIES[number])
        if item["lines"] and (LONG or not item["start"]):
            edit.paste_lines(item["change"], item["lines"]) if item["kind"] == "source" else edit.shell.extend(
                item["lines"]
            )
            found.append(Pasted(number, f"{item['change']}: {item['lines']}", edit))
    return found


SHAPES_BODIES = [one.body.splitlines() for one in CHOSEN]


@pytest.mark.parametrize("fortran", COMPILERS)
def test_no_pasted_line_changes_what_a_program_leaves(fortran: str, headrace: Command, tmp_path: Path) -> None:
    if shutil.which(fortran) is None:
        pytest.skip(f"{fortran} is not installed")
    starts = build(fortran, tmp_path, "p", SHAPES_BODIES)
    results_file(tmp_path / "costs.json", "other", "other", "gnu" if fortran == "gfortran" else "llvm")
    everything: list[Pasted] = []
    for number, shape in enumerate(CHOSEN):
        for _ in range(4):  # what else the machine does hides now and then what is to be gained
            pasted, names = advised(headrace, tmp_path, shape, number, starts[number])
            if shape.advised <= names or fortran != "gfortran":
                break
        else:
            raise AssertionError((shape.name, names))
        everything += pasted
    assert {one.said.partition(":")[0] for one in everything} >= {"HR102", "HR301", "keep-open"}
    try_all(fortran, tmp_path, everything)


def advised(headrace: Command, folder: Path, shape: Shape, number: int, start: int) -> tuple[list[Pasted], set[str]]:
    """By both commands; and the names of all that they say."""
    for path in folder.glob("t.*"):
        path.unlink()
    for path in folder.glob("*.dat"):
        path.unlink()
    for name, data in shape.before.items():
        (folder / name).write_bytes(data)
    words = ("--json", "t.json", "--save", "t.headrace-trace", "--output", "t.out", "--results", "costs.json")
    done = headrace("trace", *words, "./p", str(number), **shape.variables)
    assert done.returncode == 0, (shape.name, done.stderr)
    advice = json.loads((folder / "t.json").read_text())["advice"]
    done = headrace("advise", "--from", "t.headrace-trace", "--no-probe", "--json", "-", **shape.variables)
    assert done.returncode == 0, (shape.name, done.stderr)
    items = json.loads(done.stdout)["items"]
    pasted = [*of_trace(advice, number, start), *of_advise(items, number)]
    return pasted, {one["rule"] for one in advice} | {item["change"] for item in items}


def try_all(compiler: str, folder: Path, everything: list[Pasted]) -> None:
    """The first piece of advice of all programs in one, then the second, ..."""
    while everything:
        together: dict[int, Pasted] = {}
        for one in everything:
            together.setdefault(one.shape, one)
        everything = [one for one in everything if together[one.shape] is not one]
        bodies = [
            "\n".join(together[number].edit.lines).splitlines() if number in together else body
            for number, body in enumerate(SHAPES_BODIES)
        ]
        build(compiler, folder, "q", bodies)
        for number, one in together.items():
            shape = CHOSEN[number]
            before, said = run(folder / "p", number, shape, folder / "before", [])
            after, says = run(folder / "q", number, shape, folder / "after", one.edit.shell)
            assert said == says, (shape.name, one.said)
            require_same(one, shape, before, after)
