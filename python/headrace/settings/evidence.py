"""What rules decide from, and the figures behind their advice: published ones, and those of the user's own results.

Rules are in rules/; each is a function of a Context. First: advise.py.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from headrace.results.advised import Citation, Expected, Item, Known
from headrace.results.parallel import ParallelRow
from headrace.results.statistics import describe, paired_ratio
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
        of=of,
        operation=gain.operation,
        known="published",
        condition=f"{gain.condition}: {figures}",
        source=cite(site, gain.source),
    )


def rate_gain(context: Context, to: Pattern, storage: str = "", from_storage: str = "") -> Expected | None:
    """What published bandwidths of the site say of another pattern, or of other storage."""
    job = context.job
    if job.pattern is None or "write" not in job.operations:
        return None
    for site in context.own:
        before = _rate(site, _published_as(job.pattern), from_storage)
        after = _rate(site, to, storage)
        if before is None or after is None:
            continue
        old, new = before.median * _UNITS[before.unit], after.median * _UNITS[after.unit]
        low, high = _quartiles(before, after)
        sizes = f"{after.ranks:,} MPI ranks on {after.nodes} nodes" if after.ranks else "the whole machine"
        return Expected(
            factor=new / old,
            low=low,
            high=high,
            of="writing",
            operation="write",
            known="published",
            condition=f"medians {before.median:g} and {after.median:g} {after.unit}, quartile against quartile, "
            f"at {sizes}{_at(context, after)}",
            source=cite(site, after.source),
        )
    return None


def _at(context: Context, rate: Rate) -> str:
    job = context.job
    if not rate.ranks or (job.ranks, job.nodes) == (rate.ranks, rate.nodes):
        return ""
    return f"; this job has {job.ranks:,} on {job.nodes}"


def _published_as(pattern: Pattern) -> Pattern:
    """Nobody publishes the slower of two ways to share a file: the faster one stands for it."""
    return "shared_collective" if pattern == "shared_independent" else pattern


def _rate(site: Site, pattern: Pattern, storage: str) -> Rate | None:
    found = [rate for rate in site.rates if rate.pattern == pattern and (not storage or rate.storage in ("", storage))]
    return found[0] if found else None


def _quartiles(before: Rate, after: Rate) -> tuple[float | None, float | None]:
    if None in (before.lower_quartile, before.upper_quartile, after.lower_quartile, after.upper_quartile):
        return None, None
    old, new = _UNITS[before.unit], _UNITS[after.unit]
    return (
        (after.lower_quartile or 0) * new / ((before.upper_quartile or 1) * old),
        (after.upper_quartile or 0) * new / ((before.lower_quartile or 1) * old),
    )


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
    if not ratios:
        return None
    found = describe(ratios)
    known: Known = "measured here" if run.provenance.host == context_host(context) else "published"
    return Expected(
        factor=found.median,
        low=found.low,
        high=found.high,
        of=VERBS[operation],
        operation=operation,
        known=known,
        condition=f"{old.way} and {new.way}, {ranks} MPI ranks, {found.n} rounds, {100 * found.confidence:.0f} % "
        f"interval{'' if old.verdict == new.verdict == 'valid' else '; noisy'}",
        source=own_figures(True, _file_of(context), run.provenance.host, run.provenance.date),
    )


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
    """Rows of a pattern by any method but the raw limits."""
    return lambda row: row.pattern == pattern and not row.is_reference


def guide(name: str, source: str = "guide") -> Citation:
    """A source of a profile of this package, whatever the site of the job: what is said there may hold elsewhere."""
    return cite(load.site(name), source)


def best_first(found: list[Expected]) -> tuple[Expected | None, list[Expected]]:
    """The largest gain, those that were measured here before others; and the rest."""
    ordered = sorted(found, key=lambda one: (one.known != "measured here", -one.factor))
    return (ordered[0], ordered[1:]) if ordered else (None, [])
