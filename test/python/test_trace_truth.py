"""Every line of test/intercept/truth.f90 has the counts in the profile that its text says, whatever compiled it."""

import os
import re
import shutil
import subprocess
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from trace_records import Profile, Record, read_profile

ROOT = Path(__file__).resolve().parents[2]
TRUTH = ROOT / "test" / "intercept" / "truth.f90"
STANDARD_INPUT = "3 4\n"
COMPARED = ("statements", "items", "elements", "payload", "errors", "ends")
LONG = "HEADRACE_TEST_LONG" in os.environ
# What every statement of the program says with its first word; inquire(iolength=) apart.
KINDS = ("write", "read", "print", "open", "close", "inquire", "flush", "rewind", "backspace", "endfile", "wait")


@dataclass(frozen=True)
class Build:
    """A compiler with its options."""

    compiler: str
    options: tuple[str, ...]

    @property
    def family(self) -> str:
        return "flang" if "flang" in self.compiler else "gfortran"

    @property
    def is_unoptimised(self) -> bool:
        return "-O0" in self.options

    def __str__(self) -> str:
        return " ".join((Path(self.compiler).name, *self.options))


def builds() -> list[Build]:
    """Those of every run; HEADRACE_TEST_LONG adds more."""
    flangs = [name for name in ("flang-new-19", "flang-19", "flang-22", "flang-new", "flang") if shutil.which(name)]
    chosen = [Build("gfortran", tuple(options.split())) for options in ("-O0", "-O2", "-O2 -static-libgfortran")]
    chosen += [Build(flangs[0] if flangs else "flang-new-19", (level,)) for level in ("-O0", "-O2")]
    if LONG:
        more = ("-O3", "-O2 -flto", "-O2 -fPIC -pie", "-O2 -no-pie", "-O2 -Wl,-z,now", "-g -O0 -fcheck=all", "-Og -g -fcheck=all",
                "-O0 -static-libgfortran", "-O3 -flto -static-libgfortran", "-O2 -no-pie -static-libgfortran",
                "-O2 -static-libgfortran -Wl,--gc-sections -ffunction-sections", "-Os -static-libgfortran")
        others = [f"gfortran-{version}" for version in range(8, 17) if shutil.which(f"gfortran-{version}")]
        chosen += [Build("gfortran", tuple(options.split())) for options in more]
        chosen += [Build(name, tuple(options.split())) for name in others for options in ("-O0", "-O2", "-O2 -static-libgfortran")]
        chosen += [Build(name, tuple(options.split())) for name in flangs
                   for options in ("-O1", "-O3", "-O2 -fPIC -pie", "-O2 -no-pie", "-g -O0")]
    return chosen


@pytest.fixture(scope="module")
def interposer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shared object of intercept/, as every warning-free build makes it."""
    built = tmp_path_factory.mktemp("interposer") / "interposer.so"
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler to build intercept/ with")
    sources = sorted(str(path) for path in (ROOT / "intercept").rglob("*.c"))
    subprocess.run([compiler, "-std=gnu11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-Wconversion",
                    "-Werror", *sources, "-o", str(built), "-ldl", "-lpthread"], check=True)
    return built


def compiled(build: Build, source: Path, program: Path) -> Path:
    """Compiles a program, or skips the test."""
    if shutil.which(build.compiler) is None:
        pytest.skip(f"{build.compiler} is not installed")
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([build.compiler, *build.options, str(source), "-o", str(program), "-J" if build.family == "gfortran" else
                    "-module-dir", str(program.parent)], check=True, cwd=program.parent, timeout=300)
    return program


@dataclass
class Run:
    """What a program left, as it ran with or without the interposer."""

    exit_code: int
    output: bytes
    errors: bytes
    files: dict[str, bytes]
    profiles: list[Profile]


def run(program: Path, directory: Path, interposer: Path | None, *, before: tuple[str, ...] = ()) -> Run:
    """Runs a program in an empty directory."""
    work, profiles = directory / "work", directory / "profiles"
    for made in (work, profiles):
        made.mkdir(parents=True)
    environment = dict(os.environ)
    if interposer is not None:
        environment |= {"LD_PRELOAD": str(interposer), "HEADRACE_TRACE_DIRECTORY": str(profiles)}
    done = subprocess.run([*before, str(program)], input=STANDARD_INPUT.encode(), capture_output=True, cwd=work, env=environment,
                          timeout=120, check=False)
    files = {str(path.relative_to(work)): path.read_bytes() for path in work.rglob("*") if path.is_file()}
    return Run(done.returncode, done.stdout, done.stderr, files, [read_profile(path) for path in sorted(profiles.iterdir())])


@dataclass
class Expected:
    """What the text of one statement says."""

    first: int
    last: int
    kind: str
    numbers: dict[str, int]
    traits: frozenset[str] | None


def value_for(build: Build, values: dict[str, int], name: str) -> int:
    """The number of this compiler, or of all."""
    keys = [f"{name}[{build.family}]", name]
    if build.is_unoptimised:
        keys.insert(0, f"{name}[{build.family}-O0]")
    return next((values[key] for key in keys if key in values), 0)


def kind_of(statement: str) -> str:
    """The kind of statement that the profile must name."""
    words = re.findall(r"[a-z]+", statement.split("if (", 1)[-1])
    word = next(word for word in words if word in KINDS)
    return "iolength" if "iolength" in statement else "write" if word == "print" else word


def expectations(source: Path, build: Build) -> list[Expected]:
    """Those of all statements of the program."""
    expected, first, text = [], 0, ""
    for number, line in enumerate(source.read_text().splitlines(), 1):
        code, _, comment = line.partition("!:")
        if not text:
            first = number
        text += code
        if code.split("!")[0].rstrip().endswith("&"):
            continue
        if comment and not line.lstrip().startswith("!"):
            values = dict(pair.split("=") for pair in comment.split())
            traits = values.pop("traits", None)
            numbers = {name: int(value) for name, value in values.items()}
            expected.append(Expected(first, number, kind_of(text), {name: value_for(build, numbers, name) for name in COMPARED},
                                     None if traits is None else frozenset(traits.split("+"))))
        text = ""
    return expected


@dataclass
class Found:
    """The sum of the records of one statement."""

    kinds: set[str] = field(default_factory=set)
    traits: set[str] = field(default_factory=set)
    numbers: Counter[str] = field(default_factory=Counter)


def mismatches(build: Build, source: Path, records: list[Record]) -> list[str]:
    """What differs between the text and the profile."""
    expected = expectations(source, build)
    of_line = {number: statement.first for statement in expected for number in range(statement.first, statement.last + 1)}
    found: dict[int, Found] = defaultdict(Found)
    wrong = []
    for record in records:
        if Path(record.file).name != source.name:
            continue
        if record.line not in of_line:
            wrong.append(f"line {record.line}: {record.kind}, which the text does not have")
            continue
        statement = found[of_line[record.line]]
        statement.kinds.add(record.kind)
        statement.traits |= record.traits - {"child"}
        statement.numbers.update({name: record.numbers[name] for name in COMPARED})
    for statement in expected:
        seen = found[statement.first]
        have = {name: seen.numbers[name] for name in COMPARED}
        if have != statement.numbers or seen.kinds != {statement.kind}:
            wrong.append(f"line {statement.first}: {seen.kinds} {have}, the text says {statement.kind} {statement.numbers}")
        if statement.traits is not None and seen.traits != statement.traits:
            wrong.append(f"line {statement.first}: {sorted(seen.traits)}, the text says {sorted(statement.traits)}")
    return wrong


@pytest.mark.parametrize("build", builds(), ids=str)
def test_counts_of_every_line(build: Build, interposer: Path, tmp_path: Path) -> None:
    program = compiled(build, TRUTH, tmp_path / "build" / "truth")
    traced = run(program, tmp_path / "traced", interposer)
    plain = run(program, tmp_path / "plain", None)
    assert (traced.exit_code, traced.output, traced.errors) == (0, plain.output, plain.errors)
    assert traced.files == plain.files
    assert len(traced.profiles) == 1
    profile = traced.profiles[0]
    assert mismatches(build, TRUTH, profile.records) == []
    assert len(expectations(TRUTH, build)) >= 120
    is_static = build.family == "flang" or "-static-libgfortran" in build.options
    assert (profile.redirected > 0) == is_static
    assert profile.refused == 0
    assert profile.note == ""
