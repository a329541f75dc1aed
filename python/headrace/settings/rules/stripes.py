"""Stripes of new files, on Lustre and BeeGFS: lines to paste before the files exist."""

import shlex
from collections.abc import Iterator

from headrace.results.advised import Item
from headrace.settings.evidence import Context, best_first, cite, gains
from headrace.sites.schema import Site, Stripes


def stripes(context: Context) -> Iterator[Item]:
    """What the site says about the pattern, if new files would get something else."""
    job, storage = context.job, context.place.storage
    if job.pattern is None or storage.kind not in ("lustre", "beegfs") or job.operations == ("read",):
        return
    for site in context.own:
        for rule in site.stripes:
            if job.pattern not in rule.patterns:
                continue
            count = _count(context, rule)
            if _has(context, count) or (storage.is_progressive and rule.count == "nodes"):
                continue  # a progressive layout is what several centres ask not to change
            yield _item(context, site, rule, count)


def _count(context: Context, rule: Stripes) -> int:
    if rule.count != "nodes":
        return rule.count
    return max(1, min(context.job.nodes, context.place.storage.targets or context.job.nodes))


def _has(context: Context, count: int) -> bool:
    storage = context.place.storage
    found = storage.stripe_count
    if found is None:
        return False
    whole = storage.targets or -1
    return found == count or {found, count} <= {-1, whole}


def _item(context: Context, site: Site, rule: Stripes, count: int) -> Item:
    job, storage = context.job, context.place.storage
    found = gains(context, "stripe-count", "shared") if job.is_shared and count != 1 else []
    first, more = best_first(found)
    targets = "all storage targets" if count == -1 else f"{count} storage target{'s' * (count > 1)}"
    now = f"; new files get {storage.stripe_count} now" if storage.stripe_count is not None else ""
    before = "make a new directory: files that are there keep their stripes" if storage.has_files else ""
    return Item(
        change="stripe-count",
        title=f"stripe the {'file' if job.is_shared else 'files'} over {targets}{now}",
        kind="command",
        lines=_lines(context, count, rule.bytes),
        why=". ".join(part for part in (rule.why, before) if part),
        gain=first,
        more_gains=more,
        why_no_gain="" if first else "the source states no figure",
        undo=_undo(context),
        hurts=rule.hurts or "the files are small",
        sources=[cite(site, rule.source), *(one.source for one in found if one.source != cite(site, rule.source))],
        tested=False,
        stripes=count,
    )


def _lines(context: Context, count: int, size: int) -> list[str]:
    storage = context.place.storage
    folder = shlex.quote(storage.path or ".")
    made: list[str] = []
    if storage.has_files:
        folder = shlex.quote(f"{storage.path}/striped")
        made = [f"mkdir -p {folder}"]
    if storage.kind == "beegfs":
        return [*made, f"beegfs-ctl --setpattern --numtargets={count} --chunksize={size or 1 << 20} {folder}"]
    return [*made, f"lfs setstripe -c {count}{f' -S {size}' if size else ''} {folder}"]


def _undo(context: Context) -> str:
    storage = context.place.storage
    folder = shlex.quote(storage.path or ".")
    if storage.kind == "beegfs":
        return f"beegfs-ctl --setpattern with the values that `beegfs-ctl --getentryinfo {folder}` shows now"
    return f"move the files out of {folder}/striped" if storage.has_files else f"lfs setstripe -d {folder}"


RULES = (stripes,)
CHANGES = ("stripe-count",)  # names of its items
