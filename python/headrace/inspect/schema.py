"""`headrace inspect --schema`: a first TOML schema of a file, for `convert` and `describe`, to be edited."""

from typing import Any

from headrace.errors import HeadraceError
from headrace.inspect.coverage import covered, describable, remark
from headrace.inspect.findings import Hypothesis, Item, Report
from headrace.inspect.names import NamedRun
from headrace.layout.schema import Schema, write_schema


def schema_text(report: Report) -> str:
    """The schema of what was found.

    Raises HeadraceError when a schema cannot say it: texts and containers, dialects that only `inspect` and
    `headrace.records` know, a tie, mixed byte orders.
    """
    best = report.verdict
    _check(report, best)
    try:
        schema = Schema.model_validate({"file": _dialect(best), "record": _entries(best)})
    except ValueError as error:
        raise HeadraceError(f"{report.file}: a schema cannot describe what was found: {error}") from error
    remarks = [
        f"# What headrace inspect takes {_comment(report.file)} for: {best.format}, confidence "
        f"{100 * best.confidence:.1f} %.",
        "# Check the kinds, and give the arrays their names.",
    ]
    if best.detail.get("damage_words"):
        remarks.append(f"# Damaged: {best.detail['damage_words']}.")
    if remark(best):
        remarks.append(f"# {remark(best).capitalize()}.")
    return "\n".join(remarks) + "\n" + write_schema(schema)


def _comment(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)


def _check(report: Report, best: Hypothesis) -> None:
    if report.tie and not set(report.tied) <= {"raw", "direct"}:
        raise HeadraceError(
            f"{report.file}: it is a tie between {' and '.join(dict.fromkeys(report.tied))}, so there is no schema",
            "see headrace inspect without --schema",
        )
    if not describable(best):
        raise HeadraceError(
            f"{report.file}: a schema cannot describe {best.format}",
            "it describes raw files, direct access and records with markers of 4 or 8 bytes",
        )


def _dialect(best: Hypothesis) -> dict[str, Any]:
    table: dict[str, Any] = {"byte_order": best.detail.get("byte_order", "little")}
    if best.format == "raw":
        return {"format": "raw"} | table
    if best.format.startswith("direct"):
        return {"format": "direct", "record_length": best.detail["record_length"]} | table
    return {"format": "unformatted", "record_marker": best.detail["marker_bytes"]} | table


def _entries(best: Hypothesis) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    runs, complete = covered(best)
    padded = best.detail.get("record_length", 0) - best.detail.get("used_bytes", best.detail.get("record_length", 0))
    for run in runs:
        slots = [_record(slot, padded) for slot in run.slots]
        entries += slots if run.times == 1 else [_repeated(slots, run)]
    if not complete:
        entries.append({"skip": True, "repeat": "rest"})
    return entries


def _repeated(slots: list[dict[str, Any]], run: NamedRun) -> dict[str, Any]:
    if len(slots) == 1:
        return slots[0] | {"repeat": run.times}
    return {"repeat": run.times, "records": slots}


def _record(items: list[tuple[str, Item]], padding: int) -> dict[str, Any]:
    if not items:
        return {"skip": True}
    arrays = [_array(name, item) for name, item in items]
    if padding:
        arrays.append({"skip": True})
    return arrays[0] if len(arrays) == 1 else {"items": arrays}


def _array(name: str, item: Item) -> dict[str, Any]:
    if item.type == "character":
        return {"name": name, "kind": f"character({item.count})"}
    array: dict[str, Any] = {"name": name, "kind": "int8" if item.type == "zeros" else item.type}
    if item.shape:
        array["shape"] = item.shape
    elif item.count != 1 or item.type == "zeros":
        array["shape"] = [item.count * item.size if item.type == "zeros" else item.count]
    return array
