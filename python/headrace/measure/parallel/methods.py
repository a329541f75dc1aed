"""What the worker can be asked for: its methods by pattern, backend and kind of call. Next: ways.py."""

from collections.abc import Iterable
from dataclasses import dataclass

from headrace.errors import HeadraceError
from headrace.nearest import nearest
from headrace.results.methods import ADIOS2, HDF5, LIMIT, NPY, ZARR

PATTERNS = ("serial", "file_per_process", "file_per_node", "shared_independent", "shared_collective")
SHARDS = "headrace:zarr:file_per_node"
# What each of headrace's calls of a library is compared with: a minimal program that makes the same calls.
DIRECT = {
    "mpiio": ("mpiio:collective", f"{NPY}:library"),
    "hdf5": ("hdf5:collective", f"{HDF5}:library"),
    "netcdf4": ("netcdf4:collective", "headrace:netcdf4:shared_collective:library"),
    "pnetcdf": ("pnetcdf:collective", "headrace:pnetcdf:shared_collective:library"),
    "adios2": ("adios2:tuned", ADIOS2),
}

# Those that the ratios need, in the order of the tables.
DEFAULT = (
    LIMIT,
    "raw:shared_file",
    ZARR,
    SHARDS,
    NPY,
    HDF5,
    *(name for pair in DIRECT.values() for name in pair if name != ADIOS2),
    "adios2:default",
    ADIOS2,
)
MORE = (
    "raw:file_per_node",
    "raw:rows",
    "fortran:stream",
    "fortran:sequential",
    "fortran:serial_binary",
    "mpiio:independent",
    "hdf5:independent",
    "netcdf4:independent",
    "pnetcdf:independent",
    "adios2:bp4",
    "headrace:statements:file_per_process",
    "headrace:npy:serial",
    "headrace:npy:shared_independent",
    "headrace:netcdf4:shared_collective",
    "headrace:pnetcdf:shared_collective",
    "headrace:hdf5:shared_independent",
)
# Only if they are named: text takes a hundred times longer, and contiguous pieces are another file.
SPECIAL = ("fortran:serial_ascii", "mpiio:contiguous_collective", "mpiio:contiguous_independent")
NULL = "null"  # moves nothing: what the harness itself costs
_SHARED = ("shared_collective", "shared_independent")
_LIBRARY = tuple(f"{pattern}:library" for pattern in _SHARED)
# What headrace's formats can be asked for, as bench/parallel/headrace_calls.cpp has it.
COMBINATIONS = {
    "zarr": ("file_per_process", "file_per_node", "serial", *_SHARED),
    "npy": (*_SHARED, "serial", *_LIBRARY),
    "hdf5": (*_SHARED, "serial", *_LIBRARY),
    "netcdf4": (*_SHARED, "serial", *_LIBRARY),
    "pnetcdf": (*_SHARED, "serial", *_LIBRARY),
    "adios2": ("file_per_process", "file_per_node", "serial"),
    "statements": ("file_per_process",),
}
# The patterns of each transfer, as the table in doc/reference/parallel.md has them.
_WITH_TRANSFER: dict[str, dict[str, tuple[str, ...]]] = {
    "zarr": {"headrace": COMBINATIONS["zarr"]},
    "npy": {"headrace": (*_SHARED, "serial"), "library": _SHARED},
    **dict.fromkeys(("hdf5", "netcdf4", "pnetcdf"), dict.fromkeys(("headrace", "library"), (*_SHARED, "serial"))),
    "adios2": {"library": COMBINATIONS["adios2"]},
    "statements": {"headrace": COMBINATIONS["statements"]},
}
_COMBINED = (f"headrace:{name}:{way}" for name, ways in COMBINATIONS.items() for way in ways)
ALL = tuple(dict.fromkeys((*DEFAULT, *MORE, *SPECIAL, NULL, *_COMBINED)))  # of a worker that is built from here
_PATTERN_OF = {
    "raw:shared_file": "shared_independent",
    "raw:rows": "shared_independent",
    "fortran:stream": "file_per_process",
    "fortran:sequential": "file_per_process",
    "fortran:serial_ascii": "serial",
    "fortran:serial_binary": "serial",
}
_MPI_IO = ("mpiio", "hdf5", "netcdf4", "pnetcdf")


@dataclass(frozen=True)
class Choice:
    """What the command line asked for; empty: everything that the ratios need."""

    patterns: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    calls: str = ""  # "both", "collective", "independent" or ""
    methods: tuple[str, ...] = ()
    everything: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.patterns or self.backends or self.calls or self.methods or self.everything)


def choose(choice: Choice, known: Iterable[str] = ()) -> list[str]:
    """Names of methods, in the order of the tables; `known` are others that the worker has."""
    if choice.is_empty:
        return list(dict.fromkeys(DEFAULT))
    if choice.methods:
        return list(dict.fromkeys((LIMIT, *choice.methods)))
    names = [*DEFAULT, *MORE]
    if choice.everything or choice.patterns or choice.backends:
        names += [name for name in known if name not in SPECIAL]
    if "fortran" in choice.backends or "serial" in choice.patterns:
        names.append("fortran:serial_ascii")
    wanted = [name for name in dict.fromkeys(names) if _fits(name, choice)]
    if not wanted:
        raise HeadraceError(f"no method has {_asked(choice)}", _what_there_is(choice, names))
    return list(dict.fromkeys((LIMIT, *wanted)))


def _asked(choice: Choice) -> str:
    parts = (
        ("backend", " or ".join(choice.backends)),
        ("pattern", " or ".join(choice.patterns)),
        ("calls", choice.calls),
    )
    return ", ".join(f"{what} {asked}" for what, asked in parts if asked)


def _what_there_is(choice: Choice, names: Iterable[str]) -> str:
    """The patterns of the backends that were asked for."""
    found = sorted({pattern_of(name) for name in names if backend_of(name) in choice.backends})
    if not found:
        return "--list shows all methods"
    return f"{' and '.join(choice.backends)} can be measured with --pattern {', '.join(found)}"


def require_known(asked: Iterable[str], known: Iterable[str]) -> None:
    """Raises HeadraceError for a name that is none of those that the worker has, with the nearest one."""
    names = tuple(known)
    for name in asked:
        if name not in names and not _is_combination(name):
            raise HeadraceError(f"--method {name}: the worker has no such method", _nearest(name, names))


def check_choice(choice: Choice) -> None:
    """Raises HeadraceError for what no worker of this version has, before one is built or a job is submitted."""
    require_known(choice.methods, ALL)
    choose(choice, ALL)


def _is_combination(name: str) -> bool:
    """headrace:<format>:<pattern>[:<transfer>]: the library may still be missing."""
    parts = name.split(":")
    if parts[0] != "headrace" or len(parts) not in (3, 4):
        return False
    if len(parts) == 3:
        return parts[2] in COMBINATIONS.get(parts[1], ())
    return parts[2] in _WITH_TRANSFER.get(parts[1], {}).get(parts[3], ())


def _nearest(name: str, known: Iterable[str]) -> str:
    """Of the names with and without "headrace:" in front, which is easily left out, and what the format has."""
    listed = (*ALL, *known)
    full = {each.removeprefix("headrace:"): each for each in reversed(listed)} | {each: each for each in listed}
    found = [full[each] for each in nearest(name, full)]
    parts = name.split(":")
    ways = COMBINATIONS.get(parts[1], ()) if parts[0] == "headrace" and len(parts) > 1 else ()
    if ways:  # another format is not what was meant
        found = [each for each in found if backend_of(each) == parts[1]]
    advice = [f"did you mean {each}?" for each in found]
    if ways:
        advice.append(f"{parts[1]} has {', '.join(ways)}")
    return "\n  ".join([*advice, "headrace bench parallel --list shows all"])


def _fits(name: str, choice: Choice) -> bool:
    pattern = pattern_of(name)
    if choice.patterns and pattern not in choice.patterns:
        return False
    if choice.backends and backend_of(name) not in choice.backends:
        return False
    unwanted = {"collective": "shared_independent", "independent": "shared_collective"}.get(choice.calls)
    return pattern != unwanted or name == "raw:shared_file"


def pattern_of(name: str) -> str:
    """Of PATTERNS."""
    parts = name.split(":")
    if name in _PATTERN_OF:
        return _PATTERN_OF[name]
    if parts[0] in ("raw", "headrace"):
        return parts[2] if parts[0] == "headrace" and len(parts) > 2 else parts[1]
    if parts[0] in _MPI_IO:
        return "shared_independent" if parts[1].endswith("independent") else "shared_collective"
    return "file_per_process"


def backend_of(name: str) -> str:
    """Whose file it is: raw, fortran, mpiio, hdf5, netcdf4, pnetcdf, adios2, zarr, npy, statements."""
    parts = name.split(":")
    return parts[1] if parts[0] == "headrace" and len(parts) > 1 else parts[0]


def takes_hints(name: str) -> bool:
    """Whether hints can matter: calls of MPI-IO, and headrace's shared files."""
    return name.split(":")[0] in _MPI_IO or (name.startswith("headrace:") and pattern_of(name).startswith("shared"))


def ending_of(name: str) -> str:
    """Of a file's name, as people call such files."""
    endings = {"zarr": ".zarr", "hdf5": ".h5", "netcdf4": ".nc", "pnetcdf": ".nc", "adios2": ".bp", "npy": ".npy"}
    return endings.get(backend_of(name), ".dat")
