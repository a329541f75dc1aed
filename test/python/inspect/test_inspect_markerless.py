"""Files without markers: masks and padding make no record length sure, types that change within records do."""

import itertools
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace.inspect import inspect_file
from headrace.inspect.findings import Report

Run = Callable[..., "subprocess.CompletedProcess[str]"]
RNG = np.random.default_rng(8)
ORDERS = ("<", ">")
KINDS = ("f4", "f8", "i4", "i2")
LONG = bool(os.environ.get("HEADRACE_TEST_LONG"))
FILLS = (0.0, 1e20, 9.969209968386869e36, 2.0**100, -1e34, -999.0, 1e30, 1e37, None, np.nan)  # None: the largest


def masks(shape: tuple[int, int]) -> dict[str, Any]:
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    return {
        "land": (np.sin(x / 9) + np.cos(y / 7)) > 0.3,
        "a straight coast": x > 0.7 * shape[1],
        "the last rows": y > 0.6 * shape[0],
        "stripes": x % 16 > 11,
        "walls": (x == 0) | (x == shape[1] - 1) | (y == 0) | (y == shape[0] - 1),
        "single points": RNG.random(shape) < 0.3,
        "a disc": np.hypot(x - shape[1] / 2, y - shape[0] / 2) > shape[0] / 2.2,
    }


def inspected(path: Path, data: bytes) -> Report:
    path.write_bytes(data)
    return inspect_file(path)


def claims(report: Report) -> bool:
    """Whether something is said that `convert` goes by."""
    return not report.tie and report.verdict.confidence >= 0.9


def field(name: str, shape: tuple[int, int], levels: int, kind: str, order: str, fill: float | None) -> bytes:
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    parts = []
    for level in range(levels):
        values = 10 + 8 * np.sin((x + 3 * level) / 20) * np.cos(y / 15) + 0.01 * RNG.standard_normal(shape)
        limits: Any = np.finfo(kind) if kind[0] == "f" else np.iinfo(kind)
        used = limits.max if fill is None or (kind[0] == "i" and not abs(fill) < limits.max) else fill
        parts.append(np.where(masks(shape)[name], used, np.round(values * 100) if kind[0] == "i" else values))
    return np.array(parts).astype(order + kind).tobytes()


@pytest.mark.parametrize("name", masks((8, 8)))
def test_a_masked_field_is_not_surely_direct_access(tmp_path: Path, name: str) -> None:
    """Three of four claims about such fields were wrong, at 99.6 %."""
    forms = list(itertools.product(((96, 128), (27, 87), (123, 123), (76, 16)), KINDS, ORDERS, (1, 5), FILLS))
    wrong = []
    some = RNG.choice(len(forms), 40 if LONG else 1, replace=False)
    for shape, kind, order, levels, fill in (((96, 128), "f4", "<", 1, 0.0), *(forms[number] for number in some)):
        report = inspected(tmp_path / "x.dat", field(name, shape, levels, kind, order, fill))
        if claims(report):
            wrong.append((fill, shape, levels, kind, order, report.verdict.detail, report.verdict.confidence))
    assert wrong == []


def test_an_empty_level_or_field_is_not_surely_direct_access(tmp_path: Path) -> None:
    whole = np.array([10 + RNG.random((40, 30)) * (level != 2) for level in range(6)], "<f4")
    whole[2] = 0
    several = np.concatenate([np.zeros((3, 40, 30)), RNG.normal(size=(2, 40, 30)), np.zeros((1, 40, 30))])
    for values in (whole, several, np.repeat(RNG.random((40, 1)), 50, 1), np.tile(RNG.random(50), (40, 1))):
        assert not claims(inspected(tmp_path / "x.dat", values.tobytes()))


@pytest.mark.parametrize("used", [20, 104, 200])
def test_padding_is_found_but_not_sure_and_convert_asks(tmp_path: Path, headrace: Run, used: int) -> None:
    """Land at the end of each row has the same bytes."""
    rows = [(280 + RNG.normal(size=used // 4)).astype("<f4").tobytes() + bytes(256 - used) for _ in range(40)]
    best = inspected(tmp_path / "x.dat", b"".join(rows)).verdict
    assert best.format.startswith("direct") and best.detail["record_length"] == 256
    assert 0.6 < best.confidence < 0.9
    done = headrace("convert", "x.dat", "x.npy")
    assert done.returncode == 2 and "--from" in done.stderr and not (tmp_path / "x.npy").exists()


def structs(order: str, count: int) -> dict[str, Any]:
    number, real, single = f"{order}i4", f"{order}f8", f"{order}f4"
    forms: dict[str, list[Any]] = {
        "a number and reals": [("id", number, 3), ("x", real, 4)],
        "a name": [("name", "S8"), ("id", number), ("x", real, 4)],
        "both kinds of reals": [("id", number), ("j", number, 3), ("x", real, 3), ("y", single, 4)],
        "padded": [("j", number, 3), ("x", real, 6), ("end", "V20")],
    }
    found = {}
    for name, form in forms.items():
        table = np.zeros(count, form)
        for part in table.dtype.names or ():
            if part in ("x", "y"):
                table[part] = 280 + RNG.standard_normal(table[part].shape)
            elif part == "j":
                table[part] = RNG.integers(0, 50, table[part].shape)
            elif part == "name":
                table[part] = [f"STN{n:05d}" for n in range(count)]
            elif part == "id":
                table[part] = np.arange(table[part].size).reshape(table[part].shape)
        found[name] = table
    return found


@pytest.mark.parametrize("order", ORDERS)
def test_types_that_change_within_each_record_are_sure(tmp_path: Path, order: str) -> None:
    for name, table in structs(order, 80).items():
        report = inspected(tmp_path / "x.dat", table.tobytes())
        best = report.verdict
        assert best.format == "direct" and claims(report), (name, best)
        assert best.detail["record_length"] % table.itemsize == 0, (name, best)  # several together may look better


def test_a_value_that_is_no_number_is_null_in_the_json(tmp_path: Path, headrace: Run) -> None:
    np.array([np.nan, np.inf, *RNG.random(500)]).tofile(tmp_path / "x.dat")
    done = headrace("inspect", "x.dat", "--json")
    assert done.returncode == 1 and '"first": [\n' in done.stdout and "null" in done.stdout
