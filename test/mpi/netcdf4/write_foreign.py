"""Files of netCDF4 for library_foreign.cpp: write_foreign.py, in an empty directory."""

from typing import Any

from known_values import module, np, values

netcdf4 = module("netCDF4")

SHAPE = (13, 7, 5)  # Fortran's order
REAL = values("real64", SHAPE)


def fill(state: Any) -> None:
    for name, extent in (("time", None), ("z", 5), ("y", 7), ("x", 13), ("letters", 7)):
        state.createDimension(name, extent)
    state.createVariable("rho", "f8", ("z", "y", "x"))[:] = REAL
    state.createVariable("time", "f8", ("time",))[:] = [0.5, 1.5]
    states = [values("real32", (13, 7), 100 * number) for number in (1, 2)]
    state.createVariable("u", "f4", ("time", "y", "x"))[:] = np.stack(states)
    packed = state.createVariable("packed", "i2", ("z", "y", "x"))
    packed.set_auto_scale(False)
    packed[:] = values("int16", SHAPE)
    packed.scale_factor = 0.5
    names = np.array([f"t{number}     " for number in range(5)], "S7")
    state.createVariable("names", "S1", ("z", "letters"))[:] = netcdf4.stringtochar(names)
    state["rho"].units = "kg/m3"
    state["rho"].level = np.int32(7)
    state.title = "not ours"


with netcdf4.Dataset("foreign_4.nc", "w") as state:
    fill(state)
    for name, kind in (("u8", "u1"), ("u64", "u8"), ("free", str)):
        state.createVariable(name, kind, ("z",))
    state.createVariable("gzip", "f8", ("z", "y", "x"), zlib=True, shuffle=True)[:] = REAL
    state.createVariable("big", ">i4", ("z", "y", "x"), endian="big")[:] = values("int32", SHAPE)
    state.createDimension("no_letters", None)
    state.createVariable("wordless", "S1", ("z", "no_letters"))
    inner = state.createGroup("inner")
    inner.createVariable("rho", "f8", ("z", "y", "x"))[:] = REAL
    # Fewer records than the dimension has steps, and another variable of that name.
    few = values("real32", (13, 7), 100)
    state.createVariable("few", "f4", ("time", "y", "x"))[0] = few
    inner.createVariable("few", "f4", ("time", "y", "x"))[:] = np.stack([few, few])
    state["rho"].label = "grams per litre \N{MICRO SIGN}"
for form, version in (("NETCDF3_CLASSIC", 1), ("NETCDF3_64BIT_OFFSET", 2), ("NETCDF3_64BIT_DATA", 5)):
    with netcdf4.Dataset(f"foreign_{version}.nc", "w", format=form) as state:
        fill(state)
print("written")
