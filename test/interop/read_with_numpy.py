"""Read with numpy what headrace wrote. Exit code 77: numpy is not there."""

import subprocess
import sys
from typing import Any

try:
    import numpy as np
except ImportError as reason:
    print(f"skipped: {reason} (install numpy, or choose a Python with -DPython3_EXECUTABLE=...)")
    sys.exit(77)

subprocess.run([sys.argv[1]], check=True)

x = (np.arange(1, 25) / 7).reshape((4, 3, 2), order="F")
k = (np.arange(1, 6) ** 2 - 20).astype(np.int16)
z = np.arange(1, 4) - 1j * np.arange(1, 4)
expected = {
    "real.raw": x,
    "section.raw": x[3::-2, :, 1],
    "integer.bin": k,
    "complex.raw": z,
    "imaginary.raw": z.imag,
}
for name, array in expected.items():
    found = np.fromfile(name, dtype=array.dtype).reshape(array.shape, order="F")
    np.testing.assert_array_equal(found, array, err_msg=name)
    print(f"{name}: {array.size} elements of {array.dtype}, the same")

npy: dict[str, Any] = {
    "real64": x,
    "section": x[3::-2, :, 1],
    "real32": x.astype("f4"),
    "scalar": x[1, 0, 0],
    "empty": x[:, :0, :],
    "int8": k.astype("i1"),
    "int16": k,
    "int32": k.astype("i4"),
    "int64_big": k.astype(">i8"),
    "complex64": z.astype("c8"),
    "complex128": z,
    "logical": np.array([[True, True], [False, False], [True, False]]),
    "characters": np.array([b"one  ", b"three"]),
}
for name, array in npy.items():
    found = np.load(f"{name}.npy")
    np.testing.assert_array_equal(found, array, err_msg=name)
    assert found.dtype == array.dtype, (name, found.dtype)
    print(f"{name}.npy: {array.size} elements of {array.dtype}, the same")
with np.load("archive.npz") as archive:
    assert archive.files == ["x", "k"], archive.files
    np.testing.assert_array_equal(archive["x"], x)
    np.testing.assert_array_equal(archive["k"], k)
    print("archive.npz: x and k, the same")
