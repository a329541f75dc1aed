"""The advice of headrace trace as a user sees it, where its predictions come from, and the new statements."""

import json
import shutil
import socket
from pathlib import Path

import pytest

from conftest import start
from headrace.advice import sources_of_costs
from headrace.advice.advise import advise, advise_again, advise_here
from headrace.advice.costs import Inputs
from headrace.advice.rewrite import Rewrite, enclosing_loops, parse, sections
from headrace.errors import HeadraceError
from headrace.measure import provenance
from headrace.trace.printed import between
from headrace.trace.results import Estimate, Trace, schema
from trace_advice import a_line, a_trace, cost_model, results_file
from trace_programs import Run, compiled, traced
from trace_runs import LONG
from validation import validate

FIELD = """\
program field
   implicit none
   integer :: i, j
   real(8) :: u(600, 500)
   call random_number(u)
   open (10, file='field.bin', form='unformatted')
   do j = 1, 500
      do i = 1, 600
         write (10) u(i, j)
      end do
   end do
   close (10)
   open (11, file='field.txt')
   do j = 1, 100
      do i = 1, 600
         write (11, '(es24.16)') u(i, j)
      end do
   end do
   close (11)
end program field
"""
HERE = socket.gethostname()


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("field"), "field", FIELD)


def test_advice_is_in_the_conclusion_the_table_and_the_json(field: Path, headrace: Run, tmp_path: Path) -> None:
    results_file(tmp_path / "costs.json", "another", "another")
    done = headrace("trace", "--results", "costs.json", "--json", "t.json", str(field))
    said = " ".join(done.stderr.split())
    assert done.returncode == 0 and not [line for line in done.stderr.splitlines() if len(line) > 100]
    assert "Changing it is expected to take" in said.partition("line statement")[0]
    assert "the cost model of gfortran 12.2.0 in costs.json, measured on another" in said
    assert "HR101 element-record field.f90:9" in said
    assert "better write (10) u(1:600, 1:500): one statement instead of the loop over i and j" in said
    assert said.index("opened at field.f90:6") < said.index("What to change") < said.index("file opened at form")
    text = traced(tmp_path / "t.json")
    validate(text, schema)
    trace = Trace.model_validate(text)
    savings = [one.before - one.after.seconds for one in trace.advice if one.after]
    assert savings == sorted(savings, reverse=True) and len(savings) == len(trace.advice) >= 2
    for advice in trace.advice:
        assert advice.after and advice.after.low <= advice.after.seconds <= advice.after.high < advice.before
        assert advice.place == trace.lines[advice.lines[0]].place and advice.now == trace.lines[advice.lines[0]].source
        assert all((advice.name, advice.finds, advice.instead, advice.reason, advice.better, advice.effect_words))
    # nothing is measured when it is shown again, and it is the same
    shown = headrace("trace", "show", "field.headrace-trace", PATH="/nowhere", HEADRACE_CACHE=str(tmp_path / "none"))
    assert shown.returncode == 0 and shown.stdout.strip() in done.stderr and not (tmp_path / "none").exists()


def test_advice_can_be_left_out(field: Path, headrace: Run, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    done = headrace("trace", "--no-advice", "--json", "t.json", str(field), HEADRACE_CACHE=str(cache))
    assert "What to change" not in done.stderr and "measuring" not in done.stderr and not cache.exists()
    assert traced(tmp_path / "t.json")["advice"] == []
    shown = headrace("trace", "show", "field.headrace-trace", HEADRACE_CACHE=str(cache))
    assert "coarse costs of a copy" in shown.stdout and "HR101" in shown.stdout and not cache.exists()
    assert "What to change" not in headrace("trace", "show", "field.headrace-trace", "--no-advice").stdout


def test_results_of_another_run_time_are_refused_if_they_are_named(field: Path, headrace: Run, tmp_path: Path) -> None:
    results_file(tmp_path / "flang.json", "here", "here", "llvm")
    done = headrace("trace", "--results", "flang.json", str(field))
    assert done.returncode == 0 and "What to change" not in done.stderr
    said = " ".join(done.stderr.split())
    assert "no advice: flang.json: holds no cost model of gfortran" in said
    shown = headrace("trace", "show", "field.headrace-trace", "--results", "flang.json")
    assert shown.returncode == 2 and "it has flang 19.1.7" in shown.stderr


def test_whose_run_time_it_was_is_known_without_the_program(field: Path, headrace: Run, tmp_path: Path) -> None:
    results_file(tmp_path / "gfortran.json", "here", "here")
    results_file(tmp_path / "flang.json", "here", "here", "llvm")
    program = shutil.copy(field, tmp_path / "copy")
    assert headrace("trace", "--results", "gfortran.json", str(program)).returncode == 0
    (tmp_path / "copy").unlink()
    shown = headrace("trace", "show", "copy.headrace-trace", "--results", "flang.json")
    assert shown.returncode == 2 and "holds no cost model of gfortran" in shown.stderr


def slow_line() -> Trace:
    """A trace with something to advise."""
    return a_trace([a_line(statements=1_000_000, elements=1_000_000, payload_bytes=8_000_000)])


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What was measured, in place of measuring it for seconds."""
    done: list[str] = []

    def measure(compiler: sources_of_costs.Compiler) -> Inputs:
        done.append(compiler.identifier)
        return Inputs(source="measured now", models=[cost_model("write"), cost_model("read")])

    monkeypatch.setattr(sources_of_costs, "_measured", measure)
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    return done


def test_costs_are_measured_once_and_kept(measured: list[str], tmp_path: Path) -> None:
    said: list[str] = []
    for _ in range(2):
        trace = slow_line()
        assert advise_here(trace, {}, None, tmp_path, said.append).source == "measured now"
        assert trace.predicted_from == "measured now" and trace.advice[0].rule == "HR101"
    assert len(measured) == len(said) == 1 and "once" in said[0]


def test_a_program_without_anything_to_advise_measures_nothing(measured: list[str], tmp_path: Path) -> None:
    trace = a_trace([a_line(payload_bytes=8_000_000_000, elements=1_000_000_000)])
    advise_here(trace, {}, None, tmp_path, measured.append)
    assert trace.advice == [] and measured == []


def test_results_in_the_directory_are_taken_if_they_are_of_this_machine(measured: list[str], tmp_path: Path) -> None:
    results_file(tmp_path / "headrace-1.json", "another", provenance.processor())
    results_file(tmp_path / "headrace-2.json", HERE, "another")
    results_file(tmp_path / "headrace-3.json", HERE, provenance.processor(), "llvm")
    (tmp_path / "headrace-4.json").write_text("{}")
    assert advise_here(slow_line(), {}, None, tmp_path, str).source == "measured now"
    results_file(tmp_path / "headrace-5.json", HERE, provenance.processor())
    assert "headrace-5.json" in advise_here(slow_line(), {}, None, tmp_path, str).source


def test_without_a_compiler_less_is_promised_and_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sources_of_costs, "_compiler", lambda vendor: None)
    trace = slow_line()
    advise_here(trace, {}, None, tmp_path, str)
    assert "because there is no gfortran on this machine" in trace.predicted_from
    with_model = slow_line()
    advise(with_model, Inputs(models=[cost_model("write")]), {})
    coarse, fine = trace.advice[0].after, with_model.advice[0].after
    assert coarse and fine and coarse.high >= fine.high
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("error", [HeadraceError("too slow"), OSError(28, "No space left"), KeyboardInterrupt()])
def test_measuring_that_fails_costs_no_trace(
    error: BaseException, measured: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(compiler: object) -> Inputs:
        raise error

    monkeypatch.setattr(sources_of_costs, "_measured", fail)
    trace = slow_line()
    advise_here(trace, {}, None, tmp_path, str)
    assert "coarse costs" in trace.predicted_from and trace.advice[0].rule == "HR101"
    assert list((tmp_path / "cache").glob("trace-costs*")) == []


def test_what_is_kept_and_damaged_is_left_out() -> None:
    trace = slow_line()
    advise_again(trace, {}, {"models": "none"}, None)
    assert trace.advice and "coarse" in trace.predicted_from


if LONG:  # they measure for seconds

    @pytest.mark.parametrize("vendor", ["gnu", "llvm"])
    def test_real_costs_are_measured_within_the_limit(
        vendor: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path))
        if sources_of_costs._compiler(vendor) is None:  # type: ignore[arg-type]
            pytest.skip(f"no compiler of {vendor}")
        found = sources_of_costs.calibrated(vendor, str)  # type: ignore[arg-type]
        assert [model.operation for model in found.models] == ["write", "read"], found.source
        assert all(model.vendor == vendor for model in found.models)
        (kept,) = tmp_path.glob("trace-costs*.json")
        assert Inputs.model_validate(json.loads(kept.read_text())) == found


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.0034, 0.0121, "3.4 to 12 ms"),
        (0.0996, 0.9999, "100 ms to 1 s"),
        (0.0999, 0.0999, "100 ms"),
        (2e-7, 0.004, "200 ns to 4 ms"),
        (120.4, 5321.0, "120 to 5,321 s"),
        (0.0, 99.4e-6, "0 ns to 99 us"),
    ],
)
def test_an_interval_is_said_in_few_digits(low: float, high: float, said: str) -> None:
    assert between(Estimate(seconds=low, low=low, high=high)) == said


# ---- the new statement ----

LOOPS = {
    1: "do step = 1, 10",
    2: "do j = 1, ny  ! columns",
    3: "do i = i0, i1",
    5: "end do",
    6: "enddo",
}


def rewrite(
    text: str, loops: dict[int, str] | None = None, statement: str = "write", formats: list[str] | None = None
) -> Rewrite:
    """Of a statement in line 4."""
    line = a_line(source=text, line=4, statement=statement, formats=formats or [])
    return Rewrite(line, {"model.f90": LOOPS if loops is None else loops})


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("write (10) u(i, j)", "write (10) u(i0:i1, 1:ny): one statement instead of the loop over i and j"),
        ("WRITE(10) u(j, i)", "write (10) transpose(u(1:ny, i0:i1)): one statement instead of the loop over i and j"),
        ("if (ok) write (10) v(i)", "write (unit) array: one statement instead of the loop"),
        ("write (10, iostat=e) s%v(i)", "write (10, iostat=e) s%v(i0:i1): one statement instead of the loop over i"),
        ("write (10) v(i + 1)", "write (10) array: one statement instead of the loop"),
        ("write (10) u(i, i + j)", "write (10) array: one statement instead of the loop"),
        ("write (10) f(g(i))", "write (10) array: one statement instead of the loop"),
        ("write (10) w(3, :, i)", "write (10) w(3, :, i0:i1): one statement instead of the loop over i"),
        ("write (10) s", "write (10) array: one statement instead of the loop"),
        (
            "write (10) x(i), y(i)",
            "buffer(1, i) = ..., buffer(2, i) = ... in the loop, and write (10) buffer after it, "
            "if all are of one type; else an array for each type",
        ),
        ("v(i), w(i)", "write (unit) array: one statement instead of the loop"),
        ("write (10) v(i), &", "write (unit) array: one statement instead of the loop"),
        ("", "write (unit) array: one statement instead of the loop"),
    ],
)
def test_the_new_statement_has_the_bounds_of_the_loops(text: str, better: str) -> None:
    assert rewrite(text).whole_array() == better


def test_other_rewritings() -> None:
    assert (
        rewrite("write (11, rec=i) v(i)")
        .without_record(8)
        .endswith("write (11, pos=1 + 8*(i0 - 1)) v(i0:i1): one statement instead of the loop over i")
    )
    for record, length in (("i", 0), ("i + 1", 8), ("place(i)", 8), ("j", 8)):
        assert "write" not in rewrite(f"write (11, rec={record}) v(i)").without_record(length)
    assert "and write (12, iostat=e) v(i0:i1)" in rewrite("write (12, '(es24.16)', iostat=e) v(i)").unformatted()
    assert (
        rewrite("write (*, *) v(i)")
        .unformatted()
        .endswith("write (unit) v(i0:i1): one statement instead of the loop over i")
    )
    parts = rewrite("write (12, '(es24.16)', advance='no') v(i)", formats=["(es24.16)"])
    assert parts.one_text_statement(False).startswith("write (12, '(*(es24.16))', advance='no') v(i0:i1)")
    label = "write (12, 100) v(i)"
    assert rewrite(label, formats=["(f8.3)"]).one_text_statement(True).startswith("write (12, 100) v(i0:i1)")
    for several in ([], ["(a, es24.16)"], ["(3f8.3)"], ["(f8.3)", "(e8.1)"], ["('x', (f8.3))"]):
        assert rewrite(label, formats=several).one_text_statement(True).startswith("write (unit, '((...))') array")
    items = "write (10) (v(place(k)), k = 1, n)"
    assert rewrite(items).array_of_items() == "values = [(v(place(k)), k = 1, n)]; write (10) values"
    assert "read (10) values" in rewrite(items.replace("write", "read"), statement="read").array_of_items()
    assert "values = " not in rewrite("write (10) (k, v(k), k = 1, n)").array_of_items()


def test_a_loop_that_does_more_stays() -> None:
    for more in ({4: "write (10) v(i)", 3: "v(i) = 1", 2: "do i = i0, i1"}, {5: "n = n + 1", 6: "end do"}, {5: ""}):
        assert "v(" not in rewrite("write (10) v(i)", {3: "do i = i0, i1", **more}).whole_array()
    assert rewrite("write (10) v(i)", {2: "do i = i0, i1", 3: "! all", 5: "", 6: "end do"}).loops
    assert rewrite("read (10, end=9) v(i)", statement="read").whole_array().startswith("read (unit) array")


def test_a_procedure_without_a_loop_is_not_said_to_have_one() -> None:
    begin = {1: "subroutine put(x)", 2: "real(8) :: x", 3: "if (x < 0) return"}
    found = rewrite("write (10) x", begin)
    assert found.whole_array() == "write (10) array: one statement instead of one in each call"
    for loop in ({3: "do while (x > 0)"}, {2: "do i = 1, n, 2", 3: "x = i"}):
        assert rewrite("write (10) x", begin | loop).whole_array().endswith("instead of the loop")
    behind = begin | {2: "do i = 1, n", 3: "end do"}
    assert rewrite("write (10) x", behind).whole_array().endswith("instead of one in each call")


def test_loops_with_a_stride_or_of_another_procedure_are_not_used() -> None:
    assert enclosing_loops({1: "do j = 1, 9", 2: "do i = 1, n, 2"}, 3) == []
    assert [
        loop.variable for loop in enclosing_loops({1: "do j = 1, 9", 2: "subroutine s(n)", 3: "do i = 1, 5"}, 4)
    ] == ["i"]
    closed = {1: "do j = 1, 9", 2: "do k = 1, 3", 3: "end do", 4: "outer: do i = 1, 5"}
    assert [loop.variable for loop in enclosing_loops(closed, 5)] == ["i", "j"]
    triangle = enclosing_loops({1: "do j = 1, 9", 2: "do i = 1, j"}, 3)
    assert sections("a(i, j)", triangle) == ("a(i, j)", [])


def test_statements_with_quotes_and_parentheses_are_taken_apart() -> None:
    found = parse("10 write (unit=u(1), fmt='(a, \")\", f(8))') a(1, 2), 'x, y', [1, 2] ! a, b")
    assert found and found.control == ["unit=u(1)", "fmt='(a, \")\", f(8))'"]
    assert found.items == ["a(1, 2)", "'x, y'", "[1, 2]"]
    assert parse("call write(10)") is None and parse("write (10") is None


def test_data_on_standard_output_is_data(tmp_path: Path) -> None:
    """As of a program that prints its field each step, for a shell to put it into a file."""
    source = """
program prints
  integer :: i, n
  real :: h(100) = 1.25
  character(8) :: steps
  call get_command_argument(1, steps)
  read (steps, *) n
  do i = 1, n
    print '(i0,*(1x,es15.8e2))', i, h
  end do
end program
"""
    results_file(tmp_path / "costs.json", "another", "another")
    compiled(tmp_path, "prints", source)
    for steps, expected in (("3000", ["HR201"]), ("100", [])):
        start(tmp_path, "trace", "--results", "costs.json", "--json", f"{steps}.json", "./prints", steps)
        found = json.loads((tmp_path / f"{steps}.json").read_text())["advice"]
        assert [advice["rule"] for advice in found if advice["rule"] != "HR303"] == expected  # of a slow pipe
