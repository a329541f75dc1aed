"""What rules decide from, and the figures behind their advice: published ones, and those of the user's own results.

Rules are in rules/; each is a function of a Context. First: advise.py.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from headrace.results.advised import Citation, Expected, Item, Known
from headrace.results.parallel import ParallelRow
from headrace.results.statistics import COVERAGE, describe, paired_ratio
from headrace.settings.job import Job
from headrace.settings.place import Place
from headrace.sites import load
from headrace.sites.schema import Gain, Operation, Pattern, Rate, Site, Source

_UNITS = {"MB/s": 1e6, "GB/s": 1e9, "GiB/s": 2**30}
VERBS: dict[Operation, str] = {"write": "writing", "read": "reading"}


@dataclass(frozen=True)
class Context:
    """Everything that a rule may ask."""

    job: Job
    place: Place
    site: Site | None
    sites: tuple[Site, ...]  # all, that of the job first: figures of other machines are figures, too

    @property
    def own(self) -> tuple[Site, ...]:
        """Whose rules hold: the site's; others have figures only."""
        return (self.site,) if self.site else ()


Rule = Callable[[Context], Iterator[Item]]


def citation(source: Source) -> Citation:
    return Citation(title=source.title, url=source.url, date=source.date.isoformat(), machine=source.machine)


def cite(site: Site, name: str) -> Citation:
    return citation(site.sources[name])


def own_figures(measured: bool, source: str, host: str, date: str) -> Citation:
    """The user's own results, or a trace."""
    what = "results" if measured else "trace"
    return Citation(title=f"{what} in {source}", date=date[:10] or "not stated", machine=host or "not stated")


def gains(context: Context, change: str, case: str = "") -> list[Expected]:
    """Published gains of a change for the job's operations, the site's own figures first."""
    found: list[Expected] = []
    for site in context.sites:
        for gain in site.gains:
            if gain.change == change and gain.case == case and _is_asked(gain, context.job):
                found.append(_expected(site, gain))
    return list({(one.condition, one.operation): one for one in reversed(found)}.values())[::-1]  # the first of equals


def _is_asked(gain: Gain, job: Job) -> bool:
    return gain.operation is None or gain.operation in job.operations


def _expected(site: Site, gain: Gain) -> Expected:
    figures = f"{gain.before:.4g} {gain.unit} before, {gain.after:.4g} {gain.unit} after"
    of = VERBS[gain.operation] if gain.operation else "the I/O"
    return Expected(
        factor=gain.factor,
        low=gain.low,
        high=gain.high,
        of=of,
        operation=gain.operation,
        known="published",
        condition=f"{gain.condition}: {figures}",
        source=cite(site, gain.source),
    )


def saved(context: Context, change: str) -> list[Expected]:
    """What `headrace trace` predicts of the lines with this cause, as a share of all I/O of the trace."""
    observed = context.job.observed
    saving = observed.savings.get(change) if observed else None
    if observed is None or saving is None or observed.seconds <= 0:
        return []
    rest = max(0.0, observed.seconds - saving.before)
    floor = observed.seconds / 1e4
    return [
        Expected(
            factor=observed.seconds / max(floor, rest + saving.after),
            low=observed.seconds / max(floor, rest + saving.high),
            high=observed.seconds / max(floor, rest + saving.low),
            of="the I/O",
            known="model",
            condition=f"these lines take {saving.before:.3g} of {observed.seconds:.3g} s of I/O, and would take "
            f"{saving.after:.3g} s; with {saving.source}",
            source=own_figures(False, observed.source, observed.host, observed.date),
        )
    ]


def rate_gain(context: Context, to: Pattern, storage: str = "", from_storage: str = "") -> Expected | None:
    """What published bandwidths of the site say of another pattern, or of other storage."""
    job = context.job
    if job.pattern is None or "write" not in job.operations:
        return None
    for site in context.own:
        before = _rate(context, site, _published_as(job.pattern), from_storage)
        after = _rate(context, site, to, storage)
        if before is None or after is None:
            continue
        rate = after.rate
        sizes = f"{rate.ranks:,} MPI ranks on {rate.nodes} nodes" if rate.ranks else "the whole machine"
        return Expected(
            factor=after.median / before.median,
            low=_ratio(after.lower, before.upper),
            high=_ratio(after.upper, before.lower),
            of="writing",
            operation="write",
            known="model" if max(before.share, after.share) > 1 else "published",
            condition=f"medians {before.rate.median:g} and {rate.median:g} {rate.unit}, quartile against quartile, "
            f"at {sizes}{_at(context, after)}",
            source=cite(site, rate.source),
        )
    return None


@dataclass(frozen=True)
class _Speed:
    """A published rate at the job's number of nodes, in bytes a second."""

    rate: Rate
    share: float  # the published number of nodes for each one of the job

    @property
    def unit(self) -> float:
        return _UNITS[self.rate.unit] / self.share

    @property
    def median(self) -> float:
        return self.rate.median * self.unit

    @property
    def lower(self) -> float | None:
        return self.rate.lower_quartile and self.rate.lower_quartile * self.unit

    @property
    def upper(self) -> float | None:
        return self.rate.upper_quartile and self.rate.upper_quartile * self.unit


def _ratio(above: float | None, below: float | None) -> float | None:
    return above / below if above and below else None


def _at(context: Context, speed: _Speed) -> str:
    """What is assumed if the job is smaller than what was published."""
    job, rate = context.job, speed.rate
    if not rate.ranks or (job.ranks, job.nodes) == (rate.ranks, rate.nodes):
        return ""
    said = f"; this job has {job.ranks:,} on {job.nodes}"
    return said + (", and files of processes are taken to go as fast as their nodes can" if speed.share > 1 else "")


def _published_as(pattern: Pattern) -> Pattern:
    """Nobody publishes the slower of two ways to share a file: the faster one stands for it."""
    return "shared_collective" if pattern == "shared_independent" else pattern


def _rate(context: Context, site: Site, pattern: Pattern, storage: str) -> _Speed | None:
    """The first that fits. Files of their own are limited by the nodes that write them; a shared file by itself."""
    found = [rate for rate in site.rates if rate.pattern == pattern and (not storage or rate.storage in ("", storage))]
    if not found:
        return None
    rate = found[0]
    share = rate.nodes / context.job.nodes if pattern.startswith("file_per") and rate.nodes else 1.0
    return _Speed(rate, max(1.0, share))


def measured_gain(
    context: Context, operation: Operation, before: Callable[[ParallelRow], bool], after: Callable[[ParallelRow], bool]
) -> Expected | None:
    """The user's own results: the fastest row that `after` takes against the fastest that `before` takes.

    Ratios are taken round by round; the choice of the fastest flatters both sides alike.
    """
    run = context.job.measured
    if run is None:
        return None
    rows = [row for row in run.rows if row.operation == operation and row.statistics and row.outcome == "measured"]
    ranks = max((row.ranks for row in rows), default=0)
    old = _fastest([row for row in rows if row.ranks == ranks and before(row)])
    new = _fastest([row for row in rows if row.ranks == ranks and after(row) and row.directory == _of(old)])
    if old is None or new is None:
        return None
    ratios = paired_ratio(new.speeds(), old.speeds())
    found = describe(ratios or [new.median / old.median])  # a file without its samples has medians alone
    if not _may_conclude(old, new, found.confidence if ratios else None):
        return None
    known: Known = "measured here" if run.provenance.host == context_host(context) else "published"
    sure = f"{found.n} rounds, {100 * found.confidence:.0f} % interval" if ratios else "medians"
    return Expected(
        factor=found.median,
        low=found.low if ratios else None,
        high=found.high if ratios else None,
        of=VERBS[operation],
        operation=operation,
        known=known,
        condition=f"{old.way} and {new.way}, {ranks} MPI ranks, {sure}",
        source=own_figures(True, _file_of(context), run.provenance.host, run.provenance.date),
    )


def _may_conclude(old: ParallelRow, new: ParallelRow, confidence: float | None) -> bool:
    """Enough rounds for an interval of the ratio; of medians alone, if both are precise."""
    if confidence is None:
        return old.verdict == new.verdict == "valid"
    return confidence >= COVERAGE


def context_host(context: Context) -> str:
    """The name of this machine, if it is the one that is advised on."""
    return next((fact.value for fact in context.place.facts if fact.name == "host"), "")


def _file_of(context: Context) -> str:
    return context.job.said[0].partition(":")[0] if context.job.said else "results"


def _fastest(rows: list[ParallelRow]) -> ParallelRow | None:
    return max(rows, key=lambda row: row.median, default=None)


def _of(row: ParallelRow | None) -> str:
    return row.directory if row else ""


def pattern_row(pattern: Pattern) -> Callable[[ParallelRow], bool]:
    """Rows of a pattern by any method but the raw limits, in the user's own environment."""
    return lambda row: row.pattern == pattern and not (row.is_reference or row.environment or row.hints_asked)


def guide(name: str, source: str = "guide") -> Citation:
    """A source of a profile of this package, whatever the site of the job: what is said there may hold elsewhere."""
    return cite(load.site(name), source)


def best_first(found: list[Expected]) -> tuple[Expected | None, list[Expected]]:
    """The largest gain, those that were measured here before others; and the rest."""
    ordered = sorted(found, key=lambda one: (one.known != "measured here", -one.factor))
    return (ordered[0], ordered[1:]) if ordered else (None, [])
