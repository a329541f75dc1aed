"""What rules ask of a trace."""

from dataclasses import dataclass, field

from headrace.advice.costs import Costs, estimate
from headrace.results.records import Operation
from headrace.trace.reopened import may_wait
from headrace.trace.results import Estimate, File, Line, Trace
from headrace.trace.sources import Sources
from headrace.trace.table import compact

SIZES = (1, 2, 4, 8, 16, 32)  # bytes of Fortran's numbers
_CACHED = 16e6  # bytes of an array: a larger one comes from memory
_SLOW = 4  # times what the system usually needs
_SMALL_PIECE = 4096  # bytes of a system call: below, the calls cost more than the bytes


@dataclass
class Found:
    """What a rule found on a line."""

    code: str
    line: Line
    finds: str
    better: str
    after: Estimate | None
    others: list[Line] = field(default_factory=list)
    effect: str = ""  # what becomes of the file; empty: as the catalogue says
    effect_words: str = ""
    why_no_estimate: str = ""
    at_stake: float | None = None  # seconds of the wall time that all MPI ranks lose
    evidence: dict[str, float] = field(default_factory=dict)

    @property
    def before(self) -> float:
        return sum(line.seconds_exclusive for line in (self.line, *self.others))

    @property
    def saving(self) -> float:
        return self.before - self.after.seconds if self.after else 0.0


class Facts:
    """A trace with its costs and sources, and the sums that several rules need."""

    def __init__(self, trace: Trace, costs: Costs, sources: Sources) -> None:
        self.trace = trace
        self.costs = costs
        self.sources = sources
        self.files = {file.id: file for file in trace.files}
        self.io_seconds = sum(line.seconds_exclusive for line in trace.lines if line.statement != "not Fortran")

    def file(self, line: Line) -> File | None:
        """What the line went to, most of all."""
        return self.files.get(line.files[0]) if line.files else None

    def may_wait(self, line: Line) -> bool:
        """Whether what goes to its files may stay in a buffer until CLOSE."""
        known = [self.files[number] for number in line.files if number in self.files]
        return bool(known) and all(may_wait(self.trace, file) for file in known)

    def is_written_too(self, line: Line) -> bool:
        """Whether a WRITE uses one of its files, opened by the same OPEN."""
        places = {(place.file, place.line) for place in line.opened_at}
        return any(
            set(one.files) & set(line.files) and (not places or places & {(at.file, at.line) for at in one.opened_at})
            for one in self.trace.lines
            if one.statement in ("write", "endfile")
        )

    def lines_of(self, file: File, *statements: str) -> list[Line]:
        """The lines that went to a file, most of all, or to one of its kind."""
        return [line for line in self.trace.lines if line.statement in statements and line.files[:1] == [file.id]]

    def at_place(self, line: Line) -> list[Line]:
        """All library calls of the same source line."""
        return [one for one in self.trace.lines if one.statement == "library call" and one.place == line.place]

    def passes(self, line: Line) -> int:
        """How often the program may have gone over its data: each time it opened a file, or rewound it."""
        file = self.file(line)
        opens = sum(self.files[number].opens for number in line.files if number in self.files)
        again = sum(x.statements for x in self.lines_of(file, "rewind")) if file else 0
        return max(1, line.processes, opens + again)

    def system_byte(self, line: Line) -> float:
        """Seconds that the system needed for a byte of this line's file."""
        operation = operation_of(line)
        usual = self.costs.system_byte(operation)
        lines = [line]
        moved = line.bytes_written + line.bytes_read
        file = self.file(line)
        if moved < line.payload_bytes / 4 and file:  # another statement emptied the buffer
            lines = self.lines_of(file, "write", "read", "flush", "close", "run time")
            moved = sum(x.bytes_written + x.bytes_read for x in lines)
        calls = sum(x.calls.write + x.calls.read for x in lines)
        if not moved or not calls:
            return usual
        own = sum(x.seconds_in_system for x in lines) / moved
        if own > _SLOW * usual:  # a slow file system, or calls for a few bytes each
            return own if moved / calls >= _SMALL_PIECE else 3 * usual
        if operation == "read" or line.payload_bytes / self.passes(line) > _CACHED:
            return max(own, usual)
        # small pieces, beside other work: between what was measured there and what a large one takes
        return float((max(own, usual / 4) * usual) ** 0.5)

    def whole_arrays(self, line: Line, access: str = "sequential") -> Estimate:
        """Its seconds if each pass over the data were one statement with an array."""
        operation = operation_of(line)
        payload = line.payload_bytes
        size = element_size(line)
        passes = self.passes(line)
        in_system = payload * self.system_byte(line)
        kind = "stream" if access == "stream" else "sequential"
        outside = self.costs.arrays(operation, kind, passes, payload, size)  # type: ignore[arg-type]
        mid = in_system + outside
        many = max(passes, line.elements / 1000)  # an outer loop may be left
        high = in_system + self.costs.arrays(operation, kind, many, payload, size)  # type: ignore[arg-type]
        low = mid / 2
        if operation == "read":  # it may touch the memory of the array for the first time
            touched = payload * self.costs.fresh_byte(operation)
            mid += touched / passes
            high += touched
        return estimate(mid, low, 1.7 * max(mid, high) + 2e-4)


def operation_of(line: Line) -> Operation:
    """What a cost model knows: writing or reading."""
    return "read" if line.statement == "read" else "write"


def element_size(line: Line) -> int:
    """Bytes of an element, in memory."""
    return max(1, round(line.payload_bytes / line.elements)) if line.elements else 8


def per_statement(line: Line) -> float:
    """Bytes of payload of a statement."""
    return line.payload_bytes / line.statements if line.statements else 0.0


def is_transfer(line: Line, form: str) -> bool:
    """A READ or WRITE of a file, of that form."""
    return (
        line.statement in ("write", "read") and not line.internal and "child" not in line.traits and line.form == form
    )


def is_direct(line: Line) -> bool:
    return "direct" in line.traits


def times(value: float, what: str) -> str:
    """For example 3.00M statements."""
    return f"{compact(value)} {what}{'s' * (value != 1)}"
