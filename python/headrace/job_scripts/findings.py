"""The findings in a job script, a file of hints or a listing of the environment. Next: source.py, then finding.py."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from headrace.job_scripts import shell
from headrace.job_scripts.checks import hints, outputs, quotes, striping, transfers, variables
from headrace.job_scripts.finding import Facts, Finding
from headrace.job_scripts.hints import KnownHint
from headrace.job_scripts.script import Assignment, Script
from headrace.job_scripts.source import Kind, Source, directives, load

Check = Callable[[Facts], Iterator[Finding]]

OF_VALUES: tuple[Check, ...] = (hints.hints, variables.unbuffered_run_time, variables.intel_buffers)
OF_SCRIPTS: tuple[Check, ...] = (
    *OF_VALUES,
    variables.not_exported,
    variables.not_passed,
    variables.set_after_launch,
    striping.striping_after_files,
    striping.one_stripe_shared,
    striping.file_per_rank_directory,
    transfers.tar_blocks,
    transfers.files_one_by_one,
    transfers.input_by_every_rank,
    outputs.output_to_tmp,
    outputs.output_to_home,
)
_ALLOW = re.compile(r"#\s*headrace:\s*allow\(\s*([A-Z0-9,\s]+)\)")


def findings(path: Path, known: Mapping[str, KnownHint] | None = None, kind: Kind | None = None) -> list[Finding]:
    """What to change in a file, in the order of its lines.

    `known` is the library's table of hints by name (`headrace.mpi_hints.table()`); without one no name of a hint is
    judged. `kind` says what the file is, if that cannot be seen. Raises HeadraceError for a file that is not read here.
    """
    source = load(path, kind)
    table = known or {}
    if source.kind == "hints":
        found = [*quotes.in_lines(path, source.text), *hints.in_file(path, source.text, table)]
    elif source.kind == "environment":
        facts = Facts(_environment(source), table)
        found = [*quotes.in_lines(path, source.text), *_all(OF_VALUES, facts)]
    else:
        found = _in_script(source, table)
    found += quotes.windows_line_ends(source)
    unique = dict.fromkeys(found)  # a function that is called twice is walked through twice
    return sorted(unique, key=lambda one: (str(one.path) != str(path), str(one.path), one.line, one.code))


def _in_script(source: Source, table: Mapping[str, KnownHint]) -> list[Finding]:
    meant = quotes.mended(source)
    script = shell.read(source.path, meant.text)
    script.directives = directives(meant.text)
    facts = Facts(script, table)
    return _allowed(source, [*meant.findings, *_all(OF_SCRIPTS, facts)])


def _all(checks: tuple[Check, ...], facts: Facts) -> list[Finding]:
    return [finding for check in checks for finding in check(facts)]


def _environment(source: Source) -> Script:
    """What `env` prints, as if a script had exported it."""
    script = Script(source.path, source.text.splitlines())
    for number, line in enumerate(script.lines, 1):
        name, equals, value = line.partition("=")
        if equals and name.isidentifier():
            script.events.append(Assignment(number, len(script.events), (), "", name, value, True))
    return script


def _allowed(source: Source, found: list[Finding]) -> list[Finding]:
    """Without those that a comment allows, on the line or the line before; and the comments that allow nothing."""
    allows = {
        number: re.findall(r"HR\d+", match.group(1))
        for number, line in enumerate(source.text.split("\n"), 1)
        if (match := _ALLOW.search(line))
    }
    used = set[tuple[int, str]]()
    kept = []
    for one in found:
        at = next((n for n in (one.line, one.line - 1) if one.code in allows.get(n, ())), None)
        if at is None:
            kept.append(one)
        else:
            used.add((at, one.code))
    for number, codes in allows.items():
        for code in codes:
            if (number, code) not in used:
                kept.append(Finding("HR901", source.path, number, f"{code} is allowed and does not occur", "remove it"))
    return kept
