"""headrace trace: in which procedure a line stands, and which line called a library."""

import os
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace.results.run import Compiler
from headrace.trace.callers import objects
from headrace.trace.callers.names import procedure_name
from headrace.trace.callers.objects import ask
from trace_programs import Run, traced
from trace_runs import LONG

# NetCDF without its header and module: the library itself is there more often.
LIBRARIES = [
    found
    for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64")
    for found in sorted(Path(folder).glob("libnetcdf.so*"))
]

# Comments: the statement or the library's function, how often it ran, and the procedure that it stands in.
SOURCE = """\
module output
   use, intrinsic :: iso_c_binding
   implicit none
   interface
      integer(c_int) function nc_create(path, mode, id) bind(c)
         import :: c_char, c_int
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int), value :: mode
         integer(c_int), intent(out) :: id
      end function nc_create
      integer(c_int) function nc_sync(id) bind(c)
         import :: c_int
         integer(c_int), value :: id
      end function nc_sync
      integer(c_int) function nc_enddef(id) bind(c)
         import :: c_int
         integer(c_int), value :: id
      end function nc_enddef
      integer(c_int) function nc_close(id) bind(c)
         import :: c_int
         integer(c_int), value :: id
      end function nc_close
   end interface
contains
   subroutine save_field(u, x)
      integer, intent(in) :: u
      real(8), intent(in) :: x(:)
      integer :: i
      do i = 1, size(x)
         write (u) x(i)                                          ! write 100 output::save_field
      end do
      do i = 1, size(x)
         write (u) x(i), x(i)                                    ! write 100 output::save_field
      end do
      flush (u)                                                  ! flush 1 output::save_field
   end subroutine save_field
   subroutine save_text(n)
      integer, intent(in) :: n
      integer :: u
      open (newunit=u, file='t.txt')                             ! open 1 output::save_text
      call each(n)
      close (u)                                                  ! close 1 output::save_text
   contains
      subroutine each(m)
         integer, intent(in) :: m
         integer :: i
         do i = 1, m
            write (u, *) i                                       ! write 50 each
         end do
      end subroutine each
   end subroutine save_text
   subroutine store()
      integer(c_int) :: id
      integer :: i
      if (nc_create('f.nc'//c_null_char, 0_c_int, id) /= 0) then ! nc_create 1 output::store
         error stop 1
      end if
      if (nc_enddef(id) /= 0) error stop 2                       ! nc_enddef 1 output::store
      do i = 1, 7
         if (nc_sync(id) /= 0) error stop 3                      ! nc_sync 7 output::store
      end do
      if (nc_sync(id) /= 0) error stop 4                         ! nc_sync 1 output::store
      if (nc_close(id) /= 0) error stop 5                        ! nc_close 1 output::store
   end subroutine store
end module output
subroutine outside(u)
   integer, intent(in) :: u
   integer :: i
   do i = 1, 30
      write (u) i                                                ! write 30 outside
   end do
end subroutine outside
program demo
   use output
   implicit none
   real(8) :: x(100)
   integer :: u
   x = 1
   open (newunit=u, file='d.dat', form='unformatted')            ! open 1 main
   call save_field(u, x)
   call save_text(50)
   call outside(u)
   call own
   call store
   close (u)                                                     ! close 1 main
   write (99, *) 'first'                                         ! write 1 main
contains
   subroutine own
      write (u) x                                                ! write 1 own
   end subroutine own
end program demo
"""
OTHER_WAYS = (
    ("-O1 -g", "-O3 -g", "-O2 -g1"),
    (
        *("-O0 -g", "-O2 -g -gdwarf-4", "-O3 -g", "-O2 -g -no-pie", "-O2 -g -flto", "-O2 -g -gz"),
        *("-O2 -g -static-libgfortran", "-Og -ggdb3", "-O2 -g1"),
    ),
)
MAINS = ("main program", "program demo")  # with debug information of gfortran its name is known


def truth() -> dict[int, tuple[str, int, str]]:
    found = {}
    for number, text in enumerate(SOURCE.splitlines(), 1):
        if "! " in text:
            words = text.rsplit("! ", 1)[1].split()
            found[number] = words[0], int(words[1]), words[2]
    assert len(found) == 16
    return found


def built(folder: Path, compiler: str, *flags: str) -> Path:
    if not LIBRARIES:
        pytest.skip("there is no library of NetCDF")
    (folder / "demo.f90").write_text(SOURCE)
    command = [compiler, *flags, "demo.f90", str(LIBRARIES[0]), "-o", "demo"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return folder / "demo"


def seen(trace: dict[str, Any]) -> dict[int, tuple[str, int, str]]:
    """What `truth` says, as the trace has it."""
    return {
        row["line"]: (
            row["name"] if row["statement"] == "library call" else row["statement"],
            row["statements"],
            "main" if row["procedure"] in MAINS else row["procedure"],
        )
        for row in trace["lines"]
        if row["line"]
    }


def test_procedures_and_calling_lines_with_debug_information(compiler: Compiler, headrace: Run, tmp_path: Path) -> None:
    for number, flags in enumerate(OTHER_WAYS[compiler.vendor == "gnu"] if LONG else ()):
        built(tmp_path, compiler.path, *flags.split())
        assert headrace("trace", "--save", str(number), "--json", "t.json", "./demo").returncode == 0
        assert seen(traced(tmp_path / "t.json")) == truth(), flags
    program = built(tmp_path, compiler.path, "-O2", "-g")
    done = headrace("trace", "--json", "t.json", "./demo")
    assert done.returncode == 0, done.stderr
    trace = traced(tmp_path / "t.json")
    assert seen(trace) == truth()
    assert [row for row in trace["lines"] if row["statement"] == "library call" and not row["line"]] == []
    sources = {row["line"]: row["source"] for row in trace["lines"] if row["line"]}
    assert sources == {number: SOURCE.splitlines()[number - 1].strip() for number in truth()}
    totals = {
        "main" if row["name"] in MAINS else row["name"]: (row["statements"], row["library_calls"])
        for row in trace["procedures"]
    }
    expected = {"output::save_field": (201, 0), "output::save_text": (2, 0), "each": (50, 0), "own": (1, 0)}
    expected |= {"output::store": (0, 11), "outside": (30, 0), "main": (3, 0)}
    assert totals == expected and len(trace["procedures"]) == len(expected)
    [field] = [row for row in trace["procedures"] if row["name"] == "output::save_field"]
    assert (field["payload_bytes"], len(field["lines"])) == (2400, 3)
    by_id = {row["id"]: row for row in trace["lines"]}
    assert field["seconds"] == pytest.approx(sum(by_id[number]["seconds_exclusive"] for number in field["lines"]))
    # The trace keeps what was looked up: it is shown the same if the program is gone.
    program.unlink()
    done = headrace("trace", "show", "demo.headrace-trace", "--json", "again.json")
    assert done.returncode == 0 and seen(traced(tmp_path / "again.json")) == truth()


def test_without_debug_information_the_function_is_named(headrace: Run, tmp_path: Path) -> None:
    built(tmp_path, "gfortran" if shutil.which("gfortran") else pytest.skip("gfortran is not installed"), "-O0")
    done = headrace("trace", "--json", "t.json", "./demo")
    trace = traced(tmp_path / "t.json")
    fortran = {line: row for line, row in truth().items() if not row[0].startswith("nc_")}
    assert seen(trace) == fortran
    calls = {
        (row["place"], row["name"]): row["statements"] for row in trace["lines"] if row["statement"] == "library call"
    }
    names = {"nc_create": 1, "nc_enddef": 1, "nc_sync": 8, "nc_close": 1}
    assert calls == {("output::store", name): count for name, count in names.items()}
    assert not [line for line in done.stderr.splitlines() if len(line) > 100]
    subprocess.run(["strip", "demo"], cwd=tmp_path, check=True)
    done = headrace("trace", "--save", "stripped", "--json", "t.json", "./demo")
    trace = traced(tmp_path / "t.json")
    assert {row["procedure"] for row in trace["lines"]} == {""}
    assert {line: row[:2] for line, row in seen(trace).items()} == {line: row[:2] for line, row in fortran.items()}
    assert "is stripped: it does not tell its procedures" in " ".join(done.stderr.split())
    assert "\nprocedure " not in done.stderr


def test_a_table_of_procedures_is_printed_if_it_tells_more(headrace: Run, tmp_path: Path) -> None:
    """Twelve warm lines together cost more than the one hot line that leads the table."""
    if shutil.which("gfortran") is None:
        pytest.skip("gfortran is not installed")
    warm = "\n".join("   do i = 1, 3000\n      write (u) i\n   end do" for _ in range(12))
    (tmp_path / "warm.f90").write_text(
        f"subroutine warm(u)\ninteger, intent(in) :: u\ninteger :: i\n{warm}\nend subroutine warm\n"
        "subroutine hot(u)\ninteger, intent(in) :: u\ninteger :: i\ndo i = 1, 9000\nwrite (u) i\nend do\n"
        "end subroutine hot\nprogram p\nopen (10, file='d', form='unformatted')\ncall hot(10)\ncall warm(10)\n"
        "end program p\n"
    )
    subprocess.run(["gfortran", "-O0", "warm.f90", "-o", "warm"], cwd=tmp_path, check=True)
    done = headrace("trace", "./warm", "--json", "x")
    said = done.stderr.splitlines()
    [header] = [number for number, line in enumerate(said) if line.startswith("procedure ")]
    assert said[header].split()[:4] == ["procedure", "source", "file", "lines"]
    rows = [line.split()[:5] for line in said[header + 1 : header + 4]]
    assert ["warm", "warm.f90", "12", "36.0k", "144k"] in rows and ["hot", "warm.f90", "1", "9.00k", "36.0k"] in rows


def gfortran_program(folder: Path) -> Path:
    if shutil.which("gfortran") is None or shutil.which("objcopy") is None:
        pytest.skip("gfortran or objcopy is not installed")
    return built(folder, "gfortran", "-O0", "-g")


def calls_of(program: Path) -> dict[int, bool]:
    """Return addresses of the calls of libraries and of the run time, by the disassembler."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], capture_output=True, text=True, check=True)
    lines = [line for line in text.stdout.splitlines() if ":\t" in line]
    return {
        int(after.split(":")[0], 16): True
        for before, after in pairwise(lines)
        if ("_gfortran_st_" in before or "nc_" in before or "_gfortran_transfer" in before) and "call" in before
    }


def addresses(program: Path) -> dict[int, bool]:
    found = calls_of(program)
    assert len(found) > 20
    return found


def test_lines_are_those_of_addr2line(tmp_path: Path) -> None:
    program = gfortran_program(tmp_path)
    asked = addresses(program)
    names = [f"{address - 1:#x}" for address in asked]
    said = subprocess.run(["addr2line", "-e", program, *names], capture_output=True, text=True, check=True).stdout
    peers = [line.split(" (")[0].rsplit("/", 1)[-1] for line in said.splitlines()]
    found = ask(program, asked).callers
    assert [f"{Path(caller.file).name}:{caller.line}" for caller in found.values()] == peers


def test_a_line_that_cannot_be_the_call_s_is_not_told(tmp_path: Path) -> None:
    """gfortran 12 notes the PROGRAM statement for calls of another module's procedures, which a user would believe."""
    if shutil.which("gfortran") is None or shutil.which("objdump") is None:
        pytest.skip("gfortran or objdump is not installed")
    (tmp_path / "m.f90").write_text(
        "module m\ncontains\nsubroutine nc_a(e)\ninteger, intent(out) :: e\ne = 1\nend subroutine nc_a\nend module m\n"
    )
    (tmp_path / "p.f90").write_text("program p\nuse m\ninteger :: e\ne = 2\ncall nc_a(e)\nprint *, e\nend program p\n")
    for source in ("m", "p"):
        subprocess.run(["gfortran", "-O0", "-g", "-c", f"{source}.f90"], cwd=tmp_path, check=True)
    subprocess.run(["gfortran", "m.o", "p.o", "-o", "p"], cwd=tmp_path, check=True)
    found = ask(tmp_path / "p", calls_of(tmp_path / "p")).callers.values()
    assert {caller.procedure for caller in found} == {"program p"}
    assert {caller.line for caller in found} in ({0, 6}, {5, 6})  # 5: a gfortran that tells it


def test_debug_information_in_a_file_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = gfortran_program(tmp_path)
    asked = addresses(program)
    whole = ask(program, asked)
    debug = tmp_path / "demo.debug"
    subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
    subprocess.run(["strip", program], check=True)
    assert ask(program, asked).is_stripped and all(caller.line == 0 for caller in ask(program, asked).callers.values())
    number = objects._build_id(objects_elf(program))
    by_number = tmp_path / "system" / ".build-id" / number[:2] / f"{number[2:]}.debug"
    by_number.parent.mkdir(parents=True)
    shutil.copy(debug, by_number)
    monkeypatch.setattr(objects, "_DEBUG_FOLDER", tmp_path / "system")
    assert ask(program, asked) == whole
    by_number.unlink()
    subprocess.run(["objcopy", "--add-gnu-debuglink=demo.debug", "demo"], cwd=tmp_path, check=True)
    assert ask(program, asked) == whole
    other = subprocess.run(["gfortran", "-g", "-x", "f95", "-", "-o", "demo.debug"], cwd=tmp_path, input=b"end\n")
    assert other.returncode == 0 and ask(program, asked).is_stripped  # of another program: not believed


def objects_elf(path: Path) -> Any:
    from elftools.elf.elffile import ELFFile

    return ELFFile(path.open("rb"))


def test_damaged_programs_tell_less_and_raise_nothing(tmp_path: Path) -> None:
    program = gfortran_program(tmp_path)
    asked = dict(list(addresses(program).items())[:6])
    elf = objects_elf(program)
    names = (".debug_info", ".debug_line", ".debug_abbrev", ".debug_aranges", ".debug_str", ".symtab", ".strtab")
    places = [
        (section["sh_offset"], section["sh_size"]) for name in names if (section := elf.get_section_by_name(name))
    ]
    places += [(0, 64), (elf["e_shoff"], 64 * elf["e_shnum"])]
    data = program.read_bytes()
    random = np.random.default_rng(21)
    damaged = tmp_path / "damaged"
    for number in range(1000 if LONG else 40):
        new = bytearray(data)
        begin, size = places[number % len(places)]
        for at in random.integers(0, min(size, 4000), 6):
            new[begin + int(at)] = random.integers(0, 256)
        damaged.write_bytes(new if number % 5 else new[: int(random.integers(0, len(new)))])
        ask(damaged, asked)


def test_a_program_that_was_compiled_again_is_not_asked(headrace: Run, tmp_path: Path) -> None:
    from headrace.trace.installed import library_path

    program = gfortran_program(tmp_path)
    (tmp_path / "left").mkdir()
    environment = os.environ | {"LD_PRELOAD": str(library_path()), "HEADRACE_TRACE_DIRECTORY": str(tmp_path / "left")}
    subprocess.run([program], cwd=tmp_path, env=environment, check=True, timeout=60)
    done = headrace("trace", "show", "left", "--json", "t.json")
    assert done.returncode == 0 and seen(traced(tmp_path / "t.json")) == truth()
    os.utime(program, (2e9, 2e9))
    done = headrace("trace", "show", "left", "--json", "t.json")
    assert "was changed after the run began" in " ".join(done.stdout.split())
    assert {row["procedure"] for row in traced(tmp_path / "t.json")["lines"]} == {""}


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("__io_MOD_save", "io::save"),
        ("__my_io_mod_MOD_save_all", "my_io_mod::save_all"),
        ("__io_MOD_save.constprop.0.isra.0", "io::save"),
        ("__io_MOD_save._omp_fn.3", "io::save"),
        ("__io_MOD_save.cold", "io::save"),
        ("MAIN__", "main program"),
        ("MAIN__._omp_fn.0", "main program"),
        ("save_field_", "save_field"),
        ("each.4", "each"),
        ("_QMioPsave", "io::save"),
        ("_QMioFsavePeach", "each"),
        ("_QPoutside", "outside"),
        ("_QFPown", "own"),
        ("_QFsavePeach", "each"),
        ("_QQmain", "main program"),
        ("_QQmain..omp_par", "main program"),
        ("write_it", "write_it"),
        ("H5Dwrite", "H5Dwrite"),
        ("_start", "_start"),
        ("", ""),
    ],
)
def test_procedures_are_named_as_in_fortran(symbol: str, name: str) -> None:
    assert procedure_name(symbol) == name
