"""The loops of bench/trace/statements.f90, and the ratios that are drawn from them."""

from collections.abc import Iterable
from dataclasses import dataclass

from headrace.measure.pairs import Pair
from headrace.results.records import Operation


@dataclass(frozen=True)
class Loop:
    """A case of the program."""

    case: str
    title: str
    operation: Operation = "write"
    value_bytes: int = 8  # of the I/O list, a statement or item


LOOPS = (
    Loop("stencil", "a program that computes and writes", value_bytes=400012),
    Loop("element", "write (10) i", value_bytes=4),
    Loop("stream", "write (10) i, stream access", value_bytes=4),
    Loop("formatted", "write (10, '(es22.14)') x"),
    Loop("list", "write (10, *) i, x", value_bytes=12),
    Loop("list_read", "read (10, *) i", "read", 4),
    Loop("internal", "write (text, '(i0)') i", value_bytes=4),
    Loop("items", "write (10) (f(i), i=1, n), an item", value_bytes=4),
)
GOALS = {"stencil": 1.01, "element": 1.25}


@dataclass(frozen=True)
class Way:
    """One loop of one compiler, traced or not."""

    tool: str
    loop: Loop
    traced: bool
    in_place: bool = False

    @property
    def name(self) -> str:
        return self.loop.case

    @property
    def operation(self) -> Operation:
        return self.loop.operation

    @property
    def key(self) -> str:
        return f"{self.tool}:{self.name}:{self.operation}"


def plain(compiler: str) -> str:
    """The tool's key without the tracer."""
    return compiler


def traced(compiler: str) -> str:
    """The tool's key with the tracer."""
    return f"{compiler}-traced"


def pairs(compilers: Iterable[str]) -> list[Pair]:
    """A ratio for each compiler and loop: time traced divided by time not traced."""
    return [
        Pair(
            f"{loop.case}_{compiler}",
            f"not traced: {loop.title}",
            (f"{traced(compiler)}:{loop.case}:{loop.operation}",),
            (f"{plain(compiler)}:{loop.case}:{loop.operation}",),
            GOALS.get(loop.case),
            False,
        )
        for compiler in compilers
        for loop in LOOPS
    ]
