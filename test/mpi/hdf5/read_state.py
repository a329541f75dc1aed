"""Open the files of the program datasets with h5py, netCDF4 and, if it is there, xarray."""

from pathlib import Path
from typing import Any

from known_values import module, np, values

h5py = module("h5py")
netcdf4 = module("netCDF4")

# As in datasets.cpp; dimensions as HDF5 shows them, slowest first.
MEMBERS: list[tuple[str, str, tuple[int, ...], list[str], list[int]]] = [
    ("rho", "real64", (6, 5, 4), ["z", "y", "x"], []),
    ("fields/velocity", "complex128", (6, 5), ["y", "x"], []),
    ("flags", "logical4", (6, 5), ["y", "x"], []),
    ("names", "character7", (4,), ["z"], []),
    ("x", "real64", (6,), ["x"], []),
    ("t", "int32", (5, 4), ["step", "z", "y"], [10, 20, 30]),
    ("u", "real32", (6, 5, 4), ["step", "z", "y", "x"], [10, 20, 30]),
    ("fields/w", "real32", (6, 5), ["step", "y", "x"], [1, 2]),
    ("v", "int64", (5, 4), ["v_step", "z", "y"], [7]),
    ("other", "int8", (9, 4), ["z", "other_x"], []),
    ("plain", "int16", (3, 2), ["d2", "d1"], []),
]


def expected(number: int) -> Any:
    _, kind, extents, _, steps = MEMBERS[number]
    if not steps:
        return values(kind, extents, 1000 * number)
    return np.stack([values(kind, extents, 1000 * number + 100 * step) for step in range(len(steps))])


def check_h5py(file: Path) -> None:
    with h5py.File(file) as state:
        for number, (name, _, _, dimensions, steps) in enumerate(MEMBERS):
            found = state[name]
            np.testing.assert_array_equal(found[...], expected(number), err_msg=f"{file}, {name}")
            assert found.dtype == expected(number).dtype, (file, name, found.dtype)
            if name != "x":
                shown = [Path(dimension[0].name).name for dimension in found.dims]
                assert shown == dimensions, (file, name, shown)
            if steps:
                np.testing.assert_array_equal(found.dims[0][0][...], steps)
        assert state["x"].is_scale
        assert state.attrs["title"] == b"a state" and state.attrs["version"] == 4
        rho = state["rho"].attrs
        np.testing.assert_array_equal(rho["range"], [-1.5, 2.5, 1e300])
        assert rho["units"] == b"kg/m3" and rho["done"].dtype == bool and bool(rho["done"])
        assert state["fields/velocity"].attrs["root"] == np.complex64(0.5 - 2j)
        np.testing.assert_array_equal(state["x"].attrs["words"], [b"one", b"three"])
        np.testing.assert_array_equal(state["t"].attrs["many"], np.arange(10000) ** 2)


def check_netcdf(file: Path) -> None:
    with netcdf4.Dataset(file, auto_complex=True) as state:
        assert state.title == "a state" and state.version == 4
        assert sorted(state.dimensions) == ["d1", "d2", "other_x", "step", "v_step", "x", "y", "z"]
        assert state.dimensions["step"].isunlimited() and not state.dimensions["x"].isunlimited()
        assert sorted(state.variables) == sorted([m[0] for m in MEMBERS if "/" not in m[0]] + ["step", "v_step"])
        for number, (name, kind, _, dimensions, steps) in enumerate(MEMBERS):
            variable = state[name]
            assert list(variable.dimensions) == dimensions, (file, name, variable.dimensions)
            if kind in ("logical4", "character7"):
                continue  # an enumeration, and texts with blanks behind
            variable.set_auto_mask(False)
            np.testing.assert_array_equal(variable[...], expected(number), err_msg=f"{file}, {name}")
            if steps:
                group = state[name.rpartition("/")[0]] if "/" in name else state
                np.testing.assert_array_equal(group[dimensions[0]][...], steps)


def check_xarray(file: Path) -> bool:
    try:
        import xarray
    except ImportError:
        return False
    with xarray.open_dataset(file, engine="netcdf4") as state:
        assert list(state["u"].dims) == ["step", "z", "y", "x"]
        np.testing.assert_array_equal(state["u"].sel(step=20).values, expected(6)[1])
        np.testing.assert_array_equal(state["x"].values, expected(4))
        assert sorted(str(name) for name in state.coords) == ["step", "v_step", "x"]
    return True


files = sorted(Path().glob("state_*.h5"))
assert len(files) == 6, files
for one in files:
    check_h5py(one)
    check_netcdf(one)
    with_xarray = check_xarray(one)
    print(f"{one}: the same in h5py and netCDF4{' and xarray' if with_xarray else ''}")
