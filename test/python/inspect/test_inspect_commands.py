"""The commands that `headrace inspect` prints are run, and what arrives is counted against what was written.

The files are of other writers: scipy, numpy and gfortran's programs; the long form has the whole corpus.
"""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.recfunctions import repack_fields
from scipy.io import FortranFile

from conftest import COMPILERS
from generate import generate_known
from headrace.results.run import Compiler

Run = Callable[..., "subprocess.CompletedProcess[str]"]
RNG = np.random.default_rng(49)
LONG = bool(os.environ.get("HEADRACE_TEST_LONG"))
LEFT_OUT = re.compile(r"(?:([\d,]+) of ([\d,]+) records, )?([\d,]+) of ([\d,]+) bytes are not in (\S+): nothing was")
NOTE = re.compile(r"the schema leaves out (?:([\d,]+) of ([\d,]+) records, )?([\d,]+) of ([\d,]+) bytes")
PROGRAM = """
program writes
   implicit none
   integer :: i, u
   real(8) :: x(300) = [(0.5d0*i, i = 1, 300)]
   open (newunit=u, file="rows.f90.dat", form="unformatted", convert="big_endian")
   do i = 1, 200
      write (u) x(1:1 + modulo(i*i*7, 211))
   end do
   close (u)
   open (newunit=u, file="counted.f90.dat", form="unformatted")
   do i = 1, 120
      write (u) modulo(i*i, 53), x(1:1 + modulo(i*i, 53))
   end do
   close (u)
   open (newunit=u, file="steps.f90.dat", form="unformatted")
   do i = 1, 20
      write (u) i, 0.5d0*i
      write (u) real(sin(x + i))
      write (u)
   end do
   close (u)
   open (newunit=u, file="padded.f90.dat", form="unformatted", access="direct", recl=400)
   do i = 1, 30
      write (u, rec=i) i, 7*i, sin(x(1:32) + i), repeat(char(0), 136)
   end do
   close (u)
   open (newunit=u, file="list.f90.txt")
   do i = 1, 40
      write (u, *) x(i:i + 2)
   end do
   close (u)
   open (newunit=u, file="edit.f90.txt")
   write (u, '(5f12.4)') x
   close (u)
end program writes
"""


@dataclass(frozen=True)
class Truth:
    """What was written: records and bytes without markers; numbers of a text."""

    records: int = 0
    bytes: int = 0
    numbers: int = 0


def of_records(records: list[list[Any]]) -> Truth:
    return Truth(len(records), sum(np.asarray(part).nbytes for record in records for part in record))


def by_scipy(folder: Path) -> dict[str, Truth]:
    """Records as scipy writes them."""
    rows = [[RNG.normal(size=n)] for n in RNG.integers(1, 90, 60)]
    steps: list[list[Any]] = []
    for step in range(12):
        steps += [[np.arange(3, dtype="i4") + step], [np.float64(step)], [np.linspace(1, 2, 30).astype("f4")]]
    head = [[np.arange(4, dtype="i4")], [np.linspace(0, 1, 7)], [b"a title of letters"]]
    found = {"rows": rows, "steps": steps, "late": head + rows[:40], "few": rows[:5]}
    for name, records in found.items():
        with FortranFile(folder / f"{name}.dat", "w") as file:
            for record in records:
                file.write_record(*(np.asarray(part) for part in record))
    return {f"{name}.dat": of_records(records) for name, records in found.items()}


def by_numpy(folder: Path) -> dict[str, Truth]:
    """Without markers: records of several types, an array, a masked one."""
    table = np.zeros(64, [("id", "<i4"), ("name", "S8"), ("x", "<f8", 4), ("n", "<i4", 3), ("end", "S12")])
    table["id"], table["x"] = np.arange(64) + 1, 280 + RNG.normal(size=(64, 4))
    table["name"], table["n"] = [f"STN{n:05d}" for n in range(64)], RNG.integers(0, 99, (64, 3))
    field = 10 + 8 * np.sin(np.arange(6400) / 20).reshape(80, 80)
    masked = np.where(np.arange(80) % 16 > 11, 0, field).astype("<f4")
    whole = {"padded.dat": table, "bare.dat": repack_fields(table[["id", "name", "x", "n"]]), "array.dat": field}
    whole |= {"masked.dat": masked}
    for name, values in whole.items():
        values.tofile(folder / name)
    return {name: Truth(0, (folder / name).stat().st_size) for name in whole}


def by_gfortran(folder: Path, compiler: Compiler) -> dict[str, Truth]:
    """As PROGRAM writes them."""
    (folder / "w.f90").write_text(PROGRAM)
    for command in ([compiler.path, "w.f90", "-o", "w"], ["./w"]):
        subprocess.run(command, cwd=folder, check=True)
    rows = [1 + i * i * 7 % 211 for i in range(1, 201)]
    counted = [1 + i * i % 53 for i in range(1, 121)]
    return {
        "rows.f90.dat": Truth(200, 8 * sum(rows)),
        "counted.f90.dat": Truth(120, 4 * 120 + 8 * sum(counted)),
        "steps.f90.dat": Truth(60, 20 * (12 + 1200)),
        "padded.f90.dat": Truth(30, 30 * 400),
        "list.f90.txt": Truth(numbers=120),
        "edit.f90.txt": Truth(numbers=300),
    }


def shell(headrace: Run, folder: Path, line: str) -> "subprocess.CompletedProcess[str]":
    """Runs a line that was printed."""
    words = shlex.split(line, comments=True)
    if ">" not in words:
        return headrace(*words[1:])
    done = headrace(*words[1 : words.index(">")])
    (folder / words[words.index(">") + 1]).write_text(done.stdout)
    return done


def arrived(path: Path) -> int:
    if path.suffix == ".npz":
        with np.load(path) as found:
            return sum(found[name].nbytes for name in found.files)
    return int(np.load(path).size)


def number(text: str | None) -> int:
    return int((text or "0").replace(",", ""))


def check(headrace: Run, folder: Path, name: str, truth: Truth) -> str:
    """All arrives, or what does not is counted, by convert as by inspect."""
    inspected = headrace("inspect", name, "--json")
    assert inspected.returncode in (0, 1), (name, inspected.stderr)
    report = json.loads(inspected.stdout)
    if "convert" not in report["snippets"]:
        return "no command"
    *first, last = report["snippets"]["convert"].splitlines()
    assert all(shell(headrace, folder, line).returncode in (0, 1) for line in first)
    done, words = shell(headrace, folder, last), shlex.split(last, comments=True)
    target = folder / words[3]
    if truth.numbers:
        assert not target.exists() if done.returncode == 2 else arrived(target) == truth.numbers, (name, words, done)
        return "text"
    said = [NOTE.search(note) for note in report["notes"] if NOTE.search(note)]
    if done.returncode == 0:
        assert arrived(target) == truth.bytes and not said, (name, words, done)
        return "all"
    counted = LEFT_OUT.search(done.stderr)
    assert done.returncode == 1 and counted and not target.exists() and len(said) == 1 and said[0], (name, words, done)
    assert counted.groups()[:4] == said[0].groups()
    lost, of_records, missing, whole = map(number, counted.groups()[:4])
    assert whole == truth.bytes and (of_records == truth.records or not lost) and missing > 0
    assert said[0][0][4:] in (folder / f"{Path(name).stem}.toml").read_text()
    done = shell(headrace, folder, f"{last.partition('#')[0]} --partial")
    assert done.returncode == 0 and f"{counted[3]} of {counted[4]} bytes are not in {words[3]}" in done.stdout
    assert arrived(target) == whole - missing
    return "partial"


def test_the_commands_lose_nothing_without_a_word(tmp_path: Path, headrace: Run, gnu: Compiler) -> None:
    files = by_scipy(tmp_path) | by_numpy(tmp_path) | by_gfortran(tmp_path, gnu)
    found = {name: check(headrace, tmp_path, name, truth) for name, truth in files.items()}
    assert {"all", "partial", "text", "no command"} == set(found.values())
    assert [found[name] for name in ("rows.dat", "late.dat", "rows.f90.dat")] == ["partial"] * 3
    assert [found[name] for name in ("steps.dat", "few.dat", "steps.f90.dat", "bare.dat")] == ["all"] * 4


if LONG:

    def test_the_commands_for_the_corpus_lose_nothing_without_a_word(tmp_path: Path, headrace: Run) -> None:
        seen = []
        for case in generate_known(tmp_path, COMPILERS):
            sound = case.kind in ("record4-little", "record4-big", "record8-little", "record8-big", "direct")
            if not sound or case.size > 100_000_000 or "huge" in case.file:
                continue
            markers = 2 * (case.marker_bytes or 0) * (case.records or 0)
            seen.append(check(headrace, tmp_path, case.file, Truth(case.records or 0, case.size - markers)))
        assert len(seen) > 20 and "all" in seen
