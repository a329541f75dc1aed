"""The scaling model of each method that was measured on enough numbers of MPI ranks. Next: model/scaling.py."""

from collections.abc import Iterable
from functools import cache

from headrace.errors import HeadraceError
from headrace.measure.engine.campaign import Step
from headrace.measure.parallel.ways import BASE
from headrace.model.scaling import Fit, Point, Refusal, fit
from headrace.model.scaling_curve import curve
from headrace.results.methods import LIMIT, NPY, ZARR
from headrace.results.parallel import ModelFound, ParallelRow, ParallelRun, Predicted
from headrace.results.records import Operation

MODELLED = (LIMIT, ZARR, NPY, "hdf5:collective")
FURTHER = (2, 4, 16)  # times the most MPI ranks that were measured
_OPERATIONS: tuple[Operation, ...] = ("write", "read")


def add_models(run: ParallelRun, step: Step) -> None:
    """Fit what can be fitted, of the first directory and condition; a fit takes a second."""
    if len({row.ranks for row in run.rows}) < 2:
        return
    for operation in _OPERATIONS:
        for method in MODELLED:
            rows = rows_of(run, method, operation)
            if rows:
                step(f"{method}, {operation}")
                run.scaling.append(_model(run, method, operation, rows))


def rows_of(run: ParallelRun, method: str, operation: str) -> list[ParallelRow]:
    """One row a number of MPI ranks."""
    found: dict[int, ParallelRow] = {}
    for row in run.rows:
        if (row.tool, row.way, row.operation) == (BASE, method, operation) and row.samples:
            found.setdefault(row.ranks, row)
    return list(found.values())


def points_of(rows: Iterable[ParallelRow], nodes: dict[int, int]) -> list[Point]:
    """Every round is a point; the seconds of its slowest MPI rank."""
    return [
        Point(
            ranks=row.ranks,
            nodes=nodes.get(row.ranks, 1),
            bytes=float(row.payload_bytes),
            pattern=row.pattern,
            writers=row.writers or None,
            seconds=sample.total,
        )
        for row in rows
        for sample in row.samples
    ]


def nodes_of(run: ParallelRun) -> dict[int, int]:
    return {group.ranks: group.nodes for group in run.groups}


def fit_rows(run: ParallelRun, method: str, operation: str) -> Fit | Refusal:
    """The model of one method, or why there is none."""
    rows = rows_of(run, method, operation)
    short = [str(row.ranks) for row in rows if row.verdict == "too-short"]
    if short:
        return Refusal(
            f"the transfers of {', '.join(short)} MPI ranks were too short to time", "choose a larger --size"
        )
    return _fit(tuple(points_of(rows, nodes_of(run))))


@cache
def _fit(points: tuple[Point, ...]) -> Fit | Refusal:
    """Kept, because the report draws what the tables show."""
    try:
        return fit(points)
    except HeadraceError as error:
        return Refusal(error.message, error.hint)


def _model(run: ParallelRun, method: str, operation: Operation, rows: list[ParallelRow]) -> ModelFound:
    model = ModelFound(method=method, operation=operation, pattern=rows[0].pattern)
    found = fit_rows(run, method, operation)
    if isinstance(found, Refusal):
        model.refusal, model.hint = found.reason, found.hint
        return model
    most = max(row.ranks for row in rows)
    predictions, refusal = curve(found, max(FURTHER))
    for prediction in predictions:
        if prediction.place.ranks in {factor * most for factor in FURTHER}:
            rates = (prediction.median / 1e9, prediction.low / 1e9, prediction.high / 1e9)
            model.predictions.append(
                Predicted(ranks=prediction.place.ranks, median=rates[0], low=rates[1], high=rates[2])
            )
    if refusal is not None:
        model.refusal, model.hint = refusal.reason, refusal.hint
    return model
