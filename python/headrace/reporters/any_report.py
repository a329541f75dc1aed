"""The report of results files of any benchmark. Next: html/ for most, parallel_report.py for MPI ranks."""

from collections.abc import Sequence
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.reporters import binary_tables, taken_over_tables, text_tables, trace_overhead_tables
from headrace.reporters.html import write_report
from headrace.reporters.parallel_report import write_parallel_report
from headrace.results.binary import BinaryRun
from headrace.results.files import AnyRun
from headrace.results.findings import findings
from headrace.results.parallel import ParallelRun
from headrace.results.run import Knob, Row, Run, Settings
from headrace.results.taken_over import TakenOverRun
from headrace.results.text import TextRun
from headrace.results.trace import TraceRun


def write_any_report(runs: Sequence[AnyRun], path: Path, names: list[str], option: str = "--report") -> None:
    """One page. Runs on MPI ranks have a page of their own, one each; raises HeadraceError for several."""
    parallel = [run for run in runs if isinstance(run, ParallelRun)]
    if parallel and len(runs) > 1:
        raise HeadraceError(
            "a page shows either one run of bench parallel or any number of other runs",
            "write a report for each run of bench parallel; headrace compare takes two of them",
        )
    if parallel:
        write_parallel_report(parallel[0], path)
    else:
        others = [run for run in runs if not isinstance(run, ParallelRun)]
        write_report([as_run(run) for run in others], path, names, option, [findings(run) for run in others])


def as_run(found: Run | TextRun | BinaryRun | TraceRun | TakenOverRun) -> Run:
    """In the words of `headrace bench`: a tool as a compiler, the case as a family, the way as a mechanism."""
    if isinstance(found, Run):
        return found
    said = _conclusion(found)
    return Run(
        complete=found.complete,
        elapsed_seconds=found.elapsed_seconds,
        provenance=found.provenance,
        settings=Settings(
            minimum_seconds=found.settings.minimum_seconds,
            rounds=found.settings.rounds,
            time_budget=found.settings.time_budget,
            conditions=["cached", "warm"],
            seed=found.settings.seed,
        ),
        compilers=found.compilers,
        directories=found.directories,
        knobs=[Knob(name="default")],
        notes=found.notes,
        said=[said],
        rows=[
            Row(
                **{name: getattr(row, name) for name in _SHARED},
                compiler=row.title,
                directory=found.directories[0].path,
                family=row.case,
                mechanism=row.way if row.file_state == "fresh" or row.operation == "read" else f"{row.way} (existing)",
                statement=row.note or f"{row.title}: {row.way}",
                shape=f"{row.values:,} values",
                condition="cached" if row.operation == "write" else "warm",
                file_state="existing" if row.operation == "read" or row.file_state != "fresh" else "fresh",
                count=row.values,
                bandwidths=row.bandwidths,
            )
            for row in found.rows
        ],
    )


def _conclusion(found: TextRun | BinaryRun | TraceRun | TakenOverRun) -> str:
    if isinstance(found, TraceRun):
        return trace_overhead_tables.conclusion(found)
    if isinstance(found, TakenOverRun):
        return taken_over_tables.conclusion(found)
    return text_tables.conclusion(found) if isinstance(found, TextRun) else binary_tables.conclusion(found)


_SHARED = (
    *("operation", "payload_bytes", "file_bytes", "samples", "statistics", "peak_memory_bytes"),
    *("outcome", "verdict", "message"),
)
