"""How much of a file the schema of `headrace inspect --schema` names. Next: schema.py, which writes it."""

from dataclasses import replace

from headrace.inspect.findings import Hypothesis
from headrace.inspect.names import NamedRun, named
from headrace.layout.left_out import LeftOut

_FORMATS = ("record", "zero", "raw", "direct")


def describable(best: Hypothesis) -> bool:
    """Whether a schema can say what was found."""
    special = best.detail.get("long_records", "subrecords") != "subrecords" or best.format == "intel-segmented"
    return not special and best.format.startswith(_FORMATS) and bool(best.runs)


def covered(best: Hypothesis) -> tuple[list[NamedRun], bool]:
    """The runs that the schema names, from the beginning of the file, and whether they are the whole file."""
    runs = named(best.runs)
    for number, run in enumerate(runs):
        if not run.complete:
            return [*runs[:number], replace(run, times=1)], False
    return runs, best.runs_complete


def left_out(best: Hypothesis) -> LeftOut:
    """What the schema does not name, as `convert` and `describe` count it."""
    slots = [(run.times, items) for run in covered(best)[0] for items in run.slots]
    count = sum(times for times, items in slots if items)
    held = sum(times * item.count * item.size for times, items in slots for _, item in items)
    if best.format == "raw":
        return LeftOut(bytes=best.explained - held, of_bytes=best.explained)
    records = int(best.detail["records"])
    if best.format.startswith("direct"):
        whole = records * int(best.detail["record_length"])
        return LeftOut(records - count, records, whole - held, whole)
    whole = best.explained - 2 * best.detail["marker_bytes"] * best.detail.get("pieces", records)
    return LeftOut(records - best.detail.get("empty_records", 0) - count, records, whole - held, whole)


def remark(best: Hypothesis) -> str:
    """What the schema leaves out, in words; nothing if it names all."""
    left = left_out(best) if describable(best) else LeftOut()
    return f"the schema leaves out {left}: convert and describe need --partial for that" if left else ""
