"""Each rule of headrace trace: programs that show it, changed programs that do not, and traces that nobody recorded."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from headrace.advice.advise import advise, matches
from headrace.advice.costs import Costs, Inputs
from headrace.advice.facts import Facts
from headrace.measure.compilers import find_compilers
from headrace.rules.catalogue import BY_CODE, RULES
from headrace.rules.page import page
from headrace.trace.results import Advice, Calls, Trace
from trace_advice import a_file, a_line, a_trace, benchmark, cost_model, results_file
from trace_programs import Run, compiled, traced
from trace_runs import LONG

INPUTS = Inputs(source="a test", models=[cost_model("write"), cost_model("read")])


def advised(trace: Trace, inputs: Inputs = INPUTS) -> list[Advice]:
    """The advice for a trace."""
    advise(trace, inputs, {})
    return trace.advice


def codes(trace: Trace, inputs: Inputs = INPUTS) -> list[str]:
    """The rules that are named."""
    return [one.rule for one in advised(trace, inputs)]


# ---- the catalogue ----


def test_codes_and_names_are_unique_and_every_rule_is_complete() -> None:
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES) == len(BY_CODE)
    assert [rule.code for rule in RULES] == sorted(rule.code for rule in RULES)
    for rule in RULES:
        assert re.fullmatch(r"HR[1-9]\d\d", rule.code) and re.fullmatch(r"[a-z]+[0-9]?(-[a-z]+)*", rule.name)
        assert rule.finds and rule.instead and rule.reason and rule.source
        assert rule.evidence in ("trace", "source", "both", "script")
        assert rule.effect in ("identical", "reader", "durability", "none")


def test_every_rule_that_a_trace_shows_is_applied_and_no_other() -> None:
    folder = Path(__file__).resolve().parents[3] / "python" / "headrace" / "advice"
    applied = {code for path in folder.glob("*.py") for code in re.findall(r'"(HR\d\d\d)"', path.read_text())}
    assert applied == {rule.code for rule in RULES if rule.evidence in ("trace", "both")}


# ---- one process: real programs, before and after ----

_MARK = re.compile(r"!(before|after)$")
_COUNTS = {"HR107": 150_000, "HR408": 1_300_000}  # just above what the rules ask for


def together(changed: bool) -> tuple[str, dict[str, set[int]]]:
    """All pairs of the benchmark in one program, a procedure each and smaller; and their marked lines."""
    chosen = benchmark("trace_pairs").PAIRS
    texts = ["program together", *(f"call pair{number}()" for number in range(len(chosen))), "contains"]
    marked: dict[str, set[int]] = {}
    for number, pair in enumerate(chosen):
        source = pair.program(changed).replace("program pair", f"subroutine pair{number}")
        source = source.replace(f"n = {pair.count}", f"n = {min(_COUNTS.get(pair.rule, 25_000), pair.count)}")
        for text in re.sub(r"'d\.(bin|txt)'", rf"'{number}.\1'", source).splitlines():
            texts.append(text)
            if _MARK.search(text):
                marked.setdefault(pair.name, set()).add(len(texts))
    return "\n".join([*texts, "end program together"]) + "\n", marked


def rules_by_line(trace: Trace) -> dict[int, set[str]]:
    """What the rules find, worth a change or not: programs of tests are short."""
    facts = Facts(trace, Costs(INPUTS), {})
    found: dict[int, set[str]] = {}
    for line in trace.lines:
        found.setdefault(line.line, set()).update(one.code for one in matches(line, facts))
    return found


@pytest.mark.parametrize("changed", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("vendor", ["gnu", "llvm"] if LONG else ["gnu"])
def test_patterns_are_found_on_their_lines_and_not_after_the_change(
    vendor: str, changed: bool, headrace: Run, tmp_path: Path
) -> None:
    compiler = next((one for one in find_compilers() if one.vendor == vendor), None)
    if compiler is None:
        pytest.skip(f"no compiler of {vendor}")
    source, marked = together(changed)
    (tmp_path / "t.f90").write_text(source)
    subprocess.run([compiler.path, "-O1", "t.f90", "-o", "t"], cwd=tmp_path, check=True, timeout=120)
    done = headrace("trace", "--no-advice", "--json", "t.json", "./t")
    assert done.returncode == 0, done.stderr
    found = rules_by_line(Trace.model_validate(traced(tmp_path / "t.json")))
    assert len(marked) == len(benchmark("trace_pairs").PAIRS) >= 25
    for pair in benchmark("trace_pairs").PAIRS:
        here = set().union(*(found.get(number, set()) for number in marked[pair.name]))
        assert (pair.rule in here) != changed, (pair.name, here)


SOUND = """\
program sound
   implicit none
   integer :: i
   real(8) :: x(2000000), y(2000000), three(3)
   character(40) :: text
   logical :: there
   namelist /settings/ i, three
   call random_number(x)
   three = 1
   open (10, file='whole.bin', form='unformatted')
   write (10) x
   rewind (10)
   read (10) y
   close (10)
   open (10, file='stream.bin', form='unformatted', access='stream')
   do i = 1, 20
      write (10) x(100000 * (i - 1) + 1:100000 * i)
   end do
   close (10)
   open (10, file='rows.txt')
   write (10, '(3f8.3)') three, three, three
   write (10, *) i, three
   flush (10)
   close (10)
   open (10, file='text.txt')
   do i = 1, 60000
      write (10, '(a)') 'a line of text, which no other form suits'
   end do
   rewind (10)
   do i = 1, 60000
      read (10, '(a)') text
   end do
   close (10)
   do i = 1, 500
      write (*, '(a, i6, 3es15.7)') 'step', i, three
   end do
   do i = 1, 50
      inquire (file='rows.txt', exist=there)
      write (text, '(i0)') i
   end do
   open (10, file='big.bin', access='direct', form='unformatted', recl=80000)
   do i = 1, 100
      write (10, rec=i) x(10000 * (i - 1) + 1:10000 * i)
   end do
   close (10)
   i = 3
   open (10, file='settings.nml')
   write (10, nml=settings)
   close (10)
end program sound
"""


def test_a_program_that_does_it_well_gets_no_advice(headrace: Run, tmp_path: Path) -> None:
    program = compiled(tmp_path, "sound", SOUND)
    costs = results_file(tmp_path / "costs.json", "other", "other")
    done = headrace("trace", "--results", str(costs), "--json", "t.json", str(program))
    assert done.returncode == 0 and "What to change" not in done.stderr and "Changing it" not in done.stderr
    trace = Trace.model_validate(traced(tmp_path / "t.json"))
    assert trace.advice == [] and trace.predicted_from == ""
    assert not {number: rules for number, rules in rules_by_line(trace).items() if rules}


UNBUFFERED = """\
program unbuffered
   implicit none
   integer :: i, status, j(4)
   character(12) :: text
   open (10, file='lines.txt')
   do i = 1, 20000
      write (10, '(i8)') i                          ! HR303
      write (text, '(i0)') i                        ! HR701
   end do
   close (10)
   open (10, file='short.bin', form='unformatted')
   write (10) 1, 2
   rewind (10)
   read (10, iostat=status) j                       ! HR407
   close (10)
end program unbuffered
"""


def test_units_without_a_buffer_internal_files_and_wrong_records_are_found(headrace: Run, tmp_path: Path) -> None:
    program = compiled(tmp_path, "unbuffered", UNBUFFERED)
    done = headrace("trace", "--no-advice", "--json", "t.json", str(program), GFORTRAN_UNBUFFERED_ALL="1")
    assert done.returncode == 0, done.stderr
    found = rules_by_line(Trace.model_validate(traced(tmp_path / "t.json")))
    for number, text in enumerate(UNBUFFERED.splitlines(), 1):
        wanted = re.search(r"! (HR\d+)$", text)
        if wanted:
            assert wanted[1] in found[number], text
    done = headrace("trace", "--no-advice", "--json", "t.json", str(program))
    buffered = rules_by_line(Trace.model_validate(traced(tmp_path / "t.json")))
    assert not any("HR303" in rules for rules in buffered.values())


# ---- traces that nobody recorded: file systems, libraries and MPI ranks ----


def test_a_small_buffer_of_text_is_named_only_if_a_call_costs_much() -> None:
    def trace(in_system: float) -> Trace:
        calls = Calls(write=10_000, read=0, seek=0, other=0)
        line = a_line(form="formatted", formats=["(a)"], statements=1000, elements=1000, payload_bytes=80_000_000)
        line = line.model_copy(update={"calls": calls, "bytes_written": 81_920_000, "seconds_in_system": in_system})
        return a_trace([line], [a_file(form="formatted")])

    assert codes(trace(0.6)) == ["HR207"]
    assert codes(trace(0.05)) == []
    (advice,) = advised(trace(0.6))
    assert advice.after and 0.4 <= advice.after.low <= advice.after.seconds <= advice.after.high <= 1.0


def test_one_mpi_rank_that_writes_for_all_is_named_once() -> None:
    alone: dict[str, Any] = {"largest_of_a_rank": 1.0, "largest_rank": 0, "imbalance": 4.0}
    lines = [a_line(payload_bytes=8_000_000, **alone), a_line(payload_bytes=8_000_000, line=11, **alone)]
    (advice,) = advised(a_trace(lines, ranks=4))
    assert advice.rule == "HR503" and advice.lines == [0, 1] and "MPI rank 0 alone" in advice.finds
    assert advice.after is None and "at best 0.5 s" in advice.why_no_estimate
    even: dict[str, Any] = {"largest_of_a_rank": 0.3, "largest_rank": 2, "imbalance": 1.2, "processes": 4}
    assert codes(a_trace([a_line(payload_bytes=8_000_000, **even)], ranks=4)) == []
    assert codes(a_trace([a_line(payload_bytes=800, **alone)], ranks=4)) == []  # a namelist, a log


def test_one_of_512_mpi_ranks_is_not_too_small_to_be_named() -> None:
    alone: dict[str, Any] = {"largest_of_a_rank": 1.0, "largest_rank": 0, "imbalance": 512.0}
    line = a_line(statements=1_000_000, elements=1_000_000, payload_bytes=8_000_000, **alone)
    assert codes(a_trace([line], ranks=512, wall=20.0)) == ["HR101", "HR503"]
    late = a_line(payload_bytes=8_000_000_000, processes=512, largest_of_a_rank=1.0, largest_rank=7, imbalance=5.0)
    late = late.model_copy(update={"seconds_exclusive": 102.4})
    assert codes(a_trace([late], ranks=512, wall=20.0)) == ["HR507"]


def test_an_mpi_rank_that_takes_longer_is_named() -> None:
    line = a_line(payload_bytes=8_000_000, processes=4, largest_of_a_rank=0.7, largest_rank=3, imbalance=2.8)
    (advice,) = advised(a_trace([line], ranks=4))
    assert advice.rule == "HR507" and "MPI rank 3 takes 0.7000 s, the mean of 4 is 0.2500 s" in advice.finds


def test_a_file_for_every_mpi_rank_is_counted() -> None:
    files = [a_file(id=number, path=f"out.{number:04}", bytes_written=1_000_000) for number in range(8)]
    line = a_line(statement="open", form="", processes=8, statements=8, files=list(range(8)), seconds_exclusive=1e-3)
    (advice,) = advised(a_trace([line], files, ranks=8))
    assert advice.rule == "HR504" and advice.finds.startswith("8 files of 8 MPI ranks, 8 MB")
    shared = a_line(statement="open", form="", processes=8, statements=8, seconds_exclusive=1e-3)
    assert codes(a_trace([shared], [a_file(processes=8, bytes_written=8_000_000)], ranks=8)) == []


def test_a_file_that_every_mpi_rank_reads_whole_is_named_if_its_size_is_known() -> None:
    line = a_line(statement="read", processes=4, statements=4, payload_bytes=40_000_000, elements=5_000_000)
    line.bytes_read = 40_000_000
    trace = a_trace([line], [a_file(processes=4, bytes_read=40_000_000)], ranks=4)
    inputs = INPUTS.model_copy(update={"file_sizes": {"/data/a.dat": 10_000_000}})
    assert codes(trace, inputs) == ["HR506"]
    assert codes(trace) == []
    inputs.file_sizes["/data/a.dat"] = 40_000_000  # each reads its part
    assert codes(trace, inputs) == []


@pytest.mark.parametrize(
    ("name", "each", "rule"),
    [
        ("MPI_File_write_at", 8, "HR505"),
        ("MPI_File_read_all", 8, "HR505"),
        ("MPI_File_write_at", 16_000, "HR501"),
        ("MPI_File_write_at_all", 16_000, ""),
        ("MPI_File_write_at", 1_000_000, ""),
        ("nc_put_var1_double", 8, "HR601"),
        ("nc_put_vara_double", 8_000_000, ""),
        ("ncmpi_get_vara", 8, "HR601"),
        ("H5Dwrite", 8, "HR602"),
        ("H5Dread", 8_000_000, ""),
        ("H5Awrite", 8, ""),
        ("nc_redef", 0, "HR604"),
        ("H5Dopen", 0, "HR604"),
        ("nc_close", 0, ""),
    ],
)
def test_small_calls_of_libraries_are_found(name: str, each: int, rule: str) -> None:
    traits = ["collective"] if "_all" in name else []
    line = a_line(
        statement="library call", form="", name=name, statements=10_000, payload_bytes=10_000 * each, traits=traits
    )
    assert codes(a_trace([line], ranks=2)) == ([rule] if rule else [])


def test_three_rows_and_short_runs_are_not_worth_a_change() -> None:
    def trace(statements: int, seconds: float, wall: float) -> Trace:
        line = a_line(statements=statements, elements=statements, payload_bytes=8 * statements, seconds=seconds)
        return a_trace([line.model_copy(update={"seconds_exclusive": seconds, "seconds_in_system": 0.0})], wall=wall)

    assert codes(trace(3, 1.0, 2.0)) == []
    assert codes(trace(20_000, 0.0012, 2.0)) == []  # a millisecond
    assert codes(trace(1_000_000, 0.07, 3600.0)) == []  # of an hour
    assert codes(trace(1_000_000, 0.07, 2.0)) == ["HR101"]


def test_the_page_of_the_rules_has_each_of_them_with_an_anchor() -> None:
    text = (Path(__file__).resolve().parents[3] / "doc" / "reference" / "rules.md").read_text()
    assert text == page(), "python -m headrace.rules.page > doc/reference/rules.md"
    assert re.findall(r"^### (HR\d+)$", text, re.MULTILINE) == [rule.code for rule in RULES]
    for rule in RULES:
        assert f"[{rule.code}](#{rule.code.lower()})" in text and rule.instead in text and rule.source in text


def test_the_guide_has_the_table_of_the_results_file() -> None:
    module = benchmark("trace_predictions")
    guide = module.GUIDE.read_text()
    found = json.loads(module.RESULTS.read_text())
    assert guide == module.documented(guide, found), "trace_predictions.py --document"
    assert found["summary"]["pairs"] >= 15 and len({row["compiler"] for row in found["rows"]}) == 2
    assert found["summary"] == module.summary([module.Row(**row) for row in found["rows"]])
