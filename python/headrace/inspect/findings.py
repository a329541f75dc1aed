"""What `headrace inspect` finds out about a file. First: __init__.py."""

import math
from dataclasses import asdict, dataclass, field
from typing import Any

TIE = 2.0  # bits: a runner-up that is at most four times less probable
MOST = 0.999  # nothing that is guessed from bytes is surer than this
CHANCE_OF_ALL = 60.0  # bits beyond which more evidence changes nothing


@dataclass(frozen=True)
class Listed:
    """An array: `shape` with the first dimension fastest."""

    name: str
    kind: str
    shape: list[int]


@dataclass(frozen=True)
class Item:
    """A stretch of equal values in a record; `count` None: as many as the record has."""

    type: str  # "int32", "real64", "character", "zeros", ...
    count: int
    size: int  # bytes of one value
    offset: int = 0  # bytes from the beginning of the record
    note: str = ""
    shape: list[int] | None = None
    first: list[float] = field(default_factory=list)
    smallest: float | None = None
    largest: float | None = None
    not_a_number: int = 0
    examined: int = 0  # values that these four come from
    text: str = ""  # the beginning, of characters

    def __str__(self) -> str:
        shape = "" if not self.shape else " (" + ", ".join(str(n) for n in self.shape) + ")"
        return f"{self.type} {self.count}{shape}"


@dataclass(frozen=True)
class Slot:
    """A record of the repeating pattern: its length and what it holds."""

    bytes: int
    items: list[Item]
    confidence: float = 0.0  # of the types
    margin: float = 0.0  # bits that they are ahead of other types
    values: int = 0  # that this is made of
    group: str = ""  # how they were found: see confidence.py


@dataclass(frozen=True)
class Run:
    """Records that follow each other: these lengths, so many times."""

    times: int
    lengths: list[int]
    slots: list[Slot] = field(default_factory=list)

    def __str__(self) -> str:
        lengths = ", ".join(f"{n:,}" for n in self.lengths)
        times = "once" if self.times == 1 else f"{self.times:,} times"
        return f"{times}: {lengths} byte{'' if self.lengths == [1] else 's'}"


@dataclass
class Hypothesis:
    """What the file may be, and how much speaks for it.

    `bits` is the evidence: the hypothesis is 2**bits times more probable than bytes without any structure.
    """

    format: str
    bits: float
    detail: dict[str, Any] = field(default_factory=dict)
    explained: int = 0  # bytes from the beginning of the file
    fails_at: int | None = None  # offset of the first byte that does not fit; None: all do
    why: str = ""  # why it fails, or what speaks for it
    runs: list[Run] = field(default_factory=list)
    runs_complete: bool = True
    histogram: list[tuple[int, int]] = field(default_factory=list)  # length, number of records
    distinct: int = 0
    share: float = 1.0  # of the bytes, that it explains
    confidence: float = 0.0

    def summary(self) -> dict[str, Any]:
        """As the JSON has it under verdict and runner_up."""
        return {"format": self.format, "confidence": round(self.confidence, 4), "detail": self.detail}


@dataclass(frozen=True)
class Known:
    """A format of a well-known program."""

    name: str  # "charmm-dcd"
    title: str  # in words
    facts: list[str]
    library: str  # that reads it
    snippet: str  # of Python, with that library
    order: str
    explained: int  # bytes from the beginning that follow the format
    arrays: list[Listed] = field(default_factory=list)
    stream: bool = False  # without record markers
    missing: int = 0  # bytes that the file should have and does not have
    complete: bool = True  # the tags were followed to where the file ends or breaks

    def as_json(self) -> dict[str, Any]:
        """What the JSON of inspect has under known; arrays and snippet are elsewhere in it."""
        return {"name": self.name, "title": self.title, "facts": self.facts, "library": self.library}


@dataclass
class Report:
    """Everything about one file; `hypotheses` with the most probable first."""

    file: str
    size: int
    hypotheses: list[Hypothesis]
    tie: bool = False
    tied: list[str] = field(default_factory=list)
    snippets: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    leftover: str = ""  # what to do with a temporary file of headrace
    arrays: list[Listed] = field(default_factory=list)  # of a container or known format, if they were listed
    known: Known | None = None  # the format of a program, recognised by its tags

    @property
    def verdict(self) -> Hypothesis:
        """The most probable one."""
        return self.hypotheses[0]

    @property
    def runner_up(self) -> Hypothesis | None:
        """The next one."""
        return self.hypotheses[1] if len(self.hypotheses) > 1 else None

    @property
    def exit_code(self) -> int:
        """0: sure and whole; 1: a tie, a damaged file, or one that was not finished."""
        return (
            1 if self.tie or self.leftover or self.verdict.detail.get("damage") or self.verdict.confidence < 0.9 else 0
        )

    def named(self, path: str, name: str) -> None:
        """Gives the file another name, in the statements that read it too."""
        self.file = name
        self.snippets = {key: text.replace(path, name) for key, text in self.snippets.items()}

    def as_json(self) -> dict[str, Any]:
        """The whole report, for json.dumps."""
        best = self.verdict
        return {
            "file": self.file,
            "bytes": self.size,
            "verdict": best.summary(),
            "runner_up": self.runner_up.summary() if self.runner_up else None,
            "tie": self.tie,
            "tied": self.tied,
            "hypotheses": [
                one.summary() | {"bits": round(one.bits, 1), "explained": one.explained, "fails_at": one.fails_at}
                | {"why": one.why}
                for one in self.hypotheses
            ],
            "record_lengths": [{"bytes": n, "records": k} for n, k in best.histogram],
            "distinct_lengths": best.distinct,
            "pattern": [_in_json(asdict(run)) for run in best.runs],
            "pattern_complete": best.runs_complete,
            "snippets": self.snippets,
            "notes": self.notes,
            "leftover": self.leftover,
            "arrays": [asdict(one) for one in self.arrays],
            "known": self.known and self.known.as_json(),
        }  # fmt: skip


def _in_json(value: Any) -> Any:
    """NaN and infinity as null: JSON has neither."""
    if isinstance(value, dict):
        return {key: _in_json(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_in_json(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def weigh(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    """Sets the confidences and sorts: the share of probability, times what is explained of the file.

    A file of which half fits is half explained: its confidence is multiplied by the mean of 1 and that share.
    """
    highest = max(min(one.bits, CHANCE_OF_ALL) for one in hypotheses)
    weights = [2.0 ** max(min(one.bits, CHANCE_OF_ALL) - highest, -1000.0) for one in hypotheses]
    whole = math.fsum(weights)
    for one, weight in zip(hypotheses, weights, strict=True):
        one.confidence = min(weight / whole, MOST) * (1 + one.share) / 2
    return sorted(hypotheses, key=lambda one: (-min(one.bits, CHANCE_OF_ALL), -one.explained))
