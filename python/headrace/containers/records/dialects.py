"""How the records of a file are marked: what was said, what the file shows, or what inspect finds. Next: plain.py."""

import os
from ctypes import byref, c_int, c_int64
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace import native
from headrace.containers.records.orders import order_without_markers
from headrace.containers.request import MACHINE, Request, Side
from headrace.errors import HeadraceError
from headrace.later import later

if TYPE_CHECKING:
    from headrace.layout import schema as layout_schema
    from headrace.layout.schema import Dialect
else:
    layout_schema = later("headrace.layout.schema")  # loads pydantic

_DEFAULTS: dict[str, Any] = {"record_marker": 4, "byte_order": MACHINE}
_SAME = ("record_marker", "record_length", "long_records", "record_type")


def dialect_of(request: Request) -> Side:
    """The dialect of the source. Raises HeadraceError if options and schema differ, or nothing fits."""
    side = request.source
    if request.schema is not None:
        return _of_schema(request.schema.file, side)
    if side.format == "unformatted":
        return _unformatted(request.file, side)
    given: dict[str, Any] = {"format": side.format, "byte_order": side.byte_order or order_without_markers(request)}
    if side.format == "direct":
        if side.record_length is None:
            raise HeadraceError(
                f"{request.file}: direct access needs the length of its records",
                "give its bytes: --from-record-length; 'headrace inspect' finds out what is probable",
            )
        given["record_length"] = side.record_length
    return Side(**given)


def _of_schema(file: "Dialect", side: Side) -> Side:
    said = {name: getattr(side, name) for name in ("byte_order", *_SAME)}
    for name, value in said.items():
        if value is not None and value != getattr(file, name):
            raise HeadraceError(
                f"the schema says {name} = {getattr(file, name)}, the option --from-{name.replace('_', '-')} {value}",
                "leave the option out, or correct the schema",
            )
    return Side(file.format, file.byte_order, **{name: getattr(file, name) for name in _SAME})


def _unformatted(path: Path, side: Side) -> Side:
    given: dict[str, Any] = {name: getattr(side, name) for name in ("byte_order", *_SAME)}
    chosen = {name: value for name, value in given.items() if value is not None}
    chosen.pop("record_length", None)
    segmented = side.record_type == "segmented"
    marker = 0 if segmented else side.record_marker
    if side.byte_order is None or (marker is None and not segmented):
        found = find_markers(path, side)
        for name, value in found.items():
            if (
                value
                and (chosen.setdefault(name, value) != value)
                and not (name == "byte_order" and holds_no_values(path))
            ):
                raise HeadraceError(
                    f"{path}: the records have {name.replace('_', ' ')} {value}, not {chosen[name]}",
                    "leave the option out, or state --from-byte-order and --from-record-marker both",
                )
    return Side("unformatted", **(_DEFAULTS | chosen))


def holds_no_values(path: Path) -> bool:
    """Whether the records of a file are all empty: their markers are zero in either byte order."""
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            if block.count(0) != len(block):
                return False
    return True


def schema_dialect(side: Side) -> "Dialect":
    """As a schema has it."""
    said = {name: getattr(side, name) for name in ("byte_order", *_SAME)}
    return layout_schema.Dialect(**{"format": side.format, **{name: value for name, value in said.items() if value}})


def find_markers(path: Path, side: Side) -> dict[str, Any]:
    """Marker bytes and byte order that the library finds out from the first records."""
    marker, big, handle = c_int(), c_int(), c_int64(0)
    options = native.RecordOptions(
        action=b"read",
        byte_order=b"auto",
        long_records=(side.long_records or "subrecords").encode(),
        record_type=(side.record_type or "variable").encode(),
    )
    # Not headrace.records, which loads numpy: that takes longer than many conversions.
    native.call("hr_open_records", os.fsencode(path), byref(options), byref(handle))
    try:
        native.call("hr_record_form", handle, byref(marker), byref(big))
    finally:
        native.call("hr_close_records", byref(handle))
    return {"record_marker": marker.value, "byte_order": "big" if big.value else "little"}
