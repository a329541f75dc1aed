"""The command line on a file system: what it sees of it, its benchmarks, and its advice."""

import json
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from filesystems.results import Check
from headrace.measure.provenance import describe_directory

ROOT = Path(__file__).resolve().parents[3]
SELECT = "formatted:whole_constant,unformatted:short_records,unformatted:whole,headrace:npy"
METHODS = (
    *("raw:file_per_process", "raw:shared_file", "headrace:zarr:file_per_process", "headrace:npy:shared_collective"),
    *("headrace:hdf5:shared_collective", "headrace:npy:shared_collective:library", "mpiio:collective"),
    *("hdf5:collective", "netcdf4:collective", "pnetcdf:collective"),
)
CONDITIONS = ("cached", "synced", "warm", "cold")
_LIMIT = 900  # seconds for one command


def headrace(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """The command as a user starts it."""
    own = {"HEADRACE_CACHE": str(ROOT / "build" / "test-cache"), "NO_COLOR": "1"}
    own |= {f"OMPI_MCA_{layer}_if_include": "lo" for layer in ("oob_tcp", "btl_tcp")}  # Open MPI leaves it out
    return subprocess.run(
        [sys.executable, "-m", "headrace", *words],
        cwd=folder,
        env=os.environ | own,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=_LIMIT,
    )


def detection(folder: Path, expected: str) -> Check:
    """The type of the file system, as the command tells it."""
    found = describe_directory(folder)
    said = f"{found.file_system} ({found.device}), statfs says {_statfs(folder)}"
    if expected and found.file_system != expected:
        return Check("headrace: sees the file system", "fails", f"{said}; expected {expected}")
    if not 0 < found.free_bytes <= found.total_bytes:
        return Check("headrace: sees the file system", "fails", f"{found.free_bytes:,} of {found.total_bytes:,} bytes")
    return Check("headrace: sees the file system", "works", said)


def _statfs(folder: Path) -> str:
    done = subprocess.run(["stat", "--file-system", "--format=%T", folder], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def advice(folder: Path) -> Check:
    """`headrace advise`, if this headrace has it: it must end well and name the file system."""
    name = "headrace: advise"
    if headrace(folder, "advise", "--help").returncode != 0:
        return Check(name, "left out", "this headrace has no `advise`")
    words = ("--ranks", "4", "--size", "32MiB", "--pattern", "shared", "--verbose")
    done = headrace(folder, "advise", "--dir", str(folder), *words)
    if done.returncode != 0:
        return Check(name, "fails", f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    kind = describe_directory(folder).file_system
    if kind not in done.stdout:
        return Check(name, "fails", f"it does not name {kind}")
    return Check(name, "works")


def bench(folders: dict[str, Path], work: Path) -> dict[str, list[Check]]:
    """`headrace bench` over all folders in one run, so that they are compared round by round."""
    words = ["--select", SELECT, "--size", "2MiB", "--rounds", "3", "--min-time", "0.001", "--fc", "gfortran"]
    for condition in CONDITIONS:
        words += ["--condition", condition]
    return _measured("bench", words, folders, work, _serial)


def parallel(folders: dict[str, Path], work: Path) -> dict[str, list[Check]]:
    """`headrace bench parallel` on two MPI ranks, over all folders in one run."""
    words = ["--ranks", "2", "--size", "2MiB", "--rounds", "3", "--min-time", "0.001"]
    words += [word for method in METHODS for word in ("--method", method)]
    return _measured("bench parallel", words, folders, work, _shared)


Row = dict[str, Any]
Named = Callable[[Row], str]


def _measured(
    command: str, words: Sequence[str], folders: dict[str, Path], work: Path, named: Named
) -> dict[str, list[Check]]:
    name, file = f"headrace: {command}", work / f"{command.replace(' ', '-')}.json"
    places = [word for folder in folders.values() for word in ("--dir", str(folder))]
    limits = ["--time-budget", "200", "--limit", "60"]
    done = headrace(work, *command.split(), *words, *places, *limits, "--json", str(file), "-q")
    if done.returncode not in (0, 1) or not file.exists():
        said = f"exit code {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}"
        return {place: [Check(name, "fails", said)] for place in folders}
    rows = json.loads(file.read_text())["rows"]
    own = {place: [row for row in rows if row["directory"] == str(folder)] for place, folder in folders.items()}
    first = {named(row): row for row in next(iter(own.values()))}
    return {place: [_rows(name, own[place], first, named)] for place in folders}


def _rows(name: str, own: list[Row], first: dict[str, Row], named: Named) -> Check:
    """Each way must have been measured and have given its data back; how many times as long it took as in the first."""
    own = [row for row in own if not (row["outcome"] == "skipped" and row["message"].startswith("built without"))]
    bad = [row for row in own if row["outcome"] != "measured" or row["verdict"] == "unverified"]
    if not own:
        return Check(name, "fails", "no row of this folder")
    figures: dict[str, float] = {"rows": len(own)}
    for row in own:
        if row["statistics"]:
            figures[f"{named(row)} MB/s"] = round(row["statistics"]["median"], 3)
            figures |= _slower(named(row), row, first.get(named(row)))
    own_bad = [row for row in bad if not _is_of_others(row)]
    if own_bad:
        return Check(name, "fails", f"{len(own_bad)} of {len(own)} rows: {_said(own_bad, named)}", figures)
    if bad:
        return Check(name, "works, others do not", _said(bad, named), figures)
    return Check(name, "works", "", figures)


def _is_of_others(row: Row) -> bool:
    """It moves its data by another library's calls."""
    method = row.get("method", "raw:")
    return method.endswith(":library") or not method.startswith(("headrace:", "raw:"))


def _said(rows: list[Row], named: Named) -> str:
    """Which writes fail, and what the first of them tells, without names of folders."""
    writes = [row for row in rows if row["operation"] == "write"] or rows
    names = ", ".join(dict.fromkeys(named(row).rpartition(", ")[2] for row in writes))
    return f"{names}: {re.sub(r'/[^ ;]+', 'FILE', writes[0]['message'])[:200]}"


def _slower(name: str, row: Row, first: Row | None) -> dict[str, float]:
    """Pair by pair: the time in each round, divided by that of the first folder in the same round."""
    if first is None or first is row:
        return {}
    others = {sample["round"]: first["payload_bytes"] / sample["total"] for sample in first["samples"]}
    ratios = sorted(
        others[sample["round"]] * sample["total"] / row["payload_bytes"]
        for sample in row["samples"]
        if sample["round"] in others
    )
    if not ratios:
        return {}
    found = {"median": statistics.median(ratios), "least": ratios[0], "most": ratios[-1], "rounds": len(ratios)}
    return {f"{name} times, {which}": round(value, 3) for which, value in found.items()}


def _serial(row: Row) -> str:
    return f"{row['operation']} {row['condition']}, `{row['family']}:{row['mechanism']}`"


def _shared(row: Row) -> str:
    settings = " ".join(filter(None, (row["environment"].get("OMPI_MCA_io", ""), row["hints_asked"])))
    return f"{row['operation']} {row['condition']}, 2 MPI ranks, `{row['method']}{' ' * bool(settings)}{settings}`"
