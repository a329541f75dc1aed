"""Open the files state_* with netCDF4 and xarray: read_state.py netcdf4|pnetcdf, in their directory."""

import sys
from pathlib import Path
from typing import Any

from known_values import MEMBERS, module, np, optional, values

netcdf4 = module("netCDF4")
xarray = optional("xarray")

STEPS = [10, 20, 30]


def elements(kind: str, found: Any) -> Any:
    """What the values of a variable stand for."""
    if kind.startswith("complex"):
        return np.ascontiguousarray(found.filled()).view("c8" if found.dtype == "f4" else "c16")[..., 0]
    if kind.startswith("logical"):
        return found.astype(bool)
    return found


def check_netcdf(file: Path, classic: bool) -> None:
    with netcdf4.Dataset(file) as state:
        assert state.data_model == ("NETCDF3_64BIT_DATA" if classic else "NETCDF4")
        assert state.title == "a state" and state.version == 4
        assert state.dimensions["step"].isunlimited() and not state.dimensions["x"].isunlimited()
        np.testing.assert_array_equal(state["step"][:], STEPS)
        for member in MEMBERS:
            _, name, kind, _, dimensions, steps = member
            variable = state[name]
            own_axis = name == "t_late" and not classic
            names = ["t_late_step", *dimensions[1:]] if own_axis else dimensions
            part = {"complex": ["complex"], "charact": ["string7"]}.get(kind[:7], [])
            assert list(variable.dimensions) == names + part, (file, name, variable.dimensions)
            if kind == "character7":
                texts = netcdf4.chartostring(variable[...], encoding="bytes")
                found = np.array([bytes(text).rstrip() for text in texts])
            else:
                found = elements(kind, variable[...])
            if own_axis:
                np.testing.assert_array_equal(state["t_late_step"][:], steps)
            elif steps and steps != STEPS:
                missing = [step not in steps for step in STEPS]
                np.testing.assert_array_equal(np.ma.getmaskarray(found).all(axis=(1, 2)), missing)
                np.testing.assert_array_equal(variable.headrace_steps, steps)
                found = found[~np.array(missing)]
            wanted = member.expected()
            assert not np.ma.is_masked(found), (file, name)
            np.testing.assert_array_equal(found, wanted, err_msg=f"{file}, {name}")
            assert kind == "character7" or np.asarray(found).dtype == wanted.dtype, (file, name, found.dtype)
        np.testing.assert_array_equal(state["rho"].range, [-1.5, 2.5, 1e300])
        assert state["rho"].units == "kg/m3" and state["rho"].done == 1
        np.testing.assert_array_equal(state["velocity"].root, np.array([0.5, -2], dtype="f4"))
        assert classic or list(state["x"].words) == ["one", "three"]


def check_xarray(file: Path) -> None:
    with xarray.open_dataset(file, engine="netcdf4") as state:
        assert list(state["u"].dims) == ["step", "z", "y", "x"]
        np.testing.assert_array_equal(state["u"].sel(step=20).values, values("real32", (6, 5, 4), 6200))
        np.testing.assert_array_equal(state["t_gap"].sel(step=30).values, values("int16", (6, 5), 7300))
        assert np.isnan(state["t_gap"].sel(step=20).values).all()
        third = values("real64", (6,), 4000)[2]
        np.testing.assert_array_equal(state["rho"].sel(x=third), values("real64", (6, 5, 4))[..., 2])
        assert "step" in state.coords and "x" in state.coords


ending = {"netcdf4": "nc", "pnetcdf": "pnc"}[sys.argv[1]]
files = sorted(Path().glob(f"state_*.{ending}"))
assert len(files) == 6, files
for one in files:
    check_netcdf(one, sys.argv[1] == "pnetcdf")
    if xarray:
        check_xarray(one)
    print(f"{one}: as expected in netCDF4{' and xarray' if xarray else ''}")
