"""Makes the change that a trace advises in a public code, and measures what it gains.

    python test/public_codes/advised_change.py [--source CLONE] [--runs N] [--write]

CloverLeaf (hydrodynamics; UK Mini-App Consortium) draws its fields as text. It is fetched at the commit below, or
cloned from CLONE, built as its Makefile says, and traced on a smaller grid of its own example. The change: legacy VTK
files can be binary, so the fields are written unformatted, a row in one statement. The numbers in the files must be the
same.
--write renews advised_change.json, and the table of doc/reference/trace_stories.md that is made of it. Needs git, make, Open MPI.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "advised_change.json"
PAGE = HERE.parents[1] / "doc" / "reference" / "trace_stories.md"
BEGIN, END = "<!-- from advised_change.json: begin -->\n", "<!-- from advised_change.json: end -->"
RULE = "HR201"  # numbers as text: the change that is made
ORIGIN, COMMIT = "https://github.com/UK-MAC/CloverLeaf_ref", "0fdb917"
DECK = {"x_cells=960": "x_cells=480", "y_cells=960": "y_cells=480", "end_step=87": "end_step=20"}
EVERY = {" profiler_on": " visit_frequency=5"}
LIMIT = 300  # seconds for one run
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def build(folder: Path) -> Path:
    """The program, as its Makefile makes it."""
    words = ["make", "COMPILER=GNU", "MPI_COMPILER=mpif90.openmpi", "C_MPI_COMPILER=mpicc.openmpi"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=LIMIT)
    return folder / "clover_leaf"


def changed(source: str) -> str:
    """visit.f90 with unformatted output."""
    declaration = "  CHARACTER(len=200) :: header\n  REAL(KIND=8), ALLOCATABLE :: row(:)\n"
    source = source.replace("  REAL(KIND=8)    :: temp_var\n", "  REAL(KIND=8)    :: temp_var\n" + declaration, 1)
    before, opened, after = source.rpartition("OPEN(UNIT=u,FILE=filename,STATUS='UNKNOWN',IOSTAT=err)\n")
    opened = "OPEN(UNIT=u,FILE=filename,STATUS='REPLACE',ACCESS='STREAM',FORM='UNFORMATTED',CONVERT='BIG_ENDIAN')\n"
    opened += "      IF(ALLOCATED(row)) DEALLOCATE(row)\n"
    opened += "      ALLOCATE(row(chunk%tiles(tile)%t_xmin:chunk%tiles(tile)%t_xmax+1))\n"
    after = after.replace("'ASCII'", "'BINARY'").replace("WRITE(u,'(a)')'0'", "WRITE(u) 0.0_8")
    after = re.sub(
        r"(DO j=(\S+),(\S+)\n(?:(?! *ENDDO).*\n)*?)( *)  WRITE\(u,'\(e12.4\)'\) temp_var\n *ENDDO\n",
        r"\1\4  row(j)=temp_var\n\4ENDDO\n\4WRITE(u) row(\2:\3)\n",
        after,
    )
    after = after.replace("WRITE(u,'(e12.4)')", "WRITE(u) ")
    after = re.sub(r"( *)WRITE\(u,('\(a.*)", r"\1WRITE(header,\2\n\1WRITE(u) TRIM(header)//NEW_LINE('a')", after)
    return before + opened + after


def prepare(folder: Path, clone: Path) -> None:
    folder.mkdir()
    text = (clone / "clover.in").read_text()
    for old, new in (DECK | EVERY).items():
        if old not in text:
            raise RuntimeError(f"clover.in has no '{old}'")
        text = text.replace(old, new)
    (folder / "clover.in").write_text(text)


def run(program: Path, folder: Path, *before: str) -> float:
    """Seconds of the whole program."""
    with (folder / "output").open("wb") as output:
        begun = time.perf_counter()
        subprocess.run(
            [*before, str(program)],
            cwd=folder,
            check=True,
            stdout=output,
            stderr=subprocess.DEVNULL,
            timeout=LIMIT,
            env=os.environ | ENVIRONMENT,
        )
        return time.perf_counter() - begun


def trace(program: Path, clone: Path, folder: Path) -> dict[str, Any]:
    prepare(folder, clone)
    saved, written = folder / "saved", folder / "trace.json"
    run(program, folder, sys.executable, "-m", "headrace", "trace", "--json", str(written), "--save", str(saved))
    found: dict[str, Any] = json.loads(written.read_text())
    return found


def measured(programs: dict[str, Path], clone: Path, folder: Path, runs: int) -> dict[str, float]:
    """The best of some runs, one after the other; each writes new files."""
    best: dict[str, float] = {}
    for number in range(runs):
        for name, program in programs.items():
            where = folder / f"{name}-{number}"
            prepare(where, clone)
            seconds = run(program, where)
            best[name] = min(best.get(name, seconds), seconds)
            if number < runs - 1:
                shutil.rmtree(where)
    return best


def fields(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a legacy VTK file, text or binary."""
    data, position, found = path.read_bytes(), 0, {}
    is_binary = b"BINARY" in data[:80]
    while position < len(data):
        end = data.index(b"\n", position)
        words, position = data[position:end].decode().split(), end + 1
        if not words or words[-1] != "double":
            continue
        count = int(words[-2])
        if is_binary:
            stop = position + 8 * count
            found[words[0]] = np.frombuffer(data[position:stop], ">f8").astype(float)
        else:
            stop = position
            lines = data[position:].split(b"\n", count)[:count]
            stop = position + sum(len(line) + 1 for line in lines)
            found[words[0]] = np.array(lines, "S20").astype(float)
        position = stop
    return found


def check(before: Path, after: Path) -> tuple[int, int, int]:
    """Arrays, and bytes of all files before and after. The text has four digits."""
    names = sorted(path.name for path in before.glob("*.vtk"))
    if not names or names != sorted(path.name for path in after.glob("*.vtk")):
        raise RuntimeError("the changed program writes other files")
    count = 0
    for name in names:
        one, other = fields(before / name), fields(after / name)
        if not one or one.keys() != other.keys():
            raise RuntimeError(f"{name}: {sorted(one)} and {sorted(other)}")
        for array, numbers in one.items():
            np.testing.assert_allclose(other[array], numbers, rtol=5.1e-4, atol=1e-12, err_msg=f"{name}: {array}")
        count += len(one)
    sizes = [sum((folder / name).stat().st_size for name in names) for folder in (before, after)]
    return count, sizes[0], sizes[1]


def lines_of(found: dict[str, Any]) -> dict[str, Any]:
    """Seconds of the field output, and of what was advised for it."""
    fields_of = [line for line in found["lines"] if line["place"].startswith("visit.f90:")]
    advised = [one for one in found["advice"] if one["rule"] == RULE and one["place"].startswith("visit.f90:")]
    return {
        "wall": found["wall"],
        "io_seconds": found["totals"]["io_seconds"],
        "seconds": sum(line["seconds_exclusive"] for line in fields_of),
        "advised_lines": len(advised),
        "before": sum(one["before"] for one in advised),
        "after": {key: sum(one["after"][key] for one in advised) for key in ("seconds", "low", "high")},
    }


def examine(clone: Path, folder: Path, runs: int) -> dict[str, Any]:
    """What is said and what is true."""
    other = folder / "changed"
    shutil.copytree(clone, other)
    visit = other / "visit.f90"
    visit.write_text(changed(visit.read_text()))
    programs = {"before": build(clone), "after": build(other)}
    seconds = measured(programs, clone, folder, runs)
    arrays, *sizes = check(folder / f"before-{runs - 1}", folder / f"after-{runs - 1}")
    traces = {name: lines_of(trace(program, clone, folder / f"trace-{name}")) for name, program in programs.items()}
    return {
        "code": "CloverLeaf",
        "commit": COMMIT,
        "runs": runs,
        "arrays_compared": arrays,
        "bytes": sizes,
        "program_seconds": seconds,
        "trace": traces,
    }


def page_table(found: dict[str, Any]) -> str:
    """The measurement as a table in Markdown."""
    before, after = found["trace"]["before"], found["trace"]["after"]
    low, high = (before["after"][key] for key in ("low", "high"))
    program = found["program_seconds"]
    rows = [
        ("the whole program, s (best of " + str(found["runs"]) + ")", program["before"], "", program["after"]),
        ("its Fortran I/O, s", before["io_seconds"], "", after["io_seconds"]),
        (
            f"the {before['advised_lines']} lines that {RULE} names, s",
            before["before"],
            f"{before['after']['seconds']:.2f} ({low:.2f} to {high:.2f})",
            after["seconds"],
        ),
    ]
    table = ["| | before | predicted | after the change |", "|---|---|---|---|"]
    table += [f"| {what} | {old:.2f} | {said} | {new:.2f} |" for what, old, said, new in rows]
    sizes = [size / 1e6 for size in found["bytes"]]
    return "\n".join([*table, f"| its files, MB | {sizes[0]:.1f} | | {sizes[1]:.1f} |"])


def write_page(found: dict[str, Any]) -> None:
    """Renew what is generated in the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{page_table(found)}\n\n{END}{rest.partition(END)[2]}")


def main() -> int:
    """Everything that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", default=ORIGIN, metavar="CLONE")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", arguments.source, str(clone)], check=True)
        subprocess.run(["git", "-C", str(clone), "checkout", "-q", COMMIT], check=True)
        found = examine(clone, Path(folder), arguments.runs)
    print(page_table(found))
    if arguments.write:
        RESULTS.write_text(json.dumps(found, indent=1) + "\n")
        write_page(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
