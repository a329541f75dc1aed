"""What `headrace describe` refuses, what moves with its data, and what the command says."""

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from describing import (
    MIXED,
    UNFORMATTED,
    Run,
    check,
    cut_schema,
    describe,
    mixed,
    named_pieces,
    pieces,
    same,
    through_h5py,
    through_kerchunk,
    unformatted,
)
from headrace.commands import describe as command
from headrace.errors import HeadraceError, StatusError
from headrace.layout import hdf5, kerchunk
from headrace.layout.pieces import global_arrays
from headrace.layout.schema import parse_schema

U = '[[record]]\nname="u"\nkind="int32"\nshape=[2]\n'


UNFIT: dict[str, tuple[str, bytes, str]] = {
    "another length": (
        UNFORMATTED + U,
        unformatted([b"12345"]),
        "record 1 at offset 4: expected 8 bytes for 'u', found 5",
    ),
    "lengths that vary": (
        UNFORMATTED + U + "repeat = 3\n",
        unformatted([b"12345678", b"1234567", b"123456789"]),
        "record 2 at offset 20: expected 8 bytes for 'u', found 7; 2 of 3 such records differ",
    ),
    "too few records": (
        UNFORMATTED + U + "repeat = 2\n",
        unformatted([b"12345678"]),
        "at least 2 records, the file has 1",
    ),
    "too many records": (UNFORMATTED + U, unformatted([b"12345678"] * 3), "2 records are left at offset 20"),
    "half a group": (
        UNFORMATTED + '[[record]]\nrepeat="rest"\nrecords=[{skip=true},{name="u",kind="int8"}]\n',
        unformatted([b"1", b"2", b"3"]),
        "3 records are left, which is not a multiple of 2",
    ),
    "the other byte order": (
        UNFORMATTED + U,
        unformatted([b"12345678"], order="big"),
        "byte 0; it fits with byte_order",
    ),
    "raw too short": ('[file]\nformat="raw"\n' + U, b"1234567", "takes 1 times 8 bytes from offset 0, the file has 7"),
    "raw too long": ('[file]\nformat="raw"\n' + U, b"123456789", "1 bytes are left at offset 8"),
    "raw before offset": ('[file]\nformat="raw"\noffset=4\n' + U, b"123", "has 3 bytes, the schema starts at offset 4"),
    "half a direct record": (
        '[file]\nformat="direct"\nrecord_length=10\n' + U,
        b"1234567890123",
        "not a whole number of records of 10 bytes: 3 bytes are left at offset 10",
    ),
    "short direct records": (
        '[file]\nformat="direct"\nrecord_length=4\n' + U,
        b"1234",
        "expected 8 bytes for 'u', found 4",
    ),
    "real128": ('[file]\nformat="raw"\n' + U.replace("int32", "real128"), bytes(32), "real128 has no type"),
}


@pytest.mark.parametrize(("schema", "data", "message"), UNFIT.values(), ids=UNFIT.keys())
def test_files_that_do_not_fit_the_schema_are_refused(tmp_path: Path, schema: str, data: bytes, message: str) -> None:
    with pytest.raises(HeadraceError) as caught:
        describe(tmp_path, schema, {"a.dat": data})
    assert message in caught.value.message and "a.dat" in caught.value.message + "a.dat" * ("128" in message)
    assert caught.value.hint or isinstance(caught.value, StatusError)  # the library's messages end with advice
    assert not (tmp_path / "out.h5").exists()


@pytest.mark.parametrize("marker", [4, 8])
def test_cut_files_and_changed_markers_are_refused_and_located(tmp_path: Path, marker: int) -> None:
    schema = UNFORMATTED + f"record_marker = {marker}\n" + U + "repeat = 2\n"
    good = unformatted([b"12345678", b"abcdefgh"], marker, limit=5)
    describe(tmp_path, schema, {"a.unf": good})
    markers = [n for n in range(len(good)) if good[n] not in b"12345678abcdefgh"]
    assert len(markers) >= 8 * marker - 8
    damaged = [good[:n] for n in range(len(good))]
    damaged += [good[:n] + bytes([good[n] ^ flip]) + good[n + 1 :] for n in markers for flip in (1, 0x80, 0xFF)]
    for data in damaged:
        with pytest.raises(HeadraceError) as caught:
            describe(tmp_path, schema, {"a.unf": data})
        assert "byte " in caught.value.message or "records" in caught.value.message  # damaged, or cut between records


@pytest.mark.parametrize("name", ["missing", ".", "fifo"])
def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "fifo")
    for form in ("raw", "unformatted"):
        with pytest.raises(HeadraceError):
            global_arrays(parse_schema(f'[file]\nformat = "{form}"\n' + U), [tmp_path / name])


def test_subrecords_of_pgi_are_told_by_the_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = unformatted([bytes(range(48))], limit=20)
    words = np.frombuffer(data, "<i4").copy()
    negative = (words < 0) & (words > -64)
    words[negative] = -words[negative] | -(2**31)
    schema = UNFORMATTED + 'long_records = "high_bit"\n' + U.replace("[2]", "[12]")
    found = describe(tmp_path, schema, {"a.unf": words.tobytes()})
    same(found, {"u": np.frombuffer(bytes(range(48)), "<i4")})
    check(tmp_path, {"u": np.frombuffer(bytes(range(48)), "<i4")}, monkeypatch)


def test_unlike_files_are_not_stacked_and_pieces_need_their_files(tmp_path: Path) -> None:
    with pytest.raises(HeadraceError, match=r"a has the shape \[2, 3\], .*b \[2, 1\]"):
        describe(
            tmp_path, '[file]\nformat="raw"\n' + U.replace("[2]", '[2]\nrepeat="rest"'), {"a": bytes(24), "b": bytes(8)}
        )
    places = [("a", [0, 0], [4, 2]), ("b", [0, 2], [4, 4])]
    with pytest.raises(HeadraceError, match=r"piece 2 of the schema \('b'\): expected one file, found none"):
        describe(tmp_path, named_pieces(places), {"a": bytes(64)})
    with pytest.raises(HeadraceError, match=r"expected one .* whose file matches, found none"):
        describe(tmp_path, named_pieces(places), {"a": bytes(64), "b": bytes(128), "c": b""})
    schema = cut_schema([2, 1, 1], [10, 6, 4], "c")
    with pytest.raises(HeadraceError, match="makes 2 pieces, found 1 files"):
        describe(tmp_path, schema, {"a": b""})


def test_what_kerchunk_cannot_say_is_refused_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = UNFORMATTED + U.replace("[2]", "[20]")
    data = {"a.unf": unformatted([bytes(range(80))], limit=23)}
    monkeypatch.setattr(kerchunk, "COPY_LIMIT", 0)
    with pytest.raises(HeadraceError, match="a piece lies in 4 byte segments") as caught:
        describe(tmp_path, schema, data)
    assert "x.h5" in caught.value.hint
    monkeypatch.setattr(kerchunk, "COPY_LIMIT", 65536)
    monkeypatch.setattr(kerchunk, "CHUNK_LIMIT", 3)
    cuts = [[7, 3], [6], [4]]
    parts = pieces(np.zeros((4, 6, 10)), cuts, "c")
    files = {f"r{n}": unformatted([b"1234", part.tobytes()], order="big") for n, part in enumerate(parts)}
    with pytest.raises(HeadraceError, match=r"pieces of \(4, 6, 3\) and of \(4, 6, 7\) elements"):
        describe(tmp_path, cut_schema(cuts, [10, 6, 4], "c"), files)
    assert not (tmp_path / "out.json").exists()


def test_only_what_a_subrecord_cuts_is_copied(tmp_path: Path) -> None:
    u = np.arange(600.0).reshape(3, 20, 10)
    schema = UNFORMATTED + '[[record]]\nname = "u"\nkind = "real64"\nshape = [10, 20]\nrepeat = 3\n'
    for limit, chunks, most in ((2**31 - 9, [10, 20, 1], 0), (800, [10, 10, 1], 0), (804, None, 1600)):
        describe(tmp_path, schema, {"a.unf": unformatted([step.tobytes() for step in u], limit=limit)})
        references = json.loads((tmp_path / "out.json").read_text())["refs"]
        copied = sum(len(base64.b64decode(v[7:])) for v in references.values() if v[:7] == "base64:")
        assert copied <= most and (copied > 0) == (most > 0)
        assert chunks is None or json.loads(references["u/.zarray"])["chunks"] == chunks


def test_too_many_segments_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hdf5, "SEGMENT_LIMIT", 2)
    with pytest.raises(HeadraceError, match="'u' lies in 3 byte segments; a description holds at most 2"):
        describe(tmp_path, UNFORMATTED + U + "repeat = 3\n", {"a.unf": unformatted([bytes(8)] * 3)})


def test_without_h5py_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(HeadraceError, match="needs h5py") as caught:
        describe(tmp_path, UNFORMATTED + U, {"a.unf": unformatted([bytes(8)])})
    assert "name the output x.json" in caught.value.hint and "-m pip install h5py" in caught.value.hint


def test_a_description_moves_together_with_its_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records, true = mixed("little")
    before, after = tmp_path / "before", tmp_path / "after"
    (before / "data").mkdir(parents=True)
    describe(before, UNFORMATTED + MIXED, {"data/a.unf": unformatted(records)})
    before.rename(after)
    check(after, true, monkeypatch)
    monkeypatch.chdir("/")
    same(through_kerchunk(after / "out.json", template_overrides={"dir": str(after)}), true)
    code = f"import h5py; print(h5py.File({str(after / 'out.h5')!r})['header'][:].tolist())"
    for prefix, answer in (("${ORIGIN}", "[3, 5, 4]"), ("", "")):
        seen = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"HDF5_EXTFILE_PREFIX": prefix},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert seen.stdout.strip() == answer  # without its data a description is an error, never zeros


def call(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    """The command, within this process."""
    monkeypatch.chdir(folder)
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    chosen = parser.parse_args(["describe", *words])
    assert chosen.run(chosen) == 0


def one_file(tmp_path: Path) -> list[str]:
    """A file of one record, and the words that describe it."""
    (tmp_path / "s.toml").write_text(UNFORMATTED + U)
    (tmp_path / "a.unf").write_bytes(unformatted([np.array([5, -6], "<i4").tobytes()]))
    return ["out.h5", "a.unf", "--schema", "s.toml"]


def test_the_command_writes_both_and_says_what_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = one_file(tmp_path)
    call(tmp_path, monkeypatch, *line, "--kerchunk", "--absolute")
    out = capsys.readouterr().out
    assert out.startswith("8 bytes in 1 file are described by out.h5 (")
    assert out.splitlines()[2].split() == ["u", "int32", "u_1", "=", "2", "1", "1", "8"]
    monkeypatch.chdir("/")
    same(through_h5py(tmp_path / "out.h5"), {"u": np.array([5, -6], "i4")})
    same(through_kerchunk(tmp_path / "out.json"), {"u": np.array([5, -6], "i4")})
    call(tmp_path, monkeypatch, *line, "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["files"] == [{"path": "out.h5", "bytes": (tmp_path / "out.h5").stat().st_size}]
    assert told["arrays"] == [
        {"name": "u", "kind": "int32", "dtype": "<i4", "shape": [2], "dimensions": ["u_1"], "pieces": 1, "segments": 1}
        | {"bytes": 8}
    ]


def test_without_files_the_pieces_beside_the_schema_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "s.toml").write_text(named_pieces([("a", [0, 0], [4, 2]), ("b", [0, 2], [4, 4])]))
    u = np.arange(24.0).reshape(4, 6)
    (folder / "a").write_bytes(u[:, :2].tobytes())
    (folder / "b").write_bytes(u[:, 2:].tobytes())
    call(tmp_path, monkeypatch, "run/out.h5", "--schema", "run/s.toml")
    seen = subprocess.run(["ncdump", "-v", "u", "out.h5"], cwd=folder, capture_output=True, text=True, timeout=60)
    assert "18, 19, 20, 21, 22, 23 ;" in seen.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["out.txt", "a.unf", "--schema", "s.toml"], "expected the ending .h5, .hdf5, .nc or .json, found .txt"),
        (["out.h5", "--schema", "s.toml"], "there is no file to describe"),
        (["out.h5", "missing.unf", "--schema", "s.toml"], "missing.unf: no such file"),
        (["out.h5", ".", "--schema", "s.toml"], "Is a directory"),
        (["out.h5", "a.unf", "--schema", "missing.toml"], "missing.toml: cannot be read"),
        (["no/out.h5", "a.unf", "--schema", "s.toml"], "no/out.h5: cannot be written: No such file or directory"),
        (["a.h5", "a.h5", "--schema", "s.toml"], "a.h5 is one of the files to describe"),
    ],
)
def test_what_the_command_cannot_do_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    one_file(tmp_path)
    shutil.copy(tmp_path / "a.unf", tmp_path / "a.h5")
    before = sorted(tmp_path.iterdir())
    with pytest.raises(HeadraceError) as caught:
        call(tmp_path, monkeypatch, *words)
    assert message in caught.value.message
    assert sorted(tmp_path.iterdir()) == before


def test_when_one_of_two_descriptions_is_refused_neither_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = one_file(tmp_path)
    before = sorted(tmp_path.iterdir())
    for module, limit in ((kerchunk, "CHUNK_LIMIT"), (hdf5, "SEGMENT_LIMIT")):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, 0)
            with pytest.raises(HeadraceError, match="array 'u'"):
                call(tmp_path, monkeypatch, *words, "--kerchunk")
        assert sorted(tmp_path.iterdir()) == before


def test_slow_work_shows_its_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = one_file(tmp_path)
    call(tmp_path, monkeypatch, *words)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(command, "_PATIENCE", 0.0)
    call(tmp_path, monkeypatch, *words)
    assert "describe: 1/2" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["out.h5", "out.json"])
def test_a_full_disk_leaves_the_old_description(
    tmp_path: Path, headrace: Run, interpose: Callable[[str], Path], name: str
) -> None:
    words = one_file(tmp_path)
    words[0] = name
    (tmp_path / name).write_bytes(b"old")
    before = sorted(tmp_path.iterdir())
    done = headrace(
        "describe",
        *words,
        LD_PRELOAD=str(interpose("full_disk")),
        HEADRACE_TEST_DISK_PATH=f".{name}.",
        HEADRACE_TEST_DISK_BYTES="100",
    )
    assert done.returncode == 2 and f"{name}: cannot be written" in done.stderr, done.stderr
    assert (tmp_path / name).read_bytes() == b"old"
    assert sorted(tmp_path.iterdir()) == before
