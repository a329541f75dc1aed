"""What the statements of the program do: text, elements, skipping, FLUSH and OPEN for each record. First: run_time.py.

`headrace trace` says it for each source line, with the line; here it is weighed against settings.
"""

from collections.abc import Iterator, Sequence

from headrace.results.advised import Citation, Expected, Item
from headrace.settings.evidence import Context, best_first, gains, own_figures, saved
from headrace.settings.job import Job, Observed
from headrace.settings.probe import in_words
from headrace.settings.rules.calls import BUFFERS, expected
from headrace.trace.reopened import IN_PLACE_OF_OPEN

WORTH = 1.05
_FLUSH = "FLUSH"
_READERS = "people or other programs read the file as text"
_SLACK = 2.0  # published factors of other machines hold within this


def binary_file(context: Context) -> Iterator[Item]:
    """Text that nobody reads."""
    job = context.job
    is_gathered = job.pattern == "serial" and job.ranks > 1 and "write" in job.operations  # patterns.py speaks of that
    if job.format != "text" or is_gathered:
        return
    if job.observed and job.observed.text_file_seconds <= 0:  # it is for people, on a terminal or in a namelist
        return
    found = saved(context, "binary-file") or _by_vendor(context, "binary-file")
    if job.observed and not job.observed.savings.get("binary-file"):
        found = _of_share(job.observed, job.observed.text_file_seconds, found)
    yield from _item(
        found,
        change="binary-file",
        title=f"{job.operations[0]} the data unformatted instead of as text",
        lines=_reads(job),
        why="numbers are converted to decimal and back, digit by digit; unformatted data are copied, and are exact: "
        'form="unformatted" in the OPEN, and READ and WRITE without a format',
        undo='form="formatted" as before',
        hurts=("what writes the file must write it unformatted, too" if job.operations == ("read",) else _READERS)
        + "; `headrace run` makes gfortran's text faster without a change",
    )


def fast_text(context: Context) -> Iterator[Item]:
    """Text that has to stay: its formatted statements by this library's kernels."""
    job = context.job
    if job.format != "text" or "gnu" not in context.place.vendors:
        return
    found = gains(context, "headrace-run")
    if job.observed:
        found = _of_conversions(job.observed, found)
    first, more = best_first(found)
    if first is None or first.factor < WORTH:
        return
    yield Item(
        change="headrace-run",
        title="start the program with `headrace run`: the same bytes, by faster conversion",
        kind="command",
        lines=['eval "$(headrace run --env)"'],
        why="formatted WRITE and READ of gfortran's run time, of files and of character variables, are done by another "
        "library, which is loaded into the program; what that does not know it leaves to the run time",
        gain=first,
        more_gains=more,
        undo="start it without, or HEADRACE_RUN= in front of one program",
        hurts="the program is wholly static, or neither of gfortran nor of LLVM flang: then nothing happens; "
        "`headrace run --verify` compares",
        sources=list({one.source.title: one.source for one in found}.values()),
        start=["headrace", "run"],
    )


def whole_arrays(context: Context) -> Iterator[Item]:
    """One element in each statement."""
    job = context.job
    if job.statements != "element" or job.skip:
        return
    case = "formatted" if job.format == "text" else "unformatted"
    intel = "intel" in context.place.vendors
    if case == "formatted" and not intel and job.observed and not saved(context, "whole-arrays"):
        return  # the published figure is of a run time without buffers; gfortran's time goes into digits
    found = gains(context, "whole-arrays", case) if intel else []
    if "gnu" in context.place.vendors and case == "unformatted":
        found = [*gains(context, "whole-arrays", "gnu"), *found]
    if not found:
        found = gains(context, "whole-arrays", case)
    if saved(context, "whole-arrays"):
        found = saved(context, "whole-arrays")
    elif job.observed:
        found = _of_share(job.observed, job.observed.element_seconds, found)
    yield from _item(
        found,
        change="whole-arrays",
        title="transfer whole arrays, not one element in each statement",
        lines=_reads(job),
        why="each statement costs some ten nanoseconds with a buffer, and a system call without one",
        undo="the loop as before",
        hurts="what reads the file expects a record for each element: it must read the array in one statement too",
    )


def skip(context: Context) -> Iterator[Item]:
    """Parts of a record that a scalar passes over."""
    if context.job.skip != "scalar":
        return
    intel = "intel" in context.place.vendors
    found = gains(context, "skip-with-array", "" if intel else "gnu")
    yield from _item(
        found,
        change="skip-with-array",
        title="skip values with an array, not with one scalar that is read again and again",
        lines=["read (unit) skipped(1:first - 1), part"],
        why="each value that a scalar takes is an item of its own; an array is one item",
        undo="the scalar as before",
        hurts="the memory has no room for what is skipped: then use stream access",
    )
    yield from _item(
        gains(context, "stream-position"),
        change="stream-position",
        title="read only the part: ACCESS='STREAM' and POS=",
        lines=[
            'open (newunit=unit, file="data", access="stream", form="unformatted", action="read")',
            "read (unit, pos=5 + 8*(first - 1)) part",
        ],
        why="nothing is read that is not needed; 4 bytes of a record marker and what lies before are passed over",
        undo="sequential access as before",
        hurts="records above 2 GiB, which have markers in between, or another byte order",
    )


def flush_less(context: Context) -> Iterator[Item]:
    """FLUSH after each record."""
    job = context.job
    seen = job.observed
    if not job.flush or (seen and not seen.may_wait):
        return
    spent = (seen.flush_seconds, seen.flushes) if seen else (0.0, 0)
    found = _through_buffer(context, *spent, seen.flushed.bytes if seen else 0, _FLUSH)
    found = found or _known_of(context, "flush-less", *spent, _FLUSH)
    yield from _item(
        found,
        change="flush-less",
        title="flush seldom: after a step, not after each record",
        lines=["if (mod(step, 100) == 0) flush (unit)"],
        why="each FLUSH is a system call, with what the buffer holds of one record",
        undo="FLUSH after each record",
        hurts="the program may be killed, and the last records are needed then",
    )


def keep_open(context: Context) -> Iterator[Item]:
    """OPEN and CLOSE for each record."""
    job = context.job
    seen = job.observed
    if not job.reopen or (seen and seen.reopened is None):
        return
    spent = (seen.open_seconds, seen.opens) if seen else (0.0, 0)
    found = _through_buffer(context, *spent, seen.closed.bytes if seen else 0, "OPEN and CLOSE")
    found = found or _known_of(context, "keep-open", *spent, "OPEN and CLOSE")
    way = seen.reopened if seen else None
    in_place = IN_PLACE_OF_OPEN[way] if way else ()
    yield from _item(
        found,
        change="keep-open",
        title="open each file once, before the loop, and close it after it",
        lines=[*in_place] or (['open (..., position="append")  ! as it is, before the loop'] if way else []),
        why=("where OPEN was, these lines go to the beginning of the file; " if in_place else "")
        + "each OPEN asks the file system for a name, on a parallel one a server",
        undo="OPEN and CLOSE around each record",
        hurts="other programs read or change the file in between",
    )


def _by_vendor(context: Context, change: str) -> list[Expected]:
    """The figures of the compiler at hand; of all if there is none."""
    vendors = context.place.vendors
    found: list[Expected] = []
    if "gnu" in vendors or not vendors:
        found += gains(context, change, "gnu")
    if "intel" in vendors or not found:
        found += gains(context, change)
    return found


def _reads(job: Job) -> list[str]:
    """Of who only reads: a WRITE that is pasted where others belong writes over what is there."""
    return ["read (unit) x"] if job.operations == ("read",) else []


def _of_conversions(observed: Observed, published: list[Expected]) -> list[Expected]:
    """What the factors of WRITE and READ do to the whole: their system calls stay as they are."""
    seconds = {"write": observed.text_write_seconds, "read": observed.text_read_seconds}
    parts = [(one, seconds[one.operation]) for one in published if one.operation and seconds[one.operation] > 0]
    if observed.seconds <= 0 or not parts:
        return []

    def whole(slack: float) -> float:
        left = sum(part / (one.factor * slack) for one, part in parts)
        rest = max(0.0, observed.seconds - sum(part for _, part in parts))
        return observed.seconds / (rest + left)

    shares = " and ".join(
        f"{100 * min(1.0, part / observed.seconds):.0f} % is formatted {str(one.operation).upper()}"
        for one, part in parts
    )
    return [
        Expected(
            factor=whole(1.0),
            low=max(1.0, whole(1 / _SLACK)),
            high=whole(_SLACK),
            of="the I/O",
            known="model",
            condition="; ".join((f"of the I/O time of the trace {shares}", *(one.condition for one, _ in parts))),
            source=own_figures(False, observed.source, observed.host, observed.date),
        )
    ]


def _of_share(observed: Observed, part: float, published: list[Expected]) -> list[Expected]:
    """What a published factor of one part of the I/O does to the whole, as a trace has it."""
    if observed.seconds <= 0 or not published:
        return published
    share = min(1.0, max(0.0, part / observed.seconds))
    source = own_figures(False, observed.source, observed.host, observed.date)
    return [
        one.model_copy(
            update={
                "factor": _whole(share, one.factor),
                "low": _whole(share, one.factor / _SLACK),
                "high": _whole(share, one.factor * _SLACK),
                "known": "model",
                "condition": f"{100 * share:.0f} % of the I/O time of the trace is of that kind; {one.condition}",
                "source": source,
            }
        )
        for one in published
    ]


def _whole(share: float, factor: float) -> float:
    return 1 / (1 - share + share / factor)


def _known_of(context: Context, change: str, seconds: float, count: int, what: str) -> list[Expected]:
    """Of statements that could go: by what the trace predicts, else by their seconds in it, else as published."""
    predicted = saved(context, change)
    if predicted:
        return predicted
    if context.job.observed and seconds > 0:
        return _all_of(context.job.observed, seconds, count, what)
    return gains(context, change)


def _through_buffer(context: Context, seconds: float, count: int, moved: int, what: str) -> list[Expected]:
    """By measured costs: without these statements their bytes go when the buffer is full."""
    observed, costs = context.job.observed, context.place.costs
    if observed is None or costs is None or not count or not observed.seconds > seconds > 0:
        return []
    size = min(moved, BUFFERS["text" if context.job.format == "text" else "binary"])
    left = moved / size * costs.write(size) if size else 0.0
    once = 0.0 if what == _FLUSH else seconds / count  # the last buffer goes at CLOSE, without a FLUSH
    after = observed.seconds - seconds + min(seconds, left + once)
    condition = (
        f"{count:,} times {what} took {seconds:.3g} of {observed.seconds:.3g} s of I/O; what they wrote is "
        f"{max(1, round(moved / size)) if size else 0:,} times a buffer of {size:,} bytes, and that takes "
        f"{in_words(costs.write(size))} here"
    )
    gain = expected(observed, after, condition)
    return [gain] if gain.factor >= WORTH else []


def _all_of(observed: Observed, part: float, count: int, what: str) -> list[Expected]:
    """As if a part of the I/O in a trace were gone."""
    if observed.seconds <= part:
        return []
    factor = observed.seconds / (observed.seconds - part)
    if factor < WORTH:
        return []
    source = own_figures(False, observed.source, observed.host, observed.date)
    condition = f"{count:,} times {what} took {part:.3g} of {observed.seconds:.3g} s of I/O"
    return [
        Expected(
            factor=factor,
            low=max(1.0, factor / 2),
            high=factor * 2,
            of="the I/O",
            known="model",
            condition=condition,
            source=source,
        )
    ]


def _item(
    found: list[Expected], *, change: str, title: str, why: str, undo: str, hurts: str, lines: Sequence[str] = ()
) -> Iterator[Item]:
    """An item about source lines, if there is a figure."""
    first, more = best_first(found)
    if first is None:
        return
    sources: dict[str, Citation] = {one.source.title: one.source for one in found}
    yield Item(
        change=change,
        title=title,
        kind="source",
        lines=[*lines],
        why=why,
        gain=first,
        more_gains=more,
        undo=undo,
        hurts=hurts,
        sources=list(sources.values()),
    )


RULES = (binary_file, fast_text, whole_arrays, skip, flush_less, keep_open)
CHANGES = (
    *("binary-file", "headrace-run", "whole-arrays", "skip-with-array", "stream-position", "flush-less", "keep-open"),
)  # names of its items
