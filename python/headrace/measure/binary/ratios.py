"""The ratios that scripts read, each with its goal: which ways are compared, and how. Next: ../pairs.py."""

from dataclasses import dataclass

from headrace.measure.binary.ways import BLOCKS, OVERWRITTEN
from headrace.measure.pairs import Pair

ARRAY = (
    *(
        Pair(
            "write_vs_raw",
            f"write(2), {size} MiB blocks",
            (f"system:write(2), {size} MiB:write",),
            ("headrace:unformatted:write",),
            0.95,
        )
        for size in BLOCKS
    ),
    *(
        Pair(
            "read_vs_raw",
            f"read(2), {size} MiB blocks",
            (f"system:read(2), {size} MiB:read",),
            ("headrace:unformatted:read",),
            0.95,
        )
        for size in BLOCKS
    ),
    *(
        Pair(
            f"{operation}_vs_gfortran",
            f"gfortran {theirs}, same bytes",
            (f"gnu:{theirs}:{operation}",),
            (f"headrace:{ours}:{operation}",),
            1,
        )
        for operation in ("write", "read")
        for theirs, ours in (("unformatted", "unformatted"), ("stream", "raw"))
    ),
    Pair("npy_write_vs_numpy", "numpy.save", ("numpy:save:write",), ("headrace:npy:write",), 1),
    Pair("npy_read_vs_numpy", "numpy.load; new array", ("numpy:load:read",), ("headrace:npy, new array:read",), 1),
    Pair("byteswap_vs_memcpy", "memcpy; words of 8 bytes", ("memory:memcpy:read",), ("memory:swap 8 bytes:read",)),
)
RECORDS = (
    Pair(
        "records_vs_gfortran",
        "gfortran, a READ a record",
        ("gnu:records:read",),
        ("headrace:records:read",),
        20,
    ),
    Pair(
        "records_vs_scipy",
        "scipy.io.FortranFile",
        ("scipy:records:read",),
        ("headrace:records:read",),
        50,
    ),
)
_CONVERSIONS = ("little to big", "markers of 4 to 8")
_TO_NPY = ("records to npy", "npy to npy")
CONVERT = (
    *(
        Pair("convert_vs_cp", f"cp; {name}", ("cp:copy:write",), (f"convert:{name}:write",), 0.7)
        for name in _CONVERSIONS
    ),
    *(
        Pair("npy_convert_vs_cp", f"cp; {name}", ("cp:copy:write",), (f"convert:{name}:write",), 0.7)
        for name in _TO_NPY
    ),
)
ALSO_CONVERT = tuple(
    Pair("convert_call_vs_cp", f"cp; {name}, without the start", ("cp:copy:write",), (f"library:{name}:write",))
    for name in _CONVERSIONS
)


def _also_array() -> tuple[Pair, ...]:
    pairs: list[Pair] = []
    for size in BLOCKS:
        block = f"{size} MiB blocks"
        for form in ("raw", "npy"):
            for verb in ("write", "read"):
                above = (f"system:{verb}(2), {size} MiB:{verb}",)
                ours = (f"headrace:{form}:{verb}",)
                pairs.append(Pair(f"{verb}_{form}_vs_raw", f"{verb}(2), {block}", above, ours))
    above = (f"system:write(2), {OVERWRITTEN} MiB in place:write",)
    ours = ("headrace:unformatted in place:write",)
    pairs.append(Pair("overwrite_vs_raw", f"write(2), {OVERWRITTEN} MiB, in place", above, ours))
    for theirs, form in (("unformatted", "unformatted"), ("stream", "raw")):
        ours = (f"headrace:{form} in place:write",)
        pairs.append(Pair("overwrite_vs_gfortran", f"{theirs}, in place", (f"gnu:{theirs} in place:write",), ours))
    for operation in ("write", "read"):
        keys = ((f"gnu:big-endian:{operation}",), (f"headrace:big-endian:{operation}",))
        pairs.append(Pair(f"{operation}_big_vs_gfortran", "gfortran convert='big_endian'", *keys))
    for size in (4, 2):
        keys = (("memory:memcpy:read",), (f"memory:swap {size} bytes:read",))
        pairs.append(Pair(f"byteswap_{size}_vs_memcpy", f"memcpy; words of {size} bytes", *keys))
    return tuple(pairs)


ALSO_ARRAY = _also_array()
ALSO_RECORDS = (
    Pair(
        "records_vs_numpy",
        "numpy.fromfile, structured",
        ("numpy:structured:read",),
        ("headrace:records:read",),
    ),
)


@dataclass(frozen=True)
class Rate:
    """A figure of one way that has a goal of its own."""

    name: str
    meaning: str
    key: str  # of the way
    unit: str  # "million records/s" or "s"
    goal: float
    at_least: bool


RATES = (
    Rate("records_scan_rate", "markers of short records", "headrace:scan:read", "million records/s", 100, True),
    Rate("inspect_seconds", "headrace inspect, the whole command", "inspect:inspect:read", "s", 2, False),
)

CASE_PAIRS = {
    "array": (ARRAY, ALSO_ARRAY),
    "records": (RECORDS, ALSO_RECORDS),
    "convert": (CONVERT, ALSO_CONVERT),
    "inspect": ((), ()),
}
CASE_RATES = {"records": (RATES[0],), "inspect": (RATES[1],)}
ALL_NAMES = tuple(dict.fromkeys(pair.name for main, _ in CASE_PAIRS.values() for pair in main))
RATE_NAMES = tuple(rate.name for rate in RATES)


def needed_keys(case: str, only: list[str]) -> set[str]:
    """The ways of a case that the ratios and figures called `only` are made of."""
    main, also = CASE_PAIRS[case]
    found = {key for pair in (*main, *also) if pair.name in only for key in pair.keys}
    return found | {rate.key for rate in CASE_RATES.get(case, ()) if rate.name in only}
