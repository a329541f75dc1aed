"""`headrace convert` between files of records: every dialect, byte order and marker, and the pieces of MPI ranks."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from scipy.io import FortranFile

from headrace.errors import HeadraceError
from headrace.results.run import Compiler
from test_convert import go

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ORDERS = {"little": "<", "big": ">"}


def framed(
    records: list[bytes], marker: int = 4, order: Any = "little", limit: int = 2**31 - 9, high: bool = False
) -> bytes:
    """Records as gfortran writes them; longer ones than `limit` bytes in pieces, `high` marked as PGI does."""

    def mark(length: int, more: bool) -> bytes:
        if high:
            return ((1 << 31 if more else 0) | length).to_bytes(marker, order)
        return (-length if more else length).to_bytes(marker, order, signed=True)

    data = b""
    for record in records:
        parts = [record[at : at + limit] for at in range(0, len(record), limit)] or [b""]
        for number, part in enumerate(parts):
            data += mark(len(part), number < len(parts) - 1) + part + mark(len(part), number > 0)
    return data


def segmented(records: list[bytes], order: Any, limit: int) -> bytes:
    """Intel's segments: 2 bytes of length (the flags included) and 2 of flags, 1 first and 2 last."""
    data = b""
    for record in records:
        parts = [record[at : at + limit] for at in range(0, len(record), limit)] or [b""]
        for number, part in enumerate(parts):
            flags = (1 if number == 0 else 0) | (2 if number == len(parts) - 1 else 0)
            data += (len(part) + 2).to_bytes(2, order) + flags.to_bytes(2, order) + part
    return data


def records(order: str, times: int = 3) -> list[bytes]:
    """A header of three integers and a text, a field, and an empty record, over and over."""
    mark = ORDERS[order]
    found = []
    for step in range(times):
        found.append(np.array([step, 7, -1], f"{mark}i4").tobytes() + b"step")
        found.append((np.arange(50) * 0.25 + step).astype(f"{mark}f8").tobytes())
        found.append(b"")
    return found


SCHEMA = """
[file]
format = "unformatted"
record_marker = {marker}
byte_order = "{order}"

[[record]]
repeat = "rest"
records = [
  {{ items = [ {{ name = "n", kind = "int32", shape = [3] }}, {{ name = "text", kind = "character(4)" }} ] }},
  {{ name = "u", kind = "real64", shape = [10, 5] }},
  {{ skip = true }},
]
"""


@pytest.mark.parametrize("to_marker", [4, 8])
@pytest.mark.parametrize("to_order", ["little", "big"])
@pytest.mark.parametrize("marker", [4, 8])
@pytest.mark.parametrize("order", ["little", "big"])
def test_every_order_and_marker_becomes_every_other(
    tmp_path: Path, order: str, marker: int, to_order: str, to_marker: int
) -> None:
    (tmp_path / "a.unf").write_bytes(framed(records(order), marker, order))
    (tmp_path / "s.toml").write_text(SCHEMA.format(marker=marker, order=order))
    result = go(
        tmp_path / "a.unf",
        tmp_path / "b.unf",
        to_byte_order=to_order,
        to_record_marker=to_marker,
        schema=tmp_path / "s.toml",
    )
    assert result.records == 9
    assert (tmp_path / "b.unf").read_bytes() == framed(records(to_order), to_marker, to_order)


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("dialect", ["subrecords", "high_bit", "segmented"])
def test_old_dialects_become_the_usual_one(tmp_path: Path, dialect: str, order: str) -> None:
    held = records(order)
    if dialect == "segmented":
        (tmp_path / "a.unf").write_bytes(segmented(held, order, 32))
        said = {"from_record_type": "segmented"}
    else:
        (tmp_path / "a.unf").write_bytes(framed(held, 4, order, 32, dialect == "high_bit"))
        said = {"from_long_records": dialect, "from_record_marker": 4}
    go(tmp_path / "a.unf", tmp_path / "b.unf", from_byte_order=order, to_record_marker=8, **said)
    assert (tmp_path / "b.unf").read_bytes() == framed(held, 8, order)


def test_direct_access_and_streams_there_and_back(tmp_path: Path) -> None:
    held = [np.arange(6.0) + n for n in range(40)]
    (tmp_path / "a.unf").write_bytes(framed([x.tobytes() for x in held]))
    go(tmp_path / "a.unf", tmp_path / "b.da", to_record_length=48)
    go(tmp_path / "b.da", tmp_path / "c.unf", from_record_length=48)
    assert (tmp_path / "c.unf").read_bytes() == (tmp_path / "a.unf").read_bytes()
    go(tmp_path / "a.unf", tmp_path / "b.raw", to_byte_order="big", kind="real64")
    assert (tmp_path / "b.raw").read_bytes() == np.concatenate(held).astype(">f8").tobytes()
    schema = '[file]\nformat = "raw"\nbyte_order = "big"\n'
    schema += '[[record]]\nname = "u"\nkind = "real64"\nshape = [6]\nrepeat = "rest"\n'
    (tmp_path / "s.toml").write_text(schema)
    go(tmp_path / "b.raw", tmp_path / "d.unf", to_byte_order="little", schema=tmp_path / "s.toml")
    assert (tmp_path / "d.unf").read_bytes() == (tmp_path / "a.unf").read_bytes()
    with pytest.raises(HeadraceError, match="too long"):
        go(tmp_path / "a.unf", tmp_path / "e.da", to_record_length=40)
    assert not (tmp_path / "e.da").exists()


@pytest.mark.parametrize("count", [1, 2, 5, 3000])
@pytest.mark.parametrize("size", [8, 48, 16384, 40000])
def test_runs_of_equal_records_end_where_they_do(tmp_path: Path, count: int, size: int) -> None:
    """The library reads equal records many at a time: another length, and the end, stop it."""
    count = min(count, 4_000_000 // size)
    data = np.random.default_rng(count).random(size // 8).tobytes()
    held = [data] * count + [data[:8]] + [data] * 3 + [b""]
    (tmp_path / "a.unf").write_bytes(framed(held))
    go(tmp_path / "a.unf", tmp_path / "b.unf", to_record_marker=8, to_byte_order="big", kind="real64")
    go(tmp_path / "b.unf", tmp_path / "c.unf", to_record_marker=4, to_byte_order="little", kind="real64")
    assert (tmp_path / "c.unf").read_bytes() == (tmp_path / "a.unf").read_bytes()
    turned = np.frombuffer(data, "<f8").astype(">f8").tobytes()
    swapped = [turned] * count + [turned[:8]] + [turned] * 3 + [b""]
    assert (tmp_path / "b.unf").read_bytes() == framed(swapped, 8, "big")


def test_headers_before_what_repeats_are_described_once(tmp_path: Path) -> None:
    held = [np.array([1, 2], "<i4").tobytes()] + [np.arange(3.0).tobytes()] * 20
    (tmp_path / "a.unf").write_bytes(framed(held))
    (tmp_path / "s.toml").write_text(
        '[file]\nformat = "unformatted"\n[[record]]\nname = "n"\nkind = "int32"\nshape = [2]\n'
        '[[record]]\nname = "u"\nkind = "real64"\nshape = [3]\nrepeat = "rest"\n'
    )
    go(tmp_path / "a.unf", tmp_path / "b.unf", to_byte_order="big", schema=tmp_path / "s.toml")
    expected = [np.array([1, 2], ">i4").tobytes()] + [np.arange(3.0).astype(">f8").tobytes()] * 20
    assert (tmp_path / "b.unf").read_bytes() == framed(expected, 4, "big")


def test_words_of_unknown_length_are_refused_or_found_out(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    (tmp_path / "noise.unf").write_bytes(framed([rng.bytes(56), rng.bytes(24)]))
    with pytest.raises(HeadraceError) as caught:
        go(tmp_path / "noise.unf", tmp_path / "b.unf", to_byte_order="big")
    assert "--kind" in caught.value.hint and not (tmp_path / "b.unf").exists()
    x = rng.normal(size=(40, 100))
    (tmp_path / "real.unf").write_bytes(framed([row.tobytes() for row in x]))
    go(tmp_path / "real.unf", tmp_path / "b.unf", to_byte_order="big")
    assert (tmp_path / "b.unf").read_bytes() == framed([row.astype(">f8").tobytes() for row in x], 4, "big")


def test_records_become_named_arrays_by_a_schema_and_go_back(tmp_path: Path) -> None:
    (tmp_path / "a.unf").write_bytes(framed(records("big"), 4, "big"))
    (tmp_path / "s.toml").write_text(SCHEMA.format(marker=4, order="big"))
    go(tmp_path / "a.unf", tmp_path / "a.npz", schema=tmp_path / "s.toml")
    with np.load(tmp_path / "a.npz") as found:
        assert found["n"].tolist() == [[0, 1, 2], [7, 7, 7], [-1, -1, -1]]  # n(3, times)
        assert found["text"].tolist() == [b"step"] * 3
        assert found["u"].shape == (10, 5, 3) and found["u"].dtype == np.dtype(">f8")
        assert found["u"][2, 1, 2] == 12 * 0.25 + 2
        text = found["text"]
    go(tmp_path / "a.npz", tmp_path / "n.unf", name="n", to_byte_order="little")
    with FortranFile(tmp_path / "n.unf") as file:
        assert file.read_record("<i4").tolist() == [0, 7, -1, 1, 7, -1, 2, 7, -1]
    assert text.dtype == np.dtype("S4")


def test_records_of_one_kind_become_one_array(tmp_path: Path) -> None:
    x = np.arange(5000.0).reshape(1000, 5)
    (tmp_path / "a.unf").write_bytes(framed([row.astype(">f8").tobytes() for row in x], 4, "big"))
    go(tmp_path / "a.unf", tmp_path / "x.npy", kind="real64")
    assert np.array_equal(np.load(tmp_path / "x.npy"), x.T)
    go(tmp_path / "a.unf", tmp_path / "y.npy", kind="real64", shape=(10, 500))
    assert np.array_equal(np.load(tmp_path / "y.npy"), x.reshape(500, 10).T)
    with pytest.raises(HeadraceError, match="40,000 bytes"):
        go(tmp_path / "a.unf", tmp_path / "z.npy", kind="real64", shape=(7, 7))


PIECES = """
[file]
format = "unformatted"
byte_order = "big"
[[record]]
name = "step"
kind = "int32"
[[record]]
name = "u"
kind = "real64"
shape = "piece"
[global]
shape = [6, 4]
{cut}
"""
GRID = 'parts = [2, 2]\nrank_order = "fortran"'


def pieces(folder: Path) -> Any:
    whole = np.arange(24.0).reshape(4, 6)  # [j, i]
    for rank in range(4):
        i, j = rank % 2, rank // 2
        part = whole[2 * j : 2 * j + 2, 3 * i : 3 * i + 3]
        held = [np.array([rank], ">i4").tobytes(), part.astype(">f8").tobytes()]
        (folder / f"rank{rank}.dat").write_bytes(framed(held, 4, "big"))
    return whole


@pytest.mark.parametrize("target", ["u.h5", "u.npz", "u.zarr", "u.nc", "u.meta"])
def test_pieces_of_ranks_become_one_array(tmp_path: Path, target: str) -> None:
    whole = pieces(tmp_path)
    files = [tmp_path / f"rank{rank}.dat" for rank in range(4)]
    (tmp_path / "s.toml").write_text(PIECES.format(cut=GRID))
    go(files, tmp_path / target, schema=tmp_path / "s.toml")
    go(tmp_path / target, tmp_path / "back.npz")
    with np.load(tmp_path / "back.npz") as found:
        assert np.array_equal(found["u"], whole.T)
        assert found["step"].tolist() == [0, 1, 2, 3]


def test_listed_pieces_are_found_beside_the_schema_and_checked(tmp_path: Path, headrace: Run) -> None:
    whole = pieces(tmp_path)
    listed = [
        f'[[piece]]\nfile = "rank{r}.dat"\noffset = [{3 * (r % 2)}, {2 * (r // 2)}]\nshape = [3, 2]\n' for r in range(4)
    ]
    (tmp_path / "s.toml").write_text(PIECES.format(cut="") + "".join(listed))
    done = headrace("convert", "--schema", "s.toml", "u.npz")
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(tmp_path / "u.npz")["u"], whole.T)
    (tmp_path / "gap.toml").write_text(PIECES.format(cut="") + "".join(listed[:3]))
    gap = headrace("convert", "--schema", "gap.toml", "v.npz")
    assert gap.returncode == 2 and "18 of the 24" in gap.stderr
    (tmp_path / "over.toml").write_text(
        PIECES.format(cut="") + "".join(listed).replace("[3, 2]\nshape", "[2, 2]\nshape")
    )
    over = headrace("convert", "--schema", "over.toml", "v.npz")
    assert over.returncode == 2 and "overlap" in over.stderr
    assert not (tmp_path / "v.npz").exists()


@pytest.mark.parametrize("cut", [1, 5, 30, 90])
def test_truncated_and_damaged_records_are_named(tmp_path: Path, cut: int) -> None:
    data = framed(records("little"))
    (tmp_path / "a.unf").write_bytes(data[:-cut])
    (tmp_path / "b.unf").write_text("old")
    with pytest.raises(HeadraceError, match=r"a\.unf"):
        go(tmp_path / "a.unf", tmp_path / "b.unf", to_record_marker=8)
    (tmp_path / "a.unf").write_bytes(data[:50] + b"\xff" + data[51:])
    assert (tmp_path / "b.unf").read_text() == "old"
    assert not [path for path in tmp_path.iterdir() if "headrace-" in path.name]


def test_a_file_of_records_may_be_converted_over_itself(tmp_path: Path) -> None:
    (tmp_path / "a.unf").write_bytes(framed(records("little")))
    go(tmp_path / "a.unf", tmp_path / "a.unf", to_record_marker=8)
    assert (tmp_path / "a.unf").read_bytes() == framed(records("little"), 8)


def test_what_nobody_can_tell_is_refused_with_the_options(tmp_path: Path, headrace: Run) -> None:
    (tmp_path / "a.dat").write_bytes(np.random.default_rng(1).bytes(4096))
    done = headrace("convert", "a.dat", "a.npy")
    assert done.returncode == 2 and "--from" in done.stderr
    assert not (tmp_path / "a.npy").exists()


def test_gfortran_reads_what_was_converted(tmp_path: Path, gnu: Compiler) -> None:
    np.savez(tmp_path / "a.npz", n=np.array([3, 4], "i4"), u=np.asfortranarray(np.arange(12.0).reshape(3, 4)))
    go(tmp_path / "a.npz", tmp_path / "a.unf", to_byte_order="big", to_record_marker=8)
    (tmp_path / "read.f90").write_text(
        "program read\n integer(4) :: n(2)\n real(8) :: u(3, 4)\n"
        " open (10, file='a.unf', form='unformatted', convert='big_endian')\n"
        " read (10) n\n read (10) u\n print '(2i2, 3f5.1)', n, u(2, 1), u(1, 2), u(3, 4)\nend program\n"
    )
    command = [gnu.path, "-frecord-marker=8", "read.f90", "-o", "read"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=60)
    done = subprocess.run(["./read"], cwd=tmp_path, check=True, capture_output=True, text=True, timeout=20)
    assert done.stdout.split() == ["3", "4", "4.0", "1.0", "11.0"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_the_old_file_and_nothing_else(tmp_path: Path, number: int) -> None:
    with (tmp_path / "a.unf").open("wb") as file:  # sparse: 4 GiB of zeros in two records
        length = (1 << 31) - 9
        for begin in (0, length + 8):
            for at in (begin, begin + 4 + length):
                file.seek(at)
                file.write(length.to_bytes(4, "little"))
    (tmp_path / "b.unf").write_text("old")
    command = [sys.executable, "-m", "headrace", "convert", "a.unf", "b.unf", "--from", "unformatted"]
    command += ["--from-byte-order", "little", "--from-record-marker", "4", "--to-record-marker", "8"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env=os.environ)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("b.unf.headrace-*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(number)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 1 and error == "headrace: interrupted\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.unf", "b.unf"]
    assert (tmp_path / "b.unf").read_text() == "old"


@pytest.mark.parametrize("cuts", [(6,), (2, 9, 11), (4, 8)])
@pytest.mark.parametrize("target", ["b.npy", "b.h5"])
def test_values_that_lie_in_two_records_are_turned_round(tmp_path: Path, cuts: tuple[int, ...], target: str) -> None:
    values = np.array([1, -2, 2**30 + 7], "<i4")
    parts = [part.tobytes() for part in np.split(values.view("u1"), cuts)]
    (tmp_path / "a.unf").write_bytes(framed(parts))
    go(tmp_path / "a.unf", tmp_path / target, kind="int32", shape=(3,), to_byte_order="big")
    if target == "b.npy":
        found = np.load(tmp_path / target)
    else:
        with h5py.File(tmp_path / target) as file:
            found = file["a"][...]
    assert found.dtype == np.dtype(">i4")
    np.testing.assert_array_equal(found, values)


# The last three have as many bytes as if all records were as long as the first.
@pytest.mark.parametrize("lengths", [(1, 2), (2, 1), (1, 2, 1), (2, 1, 3), (2, 3, 1), (1, 3, 0, 0)])
@pytest.mark.parametrize("order", ["little", "big"])
def test_records_of_several_lengths_are_no_array(tmp_path: Path, lengths: tuple[int, ...], order: str) -> None:
    """Nor a npy file whose header says less than stands in it."""
    parts = np.split(np.arange(1.0, sum(lengths) + 1), np.cumsum(lengths)[:-1])
    (tmp_path / "a.unf").write_bytes(framed([part.tobytes() for part in parts]))
    (tmp_path / "b.npy").write_text("old")
    with pytest.raises(HeadraceError) as caught:
        go(tmp_path / "a.unf", tmp_path / "b.npy", kind="real64", to_byte_order=order)
    assert "--schema" in str(caught.value.hint)
    assert (tmp_path / "b.npy").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.unf", "b.npy"]


@pytest.mark.parametrize("limit", [16, 24])
def test_records_in_pieces_keep_their_values(tmp_path: Path, limit: int) -> None:
    values = np.arange(10.0).reshape(2, 5)
    (tmp_path / "a.unf").write_bytes(framed([row.tobytes() for row in values], limit=limit))
    go(tmp_path / "a.unf", tmp_path / "b.npy", kind="real64", to_byte_order="big")
    np.testing.assert_array_equal(np.load(tmp_path / "b.npy"), values.T)


@pytest.mark.parametrize(
    "target", ["b.npy", "b.npz", "b.h5", "b.zarr", "b.csv", "b.txt", "b.parquet", "b.nc", "b.pnc", "b.meta"]
)
@pytest.mark.parametrize("source", ["a.raw", "a.unf"])
def test_logicals_of_one_byte_are_true_or_false(tmp_path: Path, source: str, target: str) -> None:
    def put(*values: int) -> None:
        data = bytes(values)
        (tmp_path / source).write_bytes(data if source == "a.raw" else framed([data]))

    put(0, 1, 2)
    with pytest.raises(HeadraceError, match="neither 0 nor 1"):
        go(tmp_path / source, tmp_path / target, kind="logical8")
    assert not (tmp_path / target).exists()
    put(0, 1, 1)
    go(tmp_path / source, tmp_path / target, kind="logical8")
    if target.startswith("b.np"):
        found = np.load(tmp_path / target)
        found = found if target == "b.npy" else found["a"]
        assert found.dtype == np.bool_ and found.tobytes() == b"\0\1\1"
