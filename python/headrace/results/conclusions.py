"""What a run says in one sentence, and next to the figures that others have published."""

import csv
from dataclasses import dataclass, field
from pathlib import Path

from headrace.results.records import Operation
from headrace.results.run import Row, Run, Vendor
from headrace.results.statistics import describe, paired_ratio, ratio_of
from headrace.results.verdicts import ENOUGH

# Families that are references, not ways in which a Fortran program does I/O.
REFERENCE_FAMILIES = ("null", "memory")
PART_FAMILY = "part_of_file"  # readers of parts of one file
OWN_FAMILY = "headrace"

_PUBLISHED = Path(__file__).resolve().parent.parent / "data" / "published.csv"
_GUIDE = 'guide "Fortran I/O Performance" of a centre (Intel Fortran 15, GPFS, 100 million integers)'
_GUIDE_PARTS = 'guide "Fortran I/O Performance" of a centre (256 readers of 20 million real64, GPFS)'
_HLRS = 'HLRS slides "Performance of Fortran IO mechanisms" (Itanium 2, efc)'

# The knob under which each vendor's run time buffers its output, and the one under which it does not.
_BUFFERED: dict[Vendor, str] = {"intel": "buffered"}
_UNBUFFERED: dict[Vendor, str] = {"gnu": "unbuffered", "intel": "default"}

# The ten mechanisms that the HLRS slides order by speed.
HLRS_LIST = [
    "formatted:list_directed",
    "formatted:constant_format",
    "formatted:labelled_format",
    "formatted:variable_format",
    "unformatted:short_records",
    "unformatted:nested_natural",
    "unformatted:nested_reversed",
    "unformatted:nested_columns",
    "unformatted:section",
    "unformatted:whole",
]


@dataclass
class PublishedRatio:
    """A ratio of two times that somebody published, and the same ratio measured here."""

    name: str
    operation: Operation
    published: float | None
    published_source: str
    measured: dict[str, float] = field(default_factory=dict)  # compiler identifier: median of the rounds' ratios
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)  # its interval, from 6 rounds on
    doubtful: list[str] = field(default_factory=list)  # compilers of which a row that is used is not valid
    note: str = ""

    def add(self, compiler: str, fast: Row | None, slow: Row | None) -> None:
        """Take the ratio of two rows of this run, when both were measured."""
        if fast is None or slow is None:
            return
        self.measured[compiler] = ratio_of(fast, slow)
        ratios = paired_ratio(fast.bandwidths, slow.bandwidths)
        if len(ratios) >= ENOUGH:
            spread = describe(ratios)
            self.intervals[compiler] = spread.low, spread.high
        if fast.verdict != "valid" or slow.verdict != "valid":
            self.doubtful.append(compiler)


def plain_rows(run: Run) -> list[Row]:
    """Measured rows of Fortran's ways and the C library's, by one process with the run time as it comes."""
    return [
        row
        for row in run.rows
        if row.statistics is not None
        and row.outcome == "measured"
        and row.processes == 1
        and row.knob == "default"
        and row.family not in (*REFERENCE_FAMILIES, PART_FAMILY)
    ]


def conclude(run: Run) -> list[str]:
    """One sentence for each operation, directory, condition and compiler: the spread, and how near the ceiling.

    Rows with the verdict 'valid' alone, of the data type with the most of them. Both speeds are in the sentence, and
    their quotient is the ratio, so that the rows beside it give the same figures.
    """
    if run.said:
        return run.said
    groups: dict[tuple[Operation, str, str, str], list[Row]] = {}
    for row in plain_rows(run):
        if row.family != "c_library":
            groups.setdefault((row.operation, row.directory, row.condition, row.compiler), []).append(row)
    told = {place: _of_one_type(rows) for place, rows in groups.items()}
    said = [_sentence(*place, rows) for place, rows in told.items() if len(_ways(rows, "valid")) >= 2]
    mute = [rows for rows in told.values() if len(_ways(rows, "valid")) < 2 <= len(_ways(rows))]
    return [*said, *([_no_conclusion(mute)] if mute else [])]


def _ways(rows: list[Row], verdict: str = "") -> list[Row]:
    """Fortran's own statements."""
    return [row for row in rows if row.family != OWN_FAMILY and verdict in ("", row.verdict)]


def _no_conclusion(groups: list[list[Row]]) -> str:
    rows = [row for group in groups for row in group]
    places = [f"{'writing' if g[0].operation == 'write' else 'reading'} with {g[0].compiler}" for g in groups]
    valid = sum(row.verdict == "valid" for row in rows)
    return (
        f"No conclusion on {', '.join(dict.fromkeys(places))}: {valid} of {len(rows)} rows are valid. "
        "A larger --time-budget or a quieter machine gives more."
    )


def _of_one_type(rows: list[Row]) -> list[Row]:
    """Those of the data type that most valid rows have; of those that most rows have, if none is valid."""
    types = list(dict.fromkeys(row.data_type for row in rows))
    alike = {name: [row for row in rows if row.data_type == name] for name in types}
    return max(alike.values(), key=lambda same: (sum(row.verdict == "valid" for row in same), len(same)))


def _sentence(operation: Operation, directory: str, condition: str, compiler: str, rows: list[Row]) -> str:
    valid = _ways(rows, "valid")
    slow, fast = min(valid, key=lambda r: r.median), max(valid, key=lambda r: r.median)
    ceiling = f", {fast.ceiling_fraction:.0%} of the ceiling" if fast.ceiling_fraction else ""
    ours = max((row for row in rows if row.family == OWN_FAMILY and row.verdict == "valid"), key=_median, default=None)
    own = f" headrace's own call: {_figure(ours.median)} MB/s ({ours.key})." if ours else ""
    left_out = len(_ways(rows)) - len(valid)
    note = f" {left_out} of {len(_ways(rows))} rows are not valid and left out." if left_out else ""
    return (
        f"{'Writing' if operation == 'write' else 'Reading'} {rows[0].data_type} in {directory} ({condition}), "
        f"{compiler}: the fastest way is {_figure(fast.median / slow.median)} times the slowest: "
        f"{_figure(fast.median)} MB/s ({fast.key}{ceiling}) against {_figure(slow.median)} MB/s ({slow.key})."
        f"{own}{note}"
    )


def _median(row: Row) -> float:
    return row.median


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def published_ratios(run: Run) -> list[PublishedRatio]:
    """Ratios of times (slower form over faster form) from the published tables, beside those of this run.

    The guide measured writes with and without buffering, and each stands beside its like. It measured reads without,
    and says that buffering did not change them.
    """
    found = [_form_ratio(run, "read", buffering, *form) for buffering in ("off",) for form in _FORMS]
    found += [_form_ratio(run, "write", buffering, *form) for buffering in ("on", "off") for form in _FORMS]
    found += [_buffering_ratio(run, form, call) for form in ("unformatted", "formatted") for call in ("single", "loop")]
    return [*found, *_part_ratios(run), *_spread_ratios(run)]


# Name, slower and faster form and call of the guide's tables.
_FORMS = [
    ("formatted / unformatted, whole array", ("formatted", "single"), ("unformatted", "single")),
    ("DO loop / one statement, unformatted", ("unformatted", "loop"), ("unformatted", "single")),
    ("DO loop / one statement, formatted", ("formatted", "loop"), ("formatted", "single")),
]


def _key(form: str, call: str) -> str:
    return f"{form}:integer_{'element' if call == 'loop' else 'whole'}"


def _form_ratio(
    run: Run, operation: Operation, buffering: str, name: str, slow: tuple[str, str], fast: tuple[str, str]
) -> PublishedRatio:
    times = _guide_times()
    above, below = times[(operation, *slow, buffering)], times[(operation, *fast, buffering)]
    label = name if operation == "read" else f"{name}, {'buffered' if buffering == 'on' else 'unbuffered'}"
    ratio = PublishedRatio(label, operation, above / below, _GUIDE)
    for compiler in run.compilers:
        knob = _BUFFERED.get(compiler.vendor, "default")
        if operation == "write" and buffering == "off":
            knob = _UNBUFFERED.get(compiler.vendor, "none")
        rows = (_find(run, compiler.identifier, _key(*form), operation, knob) for form in (fast, slow))
        ratio.add(compiler.identifier, *rows)
    return ratio


def _buffering_ratio(run: Run, form: str, call: str) -> PublishedRatio:
    times = _guide_times()
    name = f"unbuffered / buffered, {form}, {'DO loop' if call == 'loop' else 'one statement'}"
    ratio = PublishedRatio(name, "write", times["write", form, call, "off"] / times["write", form, call, "on"], _GUIDE)
    for compiler in run.compilers:
        knobs = _BUFFERED.get(compiler.vendor, "default"), _UNBUFFERED.get(compiler.vendor, "none")
        ratio.add(compiler.identifier, *(_find(run, compiler.identifier, _key(form, call), "write", k) for k in knobs))
    return ratio


def _part_ratios(run: Run) -> list[PublishedRatio]:
    buffered = _part_time("scalar", "TRUE"), _part_time("array", "TRUE")
    readers = sorted({row.processes for row in run.rows if row.family == PART_FAMILY and row.processes > 1})
    ratio = PublishedRatio(
        "scalar / array dummy, part of a file, buffered",
        "read",
        buffered[0] / buffered[1] if all(buffered) else None,
        _GUIDE_PARTS,
    )
    if readers:
        ratio.note = f"measured with {readers[-1]} readers"
        for compiler in run.compilers:
            names = "part_of_file:array_dummy", "part_of_file:scalar_dummy"
            rows = (_find(run, compiler.identifier, name, "read", "default", readers[-1]) for name in names)
            ratio.add(compiler.identifier, *rows)
    return [ratio]


def _spread_ratios(run: Run) -> list[PublishedRatio]:
    found = []
    for operation in ("write", "read"):
        op: Operation = "write" if operation == "write" else "read"
        ratio = PublishedRatio("slowest / fastest of the ordered list", op, _hlrs_factor(op), _HLRS)
        if op == "read":
            ratio.note = 'the slides print "factor 200 ?", with the question mark'
        for compiler in run.compilers:
            rows = [_find(run, compiler.identifier, key, op, "default") for key in HLRS_LIST]
            present = sorted((row for row in rows if row), key=lambda row: row.median)
            if len(present) == len(HLRS_LIST):  # the spread of fewer is no figure to put beside theirs
                ratio.add(compiler.identifier, present[-1], present[0])
        found.append(ratio)
    return found


def _find(run: Run, compiler: str, key: str, operation: str, knob: str, processes: int = 1) -> Row | None:
    """The measured row of the first directory and condition."""
    for row in run.rows:
        same = row.compiler == compiler and row.key == key and row.operation == operation and row.knob == knob
        if same and row.processes == processes and row.statistics and row.outcome == "measured":
            return row
    return None


def published_lines() -> list[dict[str, str]]:
    """The figures of data/published.csv, as that file names its columns."""
    with _PUBLISHED.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _guide_times() -> dict[tuple[str, str, str, str], float]:
    """Seconds by operation, form, single or loop, and whether output was buffered ('on', 'off')."""
    found: dict[tuple[str, str, str, str], float] = {}
    for line in published_lines():
        if not line["source"].startswith("centre guide") or not line["condition"].startswith("table=Section"):
            continue
        form = line["mechanism"].split(",")[0]
        call = "loop" if "DO-loop" in line["mechanism"] else "single"
        buffering = {"TRUE": "on", "FALSE": "off"}.get(line["condition"].rpartition("=")[2], "off")
        if "dummy" not in line["mechanism"]:
            found.setdefault((line["operation"], form, call, buffering), float(line["value"]))
    return found


def _part_time(dummy: str, buffered: str) -> float:
    for line in published_lines():
        if f"dummy {'array' if dummy == 'array' else 'variable'}" in line["mechanism"] and line["condition"].endswith(
            buffered
        ):
            return float(line["value"])
    return 0.0


def _hlrs_factor(operation: str) -> float | None:
    """The factor that the slides print beside their ordered list."""
    for line in published_lines():
        if line["source"].startswith("HLRS slides") and line["unit"] == "ratio" and line["operation"] == operation:
            return float(line["value"])
    return None
