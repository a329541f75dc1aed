"""The rows of a results file as `compare` needs them, whichever benchmark they come from. Next: comparison.py."""

from dataclasses import dataclass

from headrace.results.files import AnyRun
from headrace.results.records import MeasuredRow


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


def measured_rows(run: AnyRun) -> list[Measured]:
    """The rows that have a speed, or should have one."""
    return [_measured(row) for row in run.rows if row.statistics is not None or row.outcome != "measured"]


def _measured(row: MeasuredRow) -> Measured:
    if row.statistics is None or row.outcome != "measured":
        return Measured(row.identity, trouble=row.outcome)
    return Measured(row.identity, tuple(row.speeds().values()), row.verdict, reference=row.is_reference)
