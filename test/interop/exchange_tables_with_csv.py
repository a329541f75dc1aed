"""Python's csv module reads what write_table wrote, and read_table what the csv module wrote."""

import csv
import subprocess
import sys
from pathlib import Path

NASTY = ["plain", "with, comma", 'say "hi"', "two\nlines", "", " blank"]


def rows_of(file: str) -> list[list[str]]:
    """All rows, the header first."""
    with Path(file).open(newline="", encoding="utf-8") as stream:
        return list(csv.reader(stream, strict=True))


def check_written(program: str) -> None:
    """What headrace wrote is what Fortran held."""
    subprocess.run([program, "write"], check=True)
    header, *rows = rows_of("from_headrace.csv")
    assert header == ["text, quoted", "i", "x", "z", "flag"], header
    assert [row[0] for row in rows] == NASTY, rows
    assert [int(row[1]) for row in rows] == [2**63 - 1 - i for i in range(6)], rows
    assert [float(row[2]) for row in rows] == [0.1 * i for i in range(1, 7)], rows
    assert [complex(row[3]) for row in rows] == [complex(i, -i) for i in range(1, 7)], rows
    assert [row[4] for row in rows] == ["F", "T"] * 3, rows
    quotes = Path("from_headrace.csv").read_text(encoding="utf-8").count('"')
    assert quotes == 2 + 2 + 6 + 2 + 2, "quotes only where they are needed"


def check_read(program: str, **dialect: int | str) -> None:
    """What headrace read from the csv module's file and wrote again is the same."""
    header = ["x", 'a "name"', "text"]
    rows = [[repr(0.25 * i), f"n{i}", NASTY[i]] for i in range(6)]
    with Path("from_python.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, **dialect).writerows([header, *rows])
    subprocess.run([program, "read"], check=True)
    found_header, *found = rows_of("from_headrace.csv")
    assert found_header == header, found_header
    assert [row[1:] for row in found] == [row[1:] for row in rows], found
    assert [float(row[0]) for row in found] == [0.5 * i for i in range(6)], found


def main() -> None:
    """Run the program given as the argument."""
    program = sys.argv[1]
    check_written(program)
    check_read(program)
    check_read(program, quoting=csv.QUOTE_ALL)
    check_read(program, lineterminator="\n")
    print("csv and headrace agree")


if __name__ == "__main__":
    main()
