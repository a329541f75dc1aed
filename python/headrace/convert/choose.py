"""What the user said as a Request: formats by options, the ending, a schema, or inspect.

Next: ../containers/request.py.
"""

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.containers.records.dialects import find_markers, holds_no_values
from headrace.containers.request import (
    FORMATS,
    PLAIN,
    Request,
    Side,
    check_contents,
    check_options,
    check_packed,
    check_source,
    endings,
    format_of_ending,
)
from headrace.convert.guesses import SURE, check_order, check_types, refuse_damage
from headrace.convert.streams import is_stream
from headrace.errors import HeadraceError
from headrace.later import later
from headrace.layout.kinds import Kind
from headrace.nearest import did_you_mean

if TYPE_CHECKING:
    from headrace import inspect
    from headrace.convert import selection
    from headrace.inspect import schema as inspect_schema
    from headrace.layout import schema as layout_schema
    from headrace.layout.schema import Schema
else:  # they load numpy and pydantic, which takes longer than many conversions
    inspect, inspect_schema = later("headrace.inspect"), later("headrace.inspect.schema")
    selection, layout_schema = later("headrace.convert.selection"), later("headrace.layout.schema")

_DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "tab", "bar": "|"}
_CONTENTS = "say --kind real64 --shape 64,64, or write a schema: headrace inspect --schema writes a first one"
_ANY_KIND = "say any: --kind real64, for example; --from raw if these bytes are values"
_CONTAINERS = ("npy", "npz", "hdf5", "netcdf", "zarr", "parquet")


def request_of(
    paths: list[Path],
    source: Mapping[str, Any],
    result: Mapping[str, Any],
    schema: Path | None = None,
    kind: Kind | None = None,
    shape: tuple[int, ...] | None = None,
    order: str = "fortran",
    name: str | None = None,
    record: int | None = None,
    step: int | None = None,
    partial: bool = False,
) -> Request:
    """The conversion of all paths but the last into the last.

    source, result: members of Side; "format" may be missing. record, step: the number of the only one that is wanted.
    Raises HeadraceError if something is missing that cannot be found out, with the options that say it.
    """
    described = layout_schema.load_schema(schema) if schema else None
    *files, target = paths
    if not files:
        files = _listed(described, schema)
    for file in files:
        check_source(file)
    given = Side(**{"format": "", **result})
    given = dataclasses.replace(given, format=given.format or _target_format(target))
    notes: list[str] = []
    side = Side(**{"format": "", **source})
    side = dataclasses.replace(side, format=side.format or _source_format(files[0], described))
    if not side.format:
        side = _inspected(files[0], side, notes)
    if described is not None and side.format != described.file.format:
        raise HeadraceError(
            f"{schema}: describes format = {described.file.format!r}, not {side.format}",
            "a schema says what is in unformatted, direct and raw files",
        )
    check_options("from", side.format, source)
    check_options("to", given.format, result)
    check_packed("from", side.format, files[0])
    check_packed("to", given.format, target)
    check_contents(side.format, kind, shape)
    for option, value in (("--kind", kind), ("--shape", shape)):
        if value is not None and described is not None:
            raise HeadraceError(f"{option} and --schema both say what the file holds", "leave one of them out")
    request = Request(files, target, side, given, kind, shape, order, name, described, notes, partial=partial)
    if record is not None or step is not None:
        return selection.select(request, record, step, _with_contents)
    if shape is not None and is_stream(request):
        raise HeadraceError(
            f"--shape: has no meaning where {side.format} becomes {given.format}: records stay as they are",
            "leave it out; a --schema says what the records of a raw file are",
        )
    return _with_contents(request) if _lacks_contents(request) else request


def _listed(schema: "Schema | None", path: Path | None) -> list[Path]:
    if schema is None or path is None:
        raise HeadraceError("expected the names of two files: headrace convert A B")
    files = [path.parent / piece.file for piece in schema.piece]
    if not files:
        raise HeadraceError(f"{path}: lists no [[piece]], and no file is named", "headrace convert A B --schema TOML")
    return files


def _target_format(target: Path) -> str:
    found = format_of_ending(target)
    if found is None:
        known = ", ".join(endings())
        raise HeadraceError(
            f"{target}: the ending does not say which format is wanted",
            did_you_mean(target.suffix, endings(), f"known are {known}; or say --to unformatted, ..."),
        )
    return found


def _source_format(file: Path, schema: "Schema | None") -> str:
    if schema is not None:
        return schema.file.format
    return format_of_ending(file) or ""


def _inspected(file: Path, side: Side, notes: list[str]) -> Side:
    """The format that inspect is sure of."""
    best = _report(file).verdict
    found: dict[str, Any] = {}
    if best.format.startswith(("record", "zero")):
        found = {"format": "unformatted"} | {
            key: best.detail.get(name)
            for key, name in (("byte_order",) * 2, ("record_marker", "marker_bytes"), ("long_records",) * 2)
        }
    elif best.format == "intel-segmented":
        found = {"format": "unformatted", "record_type": "segmented", "byte_order": best.detail["byte_order"]}
    elif best.format.startswith("direct"):
        found = {"format": "direct", "record_length": best.detail.get("record_length")}
    elif best.format == "raw" or best.format in _CONTAINERS:
        found = {"format": best.format}
    elif best.format == "text-delimited":
        found = {"format": "csv", "delimiter": _DELIMITERS[best.detail["delimiter"]]}
    elif best.format.startswith("text-"):
        found = {"format": "text"}
    elif best.format == "adios-bp":
        raise HeadraceError(
            f"{file}: is a file of ADIOS2, which convert does not read",
            "read it with headrace_mpi, or with ADIOS2's own tools: bpls lists it, its Python module reads it",
        )
    else:
        raise HeadraceError(
            f"{file}: is {best.format}, which cannot be converted", f"--from says otherwise: {_known()}"
        )
    notes.append(f"{file} is taken for {best.format} (headrace inspect: confidence {100 * best.confidence:.1f} %)")
    said = {key: value for key, value in dataclasses.asdict(side).items() if value}
    return Side(**(found | said))


def _known() -> str:
    return ", ".join(FORMATS)


def _report(file: Path, said: str = "") -> Any:
    """What inspect finds; refused when it is not sure. `said`: the format that the user or the ending says."""
    report = inspect.inspect_file(file)
    best = report.verdict
    if report.tie and said in report.tied:
        raise HeadraceError(f"{file}: nothing says what kind the values of this {said} file are", _CONTENTS)
    if report.tie:
        options = " or ".join(dict.fromkeys(report.tied))
        raise HeadraceError(
            f"{file}: may be {options}: nothing in the file tells",
            "say which: --from raw, --from direct --from-record-length N, --from unformatted, ...",
        )
    refuse_damage(file, best)
    if best.confidence < SURE:
        raise HeadraceError(
            f"{file}: is probably {best.format}, but only with {100 * best.confidence:.0f} %",
            "say what it is: --from raw, --from direct --from-record-length N, --from unformatted, ...",
        )
    return report


def _lacks_contents(request: Request) -> bool:
    """Whether the types of what the file holds are needed, and nobody has said them."""
    if request.source.format not in PLAIN or request.schema is not None or request.kind is not None:
        return False
    if request.result.format not in PLAIN or request.name is not None:
        return True
    wanted = request.result.byte_order
    if request.source.format == "unformatted" and request.result.format == "unformatted" and wanted is not None:
        return wanted != _byte_order(request) and not holds_no_values(request.file)
    if wanted is None:
        return request.source.format == "direct" and request.source.record_length is None
    return wanted != _byte_order(request)


def _byte_order(request: Request) -> str | None:
    """What was said or what markers show; None if nothing tells."""
    if request.source.byte_order is not None:
        return request.source.byte_order
    if request.source.format != "unformatted":
        return None
    return str(find_markers(request.file, request.source)["byte_order"])


def _with_contents(request: Request) -> Request:
    """The request with the schema that inspect writes, if it is sure of every type."""
    file, source = request.file, request.source
    if source.format == "unformatted" and holds_no_values(file):
        raise HeadraceError(f"{file}: its records are empty: nothing says what kind their values would have", _ANY_KIND)
    try:
        report = _report(file, source.format)
        text = inspect_schema.schema_text(report)
    except HeadraceError as error:
        raise HeadraceError(error.message, _CONTENTS) from error
    check_types(file, report.verdict)
    schema = layout_schema.parse_schema(text, f"inspect's schema of {file}")
    if schema.file.format != source.format:
        raise HeadraceError(
            f"{file}: headrace inspect takes it for {schema.file.format}, not {source.format}", _CONTENTS
        )
    kinds = dict.fromkeys(array.kind or "" for array in schema.arrays())
    if source.format != "unformatted":
        check_order(request, schema)
    request.notes.append(f"types by headrace inspect: {', '.join(kinds)}; --schema states others")
    return dataclasses.replace(request, schema=schema)
