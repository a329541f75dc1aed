"""Static run times: the calls to them are redirected, all of them and nothing else."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from trace_runs import FLANG, LONG, ROOT, TRUTH, Build, compiled, run, tool

pytest_plugins = ("trace_interposer",)

STATIC = Build("gfortran", ("-O2", "-static-libgfortran"))


def big_files() -> Iterator[Path]:
    """Compilers' code, large with HEADRACE_TEST_LONG; hand-written code may have tables inside (libcrypto)."""
    libraries = Path("/usr/lib/x86_64-linux-gnu")
    yield from (path for name in ("libm.so.6", "libgfortran.so.5") if (path := libraries / name).exists())
    if LONG:
        yield from sorted(Path("/usr/lib/gcc/x86_64-linux-gnu").glob("*/f951"))
        yield from (
            path
            for name in ("libc.so.6", "libLLVM-14.so.1", "libLLVM-19.so.1", "libz3.so.4")
            if (path := libraries / name).exists()
        )
        yield from sorted(Path("/usr/lib/llvm-19/bin").glob("flang-new"))


@pytest.fixture(scope="module")
def length_checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that compares instruction lengths with a disassembly."""
    built = tmp_path_factory.mktemp("lengths") / "instruction_lengths"
    subprocess.run(
        [
            tool("gcc"),
            "-std=gnu11",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Wconversion",
            "-Werror",
            str(ROOT / "test/intercept/instruction_lengths.c"),
            str(ROOT / "intercept/redirect/instruction_length.c"),
            "-o",
            str(built),
        ],
        check=True,
    )
    return built


def compare_lengths(checker: Path, file: Path) -> tuple[int, str]:
    """How many instructions were compared, and what the checker printed."""
    with subprocess.Popen([tool("objdump"), "-d", "-w", "-z", str(file)], stdout=subprocess.PIPE) as disassembly:
        checked = subprocess.run([str(checker)], stdin=disassembly.stdout, capture_output=True, text=True, check=False)
    counted = re.search(r"compared (\d+) skipped \d+ different (\d+)", checked.stdout)
    assert counted is not None
    assert (checked.returncode, int(counted[2])) == (0, 0), checked.stdout
    return int(counted[1]), checked.stdout


@pytest.mark.parametrize("file", list(big_files()), ids=lambda file: file.name)
def test_lengths_of_installed_code(file: Path, length_checker: Path) -> None:
    assert compare_lengths(length_checker, file)[0] > 50_000


@pytest.mark.parametrize("build", [STATIC, Build(FLANG, ("-O2",))], ids=str)
def test_lengths_of_programs(build: Build, length_checker: Path, tmp_path: Path) -> None:
    assert compare_lengths(length_checker, compiled(build, TRUTH, tmp_path / "truth"))[0] > 30_000


def calls_by_objdump(program: Path, wrapped: set[str]) -> int:
    """Direct calls and jumps to functions with a wrapper, from functions that are not the run time's own."""
    text = subprocess.run(
        [tool("objdump"), "-d", "-w", "--no-show-raw-insn", str(program)], capture_output=True, text=True, check=True
    ).stdout
    count, is_program = 0, False
    for line in text.splitlines():
        if heading := re.fullmatch(r"[0-9a-f]+ <(.+)>:", line):
            is_program = heading[1] in PROGRAMS_FUNCTIONS or heading[1].startswith(
                ("_QM", "_QF", "__truth_types_MOD", "MAIN__")
            )
        elif is_program and (target := re.search(r"\t(?:call|jmp|j[a-z]+) +[0-9a-f]+ <([^+>]+)>", line)):
            count += target[1] in wrapped
    return count


PROGRAMS_FUNCTIONS = {"main", "_QQmain"}


@pytest.mark.parametrize(
    "build",
    [STATIC, Build("gfortran", ("-O0", "-static-libgfortran")), Build(FLANG, ("-O0",)), Build(FLANG, ("-O2",))],
    ids=str,
)
def test_redirects_what_objdump_finds(build: Build, interposer: Path, tmp_path: Path) -> None:
    program = compiled(build, TRUTH, tmp_path / "build" / "truth")
    symbols = subprocess.run(
        [tool("nm"), "-D", "--defined-only", str(interposer)], capture_output=True, text=True, check=True
    )
    wrapped = {
        name
        for line in symbols.stdout.splitlines()
        if (name := line.split()[-1]).startswith(("_gfortran_", "_FortranAio"))
    }
    assert len(wrapped) > 90
    profile = run(program, tmp_path / "run", interposer).profiles[0]
    assert profile.redirected == calls_by_objdump(program, wrapped) > 300
    assert profile.refused == 0


LOOKS_LIKE_CALLS = """
# The immediate of this instruction reads as a call: it must come back unchanged.
        .text
        .globl immediate
        .type immediate, @function
immediate:
        .byte 0x48, 0xb8, 0x90, 0xe8
        .long _gfortran_st_write - . - 4
        .byte 0x11, 0x22
        ret
        .size immediate, . - immediate

# A call in a function of unknown size: nobody can check it, so it stays a plain call.
        .globl sizeless
sizeless:
        sub $8, %rsp
        xor %edi, %edi
        call _gfortran_flush_i4
        add $8, %rsp
        ret
        .section .note.GNU-stack, "", @progbits
"""
CALLS_THEM = """
program calls
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_int64_t) function immediate() bind(c)
      import
    end function immediate
    subroutine sizeless() bind(c)
    end subroutine sizeless
  end interface
  integer :: i
  call sizeless()
  do i = 1, 3
    write (*, '(z16.16)') iand(immediate(), int(z'ffff000000000000', c_int64_t))
  end do
end program calls
"""


def test_leaves_alone_what_it_cannot_check(interposer: Path, tmp_path: Path) -> None:
    assembly, source, program = tmp_path / "sites.s", tmp_path / "calls.f90", tmp_path / "calls"
    assembly.write_text(LOOKS_LIKE_CALLS)
    source.write_text(CALLS_THEM)
    tool("gfortran")
    subprocess.run(
        ["gfortran", "-O2", "-static-libgfortran", str(source), str(assembly), "-o", str(program)],
        check=True,
        cwd=tmp_path,
    )
    plain, traced = run(program, tmp_path / "plain", None), run(program, tmp_path / "traced", interposer)
    assert (traced.exit_code, traced.output) == (plain.exit_code, plain.output) == (0, b"2211000000000000\n" * 3)
    profile = traced.profiles[0]
    assert profile.refused == 2
    assert profile.redirected > 0
    assert sum(record.numbers["statements"] for record in profile.records if record.kind == "write") == 3
    assert not [record for record in profile.records if record.kind == "flush"]


HALF_SEEN = """
#include <stddef.h>
void *_FortranAioBeginExternalListOutput(int, const char *, int);
_Bool _FortranAioOutputAscii(void *, const char *, size_t);
int _FortranAioEndIoStatement(void *);
void *unchecked_beginning(int, const char *, int);
int unchecked_end(void *);
void half_seen(int unit)
{
    for (int i = 0; i < 20; ++i) {
        void *statement = _FortranAioBeginExternalListOutput(unit, "half.c", 1);
        _FortranAioOutputAscii(statement, "end", 3);
        unchecked_end(statement);
    }
    for (int i = 0; i < 20; ++i) {
        void *statement = unchecked_beginning(unit, "half.c", 2);
        _FortranAioOutputAscii(statement, "beginning", 9);
        _FortranAioEndIoStatement(statement);
    }
}
"""
UNCHECKED = """
        .text
        .globl unchecked_beginning
unchecked_beginning:
        jmp _FortranAioBeginExternalListOutput
        .globl unchecked_end
unchecked_end:
        jmp _FortranAioEndIoStatement
        .section .note.GNU-stack, "", @progbits
"""
AFTER_HALF_SEEN = """
program after
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine half_seen(unit) bind(c)
      import
      integer(c_int), value :: unit
    end subroutine half_seen
  end interface
  integer :: i
  call half_seen(6)
  do i = 1, 5
    write (*, *) i
  end do
end program after
"""


def test_statements_that_are_seen_in_part(interposer: Path, tmp_path: Path) -> None:
    """What has no beginning, or no end, because a call was refused, must not spoil the counts of others."""
    for name, text in (("half.c", HALF_SEEN), ("unchecked.s", UNCHECKED), ("after.f90", AFTER_HALF_SEEN)):
        (tmp_path / name).write_text(text)
    subprocess.run([tool("gcc"), "-O0", "-c", "half.c", "unchecked.s"], check=True, cwd=tmp_path)
    objects = ["half.o", "unchecked.o"]
    subprocess.run([tool(FLANG), "-O2", "after.f90", *objects, "-o", "after"], check=True, cwd=tmp_path)
    plain = run(tmp_path / "after", tmp_path / "plain", None)
    traced = run(tmp_path / "after", tmp_path / "traced", interposer)
    assert (traced.exit_code, traced.output) == (0, plain.output)
    profile = traced.profiles[0]
    assert profile.refused == 2
    writes = {record.line: record for record in profile.records if record.kind == "write"}
    assert writes[14].numbers["statements"] == 5
    assert writes[14].numbers["items"] == 5
    assert "child" not in writes[14].traits
    assert 2 not in writes, "it has no beginning"
    assert writes[1].numbers["statements"] <= 1, "they have no end, but for one that got the next statement's"


NO_MPROTECT = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
int mprotect(void *address, size_t bytes, int protection)
{
    int (*real)(void *, size_t, int) = (int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "mprotect");
    if (protection == (PROT_READ | PROT_WRITE | PROT_EXEC)) { errno = EACCES; return -1; }
    return real(address, bytes, protection);
}
"""


def test_changes_nothing_if_code_may_not_be_written(interposer: Path, tmp_path: Path) -> None:
    program = compiled(STATIC, TRUTH, tmp_path / "build" / "truth")
    source, refusing = tmp_path / "refusing.c", tmp_path / "refusing.so"
    source.write_text(NO_MPROTECT)
    subprocess.run([tool("gcc"), "-shared", "-fPIC", str(source), "-o", str(refusing), "-ldl"], check=True)
    plain = run(program, tmp_path / "plain", None)
    traced = run(program, tmp_path / "traced", Path(f"{refusing}:{interposer}"))
    assert (traced.exit_code, traced.output, traced.files) == (0, plain.output, plain.files)
    assert len(traced.profiles) == 1, "its reads and writes are many enough for a profile"
    profile = traced.profiles[0]
    assert profile.redirected == 0
    assert profile.refused > 300
    assert "the system does not allow to redirect" in profile.note
    assert not [record for record in profile.records if record.kind in ("write", "read", "open")]


OWN_WRITES = """
#include <unistd.h>
void own_write(void)
{
    for (int i = 0; i < 5; ++i)
        if (write(1, "C\\n", 2) != 2) return;
}
"""
MIXED = """
program mixed
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine own_write() bind(c)
    end subroutine own_write
  end interface
  write (*, '(a)') 'Fortran'
  call own_write()
  write (*, '(a)') 'Fortran'
end program mixed
"""


@pytest.mark.parametrize("build", [STATIC, Build(FLANG, ("-O2",))], ids=str)
def test_tells_c_from_the_run_time(build: Build, interposer: Path, tmp_path: Path) -> None:
    c_source, c_object, source, program = (tmp_path / name for name in ("own.c", "own.o", "mixed.f90", "mixed"))
    c_source.write_text(OWN_WRITES)
    source.write_text(MIXED)
    subprocess.run([tool("gcc"), "-O2", "-c", str(c_source), "-o", str(c_object)], check=True)
    subprocess.run(
        [tool(build.compiler), *build.options, str(source), str(c_object), "-o", str(program)], check=True, cwd=tmp_path
    )
    profile = run(program, tmp_path / "run", interposer).profiles[0]
    others = [record.numbers for record in profile.records if record.kind == "not Fortran"]
    at_the_end = [record.numbers for record in profile.records if record.kind == "run time"]
    of_lines = [record.numbers for record in profile.records if record.kind == "write"]
    assert [(numbers["writes"], numbers["written"]) for numbers in others] == [(5, 10)]
    assert sum(numbers["written"] for numbers in at_the_end + of_lines) == 2 * len("Fortran\n")


PARALLEL = """
program parallel
  implicit none
  integer :: i
  character(16) :: text
  !$omp parallel private(text)
  write (text, '(i8)') 5
  !$omp end parallel
  !$omp parallel do
  do i = 1, 100
    call one(i)
  end do
contains
  subroutine one(number)
    integer, intent(in) :: number
    character(16) :: kept
    write (kept, '(i8)') number
  end subroutine one
end program parallel
"""


@pytest.mark.parametrize("options", ["-O2 -fopenmp -static-libgfortran", "-O2 -fopenmp"])
def test_functions_that_another_library_calls(options: str, interposer: Path, tmp_path: Path) -> None:
    """In threads that libgomp made, with its code above them on the stack."""
    source, program = tmp_path / "parallel.f90", tmp_path / "parallel"
    source.write_text(PARALLEL)
    tool("gfortran")
    subprocess.run(["gfortran", *options.split(), str(source), "-o", str(program)], check=True, cwd=tmp_path)
    traced = run(program, tmp_path / "run", interposer)
    assert (traced.exit_code, traced.errors) == (0, b"")
    counts: dict[int, int] = {}
    for record in traced.profiles[0].records:
        counts[record.line] = counts.get(record.line, 0) + record.numbers["statements"]
    assert counts[17] == 100
    assert counts[7] >= 1


CALLED_BY_LIBC = """
program registers
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_int) function atexit(procedure) bind(c)
      import
      type(c_funptr), value :: procedure
    end function atexit
    subroutine at_the_end() bind(c)
    end subroutine at_the_end
  end interface
  if (atexit(c_funloc(at_the_end)) /= 0) stop 1
  write (*, *) 'before'
end program registers

subroutine at_the_end() bind(c)
  implicit none
  write (*, *) 'at the end'
end subroutine at_the_end
"""


@pytest.mark.parametrize("build", [STATIC, Build(FLANG, ("-O2",)), Build("gfortran", ("-O2",))], ids=str)
def test_procedures_that_libc_calls(build: Build, interposer: Path, tmp_path: Path) -> None:
    """flang's end with a jump to the run time: then the return address lies in libc, which has none."""
    source = tmp_path / "registers.f90"
    source.write_text(CALLED_BY_LIBC)
    program = compiled(build, source, tmp_path / "build" / "registers")
    plain, traced = run(program, tmp_path / "plain", None), run(program, tmp_path / "traced", interposer)
    assert (traced.exit_code, traced.output, traced.errors) == (0, plain.output, b"")
    writes = {record.line: record.numbers for record in traced.profiles[0].records if record.kind == "write"}
    assert (writes[14]["statements"], writes[19]["statements"]) == (1, 1)


LIBRARY = """
subroutine in_library(count) bind(c)
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), value :: count
  integer :: i
  open (10, file='library.dat', form='unformatted')
  do i = 1, count
    write (10) i
  end do
  close (10)
end subroutine in_library
"""
USES_LIBRARY = """
program uses
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine in_library(count) bind(c)
      import
      integer(c_int), value :: count
    end subroutine in_library
  end interface
  write (*, '(a)') 'before'
  call in_library(700)
  open (10, file='program.dat', form='unformatted')
  write (10) 1.0d0
  call in_library(300)
  close (10)
end program uses
"""


@pytest.mark.parametrize("main_compiler", [FLANG, "gfortran"])
def test_library_with_a_run_time_of_its_own(main_compiler: str, interposer: Path, tmp_path: Path) -> None:
    """Both run times have a unit 10: each statement must reach its own."""
    for name, text in (("library.f90", LIBRARY), ("uses.f90", USES_LIBRARY)):
        (tmp_path / name).write_text(text)
    subprocess.run(
        [
            tool(FLANG),
            "-O2",
            "-fPIC",
            "-shared",
            "-Wl,--exclude-libs,ALL",
            "-Wl,-Bsymbolic",
            "library.f90",
            "-o",
            "liblibrary.so",
        ],
        cwd=tmp_path,
        check=True,
    )
    subprocess.run(
        [tool(main_compiler), "-O2", "uses.f90", "-L.", "-llibrary", f"-Wl,-rpath,{tmp_path}", "-o", "uses"],
        check=True,
        cwd=tmp_path,
    )
    plain, traced = (
        run(tmp_path / "uses", tmp_path / "plain", None),
        run(tmp_path / "uses", tmp_path / "traced", interposer),
    )
    assert (traced.exit_code, traced.output, traced.files) == (plain.exit_code, plain.output, plain.files)
    assert len(plain.files["library.dat"]) == 300 * 12
    assert len(plain.files["program.dat"]) == 16
    profile = traced.profiles[0]
    of_library = [record for record in profile.records if Path(record.file).name == "library.f90"]
    assert sum(record.numbers["statements"] for record in of_library if record.kind == "write") == 1000
    of_program = [record for record in profile.records if Path(record.file).name == "uses.f90"]
    assert sum(record.numbers["statements"] for record in of_program if record.kind == "write") == 2
    assert profile.redirected > 0
