"""Dimensions of HDF5 files that have a name and no values, as NetCDF-4 has them."""

from typing import Any

ONLY_A_DIMENSION = "This is a netCDF dimension but not a netCDF variable"  # how its title begins


def add_placeholder(file: Any, path: str, extent: int) -> Any:
    """A scale of `extent` elements that nobody writes; `file` is h5py's."""
    scale = file.create_dataset(path, (extent,), ">f4")
    scale.make_scale(f"{ONLY_A_DIMENSION}.{extent:10d}")
    return scale
