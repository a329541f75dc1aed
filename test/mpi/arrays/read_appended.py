"""What killed programs left opens in other programs too, with all steps that were flushed.

read_appended.py FILE STEPS: appended.cpp wrote it, the steps 1, 2, 3, ... of u and v.
"""

import sys

import numpy as np


def check(found: np.ndarray, shape: tuple[int, ...], step: int, name: str) -> None:
    """Each element says its place in the array and the step, as spread_arrays.cpp puts it."""
    if found.shape != shape:
        sys.exit(f"{name}: step {step} has shape {found.shape}")
    place = (100 * step + np.arange(found.size, dtype=np.int64)).reshape(shape)
    wanted = place + 0.25 if name == "u" else place * 65537 % 2147483647
    if not np.array_equal(found, wanted):
        sys.exit(f"{name}: step {step} has other values")


def main() -> None:
    file, flushed = sys.argv[1], int(sys.argv[2])
    if file.endswith("nc"):
        import netCDF4

        opened = netCDF4.Dataset(file)
        variables = opened.variables
        numbers = variables["step"][:]
    else:
        import h5py

        opened = h5py.File(file)
        variables = opened
        numbers = opened["u"].dims[0][0][:]
    if list(numbers[:flushed]) != list(range(1, flushed + 1)):
        sys.exit(f"the steps are numbered {numbers}")
    for name, shape in (("u", (5, 7, 13)), ("v", (4, 6))):
        if variables[name].shape[0] < flushed:
            sys.exit(f"{name} has {variables[name].shape[0]} steps, {flushed} were flushed")
        for step in range(1, flushed + 1):
            check(np.asarray(variables[name][step - 1]), shape, step, name)
    opened.close()


main()
