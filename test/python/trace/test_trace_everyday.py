"""Faults that everyday programs showed: advice that does not fit the statement, and silence on what was not counted."""

import shutil
import subprocess
from pathlib import Path

import pytest

from headrace.advice.advise import advise
from headrace.advice.costs import Inputs
from headrace.rules.catalogue import RULES
from headrace.trace.file_groups import grouped
from headrace.trace.results import Advice, Line
from headrace.trace.table import conclusion, table
from trace_advice import a_file, a_line, a_trace, cost_model
from trace_programs import Run

INPUTS = Inputs(source="a test", models=[cost_model("write"), cost_model("read")])


def advised(*lines: Line, ranks: int = 0, access: str = "", form: str = "") -> list[Advice]:
    trace = a_trace(list(lines), [a_file(access=access, form=form)], ranks=ranks)
    advise(trace, INPUTS, {})
    return trace.advice


def internal(statement: str, elements: int) -> Advice:
    (advice,) = advised(
        a_line(statement=statement, form="list-directed", internal=True, statements=100_000, elements=elements)
    )
    return advice


def test_an_internal_read_is_not_told_to_write() -> None:
    assert "WRITE" in internal("write", 100_000).better
    assert "WRITE" not in internal("read", 100_000).better and "READ" in internal("read", 100_000).better
    # three values each: it is a row already
    assert "whole row" not in internal("read", 300_000).better
    assert "whole row" not in internal("write", 300_000).better


@pytest.mark.parametrize("statement", ["write", "read"])
def test_items_of_several_types_do_not_become_one_array_without_a_word(statement: str) -> None:
    line = a_line(
        source=f"{statement} (10) i, x, y",
        statement=statement,
        statements=300_000,
        items=900_000,
        elements=900_000,
        payload_bytes=3_600_000,
    )
    (advice,) = advised(line, access="stream", form="unformatted")
    assert advice.rule == "HR101"
    assert "if all are of one type" in advice.better
    assert "if all items are of one type" in advice.effect_words
    line.source = f"{statement} (10) x(i)"
    (advice,) = advised(line, access="stream", form="unformatted")
    assert "of one type" not in advice.better + advice.effect_words


@pytest.mark.parametrize(
    ("form", "payload", "rules"),
    [
        ("(2i5,f14.6)", 16, ["HR201"]),  # two integers and a real(8): 5.3 bytes each
        ("(i0,2(1x,es12.4e2))", 20, ["HR201"]),
        ("(a,i6,f8.3)", 16, []),  # a name: text for people
        ("(i6,l2,f8.3)", 16, []),
    ],
)
def test_numbers_of_several_kinds_are_numbers(form: str, payload: int, rules: list[str]) -> None:
    line = a_line(
        form="formatted",
        formats=[form],
        source=f"write (40, '{form}') i, j, t(i, j)",
        statements=800_000,
        items=2_400_000,
        elements=2_400_000,
        payload_bytes=800_000 * payload,
        bytes_written=19_700_000,
    )
    assert [advice.rule for advice in advised(line)] == rules


def test_reasons_do_not_state_figures_of_other_programs_as_if_of_this_one() -> None:
    for rule in RULES:
        if any(figure in rule.reason for figure in ("128 MB", "467 s", "16,949", "40 times")):
            assert rule.reason.startswith("elsewhere"), rule.code


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("H5Dopen", "h5dopen_f"),
        ("nc_open", "nf90_open"),
        ("ncmpi_redef", "nf90mpi_redef"),
        ("nc_enddef", "nf90_enddef"),
    ],
)
def test_what_is_opened_again_is_named(name: str, words: str) -> None:
    line = a_line(statement="library call", form="", name=name, statements=2000, payload_bytes=0)
    (advice,) = advised(line)
    assert advice.rule == "HR604" and words in advice.better
    assert ("open" in words) != ("define" in advice.better)


def test_calls_inside_of_a_call_of_pnetcdf_are_no_advice_of_their_own() -> None:
    def call(name: str, payload: int, seconds: float, line: int) -> Line:
        return a_line(
            statement="library call",
            form="",
            name=name,
            place=f"pn.f90:{line}",
            line=line,
            statements=40_000,
            payload_bytes=payload,
            processes=4,
            seconds_exclusive=seconds,
            traits=["collective"],
        )

    inner = call("MPI_File_write_at_all", 320_000, 17.9, 16)
    view = call("MPI_File_set_view", 0, 16.9, 16)
    outer = call("ncmpi_put_var1_double_all", 320_000, 1.5, 16)
    (advice,) = advised(inner, view, outer, ranks=4)
    assert advice.rule == "HR601" and "nf90mpi_put_var_all" in advice.better
    assert advice.before == pytest.approx(17.9 + 16.9 + 1.5)
    assert sorted(advice.lines) == [0, 1, 2]
    own = call("MPI_File_write_at_all", 320_000, 17.9, 30)  # the program's own
    assert [one.rule for one in advised(own, outer, ranks=4)] == ["HR505", "HR601"]


def test_a_statement_that_never_ended_does_not_take_0_ns() -> None:
    line = a_line(statement="open", statements=0, seconds=0.0, seconds_exclusive=0.0, payload_bytes=0)
    said = conclusion(a_trace([line]))
    assert "0 ns" not in said and said.startswith("No Fortran I/O statement was completed")


HDF5 = """\
program el
   use hdf5
   implicit none
   integer :: failed
   integer(hid_t) :: file
   call h5open_f(failed)
   call h5fcreate_f('el.h5', h5f_acc_trunc_f, file, failed)
   call h5fclose_f(file, failed)
end program el
"""


def test_a_library_that_is_linked_statically_is_named(headrace: Run, tmp_path: Path) -> None:
    compiler = shutil.which("h5pfc.openmpi")
    if not compiler:
        pytest.skip("there is no HDF5 of Open MPI for Fortran")
    (tmp_path / "el.f90").write_text(HDF5)
    for option, expected in (("-noshlib", True), ("-shlib", False)):
        subprocess.run([compiler, option, "el.f90", "-o", "el"], cwd=tmp_path, check=True, timeout=120)
        done = headrace("trace", "--no-advice", "--save", f"t{option}", "./el", OMPI_MCA_btl="self")
        assert done.returncode == 0, done.stderr
        said = " ".join(done.stderr.split())
        assert ("HDF5 is linked into" in said) == expected and ("H5Fcreate" in said) != expected
        if expected:
            assert "its calls are counted as (not Fortran)" in said


def test_files_that_differ_in_a_number_are_one_row() -> None:
    files = [a_file(id=n, path=f"/run2/out.{n:04}", bytes_written=10, write_calls=1) for n in range(8)]
    files += [a_file(id=9, path="/run2/mesh", seconds=9.0), a_file(id=10, path="/run2/out.9999", access="stream")]
    groups = grouped(files)
    assert [(group.name, group.count) for group in groups] == [
        ("/run2/mesh", 1),
        ("/run2/out.####", 8),
        ("/run2/out.9999", 1),
    ]
    assert (groups[1].sums.bytes_written, groups[1].sums.seconds) == (80, 8.0)
    said = table(a_trace([a_line()], files))
    assert "/run2/out.#### (8 files)" in said and "out.0003" not in said
    assert [group.count for group in grouped(files[:3])] == [1, 1, 1]
