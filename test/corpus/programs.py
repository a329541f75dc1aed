"""Files in the layouts of more programs, to which nothing is fitted: `headrace inspect` is only measured with them.

Layouts after the documentation of each program; values are made from their physics, as in codes.py.
"""

import numpy as np
from numpy.random import Generator

from codes import (
    Layout,
    chars,
    concentration,
    file_of,
    grid,
    integer,
    precision,
    pressure,
    r4,
    r8,
    real,
    temperature,
)  # fmt: skip
from content import Item, Record
from fresh import Fresh, ints, number, pick


def _logical(*values: int) -> Item:
    return Item("logical32", np.array(values, "<i4"))


def _waves(rng: Generator) -> list[Record]:
    """Quantum ESPRESSO: wave functions of one k point, a band a record."""
    plane_waves, bands = number(rng, 8, 500), number(rng, 1, 24)
    records: list[Record] = [
        [ints(int(rng.integers(1, 64))), r8(*rng.choice([0.0, 0.125, 0.25, 0.375, 0.5], 3)), ints(1), _logical(0),
         r8(1.0)],
        [ints(plane_waves, plane_waves, 1, bands)],
        [r8(*(0.6123 * np.array([-1, -1, 1, 1, 1, 1, -1, 1, -1])))],
        [integer(rng.integers(-9, 10, 3 * plane_waves))],
    ]  # fmt: skip
    for _ in range(bands):
        values = (rng.normal(size=plane_waves) + 1j * rng.normal(size=plane_waves)) / (1 + np.arange(plane_waves))
        records.append([Item("complex128", values.astype("<c16"))])
    return records


def _density(rng: Generator) -> list[Record]:
    """ABINIT: a header of mixed records, then the density."""
    atoms, k_points, types = number(rng, 1, 30), number(rng, 1, 40), int(rng.integers(1, 4))
    n = number(rng, 4, 16)
    cell = rng.uniform(4, 12, 3)
    return [
        [chars("9.8.4", 8), ints(80, 52)],
        [ints(8 * k_points, 20230412, 0, 11, atoms, n, n, n, k_points, 1, 1, 1, 48, types, types, 1, 0, 0),
         r8(15.0, 15.0, 0.5, 15.0), r8(0.0, 0.0, 0.0), r8(*np.diag(cell).ravel()), r8(0.0, 0.0, 0.01), ints(0)],
        [integer(np.ones(k_points)), integer(np.full(k_points, 8)), integer(rng.integers(90, 130, k_points)),
         real("real64", rng.choice([0.0, 0.25, 0.5], 3 * k_points)), real("real64", rng.choice([0.0, 2.0], 8))],
        [real("real64", rng.random(3 * atoms)), r8(-7.8764321), r8(0.2143)],
        [real("real64", 0.3 * grid(rng, n, n, n) ** 2)],
    ]  # fmt: skip


def _dispersion(rng: Generator) -> list[Record]:
    """FLEXPART's header: dates, grid, heights, species."""
    nx, ny, species = number(rng, 4, 300), number(rng, 4, 180), int(rng.integers(1, 4))
    records: list[Record] = [
        [ints(20110311, 120000), chars("FLEXPART V9.0")],
        [ints(-3600, -3600, -900)],
        [r4(-179.0, -90.0), ints(nx, ny), r4(1.0, 1.0)],
        [ints(3), r4(100.0, 500.0, 50000.0)],
        [ints(20110311, 60000)],
        [ints(3 * species, 1)],
    ]
    for k in range(species):
        name = ("AIRTRACER", "CS-137", "XE-133")[k]
        records += [[ints(1), chars("WD_" + name, 10)], [ints(1), chars("DD_" + name, 10)], [ints(3), chars(name, 10)]]
    for _ in range(number(rng, 1, 20)):
        records += [[integer(np.sort(rng.integers(0, nx * ny, 30)))], [real("real32", concentration(rng, 60))]]
    return records


def _plume(rng: Generator) -> list[Record]:
    """HYSPLIT's concentrations, big endian."""
    nx, ny = number(rng, 5, 60), number(rng, 5, 60)
    records: list[Record] = [
        [chars("NARR"), ints(12, 4, 17, 0, 0, 1, 0)],
        [ints(12, 4, 17, 0), r4(39.9, -84.22, 10.0), ints(0)],
        [ints(ny, nx), r4(0.25, 0.25, 30.0, -95.0)],
        [ints(2, 100, 500)],
        [ints(1), chars("PMCH")],
    ]
    for hour in range(number(rng, 1, 12)):
        records += [[ints(12, 4, 17, hour, 0, 0)], [ints(12, 4, 17, hour + 1, 0, 0)]]
        records += [[chars("PMCH"), ints(level), real("real32", concentration(rng, nx, ny))] for level in (100, 500)]
    return records


def _matrices(rng: Generator) -> list[Record]:
    """NASTRAN's OP4: a matrix by columns, each with its first row and number of words."""
    rows, columns = number(rng, 2, 120), number(rng, 1, 40)
    records: list[Record] = [[ints(columns, rows, 2, 2), chars(pick(rng, "KGG", "MGG", "PHIG"), 8)]]
    for column in range(1, columns + 1):
        first = int(rng.integers(1, rows + 1))
        values = rng.normal(0, 1, rows - first + 1) * 10.0 ** rng.uniform(-3, 6)
        records.append([ints(column, first, 2 * len(values)), real("real64", values)])
    return records


def _waveform_mesh(rng: Generator) -> list[Record]:
    """SPECFEM: numbering of the points of spectral elements, coordinates, material."""
    elements = number(rng, 1, 30)
    points = 80 * elements + 30
    return [
        [ints(elements)],
        [ints(points)],
        [integer(rng.integers(1, points + 1, 125 * elements))],
        *([real("real32", rng.uniform(0, 134_000, points))] for _ in range(3)),
        [real("real32", 5.3e10 * (1 + 0.2 * grid(rng, 125 * elements)))],
        [real("real32", 2.7e10 * (1 + 0.2 * grid(rng, 125 * elements)))],
        [_logical(*rng.integers(0, 2, elements).tolist())],
    ]


def _ensight(rng: Generator) -> list[Record]:
    """EnSight Gold, Fortran binary: a line of text, a number or an array a record."""
    nodes, cells = number(rng, 8, 600), number(rng, 1, 300)
    lines = ("Fortran Binary", "cylinder in a channel", "made by the solver", "node id assign", "element id assign")
    return [
        *([chars(line, 80)] for line in lines),
        [chars("part", 80)], [ints(1)], [chars("fluid", 80)], [chars("coordinates", 80)], [ints(nodes)],
        *([real("real32", scale * rng.random(nodes))] for scale in (2.2, 0.41, 0.1)),
        [chars("hexa8", 80)], [ints(cells)], [integer(rng.integers(1, nodes + 1, 8 * cells))],
    ]  # fmt: skip


def _orbitals(rng: Generator) -> list[Record]:
    """CP2K's restart: sizes, shells, eigenvalues with occupations, an orbital a record."""
    atoms, functions = number(rng, 1, 40), number(rng, 4, 300)
    orbitals = number(rng, 1, min(40, functions))
    energies = np.sort(rng.normal(-0.5, 0.4, orbitals))
    records: list[Record] = [
        [ints(atoms, 1, functions, 2, 4)],
        [integer(rng.integers(1, 3, atoms))],
        [integer(rng.integers(0, 5, 2 * atoms))],
        [integer(rng.choice([0, 1, 3, 5], 8 * atoms))],
        [ints(orbitals, orbitals, orbitals + 1, 2 * orbitals)],
        [real("real64", energies), real("real64", np.full(orbitals, 2.0))],
    ]
    records += [[real("real64", rng.normal(0, 0.2, functions))] for _ in range(orbitals)]
    return records


def _fields(rng: Generator) -> list[Record]:
    """The Met Office's PP: 45 integers and 19 reals, then a field."""
    nx, ny = number(rng, 4, 96), number(rng, 4, 72)
    records: list[Record] = []
    for level in range(number(rng, 1, 10)):
        head = np.zeros(45, int)
        head[[0, 1, 2, 3, 5, 6, 7, 8, 12, 14, 15, 17, 18, 19, 21, 22]] = [
            1985, 1, 1 + level % 28, 6, 1, 1985, 1, 2, 2, nx * ny, 1, ny, nx, 0, 2, 16,
        ]  # fmt: skip
        head[[25, 32, 37, 41]] = [129, level + 1, 1111, 16203]
        floats = np.zeros(19)
        floats[[6, 10, 13, 14, 15, 16, 17, 18]] = [1000.0 - 50 * level, 90.0, -91.25, 2.5, -3.75, 3.75, -1.07374e9, 1.0]
        records += [[integer(head), real("real32", floats)], [real("real32", temperature(rng, nx, ny))]]
    return records


def _service(rng: Generator) -> list[Record]:
    """The climate data operators' SERVICE and EXTRA: eight or four integers, then a field."""
    nx, ny, kind, eight = number(rng, 4, 96), number(rng, 4, 60), precision(rng), rng.random() < 0.5
    records: list[Record] = []
    for day in range(number(rng, 1, 20)):
        date, level = 19790101 + day % 28, int(rng.choice([0, 50000, 85000]))
        head = ints(130, level, date, 1200, nx, ny, 0, 0) if eight else ints(date, 130, level, nx * ny)
        values = temperature(rng, nx, ny) if day % 2 else pressure(rng, nx, ny)
        records += [[head], [real(kind, values)]]
    return records


def _state(rng: Generator) -> list[Record]:
    """Elk's STATE.OUT: version, one number a record, then potentials."""
    species, points = int(rng.integers(1, 4)), number(rng, 20, 400)
    records: list[Record] = [[ints(8, 4, 20)], [_logical(0)], [ints(species)], [ints(49)], [ints(points)]]
    for _ in range(species):
        radii = 1e-6 * (2.2e6) ** (np.arange(points) / points)
        records += [[ints(int(rng.integers(1, 5)))], [ints(points)], [real("real64", radii)]]
    grids = [number(rng, 4, 16) for _ in range(3)]
    records += [[ints(*grids)], [ints(int(rng.integers(100, 9000)))], [_logical(0)], [ints(0)], [_logical(0)]]
    values = -np.exp(-grid(rng, *grids) * 3)
    records.append([real("real64", values), real("real64", np.sqrt(-values))])
    return records


PROGRAMS: dict[str, Layout] = {
    "espresso": (_waves, ""), "abinit": (_density, ""), "flexpart": (_dispersion, "little"),
    "hysplit": (_plume, "big"), "op4": (_matrices, ""), "specfem": (_waveform_mesh, "little"),
    "ensight": (_ensight, ""), "cp2k": (_orbitals, "little"), "pp": (_fields, "big"),
    "service": (_service, ""), "elk": (_state, "little"),
}  # fmt: skip


def program_file(rng: Generator) -> Fresh:
    """One file of a program that nothing is fitted to."""
    return file_of(rng, PROGRAMS)
