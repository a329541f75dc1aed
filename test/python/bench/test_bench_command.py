"""`headrace bench` as a user runs it: results, interruptions, bad input."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import start_and_await
from headrace.measure.compilers import find_compilers
from headrace.results.files import load

Command = Callable[..., "subprocess.CompletedProcess[str]"]
SMALL = ("--size", "300kB", "--min-time", "0.001", "--rounds", "1", "--time-budget", "0.1", "--quiet")

pytestmark = pytest.mark.skipif(not find_compilers(), reason="no Fortran compiler is installed")


def scratch_left(folder: Path) -> list[str]:
    return [p.name for p in folder.rglob("headrace-scratch-*")]


def test_a_small_run_gives_tables_results_and_a_report(started: Command, tmp_path: Path) -> None:
    select = "unformatted:whole,unformatted:element,null"
    rounds = ("--rounds", "3", "--time-budget", "100")
    done = started("bench", "--select", select, *SMALL, *rounds, "--json", "run.json")
    assert done.returncode == 0, done.stderr
    assert re.search(
        "times the\\s+slowest|No conclusion on writing", done.stdout.split("\n\n")[0]
    )  # a noisy machine has none
    assert max(len(line) for line in done.stdout.splitlines()) <= 100
    assert (tmp_path / "headrace-report.html").stat().st_size > 1000
    run = load(tmp_path / "run.json")
    assert run.complete and run.compilers and run.directories[0].file_system != "unknown"
    rows = [r for r in run.rows if r.key == "unformatted:whole"]
    assert {r.operation for r in rows} == {"write", "read"}
    for row in rows:
        assert row.outcome == "measured" and row.statistics and row.statistics.n >= 3
        assert row.ceiling_fraction and row.payload_bytes == 8 * row.count == 300_000 // 24 * 24
        assert row.file_bytes == row.payload_bytes + 8
        assert row.peak_memory_bytes is not None
        assert row.samples[0].system_calls > 0
    assert run.compilers[0].compiler_version and run.compilers[0].compiler_options
    assert run.provenance.cores >= 1 and run.provenance.dirty_limits
    assert scratch_left(tmp_path) == []


def test_select_write_gives_writes_alone(headrace: Command, tmp_path: Path) -> None:
    headrace("bench", "--select", "stream:whole", "--select", "write", *SMALL, "--json", "run.json", "--no-report")
    run = load(tmp_path / "run.json")
    assert {r.operation for r in run.rows if r.key == "stream:whole"} == {"write"}
    assert not (tmp_path / "headrace-report.html").exists()


def test_two_directories_and_conditions_stand_side_by_side(headrace: Command, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    conditions = [word for c in ("cached", "warm", "synced", "cold") for word in ("--condition", c)]
    done = headrace(
        "bench",
        "--dir",
        "one",
        "--dir",
        "two",
        "--select",
        "unformatted:whole",
        *conditions,
        *SMALL,
        "--json",
        "r.json",
    )
    assert done.returncode == 0, done.stderr
    rows = [r for r in load(tmp_path / "r.json").rows if r.key == "unformatted:whole"]
    assert {(r.directory, r.condition) for r in rows} == {
        (d, c) for d in ("one", "two") for c in ("cached", "warm", "synced", "cold")
    }
    synced = [s for r in rows if r.condition == "synced" for s in r.samples]
    assert all(s.sync > 0 for s in synced)
    cold = [r for r in rows if r.condition == "cold"]
    assert all(r.resident_share is not None for r in cold)
    assert all(r.verdict == "unknown" for r in cold if r.resident_share and r.resident_share > 0.01)


def test_a_cold_read_on_tmpfs_is_unknown(headrace: Command, tmp_path: Path) -> None:
    if not os.access("/dev/shm", os.W_OK):
        pytest.skip("no /dev/shm")
    rounds = ("--rounds", "3", "--time-budget", "60")  # of fewer rounds the message says that
    what = ("--select", "stream:whole", "--condition", "cold")
    headrace("bench", "--dir", "/dev/shm", *what, *SMALL, *rounds, "--json", "r.json")
    rows = [r for r in load(tmp_path / "r.json").rows if r.key == "stream:whole" and r.operation == "read"]
    assert rows and all(r.verdict == "unknown" and "stayed in the page cache" in r.message for r in rows)


def test_readers_of_parts_are_rows(headrace: Command, tmp_path: Path) -> None:
    done = headrace(
        "bench", "--select", "part_of_file", "--readers", "1,3", *SMALL, "--size", "2MB", "--json", "r.json"
    )
    assert done.returncode == 0, done.stderr
    rows = [r for r in load(tmp_path / "r.json").rows if r.family == "part_of_file"]
    assert {r.processes for r in rows} == {1, 3}
    assert {r.mechanism for r in rows} == {"scalar_dummy", "array_dummy", "loop", "stream_position", "direct"}
    assert all(r.outcome == "measured" for r in rows), [r.message for r in rows]
    assert "Part of a file" in done.stdout


def test_json_goes_to_standard_output(headrace: Command, tmp_path: Path) -> None:
    done = headrace("bench", "--select", "stream:whole", *SMALL, "--json", "-")
    assert json.loads(done.stdout)["schema_version"] == 2
    assert list(tmp_path.iterdir()) == []


def test_a_refusal_is_a_row_with_the_compilers_message(headrace: Command, tmp_path: Path) -> None:
    done = headrace("bench", "--fc", find_compilers()[0].name, "--select", "vendor_open", *SMALL, "--json", "r.json")
    rows = [r for r in load(tmp_path / "r.json").rows if r.family == "vendor_open"]
    if find_compilers()[0].vendor == "intel":
        pytest.skip("Intel's compilers accept these specifiers")
    assert rows and all(r.outcome == "refused" and r.message for r in rows)
    assert "refused vendor_open:whole_buffered" in done.stdout


def test_direct_io_that_is_refused_is_a_row(
    headrace: Command, tmp_path: Path, interpose: Callable[[str], Path]
) -> None:
    done = headrace(
        "bench",
        "--select",
        "c_library:direct_1m",
        *SMALL,
        "--json",
        "r.json",
        LD_PRELOAD=str(interpose("no_direct_io")),
    )
    rows = [r for r in load(tmp_path / "r.json").rows if r.mechanism == "direct_1m"]
    assert done.returncode == 0, done.stderr
    assert rows and all(r.outcome == "refused" and "direct I/O" in r.message for r in rows)


FOREVER = ("--size", "2MB", "--min-time", "0.001", "--rounds", "1000", "--time-budget", "1000", "--no-report")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_prints_what_it_has_and_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    arguments = ("bench", "--select", "unformatted:whole", *FOREVER, "--json", "r.json")
    process = start_and_await("round 2: ", tmp_path, *arguments)
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "interrupted" in output and "unformatted:whole" in output
    assert scratch_left(tmp_path) == []
    run = load(tmp_path / "r.json")
    assert not run.complete and any(r.statistics for r in run.rows)


def test_a_run_whose_scratch_directory_is_removed_keeps_what_it_measured(tmp_path: Path) -> None:
    process = start_and_await(
        "round 2: ", tmp_path, "bench", "--select", "unformatted:whole", *FOREVER, "--json", "r.json"
    )
    for name in scratch_left(tmp_path):
        shutil.rmtree(tmp_path / name, ignore_errors=True)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "Traceback" not in output
    rows = load(tmp_path / "r.json").rows
    assert any(row.samples for row in rows)
    assert any("somebody removed it during the run" in row.message for row in rows)


def test_two_runs_that_begin_in_one_second_keep_two_results(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "headrace", "bench", "--select", "null:nothing", *SMALL, "--no-report"]
    runs = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    written = [re.search(r"wrote (headrace-\S+\.json)", run.communicate(timeout=120)[0]) for run in runs]
    names = {found[1] for found in written if found}
    assert len(names) == 4
    assert all(load(tmp_path / name).rows for name in names)


def test_what_a_killed_run_leaves_is_removed_by_the_next(headrace: Command, tmp_path: Path) -> None:
    process = start_and_await("round 1: ", tmp_path, "bench", "--select", "stream:whole", *FOREVER)
    process.kill()
    process.communicate(timeout=30)
    assert len(scratch_left(tmp_path)) == 1
    assert headrace("bench", "--select", "stream:whole", *SMALL, "--no-report").returncode == 0
    assert scratch_left(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--fc", "no-such-fortran"), "compiler 'no-such-fortran' was not found"),
        (("--dir", "missing"), "directory missing does not exist"),
        (("--dir", "/proc"), "directory /proc cannot be written"),
        (("--dir", "/etc/passwd"), "/etc/passwd is not a directory"),
        (("--select", "nonsense"), "nothing is called 'nonsense'"),
        (("--size", "10 parsecs"), "is not a size"),
        (("--size", "900TB"), "MB are free"),
        (("--readers", "0"), "is not a list of numbers"),
        (("--rounds", "none"), "is not a whole number"),
        (("--min-time", "-1"), "is not a time in seconds"),
        (("--condition", "lukewarm"), "invalid choice"),
        (("--flags", "-fno-such-flag"), "-fno-such-flag"),
        (("--flags", '"x'), "cannot be split into flags"),
        (("--size", "1e400"), "is not a size"),
        (("--dir", ""), "an empty name of a directory: is a variable"),
        (("--json", ""), "an empty name of a file: is a variable"),
        (("--select", ""), "an empty name in ''"),
        (("--select", "stream,,null"), "an empty name in 'stream,,null'"),
        (("--seed", "x"), "'x' is not a whole number"),
        (("--report", "."), "--report .: is a directory"),
        (("--json", "missing/a.json"), "directory missing does not exist"),
        (("--report", "/proc/report.html"), "directory /proc cannot be written"),
    ],
)
def test_bad_input_is_a_clear_error(
    headrace: Command, tmp_path: Path, arguments: tuple[str, str], message: str
) -> None:
    done = headrace("bench", "--quiet", *arguments)
    assert done.returncode == 2, done.stdout
    assert message in done.stderr.replace(f"{tmp_path}/", "")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def full_disk(tmp_path: Path, interpose: Callable[[str], Path]) -> Callable[[int], dict[str, str]]:
    """The directory `full`, and the environment in which it takes so many bytes."""
    (tmp_path / "full").mkdir()

    def environment(bytes_left: int) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(interpose("full_disk")),
            "HEADRACE_TEST_DISK_BYTES": str(bytes_left),
            "HEADRACE_TEST_DISK_PATH": "full",
        }

    return environment


def test_a_full_directory_is_refused_at_once(headrace: Command, full_disk: Callable[[int], dict[str, str]]) -> None:
    done = headrace("bench", "--dir", "full", **full_disk(0))
    assert done.returncode == 2
    assert "No space left on device" in done.stderr and "--dir" in done.stderr


def test_a_directory_that_fills_up_is_said_row_by_row(
    headrace: Command, tmp_path: Path, full_disk: Callable[[int], dict[str, str]]
) -> None:
    done = headrace(
        "bench",
        "--dir",
        "full",
        "--select",
        "c_library:fwrite_row,stream:whole",
        *SMALL,
        "--json",
        "r.json",
        **full_disk(100000),
    )
    rows = [r for r in load(tmp_path / "r.json").rows if r.family == "stream"]
    assert rows and all(r.outcome in ("failed", "wrong") and r.message for r in rows)
    assert "stream:whole" in done.stdout
    assert scratch_left(tmp_path) == []


def test_the_list_shows_statements_knobs_and_checks(headrace: Command) -> None:
    done = headrace("bench", "--list")
    assert done.returncode == 0
    for text in ("unformatted:whole", "write: write (unit) array", "GFORTRAN_UNBUFFERED_ALL=y", "untested", "checks"):
        assert text in done.stdout


def test_help_has_examples_and_exit_codes(started: Command) -> None:
    assert "exit codes" in started("--help").stdout
    assert "examples" in started("bench", "--help").stdout


def test_the_schema_is_printed(started: Command) -> None:
    printed = json.loads(started("schema").stdout)
    kinds = [printed["$defs"][f"{kind}Run"]["properties"] for kind in ("", "Text", "Binary", "Parallel")]
    assert [kind["schema_version"]["const"] for kind in kinds] == [2] * 4


def test_compare_says_what_differs(headrace: Command, started: Command) -> None:
    rounds = ("--rounds", "3", "--time-budget", "1")
    for name in ("a.json", "b.json"):
        headrace("bench", "--select", "stream:whole", *SMALL, *rounds, "--json", name, "--no-report")
    done = started("compare", "a.json", "b.json", "--all")
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d+ rows are in both files: B is faster in \d+ and slower in \d+", done.stdout)
    assert "write stream:whole" in done.stdout
    assert json.loads(headrace("compare", "a.json", "b.json", "--json").stdout)["rows"][0]["ratio"] > 0
    assert headrace("compare", "a.json", "missing.json").returncode == 2


def test_select_says_that_there_is_no_cost_model(headrace: Command) -> None:
    small = [word for word in SMALL if word != "--no-model"]
    done = headrace("bench", "--select", "stream:whole", *small, "--json", "headrace-r.json", "--no-report")
    assert "cost model: it is tested on the default mechanisms; leave out --select" in " ".join(done.stdout.split())
    asked = headrace("predict", "--from", "stream:element", "--to", "stream:whole", "--count", "10")
    assert asked.returncode == 2
    assert "holds no cost model (it is tested on the default mechanisms" in " ".join(asked.stderr.split())


def test_relative_paths_work_for_compiler_and_cache(headrace: Command, tmp_path: Path) -> None:
    wrapper = tmp_path / "mpifort"
    wrapper.write_text(f'#!/bin/sh\nexec {find_compilers()[0].path} "$@"\n')
    wrapper.chmod(0o755)
    arguments = ("--fc", "./mpifort", "--select", "stream:whole", *SMALL, "--json", "r.json", "--no-report")
    done = headrace("bench", *arguments, HEADRACE_CACHE="cache")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "cache").is_dir()
    assert load(tmp_path / "r.json").compilers[0].path == str(wrapper)


@pytest.mark.parametrize("module", ["numpy", "pydantic", "rich"])
def test_ctrl_c_while_modules_load_is_no_traceback(tmp_path: Path, module: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "headrace", "bench", "--no-report"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    assert any(f" {module}." in line for line in process.stderr), "the module was never loaded"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in errors
    assert scratch_left(tmp_path) == []


def test_a_directory_named_twice_is_measured_once(headrace: Command, tmp_path: Path) -> None:
    headrace("bench", "--dir", ".", "--dir", ".", "--select", "stream:whole", *SMALL, "--json", "r.json", "--no-report")
    run = load(tmp_path / "r.json")
    keys = [(r.key, r.compiler, r.operation, r.condition, r.knob, r.processes) for r in run.rows]
    assert len(keys) == len(set(keys))
    assert len(run.directories) == 1
