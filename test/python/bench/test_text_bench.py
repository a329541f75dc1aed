"""`headrace bench text` as a user runs it, at sizes of seconds: results, peers that are not there, bad input."""

import importlib.util
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conftest import COMPILERS, start, start_and_await
from headrace.measure.cases import Case, make_values
from headrace.measure.pairs import find_ratios
from headrace.measure.text import data, peers
from headrace.measure.text.campaign import TextCampaign
from headrace.measure.text.ratios import ALL_NAMES, PAIRS
from headrace.measure.text.ways import Way
from headrace.measure.toolbox import Tool, Toolbox
from headrace.measure.workers import Worker, WorkerError
from headrace.results.goals import judgement
from headrace.results.records import Sample
from headrace.results.run import Compiler
from headrace.results.text import TextRow, TextRun, TextSettings

Command = Callable[..., "subprocess.CompletedProcess[str]"]
SMALL = ("--size", "2e4", "--hex-table", "60", "--min-time", "0.001", "--quiet")
ONCE = (*SMALL, "--rounds", "1", "--time-budget", "0.1")
ALONE = ("--without", "numpy,pandas", "--without", "polars,pyarrow")  # loading them takes most of a small run
WITH_GFORTRAN = {
    "write_shortest_vs_gfortran",
    "write_es_vs_gfortran",
    "write_e15_vs_gfortran",
    "read_vs_gfortran_list",
    "read_vs_gfortran_formatted",
    "penalty_write",
    "penalty_read",
}
ALWAYS = {"write_vs_ceiling_fresh", "write_vs_ceiling_overwrite", "portable_write", "portable_read"}


def load(path: Path) -> TextRun:
    return TextRun.model_validate(json.loads(path.read_text()))


def test_the_keys_of_ratios_are_those_that_were_agreed() -> None:
    assert set(ALL_NAMES) == WITH_GFORTRAN | ALWAYS | {
        "write_vs_io_fortran_lib",
        "read_vs_io_fortran_lib",
        "write_vs_best_python",
        "read_vs_best_python",
        "seed002_vs_io_fortran_lib",
    }


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, gnu: Compiler) -> tuple[str, TextRun, list[str]]:
    """What a small run prints, its results, and what it leaves in its directory."""
    folder = tmp_path_factory.mktemp("small")
    done = start(
        folder, "bench", "text", *SMALL, "--time-budget", "2", "--fc", gnu.path, "--dir", ".", "--json", "r.json"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, load(folder / "r.json"), [path.name for path in folder.iterdir()]


def test_a_small_run_gives_tables_and_ratios(small: tuple[str, TextRun, list[str]]) -> None:
    printed, run, left = small
    assert printed.startswith("headrace writes text at ") and "\nwrote r.json\n" in printed
    assert "absent: io_fortran_lib: " in " ".join(printed.split())
    assert max(len(line) for line in printed.splitlines()) <= 100
    assert WITH_GFORTRAN | ALWAYS <= set(run.ratios) <= set(ALL_NAMES)
    assert all(ratio > 0 for ratio in run.ratios.values())
    assert list(run.intervals) == list(run.ratios)
    for name, ratio in run.intervals.items():
        assert ratio.low <= run.ratios[name] <= ratio.high
        assert name in printed
    for name in set(ALL_NAMES) - set(run.ratios):
        assert run.absent[name]
    assert left == ["r.json"]


def test_every_row_is_right_and_says_what_it_cost(small: tuple[str, TextRun, list[str]]) -> None:
    run = small[1]
    assert {row.case for row in run.rows} == {"normal", "hex table"}
    for row in run.rows:
        assert row.outcome == "measured", (row.key, row.message)
        assert row.statistics and row.file_bytes > 0 and row.peak_memory_bytes is not None and row.version
    written = {row.key: row.file_bytes for row in run.rows if row.case == "normal"}
    assert written["headrace:es:write"] == written["gnu:row-wise es24.16e3:write"] == 2000 * 241
    assert written["headrace:e15:write"] == written["gnu:row-wise e15.5:write"] == 2000 * 151


def test_an_interrupted_run_says_so_and_leaves_nothing_behind(tmp_path: Path) -> None:
    what = ("--size", "2e5", "--hex-table", "0", "--dir", ".", "--json", "r.json")
    process = start_and_await("round 1: ", tmp_path, "bench", "text", *what, *ALONE)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 1 and "The run was interrupted" in output
    run = load(tmp_path / "r.json")
    assert not run.complete and run.rows
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]
    workers = [path for path in Path("/proc").glob("[0-9]*/cmdline") if str(tmp_path) in _command(path)]
    assert workers == []


def _command(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:  # it has ended
        return ""


def test_bench_without_text_is_what_it_was(headrace: Command) -> None:
    assert "unformatted:whole" in headrace("bench", "--list").stdout
    done = headrace("bench", "txt")
    assert done.returncode == 2 and "there is no 'txt' (choose from 'text'" in done.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--size", "1.5"), "is not a number of values"),
        (("--size", "ten"), "is not a number of values"),
        (("--threads", "0"), "is not a whole number above 0"),
        (("--dir", "nowhere"), "does not exist"),
        (("--size", "1e11"), "are needed"),
        (("--fc", "no-such-fortran"), "was not found"),
        (("--json", "nowhere/r.json"), "does not exist"),
    ],
)
def test_bad_input_is_refused_with_exit_code_2(headrace: Command, options: tuple[str, ...], words: str) -> None:
    done = headrace("bench", "text", *options)
    assert done.returncode == 2 and words in done.stderr, done.stderr


@pytest.mark.parametrize("kind", ["real64", "real32"])
@pytest.mark.parametrize(
    ("layout", "text"),
    [("cells", "%.17e"), ("fixed", "%24.16e")],
)
def test_the_check_of_a_file_finds_one_wrong_digit(tmp_path: Path, kind: Any, layout: Any, text: str) -> None:
    values = make_values(Case("small", kind, 300, 4), 3)
    file = tmp_path / "x.txt"
    np.savetxt(file, values.astype(np.float64), fmt=text, delimiter="," if layout == "cells" else "")
    assert data.wrong_values(file, values, layout, 0.0) == 0
    content = bytearray(file.read_bytes())
    place = content.index(b".", 900) + 2
    content[place] = ord("1") if content[place] != ord("1") else ord("2")
    file.write_bytes(content)
    assert data.wrong_values(file, values, layout, 0.0) == 1


@pytest.mark.parametrize("kind", ["real64", "real32", "int32", "int64"])
@pytest.mark.parametrize("prefix", ["", "0x"])
def test_the_check_of_hexadecimal_cells_finds_one_wrong_digit(tmp_path: Path, kind: Any, prefix: str) -> None:
    values = make_values(Case("small", kind, 40, 3, "bits"), 3)
    bits = values.view(f"u{values.dtype.itemsize}")
    digits = 2 * values.dtype.itemsize
    lines = [",".join(f"{prefix}{int(cell):0{digits}X}" for cell in row) for row in bits]
    file = tmp_path / "x.csv"
    file.write_text("\n".join(lines) + "\n")
    assert data.wrong_values(file, values, "hex", 0.0) == 0
    other = lines[7][:-1] + ("0" if lines[7][-1] != "0" else "1")
    file.write_text("\n".join([*lines[:7], other, *lines[8:]]) + "\n")
    assert data.wrong_values(file, values, "hex", 0.0) == 1


def test_files_are_compared_byte_for_byte(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"a" * 5_000_000)
    other.write_bytes(b"a" * 4_999_999 + b"b")
    assert data.first_difference(one, one) is None
    assert data.first_difference(one, other) == 4_999_999
    other.write_bytes(b"a" * 4_999_999)
    assert data.first_difference(one, other) == 4_999_999
    assert data.checksum(one) != data.checksum(other)


WRONG_WORKER = """
import shutil, sys
print("ready 1", flush=True)
for line in sys.stdin:
    verb, how, layout, file, tolerance = line.rstrip("\\n").split("\\t")
    if how == "dies":
        sys.exit("out of paper")
    if verb == "write":
        open(file, "w").write("1,2\\n" * int(layout))
    print(f"done wall=0.5 user=0.1 system=0.1 peak=0 differences={layout if verb == 'read' else 0}", flush=True)
"""


def test_a_tool_that_writes_or_reads_wrongly_is_found_out(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text(WRONG_WORKER)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    box = Toolbox()
    own = Path(data.__file__).with_name("python_worker.py")
    case = Case("small", rows=4, columns=2)
    shape = ["float64", "4", "2", "1"]
    box.tools["headrace"] = Tool(
        "headrace", "headrace", lambda c, v, s: ([sys.executable, str(own), "headrace", str(v), *shape], {})
    )
    box.tools["wrong"] = Tool("wrong", "wrong", lambda c, v, s: ([sys.executable, str(script)], {}))
    ways = [
        Way("headrace", "write", "shortest", "array", "{}"),
        Way("wrong", "write", "few rows", "array", "2"),
        Way("wrong", "read", "bad", "array", "3", "few rows"),
        Way("wrong", "write", "dead", "dies", "1"),
    ]
    settings = TextSettings(
        values=8, hex_table=0, threads=1, rounds=3, minimum_seconds=0.001, time_budget=9, everything=False, seed=1
    )
    campaign = TextCampaign(case, ways, {}, box, settings, scratch, 20.0)
    campaign.run([], 1e18, lambda text: None)
    outcomes = {state.way.name: (state.outcome, state.message) for state in campaign.states.values()}
    assert outcomes["shortest"][0] == "measured"
    assert outcomes["few rows"] == ("wrong", "8 of 8 values were written wrongly")
    assert outcomes["bad"] == ("wrong", "3 of 8 values were read wrongly")
    assert outcomes["dead"] == ("failed", "out of paper")


def test_a_worker_that_hangs_is_stopped(tmp_path: Path) -> None:
    code = "import time; print('ready 1', flush=True); time.sleep(60)"
    worker = Worker([sys.executable, "-c", code], {}, tmp_path, 0.3)
    with pytest.raises(WorkerError, match="stopped after 0 s"):
        worker.write("how", "layout", tmp_path / "x")
    worker.close()
    assert worker.process.returncode == -9


def row(tool: str, way: str, operation: Any, seconds: list[float]) -> TextRow:
    samples = [Sample(round=i, passes=1, total=s, user=s, system=0, peak=0) for i, s in enumerate(seconds)]
    shape = {"payload_bytes": 8, "values": 1}
    return TextRow(case="c", tool=tool, title=tool, operation=operation, way=way, samples=samples, **shape)


def test_a_ratio_is_the_median_of_pairs_of_the_same_round() -> None:
    rows = [
        row("gnu", "row-wise g0", "write", [10.0, 40.0, 60.0] * 2),
        row("headrace", "shortest", "write", [1.0, 2.0, 1.0] * 2),
    ]
    found = find_ratios(PAIRS, rows)["write_shortest_vs_gfortran"]
    assert (found.median, found.low, found.high, found.n) == (20.0, 10.0, 60.0, 6)
    assert judgement(found) == "open" and found.goal == 40


def test_the_fastest_table_of_python_gives_the_ratio() -> None:
    rows = [
        row("headrace", "shortest", "read", [1.0] * 6),
        row("polars", "csv", "read", [5.0] * 6),
        row("pyarrow", "csv", "read", [4.5] * 6),
    ]
    found = find_ratios(PAIRS, rows)["read_vs_best_python"]
    assert (found.median, found.peer, judgement(found)) == (4.5, "pyarrow", "met")


@pytest.fixture(scope="module")
def beside_peers(tmp_path_factory: pytest.TempPathFactory, gnu: Compiler) -> "subprocess.CompletedProcess[str]":
    """A run whose results are on standard output, with a stand-in for csv-fortran, and a tree that was not built."""
    folder = tmp_path_factory.mktemp("peers")
    (folder / "sources" / "stdlib").mkdir(parents=True)
    tree = folder / "sources" / "csv-fortran" / "build"
    tree.mkdir(parents=True)
    (tree / "csv_module.f90").write_text(STAND_IN)
    subprocess.run([gnu.path, "-c", "csv_module.f90"], cwd=tree, check=True)
    subprocess.run(["ar", "cr", "libcsv.a", "csv_module.o"], cwd=tree, check=True)
    built = peers.find_built(peers.FORTRAN_PEERS[2], folder / "sources")
    assert built == peers.BuiltPeer(tree, (tree / "libcsv.a",))
    options = ("--fc", gnu.path, "--peer-source", "sources", "--dir", ".", *ALONE)
    return start(folder, "bench", "text", *ONCE, "--hex-table", "0", *options, "--json", "-")


def test_json_on_standard_output_is_json_alone(beside_peers: "subprocess.CompletedProcess[str]") -> None:
    assert set(json.loads(beside_peers.stdout)["ratios"]) >= ALWAYS


def test_a_tree_that_was_built_is_linked_with_our_driver(beside_peers: "subprocess.CompletedProcess[str]") -> None:
    """The stand-in has the interface of csv-fortran, and writes one value wrongly."""
    run = TextRun.model_validate(json.loads(beside_peers.stdout))
    rows = {r.operation: r for r in run.rows if r.tool == "csv-fortran"}
    assert rows["write"].outcome == "wrong" and rows["write"].message.startswith("1 of 20,000 values were written")
    assert rows["read"].outcome == "failed" and "read failed" in rows["read"].message


def test_peers_that_are_missing_are_explained(beside_peers: "subprocess.CompletedProcess[str]") -> None:
    run = TextRun.model_validate(json.loads(beside_peers.stdout))
    assert "write_vs_io_fortran_lib" not in run.ratios
    assert "io_fortran_lib is absent" in run.absent["write_vs_io_fortran_lib"]
    assert "not built" in run.absent["stdlib"] and "as its own README says" in run.absent["stdlib"]
    assert "has no folder" in run.absent["io_fortran_lib"]
    assert run.absent["pandas"] == run.absent["polars"] == "left out by --without"
    assert not any(row.tool in peers.PYTHON_PEERS for row in run.rows)


def test_a_peer_that_nobody_knows_is_not_left_out(headrace: Command) -> None:
    done = headrace("bench", "text", "--without", "panda")
    assert done.returncode == 2
    assert "--without panda: there is no such peer" in done.stderr and "pandas" in done.stderr


STAND_IN = """
module csv_module
   implicit none
   type :: csv_file
      integer :: unit = 0, row = 0
   contains
      procedure :: initialize, open => open_file, add, next_row, close => close_file, read => read_file, get
   end type csv_file
contains
subroutine initialize(me)
   class(csv_file), intent(inout) :: me
   me%row = 0
end subroutine initialize
subroutine open_file(me, filename, n_cols, status_ok)
   class(csv_file), intent(inout) :: me
   character(len=*), intent(in) :: filename
   integer, intent(in) :: n_cols
   logical, intent(out) :: status_ok
   open (newunit=me%unit, file=filename, status="replace")
   status_ok = n_cols > 0
end subroutine open_file
subroutine add(me, values, real_fmt)
   class(csv_file), intent(inout) :: me
   double precision, intent(in) :: values(:)
   character(len=*), intent(in) :: real_fmt
   me%row = me%row + 1
   if (me%row == 5 .and. len(real_fmt) > 0) then
      write (me%unit, "(*(g0, :, ','))") 2 * values(1), values(2:)
   else
      write (me%unit, "(*(g0, :, ','))") values
   end if
end subroutine add
subroutine next_row(me)
   class(csv_file), intent(inout) :: me
end subroutine next_row
subroutine close_file(me, status_ok)
   class(csv_file), intent(inout) :: me
   logical, intent(out) :: status_ok
   close (me%unit)
   status_ok = .true.
end subroutine close_file
subroutine read_file(me, filename, status_ok)
   class(csv_file), intent(inout) :: me
   character(len=*), intent(in) :: filename
   logical, intent(out) :: status_ok
   status_ok = len(filename) == 0
end subroutine read_file
subroutine get(me, column, values, status_ok)
   class(csv_file), intent(inout) :: me
   integer, intent(in) :: column
   double precision, allocatable, intent(out) :: values(:)
   logical, intent(out) :: status_ok
   allocate (values(column))
   status_ok = .false.
end subroutine get
end module csv_module
"""


def test_peers_that_cannot_be_installed_are_no_obstacle(headrace: Command, tmp_path: Path) -> None:
    offline = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0", "HEADRACE_CACHE": str(tmp_path / "cache")}
    options = ("--fc", COMPILERS[0].path) if COMPILERS else ()
    where = ("--hex-table", "0", "--dir", ".", "--peers", "--json", "r.json")
    done = headrace("bench", "text", *ONCE, *options, *where, **offline)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "--peers could not install" in done.stdout
    run = load(tmp_path / "r.json")
    assert (tmp_path / "cache" / "text-peers" / "bin" / "python").exists()
    # Some may be installed already: ReFrame brings polars.
    missing = [name for name in ("polars", "pandas") if importlib.util.find_spec(name) is None]
    assert all("not installed" in run.absent[name] for name in missing) and "numpy" not in run.absent
