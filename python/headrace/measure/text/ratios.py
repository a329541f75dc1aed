"""The ratios that scripts read, each with its goal: which ways are compared, and how."""

from collections.abc import Mapping
from dataclasses import dataclass

from headrace.measure.statistics import describe
from headrace.measure.text.results import RatioFound, TextRow

PYTHON_TABLES = ("polars", "pyarrow", "pandas", "pandas-fast")


@dataclass(frozen=True)
class Pair:
    """Time of the ways `above` / time of the ways `below`, round by round; several ways of a side are added."""

    name: str
    meaning: str  # whose time is divided by ours; "ours, of" whose time ours is divided by
    above: tuple[str, ...]
    below: tuple[str, ...]
    goal: float | None = None
    at_least: bool = True

    @property
    def keys(self) -> tuple[str, ...]:
        return self.above + self.below

    def ratios(self, seconds: Mapping[str, Mapping[int, float]]) -> list[float]:
        """Of the rounds that all of them have."""
        rounds = set.intersection(*(set(seconds.get(key, {})) for key in self.keys))
        return [
            sum(seconds[key][r] for key in self.above) / sum(seconds[key][r] for key in self.below)
            for r in sorted(rounds)
        ]


OURS_WRITE, OURS_READ = "headrace:shortest:write", "headrace:shortest:read"

PAIRS = (
    Pair(
        "write_shortest_vs_gfortran",
        "gfortran, a row a statement, g0",
        ("gnu:row-wise g0:write",),
        (OURS_WRITE,),
        40,
    ),
    Pair(
        "write_es_vs_gfortran",
        "gfortran, es24.16e3, same bytes",
        ("gnu:row-wise es24.16e3:write",),
        ("headrace:es:write",),
        40,
    ),
    Pair(
        "write_e15_vs_gfortran",
        "gfortran, e15.5, same bytes",
        ("gnu:row-wise e15.5:write",),
        ("headrace:e15:write",),
        40,
    ),
    Pair(
        "read_vs_gfortran_list",
        "gfortran list-directed, same file",
        ("gnu:list-directed:read",),
        (OURS_READ,),
        45,
    ),
    Pair(
        "read_vs_gfortran_formatted",
        "gfortran, es24.16e3, same file",
        ("gnu:formatted es24.16e3:read",),
        ("headrace:es:read",),
        40,
    ),
    Pair(
        "write_vs_io_fortran_lib",
        "its to_file, exact",
        ("io_fortran_lib:csv:write",),
        (OURS_WRITE,),
        100,
    ),
    Pair(
        "read_vs_io_fortran_lib",
        "its from_file, same file",
        ("io_fortran_lib:csv:read",),
        (OURS_READ,),
        100,
    ),
    *(Pair("write_vs_best_python", tool, (f"{tool}:csv:write",), (OURS_WRITE,), 3.5) for tool in PYTHON_TABLES),
    *(
        Pair("read_vs_best_python", f"{tool}, same file", (f"{tool}:csv:read",), (OURS_READ,), 4)
        for tool in PYTHON_TABLES
    ),
    Pair(
        "write_vs_ceiling_fresh",
        "pwrite of the same bytes",
        ("ceiling:pwrite:write",),
        (OURS_WRITE,),
        0.7,
    ),
    Pair(
        "write_vs_ceiling_overwrite",
        "same bytes by pwrite, in place",
        ("ceiling:pwrite in place:write",),
        ("headrace:shortest in place:write",),
        0.5,
    ),
    Pair(
        "penalty_write",
        "ours, of gfortran's unformatted",
        (OURS_WRITE,),
        ("gnu:unformatted:write",),
        3,
        False,
    ),
    Pair(
        "penalty_read",
        "ours, of gfortran's unformatted",
        (OURS_READ,),
        ("gnu:unformatted:read",),
        4,
        False,
    ),
    Pair("portable_write", "ours, of ours without SIMD", (OURS_WRITE,), ("portable:shortest:write",), 0.2),
    Pair("portable_read", "ours, of ours without SIMD", (OURS_READ,), ("portable:shortest:read",), 0.2),
)
ALSO = (
    Pair(
        "penalty_read_fixed",
        "ours, of gfortran's unformatted",
        ("headrace:es:read",),
        ("gnu:unformatted:read",),
        3,
        False,
    ),
    Pair(
        "read_vs_ceiling",
        "pread of the same bytes",
        ("ceiling:pread:read",),
        (OURS_READ,),
    ),
    Pair(
        "read_new_array",
        "array that is there, of a new one",
        (OURS_READ,),
        ("headrace:shortest, new array:read",),
    ),
)
HEX_TABLE = (
    Pair(
        "seed002_vs_io_fortran_lib",
        "its cells; ours straight",
        ("io_fortran_lib:cells:write", "io_fortran_lib:cells:read"),
        ("headrace:hex:write", "headrace:hex:read"),
        25,
    ),
)
ALSO_HEX_TABLE = (
    Pair(
        "seed002_cells",
        "its cells; ours through cells",
        ("io_fortran_lib:cells:write", "io_fortran_lib:cells:read"),
        ("headrace:cells:write", "headrace:cells:read"),
        8,
    ),
)
ALL_NAMES = tuple(dict.fromkeys(pair.name for pair in (*PAIRS, *HEX_TABLE)))


def find_ratios(pairs: tuple[Pair, ...], rows: list[TextRow]) -> dict[str, RatioFound]:
    """Each ratio whose rows are there; of several pairs of one name the one with the fastest peer."""
    times = {row.key: row.seconds() for row in rows if row.outcome == "measured"}
    found: dict[str, RatioFound] = {}
    for pair in pairs:
        ratios = pair.ratios(times)
        if not ratios:
            continue
        s = describe(ratios)
        ratio = RatioFound(
            meaning=pair.meaning,
            median=s.median,
            low=s.low,
            high=s.high,
            confidence=s.confidence,
            n=s.n,
            goal=pair.goal,
            at_least=pair.at_least,
            peer=pair.above[0].partition(":")[0],
        )
        if pair.name not in found or ratio.median < found[pair.name].median:
            found[pair.name] = ratio
    return found


def why_absent(name: str, pairs: tuple[Pair, ...], rows: list[TextRow], absent: Mapping[str, str]) -> str:
    """Why a ratio is not there, in words for the terminal."""
    reasons: list[str] = []
    by_key = {row.key: row for row in rows}
    for pair in (pair for pair in pairs if pair.name == name):
        for key in pair.keys:
            tool = key.partition(":")[0].removesuffix("-fast")
            row = by_key.get(key)
            if row is None:
                reasons.append(f"{tool} is absent" if tool in absent else f"{key} is not part of this run")
            elif row.outcome != "measured":
                reasons.append(f"{key}: {row.outcome}: {row.message}")
            elif not row.samples:
                reasons.append(f"{key}: the time budget ended before it ran")
    return "; ".join(dict.fromkeys(reasons)) or "no round has both"
