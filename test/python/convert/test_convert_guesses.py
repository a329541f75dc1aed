"""`headrace convert` acts on what was said or is sure: orders without markers, types of records, options."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace.errors import HeadraceError
from test_convert import go
from test_convert_records import framed

Run = Callable[..., "subprocess.CompletedProcess[str]"]
ORDERS = {"little": "<", "big": ">"}
FIELD = np.sin(np.arange(960.0))


@pytest.mark.parametrize("to_order", ["little", "big"])
@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize(
    ("a", "b"), [("a.raw", "b.raw"), ("a.da", "b.da"), ("a.raw", "b.unf"), ("a.da", "b.unf"), ("a.raw", "b.npy")]
)
@pytest.mark.parametrize("kind", ["real64", "int32", "complex(real64)"])
def test_files_without_markers_are_turned_round(
    tmp_path: Path, a: str, b: str, order: str, to_order: str, kind: str
) -> None:
    letters = {"real64": "f8", "int32": "i4", "complex(real64)": "c16"}[kind]
    values = (FIELD * 1000).astype(letters)
    held = [values.astype(to) for to in (ORDERS[order] + letters, ORDERS[to_order] + letters)]
    (tmp_path / a).write_bytes(held[0].tobytes())
    length = {"from_record_length": 480} if a.endswith(".da") else {}
    more: dict[str, Any] = {"to_record_length": 480} if b.endswith(".da") else {}
    go(tmp_path / a, tmp_path / b, to_byte_order=to_order, kind=kind, **length, **more)
    data = held[1].tobytes()
    if b.endswith(".npy"):
        # An npy file holds the order that was asked for, or the values in it.
        assert np.array_equal(np.load(tmp_path / b), values)
    elif b.endswith(".unf"):
        rows = [data[at : at + 480] for at in range(0, len(data), 480)] if length else [data]
        assert (tmp_path / b).read_bytes() == framed(rows, 4, to_order)
    else:
        assert (tmp_path / b).read_bytes() == data


@pytest.mark.parametrize("b", ["b.raw", "b.unf", "b.npy"])
def test_an_order_that_nothing_tells_is_asked_for(tmp_path: Path, b: str) -> None:
    (tmp_path / "a.raw").write_bytes(np.random.default_rng(3).bytes(8000))
    with pytest.raises(HeadraceError) as caught:
        go(tmp_path / "a.raw", tmp_path / b, to_byte_order="big", kind="int32")
    assert "--from-byte-order" in caught.value.hint and not (tmp_path / b).exists()
    go(tmp_path / "a.raw", tmp_path / b, to_byte_order="big", from_byte_order="little", kind="int32")


def test_types_of_files_without_markers_are_not_left_as_they_are(tmp_path: Path) -> None:
    """Without --kind they are refused, never copied: zeros at the end of each record may be padding or values."""
    rows = np.zeros((200, 50))
    rows[:, :30] = FIELD[:30] + np.arange(200)[:, None]
    (tmp_path / "a.da").write_bytes(rows.astype(">f8").tobytes())
    with pytest.raises(HeadraceError, match="is probably direct, but only with 85 %") as caught:
        go(tmp_path / "a.da", tmp_path / "b.unf", to_byte_order="little")
    assert "--kind" in caught.value.hint and not (tmp_path / "b.unf").exists()
    go(tmp_path / "a.da", tmp_path / "b.unf", to_byte_order="little", from_record_length=400, kind="real64")
    assert (tmp_path / "b.unf").read_bytes() == framed([row.tobytes() for row in rows])
    (tmp_path / "c.raw").write_bytes(FIELD.tobytes())
    with pytest.raises(HeadraceError, match="what kind") as caught:
        go(tmp_path / "c.raw", tmp_path / "d.raw", to_byte_order="big")
    assert "--kind" in caught.value.hint and not (tmp_path / "d.raw").exists()


def test_records_of_several_types_that_were_only_guessed_are_refused(tmp_path: Path, headrace: Run) -> None:
    rows = np.random.default_rng(5).normal(size=(20, 50))
    held = [np.array([step, 7], "i4").tobytes() + row.tobytes() for step, row in enumerate(rows)]
    (tmp_path / "a b.unf").write_bytes(framed(held))
    for more in (["b.unf", "--to-byte-order", "big"], ["b.npz"]):
        done = headrace("convert", "a b.unf", *more)
        assert done.returncode == 2 and "several items" in done.stderr
        assert "headrace inspect 'a b.unf' --schema > s.toml" in done.stderr
        assert "headrace convert 'a b.unf' B --schema s.toml" in done.stderr
        assert not (tmp_path / more[0]).exists()
    (tmp_path / "s.toml").write_text(headrace("inspect", "a b.unf", "--schema").stdout)
    go(tmp_path / "a b.unf", tmp_path / "b.unf", to_byte_order="big", schema=tmp_path / "s.toml")
    turned = [np.array([step, 7], ">i4").tobytes() + row.astype(">f8").tobytes() for step, row in enumerate(rows)]
    assert (tmp_path / "b.unf").read_bytes() == framed(turned, 4, "big")


def test_records_that_were_not_looked_at_are_not_left_as_they_are(tmp_path: Path) -> None:
    held = [(FIELD[: 20 + n] * 7.1).tobytes() for n in range(60)]
    (tmp_path / "a.unf").write_bytes(framed(held))
    with pytest.raises(HeadraceError, match="too many different lengths") as caught:
        go(tmp_path / "a.unf", tmp_path / "b.unf", to_byte_order="big")
    assert "--kind" in caught.value.hint and not (tmp_path / "b.unf").exists()


def test_bytes_that_are_no_text_are_not_taken_for_one(tmp_path: Path) -> None:
    held = [np.int32(step).tobytes() + (FIELD + step).tobytes() for step in range(20)]
    (tmp_path / "a.unf").write_bytes(framed(held))
    with pytest.raises(HeadraceError, match="7,684 bytes"):
        go(tmp_path / "a.unf", tmp_path / "b.unf", to_byte_order="big")
    (tmp_path / "c.unf").write_bytes(framed([b"temperature in kelvin, pressure in pascal", FIELD.tobytes()]))
    go(tmp_path / "c.unf", tmp_path / "d.unf", to_byte_order="big")
    assert (tmp_path / "d.unf").read_bytes()[4:15] == b"temperature"


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("x.npy y.h5 --kind real64", "--kind"),
        ("x.npy y.h5 --shape 3,4", "--shape"),
        ("x.npy y.h5 --to-record-length 80", "--to-record-length"),
        ("x.npy y.h5 --from-edit (f8.3)", "--from-edit"),
        ("x.npy y.h5 --from-record-marker 4", "--from-record-marker"),
        ("x.npy y.h5 --from-byte-order big", "--from-byte-order"),
        ("x.npy y.h5 --to-number hex", "--to-number"),
        ("x.npy y.csv --to-byte-order big", "--to-byte-order"),
        ("x.npy y.zarr --to-byte-order big", "--to-byte-order"),
        ("x.raw y.npy --kind real64 --from-edit *", "--from-edit"),
        ("x.raw y.unf --shape 3,4 --kind real64", "--shape"),
        ("x.raw y.unf --from-long-records unsigned", "--from-long-records"),
    ],
)
def test_options_that_mean_nothing_are_refused_by_name(tmp_path: Path, headrace: Run, words: str, option: str) -> None:
    np.save(tmp_path / "x.npy", FIELD)
    (tmp_path / "x.raw").write_bytes(FIELD.tobytes())
    done = headrace("convert", *words.split())
    assert done.returncode == 2 and option in done.stderr and "has no meaning" in done.stderr
    assert not (tmp_path / words.split()[1]).exists()


def test_records_that_are_filled_with_zeros_are_told(tmp_path: Path, headrace: Run) -> None:
    (tmp_path / "a.unf").write_bytes(framed([FIELD[:10].tobytes(), FIELD[:3].tobytes()]))
    np.save(tmp_path / "a.npy", FIELD[:15])
    for a in ("a.unf", "a.npy"):
        done = headrace("convert", a, "b.da", "--to-record-length", "80")
        assert done.returncode == 0 and "records shorter than --to-record-length 80" in done.stdout
        assert (tmp_path / "b.da").stat().st_size == 160
    (tmp_path / "a.unf").write_bytes(framed([FIELD[:10].tobytes()] * 3))
    assert "note" not in headrace("convert", "a.unf", "b.da", "--to-record-length", "80").stdout
