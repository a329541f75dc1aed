"""Open the files state_* with h5py, netCDF4 and, if it is there, xarray."""

from pathlib import Path

from known_values import GROUPED_MEMBERS, MEMBERS, Member, module, np, optional

h5py = module("h5py")
netcdf4 = module("netCDF4")
xarray = optional("xarray")

ALL = MEMBERS + GROUPED_MEMBERS
OWN_STEPS = ["t_gap", "t_late", "v"]


def dimensions_of(member: Member) -> list[str]:
    """With the steps under their names in HDF5."""
    own = member.name in OWN_STEPS
    return [f"{member.name}_step" if own and name == "step" else name for name in member.dimensions]


def check_h5py(file: Path) -> None:
    with h5py.File(file) as state:
        for member in ALL:
            found = state[member.name]
            wanted = member.expected()
            np.testing.assert_array_equal(found[...], wanted, err_msg=f"{file}, {member.name}")
            assert found.dtype == wanted.dtype, (file, member.name, found.dtype)
            if member.name != "x":
                shown = [Path(dimension[0].name).name for dimension in found.dims]
                assert shown == dimensions_of(member), (file, member.name, shown)
            if member.steps:
                np.testing.assert_array_equal(found.dims[0][0][...], member.steps)
        assert state["x"].is_scale
        assert state.attrs["title"] == b"a state" and state.attrs["version"] == 4
        rho = state["rho"].attrs
        np.testing.assert_array_equal(rho["range"], [-1.5, 2.5, 1e300])
        assert rho["units"] == b"kg/m3" and rho["done"].dtype == bool and bool(rho["done"])
        assert state["velocity"].attrs["root"] == np.complex64(0.5 - 2j)
        np.testing.assert_array_equal(state["x"].attrs["words"], [b"one", b"three"])
        np.testing.assert_array_equal(state["t"].attrs["many"], np.arange(10000) ** 2)


def check_netcdf(file: Path) -> None:
    with netcdf4.Dataset(file, auto_complex=True) as state:
        assert state.title == "a state" and state.version == 4
        steps = [f"{name}_step" for name in OWN_STEPS] + ["step"]
        assert sorted(state.dimensions) == sorted([*steps, "d1", "d2", "tall_d1", "wide_x", "x", "y", "z"])
        assert state.dimensions["step"].isunlimited() and not state.dimensions["x"].isunlimited()
        assert sorted(state.variables) == sorted([m.name for m in ALL if "/" not in m.name] + steps)
        for member in ALL:
            variable = state[member.name]
            dimensions = dimensions_of(member)
            assert list(variable.dimensions) == dimensions, (file, member.name, variable.dimensions)
            if member.kind in ("logical4", "character7"):
                continue  # an enumeration, and texts with blanks behind
            variable.set_auto_mask(False)
            np.testing.assert_array_equal(variable[...], member.expected(), err_msg=f"{file}, {member.name}")
            if member.steps:
                group = state[member.name.rpartition("/")[0]] if "/" in member.name else state
                np.testing.assert_array_equal(group[dimensions[0]][...], member.steps)


def check_xarray(file: Path) -> None:
    with xarray.open_dataset(file, engine="netcdf4") as state:
        assert list(state["u"].dims) == ["step", "z", "y", "x"]
        np.testing.assert_array_equal(state["u"].sel(step=20).values, MEMBERS[6].expected()[1])
        np.testing.assert_array_equal(state["x"].values, MEMBERS[4].expected())
        assert sorted(str(name) for name in state.coords) == ["step", "t_gap_step", "t_late_step", "v_step", "x"]


files = sorted(Path().glob("state_*.h5"))
assert len(files) == 6, files
for one in files:
    check_h5py(one)
    check_netcdf(one)
    if xarray:
        check_xarray(one)
    print(f"{one}: the same in h5py and netCDF4{' and xarray' if xarray else ''}")
