"""The Fortran run time: buffers, as far as variables, compiler options and OPEN set them. Next: statements.py."""

import shlex
from collections.abc import Iterator

from headrace.measure.knobs import KNOBS
from headrace.results.advised import Citation, Expected, Item
from headrace.results.run import Row, Run
from headrace.results.statistics import describe, paired_ratio
from headrace.settings.evidence import VERBS, Context, best_first, context_host, gains, guide, own_figures, saved
from headrace.settings.job import Job, Observed
from headrace.settings.probe import Costs
from headrace.settings.rules.calls import BUFFERS

_STATEMENT = 100e-9  # seconds that one takes with a buffer while it is traced
_TRACED_CALL = 50e-9  # seconds that the trace adds to a system call, beside the call itself
_TRUE = ("y", "t", "1")
WORTH = 1.05
GNU_MANUAL = Citation(
    title="GNU Fortran manual, Runtime: GFORTRAN_UNBUFFERED_ALL",
    url="https://gcc.gnu.org/onlinedocs/gfortran/GFORTRAN_005fUNBUFFERED_005fALL.html",
    date="2026-11-26",
    machine="gfortran, any machine",
)
IFORT_BUG = Citation(
    title="SPECFEM3D, pull request 1195: compiler bug in some releases of ifort 17 when -assume buffered_io is used",
    url="https://github.com/SPECFEM/specfem3d/pull/1195",
    date="2018-02-10",
    machine="ifort 17",
)
BUFFERED_IO = "buffered_io"  # how --forbid names it


def _is_statements(job: Job) -> bool:
    """Whether a run time moves the data, or nothing is said of the format."""
    return job.is_fortran or (not job.format and not job.transfer)


def unset_unbuffered(context: Context) -> Iterator[Item]:
    """A variable that takes gfortran's buffers away."""
    name = "GFORTRAN_UNBUFFERED_ALL"
    value = context.place.variables.get(name, "")
    if not _is_statements(context.job) or value[:1].lower() not in _TRUE:
        return
    observed = context.job.observed
    if observed and not observed.may_wait:
        return
    found = _knob_gains(context, "unbuffered", inverse=True)
    if observed and not found:
        found = _buffer_model(observed, context.place.costs) or saved(context, "unset-unbuffered")
    elif not found:
        form = "formatted" if context.job.format == "text" else "unformatted"
        found = gains(context, "unset-unbuffered", form)
    first, more = best_first(found)
    yield Item(
        change="unset-unbuffered",
        title=f"do not set {name}: it is {value} now",
        kind="environment",
        lines=[f"unset {name}"],
        why="each statement is a system call, and each read of a short record fetches a whole buffer again",
        gain=first,
        more_gains=more,
        why_no_gain="" if first else "it depends on the length of the records: --from with a trace tells",
        undo=f"export {name}={shlex.quote(value)}",
        hurts="somebody follows the file while the program runs, or needs the last line of a program that crashes",
        sources=[GNU_MANUAL, *(one.source for one in found)],
        unset=[name],
    )


def _buffer_model(observed: Observed, costs: Costs | None) -> list[Expected]:
    """From a trace: with buffers there are as many system calls as there are buffers to fill."""
    found: list[Expected] = []
    calls = observed.writes + observed.reads
    if calls <= 0 or observed.seconds <= 0:
        return found
    is_text = observed.text_seconds > observed.seconds / 2
    buffer = BUFFERS["text" if is_text else "binary"]
    needed = observed.payload_bytes / buffer  # not bytes read: each fetches a whole buffer
    statements = observed.write_statements + observed.read_statements
    own = observed.seconds - observed.system_seconds - calls * _TRACED_CALL
    system = observed.system_seconds * min(1.0, needed / calls)
    if costs is not None:  # full buffers have more bytes than the calls of the trace
        system = max(system, needed * costs.write(buffer))
    after = min(observed.seconds, max(own, statements * _STATEMENT) + system)
    factor = observed.seconds / after
    known = own_figures(False, observed.source, observed.host, observed.date)
    if factor < WORTH:
        return found
    return [
        Expected(
            factor=factor,
            low=max(1.0, factor / 2),
            high=factor * 2,
            of="the I/O",
            known="model",
            condition=f"{calls:,} system calls would be {max(1, round(needed)):,}; the run time's own work stays",
            source=known,
        )
    ]


def buffered_records(context: Context) -> Iterator[Item]:
    """Intel's run time writes without buffers unless it is asked for them."""
    job, place = context.job, context.place
    if "intel" not in place.vendors or not job.is_fortran:
        return
    if place.variables.get("FORT_BUFFERED", "").lower() in ("true", "yes", "t", "y", "1"):
        return
    form = "formatted" if job.format == "text" else "unformatted"
    case = "scalar skip" if job.skip == "scalar" else f"{form} {job.statements or 'array'}"
    first, more = best_first(gains(context, "buffered-records", case))
    forbidden = BUFFERED_IO in job.forbidden
    yield Item(
        change="buffered-open" if forbidden else "buffered-records",
        title="open each file with BUFFERED='YES'" if forbidden else "let Intel's run time buffer what it writes",
        kind="source" if forbidden else "environment",
        lines=[] if forbidden else ["export FORT_BUFFERED=true"],
        why="by default each WRITE is a system call. "
        + (
            "BUFFERED= in OPEN comes before compiler options and variables, and needs neither"
            if forbidden
            else "Compile with -assume buffered_io for the same without a variable, or add BUFFERED='YES' to each OPEN"
        ),
        gain=first,
        more_gains=more,
        why_no_gain="" if first else "the source has no figure for this form of statement",
        undo="leave BUFFERED= out" if forbidden else "unset FORT_BUFFERED",
        hurts="many open files and little memory (a buffer for each), or another program follows the file; some "
        "releases of ifort 17 have a bug with -assume buffered_io",
        sources=[guide("fortran-guide"), IFORT_BUG],
        tested=False,
        variables={} if forbidden else {"FORT_BUFFERED": "true"},
    )


def run_time_knobs(context: Context) -> Iterator[Item]:
    """What the user's own results of `headrace bench` show of buffer sizes."""
    for vendor in context.place.vendors:
        for knob in KNOBS.get(vendor, []):
            if not knob.environment or not knob.tested or knob.name == "unbuffered":
                continue
            found = [one for one in _knob_gains(context, knob.name) if one.low is None or one.low > WORTH]
            first, more = best_first(found)
            if first is None:
                continue
            yield Item(
                change=knob.name,
                title=f"set {', '.join(f'{name}={value}' for name, value in knob.environment.items())}",
                kind="environment",
                lines=[f"export {name}={value}" for name, value in knob.environment.items()],
                why="the size of the buffer decides how many system calls there are, and how much a jump reads in vain",
                gain=first,
                more_gains=more,
                undo=f"unset {' '.join(knob.environment)}",
                hurts="other statements of the same program, for which the buffer has another best size",
                sources=[
                    Citation(title=knob.source, date="2026-11-26", machine=f"{vendor}, any machine"),
                    *(one.source for one in found),
                ],
                variables=dict(knob.environment),
            )


def _knob_gains(context: Context, name: str, inverse: bool = False) -> list[Expected]:
    """Of the user's results: what a knob does to the statements that the job has, most of them first."""
    run = context.job.statements_measured
    if run is None:
        return []
    known = [(row, base) for row in run.rows if row.knob == name for base in [_base(run, row)] if base is not None]
    found: list[Expected] = []
    for operation in context.job.operations:
        best: Expected | None = None
        for row, base in known:
            if row.operation != operation or not _is_of(context.job, row):
                continue
            ratios = paired_ratio(base.speeds(), row.speeds()) if inverse else paired_ratio(row.speeds(), base.speeds())
            if not ratios:
                continue
            said = describe(ratios)
            here = run.provenance.host == context_host(context)
            one = Expected(
                factor=said.median,
                low=said.low,
                high=said.high,
                of=VERBS[operation],
                operation=operation,
                known="measured here" if here else "published",
                condition=f"{row.key} with {row.compiler}, {said.n} rounds, {100 * said.confidence:.0f} % interval",
                source=own_figures(True, _name(context), run.provenance.host, run.provenance.date),
            )
            best = one if best is None or one.factor > best.factor else best
        found += [best] if best is not None and best.factor > WORTH else []
    return found


def _name(context: Context) -> str:
    return context.job.said[0].partition(":")[0] if context.job.said else "results"


def _base(run: Run, row: Row) -> Row | None:
    """The same without the knob."""
    what = (row.compiler, row.directory, row.key, row.operation, row.condition, row.processes)
    return next(
        (
            other
            for other in run.rows
            if other.knob == "default"
            and (other.compiler, other.directory, other.key, other.operation, other.condition, other.processes) == what
        ),
        None,
    )


def _is_of(job: Job, row: Row) -> bool:
    family = {"text": "formatted", "unformatted": "unformatted", "stream": "stream", "direct": "direct"}.get(job.format)
    if family is not None and row.family != family:
        return False
    return not job.statements or (job.statements == "element") == ("element" in row.mechanism)


RULES = (unset_unbuffered, buffered_records, run_time_knobs)
CHANGES = (
    *("unset-unbuffered", "buffered-records", "buffered-open"),
    *(knob.name for knobs in KNOBS.values() for knob in knobs if knob.environment and knob.tested),
)  # names of its items
