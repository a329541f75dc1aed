"""The tables and conclusions that `headrace bench parallel` prints."""

import io
import re

import pytest
from rich.console import Console

from headrace.measure.parallel.hints import advice, unknown_hints, what_became
from headrace.measure.parallel.rows import few_rounds
from headrace.reporters.parallel_rows import rows_of
from headrace.reporters.parallel_tables import _print_hints, conclusions
from headrace.results.methods import LIMIT, ZARR
from headrace.results.parallel import Counts, Group, ParallelRow, ParallelRun
from headrace.results.transfers import RatioFound
from timed_rows import timed


def test_the_verdict_is_never_cut_off() -> None:
    row = timed([0.01] * 6)
    row.phases, row.last_done = {"transfer": 0.0065, "close": 0.0038}, 0.01
    line = rows_of([row]).line(row)
    assert "too-short" in line and max(len(part) for part in line.splitlines()) <= 100 + len("[yellow][/yellow]")


@pytest.mark.parametrize("seconds", [1e-6, 3.3e-5, 0.00123, 0.37, 8.0, 299.0, 100000.0])
def test_two_blanks_are_between_columns_whatever_the_rates(seconds: float) -> None:
    rows_ = [timed([t * f for f in (1.0, 1.31, 0.77, 1.0, 1.31, 0.77)]) for t in (seconds, 3.7e-4)]
    for row in rows_:
        row.phases, row.last_done, row.first_done = {"transfer": 0.0065, "close": 0.0035}, 0.01, 0.00113
        row.limit_fraction, row.way = 0.997, "headrace:pnetcdf:shared_independent"
    look = rows_of(rows_)
    plain = [re.sub(r"\[/?\w+\]", "", text) for text in (look.head("write, cached"), *map(look.line, rows_))]
    cells = [re.split(r"  +", text.splitlines()[-1].strip()) for text in plain]
    assert cells[0] == ["write, cached", look.unit, "interval", "raw %", "late", "mem", "phases %", "verdict"]
    for row, found in zip(rows_, cells[1:], strict=True):
        assert row.statistics is not None
        size = {"GB/s": 1e9, "MB/s": 1e6, "kB/s": 1e3}[look.unit]
        found = found[-7:]  # the name may have a line of its own
        assert len(found) == 7 and found[-2] == "trans 65", found
        assert float(found[0]) == pytest.approx(1e6 * row.statistics.median / size, rel=0.006, abs=0.0005)
        low, _, high = found[1].partition("..")
        assert float(low) <= float(found[0]) <= float(high)
    if seconds < 10:  # a million times between two rates needs room
        assert max(len(line) for text in plain for line in text.splitlines()) <= 100


def test_the_fastest_is_named_with_its_directory_and_its_doubt() -> None:
    def group(directory: str) -> Group:
        return Group.model_construct(ranks=2, directory=directory, payload_bytes=1 << 29, intervals={}, absent={})

    slow, short = timed([0.1] * 6), timed([0.01] * 6)
    short.directory, short.way = "/fast", "raw:file_per_process"
    run = ParallelRun.model_construct(rows=[slow, short], groups=[group("."), group("/fast")], intervals={})
    assert conclusions(run)[-1] == (
        "On 2 MPI ranks raw:file_per_process writes fastest in /fast: 0.100 GB/s"
        " (too-short: the transfer lasted less than --min-time, take a larger --size)."
    )
    run = ParallelRun.model_construct(rows=[slow], groups=[group(".")], intervals={})
    assert conclusions(run)[-1] == "On 2 MPI ranks w writes fastest: 10 MB/s."


def test_a_single_method_is_told_as_a_share_of_the_limit() -> None:
    limit, alone, varied = timed([0.1] * 6), timed([0.25] * 6), timed([0.2] * 6)
    limit.way = limit.method = LIMIT
    limit.limit_fraction, alone.limit_fraction, varied.limit_fraction = 1.0, 0.4, 0.5
    varied.way = "w, cb_nodes=2"
    group = Group.model_construct(ranks=2, directory=".", payload_bytes=1 << 29, intervals={}, absent={})

    def said(*rows: ParallelRow) -> str:
        return conclusions(ParallelRun.model_construct(rows=list(rows), groups=[group], intervals={}))[-1]

    assert said(limit, alone) == "On 2 MPI ranks w writes at 40 % of raw file per process: 4 MB/s."
    assert said(limit, alone, varied) == (
        "On 2 MPI ranks w, cb_nodes=2 writes fastest at 50 % of raw file per process: 5 MB/s."
    )
    assert said(limit) == f"On 2 MPI ranks {LIMIT} writes fastest: 10 MB/s."
    varied.method = "another"
    assert said(limit, alone, varied) == f"On 2 MPI ranks {LIMIT} writes fastest: 10 MB/s."


def test_rows_of_too_few_rounds_are_counted_once_and_have_no_interval() -> None:
    one, two, six = timed([0.1]), timed([0.1, 0.2]), timed([0.1, 0.2, 0.3] * 2)
    said = "too few for an interval: a larger --time-budget (here 30 s) gives more"
    assert few_rounds([one, two, six], 6, 30) == f"2 of 3 rows rest on fewer than 6 rounds, {said}."
    assert few_rounds([two, six], 1, 30) == (
        f"1 of 2 rows rests on fewer than 6 rounds, {said}, and --rounds 6 asks for them in every row."
    )
    assert few_rounds([six], 3, 30) == ""
    failed = timed([0.1])
    failed.outcome = "failed"
    assert few_rounds([failed, six], 3, 30) == ""
    lines = [rows_of([row]).line(row) for row in (one, two, six)]
    assert [".." in line for line in lines] == [False, False, True]
    ratio = RatioFound(meaning="raw files", median=0.98, low=0.5, high=2, confidence=0.5, n=2, verdict="noisy")
    run = ParallelRun.model_construct(rows=[], groups=[], intervals={"2": {"zarr_vs_fpp": ratio}}, absent={})
    assert "at 0.98 (2 rounds: no interval) of raw file per process" in conclusions(run)[0]


def test_a_hint_is_in_force_with_its_value_or_ignored_or_not_known() -> None:
    row = timed([0.1])
    row.hints_asked, row.hints_in_force = (
        'cb_nodes=4,list="1,2",x=1,romio',
        'cb_nodes=2,list="1,2",cb_buffer_size=4194304',
    )
    row.hints_ignored = "cb_nodes=4,romio_cb_write=enable,romio_cb_read=enable"
    unknown = "not known (the library that wrote the file does not report its hints)"
    assert what_became(row) == (
        'in force: cb_buffer_size=4194304, list="1,2"; ignored: romio_cb_write=enable, romio_cb_read=enable, '
        f"cb_nodes=4 (2 is in force); {unknown}: romio_ds_write=disable, x=1"
    )
    asked = unknown_hints(row.hints_asked, row.hints_in_force, row.hints_ignored)
    assert asked == "romio_ds_write=disable,x=1"
    row.hints_asked = ""
    assert what_became(row) == ""


def test_hints_that_fared_differently_are_told_apart() -> None:
    rows = [timed([0.1]), timed([0.1]), timed([0.1])]
    for row, operation, in_force in zip(rows, ("write", "read", "read"), ("a=1", "", ""), strict=True):
        row.operation, row.hints_asked, row.hints_in_force = operation, "a=1", in_force
        row.hints_ignored = "" if in_force else "a=1"
    rows[2].ranks = 4
    run, out = ParallelRun.model_construct(rows=rows), io.StringIO()
    _print_hints(run, Console(file=out, width=100))
    assert out.getvalue().splitlines() == [
        "hints of w (write on 2 MPI ranks): in force: a=1",
        "hints of w (read on 2 MPI ranks, read on 4 MPI ranks): ignored: a=1",
    ]


def test_rows_whose_hints_fared_alike_share_a_line_and_what_was_told_is_not_told_again() -> None:
    rows = [timed([0.1]), timed([0.1]), timed([0.1])]
    for row, way in zip(rows, ("mpiio:collective", "hdf5:collective", "mpiio:independent"), strict=True):
        row.way, row.hints_asked, row.hints_in_force = way, "a=1", "a=1"
    rows[2].hints_in_force, rows[2].hints_ignored = "", "a=1"
    run, out = ParallelRun.model_construct(rows=rows), io.StringIO()
    _print_hints(run, Console(file=out, width=100))
    expected = ["hints of mpiio:collective; hdf5:collective: in force: a=1", "hints of mpiio:independent: ignored: a=1"]
    assert out.getvalue().splitlines() == expected
    rows[0].hints_in_force = "a=1,b=2"
    out = io.StringIO()
    _print_hints(run, Console(file=out, width=100))
    more = "in force without being asked for (2 MPI ranks, mpiio:collective): b=2"
    assert out.getvalue().splitlines() == [*expected, more]


@pytest.mark.parametrize(
    ("module", "ignored", "said"),
    [
        ("ompio", "romio_cb_write=enable", ": set OMPI_MCA_io=romio321, or --vary env:OMPI_MCA_io=ompio,romio321."),
        ("ompio", "x=1", None),
        ("romio321", "collective_buffering=true", ": its own are romio_cb_write=enable, romio_cb_read=enable."),
        ("romio321", "romio_cb_write=enable", None),
        ("", "romio_cb_write=enable", None),
    ],
)
def test_hints_of_the_other_module_earn_one_sentence(module: str, ignored: str, said: str | None) -> None:
    rows = [timed([0.1]), timed([0.1])]
    for row in rows:
        row.hints_asked = row.hints_ignored = ignored
        row.counts = Counts(collective_writes=2)
    found = advice(rows, {"mpi": module}, "romio321")
    assert len(found) == (said is not None) and all(text.endswith(said or "") for text in found)
    for row in rows:
        row.counts = Counts()  # headrace's own exchange
    assert advice(rows, {"mpi": module}, "romio321") == []


def test_where_rows_of_romio_are_there_no_option_is_advised() -> None:
    row = timed([0.1])
    row.hints_asked = row.hints_ignored = "romio_cb_write=enable"
    row.counts = Counts(independent_writes=2)
    found = advice([row], {"mpi": "ompio", "romio321": "romio321"}, "romio321")
    assert found == ["OMPIO does not know ROMIO's hints: only the rows under ROMIO can have them."]
    assert advice([row], {"mpi": "ompio"}, "") == ["OMPIO does not know ROMIO's hints."]


def test_the_first_sentence_says_that_a_transfer_was_too_short() -> None:
    store = timed([0.01] * 6)
    store.method = ZARR
    found = RatioFound(meaning="raw files", median=0.98, low=0.97, high=0.99, confidence=0.95, n=6, verdict="valid")
    run = ParallelRun.model_construct(rows=[store], groups=[], intervals={"2": {"zarr_vs_fpp": found}}, absent={})
    said = "On 2 MPI ranks headrace writes one Zarr store at 0.98 of raw file per process"
    assert conclusions(run)[0] == f"{said} (too-short: the transfer lasted less than --min-time, take a larger --size)."
    store.ranks = 4  # others than those of the sentence
    assert conclusions(run)[0] == f"{said}."
