"""Files of h5py and netCDF4 for read_foreign.cpp, stored in all the ways that libraries know."""

import shutil
from pathlib import Path

from known_values import module, np, values

h5py = module("h5py")
netcdf4 = module("netCDF4")

SHAPE = (13, 7, 5)  # Fortran's order; the dimensions of the datasets are the other way round
real = values("real64", SHAPE)

with h5py.File("foreign.h5", "w") as file:
    file["contiguous"] = real
    file["a/deep/group/array"] = real
    file.create_dataset("gzip", data=real, chunks=(2, 3, 4), compression="gzip", shuffle=True)
    file.create_dataset("checked", data=real, chunks=(5, 7, 13), fletcher32=True)
    file.create_dataset("planes", data=real, chunks=(2, 7, 13))
    file.create_dataset("lines", data=real, chunks=(1, 1, 13))
    file.create_dataset("tiles", data=real, chunks=(2, 3, 4))
    file.create_dataset("growing", data=real, maxshape=(None, 7, 13), chunks=(1, 7, 13))
    file.create_dataset("big_endian", data=real.astype(">f8"))
    file.create_dataset("big_endian_gzip", data=real.astype(">f8"), compression="gzip")
    file.create_dataset("complex_big", data=values("complex128", SHAPE).astype(">c16"))
    file.create_dataset("never_written", shape=(5, 7, 13), dtype="f8", fillvalue=2.5)
    file.create_dataset("logicals", data=values("logical1", SHAPE))
    file.create_dataset("logicals_gzip", data=values("logical1", SHAPE), compression="gzip")
    pair = values("complex64", SHAPE)
    long_names = np.empty(pair.shape, dtype=[("real", "f4"), ("imag", "f4")])
    long_names["real"], long_names["imag"] = pair.real, pair.imag
    file.create_dataset("long_names", data=long_names)
    padded = np.zeros(
        pair.shape, dtype={"names": ["r", "i"], "formats": ["f4", "f4"], "offsets": [4, 12], "itemsize": 20}
    )
    padded["r"], padded["i"] = pair.real, pair.imag
    file.create_dataset("padded", data=padded)
    file.create_dataset("texts", data=values("character7", SHAPE))
    file.create_dataset("texts_utf8", data=values("character7", SHAPE).astype(h5py.string_dtype("utf-8", 7)))
    colour = h5py.enum_dtype({"red": 0, "green": 1, "blue": 7}, basetype="i4")
    file.create_dataset("colours", data=values("int32", SHAPE), dtype=colour)

    compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    compact.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple((5, 7, 13))
    made = h5py.h5d.create(file.id, b"compact", h5py.h5t.IEEE_F64LE, space, compact)
    made.write(h5py.h5s.ALL, h5py.h5s.ALL, real)
    raw = real.tobytes()
    Path("foreign.raw").write_bytes(b"1234" + raw)
    file.create_dataset("external", shape=(5, 7, 13), dtype="f8", external=[("foreign.raw", 4, len(raw))])
    layout = h5py.VirtualLayout(shape=(5, 7, 13), dtype="f8")
    layout[...] = h5py.VirtualSource(file["tiles"])
    file.create_virtual_dataset("virtual", layout)
    file["soft"] = h5py.SoftLink("/a/deep/group/array")
    file["dangling"] = h5py.SoftLink("/nowhere")

    file.create_dataset("unsigned", data=np.zeros((5, 7, 13), dtype="u4"))
    file.create_dataset("half", data=real.astype("f2"))
    file.create_dataset("records", data=np.zeros(4, dtype=[("a", "i4"), ("b", "f8")]))
    file.create_dataset("free_texts", data=["one", "three"])
    file.create_dataset("eight", shape=(2,) * 8, dtype="f4")
    file.create_dataset("null", data=h5py.Empty("f8"))

    note = file["contiguous"].attrs
    note["free"] = "grams per litre"
    note["list"] = ["a", "bcd"]
    note["fixed"] = np.bytes_("abc")
    note["yes"] = np.bool_(True)
    note["count"] = np.int64(42)
    note["big"] = np.array([1.5, -2.5], dtype=">f4")
    note["complex"] = 1 + 2j
    note["unsigned"] = np.uint16(3)
    file.attrs["one"] = np.array([7], dtype="i4")

# A dimension that only counts, and a name that is not UTF-8.
with h5py.File("counted.h5", "w") as file:
    counted = file.create_dataset("u", data=np.arange(8.0).reshape(2, 4), chunks=(1, 4), maxshape=(None, 4))
    scale = file.create_dataset("step", data=np.zeros(2, ">f4"), maxshape=(None,), chunks=(2,))
    scale.make_scale(f"This is a netCDF dimension but not a netCDF variable.{2:10d}")
    counted.dims[0].attach_scale(scale)
    file.create_dataset(b"caf\xe9", data=np.arange(4.0))

with h5py.File("user_block.h5", "w", userblock_size=512) as file:
    file["contiguous"] = real
    file.create_dataset("planes", data=real, chunks=(5, 7, 13))

with h5py.File("latest.h5", "w", libver="latest") as file:
    file["contiguous"] = real
    file.create_dataset("planes", data=real, chunks=(2, 7, 13), maxshape=(None, 7, 13))

with netcdf4.Dataset("foreign.nc", "w") as state:
    for name, extent in (("time", None), ("y", 7), ("x", 13)):
        state.createDimension(name, extent)
    state.createVariable("rho", "f8", ("time", "y", "x"), zlib=True)[:] = real
    state["rho"].units = "kg/m3"
    state.createVariable("time", "f8", ("time",))[:] = np.arange(5)
print("written")

# In which HDF5 uses no space twice, so that they grow.
with h5py.File("block_grows.h5", "w", userblock_size=512, fs_strategy="aggregate") as file:
    file["contiguous"] = real
with h5py.File("latest_grows.h5", "w", libver="latest", fs_strategy="aggregate") as file:
    file["contiguous"] = real

# As a program leaves it that is killed while it writes.
with h5py.File("written.h5", "w", libver="latest") as file:
    file["contiguous"] = real
    file.flush()
    shutil.copyfile("written.h5", "killed.h5")

# Whose opening for writing HDF5 notes in the file.
with h5py.File("cannot_grow.h5", "w", libver="latest") as file:
    file["contiguous"] = real
