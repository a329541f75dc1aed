"""The scaling model of the user's own results of `headrace bench parallel`, asked for the job's number of MPI ranks."""

from headrace.measure.parallel.scaling import MODELLED, fit_rows, rows_of
from headrace.measure.parallel.ways import BASE
from headrace.model.scaling import Refusal
from headrace.results.advised import Predicted
from headrace.results.parallel import ParallelRun
from headrace.results.records import Operation
from headrace.settings.job import Job

_GB = 1e9


def predictions(job: Job) -> list[Predicted]:
    """One for each method of the job's pattern that was measured; empty if the job's MPI ranks were measured."""
    run = job.measured
    if run is None or job.ranks in {row.ranks for row in run.rows if row.tool == BASE and row.samples}:
        return []
    found: list[Predicted] = []
    for method in dict.fromkeys((*MODELLED, *(row.way for row in run.rows if row.tool == BASE and "," not in row.way))):
        for operation in job.operations:
            rows = rows_of(run, method, operation)
            if rows and job.pattern in (None, rows[0].pattern):
                found.append(_one(run, job, method, operation))
    return found


def _one(run: ParallelRun, job: Job, method: str, operation: Operation) -> Predicted:
    asked = Predicted(method=method, operation=operation, ranks=job.ranks)
    fit = fit_rows(run, method, operation)
    if isinstance(fit, Refusal):
        return asked.model_copy(update={"refusal": fit.reason, "hint": fit.hint})
    answer = fit.predict(job.ranks, job.nodes, float(job.bytes))
    if isinstance(answer, Refusal):
        return asked.model_copy(update={"refusal": answer.reason, "hint": answer.hint})
    return asked.model_copy(update={"median": answer.median / _GB, "low": answer.low / _GB, "high": answer.high / _GB})
