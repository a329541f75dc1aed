"""Open the stores of format_states with ADIOS2's own bpls: read_with_bpls.py BPLS, in their directory."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from known_values import np, values

# Type and shape as bpls shows them, kind, extents in Fortran's order, number in formats/states.cpp, steps.
MEMBERS: list[tuple[str, str, str, str, tuple[int, ...], int, list[int]]] = [
    ("rho", "double", "{4, 5, 6}", "real64", (6, 5, 4), 0, []),
    ("flags", "int8_t", "{5, 6}", "logical4", (6, 5), 2, []),
    ("t", "int32_t", "3*{4, 5}", "int32", (5, 4), 5, [10, 20, 30]),
    ("u", "float", "3*{4, 5, 6}", "real32", (6, 5, 4), 6, [10, 20, 30]),
    ("t_gap", "int16_t", "2*{5, 6}", "int16", (6, 5), 7, [10, 30]),
    ("t_late", "int64_t", "2*{4, 5}", "int64", (5, 4), 8, [20, 30]),
]


def bpls(store: Path, *arguments: str) -> str:
    with subprocess.Popen([sys.argv[1], *arguments], stdout=subprocess.PIPE, text=True) as process:
        listing, _ = process.communicate()
    # BP5 leaves a profile of every reading process there, whatever its parameters say.
    Path(f"/tmp/{store.name}_{process.pid:x}_profiling.json").unlink(missing_ok=True)
    assert process.returncode == 0, (arguments, process.returncode)
    return listing


def check(store: Path) -> None:
    listing = re.sub(r" +", " ", bpls(store, "-la", str(store)))
    for name, kind, shape, of, extents, number, steps in MEMBERS:
        assert f" {kind} {name} {shape}" in listing, (name, listing)
        dumped = bpls(store, "-d", "-y", str(store), name).splitlines()[1:]
        found = [float(word) for line in dumped for word in line.split()]
        wanted: Any = [values(of, extents, 1000 * number + 10 * step) for step in steps or [0]]
        np.testing.assert_allclose(found, np.concatenate([one.ravel() for one in wanted]), rtol=1e-5, err_msg=name)
    assert ' string rho/dimensions attr = {"z", "y", "x"}' in listing, listing
    assert ' string rho/units attr = "kg/m3"' in listing and " int32_t version attr = 4" in listing, listing
    assert " int64_t step 3*scalar = 10 / 30" in listing, listing


stores = sorted(Path().glob("state_*.bp"))
assert len(stores) == 3, stores
for one in stores:
    check(one)
    print(f"{one}: as expected in bpls")
