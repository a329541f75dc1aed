"""The rows of a results file as `compare` needs them, whichever benchmark they come from. Next: comparison.py."""

from dataclasses import dataclass

from headrace.measure.results import Row, Run

NO_FORTRAN = ("c_library", "memory")  # families that no Fortran run time takes part in: what they show is the machine


@dataclass(frozen=True)
class Measured:
    """One row: its name, which is the same in both files, and the speed of each round.

    A row without speeds says in `trouble` why it has none. A reference is a row that no Fortran run time takes part in.
    """

    key: str
    speeds: tuple[float, ...] = ()
    verdict: str | None = None
    trouble: str = ""
    reference: bool = False


def measured_rows(run: Run) -> list[Measured]:
    """The rows of `headrace bench` that have a speed, or should have one."""
    return [_measured(row) for row in run.rows if row.statistics is not None or row.outcome != "measured"]


def _measured(row: Row) -> Measured:
    processes = f", {row.processes} processes" if row.processes > 1 else ""
    knob = f", {row.knob}" if row.knob != "default" else ""
    key = f"{row.operation} {row.key}, {row.compiler}, {row.directory}, {row.condition}{knob}{processes}"
    if row.statistics is None or row.outcome != "measured":
        return Measured(key, trouble=row.outcome)
    return Measured(key, tuple(row.bandwidths.values()), row.verdict, reference=row.family in NO_FORTRAN)
