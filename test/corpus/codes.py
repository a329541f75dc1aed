"""Files as real programs lay them out, with values made from their physics.

Layouts after the documentation of each program; values are not those of fresh.py. Confidences are fitted to these,
and compared with the truth of those in programs.py.
"""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from content import Array, Item, Record, record_bytes
from fresh import ORDERS, Fresh, ints, marked, number, pick


def chars(text: str, width: int = 0) -> Item:
    """A CHARACTER variable."""
    return Item("character", np.frombuffer(text.encode()[: width or None].ljust(width), "S1"))


def r4(*values: float) -> Item:
    """Single reals."""
    return Item("real32", np.array(values, "<f4"))


def r8(*values: float) -> Item:
    """Double reals."""
    return Item("real64", np.array(values, "<f8"))


def grid(rng: Generator, *shape: int) -> Array:
    """A smooth field in 0 to 1: some bumps on a slope."""
    axes = np.meshgrid(*(np.linspace(0, 1, n) for n in shape), indexing="ij")
    total = 0.2 * axes[0]
    for _ in range(4):
        place, width = rng.random(len(shape)), rng.uniform(0.05, 0.5)
        total = total + rng.random() * np.exp(-sum((a - p) ** 2 for a, p in zip(axes, place, strict=True)) / width**2)
    return np.asarray(total / max(total.max(), 1e-9)).ravel(order="F")


def temperature(rng: Generator, *shape: int) -> Array:
    return 210 + 95 * grid(rng, *shape) + rng.normal(0, 0.3, int(np.prod(shape)))


def pressure(rng: Generator, *shape: int) -> Array:
    return 101325 * np.exp(-grid(rng, *shape) * 1.3)


def concentration(rng: Generator, *shape: int) -> Array:
    """A plume: most of it is next to nothing."""
    return 10.0 ** rng.uniform(-9, -3) * np.maximum(grid(rng, *shape) - 0.05, 0) ** 4


def saturation(rng: Generator, *shape: int) -> Array:
    return np.clip(1.4 * grid(rng, *shape) - 0.2, 0, 1)


def permeability(rng: Generator, n: int) -> Array:
    return np.round(np.exp(rng.normal(4, 1.2, n)), 3)


def real(kind: str, values: Array) -> Item:
    """As single or double."""
    return Item(kind, np.asarray(values).astype("<f4" if kind == "real32" else "<f8"))


def integer(values: Array, kind: str = "int32") -> Item:
    return Item(kind, np.asarray(values).astype("<i8" if kind == "int64" else "<i4"))


def precision(rng: Generator) -> str:
    return pick(rng, "real32", "real64")


def _shape(rng: Generator, most: int = 40) -> tuple[int, int, int]:
    return number(rng, 2, most), number(rng, 2, most), number(rng, 1, 12)


def _selafin(rng: Generator) -> list[Record]:
    """TELEMAC: title, names, IPARAM, sizes, connectivity, coordinates, then time and fields."""
    points, kind = number(rng, 12, 900), precision(rng)
    cells, fields = 2 * points, int(rng.integers(1, 5))
    names = ["VELOCITY U      M/S", "VELOCITY V      M/S", "WATER DEPTH     M", "FREE SURFACE    M"]
    records: list[Record] = [
        [chars("MALPASSET DAM BREAK".ljust(72) + ("SERAFIND" if kind == "real64" else "SERAFIN "))],
        [ints(fields, 0)],
        *([chars(name, 32)] for name in names[:fields]),
        [ints(1, 0, 0, 0, 0, 0, 0, 0, 0, 1)],
        [ints(2011, 5, 12, 10, 30, 0)],
        [ints(cells, points, 3, 1)],
        [integer(rng.integers(1, points + 1, 3 * cells))],
        [integer(np.where(rng.random(points) < 0.1, rng.permutation(points) + 1, 0))],
        [real(kind, rng.uniform(0, 17_000, points))],
        [real(kind, rng.uniform(-4000, 9000, points))],
    ]
    for step in range(number(rng, 1, 12)):
        records.append([real(kind, np.array([60.0 * step]))])
        records += [[real(kind, (k + 1) * 3 * grid(rng, points))] for k in range(fields)]
    return records


def _bpch(rng: Generator) -> list[Record]:
    """GEOS-Chem's binary punch files, big endian."""
    nx, ny, nz = _shape(rng)
    records: list[Record] = [[chars("CTM bin 02", 40)], [chars("GEOS-CHEM binary punch file v. 2.0", 80)]]
    for step in range(number(rng, 1, 8)):
        for tracer in range(1, int(rng.integers(2, 5))):
            head: Record = [chars("GEOS5_47L", 20), r4(2.5, 2.0), ints(1, 1)]
            about: Record = [
                chars("IJ-AVG-$", 40), ints(tracer), chars("ppbv", 40),
                r8(175320.0 + 744 * step, 176064.0 + 744 * step),
                chars("", 40), ints(nx, ny, nz, 1, 1, 1, nx * ny * nz * 4 + 8),
            ]  # fmt: skip
            records += [head, about, [real("real32", 1e9 * concentration(rng, nx, ny, nz))]]
    return records


def _camx(rng: Generator) -> list[Record]:
    """CAMx and UAM: characters as CHARACTER*4 arrays, a letter in each; dates as YYJJJ, reals between."""
    nx, ny, _ = _shape(rng)
    spaced = lambda text, n: chars("".join(c + "   " for c in text.ljust(n)))  # noqa: E731
    species = ["NO", "NO2", "O3", "PAR", "ISOP"][: int(rng.integers(1, 6))]
    records: list[Record] = [
        [
            spaced("AIRQUALITY", 10),
            spaced("CAMx test run", 60),
            ints(1, len(species), 13190),
            r4(0.0),
            ints(13190),
            r4(24.0),
        ],
        [r4(0.0, 0.0), ints(15), r4(-1e5, 2e5, 4000.0, 4000.0), ints(nx, ny, 3, 0, 0), r4(0.0, 0.0, 0.0)],
        [ints(1, 1, nx, ny)],
        [spaced("".join(s.ljust(10) for s in species), 10 * len(species))],
    ]
    for hour in range(number(rng, 1, 6)):
        records.append([ints(13190), r4(float(hour)), ints(13190), r4(hour + 1.0)])
        for one in species:
            records += [[ints(1), spaced(one, 10), real("real32", concentration(rng, nx, ny))]] * 3
    return records


def _plot3d(rng: Generator) -> list[Record]:
    kind, blocks = precision(rng), [_shape(rng, 16) for _ in range(int(rng.integers(1, 5)))]
    records: list[Record] = [[ints(len(blocks))], [ints(*(n for b in blocks for n in b))]]
    for b in blocks:
        n = int(np.prod(b))
        axes = [np.linspace(0, 1, k) for k in b]
        places = np.meshgrid(*axes, indexing="ij")
        records.append([real(kind, np.concatenate([p.ravel(order="F") ** 1.2 for p in places]))])
        if rng.random() < 0.4:
            records[-1].append(integer(np.where(grid(rng, n) > 0.1, 1, 0)))
    return records


def _gadget(rng: Generator) -> list[Record]:
    """GADGET-2 snapshots, format 1 or 2: a header of 256 bytes, positions, velocities, IDs, masses."""
    gas, dark = number(rng, 2, 600), number(rng, 2, 900)
    n, named = gas + dark, rng.random() < 0.5
    head: Record = [
        ints(gas, dark, 0, 0, 0, 0), r8(0.0, 0.0312, 0, 0, 0, 0, 0.25, 3.0), ints(0, 0, gas, dark, 0, 0, 0, 0, 0, 1),
        r8(50_000.0, 0.3, 0.7, 0.7), ints(0, 0, 0, 0, 0, 0, 0, 0), Item("int8", np.zeros(64, "<i1")),
    ]  # fmt: skip
    wide = rng.random() < 0.4
    blocks: list[tuple[str, Record]] = [
        ("HEAD", head),
        ("POS ", [real("real32", rng.uniform(0, 50_000, 3 * n))]),
        ("VEL ", [real("real32", rng.normal(0, 180, 3 * n))]),
        (
            "ID  ",
            [integer(rng.permutation(n) + (2**33 if wide and rng.random() < 0.3 else 1), "int64" if wide else "int32")],
        ),
        ("MASS", [real("real32", np.full(gas, 0.00473) * (1 + 1e-3 * rng.random(gas)))]),
        ("U   ", [real("real32", np.exp(rng.normal(4, 2, gas)))]),
    ]
    records = []
    for name, record in blocks:
        if named:
            records.append([chars(name), ints(len(record_bytes(record)) + 8)])
        records.append(record)
    return records


def _wps(rng: Generator) -> list[Record]:
    """WPS intermediate files, big endian."""
    nx, ny, _ = _shape(rng)
    records: list[Record] = []
    fields = [
        ("TT", "K", "Temperature"),
        ("RH", "%", "Relative Humidity"),
        ("UU", "m s-1", "U"),
        ("PMSL", "Pa", "Pressure"),
    ]
    for level in (200100.0, 100000.0, 85000.0)[: int(rng.integers(1, 4))]:
        for name, unit, words in fields:
            values = pressure(rng, nx, ny) if unit == "Pa" else temperature(rng, nx, ny) - (260 if unit != "K" else 0)
            records += [
                [ints(5)],
                [chars("2013-01-18_06:00:00.0000", 24), r4(0.0), chars("NCEP GFS Analysis", 32), chars(name, 9),
                 chars(unit, 25), chars(words, 46), r4(level), ints(nx, ny, 0)],
                [chars("SWCORNER"), r4(-90.0, 0.0, 0.5, 0.5, 6367.47)],
                [ints(0)],
                [real("real32", values)],
            ]  # fmt: skip
    return records


def _ramses(rng: Generator) -> list[Record]:
    """RAMSES: many short records, then levels of the mesh."""
    records: list[Record] = [[ints(1)], [ints(3)], [ints(1, 1, 1)], [ints(12)], [ints(40_000)], [ints(0)], [r8(1.0)],
                             [ints(20, 0, 0)], [r8(*(0.1 * np.arange(1, 8)))], [r8(0.137)], [r8(2.3e-4)]]  # fmt: skip
    for level in range(int(rng.integers(2, 7))):
        n = number(rng, 4, 300)
        records += [[integer(np.arange(n) + 1 + 1000 * level)], [integer(rng.integers(0, 500, n))]]
        records += [[r8(*((rng.integers(0, 2**level, n) + 0.5) / 2**level))] for _ in range(3)]
        records += [[integer(np.where(rng.random(n) < 0.3, rng.integers(1, 900, n), 0))] for _ in range(8)]
    return records


def _dcd(rng: Generator) -> list[Record]:
    """Trajectories of CHARMM and NAMD."""
    atoms, frames, cell = number(rng, 3, 700), number(rng, 1, 12), rng.random() < 0.5
    control = [frames, 0, 100, 100 * frames, 0, 0, 0, 3 * atoms, 0]
    title = "REMARKS CREATED BY A SIMULATION OF LYSOZYME".ljust(80) + "REMARKS DATE: 01/12/11".ljust(80)
    records: list[Record] = [
        [chars(pick(rng, "CORD", "VELD")), ints(*control), r4(0.0488), ints(int(cell), 0, 0, 0, 0, 0, 0, 0, 0, 24)],
        [ints(2), chars(title)],
        [ints(atoms)],
    ]
    at = rng.uniform(-30, 30, (3, atoms))
    for _ in range(frames):
        at = at + rng.normal(0, 0.4, at.shape)
        if cell:
            records.append([r8(61.2, 90.0, 61.2, 90.0, 90.0, 61.2)])
        records += [[real("real32", axis)] for axis in at]
    return records


def _modflow(rng: Generator) -> list[Record]:
    """Heads of MODFLOW compiled with FORM='UNFORMATTED'."""
    rows, columns, layers = _shape(rng, 30)
    records: list[Record] = []
    for step in range(number(rng, 1, 8)):
        for layer in range(1, layers + 1):
            heads = np.where(grid(rng, columns, rows) < 0.05, -999.99, 12 + 5 * grid(rng, columns, rows))
            records += [
                [
                    ints(step + 1, 1),
                    r4(10.0 * step + 1, 10.0 * step + 1),
                    chars("            HEAD"),
                    ints(columns, rows, layer),
                ],
                [real("real32", heads)],
            ]
    return records


def _reservoir(rng: Generator) -> list[Record]:
    """Keyword, count and type, then data in blocks: as ECLIPSE, but with keywords and types of its own."""
    n = number(rng, 4, 900)
    records: list[Record] = []
    for step in range(int(rng.integers(1, 5))):
        for name, kind, values in (
            ("SEQNR", "I4", np.array([step])),
            ("HEADER", "I4", np.where(rng.random(95) < 0.3, rng.integers(1, 99, 95), 0)),
            ("PRESS", "R4", 250 * pressure(rng, n) / 101325), ("SW", "R4", saturation(rng, n)),
            ("PERM", "R8", permeability(rng, n)),
            ("ACTIVE", "I4", (rng.random(n) < 0.8).astype(int)),
        ):  # fmt: skip
            data = integer(values) if kind == "I4" else real("real32" if kind == "R4" else "real64", values)
            records += [[chars(name, 8), ints(len(values)), chars(kind, 4)], [data]]
    return records


def _siesta(rng: Generator) -> list[Record]:
    """SIESTA's density matrix: sizes, rows of the sparse matrix."""
    orbitals = number(rng, 4, 120)
    per_row = rng.integers(1, 20, orbitals)
    records: list[Record] = [[ints(orbitals, 1)], [integer(per_row)]]
    records += [[integer(np.sort(rng.integers(1, orbitals + 1, k)))] for k in per_row]
    records += [[real("real64", rng.normal(0, 0.3, k) * np.exp(-np.arange(k)))] for k in per_row]
    return records


def _restart(rng: Generator) -> list[Record]:
    """A spectral ocean or atmosphere model's restart: date, masks, complex spectra."""
    nx, ny, nz = _shape(rng)
    waves = number(rng, 6, 400)
    spectrum = (rng.normal(size=waves) + 1j * rng.normal(size=waves)) * 1e-4 / (1 + np.arange(waves))
    return [
        [chars("restart of ocean model v4.2", 64)],
        [ints(20190317, 43200, nx, ny, nz)],
        [Item("logical32", (grid(rng, nx, ny) > 0.2).astype("<i4"))],
        [real("real64", temperature(rng, nx, ny, nz))],
        [real("real64", 34.7 + 0.2 * grid(rng, nx, ny, nz))],
        [Item("complex128", spectrum.astype("<c16"))],
        [integer(1_262_304_000 + 3600 * np.arange(number(rng, 1, 50)), pick(rng, "int32", "int64"))],
    ]


def _particles(rng: Generator) -> list[Record]:
    """A particle tracker: the same mixed record for each particle, over some steps."""
    records: list[Record] = []
    n = number(rng, 2, 300)
    at = rng.uniform(0, 1000, (n, 3))
    for step in range(int(rng.integers(1, 6))):
        at = at + rng.normal(0, 1, at.shape)
        records.append([ints(step, n), r8(3600.0 * step)])
        records += [[ints(k + 1, int(rng.integers(0, 4))), r4(*at[k])] for k in range(n)]
    return records


def _elements(rng: Generator) -> list[Record]:
    """A finite-element result: 64-bit identifiers, stress by element, names of materials."""
    n = number(rng, 4, 500)
    names = ["STEEL", "AL6061", "CONCRETE", "RUBBER"][: int(rng.integers(1, 5))]
    stress = rng.gamma(2.0, 40e6, 6 * n) * rng.choice([-1, 1], 6 * n)
    return [
        [ints(n, len(names))],
        [chars("".join(name.ljust(8) for name in names))],
        [integer(10_000_000_000 + np.cumsum(rng.integers(1, 4, n)), "int64")],
        [real(precision(rng), stress)],
        [integer(rng.integers(1, len(names) + 1, n))],
    ]


Layout = tuple[Callable[[Generator], list[Record]], str]
LAYOUTS: dict[str, Layout] = {
    "selafin": (_selafin, "big"), "bpch": (_bpch, "big"), "camx": (_camx, "big"), "plot3d": (_plot3d, ""),
    "gadget": (_gadget, ""), "wps": (_wps, "big"), "reservoir": (_reservoir, "big"),
}  # fmt: skip
CODES: dict[str, Layout] = {
    "ramses": (_ramses, "little"), "dcd": (_dcd, "little"), "modflow": (_modflow, "little"), "siesta": (_siesta, ""),
    "restart": (_restart, ""), "particles": (_particles, ""), "elements": (_elements, "little"),
}  # fmt: skip


def _grads(rng: Generator) -> Fresh:
    """MITgcm and GrADS: levels of real32 and nothing else."""
    nx, ny, nz = _shape(rng)
    order, record = ORDERS[int(rng.integers(2))], [real("real32", temperature(rng, nx, ny, nz) - 273.15)]
    return Fresh("mitgcm", frozenset({"raw", "direct"}), record_bytes(record, order), order, [record], True)


def _wavecar(rng: Generator) -> Fresh:
    """VASP: records of one length, the first ones hold a few numbers, each padded with zeros."""
    waves, bands = number(rng, 40, 900), number(rng, 4, 60)
    length = 8 * (waves + int(rng.integers(0, 12)))
    rows: list[Record] = [[r8(float(length), 1.0, 45200.0)], [r8(1.0, float(bands), 400.0, *(5.4 * np.eye(3)).ravel())]]
    rows.append([r8(float(waves), 0.0, 0.0, 0.0, *np.sort(rng.normal(0, 4, min(waves - 4, 3 * bands))))])
    rows += [[real("real32", rng.normal(0, 0.05, 2 * waves))] for _ in range(bands)]
    data = b"".join(record_bytes(row).ljust(length, b"\0") for row in rows)
    return Fresh("wavecar", frozenset({"direct", "raw"}), data, "little", (), True)


def _station(rng: Generator) -> Fresh:
    """Direct access: a name, numbers, values of each station; RECL is rounded up."""
    count, n, order = number(rng, 12, 200), number(rng, 3, 40), ORDERS[int(rng.integers(2))]
    used = 12 + 8 + 4 * n
    length = -(-used // 64) * 64 + (64 if used % 64 == 0 else 0)
    rows = []
    for k in range(count):
        row = [
            chars(f"STN{k * 37 % 997:05d}", 12),
            ints(k + 1, int(rng.integers(1, 4))),
            real("real32", temperature(rng, n)),
        ]
        rows.append(record_bytes(row, order).ljust(length, b"\0"))
    return Fresh("stations", frozenset({"direct"}), b"".join(rows), order, (), False, (("record_length", length),))


def _vtk(rng: Generator) -> Fresh:
    """Legacy VTK: lines of text, then big-endian values."""
    nx, ny, nz = _shape(rng)
    head = (
        f"# vtk DataFile Version 3.0\nflow at step {rng.integers(1, 9999)}\nBINARY\nDATASET STRUCTURED_POINTS\n"
        f"DIMENSIONS {nx} {ny} {nz}\nORIGIN 0 0 0\nSPACING 0.1 0.1 0.1\nPOINT_DATA {nx * ny * nz}\n"
        "SCALARS pressure float 1\nLOOKUP_TABLE default\n"
    )
    data = head.encode() + pressure(rng, nx, ny, nz).astype(">f4").tobytes()
    return Fresh("vtk", frozenset({"raw"}), data, "big")


def _dis(rng: Generator) -> Fresh:
    """A mesh behind lines of 50 and 100 characters, as MODFLOW 6 writes its grids, but with a first line of its own."""
    n, order = number(rng, 9, 900), "little"
    lines = [
        f"MESH {pick(rng, 'TRI', 'QUAD')}".ljust(49) + "\n",
        "VERSION 1".ljust(49) + "\n",
        "NTXT 3".ljust(49) + "\n",
    ]
    for name, kind in (("NCELLS", "INTEGER"), ("TOP", "DOUBLE"), ("IA", "INTEGER")):
        lines.append(f"{name} {kind} NDIM 1 {n}".ljust(99) + "\n")
    body = record_bytes(
        [ints(n), real("real64", np.full(n, 1.5) * grid(rng, n)), integer(np.cumsum(rng.integers(3, 7, n)))]
    )
    return Fresh("mesh with text", frozenset({"raw"}), "".join(lines).encode() + body, order)


def _stopped(rng: Generator) -> Fresh:
    """One of the record files, cut off within a record behind the first."""
    name = pick(rng, "dcd", "siesta", "elements", "ramses")
    make, fixed = CODES[name]
    order = ORDERS[0] if fixed == "little" else ORDERS[1] if fixed == "big" else ORDERS[int(rng.integers(2))]
    records = make(rng)
    ends = np.cumsum([len(record_bytes(one)) + 8 for one in records])
    last = int(rng.integers(1, len(records)))
    size = int(rng.integers(ends[last - 1] + 5, ends[last] - 1))
    data = marked(name, records, order).data[:size]
    truth = (("damage", "truncated"), ("records", last))
    return Fresh("stopped", frozenset({f"record4-{order}"}), data, order, (), False, truth)


OTHERS = (_grads, _wavecar, _station, _vtk, _dis, _stopped)


def file_of(rng: Generator, some: dict[str, Layout]) -> Fresh:
    """One file in one of some layouts."""
    name = pick(rng, *some)
    make, fixed = some[name]
    order = ORDERS[0] if fixed == "little" else ORDERS[1] if fixed == "big" else ORDERS[int(rng.integers(2))]
    return marked(name, make(rng), order)


def layout_file(rng: Generator) -> Fresh:
    """One file of half of the layouts."""
    return file_of(rng, LAYOUTS)


def code_file(rng: Generator) -> Fresh:
    """One file of the others."""
    if rng.random() < 0.25:
        return OTHERS[int(rng.integers(len(OTHERS)))](rng)
    return file_of(rng, CODES)
