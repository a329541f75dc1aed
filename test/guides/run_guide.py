"""Runs all that a page of the tutorial or of the how-to shows, in its order: run_guide.py PAGE --prefix DIR ...

    ```fortran  ```toml  ```python     a first line `! name.f90` or `# name` makes it a file of that name;
                                       Python without one is run
    ```sh                              every line is run; the first that fails ends the test
    ```console                         `$ ` before each command, and below it what it prints: numbers may differ,
                                       `...` is any text (within a line, or any lines)

Other blocks are refused: whatever a page shows is run. Exit code 77 if something that it needs is not here.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

_BLOCK = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"(?:!|#) (\S+\.\w+)\n")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d*)?(?:e[+-]?\d+)?[kMG]?|\.\d+", re.IGNORECASE)
_SKIPPED = 77


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--prefix", type=Path, required=True, help="where the library is installed")
    parser.add_argument("--stand-in", action="append", default=[], metavar="NAME=COMMAND", help="what gfortran is here")
    parser.add_argument("--needs", action="append", default=[], help="a module of Python")
    arguments = parser.parse_args()
    for module in ("headrace", *arguments.needs):
        if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode:
            print(f"skipped: {sys.executable} has no {module}")
            return _SKIPPED
    with tempfile.TemporaryDirectory(prefix="guide-") as folder:
        place = Path(folder)
        work, programs = place / "work", place / "programs"
        work.mkdir()
        programs.mkdir()
        for stand_in in arguments.stand_in:
            name, _, command = stand_in.partition("=")
            (programs / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
            (programs / name).chmod(0o755)
        for number, (kind, text) in enumerate(_BLOCK.findall(arguments.page.read_text()), 1):
            run_block(
                kind, text, f"{arguments.page.name}, block {number}", work, environment(arguments.prefix, programs)
            )
    return 0


def environment(prefix: Path, programs: Path) -> dict[str, str]:
    """Of a user who has installed the library and made `.venv` active."""
    packages = [str(path.parent) for path in prefix.resolve().rglob("headrace*.pc")]
    libraries = [str(Path(path).parent) for path in packages]
    return {
        **os.environ,
        "PATH": os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PKG_CONFIG_PATH": os.pathsep.join(packages),
        "LD_LIBRARY_PATH": os.pathsep.join([*libraries, os.environ.get("LD_LIBRARY_PATH", "")]),
        "HEADRACE_LIBRARY": "",
        "COLUMNS": "100",
    }


def run_block(kind: str, text: str, where: str, work: Path, variables: dict[str, str]) -> None:
    """Raises SystemExit that says what differs."""
    named = _FILE.match(text)
    if kind in ("fortran", "toml", "python") and named:
        (work / named[1]).write_text(text)
    elif kind == "python":
        run(text, [sys.executable, "-"], where, work, variables)
    elif kind == "sh":
        run(text, ["sh", "-e"], where, work, variables)
    elif kind == "console":
        for command, _, expected in (part.partition("\n") for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]):
            printed = run(command, ["sh", "-e"], f"{where}: {command}", work, variables)
            if not pattern(expected).fullmatch(as_compared(printed)):
                sys.exit(f"{where}: '{command}' prints\n{printed}\nbut the page shows\n{expected}")
    else:
        sys.exit(f"{where}: a block of '{kind}' without a name is run by nobody")


def run(text: str, program: list[str], where: str, work: Path, variables: dict[str, str]) -> str:
    done = subprocess.run(
        program, input=text, cwd=work, env=variables, stdout=-1, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{where} ends with {done.returncode}:\n{text}\n{done.stdout}")
    return done.stdout


def as_compared(text: str) -> str:
    """Without what differs from machine to machine: figures, and blanks beside them."""
    lines = (" ".join(_NUMBER.sub("0", line).split()) for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line)


def pattern(shown: str) -> re.Pattern[str]:
    found = ""
    for line in shown.splitlines():
        if line == "...":
            found += r"(?:.*\n)*?"
        elif line.strip():
            found += ".*".join(re.escape(as_compared(part).rstrip("\n")) for part in line.split("...")) + r"\n"
    return re.compile(found)


if __name__ == "__main__":
    sys.exit(main())
