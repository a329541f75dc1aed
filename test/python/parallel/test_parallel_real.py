"""`headrace bench parallel` with the real worker, on each MPI for which one is built; small arrays, no times."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import REPOSITORY
from headrace.measure.parallel.launcher import romio_module
from headrace.measure.parallel.program import NAME
from headrace.measure.parallel.rows import MANY
from headrace.results.files import schema
from headrace.results.parallel import ParallelRun
from validation import validate

Command = Callable[..., "subprocess.CompletedProcess[str]"]
SMALL = ("--size", "256KiB", "--min-time", "0.0001", "--rounds", "1", "--time-budget", "1", "--dir", ".", "--quiet")
LAUNCHERS = {"openmpi": ("mpirun.openmpi", "mpirun"), "mpich": ("mpirun.mpich", "mpirun")}


def mpi_of(worker: Path) -> str:
    """openmpi or mpich, from the library that it loads; "" if it cannot run here."""
    done = subprocess.run(["ldd", str(worker)], capture_output=True, text=True)
    if done.returncode != 0 or "not found" in done.stdout:
        return ""
    return "mpich" if "libmpich" in done.stdout else "openmpi" if "libmpi" in done.stdout else ""


def built() -> Iterator[Path]:
    """Those below build/; the folders of tests are left out: other tests make and remove files there meanwhile."""
    for folder, folders, files in os.walk(REPOSITORY / "build"):
        folders[:] = [name for name in folders if name != "test"]
        if NAME in files:
            yield Path(folder) / NAME


def workers() -> dict[str, Path]:
    """One an MPI: those that HEADRACE_PARALLEL_WORKER names, with ':' between, or built below build/ or on the PATH."""
    given = os.environ.get("HEADRACE_PARALLEL_WORKER", "")
    found = [Path(path) for path in (*given.split(":"), shutil.which(NAME) or "") if path]
    found += sorted(built())
    return {mpi: path for path in reversed(found) if path.is_file() and (mpi := mpi_of(path))}


WORKERS = workers()


def bench(headrace: Command, mpi: str, *options: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run it as a user does: with the launcher of that MPI beside its wrapper."""
    if mpi not in WORKERS:
        pytest.skip(f"{NAME} is not built with {mpi} (cmake -DHEADRACE_MPI=ON, or HEADRACE_PARALLEL_WORKER)")
    if not any(shutil.which(name) for name in LAUNCHERS[mpi]):
        pytest.skip(f"there is no launcher of {mpi}")
    wrapper = f"mpicxx.{mpi}" if shutil.which(f"mpicxx.{mpi}") else "mpicxx"
    return headrace("bench", "parallel", "--worker", str(WORKERS[mpi]), "--mpi", wrapper, *options, **environment)


def load(path: Path) -> ParallelRun:
    data = json.loads(path.read_text())
    validate(data, schema)
    return ParallelRun.model_validate(data)


@pytest.mark.parametrize("mpi", LAUNCHERS)
def test_every_method_of_the_ratios_is_right_or_unavailable(headrace: Command, tmp_path: Path, mpi: str) -> None:
    files = ("--json", "r.json", "--report", "r.html", "--trace", "t.json")
    done = bench(headrace, mpi, *SMALL, "--ranks", "2", *files)
    assert done.returncode == 0, done.stdout + done.stderr
    assert max(len(line) for line in done.stdout.splitlines()) <= 100
    run = load(tmp_path / "r.json")
    bad = {row.key: row.message for row in run.rows if row.outcome not in ("measured", "skipped")}
    assert not bad
    measured = [row for row in run.rows if row.samples]
    for row in measured:
        assert len(row.rank_times) == 2 and row.last_done and row.first_done and row.first_done <= row.last_done
        assert row.file_bytes >= row.payload_bytes, row.key
    assert {row.message for row in run.rows if row.outcome == "skipped"} <= set(run.unavailable.values())
    assert "zarr_vs_fpp" in run.ratios["2"] and "shared_vs_single_file_limit" in run.ratios["2"]
    ompio = "shared_write_vs_ompio" in run.ratios["2"]
    assert ompio == any(worker.mpi_io == "ompio" for worker in run.workers)
    assert (mpi == "mpich") <= (not ompio)
    spans = [e for e in json.loads((tmp_path / "t.json").read_text())["traceEvents"] if e["ph"] == "X"]
    assert {e["tid"] for e in spans} == {0, 1} and {"open", "transfer"} <= {e["name"] for e in spans}
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


def test_the_same_array_in_every_layout_on_three_mpi_ranks(headrace: Command, tmp_path: Path) -> None:
    for layout in ("slab", "pencil", "block", "fast"):
        methods = "headrace:zarr:file_per_process,headrace:npy:shared_collective,mpiio:collective"
        options = ("--ranks", "3", "--layout", layout, "--method", methods, "--json", "r.json")
        done = bench(headrace, "openmpi", *SMALL, *options)
        assert done.returncode == 0, done.stdout + done.stderr
        rows = load(tmp_path / "r.json").rows
        assert len(rows) == 10 and all(row.outcome == "measured" and row.layout == layout for row in rows)


def test_hints_in_force_and_calls_are_reported(headrace: Command, tmp_path: Path) -> None:
    vary = ("--vary", "cb_nodes=1,2", "--vary", f"env:OMPI_MCA_io={romio_module('mpicxx.openmpi')}")
    options = ("--ranks", "2", "--method", "mpiio:collective,mpiio:independent", *vary, "--json", "r.json")
    done = bench(headrace, "openmpi", *SMALL, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    run = load(tmp_path / "r.json")
    rows = {(row.method, row.hints_asked, row.operation): row for row in run.rows if row.environment}
    for count in ("1", "2"):
        row = rows["mpiio:collective", f"cb_nodes={count}", "write"]
        assert f"cb_nodes={count}" in row.hints_in_force.split(",")
        assert row.counts and row.counts.collective_writes == 2 and row.counts.independent_writes < MANY
        single = rows["mpiio:independent", f"cb_nodes={count}", "write"].counts
        assert single and single.collective_writes == 0 and single.independent_writes >= 2


def test_pop_and_its_five_programs(headrace: Command, tmp_path: Path) -> None:
    options = ("--preset", "pop", "--ranks", "2", "--rounds", "1", "--time-budget", "1", "--dir", ".", "--quiet")
    done = bench(headrace, "openmpi", *options, "--json", "r.json")
    assert done.returncode == 0, done.stdout + done.stderr
    run = load(tmp_path / "r.json")
    assert run.published is not None
    measured = {row.what for row in run.published.tables[0].rows if "on 2 here" in row.values}
    assert {"serial ASCII", "MPI-IO, collective", "MPI-IO, independent"} <= measured
    assert {row.payload_bytes for row in run.rows} == {1_600_000}


def test_the_launcher_of_another_mpi_is_named_as_the_reason(headrace: Command) -> None:
    if shutil.which("mpirun.mpich") is None:
        pytest.skip("MPICH is not installed beside")
    done = bench(headrace, "openmpi", *SMALL, "--ranks", "2", "--launcher", "mpirun.mpich -n {ranks}")
    assert done.returncode == 2
    assert "it belongs to another MPI" in done.stderr or "no worker on 2 MPI ranks" in done.stderr
    assert "--mpi mpicxx.openmpi" in done.stderr or "it belongs to another MPI" not in done.stderr
