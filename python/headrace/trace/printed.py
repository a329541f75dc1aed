"""The advice as text of at most 100 columns, and its sentence for the conclusion."""

import textwrap

from headrace.trace.results import Advice, Estimate, Trace

WIDTH = 100
MOST = 8  # pieces of advice; --json has all
_INDENT = " " * 11


def printed(trace: Trace) -> list[str]:
    """The part of the table that says what to change."""
    if not trace.advice:
        return []
    estimates = f"; seconds after it are predicted from {trace.predicted_from}" if trace.predicted_from else ""
    lines = _wrapped(f"What to change, the largest saving first{estimates}:", "")
    for number, advice in enumerate(trace.advice[:MOST], 1):
        lines += ["", *_one(number, advice)]
    rest = len(trace.advice) - MOST
    if rest > 0:
        lines += ["", f"and {rest} more (--json has them)"]
    return [*lines, ""]


def for_conclusion(trace: Trace, line: int) -> str:
    """What changing a line is expected to gain; empty if that is not known."""
    for advice in trace.advice:
        if advice.after is not None and advice.lines[0] == line:
            return (
                f" Changing it is expected to take {between(advice.after)} instead of {_seconds(advice.before)} "
                f"({advice.rule})."
            )
    return ""


def between(after: Estimate) -> str:
    """For example 0.004 to 0.012 s."""
    low, high = _seconds(after.low), _seconds(after.high)
    if low == high:
        return low
    low_number, low_unit = low.split()
    return f"{low_number if low_unit == high.split()[1] else low} to {high}"


def _one(number: int, advice: Advice) -> list[str]:
    if advice.after is not None:
        outcome = f"{_seconds(advice.after.seconds)} ({between(advice.after)}) instead of "
        outcome += _seconds(advice.before)
    else:
        outcome = f"no estimate ({_seconds(advice.before)} now): {advice.why_no_estimate}"
    more = len(advice.lines) - 1
    beside = f" and {more} line{'s' * (more > 1)} that belong{'s' * (more == 1)} to it" if more else ""
    rows = [f"{number}. {advice.rule} {advice.name}  {advice.place}{beside}"]
    parts = {
        "what": advice.finds,
        "now": advice.now,
        "better": advice.better,
        "why": advice.reason,
        "file": advice.effect_words,
        "after": outcome,
    }
    for name, text in parts.items():
        if text:
            rows += _wrapped(text, f"   {name:8}")
    return rows


def _wrapped(text: str, first: str) -> list[str]:
    text = "".join(mark if mark.isprintable() else "?" for mark in text)
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=_INDENT if first else "",
        break_long_words=len(max(text.split(), key=len, default="")) > WIDTH - len(_INDENT),
        break_on_hyphens=False,
    )


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= 0.9995 * size:
            return f"{value / size:.2g} {unit}" if value < 99.5 * size else f"{value / size:,.0f} {unit}"
    return f"{value * 1e9:.0f} ns"
