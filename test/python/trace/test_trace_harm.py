"""A traced program must not notice: what test/intercept/harm.c does to its process ends as it does without a tracer."""

import os
import subprocess
from pathlib import Path

import pytest

from trace_records import Profile, Record
from trace_runs import ROOT, Run, run, tool

pytest_plugins = ("trace_interposer",)

SOURCES = ROOT / "test" / "intercept"
ENDING_AT_ONCE, ENDING_BY_EXEC = 2, 3
NEEDS_ROOT = ("other root", "data is descriptor 2")
WITH_PARAMETER = ("seccomp by prctl", "seccomp by syscall")


def names() -> list[str]:
    text = (SOURCES / "harm.c").read_text()
    table = text[text.index("attacks[] = {") :]
    return [part.split('"')[0] for part in table.split('{"')[1:]] + list(WITH_PARAMETER)


@pytest.fixture(scope="module")
def harm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harm")
    for command in (
        [tool("gcc"), "-O1", "-Wall", "-Wextra", "-Werror", "-c", str(SOURCES / "harm.c"), "-o", "c.o"],
        [tool("gfortran"), "-O1", str(SOURCES / "harm.f90"), "c.o", "-o", "harm", "-lm"],
    ):
        subprocess.run(command, cwd=folder, check=True)
    return folder / "harm"


def both(name: str, harm: Path, interposer: Path, folder: Path) -> tuple[Run, Run]:
    """The same without and with the tracer; its own sentences on standard error are taken away."""
    folder.mkdir(exist_ok=True)
    program = folder / "start"
    program.write_text(f'#!/bin/sh\nexec {harm} "{name}"\n')
    program.chmod(0o755)
    plain, traced = (
        run(program, folder / kind, library) for kind, library in (("plain", None), ("traced", interposer))
    )
    lines = traced.errors.splitlines(keepends=True)
    traced.errors = b"".join(line for line in lines if not line.startswith(b"headrace trace: process "))
    return plain, traced


def counted(profiles: list[Profile]) -> list[Record]:
    """The statements that wrote the records of files."""
    return [record for profile in profiles for record in profile.records if record.kind == "write" and record.path]


@pytest.mark.parametrize("name", names())
def test_it_ends_as_without_a_tracer(name: str, harm: Path, interposer: Path, tmp_path: Path) -> None:
    if name in NEEDS_ROOT and os.getuid() != 0:
        pytest.skip("only root may change the root directory")
    plain, traced = both(name, harm, interposer, tmp_path)
    assert plain.exit_code >= 0, plain.errors
    assert traced.exit_code == plain.exit_code, traced.errors
    assert (traced.output, traced.errors) == (plain.output, plain.errors) or name == "environment"
    assert traced.files == plain.files


@pytest.mark.parametrize("name", ["jump out of lists", "crash in lists"])
def test_statements_after_a_jump_out_of_a_list_are_counted(
    name: str, harm: Path, interposer: Path, tmp_path: Path
) -> None:
    _, traced = both(name, harm, interposer, tmp_path)
    records = [record for record in counted(traced.profiles) if record.path == "file.1"]
    assert sum(record.numbers["statements"] for record in records) == 1000


@pytest.mark.parametrize(("name", "ending"), [("execl", ENDING_BY_EXEC), ("quick exit", ENDING_AT_ONCE)])
def test_ends_that_run_no_destructor_are_known(
    name: str, ending: int, harm: Path, interposer: Path, tmp_path: Path
) -> None:
    _, traced = both(name, harm, interposer, tmp_path)
    [profile] = [profile for profile in traced.profiles if counted([profile])]
    assert profile.ending == ending


def test_a_filter_of_system_calls_is_said(harm: Path, interposer: Path, tmp_path: Path) -> None:
    for name, word, statements in (("seccomp by prctl", "filters", 3_001_000), ("seccomp strict", "strict", 1000)):
        _, traced = both(name, harm, interposer, tmp_path / name)
        [profile] = [profile for profile in traced.profiles if counted([profile])]
        assert word in profile.note
        assert sum(record.numbers["statements"] for record in counted([profile])) == statements


CLOSED_LIBRARY = """\
subroutine leave_open() bind(c)
   open (10, file='left.dat', form='unformatted')
   write (10) 1, 2, 3
end subroutine leave_open
"""
CLOSES_LIBRARY = """\
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 3; ++i) {
        void *library = dlopen("./libleft.so", RTLD_NOW | (i == 2 ? RTLD_DEEPBIND : 0));
        if (!library) return puts(dlerror()), 1;
        void (*leave_open)(void);
        *(void **)&leave_open = dlsym(library, "leave_open");
        leave_open();
        dlclose(library);
        FILE *file = fopen("left.dat", "rb");
        fseek(file, 0, SEEK_END);
        int stays = dlopen("libgfortran.so.5", RTLD_NOLOAD | RTLD_NOW) != 0;
        printf("%ld bytes, library %s\\n", ftell(file), stays ? "stays" : "is gone");
        fclose(file);
    }
}
"""


def test_a_fortran_library_can_be_unloaded(interposer: Path, tmp_path: Path) -> None:
    """Its run time writes what is in its buffers then."""
    (tmp_path / "left.f90").write_text(CLOSED_LIBRARY)
    (tmp_path / "main.c").write_text(CLOSES_LIBRARY)
    build = [tool("gfortran"), "-shared", "-fPIC", str(tmp_path / "left.f90"), "-o", str(tmp_path / "libleft.so")]
    subprocess.run(build, check=True)
    subprocess.run([tool("gcc"), str(tmp_path / "main.c"), "-o", str(tmp_path / "main")], check=True)
    program = tmp_path / "start"
    program.write_text(f"#!/bin/sh\ncp {tmp_path}/libleft.so . && exec {tmp_path}/main\n")
    program.chmod(0o755)
    plain = run(program, tmp_path / "plain", None)
    traced = run(program, tmp_path / "traced", interposer)
    assert plain.output.count(b"20 bytes") == 3
    assert (traced.output, traced.files) == (plain.output, plain.files)
    [profile] = [profile for profile in traced.profiles if counted([profile])]
    assert sum(record.numbers["statements"] for record in counted([profile])) == 2  # not the one of RTLD_DEEPBIND


@pytest.mark.parametrize("sanitizer", ["address", "thread", "undefined", "leak"])
def test_sanitizers(sanitizer: str, tmp_path: Path) -> None:
    """Through the command: AddressSanitizer wants to be the first library unless it is told otherwise."""
    from conftest import start

    source = "program p\n integer :: i\n open (10, file='f')\n do i = 1, 9\n write (10, *) i\n end do\nend program p\n"
    (tmp_path / "p.f90").write_text(source)
    command = [tool("gfortran"), f"-fsanitize={sanitizer}", "p.f90", "-o", "p"]
    if subprocess.run(command, cwd=tmp_path, capture_output=True).returncode:
        pytest.skip("the sanitizer is not installed")
    plain = subprocess.run(["./p"], cwd=tmp_path, capture_output=True, text=True)
    done = start(tmp_path, "trace", "./p")
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout), done.stderr
    assert "Sanitizer" not in done.stderr and "p.f90:5" in done.stderr
