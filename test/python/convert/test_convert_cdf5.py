"""Names that end in .pnc or .cdf5: CDF-5, the classic NetCDF that PnetCDF writes."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

netcdf4 = pytest.importorskip("netCDF4")
Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize("ending", [".pnc", ".cdf5"])
def test_every_kind_comes_back_from_cdf5(headrace: Command, tmp_path: Path, ending: str) -> None:
    values = {
        "r8": np.arange(6.0).reshape(2, 3),
        "r4": np.arange(3, dtype="f4"),
        "i8": np.array([2**60, -1]),
        "i2": np.arange(4, dtype="i2"),
        "flags": np.array([True, False]),
        "texts": np.array([b"ab", b"cde"]),
        "turned": np.arange(5, dtype=">f8"),
        "single": np.float64(3.5),
        "z": np.arange(3) * (1 + 2j),
    }
    np.savez(tmp_path / "a.npz", **values)  # type: ignore[arg-type]
    done = headrace("convert", "a.npz", f"b{ending}")
    assert done.returncode == 0, done.stderr
    with netcdf4.Dataset(tmp_path / f"b{ending}") as file:
        assert file.data_model == "NETCDF3_64BIT_DATA"
        assert np.array_equal(file["r8"][:].T, values["r8"])  # the first index is the fastest
    back = headrace("convert", f"b{ending}", "c.npz")
    assert back.returncode == 0 and "taken for" not in back.stderr, back.stderr  # the ending says what it is
    found = np.load(tmp_path / "c.npz")
    assert set(found) == set(values)
    for name, value in values.items():
        assert found[name].dtype.kind == value.dtype.kind and np.array_equal(found[name], value), name


@pytest.mark.parametrize(
    ("arrays", "options", "said"),
    [
        ({"z": np.zeros((0, 3))}, (), "array 'z' is empty: an extent of 0 would be unlimited in CDF-5"),
        ({"x": np.zeros(3)}, ("--to-byte-order", "little"), "CDF-5 files are big-endian, and little was asked for"),
    ],
)
def test_what_cdf5_cannot_hold_is_refused(
    headrace: Command,
    tmp_path: Path,
    arrays: dict[str, "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"],
    options: tuple[str, ...],
    said: str,
) -> None:
    np.savez(tmp_path / "a.npz", **arrays)  # type: ignore[arg-type]
    done = headrace("convert", "a.npz", "b.pnc", *options)
    assert done.returncode == 2 and f"b.pnc: {said}\n  name the result .nc" in done.stderr
    assert not (tmp_path / "b.pnc").exists()


@pytest.mark.parametrize("name", ["b.cdf5.gz", "b.npy.gz", "b.raw.zst", "b.zarr.gz"])
def test_an_ending_of_compression_is_for_texts_alone(headrace: Command, tmp_path: Path, name: str) -> None:
    np.save(tmp_path / "a.npy", np.arange(3.0))
    tool, ending = ("zstd", ".zst") if name.endswith("zst") else ("gzip", ".gz")
    done = headrace("convert", "a.npy", name)
    assert done.returncode == 2 and f"{name}: {ending} is for csv, tsv, text alone" in done.stderr
    assert f"leave out {ending}, and run {tool} on the result" in done.stderr and not (tmp_path / name).exists()
    (tmp_path / name).write_bytes(b"any bytes at all")
    back = headrace("convert", name, "c.npy")
    assert back.returncode == 2 and f"{tool} -d unpacks it first" in back.stderr, back.stderr


def test_an_array_of_a_group_is_refused(headrace: Command, tmp_path: Path) -> None:
    with netcdf4.Dataset(tmp_path / "a.nc", "w") as file:
        group = file.createGroup("g")
        group.createDimension("x", 3)
        group.createVariable("rho", "f8", ("x",))[:] = 1.0
    done = headrace("convert", "a.nc", "b.cdf5")
    assert done.returncode == 2 and "array 'g/rho' is in a group, which CDF-5 does not have" in done.stderr


@pytest.mark.parametrize("name", ["+rho", "rho\tu", "rho ", "g/-u"])
def test_a_name_that_netcdf_does_not_allow_is_refused_with_what_it_allows(
    headrace: Command, tmp_path: Path, name: str
) -> None:
    np.savez(tmp_path / "a.npz", **{name: np.arange(3.0)})
    done = headrace("convert", "a.npz", "a.nc")
    assert done.returncode == 2
    assert "is not a valid name in NetCDF" in done.stderr and "begin with a letter" in done.stderr
    assert not (tmp_path / "a.nc").exists()


def test_a_name_beyond_ascii_is_one_of_netcdf(headrace: Command, tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", **{"\u03c1 (kg+m)": np.arange(3.0)})
    assert headrace("convert", "a.npz", "a.nc").returncode == 0
