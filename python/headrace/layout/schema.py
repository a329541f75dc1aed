"""The TOML schema: what the records of a file, or of one file a rank, hold. Next: segments.py.

    [file]
    format = "unformatted"      # or "direct" (with record_length), or "raw": no records at all
    record_marker = 4           # bytes: 4 or 8
    byte_order = "little"       # or "big"

    [[record]]                  # one for each record, in the order of the file
    name = "header"
    kind = "int32"
    shape = [3]

    [[record]]                  # records that are repeated together
    repeat = 401                # or "rest": to the end of the file
    records = [
      { items = [ { name = "time", kind = "real64" }, { name = "step", kind = "int32" } ] },  # two arrays in one record
      { name = "u", kind = "real64", shape = [64, 64] },
      { skip = true },          # a record that is not looked at
    ]

doc/reference/describe.md explains every key. `load_schema` gives frozen objects; `write_schema` gives the text of one.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

import tomlkit
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from tomlkit.exceptions import ParseError
from typing_extensions import Self

from headrace.errors import HeadraceError, why_unreadable
from headrace.layout import kinds


def _known(name: str) -> str:
    if kinds.find(name) is None:
        raise ValueError(f"expected one of {', '.join(kinds.NAMES)}")
    return name


def _plain(name: str) -> str:
    if not name.strip() or "/" in name or name.startswith((".", "_")) or any(ord(c) < 32 for c in name):
        raise ValueError("expected a name without '/', '.' or '_' in front, and control characters")
    return name


# TOML has lists; the objects are frozen to the last member.
_Extents = Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(strict=False)]
_Name = Annotated[str, AfterValidator(_plain)]
_Names = Annotated[tuple[_Name, ...], Field(strict=False)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Dialect(_Table):
    """Table [file]: how records are marked in the files.

    Bytes before `offset` of a direct or raw file are not looked at.
    """

    format: Literal["unformatted", "direct", "raw"]
    record_marker: Literal[4, 8] = 4
    byte_order: Literal["little", "big"] = "little"
    record_length: int | None = Field(default=None, ge=1, description="bytes of a direct-access record")
    offset: int = Field(default=0, ge=0)
    long_records: Literal["subrecords", "high_bit", "unsigned"] = Field(
        default="subrecords", description="over 2 GiB: as gfortran and Intel, PGI, or LLVM flang mark them"
    )
    record_type: Literal["variable", "segmented"] = Field(default="variable", description="'segmented': Intel's")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.format == "direct") != (self.record_length is not None):
            raise ValueError("record_length (in bytes) belongs to format = 'direct', and only to it")
        alien = self.model_fields_set & {"record_marker", "long_records", "record_type"}
        if alien and self.format != "unformatted":
            raise ValueError(f"{min(alien)} belongs to format = 'unformatted'")
        if self.offset and self.format == "unformatted":
            raise ValueError(
                "offset belongs to format = 'raw' and 'direct': records are counted from the file's first byte"
            )
        return self


class Array(_Table):
    """An array (`name`, `kind`), or bytes that are not looked at (`skip`: a number of bytes, or true for all the rest).

    `shape` is in the order of the program: with order = "fortran" the first dimension varies fastest. "piece" stands
    for the shape of the file's own part of the global shape. `dimensions` names them.
    """

    name: _Name | None = None
    kind: Annotated[str, AfterValidator(_known)] | None = None
    shape: _Extents | Literal["piece"] = ()
    order: Literal["fortran", "c"] = "fortran"
    dimensions: _Names | None = None
    skip: bool | Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _fits_array(self) -> Self:
        if not self._is_array():
            return self
        if self.skip is not None:
            if self.model_fields_set & set(Array.model_fields) != {"skip"} or self.skip is False:
                raise ValueError("skip = true or a number of bytes stands alone, without name, kind or shape")
        elif self.name is None or self.kind is None:
            raise ValueError("expected name and kind, or skip")
        elif self.dimensions is not None and self.shape != "piece" and len(self.dimensions) != len(self.shape):
            raise ValueError(f"expected {len(self.shape)} names in dimensions, found {len(self.dimensions)}")
        return self

    def _is_array(self) -> bool:
        return True


class Record(Array):
    """A record: one array, or several one after the other (`items`)."""

    items: Annotated[tuple[Array, ...], Field(strict=False, min_length=1)] | None = None

    def _is_array(self) -> bool:
        return self.items is None

    def arrays(self) -> tuple[Array, ...]:
        """What stands in the record, in its order."""
        return (self,) if self.items is None else self.items

    @model_validator(mode="after")
    def _fits_record(self) -> Self:
        if self.items is not None and self.model_fields_set & set(Array.model_fields):
            raise ValueError(
                "items stands without name, kind, shape, order, dimensions and skip: they belong to each item"
            )
        if any(item.skip is True for item in self.arrays()[:-1]):
            raise ValueError("skip = true takes all the rest, so it is the last of the items")
        return self


class Entry(Record):
    """One [[record]]: a record, or several that are repeated together (`records`)."""

    records: Annotated[tuple[Record, ...], Field(strict=False, min_length=1)] | None = None
    repeat: Annotated[int, Field(ge=0)] | Literal["rest"] | None = None
    repeat_dimension: _Name | None = Field(default=None, description="name of the dimension that repeat adds")

    def _is_array(self) -> bool:
        return self.items is None and self.records is None

    def each(self) -> tuple[Record, ...]:
        """The records of one repetition."""
        return (self,) if self.records is None else self.records

    @model_validator(mode="after")
    def _fits_entry(self) -> Self:
        if self.records is not None and self.model_fields_set & set(Record.model_fields):
            raise ValueError("records stands without name, kind, shape, order, dimensions, skip and items")
        if self.repeat is None and self.repeat_dimension is not None:
            raise ValueError("repeat_dimension belongs to repeat")
        return self


class Global(_Table):
    """Table [global]: the shape that the pieces make together.

    `parts` says how it is cut, a number of equal parts or a list of extents for each dimension, and `rank_order` which
    dimension the number of the file runs through first: "fortran" the first, "c" the last (as MPI_Cart_create does).
    Instead of `parts` there may be a [[piece]] for each file. `fill` is the value where no piece is.
    """

    shape: Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(strict=False, min_length=1)]
    parts: (
        Annotated[
            tuple[
                Annotated[int, Field(ge=1)]
                | Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(strict=False, min_length=1)],
                ...,
            ],
            Field(strict=False),
        ]
        | None
    ) = None
    rank_order: Literal["fortran", "c"] | None = None
    fill: float | int | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.parts is None:
            if self.rank_order is not None:
                raise ValueError("rank_order belongs to parts")
            return self
        if len(self.parts) != len(self.shape):
            raise ValueError(f"expected {len(self.shape)} entries in parts, found {len(self.parts)}")
        for extent, part in zip(self.shape, self.parts, strict=True):
            if isinstance(part, int) and extent % part:
                raise ValueError(
                    f"{extent} cannot be cut into {part} equal parts; list their extents: [[{extent - 1}, 1]]"
                )
            if not isinstance(part, int) and sum(part) != extent:
                raise ValueError(f"parts {list(part)} add up to {sum(part)}, expected {extent}")
        if self.rank_order is None and sum(len(cuts) > 1 for cuts in self.cuts()) > 1:
            raise ValueError(
                "rank_order is missing: 'fortran' if the first dimension changes from file to file, 'c' if the last"
            )
        return self

    def cuts(self) -> list[tuple[int, ...]]:
        """The extents of the parts along each dimension."""
        assert self.parts is not None
        return [
            part if isinstance(part, tuple) else (extent // part,) * part
            for extent, part in zip(self.shape, self.parts, strict=True)
        ]


class Piece(_Table):
    """One [[piece]]: which part of the global shape a file holds.

    `file` is its name or a pattern such as "*0003.dat". `offset` counts the elements before the piece along each
    dimension: from 0, so the first piece has zeros.
    """

    file: str = Field(min_length=1)
    offset: _Extents
    shape: Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(strict=False)]


class Schema(_Table):
    """A whole schema."""

    file: Dialect
    record: Annotated[tuple[Entry, ...], Field(strict=False, min_length=1)]
    global_: Global | None = Field(default=None, alias="global")
    piece: Annotated[tuple[Piece, ...], Field(strict=False)] = ()

    def items(self) -> list[Array]:
        """All arrays, and what is skipped, in the order of the file."""
        return [item for entry in self.record for record in entry.each() for item in record.arrays()]

    def arrays(self) -> list[Array]:
        """All named arrays, in the order of the file."""
        return [item for item in self.items() if item.name is not None]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _check_entries(self)
        _check_pieces(self)
        return self


def _check_entries(schema: Schema) -> None:
    names = [array.name for array in schema.arrays()]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(
            f"the name {twice!r} stands at two records: one name is one array; records of one shape become one array"
            " with repeat, those of another shape need another name"
        )
    if any(entry.repeat == "rest" for entry in schema.record[:-1]):
        raise ValueError("repeat = 'rest' goes to the end of the file, so it stands at the last record")
    if schema.file.format == "raw":
        skips = [item.skip is True for entry in schema.record for record in entry.each() for item in record.arrays()]
        if any(skips[:-1]) or (any(skips) and schema.record[-1].repeat is not None):
            raise ValueError("skip = true goes to the end of a raw file, so it is the last record, without repeat")


def _check_pieces(schema: Schema) -> None:
    whole = schema.global_
    cut = [array.name for array in schema.arrays() if array.shape == "piece"]
    if whole is None:
        if cut or schema.piece:
            raise ValueError("shape = 'piece' and [[piece]] need [global] with shape")
        return
    if not cut:
        raise ValueError("[global] needs a record with shape = 'piece'")
    if (whole.parts is None) == (not schema.piece):
        raise ValueError("[global] needs either parts or a [[piece]] for each file")
    for number, piece in enumerate(schema.piece, 1):
        for key, found in (("offset", piece.offset), ("shape", piece.shape)):
            if len(found) != len(whole.shape):
                raise ValueError(
                    f"piece {number} ({piece.file}): {key} has {len(found)} entries, expected {len(whole.shape)}"
                )
    for array in schema.arrays():
        if array.shape == "piece" and array.dimensions is not None and len(array.dimensions) != len(whole.shape):
            raise ValueError(
                f"array {array.name!r}: expected {len(whole.shape)} names in dimensions, found {len(array.dimensions)}"
            )


def load_schema(path: Path) -> Schema:
    """Read a schema. Raises HeadraceError that names the file, the key, what was expected and what was found."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise HeadraceError(
            f"{path}: cannot be read: {why_unreadable(error)}", "name a TOML schema with --schema"
        ) from error
    return parse_schema(text, str(path))


def parse_schema(text: str, place: str = "schema") -> Schema:
    """A schema from its text; `place` is what messages call it."""
    try:
        data = tomlkit.parse(text).unwrap()
    except ParseError as error:
        raise HeadraceError(f"{place}: line {error.line}: not TOML: {error}", "see https://toml.io") from error
    try:
        return Schema.model_validate(data)
    except ValidationError as error:
        raise HeadraceError(
            f"{place}: {_first(error)}",
            "doc/reference/describe.md lists the keys of a schema; 'headrace inspect --schema' writes one",
        ) from error


_EXPECTED = {
    "shape": 'a list of extents such as [64, 64], or "piece"',
    "repeat": 'a number, or "rest"',
    "skip": "a number of bytes, or true",
    "parts": "a number of equal parts or a list of extents for each dimension, such as [2, [13, 12]]",
    "offset": "a number of bytes; in [[piece]] a list of numbers of elements, counted from 0",
    "dimensions": "a list of names",
}


def _first(error: ValidationError) -> str:
    """The first difference, for example "record[2].kind: expected one of ..., found 'real16'"."""
    worst = min(error.errors(), key=lambda e: e["type"] == "literal_error")
    place = ""
    for part in worst["loc"]:
        if isinstance(part, int):
            place += f"[{part + 1}]"
        elif not any(c in part for c in "[(") and part not in ("bool", "int", "float", "constrained-int"):
            place += f".{part}" if place else str(part)
    text = worst["msg"].removeprefix("Value error, ")
    key = place.rsplit(".", 1)[-1].split("[")[0]
    if key in _EXPECTED and worst["type"] != "value_error":
        text = f"expected {_EXPECTED[key]}"
    if worst["type"] == "extra_forbidden":
        return f"{place}: there is no such key"
    if worst["type"] == "missing":
        return f"{place}: is missing"
    found = worst["input"]
    shown = "" if isinstance(found, dict) else f", found {found!r}"
    return f"{place}: {text[0].lower()}{text[1:]}{shown}" if place else f"{text}"


def write_schema(schema: Schema) -> str:
    """The TOML text of a schema; keys that have their default value are left out."""
    plain: dict[str, Any] = schema.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return tomlkit.dumps(plain)
