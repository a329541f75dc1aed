"""What can be measured: read from the Fortran sources, which are the one place that says it.

Each file of the folder is a family. Its program adds mechanisms (`call add_rows("whole", ...)`), and the
statements of `write_whole` and `read_whole` are the labels, as in the
HLRS slides "Performance of Fortran IO mechanisms".
"""

import re
from dataclasses import dataclass
from pathlib import Path

SHAPES = {"rows": "real64 (3, n)", "columns": "real64 (n, 3)", "vector": "real64 (n)", "integer": "int32 (n)"}

_ADD = re.compile(r'^\s*call add_(rows|columns|vector|integer)\("(\w+)"', re.MULTILINE)
_PROCEDURE = re.compile(
    r"^subroutine (write|read)_(\w+)\(.*?\)\n(.*?)^end subroutine \1_\2\s*$", re.MULTILINE | re.DOTALL
)
_DECLARATION = re.compile(
    r"^(integer|real|complex|logical|character|type\s*\(|class|use\b|implicit|namelist|procedure|import|"
    r"interface|end interface|parameter|dimension|target|asynchronous)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Mechanism:
    """One way of writing and reading an array."""

    family: str
    name: str
    shape: str  # a key of SHAPES
    write_statement: str
    read_statement: str

    @property
    def key(self) -> str:
        return f"{self.family}:{self.name}"

    def statement(self, operation: str) -> str:
        return self.write_statement if operation == "write" else self.read_statement


def sources_directory() -> Path:
    """Where the Fortran sources are: inside the installed package, or bench/ of a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "bench"
    return installed if installed.is_dir() else package.parent.parent / "bench"


def family_files() -> dict[str, Path]:
    """Every family and its file."""
    return {path.stem: path for path in sorted(sources_directory().glob("*.f90"))}


def harness_files() -> list[Path]:
    """The harness, in the order of compilation."""
    folder = sources_directory() / "harness"
    return [folder / f"{name}.f90" for name in ("posix", "payload", "mechanisms", "harness")]


def all_mechanisms() -> list[Mechanism]:
    """Every mechanism of every family, in the order of the sources."""
    found: list[Mechanism] = []
    for path in family_files().values():
        found += mechanisms_in(path.stem, path.read_text())
    return found


def mechanisms_in(family: str, source: str) -> list[Mechanism]:
    """The mechanisms that one family file adds, with their statements."""
    statements = {(m[1], m[2]): _with_callee(_executable_part(m[3]), source) for m in _PROCEDURE.finditer(source)}
    return [
        Mechanism(family, name, shape, statements.get(("write", name), ""), statements.get(("read", name), ""))
        for shape, name in _ADD.findall(source)
    ]


def _with_callee(statement: str, source: str) -> str:
    """A statement that calls a procedure of the same file, with what that procedure does if it is one statement."""
    call = re.match(r"call (\w+)\(", statement)
    if not call:
        return statement
    found = re.search(
        rf"^subroutine {call[1]}\(.*?\)\n(.*?)^end subroutine {call[1]}", source, re.MULTILINE | re.DOTALL
    )
    inside = _executable_part(found[1]) if found else ""
    return f"{statement}; in {call[1]}: {inside}" if inside and ";" not in inside else statement


def _executable_part(body: str) -> str:
    joined = re.sub(r"&\s*\n\s*&?\s*", "", body)
    lines = [line.split(" !")[0].strip() for line in joined.splitlines()]
    wanted = [line for line in lines if line and not line.startswith("!")]
    while wanted and _DECLARATION.match(wanted[0]):
        wanted.pop(0)
    return "; ".join(wanted)
