"""What inspect only guesses is not acted upon: records of several types, types and orders that are not sure.

Next: choose.py.
"""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.containers.records.orders import order_of_values
from headrace.containers.request import Request
from headrace.containers.words import word_bytes
from headrace.errors import HeadraceError
from headrace.layout import kinds

if TYPE_CHECKING:
    from headrace.inspect.findings import Hypothesis, Item, Slot
    from headrace.layout.schema import Schema

SURE = 0.9  # of what inspect says, to go by it


def check_types(file: Path, found: "Hypothesis") -> None:
    """Raises HeadraceError for records that inspect is not sure of, has not looked at, or that hold several types."""
    for run in found.runs:
        for slot in run.slots:
            _check_record(file, slot)
    if not found.runs_complete or any(len(run.slots) < len(run.lengths) for run in found.runs):
        raise HeadraceError(
            f"{file}: its records have too many different lengths to guess what they hold", _advice(file)
        )


def _check_record(file: Path, slot: "Slot") -> None:
    items = ", ".join(map(str, slot.items)) or "of no known type"
    place = f"{file}: a record of {slot.bytes:,} bytes"
    if len(slot.items) > 1:  # where one item ends and the next begins is a guess, however probable
        raise HeadraceError(f"{place} holds several items, probably {items}, which has to be checked", _advice(file))
    if slot.bytes and (slot.confidence < SURE or not all(map(_is_plausible, slot.items))):
        raise HeadraceError(f"{place} is probably {items}, which is not sure", _advice(file))


def _is_plausible(item: "Item") -> bool:
    """Single bytes are what inspect falls back on, and would stay as they are: only a text is known to be one."""
    if item.type == "character":
        return item.text.isascii() and all(c.isprintable() or c.isspace() for c in item.text)
    return item.type != "int8"


def _advice(file: Path) -> str:
    name = shlex.quote(str(file))
    return (
        f"say --kind real64 if all values are of one kind; or headrace inspect {name} --schema > s.toml, check it, and"
        f" headrace convert {name} B --schema s.toml"
    )


def check_order(request: Request, schema: "Schema") -> None:
    """Raises HeadraceError if no markers tell the order of the words and the values do not either."""
    for array in schema.arrays():
        kind = kinds.find(array.kind or "")
        if kind is None or word_bytes(kind) == 1:
            continue
        order = request.source.byte_order or order_of_values(request.file, kind)
        if order != schema.file.byte_order:
            raise HeadraceError(
                f"{request.file}: its values do not tell whether it is little- or big-endian",
                f"say --from-byte-order and --kind {kind.name}, or write a --schema",
            )


def refuse_damage(file: Path, found: "Hypothesis") -> None:
    """Raises HeadraceError for what `headrace inspect` calls damaged, in its words."""
    damage = found.detail.get("damage")
    if damage:
        raise HeadraceError(f"{file}: is damaged: {found.detail.get('damage_words', damage)}", "see headrace inspect")
