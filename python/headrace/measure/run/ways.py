"""The cases of bench/run/, their goals, and the ratios that are drawn from them. Next: campaign.py."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from headrace.measure.pairs import Pair
from headrace.results.records import Operation
from headrace.results.taken_over import LIBRARY

NEVER_SLOWER = 0.95
Output = Literal["", "file", "pipe"]


@dataclass(frozen=True)
class Case:
    """A case of the program: `value_bytes` are those of the I/O list of a statement, in the mean."""

    name: str
    title: str
    value_bytes: int
    goal: float = NEVER_SLOWER
    operation: Operation = "write"
    has_threads: bool = False
    output: Output = ""  # what standard output is


CASES = (
    Case("write_e15_row", "write (u, '(10e15.5)') row", 80, 35),
    Case("write_e15_whole", "write (u, '(10e15.5)') array, a row", 80, 35),
    Case("write_es24_row", "write (u, '(3es24.16e3)') row", 24, 25),
    Case("write_es22", "write (u, '(es22.14)') x", 8, 20),
    Case("write_list", "write (u, *) x", 8, 12),
    Case("write_log", "write (u, '(a,i8,a,f12.6,a,es12.4)')", 35, 10),
    Case("write_mixed", "write (u, '(i8,5f12.5)') i, row", 44, 10),
    Case("write_csv", "write (u, '(*(g0,:,\",\"))') i, row", 36, 8),
    Case("write_i0", "write (u, '(i0)') i", 4, 3),
    Case("write_list_integer", "write (u, *) i", 4, 3),
    Case("write_a", "write (u, '(a)') text", 19, 3),
    Case("internal_i0", "write (text, '(i0)') i", 4, 8),
    Case("internal_f8", "write (text, '(f8.3)') x", 8, 8),
    Case("internal_list", "write (text, *) x", 8, 8),
    Case("internal_a", "write (text, '(a16)') name", 8, 4),
    Case("internal_label", "write (text, '(a,i0,a)') name, i, '.txt'", 14, 4),
    Case("internal_mixed", "write (text, '(i8,f8.3,es14.6)') i, x, y", 20, 4),
    Case("internal_read_list", "read (text, *) i", 4, 7, "read"),
    Case("internal_read_i8", "read (text, '(i8)') i", 4, 7, "read"),
    Case("read_list", "read (u, *) x", 8, 6, "read"),
    Case("read_list_whole", "read (u, *) array, a value", 8, 5, "read"),
    Case("read_es22", "read (u, '(es22.14)') x", 8, 6, "read"),
    Case("read_e15_row", "read (u, '(10e15.5)') row", 80, 10, "read"),
    Case("write_list_pair", "write (u, *) i, x", 12),
    Case("write_list_row", "write (u, *) three values", 24),
    Case("write_list_whole", "write (u, *) array, a value", 8),
    Case("read_list_row", "read (u, *) three values", 24, operation="read"),
    Case("read_list_to_end", "read (u, *, iostat=s) x, to the end", 8, operation="read"),
    Case("read_a", "read (u, '(a)') text", 19, operation="read"),
    Case("read_lines", "read (u, '(a)', advance='no', size=n)", 19, operation="read"),
    Case("read_no_advance", "read (u, ..., advance='no') x", 4, operation="read"),
    Case("no_advance", "write (u, ..., advance='no') x", 7),
    Case("flush_each", "write, flush", 4),
    Case("append_each", "open to append, write, close", 3),
    Case("inquire_each", "write, inquire", 4),
    Case("two_units", "write to two units in turn", 10),
    Case("tabs", "write (u, '(t30,f12.5,t5,i8)') x, i", 12),
    Case("changing_format", "a format made for each write", 4),
    Case("decimal_comma", "write, decimal='comma'", 8),
    Case("stream_formatted", "write, formatted stream", 8),
    Case("direct_formatted", "write, formatted direct access", 8),
    Case("stdout_file", "print '(es22.14)', x, to a file", 8, output="file"),
    Case("stdout_pipe", "print '(es22.14)', x, to a pipe", 8, output="pipe"),
    Case("namelist_write", "write (u, nml=shape)", 36),
    Case("namelist_read", "read (u, nml=shape)", 36, operation="read"),
    Case("unformatted", "write (u) x", 8),
    Case("stream", "write (u) x, stream access", 8, 2),
    Case("stream_swapped", "write (u) i, x, stream, convert='swap'", 12, 2),
    Case("read_stream", "read (u) x, stream access", 8, 2, "read"),
    Case("direct", "write (u, rec=i) x, direct access", 8, 1.5),
    Case("direct_any", "write (u, rec=k) row, in any order", 80, 1.3),
    Case("read_direct", "read (u, rec=i) x, direct access", 8, 2, "read"),
    Case("read_direct_any", "read (u, rec=k) row, in any order", 80, 3, "read"),
    Case("threads_own_units", "2 OpenMP threads, a unit each", 8, has_threads=True),
    Case("threads_one_unit", "2 OpenMP threads, one unit", 8, has_threads=True),
    Case("threads_internal", "2 OpenMP threads, write (text, ...)", 8, has_threads=True),
    Case("strings", "trim, adjustl, len_trim, == of 256", 32),
)
START_UP = {"start_up": "one_write", "start_up_nothing": "nothing"}  # and the case of the program


@dataclass(frozen=True)
class Way:
    """One case of one compiler, with the library or without."""

    tool: str
    case: Case
    in_place: bool = False

    @property
    def is_with_library(self) -> bool:
        return self.tool.endswith(LIBRARY)

    @property
    def name(self) -> str:
        return self.case.name

    @property
    def operation(self) -> Operation:
        return self.case.operation

    @property
    def key(self) -> str:
        return f"{self.tool}:{self.name}:{self.operation}"


def both(compiler: str, case: Case) -> tuple[Way, Way]:
    """Without, and with."""
    return Way(compiler, case), Way(compiler + LIBRARY, case)


def figure_name(name: str, compiler: str) -> str:
    """The first gfortran is not named."""
    return name if compiler == "gnu" else f"{name}_{compiler}"


def pairs(compilers: Iterable[str], cases: Sequence[Case]) -> list[Pair]:
    """A ratio for each compiler and case: time without divided by time with."""
    found = []
    for compiler in compilers:
        for case in cases:
            without, within = both(compiler, case)
            name = figure_name(case.name, compiler)
            found.append(Pair(name, f"the run time alone: {case.title}", (without.key,), (within.key,), case.goal))
    return found
