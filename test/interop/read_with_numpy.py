"""Read with numpy what headrace wrote. Exit code 77: numpy is not there."""

import subprocess
import sys

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
