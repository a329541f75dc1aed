"""What is timed: every way to write or read the arrays, by each tool. Next: ../workers.py."""

import json
from dataclasses import dataclass

from headrace.results.records import Operation

BLOCKS = (1, 4, 8)  # MiB of one write(2) or read(2)
OVERWRITTEN = 4  # MiB of one write(2) in place
GFORTRAN_SHARE = 10  # its loop reads a tenth of the records
SCIPY_SHARE = 500
NUMPY_SHARE = 10


@dataclass(frozen=True)
class Way:
    """One tool writing or reading one form of the array."""

    tool: str  # a key of tools.py, for example "headrace", "gnu", "numpy"
    operation: Operation
    name: str
    how: str  # passed to the worker
    layout: str = ""  # passed to the worker
    form: str = ""  # of forms.FORMS: the file that is read, or what the written one must be; "": no file
    share: int = 1  # only the first 1/share of the array: rates are compared
    in_place: bool = False  # over the pages of the file before, instead of a fresh file
    source: str = ""  # writes that copy a file: its form
    note: str = ""

    @property
    def key(self) -> str:
        return f"{self.tool}:{self.name}:{self.operation}"


def array_ways() -> list[Way]:
    """headrace, write(2) and read(2), numpy, memory; whole arrays."""
    ways: list[Way] = []
    for form in ("raw", "unformatted", "npy", "big-endian"):
        options = json.dumps({"byte_order": "big"} if form == "big-endian" else {})
        ways.append(Way("headrace", "write", form, "array", options, form))
        ways.append(Way("headrace", "read", form, "array", options, form))
    again = json.dumps({"replace": "in_place"})
    for form in ("raw", "unformatted"):
        ways.append(Way("headrace", "write", f"{form} in place", "array", again, form, in_place=True))
    ways.append(Way("headrace", "read", "npy, new array", "new", "{}", "npy"))
    for size in BLOCKS:
        ways.append(Way("system", "write", f"write(2), {size} MiB", "blocks", str(size << 20), "raw"))
        ways.append(Way("system", "read", f"read(2), {size} MiB", "blocks", str(size << 20), "raw"))
    name = f"write(2), {OVERWRITTEN} MiB in place"
    ways.append(Way("system", "write", name, "blocks", str(OVERWRITTEN << 20), "raw", in_place=True))
    ways += [
        Way("numpy", "write", "save", "save", "", "npy"),
        Way("numpy", "read", "load", "load", "", "npy"),
        Way("memory", "read", "memcpy", "memcpy"),
        *(Way("memory", "read", f"swap {size} bytes", "swap", str(size)) for size in (8, 4, 2)),
    ]
    return ways


def fortran_ways(tool: str, is_gnu: bool) -> list[Way]:
    """What a Fortran program does without a library; `tool` is a compiler."""
    forms = [("unformatted", "unformatted"), ("stream", "raw")]
    if is_gnu:
        forms.append(("big-endian", "big-endian"))
    ways = [Way(tool, "write", name, name, "replace", form) for name, form in forms]
    ways += [Way(tool, "read", name, name, "", form) for name, form in forms]
    if is_gnu:
        ways += [Way(tool, "write", f"{name} in place", name, "old", form, in_place=True) for name, form in forms[:2]]
    return ways


def record_ways() -> list[Way]:
    """Many short records, each reader at its own share of the file."""
    return [
        Way("headrace", "read", "records", "records", "", "short records"),
        Way("headrace", "read", "scan", "scan", "", "short records"),
        Way("gnu", "read", "records", "records", "", "short records", GFORTRAN_SHARE),
        Way("scipy", "read", "records", "records", "", "short records", SCIPY_SHARE, note="FortranFile.read_ints"),
        Way("numpy", "read", "structured", "structured", "", "short records", NUMPY_SHARE, note="fromfile, known size"),
    ]


def convert_ways() -> list[Way]:
    """Programs that make one file of another, and the function behind `headrace convert`."""
    targets = (
        ("little to big", "records, big-endian", ["--to-byte-order", "big", "--kind", "int64"], [1, 4]),
        ("markers of 4 to 8", "records, long markers", ["--to-record-marker", "8"], [0, 8]),
    )
    ways = [Way("cp", "write", "copy", "cp", "[]", "records", source="records")]
    for name, form, words, numbers in targets:
        ways.append(Way("convert", "write", name, "command", json.dumps(words), form, source="records"))
        ways.append(Way("library", "write", name, "library", json.dumps(numbers), form, source="records"))
    for name, source in (("records to npy", "records"), ("npy to npy", "npy")):
        words = ["--to", "npy", *(["--kind", "int64"] if source == "records" else [])]
        ways.append(Way("convert", "write", name, "command", json.dumps(words), "npy", source=source))
    return ways


def inspect_ways() -> list[Way]:
    """Of a large file that has just been written."""
    said = "unformatted sequential, 4-byte markers, little endian"
    return [Way("inspect", "read", "inspect", "inspect", said, "records")]
