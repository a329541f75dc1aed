"""Files of netCDF4 for library_foreign.cpp: write_foreign.py, in an empty directory."""

from known_values import netCDF4, np, values

SHAPE = (13, 7, 5)  # Fortran's order
REAL = values("real64", SHAPE)


def fill(state: netCDF4.Dataset) -> None:
    for name, extent in (("time", None), ("z", 5), ("y", 7), ("x", 13), ("letters", 7)):
        state.createDimension(name, extent)
    state.createVariable("rho", "f8", ("z", "y", "x"))[:] = REAL
    state.createVariable("time", "f8", ("time",))[:] = [0.5, 1.5]
    state.createVariable("u", "f4", ("time", "y", "x"))[:] = np.stack([values("real32", (13, 7), 100 * k) for k in (1, 2)])
    packed = state.createVariable("packed", "i2", ("z", "y", "x"))
    packed.set_auto_scale(False)
    packed[:] = values("int16", SHAPE)
    packed.scale_factor = 0.5
    state.createVariable("names", "S1", ("z", "letters"))[:] = netCDF4.stringtochar(np.array([f"t{k}     " for k in range(5)], "S7"))
    state["rho"].units = "kg/m3"
    state["rho"].level = np.int32(7)
    state.title = "not ours"


with netCDF4.Dataset("foreign_4.nc", "w") as state:
    fill(state)
    for name, kind in (("u8", "u1"), ("u64", "u8"), ("free", str)):
        state.createVariable(name, kind, ("z",))
    state.createVariable("gzip", "f8", ("z", "y", "x"), zlib=True, shuffle=True)[:] = REAL
    state.createVariable("big", ">i4", ("z", "y", "x"), endian="big")[:] = values("int32", SHAPE)
    inner = state.createGroup("inner")
    inner.createVariable("rho", "f8", ("z", "y", "x"))[:] = REAL
    state["rho"].label = "grams per litre \N{MICRO SIGN}"
for form, file in (("NETCDF3_CLASSIC", "foreign_1.nc"), ("NETCDF3_64BIT_OFFSET", "foreign_2.nc"), ("NETCDF3_64BIT_DATA", "foreign_5.nc")):
    with netCDF4.Dataset(file, "w", format=form) as state:
        fill(state)
print("written")
