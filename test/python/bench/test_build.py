"""Compilers that are missing, fail, or refuse a statement."""

import os
from pathlib import Path

import pytest

from headrace.errors import HeadraceError
from headrace.measure import build, compilers
from headrace.results.run import Compiler


def script(path: Path, text: str) -> Path:
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def wrapped(gnu: Compiler, folder: Path, text: str) -> Compiler:
    """gfortran behind a script that may refuse."""
    path = script(folder / "wrapper", f'{text}\nexec {gnu.path} "$@"\n')
    return compilers.identify(str(path))


def test_an_unknown_compiler_is_named_with_what_there_is() -> None:
    with pytest.raises(HeadraceError) as error:
        compilers.identify("no-such-fortran")
    assert "'no-such-fortran' was not found" in error.value.message
    assert "--fc" in error.value.hint


def test_a_program_that_is_no_compiler_is_refused(tmp_path: Path) -> None:
    path = script(tmp_path / "fc", "echo hello")
    with pytest.raises(HeadraceError, match="not name a Fortran compiler that headrace knows; it said: hello"):
        compilers.identify(str(path))


@pytest.mark.parametrize(
    ("text", "vendor", "version"),
    [
        ("GNU Fortran (Debian 12.2.0-14+deb12u1) 12.2.0", "gnu", "12.2.0"),
        ("GNU Fortran (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0", "gnu", "13.3.0"),
        ("Debian flang-new version 19.1.7 (3~deb12u1)", "llvm", "19.1.7"),
        ("flang version 20.1.2", "llvm", "20.1.2"),
        ("ifx (IFX) 2023.0.0 20221201", "intel", "2023.0.0"),
        ("ifort (IFORT) 2021.8.0 20221119", "intel", "2021.8.0"),
        ("nvfortran 24.3-0 64-bit target on x86-64 Linux", "nvidia", "24.3"),
        ("Cray Fortran : Version 15.0.0", "cray", "15.0.0"),
    ],
)
def test_compilers_are_recognised(tmp_path: Path, text: str, vendor: str, version: str) -> None:
    found = compilers.identify(str(script(tmp_path / "fc", f"echo '{text}'")))
    assert (found.vendor, found.version) == (vendor, version)


def test_a_failing_compiler_shows_its_message_and_the_command(tmp_path: Path) -> None:
    path = script(
        tmp_path / "fc",
        'case "$1" in --version) echo "GNU Fortran (test) 12.2.0";; '
        '*) echo "licence server is down" >&2; exit 3;; esac',
    )
    source = tmp_path / "p.f90"
    source.write_text("end\n")
    with pytest.raises(build.CompileError) as error:
        build.build_program(compilers.identify(str(path)), [source])
    assert "licence server is down" in error.value.message
    assert f"command: {path} -O2 p.f90 -o program" in error.value.message


def test_a_refused_statement_costs_only_its_mechanism(gnu: Compiler, tmp_path: Path) -> None:
    refuse = (
        "line=$(grep -n 'subroutine write_nested_reversed' unformatted.f90 2>/dev/null | head -1 | cut -d: -f1)\n"
        'if [ -n "$line" ]; then echo "unformatted.f90:$((line + 3)):9:\n\nError: implied DO is too clever" >&2; '
        "exit 1; fi"
    )
    program = build.build_family(wrapped(gnu, tmp_path, refuse), "unformatted")
    assert program.executable is not None
    assert program.refused == {"nested_reversed": "implied DO is too clever"}


def test_a_refused_opener_takes_its_mechanisms_with_it(gnu: Compiler) -> None:
    program = build.build_family(gnu, "vendor_open")
    assert program.executable is None
    assert set(program.refused) == {"element_buffered", "whole_buffered", "element_buffered_blocks"}
    assert "OPEN" in program.refused["whole_buffered"]


def test_the_cache_is_keyed_by_flags_and_source(gnu: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "p.f90"
    source.write_text("end\n")
    first = build.build_program(gnu, [source])
    stamp = first.stat().st_mtime_ns
    assert build.build_program(gnu, [source]) == first and first.stat().st_mtime_ns == stamp
    other = gnu.model_copy(update={"flags": ["-O0"]})
    assert build.build_program(other, [source]) != first
    source.write_text("print *, 1\nend\n")
    assert build.build_program(gnu, [source]) != first
    assert not list((tmp_path / "cache").glob(".building*"))


def test_a_cache_that_cannot_be_written_is_an_error(
    gnu: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "file" / "cache"))
    source = tmp_path / "p.f90"
    source.write_text("end\n")
    with pytest.raises(HeadraceError, match="cannot be written") as error:
        build.build_program(gnu, [source])
    assert "HEADRACE_CACHE" in error.value.hint
    assert os.environ["HEADRACE_CACHE"].endswith("cache")
