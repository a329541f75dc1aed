"""Open the stores that codecs and datasets left with zarr-python and xarray. Works in their directory."""

import sys
import warnings
from pathlib import Path
from typing import Any

from known_values import module, np, values

xr = module("xarray")
zarr = module("zarr")

__all__ = ["expected", "np", "zarr"]


def expected(kind: str, shape: tuple[int, ...], first: int = 0) -> Any:
    """The known values in Fortran's order; texts with the blanks behind that Fortran gives them."""
    made = values(kind, shape, first).T
    return np.char.ljust(made, 7) if kind == "character7" else made


def check_round_trip(store: Path) -> None:
    """KIND-13x7x5-N.zarr has one array, written in one of the patterns."""
    kind, extents, _ = store.stem.split("-")
    wanted = expected(kind, tuple(int(extent) for extent in extents.split("x")))
    group = zarr.open_group(store, mode="r")
    array = group["data"]
    assert isinstance(array, zarr.Array)
    assert array.shape == wanted.shape, (store, array.shape)
    assert array.dtype == wanted.dtype, (store, array.dtype)
    np.testing.assert_array_equal(array[...], wanted, err_msg=str(store))
    np.testing.assert_array_equal(array[3:9, ::2, 4], wanted[3:9, ::2, 4], err_msg=str(store))
    for consolidated in (True, False, None):
        with xr.open_zarr(store, consolidated=consolidated) as dataset:
            found = dataset["data"]
            assert found.dims == ("x", "y", "z"), (store, found.dims)
            np.testing.assert_array_equal(found.values, wanted, err_msg=str(store))
            assert found.dtype == wanted.dtype, (store, found.dtype)
    with xr.open_zarr(store, mask_and_scale=True, use_zarr_fill_value_as_mask=True) as dataset:
        assert int(dataset["data"].isnull().sum()) == 0, f"{store}: the fill value masks elements"


def check_state(store: Path) -> None:
    """What datasets.cpp wrote: steps, attributes, dimensions."""
    with xr.open_zarr(store) as state:
        assert dict(state.sizes) == {
            **{"x": 13, "y": 6, "step": 2, "other_step": 1},
            **{"d1": 4, "d2": 3, "d3": 2, "d4": 2, "d5": 2, "d6": 2, "d7": 3},
        }, state.sizes
        assert state["rho"].dims == ("x", "y", "step")
        assert state["other"].dims[-1] == "other_step"
        assert state["step"].values.tolist() == [10, 12]
        assert state["other_step"].values.tolist() == [-7]
        for step, first in ((10, 0), (12, 1000)):
            np.testing.assert_array_equal(state["rho"].sel(step=step).values, expected("real64", (13, 6), first))
            np.testing.assert_array_equal(state["count"].sel(step=step).values, expected("int32", (6,), step))
        np.testing.assert_array_equal(state["mask"].values, expected("logical", (13, 6)))
        assert state["mask"].dtype == np.bool_
        assert state.attrs["integer"] == -5
        assert state.attrs["longs"] == [1, -(2**63), 2**63 - 1]
        assert state.attrs["title"] == 'a "state"\tä'
        rho = state["rho"].attrs
        assert rho["factor"] == 0.1
        assert rho["reals"] == [0.1, -1e30, 3.0]
        assert rho["special"] == ["NaN", "Infinity", "-Infinity"]
        assert rho["names"] == ["ab", "c"]
        assert state["mask"].attrs["yes"] is True
    group = zarr.open(store, mode="r")
    assert isinstance(group, zarr.Group)
    assert sorted(group.array_keys()) == ["count", "mask", "other", "other_step", "rho", "step"]


def main() -> int:
    """Check all stores of the directory."""
    # Characters have no accepted specification yet; zarr-python says so each time.
    warnings.filterwarnings("ignore", message=".*does not have a Zarr V3 specification")
    directory = Path()
    stores = sorted(directory.glob("*-*-*.zarr"))
    for store in stores:
        check_round_trip(store)
    if (directory / "state.zarr").exists():
        stores.append(directory / "state.zarr")
        check_state(stores[-1])
    if not stores:
        print(f"no stores in {Path.cwd()}")
        return 1
    print(f"{len(stores)} stores opened")
    return 0


if __name__ == "__main__":
    sys.exit(main())
