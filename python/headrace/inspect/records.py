"""The hypotheses of records: what the library's survey says, in words and with evidence."""

import math
from typing import Any

from headrace.containers.records import survey as s
from headrace.containers.records.survey import Survey
from headrace.inspect.findings import TIE, Hypothesis, Run

PAIR = 32.0  # bits: markers of 4 bytes that agree by chance, one in 2**32
SEGMENT = 14.0  # bits of a segment's flags
LANDING = 16.0  # bits: a chain of lengths that ends exactly where the file does

_LONG = {s.SUBRECORDS: "subrecords", s.HIGH_BIT: "high_bit", s.UNSIGNED: "unsigned"}


def hypotheses(surveys: list[Survey], size: int, head: bytes) -> list[Hypothesis]:
    """One for each dialect that was walked; `head` is the beginning of the file."""
    found = [_hypothesis(one, size, head) for one in surveys]
    for one, eight in zip(surveys, found, strict=True):
        for other, four in zip(surveys, found, strict=True):
            if _both_fit(one, other) and eight.bits > four.bits - TIE:
                # A whole file by the one, the beginning of a record by the other: the bytes tell no more.
                eight.bits = four.bits - (0.0 if one.end == s.WHOLE and other.end != s.WHOLE else 10.0)
    return found


def _both_fit(eight: Survey, four: Survey) -> bool:
    """Whether 4-byte markers fit as well, with zeros behind them that look like halves of 8-byte markers.

    Records of one length that begin with a zero look so. The reverse takes data that end in their own length.
    """
    if (eight.marker_bytes, four.marker_bytes) != (8, 4) or s.SEGMENTED in (eight.long_records, four.long_records):
        return False
    same = eight.big_endian == four.big_endian and bool(eight.runs and four.runs)
    filled = eight.records - eight.empty
    return same and 0 < filled <= four.records + 1 and eight.run[0].length[0] == four.run[0].length[0]


def evidence(one: Survey, head: bytes) -> float:
    """Bits for a dialect: each record whose two markers agree is worth what chance would have to hit.

    That is 32 bits, but less if the data hold the same number often. Records without data are worth next to nothing.
    """
    explained = one.end == s.WHOLE or one.rest in (s.TRUNCATED, s.OTHER_ORDER, s.OTHER_MARKER, s.RESUMES)
    if one.long_records == s.SEGMENTED:
        landed = LANDING if one.end == s.WHOLE and one.records else 0.0
        return SEGMENT * int(one.pieces) + landed - (0.0 if explained else 4 * SEGMENT)
    echo = float(one.echoed / one.checked) if one.checked else 0.0
    filled = int(one.records - one.empty)
    bits = _pair(one, head) * (filled + int(one.pieces - one.records)) * (1 - echo) + 0.25 * min(int(one.empty), 4)
    if one.end == s.WHOLE:
        return bits + (LANDING if filled and echo < 0.5 else 0.0)
    # Where it stops a marker contradicts, unless what follows explains why.
    return bits - (0.0 if explained else 10.0)


def _pair(one: Survey, head: bytes) -> float:
    """Bits of two markers that agree: from how often their number occurs elsewhere in the beginning of the file."""
    counted, bits = 0, 0.0
    for length, count in one.histogram()[:4]:
        if length == 0 or length >= 1 << 31:
            continue
        marker = length.to_bytes(one.marker_bytes, "big" if one.big_endian else "little")
        markers = 2 * count * min(1.0, len(head) / max(1, one.bytes))
        elsewhere = head.count(marker) - markers
        chance = elsewhere * one.marker_bytes / max(1, len(head))
        bits += count * (min(PAIR, -math.log2(chance)) if chance > 0 else PAIR)
        counted += count
    return bits / counted if counted else PAIR


def dialect_name(one: Survey) -> str:
    """The class of the corpus and of the documentation."""
    if one.long_records == s.SEGMENTED:
        return "intel-segmented"
    if one.records and one.empty and one.empty == one.records:
        return "zero-length-records"
    special = {s.SUBRECORDS: "record4-subrecords", s.HIGH_BIT: "record4-pgi-high-bit"}
    if one.long_records in special:
        return special[one.long_records]
    if one.long_records == s.UNSIGNED and one.longest >= 1 << 31:
        return "record4-flang-unsigned"
    return f"record{one.marker_bytes}-{one.order}"


def _hypothesis(one: Survey, size: int, head: bytes) -> Hypothesis:
    detail: dict[str, Any] = {"byte_order": one.order, "records": one.records}
    if one.long_records != s.SEGMENTED:
        detail["marker_bytes"] = one.marker_bytes
    if one.long_records in _LONG:
        detail["long_records"] = _LONG[one.long_records]
    if one.pieces > one.records:
        detail["pieces"] = one.pieces
    if one.empty:
        detail["empty_records"] = one.empty
    whole = one.end == s.WHOLE
    result = Hypothesis(
        dialect_name(one), evidence(one, head), detail, one.bytes,
        None if whole else one.stopped, "" if whole else _reason(one, size),
        [Run(times, lengths) for times, lengths in one.pattern()], bool(one.runs_complete),
        one.histogram(), one.distinct, one.bytes / size if size else 1.0,
    )  # fmt: skip
    if not whole and (one.records or one.rest == s.TRUNCATED):
        _add_damage(result, one, size)
    return result


def _reason(one: Survey, size: int) -> str:
    at = f"at byte {one.stopped:,}"
    if one.end == s.MARKER_CUT:
        return f"{size - one.stopped} bytes are left {at}, too few for a marker"
    if one.end == s.BEYOND_END:
        return f"the length {one.leading:,} {at} goes beyond the end of the file"
    if one.end == s.DIFFERS:
        return f"the record {at} has the length {one.leading:,} before it and {one.trailing:,} behind it"
    if one.end == s.NOT_CONTINUED:
        return "the file ends where another piece of a record must come"
    return f"what stands {at} is not the length of a record"


def _add_damage(result: Hypothesis, one: Survey, size: int) -> None:
    """What is behind the place where the records stop."""
    detail, left = result.detail, size - one.bytes
    detail["damage_offset"] = one.bytes
    if one.rest == s.TRUNCATED:
        detail["damage"] = "truncated"
        if one.missing:
            detail["missing_bytes"] = one.missing
        words = f"; {one.missing:,} bytes are missing" if one.missing else ""
        detail["damage_words"] = f"the last record, number {one.records + 1:,}, is cut off{words}"
        result.share = 1.0
        if one.records == 0:
            # One number that is not too large: the larger the file, the more numbers are not.
            result.bits = 19 - math.log2(max(4 * size, 1 << 20))
    elif one.rest == s.OTHER_ORDER:
        detail["damage"] = "mixed-byte-order"
        detail["records"] = one.records + one.rest_records
        detail["order_changes"] = one.changes
        detail["damage_words"] = (
            f"from record {one.records + 1:,} on, at byte {one.resumed:,}, the byte order is the other one; "
            f"it changes {one.changes:,} time{'s' if one.changes > 1 else ''}"
        )
        result.share = one.rest_end / size
        result.explained = one.rest_end
    elif one.rest == s.OTHER_MARKER:
        detail["damage"] = "mixed-marker-size"
        detail["damage_words"] = f"from byte {one.resumed:,} on the markers have {12 - one.marker_bytes} bytes"
        result.share = one.rest_end / size
    elif one.rest == s.RESUMES:
        detail["damage"] = "damaged"
        detail["resumed"] = one.resumed
        detail["damage_words"] = (
            f"{one.resumed - one.bytes:,} bytes at byte {one.bytes:,} are not a record; records go on at byte "
            f"{one.resumed:,}: {one.rest_records:,} more, to byte {one.rest_end:,}"
        )
        result.share = (one.bytes + one.rest_end - one.resumed) / size
    else:
        detail["damage"] = "trailing"
        detail["trailing_bytes"] = left
        detail["damage_words"] = f"{left:,} bytes behind the last record, from byte {one.bytes:,} on, are not a record"
