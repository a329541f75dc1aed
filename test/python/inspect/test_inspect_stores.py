"""What `headrace inspect` says of Zarr 3 stores in which chunks, or the metadata of an array, are cut or missing."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zarr
from zarr.codecs import BytesCodec, Crc32cCodec, TransposeCodec, ZstdCodec

from headrace.containers.zarr import metadata as stores
from headrace.errors import HeadraceError
from headrace.inspect import inspect_file

Run = Callable[..., "subprocess.CompletedProcess[str]"]

VALUES = np.arange(1.0, 71.0).reshape(10, 7)
# What else zarr is told, and where the last chunk of (4, 3) lies.
PLAIN: list[tuple[dict[str, Any], str]] = [
    ({}, "c/2/2"),
    ({"filters": [TransposeCodec(order=(1, 0))]}, "c/2/2"),
    ({"chunk_key_encoding": {"name": "default", "separator": "."}}, "c.2.2"),
    ({"chunk_key_encoding": {"name": "v2", "separator": "."}}, "2.2"),
    ({"chunk_key_encoding": {"name": "v2", "separator": "/"}}, "2/2"),
    ({"serializer": BytesCodec(endian="big")}, "c/2/2"),
]


def save(store: Path, **more: Any) -> None:
    root = zarr.create_group(store=str(store), zarr_format=3)
    root.create_group("g").create_array("u", data=VALUES, chunks=(4, 3), **{"compressors": None, **more})
    root.create_array("empty", shape=(0, 3), dtype="i4", compressors=None)
    root.create_array("single", data=np.array(1.5), compressors=None)
    root.create_array("flags", data=np.array([True, False, True]), chunks=(2,), compressors=None)


@pytest.mark.parametrize(("more", "last"), PLAIN)
def test_a_chunk_of_another_size_is_damage(tmp_path: Path, headrace: Run, more: dict[str, Any], last: str) -> None:
    save(tmp_path / "a.zarr", **more)
    whole = headrace("inspect", "a.zarr")
    assert whole.returncode == 0 and "damaged" not in whole.stdout and "no file" not in whole.stdout
    chunk = tmp_path / "a.zarr" / "g" / "u" / last
    data = chunk.read_bytes()
    chunk.write_bytes(data[:-1])
    done = headrace("inspect", "a.zarr")
    assert done.returncode == 1 and f"damaged: chunk g/u/{last} has 95 bytes, expected 96" in done.stdout
    chunk.write_bytes(data + b"x")
    assert headrace("inspect", "a.zarr").returncode == 1


@pytest.mark.parametrize(("more", "last"), PLAIN)
def test_missing_chunks_are_remarked(tmp_path: Path, headrace: Run, more: dict[str, Any], last: str) -> None:
    save(tmp_path / "a.zarr", **more)
    (tmp_path / "a.zarr" / "g" / "u" / last).unlink()
    words = f"1 of 9 chunks has no file, the first is g/u/{last}: readers take the fill value for it"
    done = headrace("inspect", "a.zarr", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["notes"] == [words]
    assert words in " ".join(headrace("inspect", "a.zarr").stdout.split())
    about = tmp_path / "a.zarr" / "g" / "u" / "zarr.json"
    said = json.loads(about.read_text())
    said["attributes"]["headrace_all_chunks_written"] = True
    about.write_text(json.dumps(said))
    report = inspect_file(tmp_path / "a.zarr")
    assert report.exit_code == 1
    assert report.verdict.detail["damage_words"] == (
        f"1 of 9 chunks has no file, the first is g/u/{last}; all chunks of this array were written"
    )


@pytest.mark.parametrize("more", [{"compressors": ZstdCodec()}, {"compressors": Crc32cCodec()}, {"shards": (8, 6)}])
def test_chunks_whose_size_only_codecs_know_are_not_judged(tmp_path: Path, more: dict[str, Any]) -> None:
    save(tmp_path / "a.zarr", **more)
    whole = inspect_file(tmp_path / "a.zarr")
    assert whole.exit_code == 0 and whole.notes == []
    (tmp_path / "a.zarr" / "g" / "u" / "c" / "0" / "1").unlink()
    (note,) = inspect_file(tmp_path / "a.zarr").notes
    assert "has no file, the first is g/u/c/0/1" in note


def test_cut_metadata_of_an_array_are_named(tmp_path: Path, headrace: Run) -> None:
    save(tmp_path / "a.zarr")
    about = tmp_path / "a.zarr" / "g" / "u" / "zarr.json"
    about.write_bytes(about.read_bytes()[:-5])
    words = "g/u/zarr.json is not a JSON object: no reader opens it"
    assert f"damaged: {words}" in headrace("inspect", "a.zarr").stdout
    done = headrace("convert", "a.zarr", "b.npz")
    assert done.returncode == 2 and f"a.zarr: is damaged: {words}" in done.stderr


def test_a_store_that_is_one_array_is_looked_at(tmp_path: Path) -> None:
    zarr.create_array(str(tmp_path / "a.zarr"), data=VALUES, chunks=(10, 7), compressors=None)
    assert inspect_file(tmp_path / "a.zarr").exit_code == 0
    (tmp_path / "a.zarr" / "c" / "0" / "0").write_bytes(b"")
    assert inspect_file(tmp_path / "a.zarr").verdict.detail["damage_words"] == ("chunk c/0/0 has 0 bytes, expected 560")


def test_metadata_of_more_than_a_mebibyte_are_whole(tmp_path: Path) -> None:
    save(tmp_path / "a.zarr")
    about = tmp_path / "a.zarr" / "zarr.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | {"attributes": {"history": "x" * (3 << 20)}}))
    assert inspect_file(tmp_path / "a.zarr").exit_code == 0


def test_nothing_in_the_metadata_is_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "a.zarr")
    about = tmp_path / "a.zarr" / "g" / "u" / "zarr.json"
    true = json.loads(about.read_text())
    for key, value in (
        ("shape", [-1, 7]), ("shape", [1, 2, 3]), ("shape", "ab"), ("codecs", ["bytes"]), ("codecs", 3),
        ("data_type", "float7"), ("data_type", {"name": "struct"}), ("chunk_grid", {"name": "regular"}),
        ("chunk_grid", {"name": "regular", "configuration": {"chunk_shape": [0, 3]}}), ("attributes", []),
        ("chunk_key_encoding", {"name": "default", "configuration": {"separator": "/../\0"}}),
    ):  # fmt: skip
        about.write_text(json.dumps(true | {key: value}))
        assert inspect_file(tmp_path / "a.zarr").exit_code == 0
    about.write_text(json.dumps(true | {"shape": [10**30, 10**30]}))
    monkeypatch.setattr(stores, "_MOST_CHUNKS", 100)
    (note,) = inspect_file(tmp_path / "a.zarr").notes
    assert note.startswith("97 of the first 100 of 83,333,")


def test_convert_takes_an_array_beside_a_damaged_one(tmp_path: Path, headrace: Run) -> None:
    save(tmp_path / "a.zarr")
    (tmp_path / "a.zarr" / "g" / "u" / "c" / "0" / "0").write_bytes(b"")
    assert headrace("convert", "a.zarr", "b.npy", "--name", "single").returncode == 0
    done = headrace("convert", "a.zarr", "b.npy", "--name", "g/u")
    assert done.returncode == 2
    with pytest.raises(HeadraceError):
        inspect_file(tmp_path / "a.zarr" / "g" / "u" / "c")
