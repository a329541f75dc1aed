"""What is timed on one number of MPI ranks: methods, hints and environments. Next: ratios.py, campaign.py."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headrace import mpi_hints
from headrace.errors import HeadraceError
from headrace.measure.parallel.methods import DIRECT, SHARDS, takes_hints
from headrace.measure.parallel.protocol import Layout
from headrace.measure.parallel.shapes import Extents
from headrace.nearest import did_you_mean
from headrace.results.methods import NPY, ZARR
from headrace.results.records import Condition, Operation

BASE = "mpi"  # the worker as the user's environment has it
CRC32C = f"{ZARR}, crc32c"
AT_PAGE = "array at a page"  # where IOR's buffer begins; allocated arrays begin 16 bytes behind one
_PROFILES = {  # as mpi/disk/hints.cpp has them
    "archer2": "cray_cb_write_lock_mode=2,cray_cb_nodes_multiplier=4,striping_factor=-1",
    "romio": "romio_cb_write=enable,romio_cb_read=enable,romio_ds_write=disable,cb_buffer_size=4194304",
    "ompio": "collective_buffering=true,cb_buffer_size=4194304",
}
# Sets of hints with which ROMIO is often faster; {ranks} is replaced.
ROMIO_HINTS = ("cb_nodes=2", "cb_nodes=2,cb_buffer_size=4194304", "cb_nodes={ranks},romio_cb_write=enable")
_OPERATIONS: tuple[Operation, ...] = ("write", "read")


@dataclass(frozen=True)
class Way:
    """One method of one worker, writing or reading."""

    tool: str  # a key of the environments, or "ior", "benchio"
    operation: Operation
    method: str
    label: str = ""  # behind the method: what is different
    hints: str = ""
    options: tuple[tuple[str, str], ...] = ()
    two_nodes: bool = False  # each half of the MPI ranks counts as a node, if there is one
    in_place: bool = False
    at_page: bool = False  # the array begins with a page of memory

    @property
    def name(self) -> str:
        return f"{self.method}, {self.label}" if self.label else self.method

    @property
    def key(self) -> str:
        return f"{self.tool}:{self.name}:{self.operation}"

    @property
    def both(self) -> str:
        """The same for writing and reading."""
        return f"{self.tool}:{self.name}"


@dataclass(frozen=True)
class Environment:
    """Variables with which a worker of its own is started."""

    key: str
    label: str = ""
    variables: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Variant:
    """One choice of everything that is varied."""

    hints: tuple[tuple[str, str], ...] = ()
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def label(self) -> str:
        return ",".join(f"{name}={value}" for name, value in (*self.variables, *self.hints))


def read_variants(words: Iterable[str]) -> list[Variant]:
    """`cb_nodes=1,2,4` is a hint with three values, `env:NAME=a,b` a variable; all combinations of several."""
    axes: list[list[tuple[bool, str, str]]] = []
    for word in words:
        name, equals, values = word.partition("=")
        is_variable = name.startswith("env:")
        name = name.removeprefix("env:")
        chosen = [value for value in values.split(",") if value]
        if not (equals and name and chosen):
            raise HeadraceError(
                f"--vary {word}: a name, '=' and values with commas between them are expected",
                "for example --vary cb_nodes=1,2,4 or --vary env:OMPI_MCA_io=ompio,romio321",
            )
        if any(axis[0][:2] == (is_variable, name) for axis in axes):
            raise HeadraceError(
                f"--vary {word}: {name} is varied already", "give its values together, with commas between them"
            )
        axes.append([(is_variable, name, value) for value in chosen])
    variants = [
        Variant(
            tuple((name, value) for is_variable, name, value in chosen if not is_variable),
            tuple((name, value) for is_variable, name, value in chosen if is_variable),
        )
        for chosen in itertools.product(*axes)
    ]
    return variants if axes else []


def varied_and_checked(hints: str, vary: Iterable[str]) -> list[Variant]:
    """The variants of --vary; raises HeadraceError for what --hints and --vary cannot mean."""
    variants = read_variants(vary)
    check_words(hints)
    check_twice(hints)
    check_hints("--hints", pairs_of(hints))
    check_hints("--vary", (hint for variant in variants for hint in variant.hints))
    return variants


def check_hints(option: str, hints: Iterable[tuple[str, str]]) -> None:
    """Raises HeadraceError for a value that has to be a number and is none, or one that means nothing."""
    for name, value in hints:
        known = mpi_hints.table().get(name)
        if known is None or known.least is None or known.most is None:
            continue
        if not re.fullmatch(r"-?[0-9]{1,30}", value):
            joined = "write commas between hints: cb_nodes=1,striping_factor=2" if re.search("[;=]", value) else ""
            advice = joined or "sizes are bytes: 1048576, not 1M"
            raise HeadraceError(f"{option} {name}={value}: {name} takes an integer", advice)
        if not known.least <= int(value) <= known.most:
            raise HeadraceError(
                f"{option} {name}={value}: {name} takes an integer from {known.least} to {known.most}",
                "leave it out for what headrace or the library chooses",
            )


def check_words(hints: str) -> None:
    """Raises HeadraceError for a word of --hints that is no `name=value` and no profile."""
    for word in _words_of(hints):
        if "=" not in word and word.lower() not in _PROFILES:
            raise HeadraceError(
                f"--hints {word}: a name, '=' and a value are expected, or a profile",
                did_you_mean(word, _PROFILES, f"for example --hints cb_nodes=4; profiles: {', '.join(_PROFILES)}"),
            )


def check_twice(hints: str) -> None:
    """Raises HeadraceError for a name that has two values."""
    before: dict[str, str] = {}
    for name, value in pairs_of(hints):
        if before.setdefault(name, value) != value:
            raise HeadraceError(
                f"--hints: {name} is given twice: {before[name]} and {value}",
                f"leave one of them out, or measure both: --vary {name}={before[name]},{value}",
            )


def _words_of(hints: str) -> list[str]:
    """What commas part; they may stand within quotes."""
    return [word.strip() for word in re.findall(r'((?:[^,"]|"[^"]*")+)', hints)]


def pairs_of(hints: str) -> list[tuple[str, str]]:
    """Names and values of `a=b,c=d`."""
    words = (word.partition("=") for word in _words_of(hints))
    return [(name.strip(), value.strip()) for name, equals, value in words if equals]


def spelled_out(hints: str) -> dict[str, str]:
    """Names and values, also those that profiles stand for; what is named comes before what a profile says."""
    found: dict[str, str] = {}
    for word in _words_of(hints):
        found |= pairs_of(_PROFILES.get(word.lower(), ""))
    return found | dict(pairs_of(hints))


def environments(variants: Iterable[Variant]) -> list[Environment]:
    """One a choice of variables; the first is the user's own."""
    found = {BASE: Environment(BASE)}
    for variant in variants:
        if variant.variables:
            key = environment_key(variant)
            found[key] = Environment(key, key, dict(variant.variables))
    return list(found.values())


def environment_key(variant: Variant) -> str:
    """Of the worker that a variant needs; without ':', which parts the names of ways."""
    label = ",".join(f"{name}={value}" for name, value in variant.variables)
    return label.replace(":", ".") or BASE


def base_ways(methods: Sequence[str], hints: str, with_crc: bool) -> list[Way]:
    """Each method once, with the hints that were asked for."""
    ways: list[Way] = []
    for method in methods:
        asked = _asked(method, _words_of(hints))
        ways += _pair(BASE, method, hints=asked, two_nodes=method == SHARDS)
        if method == ZARR and with_crc:
            ways += _pair(BASE, method, "crc32c", options=(("checksum", "crc32c"),))
    return ways


def ior_ways(methods: Sequence[str]) -> list[Way]:
    """What is compared with IOR, from memory that begins as IOR's does."""
    ours = [method for method in (ZARR, NPY) if method in methods]
    return [Way(BASE, operation, method, AT_PAGE, at_page=True) for method in ours for operation in _OPERATIONS]


def romio_ways(methods: Sequence[str], tool: str, label: str, ranks: int, hints: str = "") -> list[Way]:
    """Collective calls under ROMIO; MPI-IO with several sets of hints, which come before those that were asked for."""
    ways: list[Way] = []
    libraries = [pair[0] for name, pair in DIRECT.items() if name != "adios2"]
    for method in (name for name in libraries if name in methods):
        if tool != BASE:
            ways += _pair(tool, method, label, hints=_asked(method, _words_of(hints)))
        if method == "mpiio:collective":
            for added in (words.replace("{ranks}", str(ranks)) for words in ROMIO_HINTS):
                asked = _asked(method, [added, *_others(hints, (name for name, _ in pairs_of(added)))])
                ways += _pair(tool, method, f"{label},{added}" if label else added, hints=asked)
    return ways


def varied_ways(methods: Sequence[str], variants: Sequence[Variant], hints: str) -> list[Way]:
    """Each variant with the methods that it can matter for."""
    ways: list[Way] = []
    for variant in variants:
        words = [
            *_others(hints, (name for name, _ in variant.hints)),
            *(f"{name}={value}" for name, value in variant.hints),
        ]
        for method in methods:
            if not variant.hints or takes_hints(method):
                asked = _asked(method, words)
                ways += _pair(environment_key(variant), method, variant.label, hints=asked, two_nodes=method == SHARDS)
    return ways


def unheard_hints(methods: Sequence[str], hints: str, variants: Sequence[Variant]) -> str:
    """A sentence if no chosen method takes the hints that were asked for; "" otherwise."""
    varied = list(dict.fromkeys(name for variant in variants for name, _ in variant.hints))
    options = [f"--hints {hints}"] * bool(_words_of(hints)) + [f"--vary {name}=..." for name in varied]
    if not options or any(map(takes_hints, methods)):
        return ""
    said = " and ".join(options)
    return (
        f"{said} {'reach' if len(options) > 1 else 'reaches'} no method that was chosen: only calls of MPI-IO, HDF5, "
        "NetCDF and PnetCDF and headrace's shared files take hints (--method mpiio:collective, "
        "--pattern shared_collective)"
    )


def _asked(method: str, words: Sequence[str]) -> str:
    """The hints of a method; libraries know no profiles of headrace's, so they get what those stand for."""
    if not takes_hints(method):
        return ""
    if method.startswith("headrace:"):
        return ",".join(words)
    return ",".join(f"{name}={value}" for name, value in spelled_out(",".join(words)).items())


def _others(hints: str, names: Iterable[str]) -> list[str]:
    """The words of --hints that hints of these names do not replace."""
    replaced = set(names)
    return [word for word in _words_of(hints) if word.partition("=")[0].strip() not in replaced]


def _pair(
    tool: str,
    method: str,
    label: str = "",
    hints: str = "",
    options: tuple[tuple[str, str], ...] = (),
    two_nodes: bool = False,
) -> list[Way]:
    return [Way(tool, operation, method, label, hints, options, two_nodes) for operation in _OPERATIONS]


@dataclass(frozen=True)
class Task:
    """What all ways of a campaign have in common; seconds, bytes."""

    name: str
    ranks: int
    directory: Path
    extents: Extents
    layout: Layout
    write_condition: Condition
    read_condition: Condition
    rounds: int
    minimum_seconds: float
    limit: float
    seed: int

    def condition(self, way: Way) -> Condition:
        return self.write_condition if way.operation == "write" else self.read_condition
