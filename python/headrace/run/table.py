"""The statistics of a run as text of at most 100 columns."""

import json
from typing import TYPE_CHECKING

from headrace.run.statistics import UNFORMATTED_DIRECT, UNFORMATTED_STREAM, Site, Statistics
from headrace.trace.table import WIDTH, compact, cut, grid, short_seconds, wrapped

if TYPE_CHECKING:
    from headrace.run.verify import Verified

LINES = 20


def table(statistics: Statistics, most_lines: int = LINES) -> str:
    """Everything that is printed of a run."""
    parts = [*_conclusion(statistics), ""]
    if statistics.sites:
        parts += [*_sites(statistics.sites, most_lines), ""]
    parts += _seconds(statistics)
    if statistics.errors_hidden_by_the_run_time:
        parts += wrapped(
            f"The run time reported {statistics.errors_hidden_by_the_run_time:,} errors of the file system to nobody: "
            "a file may be incomplete, as it would be without headrace run"
        )
    if statistics.strings:
        calls = ", ".join(f"{name} {compact(count)}" for name, count in statistics.strings.items() if count)
        parts += wrapped(f"calls of string functions: {calls}") if calls else []
    parts += ["\n  ".join(wrapped(f"note: {note}", WIDTH - 2)) for note in statistics.notes]
    return "\n".join(part.rstrip() for part in parts).rstrip() + "\n"


def _conclusion(statistics: Statistics) -> list[str]:
    processes = len(statistics.processes)
    of = "one process" if processes == 1 else f"{processes} processes"
    if not statistics.sites and statistics.why_nothing:
        return list(wrapped(f"headrace run: nothing was taken over: {statistics.why_nothing}"))
    if not statistics.sites and statistics.notes:
        return ["headrace run: nothing was taken over"]
    if not statistics.sites:
        return ["headrace run: no formatted Fortran I/O ran in it, so nothing was taken over"]
    done, left = statistics.taken_over, statistics.left
    checked = sum(site.checked for site in statistics.sites)
    different = sum(site.different for site in statistics.sites)
    said = f"headrace run: {of}: {compact(done)} statements taken over, {compact(left)} left to the run time; "
    said += f"{compact(checked)} compared with the run time's"
    said += f", {different} DIFFERED (see standard error)" if different else ", all the same" * bool(checked)
    return list(wrapped(said))


def _sites(sites: list[Site], most_lines: int) -> list[str]:
    header = ["line", "statement", "form", "taken over", "left", "values", "bytes", ""]
    rows = [
        [
            site.place,
            site.statement,
            _form(site),
            *(compact(number) for number in (site.taken_over, site.left, site.values, site.bytes)),
            site.reason if site.left else "",
        ]
        for site in sites[:most_lines]
    ]
    lines = grid(header, rows)
    rest = sites[most_lines:]
    if rest:
        count = sum(site.taken_over + site.left for site in rest)
        lines.append(f"and {len(rest)} more with {compact(count)} statements (--lines shows more)")
    return lines + _reasons(sites)


def _reasons(sites: list[Site]) -> list[str]:
    """Why statements were left to the run time: in the table there is no room for all of the words."""
    counts: dict[str, int] = {}
    for site in sites:
        if site.left and site.reason:
            counts[site.reason] = counts.get(site.reason, 0) + site.left
    if not counts:
        return []
    named = sorted(counts.items(), key=lambda one: -one[1])
    return ["", "left to the run time:", *(f"  {compact(count):>5} {reason}" for reason, count in named)]


def _form(site: Site) -> str:
    words = {
        "list-directed": "list",
        "internal list-directed": "internal list",
        "internal formatted": "internal",
        UNFORMATTED_STREAM: "stream",
        UNFORMATTED_DIRECT: "direct",
    }
    named = words.get(site.form, "fmt")
    return cut(f"{named} {site.format}".strip(), 24)


def _seconds(statistics: Statistics) -> list[str]:
    saved = statistics.saved
    if saved is None:
        return []
    said = f"Saved: {_between(saved.at_least, saved.at_most)} of processor time. "
    said += f"{saved.compiler} alone needs about {short_seconds(saved.run_time_alone)} for what was taken over, by "
    said += f"{saved.known_from}; this whole run used {short_seconds(saved.processor_seconds)}."
    if saved.without_costs:
        said += f" {compact(saved.without_costs)} statements are not in it: their formats are not in that model."
    return list(wrapped(said))


def _between(low: float, high: float) -> str:
    if low <= 0:
        return f"at most {short_seconds(high)}"
    return f"{short_seconds(low)} to {short_seconds(high)}"


_NAMES_SHOWN = 20


def outcome(found: "Verified") -> str:
    """What --verify found."""
    count = len(found.same)
    names = {difference.name for difference in found.different}
    if names:
        said = f"headrace run: DIFFERENT: {len(names)} of {count + len(names)} files and outputs"
    else:
        said = f"headrace run: the same: {count} files and outputs (with standard output, error and exit code)"
    parts = [said]
    parts += [f"  {one.name}, {one.mode}: {one.how}" for one in found.different[:_NAMES_SHOWN]]
    if len(found.different) > _NAMES_SHOWN:
        parts.append(f"  and {len(found.different) - _NAMES_SHOWN} more (--json has them)")
    if found.not_reproducible:
        shown = ", ".join(found.not_reproducible[:_NAMES_SHOWN])
        more = ", ..." * (len(found.not_reproducible) > _NAMES_SHOWN)
        parts += wrapped(f"not reproducible, so not compared (two runs without it differ): {shown}{more}")
    if found.statistics is not None:
        done = sum(site.checked for site in found.statistics.sites)
        wrong = sum(site.different for site in found.statistics.sites)
        parts += wrapped(
            f"{compact(found.statistics.taken_over)} statements taken over, {compact(found.statistics.left)} left, "
            f"{compact(done)} compared one by one, {wrong} different"
        )
    seconds = "; ".join(f"{name} {short_seconds(value)}" for name, value in found.seconds.items())
    parts += wrapped(f"processor time: {seconds}")
    parts += ["\n  ".join(wrapped(f"note: {note}", WIDTH - 2)) for note in found.notes]
    return "\n".join(parts) + "\n"


def outcome_json(found: "Verified", command: list[str]) -> str:
    """The same for scripts."""
    content = {
        "headrace_run_verify": 1,
        "command": command,
        "exit_code": found.code,
        "same": found.same,
        "not_reproducible": found.not_reproducible,
        "different": [vars(one) for one in found.different],
        "processor_seconds": found.seconds,
        "statistics": found.statistics.model_dump(mode="json") if found.statistics else None,
        "notes": found.notes,
    }
    return json.dumps(content, indent=2) + "\n"
