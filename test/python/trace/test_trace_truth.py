"""Every line of test/intercept/truth.f90 has the counts in the profile that its text says, whatever compiled it."""

import re
import shutil
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from trace_records import Record
from trace_runs import FLANG, FLANGS, LONG, TRUTH, Build, compiled, run, tool

pytest_plugins = ("trace_interposer",)

COMPARED = ("statements", "items", "elements", "payload", "errors", "ends")
# What every statement of the program says with its first word; inquire(iolength=) apart.
KINDS = ("write", "read", "print", "open", "close", "inquire", "flush", "rewind", "backspace", "endfile", "wait")


def builds() -> list[Build]:
    """Those of every run; HEADRACE_TEST_LONG adds more."""
    chosen = [Build("gfortran", tuple(options.split())) for options in ("-O0", "-O2", "-O2 -static-libgfortran")]
    chosen += [Build(FLANG, (level,)) for level in ("-O0", "-O2")]
    if LONG:
        more = (
            "-O3",
            "-O2 -flto",
            "-O2 -fPIC -pie",
            "-O2 -no-pie",
            "-O2 -Wl,-z,now",
            "-g -O0 -fcheck=all",
            "-Og -g -fcheck=all",
            "-O0 -static-libgfortran",
            "-O3 -flto -static-libgfortran",
            "-O2 -no-pie -static-libgfortran",
            "-O2 -static-libgfortran -Wl,--gc-sections -ffunction-sections",
            "-Os -static-libgfortran",
        )
        others = [f"gfortran-{version}" for version in range(8, 17) if shutil.which(f"gfortran-{version}")]
        chosen += [Build("gfortran", tuple(options.split())) for options in more]
        chosen += [
            Build(name, tuple(options.split()))
            for name in others
            for options in ("-O0", "-O2", "-O2 -static-libgfortran")
        ]
        chosen += [
            Build(name, tuple(options.split()))
            for name in FLANGS
            for options in ("-O1", "-O3", "-O2 -fPIC", "-O2 -no-pie", "-g -O0")
        ]
    return chosen


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
    expected, first, text, comment = [], 0, "", ""
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if line.lstrip().startswith("!:"):
            comment += line.split("!:")[1]
            continue
        if not text:
            first = number
        text += line
        if line.endswith("&"):
            continue
        if comment:
            values = dict(pair.split("=") for pair in comment.split())
            traits = values.pop("traits", None)
            numbers = {name: int(value) for name, value in values.items()}
            wanted = {name: value_for(build, numbers, name) for name in COMPARED}
            all_traits = None if traits is None else frozenset(traits.split("+"))
            expected.append(Expected(first, number, kind_of(text), wanted, all_traits))
        text = comment = ""
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
    of_line = {
        number: statement.first for statement in expected for number in range(statement.first, statement.last + 1)
    }
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
    for wanted in expected:
        seen = found[wanted.first]
        have = {name: seen.numbers[name] for name in COMPARED}
        if have != wanted.numbers or seen.kinds != {wanted.kind}:
            wrong.append(f"line {wanted.first}: {seen.kinds} {have}, the text says {wanted.kind} {wanted.numbers}")
        if wanted.traits is not None and seen.traits != wanted.traits:
            wrong.append(f"line {wanted.first}: {sorted(seen.traits)}, the text says {sorted(wanted.traits)}")
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


def system_calls_by_strace(program: Path, directory: Path) -> Counter[str]:
    """Calls and bytes of reads and writes as the kernel saw them, but for the loader's."""
    strace, log = tool("strace"), directory / "strace.log"
    directory.mkdir(parents=True)
    traced = run(
        program,
        directory / "run",
        None,
        before=(
            strace,
            "-f",
            "-y",
            "-o",
            str(log),
            "-s",
            "0",
            "-e",
            "trace=read,readv,pread64,preadv,write,writev,pwrite64,pwritev,lseek",
        ),
    )
    if b"ptrace" in traced.errors:
        pytest.skip("strace may not trace here")
    assert traced.exit_code == 0, traced.errors
    sums: Counter[str] = Counter()
    for line in log.read_text(errors="replace").splitlines():
        call = re.search(r"\bp?(read|write|lseek)\w*\(\d+<(.*?)>.* = (-?\d+)", line)
        if not call or re.search(r"\.so|^/(proc|sys|etc)/", call[2]):
            continue
        sums[call[1]] += 1
        sums[call[1] + " bytes"] += max(int(call[3]), 0) if call[1] != "lseek" else 0
    return sums


@pytest.mark.parametrize("build", [build for build in builds() if not build.is_unoptimised or LONG], ids=str)
def test_sums_equal_strace(build: Build, interposer: Path, tmp_path: Path) -> None:
    program = compiled(build, TRUTH, tmp_path / "build" / "truth")
    kernel = system_calls_by_strace(program, tmp_path / "strace")
    profile = run(program, tmp_path / "traced", interposer).profiles[0]
    sums: Counter[str] = Counter()
    for record in profile.records:
        numbers = record.numbers
        sums.update(
            {
                "read": numbers["reads"],
                "read bytes": numbers["read"],
                "write": numbers["writes"],
                "write bytes": numbers["written"],
                "lseek": numbers["seeks"],
            }
        )
    assert kernel["write bytes"] > 150_000
    assert {name: sums[name] for name in ("read", "read bytes", "write", "write bytes", "lseek")} == {
        name: kernel[name] for name in ("read", "read bytes", "write", "write bytes", "lseek")
    }
