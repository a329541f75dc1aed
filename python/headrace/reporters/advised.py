"""What `headrace advise` says, as text of at most 100 columns. The page: html/advised_page.py."""

import textwrap
from collections.abc import Iterable

from headrace.results.advised import Advised, Citation, Expected, Item, Predicted, Tried
from headrace.results.records import of_bytes

WIDTH = 100
_INDENT = " " * 11


def advised_lines(found: Advised, verbose: bool = False) -> list[str]:
    """All of it; what was seen only if it was asked for."""
    lines = [*_wrapped(_conclusion(found), ""), ""]
    lines += _struck_last(found.items)
    for prediction in found.predicted:
        lines += [*_wrapped(predicted_words(prediction), "   model   "), ""]
    for remark in found.remarks:
        lines += _wrapped(remark, "   note    ")
    if verbose:
        lines += ["", "What was seen:", *_facts(found)]
    return lines


def _conclusion(found: Advised) -> str:
    job = found.job
    parts = [f"{job.ranks:,} MPI rank{'s' * (job.ranks > 1)} on {job.nodes:,} node{'s' * (job.nodes > 1)}"]
    parts += [words for words in (job.pattern.replace("_", " "), job.format) if words]
    if job.bytes_a_rank:
        parts.append(f"{of_bytes(job.bytes_a_rank)} for each MPI rank")
    storage = next((fact.value for fact in found.facts if fact.name == "file system"), "unknown")
    where = f"{storage}, {f'site {found.site}' if found.site else 'no site profile'}"
    kept = [item for item in found.items if not item.is_struck]
    tried = ((item.change, item.tried) for item in found.items if item.tried)
    failed = "".join(f"{change} failed: {one.said}. " for change, one in tried if one.outcome == "failed")
    if not kept:
        return f"{failed}{', '.join(parts)}; {where}. Nothing to change was found."
    count = f"{len(kept)} thing{'s' * (len(kept) > 1)} to change, the largest expected gain first"
    return f"{failed}{', '.join(parts)}; {where}. {count}:"


def _struck_last(items: Iterable[Item]) -> list[str]:
    kept = [item for item in items if not item.is_struck]
    struck = [item for item in items if item.is_struck]
    lines: list[str] = []
    for number, item in enumerate(kept, 1):
        lines += [*_item(number, item), ""]
    if struck:
        lines += ["Struck out, because it was tried here and does not help:", ""]
        for item in struck:
            lines += _wrapped(f"{item.change}: {item.title}", "   -       ")
            if item.tried:
                lines += _wrapped(tried_words(item.tried), "           ")
        lines.append("")
    return lines


def _item(number: int, item: Item) -> list[str]:
    rows = _wrapped(f"{item.title} [{item.change}]", f"{number}. ")
    rows += [f"   {'paste' if place == 0 else '':8}{line}" for place, line in enumerate(item.lines)]
    rows += _wrapped(item.why, "   why     ")
    rows += _wrapped(gain_words(item), "   gain    ")
    for more in item.more_gains[:3]:
        rows += _wrapped(expected_words(more), "   also    ")
    if item.tried:
        rows += _wrapped(tried_words(item.tried), "   tried   ")
    rows += _wrapped(item.undo, "   undo    ")
    rows += _wrapped(item.hurts, "   hurts   ")
    rows += _wrapped(sources_words(item), "   source  ")
    return rows


def gain_words(item: Item) -> str:
    """What is expected, or why nobody knows."""
    return expected_words(item.gain) if item.gain else f"not known: {item.why_no_gain}"


def factor_words(factor: float) -> str:
    """3.2, 45, 5,100: no digit more than is known."""
    return f"{factor:.2g}" if factor < 99.5 else f"{float(f'{factor:.2g}'):,.0f}"


def expected_words(expected: Expected) -> str:
    """The factor with its interval, and how it is known."""
    found = f"{expected.of} {factor_words(expected.factor)} times as fast"
    if expected.low is not None and expected.high is not None:
        found += f" ({factor_words(expected.low)} to {factor_words(expected.high)})"
    else:
        found += " (no interval in the source)"
    known = {"measured here": "measured here", "model": f"predicted from {expected.source.title}"}.get(
        expected.known, f"published for {expected.source.machine}, {expected.source.date}"
    )
    return f"{found}; {known}: {expected.condition}"


def tried_words(tried: Tried) -> str:
    """What the trial found."""
    if tried.factor is None or tried.low is None or tried.high is None:
        return f"{tried.outcome}: {tried.said}"
    factor = f"{tried.factor:.3g} times as fast ({tried.low:.3g} to {tried.high:.3g})"
    rounds = f"{tried.rounds} round{'s' * (tried.rounds != 1)}"
    sure = f", {100 * tried.confidence:.0f} % for all intervals together" if tried.confidence > 0 else ""
    return f"{tried.outcome}: {factor}, {rounds}{sure}{f'; {tried.said}' if tried.said else ''}"


def sources_words(item: Item) -> str:
    """Titles with their dates."""
    note = "" if item.tested else ". From documentation: this project had no such machine to try it on"
    return "; ".join(map(citation_words, item.sources)) + note


def citation_words(source: Citation) -> str:
    return f"{source.title} ({source.date})"


def predicted_words(predicted: Predicted) -> str:
    """GB/s at the job's size, or why not."""
    where = f"{predicted.operation} {predicted.method} on {predicted.ranks:,} MPI ranks"
    if predicted.median is None:
        return f"{where}: cannot say: {predicted.refusal}{f'. {predicted.hint}' if predicted.hint else ''}"
    return f"{where}: {predicted.median:.3g} GB/s ({predicted.low:.3g} to {predicted.high:.3g}, 95 %), not measured"


def _facts(found: Advised) -> list[str]:
    width = max((len(fact.name) for fact in found.facts), default=0)
    return [
        line
        for fact in found.facts
        for line in _wrapped(f"{fact.value} ({fact.how})", f"   {fact.name:{width}}  ", " " * (width + 5))
    ]


def _wrapped(text: str, first: str, rest: str | None = None) -> list[str]:
    text = "".join(mark if mark.isprintable() else "?" for mark in text)
    indent = (_INDENT if first else "") if rest is None else rest
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
