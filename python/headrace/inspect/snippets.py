"""Statements that read the file: Fortran, Python and the command line, ready to paste. Next: fortran.py."""

import re
import shlex
from pathlib import Path
from typing import Any

from headrace.containers.hdf5.family import family_of
from headrace.inspect import fortran
from headrace.inspect.findings import Hypothesis, Item, Report
from headrace.inspect.names import NamedRun, named
from headrace.inspect.signatures import READERS

_NUMPY = {"real": "f", "int": "i", "logical": "i"}


def of_report(report: Report) -> dict[str, str]:
    """For each language; nothing if a tie leaves several answers, or nothing can be said."""
    best = report.verdict
    if report.tie and not _only_markerless(report):
        return {}
    name = best.format
    if best.detail.get("driver") == "family":
        return _family(report.file)
    if name in READERS:
        return {"python": READERS[name].format(file=report.file)}
    if name.startswith("text"):
        return {"fortran": fortran.text(report.file, best), "python": _python_text(report.file, best)} | _convert(
            report
        )
    if name in ("raw", "direct", "direct-word-recl"):
        return _markerless(report, best)
    if name.startswith(("record", "zero", "intel")):
        runs = named(best.runs)
        return {
            "fortran": fortran.records(report.file, best, runs),
            "python": _python_records(report.file, best, runs),
        } | _convert(report)
    return {}


def _family(file: str) -> dict[str, str]:
    """HDF5 numbers its files: the number in the name becomes %d."""
    found = family_of(Path(file))
    if found is None:
        return {}
    return {"python": f"h5py.File({found[0].pattern!r}, 'r', driver='family', memb_size=0)"}


def _only_markerless(report: Report) -> bool:
    """Raw or direct access: the same statements read both."""
    return set(report.tied) <= {"raw", "direct"}


def _markerless(report: Report, best: Hypothesis) -> dict[str, str]:
    runs = named(best.runs)
    if not runs or not runs[0].slots:
        return {}
    if best.format == "raw":
        return {"fortran": fortran.stream(report.file, best, runs), "python": _python_raw(report.file, best, runs)}
    return {
        "fortran": fortran.direct(report.file, best, runs),
        "python": _python_direct(report.file, best, runs),
    } | _convert(report)


def numpy_name(item: Item, order: str) -> str:
    """The numpy type of an item, as text."""
    letter = "<" if order == "little" else ">"
    if item.type == "character":
        return f"S{item.count}"
    if item.type == "zeros":
        return "i1"
    for kind, code in _NUMPY.items():
        if item.type.startswith(kind):
            return f"{letter}{code}{item.size}"
    return "u1"


def _dtype(items: list[tuple[str, Item]], order: str) -> str:
    fields = []
    for name, item in items:
        extent = f", {item.count * item.size if item.type == 'zeros' else item.count}"
        scalar = item.type == "character" or item.count == 1
        fields.append(f'("{name}", "{numpy_name(item, order)}"{"" if scalar else extent})')
    return f"[{', '.join(fields)}]"


def _reshaped(item: Item) -> str:
    return f'.reshape({tuple(item.shape)}, order="F")' if item.shape and len(item.shape) > 1 else ""


def _python_records(file: str, best: Hypothesis, runs: list[NamedRun]) -> str:
    detail = best.detail
    order = detail["byte_order"]
    arguments = [repr(file), f'byte_order="{order}"']
    if best.format == "intel-segmented":
        arguments.append('record_type="segmented"')
    else:
        arguments.insert(1, f"record_marker={detail['marker_bytes']}")
    if detail.get("long_records", "subrecords") != "subrecords":
        arguments.append(f'long_records="{detail["long_records"]}"')
    lines = ["import headrace", "", f"with headrace.records({', '.join(arguments)}) as file:"]
    regular = all(run.complete for run in runs)
    if not regular:
        return "\n".join([*lines, "    for record in file:  # arrays of bytes", "        print(record.size)"])
    for run in runs:
        indent = "    "
        if run.times > 1:
            lines.append(f"    for step in range({run.times}):")
            indent += "    "
        for items in run.slots:
            lines += [indent + line for line in _python_read(items, order)]
    return "\n".join(lines)


def _python_read(items: list[tuple[str, Item]], order: str) -> list[str]:
    if not items:
        return ["file.skip()  # a record without data"]
    if len(items) == 1:
        name, item = items[0]
        plain = numpy_name(item, order).lstrip("<>")
        return [f'{name} = file.read("{plain}"){_reshaped(item)}']
    first = items[0][0]
    return [f'{first}_record = file.read("u1").view({_dtype(items, order)})[0]']


def _python_raw(file: str, best: Hypothesis, runs: list[NamedRun]) -> str:
    order, items = best.detail.get("byte_order", "little"), runs[0].slots[0]
    if len(items) == 1:
        name, item = items[0]
        if item.type == "character":
            return f"import numpy\n\n{name} = numpy.memmap({file!r}, 'S1', 'r')"
        return f'import numpy\n\n{name} = numpy.memmap({file!r}, "{numpy_name(item, order)}", "r"){_reshaped(item)}'
    return f"import numpy\n\nparts = numpy.fromfile({file!r}, {_dtype(items, order)}, 1)[0]"


def _python_direct(file: str, best: Hypothesis, runs: list[NamedRun]) -> str:
    order, items = best.detail["byte_order"], runs[0].slots[0]
    parts = [(name, item) for name, item in items]
    offsets = [item.offset for _, item in parts]
    formats = []
    for _, item in parts:
        kind = numpy_name(item, order)
        formats.append(kind if item.type == "character" or item.count == 1 else f"({item.count},){kind}")
    names = [name for name, _ in parts]
    length = best.detail["record_length"]
    return (
        "import numpy\n\nrecord = numpy.dtype(\n"
        f'    {{"names": {names}, "formats": {formats}, "offsets": {offsets}, "itemsize": {length}}}\n)\n'
        f'table = numpy.memmap({file!r}, record, "r")  # table["{names[0]}"][k]: record k + 1'
    )


def _python_text(file: str, best: Hypothesis) -> str:
    detail = best.detail
    if best.format == "text" or not detail.get("numbers", True):
        delimited = best.format == "text-delimited"
        return _python_cells(file, detail) if delimited else f"open({file!r}).read()"
    if best.format == "text-formatted" and detail.get("values") and not detail.get("header_lines"):
        rows = f"({detail['values'] // detail['columns']}, {detail['columns']})"
        shape = rows if detail["values"] % detail["columns"] == 0 else str(detail["values"])
        return (
            f"import headrace\nimport numpy\n\nx = numpy.empty({shape})\n"
            f'headrace.read_array({file!r}, x, edit="{real_edit(detail["format"])}")'
        )
    if best.format == "text-list-directed" and detail.get("wrapped"):
        skipped = f"[{detail['header_lines']}:]" if detail.get("header_lines") else ""
        return (
            "import numpy\n\n"
            f"lines = open({file!r}).readlines(){skipped}  # statements wrote several lines each\n"
            "x = numpy.array(' '.join(lines).split(), float)"
        )
    options = [repr(file), *_delimiter(detail)]
    if detail.get("header_lines"):
        options.append(f"skip_rows={detail['header_lines']}")
    return f"import headrace\n\nx = headrace.read_text({', '.join(options)})"


def _delimiter(detail: dict[str, Any]) -> list[str]:
    mark = {"comma": ",", "semicolon": ";", "tab": "tab", "bar": "|"}.get(detail.get("delimiter", ""))
    return [f'delimiter="{mark}"'] if mark else []


def _python_cells(file: str, detail: dict[str, Any]) -> str:
    """Cells that are no numbers."""
    options = [repr(file), 'dtype="S40"', 'header="no"', *_delimiter(detail)]
    return f"import headrace\n\ncells = headrace.read_text({', '.join(options)})"


def real_edit(form: str) -> str:
    """A format for an array of reals: integers are read through f."""
    return re.sub(r"i(\d+)", r"f\1.0", form)


def _convert(report: Report) -> dict[str, str]:
    source, best = Path(report.file), report.verdict
    if best.detail.get("damage"):
        return {}
    start = f"headrace convert {shlex.quote(report.file)}"
    if best.format.startswith("text"):
        options = _text_options(best)
        return {"convert": f"{start} {shlex.quote(source.stem + '.npy')} {options}"} if options else {}
    if best.format == "intel-segmented" or best.detail.get("long_records", "subrecords") != "subrecords":
        words = ["--from unformatted", f"--from-byte-order {best.detail['byte_order']}"]
        words.append(_dialect_option(best))
        return {"convert": f"{start} {shlex.quote(source.stem + '.unf')} {' '.join(words)}"}
    schema = shlex.quote(source.stem + ".toml")
    first = f"headrace inspect {shlex.quote(report.file)} --schema > {schema}  # then give the arrays their names"
    return {"convert": f"{first}\n{start} {shlex.quote(source.stem + '.npz')} --schema {schema}"}


def _dialect_option(best: Hypothesis) -> str:
    if best.format == "intel-segmented":
        return "--from-record-type segmented"
    return f"--from-long-records {best.detail['long_records']}"


def _text_options(best: Hypothesis) -> str:
    """The options of convert that read the text; nothing if it has none for it."""
    detail = best.detail
    if best.format == "text-formatted":
        if not detail.get("values") or detail.get("header_lines"):
            return ""
        form = shlex.quote(real_edit(detail["format"]))
        return f"--from text --from-edit {form} --kind real64 --shape {detail['values']}"
    if best.format == "text" or detail.get("header_lines", 0) > 1:
        return ""
    if best.format == "text-list-directed":
        return "--from text" if detail.get("numbers", True) and not detail.get("wrapped") else ""
    return {"comma": "--from csv", "tab": "--from tsv"}.get(detail["delimiter"], "")
