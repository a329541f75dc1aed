"""headrace trace --check: whether a program can be traced, and if not why, in one sentence."""

import os
import platform
import struct
import subprocess
from pathlib import Path

import pytest

from headrace.errors import HeadraceError
from headrace.trace.check import check
from trace_programs import COUNTS, Run, compiled


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("counts"), "counts", COUNTS)


def from_c(folder: Path, name: str, source: str, *words: str) -> Path:
    (folder / f"{name}.c").write_text(source)
    subprocess.run(["cc", folder / f"{name}.c", "-o", folder / name, *words], check=True)
    return folder / name


def rpath(folder: Path) -> str:
    return f"-Wl,-rpath,{folder}"


def test_check_says_why_not(tmp_path: Path, program: Path) -> None:
    assert check(str(program)).can_trace
    assert check(str(program)).sentence.startswith("libgfortran.so.5: every Fortran I/O statement is traced")
    static = compiled(tmp_path, "static", COUNTS, "-static")
    own = compiled(tmp_path, "own", COUNTS, "-static-libgfortran")
    stripped = compiled(tmp_path, "stripped", COUNTS, "-static-libgfortran", "-s")
    library = compiled(
        tmp_path, "libcounts.so", COUNTS.replace("program counts", "subroutine counts"), "-shared", "-fPIC"
    )
    user = from_c(tmp_path, "user", "void counts_(void); int main(void) { counts_(); }", str(library), rpath(tmp_path))
    plain = from_c(tmp_path, "plain", "int main(void) { return 0; }")
    script = tmp_path / "script"
    script.write_text("#!/usr/bin/env sh\n./static\n")
    lost = tmp_path / "lost"
    lost.write_text("#!/no/such/shell\n")
    text = tmp_path / "text"
    text.write_text("hello\n")
    foreign, musl, broken, small = (tmp_path / name for name in ("foreign", "musl", "broken", "small"))
    data = bytearray(program.read_bytes())
    broken.write_bytes(data[:80])
    musl.write_bytes(data.replace(b"/lib64/ld-linux-x86-64.so.2", b"/lib/ld-musl-x86_64.so.1\0\0\0"))
    struct.pack_into("<H", data, 18, 243)  # RISC-V
    foreign.write_bytes(data)
    small.write_bytes(b"\x7fELF")
    for file in (script, lost, text, foreign, musl, broken, small):
        file.chmod(0o755)
    for file, can_trace, words in (
        (static, False, "fully static with the run time of gfortran: nothing can be loaded into it"),
        (stripped, False, "it has no names (stripped)"),
        (user, True, "libgfortran.so.5, through libcounts.so: every Fortran I/O statement is traced"),
        (plain, False, "no Fortran in it"),
        (script, True, "a script of "),
        (lost, False, "a script whose interpreter is not there: /no/such/shell"),
        (text, False, "neither a program of this machine nor a script"),
        (foreign, False, "made for another processor (EM_RISCV)"),
        (musl, False, "of musl libc"),
    ):
        found = check(str(file))
        assert found.can_trace == can_trace and words in found.sentence, (file.name, found)
    found = check(str(own))
    assert found.can_trace == (platform.machine() == "x86_64")
    assert found.sentence.startswith("the run time of gfortran is linked into it")
    for file in (broken, small):
        with pytest.raises(HeadraceError, match="a damaged ELF file"):
            check(str(file))


def test_check_of_privileged_and_missing_programs(tmp_path: Path, program: Path, headrace: Run) -> None:
    private = tmp_path / "private"
    private.write_bytes(program.read_bytes())
    private.chmod(0o755)
    if os.getuid() == 0:
        os.chown(private, 65534, 65534)
        private.chmod(0o4755)
        assert "set-uid or set-gid" in check(str(private)).sentence
    private.chmod(0o644)
    for name, words in (
        ("./private", "no permission to execute it"),
        ("./nothing", "no such file"),
        ("nothing-like-this", "no program of this name is in PATH"),
        (".", "a directory, not a program"),
    ):
        done = headrace("trace", "--check", name)
        assert done.returncode == 2 and words in done.stderr, done.stderr
    good, bad = headrace("trace", "--check", str(program)), headrace("trace", "--check", "/bin/ls")
    assert (good.returncode, bad.returncode) == (0, 1) and good.stdout.startswith(f"{program}: libgfortran.so.5")


def test_check_of_launchers_and_of_run_times_inside_of_libraries(tmp_path: Path) -> None:
    """A program of C whose library has a run time inside, as of -static-libgfortran; and what only starts others."""
    text = "void _gfortran_st_write(void) {} void counts_(void) { _gfortran_st_write(); }"
    library = from_c(tmp_path, "libinside.so", text, "-shared", "-fPIC")
    user = from_c(
        tmp_path, "inside", "void counts_(void); int main(void) { counts_(); }", str(library), rpath(tmp_path)
    )
    found = check(str(user))
    assert found.can_trace
    assert found.sentence.startswith("libinside.so: the run time of gfortran is linked into it")
    launcher = tmp_path / "mpirun.local"
    from_c(tmp_path, "mpirun.local", "int main(void) { return 0; }")
    assert check(str(launcher)).can_trace and "name yours to check it" in check(str(launcher)).sentence
