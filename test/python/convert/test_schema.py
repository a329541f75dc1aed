"""The TOML schema of record files: what it may say, what it refuses, and the text that is written from it."""

import textwrap
from pathlib import Path

import numpy as np
import pytest

from headrace.errors import HeadraceError
from headrace.layout import kinds, schema
from headrace.layout.schema import Dialect, Entry, Schema, load_schema, parse_schema, write_schema

RAW = '[file]\nformat = "raw"\n'
ARRAY = '[[record]]\nname = "a"\nkind = "int8"\n'
PIECE = ARRAY + 'shape = "piece"\n'

WHOLE = """
[file]
format = "unformatted"
record_marker = 8
byte_order = "big"

[[record]]
items = [ { name = "n", kind = "int32", shape = [3] }, { skip = 4 }, { skip = true } ]

[[record]]
repeat = "rest"
repeat_dimension = "time"
records = [
  { name = "t", kind = "real64" },
  { name = "u", kind = "complex(real64)", shape = "piece", order = "c", dimensions = ["x", "y"] },
  { skip = true },
]

[global]
shape = [7, 4]
fill = -1.5

[[piece]]
file = "*a.dat"
offset = [0, 0]
shape = [3, 4]

[[piece]]
file = "out/b.dat"
offset = [3, 0]
shape = [4, 4]
"""


def test_the_example_in_the_module_is_a_schema() -> None:
    assert schema.__doc__ is not None
    example = schema.__doc__.split("\n\n", 1)[1].split("doc/reference/describe.md")[0]
    read = parse_schema(textwrap.dedent(example))
    assert [(a.name, a.kind, a.shape) for a in read.arrays()] == [
        ("header", "int32", (3,)),
        ("time", "real64", ()),
        ("step", "int32", ()),
        ("u", "real64", (64, 64)),
    ]
    assert read.record[1].repeat == 401


def test_keys_that_are_left_out_have_the_documented_defaults() -> None:
    read = parse_schema('[file]\nformat = "unformatted"\n' + ARRAY)
    assert read.file == Dialect(format="unformatted", record_marker=4, byte_order="little", offset=0)
    assert read.record == (Entry(name="a", kind="int8", shape=(), order="fortran"),)


@pytest.mark.parametrize("text", [WHOLE, RAW + PIECE + '[global]\nshape=[5,4]\nparts=[[2,3],2]\nrank_order="c"\n'])
def test_a_written_schema_reads_back_as_the_same(text: str) -> None:
    first = parse_schema(text)
    assert parse_schema(write_schema(first)) == first


def test_a_schema_made_in_a_program_is_written_with_lists_on_one_line() -> None:
    made = Schema(
        file=Dialect(format="direct", record_length=96), record=(Entry(name="u", kind="real64", shape=(3, 4)),)
    )
    assert write_schema(made).splitlines() == [
        "[file]",
        'format = "direct"',
        "record_length = 96",
        "",
        "[[record]]",
        'name = "u"',
        'kind = "real64"',
        "shape = [3, 4]",
    ]


def test_a_schema_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        parse_schema(RAW + ARRAY).file.offset = 4  # type: ignore[misc]


REFUSED = {
    "no TOML": ("[file\n", "line 1: not TOML"),
    "no file": ("", "file: is missing"),
    "no record": (RAW, "record: is missing"),
    "format": (
        '[file]\nformat="x"\n' + ARRAY,
        "file.format: input should be 'unformatted', 'direct' or 'raw', found 'x'",
    ),
    "marker of 2": (
        '[file]\nformat="unformatted"\nrecord_marker=2\n' + ARRAY,
        "file.record_marker: input should be 4 or 8",
    ),
    "marker in raw": (RAW + "record_marker = 4\n" + ARRAY, "record_marker belongs to format = 'unformatted'"),
    "offset of records": ('[file]\nformat="unformatted"\noffset=4\n' + ARRAY, "offset belongs to"),
    "no record length": ('[file]\nformat="direct"\n' + ARRAY, "record_length (in bytes) belongs to format = 'direct'"),
    "negative offset": (RAW + "offset = -1\n" + ARRAY, "file.offset: expected a number of bytes"),
    "unknown key": (RAW + ARRAY + "colour = 3\n", "record[1].colour: there is no such key"),
    "kind": (RAW + '[[record]]\nname="a"\nkind="complex64"\n', "record[1].kind: expected one of int8"),
    "characters without a length": (RAW + '[[record]]\nname="a"\nkind="character"\n', "found 'character'"),
    "negative extent": (RAW + ARRAY + "shape = [-1]\n", "record[1].shape[1]: expected a list of extents"),
    "extent as real": (RAW + ARRAY + "shape = [1.5]\n", "found 1.5"),
    "shape as number": (
        RAW + ARRAY + "shape = 3\n",
        'expected a list of extents such as [64, 64], or "piece", found 3',
    ),
    "no kind": (RAW + '[[record]]\nname = "a"\n', "record[1]: expected name and kind, or skip"),
    "skip and name": (RAW + ARRAY + "skip = 4\n", "stands alone"),
    "skip = false": (RAW + "[[record]]\nskip = false\n", "stands alone"),
    "skip = 0": (RAW + "[[record]]\nskip = 0\n", "expected a number of bytes, or true, found 0"),
    "hidden name": (RAW + '[[record]]\nname = "_a"\nkind = "int8"\n', "expected a name without"),
    "path as name": (RAW + '[[record]]\nname = "a/b"\nkind = "int8"\n', "expected a name without"),
    "too few dimensions": (
        RAW + ARRAY + 'shape = [2, 3]\ndimensions = ["x"]\n',
        "expected 2 names in dimensions, found 1",
    ),
    "items and name": (RAW + ARRAY + 'items = [ { name = "b", kind = "int8" } ]\n', "items stands without"),
    "records and name": (RAW + ARRAY + 'records = [ { name = "b", kind = "int8" } ]\n', "records stands without"),
    "deep": (RAW + '[[record]]\nrecords=[{items=[{name="a",kind="x"}]}]\n', "record[1].records[1].items[1].kind"),
    "rest in front": (RAW + ARRAY + 'repeat = "rest"\n[[record]]\nskip = 4\n', "stands at the last record"),
    "repeat": (RAW + ARRAY + 'repeat = "all"\n', "record[1].repeat: expected a number, or \"rest\", found 'all'"),
    "repeat_dimension": (RAW + ARRAY + 'repeat_dimension = "t"\n', "belongs to repeat"),
    "skip in front": (RAW + "[[record]]\nitems = [ { skip = true }, { skip = 4 } ]\n", "the last of the items"),
    "all skipped in front": (RAW + "[[record]]\nskip = true\n" + ARRAY, "the end of a raw file"),
    "one name twice": (RAW + ARRAY + ARRAY, "the name 'a' stands at two records"),
    "piece without global": (RAW + PIECE, "need [global] with shape"),
    "global without piece": (RAW + ARRAY + "[global]\nshape=[4]\nparts=[2]\n", "needs a record with shape = 'piece'"),
    "global without parts": (RAW + PIECE + "[global]\nshape=[4]\n", "either parts or a [[piece]]"),
    "uneven parts": (RAW + PIECE + "[global]\nshape=[5]\nparts=[2]\n", "5 cannot be cut into 2 equal parts"),
    "wrong sum": (RAW + PIECE + "[global]\nshape=[5]\nparts=[[2, 2]]\n", "add up to 4, expected 5"),
    "parts of one dimension": (
        RAW + PIECE + "[global]\nshape=[4,4]\nparts=[2]\n",
        "expected 2 entries in parts, found 1",
    ),
    "no rank order": (RAW + PIECE + "[global]\nshape=[4,4]\nparts=[2,2]\n", "rank_order is missing"),
    "rank order alone": (RAW + PIECE + '[global]\nshape=[4]\nrank_order="c"\n', "rank_order belongs to parts"),
    "offset of a piece": (
        RAW + PIECE + '[global]\nshape=[4,4]\n[[piece]]\nfile="x"\noffset=[0]\nshape=[4,4]\n',
        "piece 1 (x): offset has 1 entries, expected 2",
    ),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_makes_no_sense_is_refused_and_named(text: str, message: str) -> None:
    with pytest.raises(HeadraceError) as caught:
        parse_schema(text, "s.toml")
    assert caught.value.message.startswith("s.toml: ")
    assert message in caught.value.message
    assert caught.value.hint


def test_a_schema_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b"\xff\xfe")
    for name in ("missing.toml", "latin.toml", "."):
        with pytest.raises(HeadraceError, match="cannot be read"):
            load_schema(tmp_path / name)


@pytest.mark.parametrize("name", [*kinds.NAMES[:-1], "character(7)"])
def test_every_kind_has_the_bytes_of_its_name(name: str) -> None:
    kind = kinds.find(name)
    assert kind is not None
    bits = "".join(c for c in name if c.isdigit())
    expected = int(bits) if "character" in name else int(bits) // (4 if "complex" in name else 8)
    assert kind.size == expected
    for order, letter in (("little", "<"), ("big", ">")):
        dtype = kind.dtype(order)
        assert dtype is None if "128" in name else dtype is not None and dtype.itemsize == kind.size
        if dtype is not None and dtype.itemsize > 1 and dtype.kind != "S":
            assert dtype == np.dtype(dtype.str) and dtype.newbyteorder(letter) == dtype


@pytest.mark.parametrize(
    "name", ["", "real", "real16", "complex64", "Real64", "character(0)", "character()", "complex(int8)"]
)
def test_other_words_are_no_kinds(name: str) -> None:
    assert kinds.find(name) is None
