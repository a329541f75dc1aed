"""Checks the file of example 03 without headrace: python3 read_hexadecimal.py <file>. Removes it."""

import sys
from array import array
from pathlib import Path

LINE = len("0x80000000\n")
FIRST, COUNT, BLOCK = 1 << 31, 1 << 25, 1 << 20

file = Path(sys.argv[1])
assert file.stat().st_size == LINE * COUNT, f"{file.stat().st_size} bytes, expected {LINE * COUNT}"
with file.open("rb") as stream:
    for first in range(FIRST, FIRST + COUNT, BLOCK):
        text = stream.read(LINE * BLOCK)
        assert text[0::LINE] == b"0" * BLOCK and text[1::LINE] == b"x" * BLOCK, f"no 0x after {first:#x}"
        assert text[LINE - 1 :: LINE] == b"\n" * BLOCK, f"a line is not {LINE} bytes long after {first:#x}"
        expected = array("I", range(first, first + BLOCK))
        if sys.byteorder == "little":
            expected.byteswap()
        found = bytes.fromhex(text.replace(b"0x", b"").decode())
        assert found == expected.tobytes(), f"another integer after {first:#x}"
file.unlink()
print(f"{COUNT} integers as expected")
