"""headrace's own rows of `headrace bench` cost what a call of the module costs: the library gets the caller's array."""

import subprocess
from pathlib import Path

from conftest import REPOSITORY
from headrace.results.run import Compiler

# In place of the library: it prints where the array lies, and what it holds there.
LIBRARY = """
#include <headrace.h>
#include <stdio.h>
static int seen(const char *verb, const hr_array *array)
{
    const char *last = array->base;
    for (int i = 0; i < array->array_rank; ++i) last += (array->extent[i] - 1) * array->stride[i];
    printf("%s %d %td %p %.1f\\n", verb, array->array_rank, array->stride[0], array->base, *(const double *)last);
    fflush(stdout);
    return 0;
}
int hr_write_array(const char *file, const hr_array *array, const hr_write_options *options, hr_error *error)
{
    (void)file, (void)options, (void)error;
    return seen("write", array);
}
int hr_read_array(const char *file, const hr_array *array, const hr_read_options *options, hr_error *error)
{
    (void)file, (void)options, (void)error;
    return seen("read", array);
}
"""
# As the harness calls: through dummy arguments of assumed shape.
PROGRAM = """
program calls
   use headrace_mechanisms
   implicit none
   interface
      subroutine print_address(array) bind(c)
         import :: real64
         real(real64), intent(in) :: array(*)
      end subroutine print_address
   end interface
   real(real64), allocatable :: x(:), y(:, :)
   integer :: unit
   allocate (x(1000), y(50, 4))
   x = 1; y = 2; x(1000) = 3; y(50, 4) = 4; x(999) = 5; y(49, 4) = 6
   call remember("file", "replace", unit)
   call print_address(x)
   call vectors(x)
   call vectors(x(1::2))
   call print_address(y)
   call matrices(y)
   call matrices(y(1::2, :))
contains
subroutine vectors(array)
   real(real64), intent(inout) :: array(:)
   call write_npy(array, unit)
   call read_npy(array, unit)
   call write_unformatted(array, unit)
   call read_unformatted(array, unit)
end subroutine vectors
subroutine matrices(array)
   real(real64), intent(inout) :: array(:, :)
   call write_text(array, unit)
   call read_text(array, unit)
end subroutine matrices
end program calls
"""
ADDRESS = (
    '#include <stdio.h>\nvoid print_address(const double *array) { printf("%p\\n", (void *)array); fflush(stdout); }\n'
)


def test_the_library_gets_the_callers_array(compiler: Compiler, tmp_path: Path) -> None:
    """At its address and with its strides, whole or a section: no copy is made on the way."""
    source = (REPOSITORY / "bench" / "headrace.f90").read_text()
    (tmp_path / "calls.f90").write_text(source[: source.index("program headrace")] + PROGRAM)
    (tmp_path / "library.c").write_text(LIBRARY + ADDRESS)
    include = REPOSITORY / "include"
    for command in (
        ["cc", "-c", f"-I{include}", "library.c"],
        [compiler.path, "-O0", "calls.f90", "library.o", "-o", "calls"],
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run(["./calls"], cwd=tmp_path, capture_output=True, text=True, check=True)
    x, *vectors, y, _, _, _, _ = done.stdout.splitlines()
    matrices = done.stdout.splitlines()[-4:]
    wanted = [f"{verb} 1 8 {x} 3.0" for verb in ("write", "read", "write", "read")]
    wanted += [f"{verb} 1 16 {x} 5.0" for verb in ("write", "read", "write", "read")]
    assert vectors == wanted
    assert matrices == [
        f"{verb} 2 {stride} {y} {last}" for stride, last in ((8, 4.0), (16, 6.0)) for verb in ("write", "read")
    ]
