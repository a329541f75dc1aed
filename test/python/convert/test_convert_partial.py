"""What would not arrive is counted and refused by `convert` and `describe`, unless --partial is given."""

import json
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import netCDF4
import numpy as np
import pytest
import zarr

from headrace.errors import HeadraceError
from headrace.layout.left_out import LeftOutError
from test_convert import go
from test_convert_records import framed

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ROWS = [np.arange(3.0) + row for row in range(10)]
SEQUENTIAL = '[file]\nformat = "unformatted"\n'
RAW = '[file]\nformat = "raw"\n'
FIRST = '[[record]]\nname = "a"\nkind = "real64"\nshape = [3]\n'
REST = '[[record]]\nskip = true\nrepeat = "rest"\n'
ITEMS = '[[record]]\nrepeat = "rest"\nitems = [ { skip = 8 }, { name = "y", kind = "real64", shape = [2] } ]\n'
HEAD = "[[record]]\nskip = 80\n"
# Schema of ROWS, and what it leaves out of records and of 240 bytes.
SCHEMAS = {
    "records to the end": (SEQUENTIAL + FIRST + REST, "9 of 10 records, 216 of 240 bytes"),
    "a part of each record": (SEQUENTIAL + ITEMS, "80 of 240 bytes"),
    "bytes of a raw file": (RAW + FIRST + "[[record]]\nskip = true\n", "216 of 240 bytes"),
    "bytes between": (RAW + HEAD + FIRST.replace("3", "20"), "80 of 240 bytes"),
    "the beginning": (RAW + "offset = 80\n" + FIRST.replace("3", "20"), "80 of 240 bytes"),
    "ends of direct records": (
        '[file]\nformat = "direct"\nrecord_length = 24\n' + FIRST.replace("3", "2") + 'repeat = "rest"\n',
        "80 of 240 bytes",
    ),
    "whole direct records": ('[file]\nformat = "direct"\nrecord_length = 24\n' + FIRST + REST, "9 of 10 records"),
}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    (tmp_path / "a.unf").write_bytes(framed([row.tobytes() for row in ROWS]))
    (tmp_path / "a.raw").write_bytes(b"".join(row.tobytes() for row in ROWS))
    return tmp_path / "a.unf"


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_a_schema_skips_is_refused_or_counted(rows: Path, name: str, headrace: Run) -> None:
    text, counted = SCHEMAS[name]
    source = "a.unf" if "unformatted" in text else "a.raw"
    rows.with_name("s.toml").write_text(text)
    for command, target in ((("convert", source, "b.npz"), "b.npz"), (("describe", "b.json", source), "b.json")):
        done = headrace(*command, "--schema", "s.toml")
        assert done.returncode == 1 and not rows.with_name(target).exists()
        assert f"{source}: {counted}" in done.stderr and f" are not in {target}: nothing was written" in done.stderr
        assert "--partial" in done.stderr
        done = headrace(*command, "--schema", "s.toml", "--partial")
        assert done.returncode == 0 and rows.with_name(target).exists()
        assert counted in done.stdout and f" are not in {target}." in done.stdout
        (left,) = [json.loads(headrace(*command, "--schema", "s.toml", "--partial", "--json").stdout)["left_out"]]
        assert f"{left['bytes']} of {left['of_bytes']} bytes" in done.stdout


def test_an_old_result_stays_and_standard_output_stays_empty(rows: Path, headrace: Run) -> None:
    rows.with_name("s.toml").write_text(SEQUENTIAL + ITEMS)
    rows.with_name("b.npy").write_bytes(b"old")
    assert headrace("convert", "a.unf", "b.npy", "--schema", "s.toml").returncode == 1
    assert rows.with_name("b.npy").read_bytes() == b"old"
    done = headrace("convert", "a.unf", "-", "--to", "npy", "--schema", "s.toml")
    assert done.returncode == 1 and done.stdout == ""


def test_whole_files_lose_nothing(rows: Path, headrace: Run) -> None:
    rows.with_name("s.toml").write_text(SEQUENTIAL + FIRST + 'repeat = "rest"\n')
    done = headrace("convert", "a.unf", "b.npz", "--schema", "s.toml", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["left_out"] is None


def test_records_without_data_are_no_loss(tmp_path: Path) -> None:
    (tmp_path / "a.unf").write_bytes(framed([ROWS[0].tobytes(), b"", b""]))
    (tmp_path / "s.toml").write_text(SEQUENTIAL + FIRST + REST)
    assert not go(tmp_path / "a.unf", tmp_path / "b.npz", schema=tmp_path / "s.toml").left_out


def test_a_record_or_step_that_is_asked_for_is_whole_by_itself(rows: Path) -> None:
    rows.with_name("s.toml").write_text(SEQUENTIAL + FIRST + 'repeat = "rest"\n')
    rows.with_name("t.toml").write_text(SEQUENTIAL + ITEMS)
    for part in ({"record": 3}, {"step": 3}, {"record": 3, "kind": "real64"}):
        schema = {} if "kind" in part else {"schema": rows.with_name("s.toml")}
        assert not go(rows, rows.with_name("b.npz"), **part, **schema).left_out
    for part in ({"record": 3}, {"step": 3}):
        with pytest.raises(LeftOutError, match="8 of 24 bytes are not in"):
            go(rows, rows.with_name("c.npz"), **part, schema=rows.with_name("t.toml"))
    go(rows, rows.with_name("c.npz"), schema=rows.with_name("t.toml"), name="y")  # chosen by the user


def test_several_files_are_counted_together(rows: Path) -> None:
    rows.with_name("a2.unf").write_bytes(rows.read_bytes())
    rows.with_name("s.toml").write_text(SEQUENTIAL + FIRST + REST)
    with pytest.raises(LeftOutError, match="2 files: 18 of 20 records, 432 of 480 bytes are not in"):
        go([rows, rows.with_name("a2.unf")], rows.with_name("b.npz"), schema=rows.with_name("s.toml"))


def test_words_that_are_not_turned_are_counted(rows: Path) -> None:
    """Records become records: what is skipped is copied, but in the old byte order."""
    rows.with_name("s.toml").write_text(SEQUENTIAL + FIRST + REST)
    said: dict[str, Any] = {"to_byte_order": "big", "schema": rows.with_name("s.toml")}
    with pytest.raises(LeftOutError, match="9 of 10 records, 216 of 240 bytes keep their little-endian order in"):
        go(rows, rows.with_name("b.unf"), **said)
    assert not rows.with_name("b.unf").exists()
    result = go(rows, rows.with_name("b.unf"), **said, partial=True)
    assert result.records == 10 and result.left_out.bytes == 216
    assert not go(rows, rows.with_name("c.unf"), to_record_marker=8, schema=rows.with_name("s.toml")).left_out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FIRST + FIRST.replace('"a"', '"b"'), "8 records are left"),
        (FIRST.replace("3", "2") + "repeat = 10\n", "expected 16 bytes for 'a', found 24"),
    ],
)
def test_a_schema_of_other_records_turns_no_words(rows: Path, text: str, words: str) -> None:
    rows.with_name("s.toml").write_text(SEQUENTIAL + text)
    with pytest.raises(HeadraceError, match=words):
        go(rows, rows.with_name("b.unf"), to_byte_order="big", schema=rows.with_name("s.toml"))
    assert not rows.with_name("b.unf").exists()


def test_a_last_direct_record_may_end_in_zeros_only(tmp_path: Path) -> None:
    said: dict[str, Any] = {"from_record_length": 48, "kind": "real64", "shape": (10,)}
    for end, whole in ((bytes(16), True), (bytes(15) + b"\1", False)):
        (tmp_path / "a.da").write_bytes(np.arange(10.0).tobytes() + end)
        if whole:
            go(tmp_path / "a.da", tmp_path / "b.npy", **said)
        else:
            with pytest.raises(HeadraceError, match="do not fit real64 of shape 10"):
                go(tmp_path / "a.da", tmp_path / "c.npy", **said)


def test_members_of_an_archive_that_are_no_arrays_are_counted(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", a=np.arange(3.0))
    size = zipfile.ZipFile(tmp_path / "a.npz").getinfo("a.npy").file_size
    with zipfile.ZipFile(tmp_path / "a.npz", "a") as archive:
        archive.writestr("readme.txt", "x" * 50)
    with pytest.raises(LeftOutError, match=f"1 of 2 members, 50 of {50 + size} bytes are not in"):
        go(tmp_path / "a.npz", tmp_path / "b.h5")
    go(tmp_path / "a.npz", tmp_path / "b.h5", partial=True)
    go(tmp_path / "a.npz", tmp_path / "c.h5", name="a")


def notes(headrace: Run, source: str) -> str:
    done = headrace("convert", source, "b.npz", "--json")
    assert done.returncode == 0, done
    return " | ".join(json.loads(done.stdout)["notes"])


def test_links_and_groups_without_arrays_are_named(tmp_path: Path, headrace: Run) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["a"] = ROWS[0]
        file["alias"], file["soft"] = file["a"], h5py.SoftLink("/a")
        file["outside"] = h5py.ExternalLink("other.h5", "/q")
        file.create_group("about").attrs["author"] = "A"
    said = notes(headrace, "a.h5")
    assert "links and second names are left out: alias, outside and soft" in said and "author of group about" in said
    with netCDF4.Dataset(tmp_path / "a.nc", "w") as file:
        file.createDimension("x", 3)
        file.createVariable("v", "f8", ("x",))[:] = 1
        file.createGroup("g").createGroup("about").author = "A"
    assert "author of group g/about" in notes(headrace, "a.nc")


@pytest.mark.filterwarnings("ignore")
def test_arrays_that_a_store_was_given_later_are_there(tmp_path: Path, headrace: Run) -> None:
    """Consolidated metadata are of the time when they were consolidated."""
    store = zarr.create_group(store=str(tmp_path / "a.zarr"), zarr_format=3)
    store.create_array("a", data=ROWS[0])
    zarr.consolidate_metadata(str(tmp_path / "a.zarr"))
    zarr.open_group(str(tmp_path / "a.zarr"), use_consolidated=False).create_array("late", data=ROWS[1])
    (tmp_path / "a.zarr" / "stray").mkdir()
    (tmp_path / "a.zarr" / "stray" / "data").write_bytes(b"x" * 99)
    store.create_group("about", attributes={"author": "A"})
    said = notes(headrace, "a.zarr")
    assert "stray" in said and "author of group about" in said
    with np.load(tmp_path / "b.npz") as found:
        assert sorted(found.files) == ["a", "late"] and np.array_equal(found["late"], ROWS[1])


@pytest.mark.parametrize("edit", ["(2f8.3)", "*"])
def test_a_text_that_goes_on_after_the_shape_is_refused(tmp_path: Path, edit: str, headrace: Run) -> None:
    values = np.arange(100.0)
    lines = "".join(f"{a:8.3f}{b:8.3f}\n" for a, b in values.reshape(50, 2))
    (tmp_path / "a.txt").write_text(lines + "\n")
    said = ("convert", "a.txt", "b.npy", "--from-edit", edit, "--kind", "real64", "--shape")
    for shape in ("99", "2,20"):
        done = headrace(*said, shape)
        assert done.returncode == 1 and "a.txt: the values after the first" in done.stderr
        assert not (tmp_path / "b.npy").exists()
    done = headrace(*said, "2,20", "--partial")
    assert done.returncode == 0 and "the values after the first 40 are left out" in done.stdout
    assert headrace(*said, "2,50").returncode == 0
    assert np.array_equal(np.load(tmp_path / "b.npy").T.ravel(), values)
