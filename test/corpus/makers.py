"""One function for each way to make a file of the corpus; each returns the file's truth."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import compiled
import dialects
from cases import TEXTS, ByteOrder, Case
from content import Item, Records, record_bytes
from dialects import Hole
from headrace.results.run import Compiler

OTHER: dict[ByteOrder, ByteOrder] = {"little": "big", "big": "little"}


@dataclass
class Corpus:
    """Where files go and who writes them."""

    directory: Path
    compilers: list[Compiler]

    def gnu(self) -> Compiler | None:
        """gfortran, which alone has options for record markers."""
        return next((one for one in self.compilers if one.vendor == "gnu"), None)

    def writers(self) -> list[Compiler | None]:
        """The compilers, or None alone, which stands for the generator."""
        return [*self.compilers] or [None]

    def path(self, file: str) -> Path:
        """Of a file of the corpus."""
        path = self.directory / file
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def case(self, file: str, kind: str, writer: str, **truth: Any) -> Case:
        """The truth of a file that has been written."""
        path = self.directory / file
        files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
        size = sum(one.stat().st_size for one in files)
        return Case(file, kind, writer, size, **truth)


def _about(content: Records, order: ByteOrder, marker_bytes: int = 4) -> dict[str, Any]:
    return {
        "marker_bytes": marker_bytes,
        "byte_order": order,
        "records": len(content.records),
        "pattern": content.pattern(),
        "record_types": content.types(),
        "shape": content.shape,
    }


def sequential(
    corpus: Corpus,
    file: str,
    content: Records,
    compiler: Compiler | None,
    order: ByteOrder = "little",
    marker_bytes: int = 4,
    note: str = "",
) -> Case:
    """Records between markers; those that have one of no bytes are a class of their own."""
    writer = compiled.write_sequential(corpus.path(file), content.records, compiler, order, marker_bytes)
    kind = f"record{marker_bytes}-{order}"
    accept: list[str] = []
    lengths = content.lengths()
    if 0 in lengths:
        # A reader that names the markers is right as well. Nothing but zeros can be anything.
        names = [kind, f"record{marker_bytes}-{OTHER[order]}", "raw", "direct"]
        kind, accept = "zero-length-records", names[:1] if any(lengths) else [*names, "record8-little", "record8-big"]
    about = _about(content, order, marker_bytes)
    return corpus.case(file, kind, writer, accept=accept, tie_is_right=not any(lengths), note=note, **about)


def subrecords(corpus: Corpus, file: str, content: Records, order: ByteOrder, longest: int, note: str = "") -> Case:
    """gfortran's subrecords of `longest` bytes: the option that exists to test them."""
    path, gnu = corpus.path(file), corpus.gnu()
    if gnu:
        flags = [f"-fmax-subrecord-length={longest}"]
        compiled.write_unformatted(path, content.records, gnu, order, flags=flags)
    else:
        dialects.write_subrecords(path, [record_bytes(one, order) for one in content.records], order, longest)
    kind = "record4-subrecords" if max(content.lengths()) > longest else f"record4-{order}"
    return corpus.case(file, kind, gnu.identifier if gnu else "generator", note=note, **_about(content, order))


def huge(
    corpus: Corpus, file: str, dialect: str, before: Records, hole: int, order: ByteOrder, after: Records | None = None
) -> Case:
    """Small records, one record of `hole` zero bytes that take no disk, and more small records.

    `dialect`: "subrecords" (gfortran, Intel), "pgi" (its run time's old form), "pgi-signs" (the old form with flags
    where gfortran has signs), "pgi-negative" (its newer form), "flang".
    """
    path = corpus.path(file)
    parts = [before.records, after.records if after else []]
    small = [[record_bytes(one, order) for one in part] for part in parts]
    data: list[bytes | Hole] = [*small[0], Hole(hole), *small[1]]
    accept: list[str] = []
    if dialect == "flang":
        kind = "record4-flang-unsigned"
        dialects.write_unsigned(path, data, order)
    elif dialect == "subrecords":
        kind = "record4-subrecords"
        dialects.write_subrecords(path, data, order)
    else:
        kind = "record4-subrecords" if dialect == "pgi-negative" else "record4-pgi-high-bit"
        accept = ["record4-pgi-high-bit"] if dialect == "pgi-negative" else []
        dialects.write_pgi(path, data, order, dialect != "pgi-negative", dialect != "pgi-signs")
    types = [*before.types(), [f"zeros {hole}"], *(after.types() if after else [])]
    about: dict[str, Any] = {"marker_bytes": 4, "byte_order": order, "records": len(data), "record_types": types}
    return corpus.case(file, kind, "generator", accept=accept, note=f"sparse, layout of {dialect}", **about)


def segmented(corpus: Corpus, file: str, content: Records, segment: int = 2044) -> Case:
    """Intel's SEGMENTED."""
    dialects.write_segmented(corpus.path(file), content.records, segment)
    about = _about(content, "little") | {"marker_bytes": None}
    return corpus.case(file, "intel-segmented", "generator", note=f"segments of {segment} bytes", **about)


def direct(
    corpus: Corpus,
    file: str,
    content: Records,
    compiler: Compiler | None,
    order: ByteOrder = "little",
    times: int = 1,
    padding: int = 0,
    numbers: Sequence[int] | None = None,
) -> Case:
    """Direct access with records of one length, `padding` bytes longer than the data.

    `times=4`: the program took RECL= for bytes, the compiler for words, so three quarters are zeros.
    """
    path, used = corpus.path(file), content.lengths()[0]
    length = times * used + padding
    if compiler:
        compiled.write_unformatted(path, content.records, compiler, order, "direct", length, numbers)
    else:
        with path.open("wb") as out:
            for number, record in zip(numbers or range(1, len(content.records) + 1), content.records, strict=True):
                out.seek((number - 1) * length)
                out.write(record_bytes(record, order).ljust(length, b"\0"))
    # One array cut into records of its own rows has no mark of where they end.
    plain = times == 1 and not padding and not numbers and len(content.records[0]) == 1
    about = _about(content, order) | {"marker_bytes": None, "pattern": None, "record_length": length}
    if numbers:
        about |= {"records": max(numbers), "note": f"{len(numbers)} of the records were written"}
    kind = "direct-word-recl" if times > 1 else "direct"
    return corpus.case(
        file, kind, compiler.identifier if compiler else "generator",
        accept=["raw"] if plain else [], tie_is_right=plain, **about,
    )  # fmt: skip


def raw(
    corpus: Corpus, file: str, content: Records, compiler: Compiler | None, order: ByteOrder = "little", note: str = ""
) -> Case:
    """Stream access, or fwrite and tofile: data alone. The bytes are those of direct access with unknown RECL."""
    path = corpus.path(file)
    if compiler:
        compiled.write_unformatted(path, content.records, compiler, order, "stream")
    else:
        path.write_bytes(b"".join(record_bytes(one, order) for one in content.records))
    about = _about(content, order) | {"marker_bytes": None, "records": None}
    writer = compiler.identifier if compiler else "generator"
    return corpus.case(file, "raw", writer, accept=["direct"], tie_is_right=True, note=note, **about)


def table(
    corpus: Corpus,
    file: str,
    items: tuple[Item | None, Item | None],
    rows: int,
    compiler: Compiler,
    form: str = "*",
    header: Sequence[str] = (),
) -> Case:
    """A text with integers and reals in `rows` WRITE statements, list-directed ("*"), in a format, or with commas."""
    compiled.write_text(corpus.path(file), items, rows, compiler, form, header)
    kind = "text-list-directed" if form == "*" else "text-delimited" if "','" in form else "text-formatted"
    # gfortran's list-directed integers are those of I12.
    accept = ["text-formatted"] if form == "*" and items[1] is None else []
    accept += ["text-list-directed"] if items[1] is None and kind == "text-formatted" else []
    columns = sum(item.data.size // rows for item in items if item)
    accept = list(TEXTS) if columns == 1 else accept
    return corpus.case(file, kind, compiler.identifier, accept=accept, layout=form, shape=[rows, columns])


def text(corpus: Corpus, file: str, content: str, kind: str, layout: str = "", accept: Sequence[str] = ()) -> Case:
    """A text that no Fortran program wrote."""
    corpus.path(file).write_bytes(content.encode())
    return corpus.case(file, kind, "generator", accept=list(accept), layout=layout)


def _starts(content: Records, marker_bytes: int) -> list[int]:
    """Where each record begins, and the end of the file."""
    starts = [0]
    for length in content.lengths():
        starts.append(starts[-1] + length + 2 * marker_bytes)
    return starts


def truncated(corpus: Corpus, whole: Case, content: Records, record: int, kept: int) -> Case:
    """`whole` cut after `kept` bytes of its record number `record`, from 0; the leading marker counts."""
    marker_bytes = whole.marker_bytes or 4
    start = _starts(content, marker_bytes)[record]
    with corpus.path(whole.file).open("r+b") as file:
        file.truncate(start + kept)
    # What is left of the first record may be anything; part of a marker may be left over as well.
    alone = record == 0
    accept = ["raw", "direct"] if alone else []
    return replace(
        whole,
        kind=f"record{marker_bytes}-truncated",
        size=start + kept,
        records=record,
        damage_offset=start,
        pattern=None,
        accept=[*accept, f"record{marker_bytes}-trailing"] if kept < marker_bytes else accept,
        tie_is_right=alone,
        note=f"cut {kept} bytes after the start of record {record + 1} of {len(content.records)}",
    )


def trailing(corpus: Corpus, whole: Case, more: bytes, note: str = "") -> Case:
    """`whole` with bytes after its last record that are no record."""
    with corpus.path(whole.file).open("ab") as file:
        file.write(more)
    marker_bytes = whole.marker_bytes or 4
    truth: dict[str, Any] = {"kind": f"record{marker_bytes}-trailing", "size": whole.size + len(more), "pattern": None}
    truth["note"] = note or f"{len(more)} bytes after the last record"
    if len(more) < marker_bytes:  # part of a marker
        truth["accept"] = [f"record{marker_bytes}-truncated"]
    if more[: 2 * marker_bytes] == bytes(2 * marker_bytes):  # zeros are empty records too: where these end is open
        return replace(whole, **truth, records=None)
    return replace(whole, **truth, damage_offset=whole.size)


def mixed(corpus: Corpus, file: str, parts: tuple[Records, Records], order: ByteOrder, by: Compiler | None) -> Case:
    """Records in one byte order, then in the other: two programs appended to one file."""
    first = sequential(corpus, file, parts[0], by, order)
    sequential(corpus, f"{file}.more", parts[1], by, OTHER[order])
    more = corpus.path(f"{file}.more")
    with corpus.path(file).open("ab") as out:
        out.write(more.read_bytes())
    more.unlink()
    content = Records(parts[0].records + parts[1].records)
    about = _about(content, order) | {"damage_offset": first.size, "note": f"first {order}, then {OTHER[order]} endian"}
    return corpus.case(file, "mixed-byte-order", first.writer, **about)
