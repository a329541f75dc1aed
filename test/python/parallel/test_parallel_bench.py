"""`headrace bench parallel` as a user runs it, with a worker that is made up: replies, results, bad input."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import start_and_await
from headrace.measure.parallel.ratios import ALL_NAMES
from headrace.results.files import schema
from headrace.results.goals import judgement
from headrace.results.parallel import ParallelRun
from validation import validate

Command = Callable[..., "subprocess.CompletedProcess[str]"]
FAKE = Path(__file__).parent / "fake_parallel_worker.py"
BASE = ("bench", "parallel", "--worker", str(FAKE), "--launcher", "env FAKE_RANKS={ranks}")
TALKING = ("--size", "1MiB", "--min-time", "0.0001", "--rounds", "3", "--time-budget", "20", "--dir", ".")
SMALL = (*TALKING, "--quiet")
AGREED = {
    "zarr_vs_fpp",
    "zarr_read_vs_fpp",
    "zarr_vs_best_collective",
    "zarr_vs_best_collective_ompio",
    "shard_vs_fpp",
    "shared_vs_single_file_limit",
    "shared_write_vs_ompio",
    "shared_read_vs_ompio",
    "shared_vs_romio_best",
    "hdf5_vs_h5dwrite",
    "adios2_vs_default",
    "crc32c_cost",
    *(f"overhead_{backend}" for backend in ("mpiio", "hdf5", "netcdf4", "pnetcdf", "adios2")),
    "vs_ior",
    "read_vs_ior",
    "vs_benchio",
}
PEERS = {"vs_ior", "read_vs_ior", "vs_benchio"}


def load(path: Path) -> ParallelRun:
    data = json.loads(path.read_text())
    validate(data, schema)
    return ParallelRun.model_validate(data)


@pytest.fixture
def romio(tmp_path: Path) -> dict[str, str]:
    """A PATH whose ompi_info knows a ROMIO: another MPI, or none, may be installed."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("ompi_info", MPI[1]):
        program = folder / name
        program.write_text("#!/bin/sh\necho mca:io:romio321:version:1\n")
        program.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}


MPI = ("--mpi", "mpicxx-of-a-test")  # beside which ompi_info stands


def test_the_keys_of_ratios_are_those_that_were_agreed() -> None:
    assert set(ALL_NAMES) == AGREED


def test_a_run_gives_every_ratio_on_each_number_of_mpi_ranks(
    started: Command, tmp_path: Path, romio: dict[str, str]
) -> None:
    files = ("--json", "r.json", "--report", "r.html", "--trace", "t.json")
    done = started(*BASE, *MPI, *SMALL, "--ranks", "2,4", *files, **romio)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("On 4 MPI ranks headrace writes one Zarr store at 0.98 of raw file per process")
    assert max(len(line) for line in done.stdout.splitlines()) <= 100
    run = load(tmp_path / "r.json")
    assert set(run.ratios) == {"2", "4"}
    for ranks, ratios in run.ratios.items():
        assert set(ratios) == AGREED - PEERS, run.absent[ranks]
        assert set(run.absent[ranks]) == PEERS
        assert ratios["zarr_vs_fpp"] == pytest.approx(4.9 / 5)
        assert ratios["zarr_vs_best_collective"] == pytest.approx(4.9 / 2)
        assert ratios["zarr_vs_best_collective_ompio"] == pytest.approx(4.9)
        assert ratios["crc32c_cost"] == pytest.approx(1.05)
        for name, word in (("zarr_vs_best_collective", "missed"), ("crc32c_cost", "met")):
            found = run.intervals[ranks][name]
            assert judgement(found) == "too small", "4 MiB"
            assert judgement(found.model_copy(update={"too_small": False})) == word
    met = [line for line in done.stdout.splitlines() if re.search(r" (>=|<=) [0-9.]+ +(yes|no|open|size) ", line)]
    assert met and all(re.search(r" size  ", line) for line in met)
    said = " ".join(done.stdout.split())
    assert "No goal is judged over all numbers of MPI ranks: goals are for arrays of 512 MiB or more" in said
    assert "To have them judged, run it with --size 128MiB or more. " in said
    assert "goals are met" not in said
    assert re.search(r"\nwrote r.json\nwrote r.html\nwrote t.json\nstrong scaling, ", done.stdout)
    modules = {(worker.tool, worker.mpi_io) for worker in run.workers}
    assert modules == {("mpi", "ompio"), ("romio321", "romio321")}
    for row in run.rows:
        assert row.outcome == "measured" and row.statistics and len(row.rank_times) == row.ranks
        assert row.payload_bytes == 4 << 20  # strong scaling: the same array on 2 and on 4 MPI ranks
    assert "<svg" in (tmp_path / "r.html").read_text()
    assert not list(tmp_path.glob("headrace-scratch*"))


def test_weak_scaling_keeps_the_size_of_each_mpi_rank(headrace: Command, tmp_path: Path) -> None:
    options = ("--scaling", "weak", "--ranks", "1,2,4", "--method", "mpiio:collective", "--json", "r.json")
    done = headrace(*BASE, *SMALL, *options)
    assert done.returncode == 0, done.stderr
    assert {(row.ranks, row.payload_bytes >> 20) for row in load(tmp_path / "r.json").rows} == {(1, 1), (2, 2), (4, 4)}


def test_the_trace_has_a_track_for_each_mpi_rank(headrace: Command, tmp_path: Path) -> None:
    options = ("--ranks", "4", "--method", "mpiio:collective", "--trace", "t.json")
    assert headrace(*BASE, *SMALL, *options).returncode == 0
    events: list[dict[str, Any]] = json.loads((tmp_path / "t.json").read_text())["traceEvents"]
    names = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert names == {f"MPI rank {rank}" for rank in range(4)}
    spans = [event for event in events if event["ph"] == "X"]
    wholes = [event for event in spans if event["cat"] == "transfer of an array"]
    assert {event["name"] for event in wholes if "mpiio" in event["name"]} == {
        "mpiio:collective, write",
        "mpiio:collective, read",
    }
    assert {event["name"] for event in spans if event["cat"] == "phase"} == {"open", "transfer"}
    for event in spans:
        if event["cat"] == "phase":
            inside = [w for w in wholes if w["tid"] == event["tid"] and w["ts"] <= event["ts"] + 0.01]
            assert any(event["ts"] + event["dur"] <= w["ts"] + w["dur"] + 0.01 for w in inside)
    begins = sorted({w["ts"] for w in wholes})
    assert len(begins) == len({w["name"] for w in wholes}), "transfers follow each other"


def test_a_method_that_is_not_there_is_no_failure(headrace: Command, tmp_path: Path, romio: dict[str, str]) -> None:
    done = headrace(*BASE, *MPI, *SMALL, "--ranks", "2", "--json", "r.json", FAKE_TRICK="no-pnetcdf", **romio)
    assert done.returncode == 0, done.stderr
    assert "unavailable here: pnetcdf:collective: built without PnetCDF" in done.stdout
    run = load(tmp_path / "r.json")
    assert "overhead_pnetcdf" in run.absent["2"] and "built without" in run.absent["2"]["overhead_pnetcdf"]
    assert "zarr_vs_best_collective" in run.ratios["2"]


def test_a_method_that_is_named_and_not_there_is_no_failure(headrace: Command, tmp_path: Path) -> None:
    methods = "pnetcdf:collective,headrace:pnetcdf:serial,headrace:npy:shared_collective:library"
    done = headrace(*BASE, *SMALL, "--ranks", "2", "--method", methods, "--json", "r.json", FAKE_TRICK="no-pnetcdf")
    assert done.returncode == 0, done.stderr
    assert set(load(tmp_path / "r.json").unavailable) == {"pnetcdf:collective", "headrace:pnetcdf:serial"}


def test_one_round_has_no_interval_and_accuses_no_cache(headrace: Command, tmp_path: Path) -> None:
    options = ("--rounds", "1", "--time-budget", "0.001", "--ranks", "2", "--json", "r.json")
    done = headrace(*BASE, *SMALL, *options, FAKE_MODULE="romio", FAKE_TRICK="slow-limit")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert "(one round: no interval) of raw file per process" in said and "(noisy:" not in said
    measured = len(load(tmp_path / "r.json").rows)
    few = f"{measured} of {measured} rows rest on fewer than 6 rounds, too few for an interval: a larger --time-budget"
    assert said.count(f"{few} (here 0.001 s) gives more, and --rounds 6 asks for them in every row.") == 1
    assert "block layout; 1 round a row; every value" in said
    rows = load(tmp_path / "r.json").rows
    assert max(row.limit_fraction or 0 for row in rows) > 20
    assert "cache-suspect" not in {row.verdict for row in rows} and "cache?" not in said
    assert "raw noisy: " in said


def test_what_is_faster_than_the_limit_in_every_round_is_suspect(headrace: Command, tmp_path: Path) -> None:
    options = ("--ranks", "2", "--method", "mpiio:collective", "--json", "r.json")
    done = headrace(*BASE, *SMALL, *options, FAKE_TRICK="slow-limit")
    assert done.returncode == 0, done.stderr
    verdicts = {(row.way, row.operation): row.verdict for row in load(tmp_path / "r.json").rows}
    assert verdicts["mpiio:collective", "write"] == "cache-suspect"
    assert verdicts["raw:file_per_process", "write"] == "valid"
    assert "cache?" in done.stdout and "raw noisy" not in done.stdout


def test_the_first_axis_can_be_split(headrace: Command, tmp_path: Path) -> None:
    options = ("--ranks", "2", "--method", "mpiio:collective", "--layout", "fast", "--json", "r.json")
    done = headrace(*BASE, *SMALL, *options)
    assert done.returncode == 0, done.stderr
    assert {row.layout for row in load(tmp_path / "r.json").rows} == {"fast"} and "fast layout" in done.stdout


def test_preparing_counts_nothing_that_is_not_known(headrace: Command) -> None:
    done = headrace(*BASE, *TALKING, "--ranks", "2", "--method", "mpiio:collective")
    assert "preparing: 0 s, starting a worker" in done.stderr
    assert re.search(r"measuring: 1/\d+, ", done.stderr), "what is known is counted"


def test_without_ompio_its_ratios_are_absent_with_the_reason(headrace: Command, tmp_path: Path) -> None:
    done = headrace(*BASE, *SMALL, "--ranks", "2", "--json", "r.json", FAKE_MODULE="romio")
    assert done.returncode == 0, done.stderr
    run = load(tmp_path / "r.json")
    assert "shared_vs_romio_best" in run.ratios["2"] and "zarr_vs_best_collective" in run.ratios["2"]
    for name in ("shared_write_vs_ompio", "shared_read_vs_ompio", "zarr_vs_best_collective_ompio"):
        assert "OMPIO" in run.absent["2"][name]


def test_wrong_values_are_found_and_said(headrace: Command, tmp_path: Path) -> None:
    options = ("--ranks", "2", "--method", "hdf5:collective,mpiio:collective", "--json", "r.json")
    done = headrace(*BASE, *SMALL, *options, FAKE_TRICK="wrong")
    assert done.returncode == 1
    said = "wrong: 2 MPI ranks, hdf5:collective, write and read: 7 of 16,384 values were read back wrongly"
    assert said in " ".join(done.stdout.split())
    rows = {(row.way, row.operation): row for row in load(tmp_path / "r.json").rows}
    assert rows["hdf5:collective", "read"].outcome == "wrong"
    assert rows["mpiio:collective", "read"].outcome == "measured"


def test_a_failure_of_headrace_is_exit_code_1_and_the_rest_is_measured(headrace: Command, tmp_path: Path) -> None:
    done = headrace(*BASE, *SMALL, "--ranks", "2", "--json", "r.json", FAKE_TRICK="fails", FAKE_MODULE="romio")
    assert done.returncode == 1
    assert "MPI rank 1: no space left on device" in " ".join(done.stdout.split())
    run = load(tmp_path / "r.json")
    assert "zarr_vs_fpp" in run.ratios["2"]
    assert run.intervals["2"]["shared_vs_romio_best"].meaning.endswith("hdf5"), "the other of the two still counts"


@pytest.mark.parametrize(("trick", "said"), [("dies", "Killed"), ("hangs", "stopped after 2 s")])
def test_a_worker_that_ends_or_hangs_is_started_again(headrace: Command, tmp_path: Path, trick: str, said: str) -> None:
    options = ("--ranks", "2", "--method", "mpiio:collective,hdf5:collective", "--limit", "2", "--json", "r.json")
    done = headrace(*BASE, *SMALL, *options, FAKE_TRICK=trick)
    assert done.returncode == 0, done.stderr
    rows = {row.key: row for row in load(tmp_path / "r.json").rows}
    assert said in rows["mpi:mpiio:collective:write"].message
    assert rows["mpi:mpiio:collective:write"].outcome == ("timed-out" if trick == "hangs" else "failed")
    assert rows["mpi:hdf5:collective:write"].samples, "others go on with a new worker"
    assert said in done.stdout


@pytest.mark.parametrize("trick", ["garbage", "other-id"])
def test_a_reply_that_is_none_fails_its_method(headrace: Command, trick: str) -> None:
    done = headrace(*BASE, *SMALL, "--ranks", "2", "--method", "mpiio:collective", FAKE_TRICK=trick)
    assert "not JSON" in done.stdout if trick == "garbage" else "answered request" in done.stdout


def test_interruption_keeps_what_was_measured(tmp_path: Path) -> None:
    options = ("--ranks", "2", "--method", "mpiio:collective", "--rounds", "30", "--time-budget", "100")
    process = start_and_await("round 2: ", tmp_path, *BASE, *TALKING, *options, "--json", "r.json", FAKE_TRICK="slow")
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "The run was interrupted" in output
    run = load(tmp_path / "r.json")
    assert not run.complete and any(row.samples for row in run.rows)
    assert not list(tmp_path.glob("headrace-scratch*"))


def test_ctrl_c_while_the_solver_of_the_model_is_loaded_keeps_what_was_measured(tmp_path: Path) -> None:
    options = ("--ranks", "1,2,3,4", "--method", "raw:shared_file", "--json", "r.json", "--quiet")
    command = [sys.executable, "-X", "importtime", "-m", "headrace", *BASE, *TALKING, *options]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    assert any(" scipy.optimize." in line for line in process.stderr), "the module was never loaded"
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "The scaling model was interrupted" in output and "Traceback" not in errors
    run = load(tmp_path / "r.json")
    assert not run.complete and {row.ranks for row in run.rows if row.samples} == {1, 2, 3, 4}


def test_the_method_that_moves_nothing_is_no_winner(headrace: Command, tmp_path: Path) -> None:
    done = headrace(*BASE, *SMALL, "--ranks", "2", "--method", "null", "--json", "r.json")
    assert done.returncode == 0, done.stderr
    rows = [row for row in load(tmp_path / "r.json").rows if row.method == "null"]
    assert rows and all(row.samples and row.limit_fraction is None for row in rows)
    done = headrace(*BASE, *SMALL, "--ranks", "2", "--method", "null")
    assert done.stdout.startswith("On 2 MPI ranks raw:file_per_process writes fastest"), done.stdout


def test_where_nothing_could_be_measured_the_exit_code_is_1(headrace: Command) -> None:
    options = ("--method", "mpiio:collective", "--limit", "0.05")
    done = headrace(*BASE, *SMALL, "--ranks", "2", *options, FAKE_TRICK="slow")
    assert done.returncode == 1 and "No ratio could be taken" in done.stdout, done.stdout + done.stderr


def test_many_independent_calls_earn_a_remark(headrace: Command, tmp_path: Path) -> None:
    done = headrace(*BASE, *SMALL, "--ranks", "2", "--backend", "mpiio", "--collective", "both", "--json", "r.json")
    assert done.returncode == 0, done.stderr
    remarks = load(tmp_path / "r.json").remarks
    assert remarks and all(
        "mpiio:independent" in remark and "100,000 independent calls" in remark for remark in remarks
    )


def test_cold_reads_whose_pages_stayed_are_unknown(headrace: Command, tmp_path: Path) -> None:
    options = ("--condition", "synced", "--condition", "cold", "--method", "mpiio:collective", "--json", "r.json")
    assert headrace(*BASE, *SMALL, "--ranks", "2", *options).returncode == 0
    rows = load(tmp_path / "r.json").rows
    assert {(row.operation, row.condition) for row in rows} == {("write", "synced"), ("read", "cold")}
    assert {row.verdict for row in rows if row.operation == "read"} == {"unknown"}


@pytest.mark.parametrize(
    ("preset", "figures"),
    [("pop", ["8500", "200", "110", "900", "MareNostrum4"]), ("archer2", ["150", "NVMe", "HDD", "2,048 processes"])],
)
def test_presets_stand_beside_their_published_figures(
    headrace: Command, tmp_path: Path, preset: str, figures: list[str]
) -> None:
    options = ("--preset", preset, "--ranks", "2", "--rounds", "3", "--dir", ".", "--quiet", "--json", "r.json")
    done = headrace(*BASE, *options)
    assert done.returncode == 0, done.stderr
    run = load(tmp_path / "r.json")
    assert run.published is not None and run.published.differs
    size = 2 * (800_000 if preset == "pop" else 32 << 20)
    assert {row.payload_bytes for row in run.rows} == {size}
    for table in run.published.tables:
        assert all(row.values and set(row.values) <= set(table.columns) for row in table.rows)
    for figure in figures:
        assert figure in done.stdout


@pytest.mark.parametrize("preset", ["pop", "archer2"])
def test_a_preset_of_one_round_has_no_quartiles(headrace: Command, tmp_path: Path, preset: str) -> None:
    options = ("--preset", preset, "--ranks", "2", "--rounds", "1", "--time-budget", "0.001", "--dir", ".", "--quiet")
    done = headrace(*BASE, *options, "--json", "r.json", "--report", "r.html")
    assert done.returncode == 0, done.stderr
    lacking = "no interval" if preset == "pop" else "no quartiles and no interval"
    assert f"Here: one round (n=1): {lacking}." in " ".join(done.stdout.split())
    page = (tmp_path / "r.html").read_text()
    assert "one round (n=1)" in page and "<small>one round</small>" in page
    run = load(tmp_path / "r.json")
    assert run.published is not None
    measured = [row.values for table in run.published.tables for row in table.rows if ":" in row.what]
    assert measured and all(len(values) == 1 for values in measured)


def test_json_to_standard_output_is_json_alone(headrace: Command) -> None:
    done = headrace(*BASE, *SMALL, "--ranks", "2", "--method", "mpiio:collective", "--json", "-")
    assert json.loads(done.stdout)["command"] == "bench parallel"


def test_several_directories_and_conditions_each_have_their_group(headrace: Command, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    conditions = ("--condition", "cached", "--condition", "synced", "--condition", "warm")
    options = ("--ranks", "1,2", "--method", "headrace:zarr:file_per_process", "--dir", "a", "--dir", "b", *conditions)
    done = headrace(*BASE, *SMALL[:-3], "--quiet", *options, "--json", "r.json")
    assert done.returncode == 0, done.stderr
    run = load(tmp_path / "r.json")
    assert {(g.ranks, g.directory, g.write_condition) for g in run.groups} == {
        (ranks, name, condition) for ranks in (1, 2) for name in ("a", "b") for condition in ("cached", "synced")
    }
    first = next(group for group in run.groups if group.ranks == 2)
    assert (first.directory, first.write_condition) == ("a", "cached")
    assert run.intervals["2"] == first.intervals and set(run.ratios) == {"1", "2"}
    assert not list((tmp_path / "a").iterdir()) and not list((tmp_path / "b").iterdir())
