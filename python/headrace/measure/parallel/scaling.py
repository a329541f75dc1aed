"""The scaling model of each method that was measured on enough numbers of MPI ranks. Next: model/scaling.py."""

from collections.abc import Iterable

from headrace.errors import HeadraceError
from headrace.measure.parallel.methods import HDF5, LIMIT, NPY, ZARR
from headrace.measure.parallel.results import ModelFound, ParallelRow, ParallelRun, Predicted
from headrace.measure.parallel.ways import BASE
from headrace.measure.results import Operation
from headrace.model.scaling import Fit, Point, Refusal, fit

MODELLED = (LIMIT, "raw:shared_file", ZARR, NPY, HDF5, "mpiio:collective", "hdf5:collective")
FURTHER = (2, 4, 16)  # times the most MPI ranks that were measured
_OPERATIONS: tuple[Operation, ...] = ("write", "read")


def add_models(run: ParallelRun) -> None:
    """Fit what can be fitted, of the first directory and condition."""
    if len({row.ranks for row in run.rows}) < 2:
        return
    for operation in _OPERATIONS:
        for method in MODELLED:
            rows = rows_of(run, method, operation)
            if rows:
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
            seconds=sample.wall,
        )
        for row in rows
        for sample in row.samples
    ]


def nodes_of(run: ParallelRun) -> dict[int, int]:
    return {group.ranks: group.nodes for group in run.groups}


def fit_rows(run: ParallelRun, method: str, operation: str) -> Fit | Refusal:
    """The model of one method, or why there is none."""
    try:
        return fit(points_of(rows_of(run, method, operation), nodes_of(run)))
    except HeadraceError as error:
        return Refusal(error.message, error.hint)


def _model(run: ParallelRun, method: str, operation: Operation, rows: list[ParallelRow]) -> ModelFound:
    found = fit_rows(run, method, operation)
    model = ModelFound(method=method, operation=operation, pattern=rows[0].pattern)
    if isinstance(found, Refusal):
        model.refusal, model.hint = found.reason, found.hint
        return model
    model.parameters = {
        parameter.name: parameter.value for parameter in found.parameters() if parameter.value is not None
    }
    most = max(row.ranks for row in rows)
    largest = next(row for row in rows if row.ranks == most)
    for factor in FURTHER:
        ranks = factor * most
        size = largest.payload_bytes * (factor if run.settings.scaling == "weak" else 1)
        answer = found.predict(ranks=ranks, nodes=nodes_of(run).get(most, 1), bytes=float(size))
        if isinstance(answer, Refusal):
            model.refusal, model.hint = f"beyond {most} MPI ranks: {answer.reason}", answer.hint
            break
        rates = (answer.median / 1e9, answer.low / 1e9, answer.high / 1e9)
        model.predictions.append(Predicted(ranks=ranks, median=rates[0], low=rates[1], high=rates[2]))
    return model
