"""What `headrace inspect` says of classic NetCDF files: by all writers whole, and cut off if bytes are gone."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from scipy.io import netcdf_file

from headrace.containers.netcdf.classic import end_of
from headrace.inspect import inspect_file

FORMATS = ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA"]
# Name, type, dimensions: records, three values, or none; types of one and two bytes are padded in different ways.
VARIABLES: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {
    "nothing": [],
    "fixed": [("u", "f8", ("x",)), ("b", "i1", ("x",))],
    "single value": [("a", "f4", ())],
    "one of records": [("u", "f8", ("t", "x"))],
    "one of records, bytes": [("b", "i1", ("t", "x"))],
    "one of records, bytes, and fixed": [("u", "f8", ("x",)), ("b", "i1", ("t", "x"))],
    "two of records": [("u", "f8", ("t", "x")), ("b", "i1", ("t", "x"))],
    "three of records": [("t", "i2", ("t",)), ("b", "i1", ("t", "x")), ("c", "S1", ("t", "x"))],
}


def fill(file: Any, made: list[tuple[str, Any]], records: int) -> None:
    file.title = "odd"
    for name, variable in made:
        variable.units = "m of " + name
        data = np.arange(1, 4)
        if variable.dimensions[:1] == ("t",):
            for record in range(records):
                shape = variable.shape[1:]
                values = np.resize(data, shape)
                variable[record] = values.astype("S1") if variable.dtype.kind == "S" else values
        elif variable.dimensions:
            variable[:] = data
        else:
            variable[...] = 7


def by_netcdf4(path: Path, form: Any, which: str, records: int) -> None:
    with netCDF4.Dataset(path, "w", format=form) as file:
        file.createDimension("t", None)
        file.createDimension("x", 3)
        fill(file, [(name, file.createVariable(name, *more)) for name, *more in VARIABLES[which]], records)


def by_scipy(path: Path, version: int, which: str, records: int) -> None:
    with netcdf_file(path, "w", version=version) as file:
        file.createDimension("t", None)
        file.createDimension("x", 3)
        for name, type_, dimensions in VARIABLES[which]:
            variable = file.createVariable(name, type_, dimensions)
            variable.units = "m of " + name
            for record in range(records if dimensions[:1] == ("t",) else 0):
                variable[record] = np.full(variable.shape[1:], b"a" if type_ == "S1" else 1, type_)
            if dimensions == ("x",):
                variable[:] = np.arange(1, 4)
            elif not dimensions:
                variable.data = np.array(7, type_)


WRITERS: list[tuple[Callable[..., None], Any]] = [(by_netcdf4, form) for form in FORMATS]
WRITERS += [(by_scipy, 1), (by_scipy, 2)]


@pytest.mark.parametrize("records", [0, 1, 2, 1000])
@pytest.mark.parametrize("which", VARIABLES)
@pytest.mark.parametrize(("write", "form"), WRITERS)
def test_a_whole_file_is_whole_and_a_cut_one_is_not(
    tmp_path: Path, write: Callable[..., None], form: Any, which: str, records: int
) -> None:
    path = tmp_path / "a.nc"
    write(path, form, which, records)
    data = path.read_bytes()
    needed = end_of(io.BytesIO(data), len(data))
    assert len(data) - 4 < needed <= len(data)  # all but the padding behind the last value
    whole = inspect_file(path)
    assert whole.verdict.format == "netcdf" and whole.exit_code == 0
    for length in (needed - 1, (needed + 40) // 2):
        path.write_bytes(data[:length])
        cut = inspect_file(path)
        assert cut.verdict.format == "netcdf" and cut.exit_code == 1
        words = str(cut.verdict.detail["damage_words"])
        assert words.startswith(f"it is cut off: {length:,} of at least ")
        if length == needed - 1:
            assert words.endswith(f"{needed:,} bytes are there")


@pytest.mark.parametrize("form", FORMATS)
def test_every_cut_in_the_header_is_seen(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a.nc"
    by_netcdf4(path, form, "three of records", 2)
    data = path.read_bytes()
    for length in range(4, len(data) - 3):
        assert end_of(io.BytesIO(data[:length]), length) > length


@pytest.mark.parametrize("form", FORMATS)
def test_records_that_are_not_counted_are_not_missed(tmp_path: Path, form: str) -> None:
    """A file that was written as a stream states -1 records; its variables without records are known all the same."""
    path = tmp_path / "a.nc"
    by_netcdf4(path, form, "one of records, bytes, and fixed", 5)
    data = bytearray(path.read_bytes())
    data[4 : 12 if form == "NETCDF3_64BIT_DATA" else 8] = b"\xff" * (8 if form == "NETCDF3_64BIT_DATA" else 4)
    path.write_bytes(data)
    assert inspect_file(path).exit_code == 0
    path.write_bytes(data[:-9])
    assert inspect_file(path).exit_code == 0
    path.write_bytes(data[:-20])
    assert inspect_file(path).exit_code == 1


def test_what_only_begins_as_a_header_is_not_followed() -> None:
    tags = bytes(4) + b"\0\0\0\x0a\xff\xff\xff\xff"  # no records, and more dimensions than there are bytes
    for magic in (b"CDF\x01", b"CDF\x02"):
        data = magic + tags
        assert end_of(io.BytesIO(data), len(data)) > len(data)
    for data in (b"CDF\x03" + bytes(40), b"CDF\x01" + b"\0\0\0\x07" * 20, b"CDF\x05" + b"\0\0\0\x07" * 20):
        assert end_of(io.BytesIO(data), len(data)) == 0
