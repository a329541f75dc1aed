"""The micro-runs: which, how they are built and run. bench/micro/ holds the Fortran."""

from dataclasses import dataclass
from typing import Literal

from headrace.model.counts import Access, Style, Transfer
from headrace.results.records import Operation
from headrace.results.run import Vendor

HOT = 100_000  # values that an array of a cached micro-run has
COLD = 6_000_000  # and of one that comes from memory
FRESH = 6_000_000  # values of a block that is allocated anew, above every threshold of malloc


@dataclass(frozen=True)
class MicroRun:
    """One line of the list that bench/micro/micro.f90 reads."""

    access: Literal["sequential", "stream", "direct", "memory"]
    style: Literal["scalars", "array", "section", "components", "integers"]
    statements: int
    items: int
    sections: int = 1
    span: int = HOT
    form: Literal["unformatted", "swapped", "list", "formatted", "separated"] = "unformatted"
    edit: str = "*"
    records: int = 1

    @property
    def line(self) -> str:
        numbers = f"{self.statements} {self.items} {self.sections} {max(self.span, self.items)}"
        format_ = FORMATS[self.edit].format(self.items // self.records) if self.edit in FORMATS else "*"
        return f"'{self.access}' '{self.form}' '{self.style}' {numbers} '{format_}'"

    @property
    def fresh(self) -> bool:
        """One large record: measured with memory that always comes from the kernel."""
        return self.access == "memory" or (self.form == "unformatted" and self.statements == 1 and self.items > 1)

    def transfer(self, vendor: Vendor) -> Transfer:
        """What the model counts. A span larger than the statement is walked once and again."""
        access: Access = "sequential" if self.access == "memory" else self.access
        if self.form not in ("unformatted", "swapped"):
            kind = " int32" if self.style == "integers" else ""
            return Transfer(access, self.statements, self.items, edit=self.edit + kind, records=self.records)
        style: Style = "array" if self.style == "integers" else self.style
        swapped = self.form == "swapped"
        if swapped and vendor == "llvm":
            style = "section"  # swapped element by element
        total = self.statements * self.items * self.sections
        return Transfer(
            access,
            self.statements,
            self.items * self.sections,
            style,
            run=self.items if style == "section" else 0,
            converted=swapped,
            first=1 if self.fresh else 0,
            array_bytes=8 * min(max(self.span, self.items * self.sections), total),
        )


@dataclass(frozen=True)
class MicroTime:
    """Least processor time, in seconds, over the rounds."""

    run: MicroRun
    operation: Operation | Literal["memory"]
    seconds: float
    rounds: int


# edit descriptor: format of one record with so many values
FORMATS = {
    "e15.5": "({}e15.5)",
    "es23.15": "({}es23.15)",
    "es24.16e3": "({}(1x, es24.16e3))",
    "g0": '({}(g0, :, ","))',
    "z17": "({}z17)",
    "i12": "({}i12)",
}


def chosen_runs() -> list[MicroRun]:
    """As few as determine every term: about 15 s a compiler with writes, reads and four rounds."""
    return [MicroRun("memory", "array", 1, FRESH), *_statements(), *_arrays(), *_sections(), *_text()]


def _statements() -> list[MicroRun]:
    runs = [MicroRun("sequential", "array", 1, 1)]
    for access in ("sequential", "stream", "direct"):
        runs += [
            MicroRun(access, "scalars", 60_000, 1),
            MicroRun(access, "array", 50_000, 3),
        ]
    runs += [MicroRun("sequential", "scalars", 20_000, 8), MicroRun("stream", "scalars", 20_000, 8)]
    runs += [MicroRun("sequential", "components", 2_000, 60), MicroRun("sequential", "components", 200, 600)]
    return runs


def _arrays() -> list[MicroRun]:
    """Bytes: small and large pieces, from the cache and from memory."""
    runs: list[MicroRun] = []
    for access in ("sequential", "stream", "direct"):
        runs += [
            MicroRun(access, "array", 1_000, 1_000),
            MicroRun(access, "array", 80, 15_000),
        ]
    runs += [
        MicroRun("sequential", "array", 6_000, 1_000, span=COLD),
        MicroRun("sequential", "array", 60, 100_000, span=COLD),
        MicroRun("stream", "array", 1_500_000, 3, span=COLD),
        MicroRun("stream", "array", 600, 8_192, span=COLD),
        MicroRun("stream", "array", 45, 131_072, span=COLD),
        MicroRun("stream", "array", 16, 100_000),
        MicroRun("direct", "array", 16, 100_000),
        MicroRun("sequential", "array", 1, HOT),
        MicroRun("sequential", "array", 1, 4 * HOT, span=4 * HOT),
        MicroRun("sequential", "array", 200, 1_000, form="swapped"),
        MicroRun("sequential", "array", 20, 10_000, form="swapped"),
        MicroRun("sequential", "array", 1, COLD, span=COLD),
        MicroRun("stream", "array", 1, COLD, span=COLD),
    ]
    return runs


def _sections() -> list[MicroRun]:
    return [
        MicroRun("sequential", "section", 1_000, 1, 8),
        MicroRun("sequential", "section", 1_000, 3, 100),
        MicroRun("stream", "section", 1_000, 3, 100),
        MicroRun("sequential", "section", 4_000, 3, 8),
        MicroRun("sequential", "section", 1, 3, 30_000),
        MicroRun("sequential", "section", 1, 3, 100_000),
        MicroRun("sequential", "scalars", 1, 200_000),
        MicroRun("sequential", "scalars", 1, 600_000, span=600_000),
        MicroRun("sequential", "scalars", 1, 1_000_000, span=1_000_000),
    ]


def _text() -> list[MicroRun]:
    runs: list[MicroRun] = []
    for edit in ("e15.5", "es24.16e3", "g0", "z17"):
        form: Literal["formatted", "separated"] = "separated" if edit == "g0" else "formatted"
        runs += [
            MicroRun("sequential", "array", 8_000, 1, form=form, edit=edit),
            MicroRun("sequential", "array", 5_000, 3, form=form, edit=edit),
            MicroRun("sequential", "array", 500, 30, form=form, edit=edit),
        ]
    runs += [
        MicroRun("sequential", "array", 1, 20_000, form="formatted", edit="e15.5", records=2_000),
        MicroRun("sequential", "array", 1, 20_001, form="formatted", edit="es24.16e3", records=6_667),
    ]
    for style in ("array", "integers"):
        runs += [MicroRun("sequential", style, *size, form="list") for size in ((8_000, 1), (5_000, 3), (1, 20_000))]
    return runs
