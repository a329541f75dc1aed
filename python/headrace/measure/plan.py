"""What a run measures: mechanisms x compilers x directories x knobs x conditions."""

from dataclasses import dataclass, field
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure import knobs
from headrace.measure.catalogue import Mechanism, all_mechanisms
from headrace.nearest import did_you_mean
from headrace.results.conclusions import PART_FAMILY
from headrace.results.records import Condition, Operation
from headrace.results.run import Compiler, Knob

# The default benchmark: one mechanism for each question that a user asks first, and all that the published
# figures are compared with.
DEFAULT_MECHANISMS = [
    "formatted:list_directed",
    "formatted:constant_format",
    "formatted:labelled_format",
    "formatted:variable_format",
    "formatted:whole_constant",
    "formatted:exact",
    "formatted:unlimited",
    "formatted:integer_whole",
    "formatted:integer_element",
    "unformatted:element",
    "unformatted:short_records",
    "unformatted:nested_natural",
    "unformatted:nested_reversed",
    "unformatted:nested_columns",
    "unformatted:section",
    "unformatted:whole",
    "unformatted:whole_columns",
    "unformatted:records_100000",
    "unformatted:integer_whole",
    "unformatted:integer_element",
    "actual_arguments:pointer_array",
    "actual_arguments:flat",
    "stream:element",
    "stream:blocks_1m",
    "stream:whole",
    "direct:blocks_1m",
    "byte_order:whole",
    "meta_and_bin:pair_stream",
    "c_library:fwrite_row",
    "headrace:text",
    "headrace:unformatted",
    "headrace:npy",
]

# What a user asks about first, and headrace's answer: these come first if the time is short.
STAPLES = [
    "formatted:list_directed",
    "formatted:exact",
    "unformatted:element",
    "unformatted:whole",
    "stream:whole",
    "headrace:text",
    "headrace:unformatted",
    "headrace:npy",
]

# What every row is compared with; run with the first compiler only, since it is the C library that works.
CEILING = "c_library:system_1m"  # the one that is measured if the time lasts for one only
CEILINGS = ["c_library:system_64k", CEILING, "c_library:system_8m"]
REFERENCES = ["memory:copy", "memory:first_touch", "null:nothing"]

OPERATIONS: tuple[Operation, ...] = ("write", "read")
WRITE_CONDITIONS: tuple[Condition, ...] = ("cached", "synced")
READ_CONDITIONS: tuple[Condition, ...] = ("warm", "cold")

DEFAULT_PART = ["part_of_file:scalar_dummy", "part_of_file:array_dummy", "part_of_file:stream_position"]
PART_RECORD = 78_125  # values of a direct-access record in bench/part_of_file.f90
PART_VALUES = 20_000_000  # as in section 4 of the centre's guide in data/published.csv

VENDOR_FAMILIES = {"vendor_open": "intel"}


@dataclass(frozen=True)
class Pair:
    """The conditions of one process: how it writes and how it then reads, and which of both is reported."""

    write: Condition
    read: Condition
    operations: tuple[Operation, ...] = ("write", "read")


@dataclass
class Variant:
    """One line of the plan: a mechanism with everything that it is run under."""

    mechanism: Mechanism
    compiler: Compiler
    directory: Path
    knob: Knob
    pair: Pair
    operations: list[Operation]
    processes: int = 1
    ceiling: bool = False

    @property
    def name(self) -> str:
        parts = [self.mechanism.key, self.compiler.identifier]
        if self.knob.name != "default":
            parts.append(self.knob.name)
        if self.processes > 1:
            parts.append(f"{self.processes} processes")
        return ", ".join(parts)


@dataclass
class Wishes:
    """What the user asked for, as far as the plan depends on it."""

    compilers: list[Compiler]
    directories: list[Path]
    select: list[str] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    everything: bool = False
    readers: list[int] = field(default_factory=list)
    processes: list[int] = field(default_factory=list)


def make_plan(wishes: Wishes) -> list[Variant]:
    """All variants, ceilings first. Raises HeadraceError when the selection names nothing."""
    mechanisms, asked = select(wishes.select, wishes.everything)
    pairs = condition_pairs(wishes.conditions)
    plan: list[Variant] = []
    for directory in wishes.directories:
        for pair in pairs:
            operations = [operation for operation in asked if operation in pair.operations]
            if not operations:
                continue
            plan += _ceilings(wishes, directory, pair)
            for compiler in wishes.compilers:
                for mechanism in mechanisms:
                    if _left_out(mechanism, compiler, wishes):
                        continue
                    if mechanism.family == PART_FAMILY:
                        plan += _readers(wishes, mechanism, compiler, directory, pair, operations)
                        continue
                    plan.append(Variant(mechanism, compiler, directory, knobs.DEFAULT, pair, list(operations)))
                plan += _knob_variants(wishes, mechanisms, compiler, directory, pair, operations)
    return plan


def select(words: list[str], everything: bool) -> tuple[list[Mechanism], list[Operation]]:
    """Mechanisms and operations that `words` name: families, family:mechanism, 'read', 'write'."""
    catalogue = all_mechanisms()
    operations: list[Operation] = [op for op in OPERATIONS if op in words]
    names = [word for word in words if word not in ("read", "write")]
    families = {m.family for m in catalogue}
    keys = {m.key for m in catalogue}
    for name in names:
        if name not in families and name not in keys:
            hint = did_you_mean(name, sorted(families | keys), "headrace bench --list shows all names", 4)
            raise HeadraceError(f"nothing is called '{name}'", hint)
    if names:
        chosen = [m for m in catalogue if m.family in names or m.key in names]
    elif everything:
        chosen = catalogue
    else:
        chosen = [m for m in catalogue if m.key in DEFAULT_MECHANISMS + DEFAULT_PART + REFERENCES]
    return chosen, operations or list(OPERATIONS)


def condition_pairs(conditions: list[Condition]) -> list[Pair]:
    """Conditions as processes, each condition once: cached with warm, synced with cold."""
    writes: list[Condition] = [c for c in WRITE_CONDITIONS if c in conditions] or ["cached"]
    reads: list[Condition] = [c for c in READ_CONDITIONS if c in conditions] or ["warm"]
    pairs = [Pair(write, read) for write, read in zip(writes, reads, strict=False)]
    pairs += [Pair(write, reads[-1], ("write",)) for write in writes[len(reads) :]]
    pairs += [Pair(writes[-1], read, ("read",)) for read in reads[len(writes) :]]
    return pairs


def _ceilings(wishes: Wishes, directory: Path, pair: Pair) -> list[Variant]:
    by_key = {m.key: m for m in all_mechanisms()}
    compiler = wishes.compilers[0]
    found = [
        Variant(by_key[key], compiler, directory, knobs.DEFAULT, pair, list(pair.operations), 1, True)
        for key in CEILINGS
    ]
    many = by_key[CEILING]
    # the device's own speed stands beside that of the page cache
    if "synced" not in wishes.conditions and "write" in pair.operations:
        flushed = Pair("synced", pair.read)
        found.append(Variant(many, compiler, directory, knobs.DEFAULT, flushed, ["write"]))
    for count in wishes.processes:
        found.append(Variant(many, compiler, directory, knobs.DEFAULT, pair, list(pair.operations), count, True))
    return found


def _left_out(mechanism: Mechanism, compiler: Compiler, wishes: Wishes) -> bool:
    if mechanism.key in CEILINGS:
        return True  # already there as a ceiling
    if mechanism.key in REFERENCES and compiler is not wishes.compilers[0]:
        return True
    vendor = VENDOR_FAMILIES.get(mechanism.family)
    named = mechanism.family in wishes.select or mechanism.key in wishes.select
    return vendor is not None and vendor != compiler.vendor and not named and not wishes.everything


def _readers(
    wishes: Wishes,
    mechanism: Mechanism,
    compiler: Compiler,
    directory: Path,
    pair: Pair,
    operations: list[Operation],
) -> list[Variant]:
    if "read" not in operations:
        return []
    settings = [knobs.DEFAULT]
    if wishes.everything:
        settings += [knob for knob in knobs.knobs_of(compiler.vendor) if knob.name == "unbuffered"]
    return [
        Variant(mechanism, compiler, directory, knob, pair, ["read"], count)
        for knob in settings
        for count in wishes.readers
    ]


def _knob_variants(
    wishes: Wishes,
    mechanisms: list[Mechanism],
    compiler: Compiler,
    directory: Path,
    pair: Pair,
    operations: list[Operation],
) -> list[Variant]:
    found: list[Variant] = []
    for knob in knobs.knobs_of(compiler.vendor):
        if not wishes.everything and knob.name not in ("unbuffered", "buffered"):
            continue
        keys = knobs.mechanisms_of(knob) if wishes.everything else knobs.PUBLISHED
        found += [
            Variant(mechanism, compiler, directory, knob, pair, list(operations))
            for mechanism in mechanisms
            if mechanism.key in keys
        ]
    return found
