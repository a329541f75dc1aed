"""The ratios that scripts read, each with its goal: which ways are compared, and how. Next: ../pairs.py."""

from collections.abc import Sequence
from dataclasses import dataclass

from headrace.measure.pairs import Pair
from headrace.measure.parallel.methods import DIRECT
from headrace.measure.parallel.methods import SHARDS as _SHARDS
from headrace.measure.parallel.ways import AT_PAGE, BASE, CRC32C, ROMIO_HINTS
from headrace.results.methods import ADIOS2, HDF5, LIMIT, NPY, ZARR
from headrace.results.records import Operation

_COLLECTIVE = ("hdf5:collective", "netcdf4:collective", "pnetcdf:collective")
_OURS = (NPY, HDF5)  # shared files in global order
FILES, SHARED, CALLS = "POSIX file per process", "POSIX shared file", "MPIIO collective"  # runs of IOR


@dataclass(frozen=True)
class Modules:
    """Which worker has which module of MPI-IO; None: none has."""

    ompio: str | None = None
    romio: str | None = BASE
    romio_label: str = ""  # behind its methods' names

    def of_romio(self, method: str, hints: str = "") -> str:
        label = ",".join(word for word in (self.romio_label, hints) if word)
        return f"{self.romio}:{method}, {label}" if label else f"{self.romio}:{method}"


def make_pairs(modules: Modules, ranks: int) -> tuple[list[Pair], list[Pair]]:
    """Those that were agreed, and others worth seeing."""
    main = [
        _pair("zarr_vs_fpp", "raw file per process", LIMIT, ZARR, "write", 0.95),
        _pair("zarr_read_vs_fpp", "raw file per process", LIMIT, ZARR, "read", 0.95),
        *_collective_pairs(modules, "zarr_vs_best_collective", "write", (2.5, 4)),
        _pair("shard_vs_fpp", "raw file per process", LIMIT, _SHARDS, "write", 0.9),
        *(
            _pair(
                "shared_vs_single_file_limit",
                f"raw:shared_file; {_short(ours)}",
                "raw:shared_file",
                ours,
                "write",
                0.95,
            )
            for ours in _OURS
        ),
        *_module_pairs(modules, ranks, "write", "shared_vs_romio_best", 1.2),
        _pair("hdf5_vs_h5dwrite", "collective H5Dwrite", "hdf5:collective", HDF5, "write", 1),
        _pair("adios2_vs_default", "ADIOS2 as it comes", "adios2:default", ADIOS2, "write", 4),
        Pair(
            "crc32c_cost",
            "ours, of zarr without it",
            (f"{BASE}:{CRC32C}:write",),
            (f"{BASE}:{ZARR}:write",),
            1.1,
            False,
        ),
        *(_overhead(backend, *names) for backend, names in DIRECT.items()),
        *_peer_pairs(),
    ]
    return main, _also(modules, ranks)


def _also(modules: Modules, ranks: int) -> list[Pair]:
    also = [
        *_collective_pairs(modules, "zarr_read_vs_collective", "read", (None, None)),
        _pair("shard_read_vs_fpp", "raw file per process", LIMIT, _SHARDS, "read"),
        *(
            _pair("shared_read_vs_single_file", f"raw:shared_file; {_short(ours)}", "raw:shared_file", ours, "read")
            for ours in _OURS
        ),
        *(
            pair
            for pair in _module_pairs(modules, ranks, "read", "shared_read_vs_romio_best", None)
            if pair.name == "shared_read_vs_romio_best"
        ),
        _pair("hdf5_read_vs_h5dread", "collective H5Dread", "hdf5:collective", HDF5, "read"),
        _pair("adios2_read_vs_default", "ADIOS2 as it comes", "adios2:default", ADIOS2, "read"),
        Pair(
            "crc32c_read_cost",
            "ours, of zarr without it",
            (f"{BASE}:{CRC32C}:read",),
            (f"{BASE}:{ZARR}:read",),
            None,
            False,
        ),
        _peer("shared_vs_ior_posix", "ior", SHARED, NPY, "write", None),
    ]
    return also


def _pair(name: str, meaning: str, peer: str, ours: str, operation: Operation, goal: float | None = None) -> Pair:
    return Pair(name, meaning, (f"{BASE}:{peer}:{operation}",), (f"{BASE}:{ours}:{operation}",), goal, peer=peer)


def _collective_pairs(
    modules: Modules, name: str, operation: Operation, goals: tuple[float | None, float | None]
) -> list[Pair]:
    """The fastest library with ROMIO; with OMPIO under a name of its own."""
    below = (f"{BASE}:{ZARR}:{operation}",)
    pairs: list[Pair] = []
    for library in _COLLECTIVE:
        if modules.romio is not None:
            key = f"{modules.of_romio(library)}:{operation}"
            pairs.append(Pair(name, f"{library}, ROMIO", (key,), below, goals[0], peer=library))
        if modules.ompio is not None:
            key = f"{modules.ompio}:{library}:{operation}"
            pairs.append(Pair(f"{name}_ompio", f"{library}, OMPIO", (key,), below, goals[1], peer=library))
    return pairs


def _module_pairs(
    modules: Modules, ranks: int, operation: Operation, romio_name: str, romio_goal: float | None
) -> list[Pair]:
    """headrace's exchange against MPI_File_write_all or read_all of each module."""
    call = "mpiio:collective"
    pairs: list[Pair] = []
    for ours in _OURS:
        below = (f"{BASE}:{ours}:{operation}",)
        if modules.ompio is not None:
            name, goal = f"shared_{operation}_vs_ompio", 2.0 if operation == "write" else 4.0
            key = f"{modules.ompio}:{call}:{operation}"
            pairs.append(Pair(name, f"OMPIO; {_short(ours)}", (key,), below, goal, peer="ompio"))
        for asked in ("", *ROMIO_HINTS) if modules.romio is not None else ():
            hints = asked.replace("{ranks}", str(ranks))
            key = f"{modules.of_romio(call, hints)}:{operation}"
            added = hints or "no hints added"  # to those of --hints
            pairs.append(Pair(romio_name, f"ROMIO, {added}; {_short(ours)}", (key,), below, romio_goal, peer=added))
    if operation == "write":  # its read belongs to the ratios that were agreed
        pairs += [p for p in _module_pairs(modules, ranks, "read", "", None) if p.name == "shared_read_vs_ompio"]
    return pairs


def _overhead(backend: str, direct: str, ours: str) -> Pair:
    """Writing and reading together: each alone is noisier than the difference."""
    above = (f"{BASE}:{direct}:write", f"{BASE}:{direct}:read")
    below = (f"{BASE}:{ours}:write", f"{BASE}:{ours}:read")
    return Pair(f"overhead_{backend}", f"{direct}, both", above, below, 0.95, peer=direct)


def _peer(name: str, tool: str, run: str, ours: str, operation: Operation, goal: float | None) -> Pair:
    key = f"{tool}:{run}:{operation}"
    way = f"{ours}, {AT_PAGE}" if tool == "ior" else ours
    return Pair(name, f"{tool}, {run}", (key,), (f"{BASE}:{way}:{operation}",), goal, peer=run)


def _peer_pairs() -> list[Pair]:
    return [
        *(_peer("vs_ior", "ior", run, ours, "write", 1) for run, ours in ((FILES, ZARR), (CALLS, NPY))),
        *(_peer("read_vs_ior", "ior", run, ours, "read", 1) for run, ours in ((FILES, ZARR), (CALLS, NPY))),
        *(
            _peer("vs_benchio", "benchio", run, ours, "write", 1)
            for run, ours in (("proc", ZARR), ("mpiio", NPY), ("hdf5", HDF5))
        ),
    ]


def _short(method: str) -> str:
    return method.split(":")[1]


_EVERY = make_pairs(Modules(BASE, BASE, "romio"), 8)
ALL_NAMES = tuple(dict.fromkeys(pair.name for pair in _EVERY[0]))
PAIRS = {name: [pair for pair in _EVERY[0] if pair.name == name] for name in ALL_NAMES}


def summary(pairs: Sequence[Pair]) -> str:
    """What counts if a ratio has several pairs: the fastest other and the slower of ours, which is the lowest."""
    if len(pairs) == 1:
        return pairs[0].meaning
    sides = [(pair.meaning.partition("; ")[0], _short(pair.below[0].removeprefix(f"{BASE}:"))) for pair in pairs]
    others, ours = (list(dict.fromkeys(side)) for side in zip(*sides, strict=True))
    if len(pairs) < len(others) * len(ours):  # each other has one of ours
        return f"lowest of {'; '.join(' / '.join(side) for side in sides)}"
    above = others[0] if len(others) == 1 else f"fastest of {'; '.join(others)}"
    return above if len(ours) == 1 else f"{above} / slower of {', '.join(ours)}"
