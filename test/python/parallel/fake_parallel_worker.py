#!/usr/bin/env python3
"""A test double of headrace-parallel-worker: its times are made up, its replies can be unusual.

FAKE_RANKS is what a launcher would set; FAKE_TRICK says what is unusual: see `main` and `transfer`.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

RANKS = int(os.environ.get("FAKE_RANKS", "2"))
TRICK = os.environ.get("FAKE_TRICK", "")
SPEED = {"raw": 5e9, "headrace": 4.9e9, "ompio": 1e9, "romio321": 2e9, "adios2": 1.2e9}  # bytes a second
METHODS = [
    "null",
    *("raw:file_per_process", "raw:shared_file", "mpiio:collective", "mpiio:independent", "hdf5:collective"),
    *("netcdf4:collective", "pnetcdf:collective", "adios2:default", "adios2:tuned"),
    *("fortran:serial_ascii", "fortran:serial_binary", "netcdf4:independent"),
    *("mpiio:contiguous_collective", "mpiio:contiguous_independent"),
]


def module() -> str:
    return os.environ.get("OMPI_MCA_io", os.environ.get("FAKE_MODULE", "ompio"))  # noqa: SIM112


def hello() -> dict[str, Any]:
    missing = {"pnetcdf": "built without PnetCDF: libpnetcdf-dev is not installed"} if TRICK == "no-pnetcdf" else {}
    methods = [{"name": name, "available": missing.get(name.split(":")[0])} for name in METHODS]
    return {
        "hello": 1,
        "ranks": 1 if TRICK == "one-rank" else RANKS,
        "nodes": 1,
        "node_of": [0] * RANKS,
        "hosts": ["here"] * RANKS,
        "mpi": "Fake MPI 1.0",
        "mpi_io": module(),
        "mpi_standard": "3.1",
        "compiler": "none",
        "fortran": "none",
        "headrace": "0",
        "formats": {"zarr": None, "pnetcdf": missing.get("pnetcdf")},
        "clock_offset": [0.0] * RANKS,
        "methods": methods,
        "a_later_member": True,
    }


def seconds(request: dict[str, Any]) -> float:
    family = request["method"].split(":")[0]
    speed = SPEED.get(family, SPEED.get(module(), 2e9))
    if request["options"].get("checksum"):
        speed /= 1.05
    if TRICK == "slow-limit" and request["method"] == "raw:file_per_process" and request["operation"] == "write":
        speed /= 30
    x, y, z = request["global"]
    return 8 * x * y * z / speed * (1 if request["operation"] == "write" else 0.5)


def transfer(request: dict[str, Any]) -> dict[str, Any]:
    method, operation = request["method"], request["operation"]
    full = request["global"][2] != 64 or request["global"][0] != 16
    if TRICK == "dies" and method == "mpiio:collective" and full:
        print("mpirun noticed that process rank 1 exited on signal 9 (Killed).", file=sys.stderr)
        os._exit(137)
    if TRICK == "hangs" and method == "mpiio:collective" and full:
        time.sleep(60)
    if TRICK == "slow" and full:
        time.sleep(0.1)
    if TRICK == "fails" and method == "headrace:npy:shared_collective":
        return {"id": request["id"], "ok": False, "error": "MPI rank 1: no space left on device", "code": 28}
    if operation == "write":
        Path(request["file"]).write_bytes(b"x")
    elif not Path(request["file"]).exists():
        return {"id": request["id"], "ok": False, "error": "there is no such file", "code": 2}
    return reply(request, seconds(request))


def reply(request: dict[str, Any], wall: float) -> dict[str, Any]:
    read = request["operation"] == "read"
    wrong = 7 if TRICK == "wrong" and read and request["method"] == "hdf5:collective" else 0
    independent = 100_000 if request["method"] == "mpiio:independent" else RANKS if TRICK == "apart" else 0
    ranks = [
        {
            "begin": 0.0,
            "end": wall * (rank + 1) / RANKS,
            "open": 0.1 * wall,
            "transfer": 0.3 * wall,
            "events": [["open", 0.0, 0.1 * wall / RANKS], ["transfer", 0.1 * wall / RANKS, 0.4 * wall / RANKS]],
        }
        for rank in range(RANKS)
    ]
    return {
        "id": request["id"] + (1 if TRICK == "other-id" else 0),
        "ok": True,
        "seconds": wall,
        "first_done": wall / RANKS,
        "last_done": wall,
        "phases": {"open": 0.1 * wall, "transfer": 0.3 * wall},
        "ranks": ranks,
        "user": wall / 2,
        "system": wall / 2,
        "peak_memory": [1 << 20] * RANKS,
        "file_bytes": 8 * request["global"][0] * request["global"][1] * request["global"][2],
        "bad_values": wrong if read else None,
        "hints_in_force": "cb_nodes=1" if request["hints"] and TRICK != "mute" else "",
        "hints_ignored": "striping_factor=8" if "striping_factor" in request["hints"] and TRICK != "mute" else "",
        "residency": "unknown" if request["condition"] == "cold" else "warm",
        "counts": {
            "independent_writes": independent,
            "collective_writes": 0 if TRICK == "apart" else RANKS,
            "bytes_independent": 512 * independent,
        },
        "writers": RANKS,
    }


def main() -> None:
    if TRICK == "no-start":
        print("There are not enough slots available in the system to satisfy the 2 slots", file=sys.stderr)
        sys.exit(1)
    if TRICK == "no-library":
        said = "error while loading shared libraries: libadios2_c_mpi.so.2.12: cannot open shared object file"
        print(f"{sys.argv[0]}: {said}: No such file or directory", file=sys.stderr)
        sys.exit(127)
    print("a library prints a line of its own")
    print(json.dumps(hello()), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if request["operation"] == "quit":
            return
        if request["operation"] == "remove":
            Path(request["file"]).unlink(missing_ok=True)
            answer: dict[str, Any] = {"id": request["id"], "ok": True}
        else:
            answer = transfer(request)
        if TRICK == "garbage":
            print("{no json", flush=True)
        else:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
