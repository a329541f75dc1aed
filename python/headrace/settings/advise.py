"""Puts the advice together: all rules on one job, place and site, the largest gain first. Next: evidence.py."""

import datetime
import socket
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.nearest import did_you_mean
from headrace.results.advised import Advised, Item
from headrace.results.records import of_bytes
from headrace.settings.evidence import Context, Rule
from headrace.settings.job import Job
from headrace.settings.place import COSTS, NOT_MEASURED, Place
from headrace.settings.rules import calls, formats, mpi_io, patterns, run_time, statements, stripes
from headrace.settings.scaling import predictions
from headrace.settings.storage import SHARED
from headrace.sites.load import every_site
from headrace.sites.schema import Site
from headrace.version import VERSION

_MODULES = (patterns, stripes, mpi_io, run_time, statements, calls, formats)
RULES: tuple[Rule, ...] = tuple(rule for module in _MODULES for rule in module.RULES)
NOTHING = 1.05  # an item that is known to gain less here is no advice
_LEAST = 1e-3  # seconds of I/O in a trace: below there is nothing to gain
_LEAST_SHARE = 0.02  # of all seconds of the run
_ORDER = ("measured here", "model", "published")


def advise(job: Job, place: Place, site: Site | None, remarks: tuple[str, ...] = ()) -> Advised:
    """Raises HeadraceError if what is needed to say anything is not there."""
    chosen = site or _site_of(place)
    others = tuple(one for one in every_site() if chosen is None or one.name != chosen.name)
    context = Context(job, place, chosen, (*((chosen,) if chosen else ()), *others))
    _require(job, place)
    items = [item for rule in RULES for item in rule(context) if _is_wanted(item, job)]
    if _is_little(job):
        items = []
    items.sort(key=lambda item: -item.expected)
    return Advised(
        schema="headrace-advice/1",
        tool_version=VERSION,
        command=[Path(sys.argv[0]).name, *sys.argv[1:]],
        date=datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        host=socket.gethostname(),
        site=chosen.name if chosen else "",
        job=job.facts(),
        facts=place.facts,
        items=items,
        predicted=predictions(job),
        remarks=[*remarks, *_remarks(job, place, chosen)],
    )


def _site_of(place: Place) -> Site | None:
    """The general profile of the kind of file system."""
    return next((one for one in every_site() if one.name == place.storage.kind), None)


def _is_wanted(item: Item, job: Job) -> bool:
    if item.change in job.forbidden:
        return False
    gain = item.gain
    return gain is None or gain.factor >= NOTHING


def _is_little(job: Job) -> bool:
    """Whether the I/O of a trace is not worth a word."""
    seen = job.observed
    if seen is None or (not seen.seconds and seen.statements):  # it ended too early for its times to be known
        return False
    return seen.seconds < max(_LEAST, _LEAST_SHARE * seen.wall * seen.ranks)


def _require(job: Job, place: Place) -> None:
    """What no rule can do without."""
    if job.is_shared and place.mpi_io is None and place.is_here and not place.mpi:
        raise HeadraceError(
            f"no MPI is here, and {job.ranks} MPI ranks share a file: nobody knows which hints are heeded",
            "load the module of the MPI, or say whose hints it heeds: --mpi-io ompio, romio or cray",
        )
    if job.is_fortran and not place.vendors and job.format != "text":
        raise HeadraceError(
            "no Fortran compiler is here, and the advice depends on whose run time moves the data",
            "load its module, or name its vendor: --fc gnu, llvm, intel, cray, nvidia or nag",
        )


def names_of_items(site: Site | None) -> set[str]:
    """All that --forbid may name; `site` may be a profile of the user's own."""
    own = {rule.change for one in (*every_site(), *((site,) if site else ())) for rule in one.settings}
    return own.union(*(module.CHANGES for module in _MODULES), {run_time.BUFFERED_IO})


def require_names(forbidden: Iterable[str], site: Site | None) -> None:
    """Raises HeadraceError if one of --forbid names nothing."""
    known = sorted(names_of_items(site))
    for name in sorted(forbidden):
        if name not in known:
            words = "\n  ".join(textwrap.wrap(f"known are {', '.join(known)}", 110, break_on_hyphens=False))
            raise HeadraceError(f"--forbid {name}: there is no such advice", did_you_mean(name, known, words))


def _remarks(job: Job, place: Place, site: Site | None) -> list[str]:
    found: list[str] = []
    seen = job.observed
    if seen is not None and seen.wall > 0 and not seen.seconds and not seen.statements:
        found.append("the trace shows no I/O of Fortran or of an I/O library, so nothing can be said of it")
    elif seen is not None and seen.wall > 0:
        of_run = seen.wall * seen.ranks
        little = ": too little to be worth a change" if _is_little(job) else ""
        share = min(1.0, seen.seconds / of_run)
        found.append(f"I/O took {seen.seconds:.3g} of {of_run:.3g} s of the run, {100 * share:.2g} %{little}")
    unknown = next((fact for fact in place.facts if fact.name == COSTS and fact.value == NOT_MEASURED), None)
    if unknown is not None:
        found.append(f"what calls cost was not measured: {unknown.how}; nothing is said about files, buffers and locks")
    directory = place.storage.directory
    if site is None and place.storage.kind in SHARED:
        found.append(
            f"no site profile is about {place.storage.kind} file systems: nothing is said about stripes; a profile "
            "(--site FILE) can say it"
        )
    if site is not None and directory is not None and site.file_system not in ("any", place.storage.kind):
        found.append(
            f"the profile {site.name} is about {site.file_system}, and {directory.path} is on {directory.file_system}"
        )
    quota_left = place.storage.quota_left
    if directory is not None and quota_left is not None and "write" in job.operations and job.bytes > quota_left:
        found.append(
            f"the job writes {of_bytes(job.bytes)}, and your quota in {directory.path} leaves {of_bytes(quota_left)}"
        )
    if directory is not None and "write" in job.operations and job.bytes > directory.free_bytes:
        free = f"{directory.path} has {of_bytes(directory.free_bytes)} free"
        found.append(f"the job writes {of_bytes(job.bytes)}, and {free}")
    if directory is not None and job.nodes > 1 and place.storage.kind in ("memory", "local"):
        found.append(
            f"{directory.path} is on {directory.file_system}, which other nodes do not see: the job has {job.nodes}"
        )
    return found
