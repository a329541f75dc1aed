"""Trajectories of CHARMM, NAMD, X-PLOR and LAMMPS (DCD). First: __init__.py.

A record of 84 bytes: CORD or VELD and 20 integers; a record of titles; the number of atoms; then the frames: the unit
cell, x, y and z, a record each. Of fixed atoms only the first frame has places.
"""

import struct

from headrace.containers.file_bytes import Bytes
from headrace.inspect.findings import Known, Listed
from headrace.inspect.known.found import as_text, counted, order_of_first, records_at, walk

_HEAD = 84
_WHAT = {b"CORD": "coordinates", b"VELD": "velocities"}
_SNIPPET = """\
from MDAnalysis.lib.formats.libdcd import DCDFile

with DCDFile({file!r}) as file:
    frames = file.readframes()
xyz = frames.xyz  # frames, atoms, 3"""


def recognise(file: Bytes, name: str) -> Known | None:
    """The trajectory, if it is one."""
    order = order_of_first(file, _HEAD)
    tag = file.read(4, 4)
    if order is None or tag not in _WHAT:
        return None
    code = "<" if order == "little" else ">"
    control = struct.unpack(f"{code}20i", file.read(8, 80))
    titles = records_at(file, _HEAD + 8, code)
    if titles is None or titles < 4 or (titles - 4) % 80:
        return None
    at = _HEAD + 8 + titles + 8
    if records_at(file, at, code) != 4:
        return None
    (atoms,) = struct.unpack(f"{code}i", file.read(at + 4, 4))
    if atoms < 1:
        return None
    at += 12
    fixed, cell, fourth = control[8], control[19] != 0 and control[10] == 1, control[19] != 0 and control[11] == 1
    facts = [counted(atoms, "atom")]
    if not 0 <= fixed < atoms:
        return None
    if fixed:
        facts.append(f"{fixed:,} of them do not move")
        at += 4 * (atoms - fixed) + 8
    first = (56 if cell else 0) + (3 + fourth) * (4 * atoms + 8)
    later = (56 if cell else 0) + (3 + fourth) * (4 * (atoms - fixed) + 8)
    frames, end = _frames(file, order, at, first, later)
    facts.append(counted(frames, "frame") + (f", its head says {control[0]:,}" if control[0] != frames else ""))
    arrays = [Listed(axis, "real32", [atoms, frames]) for axis in ("x", "y", "z", "w")[: 3 + fourth]]
    if cell:
        arrays.insert(0, Listed("cell", "real64", [6, frames]))
    said = [as_text(file.read(_HEAD + 16 + 80 * k, 80)).strip() for k in range((titles - 4) // 80)]
    facts += [f'"{line}"' for line in said if line][:2]
    return Known(
        "charmm-dcd", f"a trajectory (DCD of CHARMM, NAMD, X-PLOR or LAMMPS): {_WHAT[tag]}", facts, "MDAnalysis",
        _SNIPPET.format(file=name), order, end, arrays,
    )  # fmt: skip


def _frames(file: Bytes, order: str, at: int, first: int, later: int) -> tuple[int, int]:
    """How many whole frames there are, and where they end. All have one length but the first."""
    if file.size - at < first or next(walk(file, order, at), None) is None:
        return 0, at
    frames = 1 + (file.size - at - first) // later
    return frames, at + first + (frames - 1) * later
