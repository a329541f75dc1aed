"""What many_arrays.cpp writes, by h5py from one process that has the whole arrays already.

    python many_arrays_h5py.py [arrays [bytes of each array [rounds]]]

The file is written in the current directory, and is new in every round. The least of the rounds counts.
"""

import sys
import time
from pathlib import Path

import h5py
import numpy as np

FILE = Path("many_h5py.h5")


def write(arrays: int, values: np.ndarray, has_names: bool) -> tuple[float, float]:
    """Seconds and processor seconds of a round; has_names: with the dimension x, as in headrace's files."""
    FILE.unlink(missing_ok=True)
    begin, busy = time.perf_counter(), time.process_time()
    with h5py.File(FILE, "w") as file:
        if has_names:
            file["x"] = np.zeros(values.size, ">f4")
            file["x"].make_scale("This is a netCDF dimension but not a netCDF variable.")
        for number in range(arrays):
            made = file.create_dataset(f"array{number}", data=values)
            if has_names:
                made.dims[0].attach_scale(file["x"])
    return time.perf_counter() - begin, time.process_time() - busy


def main() -> None:
    arrays, size, rounds = (int(given) for given in (sys.argv[1:] + ["1000", "8192", "3"][len(sys.argv) - 1 :])[:3])
    values = np.ones(size // 8)
    for name, has_names in (("h5py", False), ("with dimensions", True)):
        took = [write(arrays, values, has_names) for _ in range(rounds)]
        least, busy = (1e6 * min(one[part] for one in took) / arrays for part in (0, 1))
        print(f"{name:16} {least:9.1f} us/array, {busy:9.1f} busy")


main()
