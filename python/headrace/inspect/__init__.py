"""What is in this file? `inspect_file` weighs everything it may be. Next: findings.py has the answer's types.

Hypotheses come from records.py (markers), markerless.py (raw and direct access), text.py and signatures.py (formats
that name themselves). Each brings its evidence in bits; `findings.weigh` makes probabilities of them. contents.py says
what the records hold, snippets.py how to read them.
"""

import contextlib
import os
import stat
from pathlib import Path

from headrace.containers.file_bytes import Bytes
from headrace.containers.records import survey
from headrace.errors import HeadraceError
from headrace.inspect import contents, coverage, directories, known, markerless, records, signatures, snippets, text
from headrace.inspect.findings import TIE, Hypothesis, Known, Report, weigh
from headrace.inspect.leftovers import leftover

__all__ = ["inspect_file"]

_HEAD = 1 << 16
_TAIL = 22 + 65535  # of a zip archive: the end of its list, and the longest comment behind it
_RECORDS = ("record", "intel", "zero")  # how the names of formats with records begin


def inspect_file(path: Path) -> Report:
    """Find out what a file is, and whether headrace left it behind.

    Raises HeadraceError as `_inspected` does.
    """
    said = leftover(path)
    try:
        report = _inspected(path)
    except HeadraceError as error:
        raise HeadraceError(error.message, f"{path.name} is {said}" if said else error.hint) from error
    report.leftover = said
    return report


def _inspected(path: Path) -> Report:
    """Find out what a file is.

    Raises HeadraceError for what cannot be inspected: it is not there, may not be read, is a pipe, a device, or a
    directory that is no data set; or it shrinks at the moment.
    """
    about = _status(path)
    if stat.S_ISDIR(about.st_mode):
        return _directory(path)
    if not stat.S_ISREG(about.st_mode):
        raise HeadraceError(
            f"{path}: a {_kind(about.st_mode)} cannot be inspected", "copy its contents to a file, and inspect that"
        )
    if about.st_size == 0:
        _require_empty(path)
        empty = Hypothesis("empty", 60.0, {"records": 0}, 0, why="the file has no bytes")
        return Report(str(path), 0, weigh([empty]))
    surveys, size = survey.survey_records(path)
    try:
        return _weighed(path, surveys, size)
    except OSError as error:
        raise HeadraceError(
            f"{path}: cannot be read: {error.strerror}", "inspect it when nothing writes to it"
        ) from error


def _status(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError as error:
        raise HeadraceError(f"{path}: cannot be read: {error.strerror}", "name a file that exists") from error
    except ValueError as error:
        raise HeadraceError(f"{path!r}: not a valid file name: {error}") from error


def _require_empty(path: Path) -> None:
    """Files of /proc have bytes, but no size. Raises HeadraceError."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        if file.read(1):
            raise HeadraceError(
                f"{path}: has bytes, but its size is 0, as in /proc", "copy its contents to a file, and inspect that"
            )


def _kind(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "pipe (FIFO)"
    return "socket" if stat.S_ISSOCK(mode) else "device"


def _directory(path: Path) -> Report:
    found = directories.directory(path)
    remarks = found.detail.pop("remarks", [])
    report = Report(str(path), _bytes_below(path), weigh([found]), notes=remarks)
    if not found.detail.get("damage"):
        report.snippets = snippets.of_report(report)
    return report


def _bytes_below(path: Path) -> int:
    """Of all files of a store; of one that is being written, those that are there."""
    with contextlib.suppress(FileNotFoundError):
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return 0


def _weighed(path: Path, surveys: list[survey.Survey], size: int) -> Report:
    with Bytes(path) as file:
        head, tail = file.read(0, _HEAD), file.read(max(0, size - _TAIL), _TAIL)
        found = records.hypotheses(surveys, size, head)
        named = signatures.by_magic(head, tail, size)
        if not any(one.format in ("hdf5", "netcdf") for one in named):
            named += signatures.by_user_block(file, tail) or signatures.by_family(path, size)
        signatures.add_family_damage(path, named)
        signatures.add_classic_damage(path, size, named)
        texts = text.hypotheses(path, file)
        tagged = known.recognise(file, str(path))
        if tagged and tagged.stream:
            named.append(_stream(tagged, size))
        likely = max((one.bits for one in (*found, *named, *texts)), default=0.0)
        if likely < 40:
            found += markerless.hypotheses(file)
            foreign = signatures.by_libmagic(path)
            found += [foreign] if foreign else []
        elif tagged is None or not tagged.stream:
            found.append(Hypothesis("raw", 0.0, {}, size, why="any bytes are"))
    ranked = weigh([*found, *named, *texts])
    report = Report(str(path), size, ranked)
    _judge(report)
    best = report.verdict
    if best.format.startswith(_RECORDS) and best.runs:
        best.runs = contents.describe_records(path, best)
    remark = coverage.remark(best)
    if remark and (not report.tie or set(report.tied) <= {"raw", "direct"}):
        report.notes.append(remark)
    report.snippets = snippets.of_report(report)
    if tagged and tagged.order == best.detail.get("byte_order") and tagged.stream == (best.format == "raw"):
        _name(report, tagged)
    return report


def _stream(tagged: Known, size: int) -> Hypothesis:
    """Bytes without markers whose tags have been followed."""
    found = Hypothesis("raw", 58.0, {"byte_order": tagged.order}, tagged.explained, why="its tags")
    found.share = tagged.explained / size
    if tagged.missing:
        found.detail |= {"damage": "truncated", "missing_bytes": tagged.missing}
        found.detail["damage_words"] = f"it is cut off: {tagged.missing:,} bytes are missing"
    elif tagged.complete and tagged.explained != size:
        found.fails_at = tagged.explained
        found.why = f"at byte {tagged.explained:,} its tags break off"
        found.detail |= {
            "damage": "truncated",
            "damage_offset": tagged.explained,
            "damage_words": f"from byte {tagged.explained:,} on nothing follows as the format has it",
        }
    return found


def _name(report: Report, tagged: Known) -> None:
    report.known = tagged
    report.arrays = list(tagged.arrays)
    if tagged.snippet and not report.verdict.detail.get("damage"):
        report.snippets = {"library": tagged.snippet} | report.snippets


def _judge(report: Report) -> None:
    """A tie: the next hypothesis is nearly as probable."""
    best = report.verdict
    level = min(best.bits, 60.0)
    near = [one for one in report.hypotheses[1:] if level - min(one.bits, 60.0) < TIE and not _same_meaning(best, one)]
    if near:
        report.tie = True
        report.tied = [best.format, *(one.format for one in near)]


def _same_meaning(a: Hypothesis, b: Hypothesis) -> bool:
    """Both explain the same bytes surely: the one with more evidence beyond the limit was put first."""
    return min(a.bits, b.bits) >= 60.0 and a.bits - b.bits >= TIE
