"""Traces public Fortran codes on examples of their own, and checks that they do the same with and without the tracer.

    python test/public_codes/public_codes.py [--install] [--write] [NAME ...]

The codes are packages of Debian 12, in the versions below. --install installs them (root); --write renews results.json,
and the tables of doc/reference/trace_stories.md that are made of it. What differs in any run (dates, times) is left out of the
comparison. Exit code 1: a code did something else when it was traced.
"""

import argparse
import dataclasses
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results.json"
PAGE = HERE.parents[1] / "doc" / "reference" / "trace_stories.md"
LIMIT = 300  # seconds for one run
HARMLESS = "libutil.so.1"  # of the C library: empty, as far as programs can tell
VARIES = re.compile(rb"time|date|cpu|wall|\d\d:\d\d|seconds?\b|speedup|MFLOP", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Code:
    """A public code and one example."""

    name: str
    packages: tuple[str, ...]
    what: str
    prepare: Callable[[Path], None]
    command: tuple[str, ...]
    standard_input: str = ""


def _calculix(folder: Path) -> None:
    """An example of its test package: vibrations of a beam."""
    examples = Path("/usr/share/doc/calculix-ccx-test/examples/test")
    for ending in ("", ".gz"):
        source = examples / f"beamf.inp{ending}"
        if source.exists():
            data = source.read_bytes()
            (folder / "beamf.inp").write_bytes(gzip.decompress(data) if ending else data)
            return
    raise FileNotFoundError(examples / "beamf.inp")


def _elk(folder: Path) -> None:
    """Its first example, the ground state of aluminium, and then its density on a grid as text (task 33)."""
    example = Path("/usr/share/doc/elk-lapw/examples/basic/Al/elk.in")
    text = example.read_text() if example.exists() else gzip.decompress(Path(f"{example}.gz").read_bytes()).decode()
    text = re.sub(r"'[^']*species[^']*'", "'/usr/share/elk-lapw/species/'", text)
    text = re.sub(r"(tasks\s+0)\n", r"\1\n  33\n", text)
    grid = "\nplot3d\n  0.0 0.0 0.0\n  1.0 0.0 0.0\n  0.0 1.0 0.0\n  0.0 0.0 1.0\n  30 30 30\n"
    (folder / "elk.in").write_text(text + grid)


def _water(folder: Path, edge: int = 2) -> list[tuple[str, float, float, float]]:
    """A lattice of water molecules."""
    atoms = []
    for i in range(edge):
        for j in range(edge):
            for k in range(edge):
                x, y, z = 3.0 * i, 3.0 * j, 3.0 * k
                atoms += [("O", x, y, z), ("H", x + 0.96, y, z), ("H", x - 0.24, y + 0.93, z)]
    lines = [f"{name} {x:.3f} {y:.3f} {z:.3f}" for name, x, y, z in atoms]
    (folder / "water.xyz").write_text("\n".join([str(len(atoms)), "", *lines, ""]))
    return atoms


def _xtb(folder: Path) -> None:
    """Molecular dynamics with a force field: 2,000 steps of eight water molecules, each step kept."""
    _water(folder)
    (folder / "md.inp").write_text("$md\n   temp=298.15\n   time=2.0\n   dump=1.0\n   step=1.0\n   velo=false\n$end\n")


def _mopac(folder: Path) -> None:
    """Vibrations of eight water molecules."""
    lines = [f"{name} {x:.3f} 1 {y:.3f} 1 {z:.3f} 1" for name, x, y, z in _water(folder)]
    (folder / "water.mop").write_text("\n".join(["PM7 FORCE", "eight water molecules", "", *lines, ""]))


def _nothing(folder: Path) -> None:
    pass


LAPACK = "/usr/lib/x86_64-linux-gnu/lapack"
CODES = (
    Code(
        "CalculiX",
        ("calculix-ccx=2.20-1", "calculix-ccx-test=2.11-1.1"),
        "finite elements: a beam",
        _calculix,
        ("ccx", "beamf"),
    ),
    Code("Elk", ("elk-lapw=8.4.30-1",), "electrons in solids: aluminium, density on a grid", _elk, ("elk-lapw",)),
    Code(
        "xtb",
        ("xtb=6.5.1-3",),
        "quantum chemistry: molecular dynamics of water with a force field",
        _xtb,
        ("xtb", "water.xyz", "--gfnff", "--input", "md.inp", "--md"),
    ),
    Code("MOPAC", ("mopac=22.0.6+dfsg-1+b1",), "semi-empirical chemistry: water", _mopac, ("mopac", "water.mop")),
    Code(
        "LAPACK",
        ("liblapack-test=3.11.0-2",),
        "its own test of singular values",
        _nothing,
        (f"{LAPACK}/xeigtstd",),
        f"{LAPACK}/svd.in",
    ),
)


def is_installed(code: Code) -> bool:
    """Whether the packages are there, in these versions."""
    for package in code.packages:
        name, _, version = package.partition("=")
        done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True)
        if done.returncode != 0 or done.stdout != version:
            return False
    return True


@dataclasses.dataclass
class Ran:
    """What a run left."""

    exit_code: int
    output: bytes
    files: dict[str, bytes]


def run(code: Code, folder: Path, *traced: str, **environment: str) -> Ran:
    """The example in a folder of its own; `traced` comes before its command."""
    folder.mkdir(parents=True)
    code.prepare(folder)
    with Path(code.standard_input or os.devnull).open("rb") as standard_input:
        done = subprocess.run(
            [*traced, *code.command],
            stdin=standard_input,
            capture_output=True,
            cwd=folder,
            timeout=LIMIT,
            env=os.environ | {"OMP_NUM_THREADS": "1"} | environment,
        )
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return Ran(done.returncode, done.stdout, files)


def differences(plain: Ran, traced: Ran) -> list[str]:
    """What is not the same, beside lines that differ in any run."""

    def steady(data: bytes) -> list[bytes]:
        return [line for line in data.splitlines() if not VARIES.search(line)]

    found = []
    if plain.exit_code != traced.exit_code:
        found.append(f"exit code {traced.exit_code} instead of {plain.exit_code}")
    if steady(plain.output) != steady(traced.output):
        found.append("the output differs")
    for name in sorted(plain.files.keys() | traced.files.keys()):
        if name not in plain.files or name not in traced.files:
            found.append(f"{name} is there only {'traced' if name in traced.files else 'not traced'}")
        elif steady(plain.files[name]) != steady(traced.files[name]):
            found.append(f"{name} differs")
    return found


def examine(code: Code, folder: Path) -> tuple[list[str], dict[str, Any]]:
    """What differs when the code is traced, and its trace."""
    trace_file, archive = folder / "trace.json", folder / "archive"
    tracer = (sys.executable, "-m", "headrace", "trace", "--json", str(trace_file), "--save", str(archive))
    plain = run(code, folder / "plain")
    traced = run(code, folder / "traced", *tracer)
    again = run(code, folder / "again", LD_PRELOAD=HARMLESS)
    trace: dict[str, Any] = json.loads(trace_file.read_text())
    # Results may depend on where memory lies: what differs with any library preloaded says nothing about this one.
    unsteady = set(differences(plain, again))
    return [found for found in differences(plain, traced) if found not in unsteady], trace


def reduced(code: Code, trace: dict[str, Any]) -> dict[str, Any]:
    """What the page tells of a trace."""
    files = {file["id"]: Path(file["path"]).name for file in trace["files"]}
    fortran = [line for line in trace["lines"] if line["statement"] not in ("not Fortran", "run time", "library call")]
    return {
        "packages": list(code.packages),
        "what": code.what,
        "command": " ".join([Path(code.command[0]).name, *code.command[1:]]),
        "wall": trace["wall"],
        "io_seconds": trace["totals"]["io_seconds"],
        "share": trace["totals"]["share"],
        "source_lines": len(trace["lines"]),
        "lines": [
            {
                key: line[key]
                for key in ("place", "statement", "form", "statements", "payload_bytes", "seconds_exclusive")
            }
            | {"file": next((files[number] for number in line["files"]), "(internal)" if line["internal"] else "")}
            for line in fortran[:4]
        ],
        "advice": [
            {key: advice[key] for key in ("rule", "name", "place", "before", "after")} for advice in trace["advice"][:2]
        ],
    }


def page_table(results: dict[str, Any]) -> str:
    """The codes as tables in Markdown."""
    rows = [
        "| code | example | wall s | Fortran I/O s | share | costliest line | its share of the I/O |",
        "|" + "---|" * 7,
    ]
    for name, found in results.items():
        first = found["lines"][0]
        share = first["seconds_exclusive"] / found["io_seconds"] if found["io_seconds"] else 0
        form = " ".join(word for word in (first["statement"], first["form"]) if word)
        cells = [
            f"{name} ({found['packages'][0].replace('=', ' ')})",
            found["what"],
            f"{found['wall']:.2f}",
            f"{found['io_seconds']:.4f}",
            f"{100 * found['share']:.1f} %",
            f"`{first['place']}`: {first['statements']:,} times {form} to {first['file']}",
            f"{100 * share:.0f} %",
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def write_page(results: dict[str, Any]) -> None:
    """Renew what is generated in the page."""
    begin, end = "<!-- from results.json: begin -->\n", "<!-- from results.json: end -->"
    text = PAGE.read_text()
    before, _, rest = text.partition(begin)
    PAGE.write_text(f"{before}{begin}\n{page_table(results)}\n\n{end}{rest.partition(end)[2]}")


def main() -> int:
    """Everything that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(code.name for code in CODES))
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - {code.name for code in CODES}
    if unknown:
        parser.error(f"no such code: {', '.join(sorted(unknown))}")
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    bad = 0
    for code in CODES:
        if arguments.names and code.name not in arguments.names:
            continue
        if arguments.install:
            subprocess.run(["apt-get", "install", "-y", "-q", "--no-install-recommends", *code.packages], check=True)
        if not is_installed(code) or not shutil.which(code.command[0]):
            print(f"{code.name}: not installed: {' '.join(code.packages)}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            found, trace = examine(code, Path(folder))
        results[code.name] = reduced(code, trace)
        share = results[code.name]["share"]
        print(f"{code.name}: {'; '.join(found) or 'the same with and without the tracer'}; I/O {share:.1%} of the run")
        bad += bool(found)
    if arguments.write:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        write_page(results)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
