"""Builds intercept/ and runs Fortran programs with and without it, for the tests of headrace trace."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from trace_records import Profile, read_profile

ROOT = Path(__file__).resolve().parents[2]
TRUTH = ROOT / "test" / "intercept" / "truth.f90"
STANDARD_INPUT = "3 4\n"
LONG = "HEADRACE_TEST_LONG" in os.environ
FLANGS = [
    name
    for name in ("flang-new-19", "flang-19", "flang-22", "flang-new-16", "flang-new", "flang")
    if shutil.which(name)
]
FLANG = FLANGS[0] if FLANGS else "flang-new-19"


def preloaded() -> list[Path]:
    """The sources of the shared object; linked/ is what static programs have in its place."""
    return sorted(path for path in (ROOT / "intercept").rglob("*.c") if path.parent.name != "linked")


def tool(name: str) -> str:
    """A program that the test needs, or the test is skipped."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


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
        return bool({"-O0", "-Og"} & set(self.options))

    def __str__(self) -> str:
        return " ".join((Path(self.compiler).name, *self.options))


def compiled(build: Build, source: Path, program: Path) -> Path:
    """Compiles a program, or skips the test."""
    tool(build.compiler)
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [
            build.compiler,
            *build.options,
            str(source),
            "-o",
            str(program),
            "-J" if build.family == "gfortran" else "-module-dir",
            str(program.parent),
        ],
        check=True,
        cwd=program.parent,
        timeout=300,
    )
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
    done = subprocess.run(
        [*before, str(program)],
        input=STANDARD_INPUT.encode(),
        capture_output=True,
        cwd=work,
        env=environment,
        timeout=120,
        check=False,
    )
    files = {str(path.relative_to(work)): path.read_bytes() for path in work.rglob("*") if path.is_file()}
    return Run(
        done.returncode, done.stdout, done.stderr, files, [read_profile(path) for path in sorted(profiles.iterdir())]
    )
