"""Which tests of a suite `make test` leaves to `make testall`: python3 setup/left_out.py <suite>.

test/testall_only.txt has a line `suite pattern` for each; `*` is the only special character of a pattern. Printed is a
regular expression for ctest, and what GoogleTest's programs take for all others.
"""

import re
import sys
from pathlib import Path

LIST = Path(__file__).resolve().parents[1] / "test" / "testall_only.txt"


def patterns(suite: str) -> list[str]:
    lines = [line.split() for line in LIST.read_text().splitlines() if line and not line.startswith("#")]
    return [pattern for name, pattern in lines if name == suite]


def expression(pattern: str) -> str:
    """The pattern as a regular expression, for Python and CMake alike."""
    return ".*".join(re.sub(r"([^A-Za-z0-9_:/-])", r"\\\1", part) for part in pattern.split("*"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    found = patterns(sys.argv[1])
    if sys.argv[1] == "ctest":
        print("^(" + "|".join(map(expression, found)) + ")$")
    else:
        print(":".join(found))
