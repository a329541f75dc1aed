"""What a transfer makes a Fortran run time do, counted: statements, items, runs, bytes, memory.

A micro-run and a mechanism of the benchmark are both a `Transfer`; `count` turns one into numbers, by vendor.
The rules come from the sources of the run times: libgfortran `io/transfer.c` (transfer_array_inner: one call for
each run of the first dimension), flang `runtime/io-api.cpp` and `runtime/descriptor-io.h` (contiguous data in one
piece, anything else element by element) and `runtime/buffer.h` (a record's buffer grows by 65536 bytes at a time).
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Literal

from headrace.results.records import Operation
from headrace.results.run import Vendor

Access = Literal["sequential", "stream", "direct"]
Style = Literal["scalars", "array", "section", "components"]

# bytes: pieces from here on pass by the small buffer. libgfortran io/unix.c UNFORMATTED_BUFFER_SIZE_DEFAULT;
# flang runtime/buffer.h minBuffer
GFORTRAN_BUFFER = 131072
FLANG_BUFFER = 65536
GROWTH_AGAIN = 0.3  # time of growing in memory that an earlier transfer gave back, over the first time (measured)
HEAP_LIMIT = 32 << 20  # bytes: blocks above are always fresh from the kernel, glibc DEFAULT_MMAP_THRESHOLD_MAX

MEANING = {
    "file": "open and close of one file",
    "statement sequential": "one READ or WRITE of an unformatted sequential record",
    "statement stream": "one READ or WRITE, unformatted stream",
    "statement direct": "one READ or WRITE with REC=",
    "position": "one POS= that moves",
    "scalar item": "one scalar in the list",
    "array item": "one array in the list",
    "component": "one component of an array of a derived type",
    "run": "one contiguous run of an array section (flang: one element)",
    "byte small": "one byte in pieces below the run time's buffer (gfortran 128 KiB, flang 64 KiB)",
    "byte large": "one byte in larger pieces",
    "byte uncached": "added for one byte when array and file are twice the cache or more",
    "byte aliased": "added for one byte that read(2) puts 12 bytes ahead of its place in the page (AMD Zen: slow)",
    "byte converted": "added for one byte whose order is swapped",
    "fresh byte": "one byte copied into newly allocated memory: page fault and release (measured, not fitted)",
    "growth byte": "one byte of the buffers that a record passes through while it grows: length**2 / 131072 bytes",
    "text record": "the end of one text record inside a statement",
}


@dataclass(frozen=True)
class Transfer:
    """One file's worth of I/O as a run time sees it."""

    access: Access
    statements: float
    values: float  # in one statement
    style: Style = "array"
    run: float = 0  # values of one contiguous run; 0: all of the statement
    items: float = 1  # list items of a statement that are arrays
    value_bytes: int = 8
    edit: str = ""  # edit descriptor of text, * for list-directed; empty: unformatted
    records: float = 1  # text records of one statement
    array_bytes: float = 0  # memory that is walked; 0: all that is transferred
    positions: float = 0  # statements with POS= that moves
    converted: bool = False
    temporary: bool = False  # the compiler gathers the data in an array of its own
    first: float = 1  # share of transfers that find no memory to use again: 1 / passes of a repeated transfer
    page_aligned: bool = True  # a large array as malloc gives it: 16 bytes into a page

    @property
    def payload(self) -> float:
        return self.statements * self.values * self.value_bytes


@dataclass
class Counts:
    """How often each term of the model applies; text apart, by edit descriptor."""

    terms: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    text: dict[str, tuple[float, float]] = field(default_factory=dict)  # edit: statements, items


def count(transfer: Transfer, vendor: Vendor, operation: Operation, cache_bytes: float) -> Counts:
    """Numbers of everything that costs time; `cache_bytes` is the size of the last-level cache."""
    counts = Counts()
    counts.terms["file"] = 1
    if transfer.edit:
        counts.terms["text record"] = transfer.statements * max(0, transfer.records - 1)
        counts.text[transfer.edit] = (transfer.statements, transfer.statements * transfer.values)
        return counts
    terms = counts.terms
    statements, values = transfer.statements, transfer.values
    terms[f"statement {transfer.access}"] = statements
    terms["position"] = transfer.positions
    piece = _piece(transfer, vendor)
    if transfer.style == "scalars":
        terms["scalar item"] = statements * values
    elif transfer.style == "components":
        terms["component"] = statements * values
    else:
        terms["array item"] = statements * transfer.items
        terms["run"] = statements * values / piece
    _count_bytes(terms, transfer, vendor, operation, piece, cache_bytes)
    if transfer.temporary:
        terms["fresh byte"] += transfer.payload * _fresh_share(transfer, transfer.payload)
    if vendor == "llvm":
        _count_record_buffer(terms, transfer, operation, values * transfer.value_bytes, piece)
    return counts


def _piece(transfer: Transfer, vendor: Vendor) -> float:
    """Values that the run time moves at once."""
    if transfer.style in ("scalars", "components"):
        return 1
    if transfer.style == "section" and vendor == "llvm":
        return 1
    return transfer.run or transfer.values / transfer.items


def _count_bytes(
    terms: defaultdict[str, float],
    transfer: Transfer,
    vendor: Vendor,
    operation: Operation,
    piece: float,
    cache_bytes: float,
) -> None:
    payload = transfer.payload
    large = piece * transfer.value_bytes >= (FLANG_BUFFER if vendor == "llvm" else GFORTRAN_BUFFER)
    terms["byte large" if large else "byte small"] = payload
    walked = (transfer.array_bytes or payload) + payload  # memory and file
    terms["byte uncached"] = payload * min(1.0, max(0.0, walked / cache_bytes - 1)) if cache_bytes else payload
    if transfer.converted:
        terms["byte converted"] = payload
    one_record = transfer.access == "sequential" and transfer.statements == 1
    if vendor != "llvm" and operation == "read" and one_record and large and transfer.page_aligned:
        # the mark puts the data 4 bytes into the file, malloc the array 16 bytes into a page: glibc bug 30994
        terms["byte aliased"] = payload


def _fresh_share(transfer: Transfer, block: float) -> float:
    """How often a block of so many bytes comes from the kernel and not from memory given back before."""
    return 1.0 if block > HEAP_LIMIT else transfer.first


def _count_record_buffer(
    terms: defaultdict[str, float], transfer: Transfer, operation: Operation, length: float, piece: float
) -> None:
    """flang keeps a whole record in memory. `length` in bytes."""
    if length < 2 * FLANG_BUFFER:
        return
    if operation == "write" and piece < transfer.values:
        share = _fresh_share(transfer, length)
        terms["growth byte"] = (share + GROWTH_AGAIN * (1 - share)) * length**2 / (2 * FLANG_BUFFER)
    elif transfer.access == "sequential" and operation == "write":
        # the mark behind the record does not fit: all is moved once more
        terms["fresh byte"] += 2 * length
    else:
        terms["fresh byte"] += length * _fresh_share(transfer, length)
