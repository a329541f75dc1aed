"""The Fortran programs of test/run/programs: what their first lines say, and how they are compiled.

A line `!run: WORD VALUE` at the beginning of a program says how it is run:

    !run: flags -fcheck=all -g     more options of the compiler
    !run: c                        is linked with test/run/outside.c
    !run: exit 3                   the exit status without the library, 0 unless it is said; -9 is a signal
    !run: case WORD                an argument; a program with several of these is run once for each of them
    !run: input TEXT               standard input; \\n is a new line
    !run: errors                   it writes on standard error
    !run: killed                   a fatal signal ends it: see Allowed
    !run: unordered standard output, file a.txt    the lines of these come in any order
    !run: set NAME VALUE           a variable of the environment
"""

import re
from dataclasses import dataclass
from pathlib import Path

from headrace.measure.build import build_program
from headrace.results.run import Compiler
from run_identity import Allowed, Case

SOURCES = Path(__file__).resolve().parents[2] / "run"
OUTSIDE = SOURCES / "outside.c"
LEVELS = ("-O0", "-O2")
_LINE = re.compile(r"^!run: (\w+) ?(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """A program with the cases that it has."""

    path: Path
    flags: tuple[str, ...]
    needs_c: bool
    cases: tuple[str, ...]
    exits: tuple[int, ...]
    standard_input: bytes
    may_say_errors: bool
    allowed: Allowed
    environment: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    def case(self, executable: Path, case: str) -> Case:
        arguments = tuple(case.split()) if case else ()
        return Case(executable, arguments, None, self.standard_input, self.allowed, self.environment)

    def expected_exit(self, case: str) -> int:
        """The one that is said for its case, in the same order, or the only one."""
        return self.exits[self.cases.index(case)] if len(self.exits) > 1 else self.exits[0]


def programs() -> list[Program]:
    return [described(path) for path in sorted((SOURCES / "programs").rglob("*.[fF]*"))]


def described(path: Path) -> Program:
    """What the first lines of a program say."""
    said: dict[str, list[str]] = {}
    for match in _LINE.finditer(path.read_text()):
        said.setdefault(match[1], []).append(match[2].strip())
    unknown = said.keys() - {"flags", "c", "exit", "case", "input", "errors", "killed", "unordered", "set"}
    if unknown:
        raise ValueError(f"{path}: unknown words after !run: {', '.join(sorted(unknown))}: see run_programs.py")
    unordered = frozenset(name.strip() for text in said.get("unordered", []) for name in text.split(","))
    variables = [text.split(" ", 1) for text in said.get("set", [])]
    return Program(
        path=path,
        flags=tuple(" ".join(said.get("flags", [])).split()),
        needs_c="c" in said,
        cases=tuple(said.get("case", [""])),
        exits=tuple(int(text) for text in said.get("exit", ["0"])),
        standard_input="".join(said.get("input", [])).replace("\\n", "\n").encode(),
        may_say_errors="errors" in said,
        allowed=Allowed("killed" in said, unordered),
        environment=tuple((name, value) for name, value in variables),
    )


def compiled(program: Program, compiler: Compiler, level: str) -> Path:
    """The executable; from the cache of compiled programs when nothing has changed."""
    flags = [level, "-w", *program.flags]
    sources = [program.path, *([OUTSIDE] if program.needs_c else [])]
    return build_program(compiler.model_copy(update={"flags": flags}), sources, program.path.stem)
