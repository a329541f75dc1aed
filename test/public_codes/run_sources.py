"""Builds public Fortran codes from source and runs them with and without `headrace run`, as run_codes.py does packages.

    python test/public_codes/run_sources.py --sources DIR [--write] [--rounds N] [NAME ...]

The codes, how they are built and their examples: source_cases.py. DIR holds a clone of each repository, named as the
repository; one that is missing is cloned from github.com, and built if it is not. Needed: gfortran, cmake, make, git,
for some of them meson, fypp and lapack; HEADRACE_FLOPY_PYTHON is a Python with flopy and pytest. A code that cannot
be built or run here is told, and left out. --write renews run_sources.json, and the table of
doc/reference/public_codes.md. Exit code 1: a code did something else with headrace run, 2: it cannot be run here.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from run_codes import PAGE, examine, page_table, tell, write_page
from source_cases import CODES, SourceCode

from headrace.errors import HeadraceError
from headrace.trace.installed import RUN_LIBRARY, library_path

RESULTS = Path(__file__).resolve().parent / "run_sources.json"
BEGIN, END = "<!-- from run_sources.json: begin -->\n", "<!-- from run_sources.json: end -->"
BUILD_LIMIT = 1800  # seconds for a command of a build
__all__ = ["BEGIN", "END", "PAGE", "RESULTS", "page_table"]


def is_built(code: SourceCode, sources: Path) -> bool:
    """Whether its program is there."""
    return any(code.clone(sources).glob(code.built))


def missing(code: SourceCode, sources: Path) -> str:
    """Clones and builds what is missing; why that cannot be done, empty if all is there."""
    for repository in (code.repository, *code.also):
        place = sources / repository.partition("/")[2]
        if not place.exists():
            words = ["git", "clone", "--quiet", "--depth=1", f"https://github.com/{repository}", str(place)]
            if reason := _failed(words, sources, dict(os.environ)):
                return f"cannot be cloned: {reason} (clone {repository} to {place} yourself)"
    for command in () if is_built(code, sources) else code.build:
        if reason := _failed(["sh", "-c", command], code.clone(sources), os.environ | {"FC": "gfortran"}):
            return f"cannot be built in {code.clone(sources)}: {command}: {reason}"
    return "" if is_built(code, sources) else f"the build left no {code.built} in {code.clone(sources)}"


def _failed(words: list[str], folder: Path, environment: dict[str, str]) -> str:
    """The last line that a command said if it failed, or its exit code."""
    try:
        done = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, timeout=BUILD_LIMIT, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()
    return said[-1] if done.returncode else ""


def _run(code: SourceCode, sources: Path, rounds: int) -> tuple[list[str], dict[str, Any]]:
    """What differs, and the figures; the command without the folder of this machine."""
    with tempfile.TemporaryDirectory() as folder:
        found, result = examine(code.to_run(sources), Path(folder), rounds)
    return found, result | {"command": code.command.format(sources="DIR"), "build": list(code.build)}


def main() -> int:
    """Everything that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(code.name for code in CODES))
    parser.add_argument("--sources", type=Path, required=True, metavar="DIR")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--rounds", type=int, default=6, metavar="N")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - {code.name for code in CODES}
    if unknown or arguments.rounds < 1:
        parser.error(f"no such code: {', '.join(sorted(unknown))}" if unknown else "--rounds: at least 1")
    if not arguments.sources.is_dir():
        parser.error(f"--sources {arguments.sources}: no such folder; make it, clones are put there")
    try:
        library_path(RUN_LIBRARY)
    except HeadraceError as error:
        parser.error(str(error))
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    bad = absent = 0
    for code in CODES:
        if arguments.names and code.name not in arguments.names:
            continue
        sources = arguments.sources.resolve()
        try:
            reason = missing(code, sources)
            found, result = ([], {}) if reason else _run(code, sources, arguments.rounds)
        except (OSError, subprocess.SubprocessError) as error:
            reason = str(error)
        if reason:
            print(f"{code.name}: skipped: {reason}", flush=True)
            absent += 1
            continue
        results[code.name] = result
        tell(code.name, found, result)
        bad += bool(found)
        if arguments.write:
            RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    if arguments.write:
        write_page(results, BEGIN, END)
    return 1 if bad else 2 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
