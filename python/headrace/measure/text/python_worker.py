"""A worker of `headrace bench text` in Python: keeps its array, obeys one command a line, answers with times.

    python python_worker.py TOOL FILE KIND ROWS COLUMNS THREADS

Commands and answers are those of bench/harness/worker.f90. It runs with the Python that has the tool: that of
`--peers` has no headrace, so this file imports numpy and, in one class each, its tool.
"""

import importlib
import json
import mmap
import os
import re
import resource
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 1 << 20  # bytes of one write(2) or read(2)
Values = Any  # an array of numpy, typed by the data


class Tool:
    """What is done before, inside and after the clock."""

    version = ""

    def __init__(self, values: Values, threads: int) -> None:
        self.values = values
        self.threads = threads
        self.phases: list[float] = []  # seconds of the parts of a way that has parts

    def prepare_read(self, how: str, file: str) -> None:
        """Outside the clock."""

    def prepare_write(self, how: str, layout: str, file: str) -> None:
        """Outside the clock."""

    def write(self, how: str, layout: str, file: str) -> None:
        raise NotImplementedError

    def read(self, how: str, layout: str, file: str) -> None:
        raise NotImplementedError

    def result(self) -> Values:
        """What was read, as an array like `values`."""
        raise NotImplementedError

    def differences(self, tolerance: float) -> int:
        """How many values were read wrongly."""
        return count_differences(self.values, self.result(), tolerance)


class Headrace(Tool):
    """Through the C interface; options are JSON."""

    def __init__(self, values: Values, threads: int) -> None:
        super().__init__(values, threads)
        headrace = importlib.import_module("headrace")
        self.library, self.version = headrace, headrace.__version__
        self.cells = importlib.import_module("headrace.cells")
        self.target = np.zeros_like(values)
        self.found: Values = self.target

    def prepare_read(self, how: str, file: str) -> None:
        self.target[...] = 0

    def write(self, how: str, layout: str, file: str) -> None:
        if how == "cells":
            self._through_cells(lambda cells: cells.put(self.values, layout), lambda cells: cells.write(file))
            return
        self.library.write_array(file, self.values, threads=self.threads, **json.loads(layout))

    def read(self, how: str, layout: str, file: str) -> None:
        self.found = self.target
        if how == "cells":
            self._through_cells(lambda cells: cells.read(file), lambda cells: cells.get(self.target, layout))
            return
        options = json.loads(layout)
        if how == "new":  # an array of the file's own shape
            self.found = self.library.read_text(file, self.values.dtype, threads=self.threads, **options)
        else:
            self.library.read_array(file, self.target, threads=self.threads, **options)

    def _through_cells(self, first: Callable[[Any], None], second: Callable[[Any], None]) -> None:
        begin = time.perf_counter()
        with self.cells.Cells(self.threads) as cells:
            first(cells)
            middle = time.perf_counter()
            second(cells)
            end = time.perf_counter()
        self.phases = [middle - begin, end - middle]

    def result(self) -> Values:
        return self.found


class Ceiling(Tool):
    """write(2) and read(2) of bytes that are there, in page-aligned memory, as many threads as the others have."""

    version = os.uname().release

    def __init__(self, values: Values, threads: int) -> None:
        super().__init__(values, threads)
        self.source: tuple[str, mmap.mmap] | None = None
        self.target: mmap.mmap | None = None

    def prepare_write(self, how: str, layout: str, file: str) -> None:
        """The bytes of the file called `layout`."""
        if self.source is None or self.source[0] != layout:
            memory = _pages(Path(layout).stat().st_size)
            with open(layout, "rb") as stream:  # noqa: PTH123 - readinto without a copy
                stream.readinto(memory)
            self.source = (layout, memory)

    def prepare_read(self, how: str, file: str) -> None:
        size = Path(file).stat().st_size
        if self.target is None or len(self.target) != size:
            self.target = _pages(size)

    def write(self, how: str, layout: str, file: str) -> None:
        assert self.source is not None
        memory = self.source[1]
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT, 0o666)
        self._in_blocks(memory, lambda piece, offset: os.pwrite(descriptor, piece, offset), how)
        os.ftruncate(descriptor, len(memory))
        os.close(descriptor)

    def read(self, how: str, layout: str, file: str) -> None:
        assert self.target is not None
        descriptor = os.open(file, os.O_RDONLY)
        self._in_blocks(self.target, lambda piece, offset: os.preadv(descriptor, [piece], offset), how)
        os.close(descriptor)

    def result(self) -> Values:
        return self.values  # the bytes are compared as bytes, by `same_bytes`

    def _in_blocks(self, memory: mmap.mmap, transfer: Any, how: str) -> None:
        threads = 1 if how == "one" else self.threads
        view = memoryview(memory)

        def work(number: int) -> None:
            for begin in range(number * BLOCK, len(view), threads * BLOCK):
                piece = view[begin : begin + BLOCK]
                if transfer(piece, begin) != len(piece):
                    raise OSError("a short transfer")

        helpers = [threading.Thread(target=work, args=(number,)) for number in range(1, threads)]
        for helper in helpers:
            helper.start()
        work(0)
        for helper in helpers:
            helper.join()


class Numpy(Tool):
    """savetxt and loadtxt."""

    version = np.__version__
    found: Values = None

    def write(self, how: str, layout: str, file: str) -> None:
        np.savetxt(file, self.values, fmt=layout, delimiter=",")

    def read(self, how: str, layout: str, file: str) -> None:
        self.found = np.loadtxt(file, dtype=self.values.dtype, delimiter=",", ndmin=2)

    def result(self) -> Values:
        return self.found


class Frame(Tool):
    """What the libraries of tables have in common: their table is made outside the clock, and read as a table."""

    frame: Any = None
    found: Any = None

    def columns(self) -> dict[str, Values]:
        return {f"c{i}": np.ascontiguousarray(self.values[:, i]) for i in range(self.values.shape[1])}

    def result(self) -> Values:
        found, self.found = self.found, None
        return self.turn(found)

    def turn(self, found: Any) -> Values:
        raise NotImplementedError


class Pandas(Frame):
    """DataFrame.to_csv and read_csv with its C engine, correctly rounded."""

    def __init__(self, values: Values, threads: int) -> None:
        super().__init__(values, threads)
        pandas = importlib.import_module("pandas")

        self.library, self.version = pandas, pandas.__version__
        self.frame = pandas.DataFrame(self.columns())

    def write(self, how: str, layout: str, file: str) -> None:
        self.frame.to_csv(file, header=False, index=False)

    def read(self, how: str, layout: str, file: str) -> None:
        types = {i: self.values.dtype for i in range(self.values.shape[1])}
        self.found = self.library.read_csv(file, header=None, dtype=types, engine="c", float_precision="round_trip")

    def turn(self, found: Any) -> Values:
        return found.to_numpy()


class PandasFast(Pandas):
    """The same with pandas' default precision, which is not exact."""

    def read(self, how: str, layout: str, file: str) -> None:
        types = {i: self.values.dtype for i in range(self.values.shape[1])}
        self.found = self.library.read_csv(file, header=None, dtype=types, engine="c")


class Polars(Frame):
    """write_csv and read_csv."""

    def __init__(self, values: Values, threads: int) -> None:
        super().__init__(values, threads)
        polars = importlib.import_module("polars")

        self.library, self.version = polars, polars.__version__
        self.frame = polars.DataFrame(self.columns())
        self.schema = dict(self.frame.schema)

    def write(self, how: str, layout: str, file: str) -> None:
        self.frame.write_csv(file, include_header=False)

    def read(self, how: str, layout: str, file: str) -> None:
        self.found = self.library.read_csv(file, has_header=False, schema=self.schema)

    def turn(self, found: Any) -> Values:
        return found.to_numpy()


class Pyarrow(Frame):
    """csv.write_csv and csv.read_csv."""

    def __init__(self, values: Values, threads: int) -> None:
        super().__init__(values, threads)
        pyarrow = importlib.import_module("pyarrow")
        csv = importlib.import_module("pyarrow.csv")
        pyarrow.set_cpu_count(threads)
        self.library, self.version = csv, pyarrow.__version__
        self.frame = pyarrow.table(self.columns())
        self.options = {
            "read_options": self.library.ReadOptions(column_names=self.frame.column_names),
            "convert_options": self.library.ConvertOptions(column_types=self.frame.schema),
        }

    def write(self, how: str, layout: str, file: str) -> None:
        self.library.write_csv(self.frame, file, self.library.WriteOptions(include_header=False))

    def read(self, how: str, layout: str, file: str) -> None:
        self.found = self.library.read_csv(file, **self.options)

    def turn(self, found: Any) -> Values:
        return np.column_stack([column.to_numpy() for column in found.columns])


TOOLS: dict[str, type[Tool]] = {
    "headrace": Headrace,
    "ceiling": Ceiling,
    "numpy": Numpy,
    "pandas": Pandas,
    "pandas-fast": PandasFast,
    "polars": Polars,
    "pyarrow": Pyarrow,
}


def obey(tool: Tool, line: str) -> str:
    """Do what one line asks; returns the answer."""
    verb, how, layout, file, tolerance = line.rstrip("\n").split("\t")
    if verb == "write":
        tool.prepare_write(how, layout, file)
    else:
        tool.prepare_read(how, file)
    tool.phases = []
    resident = _memory("VmRSS")
    _reset_peak()
    before = _processor_time()
    begin = time.perf_counter()
    (tool.write if verb == "write" else tool.read)(how, layout, file)
    wall = time.perf_counter() - begin
    after = _processor_time()
    peak = max(0, _memory("VmHWM") - resident)
    differences = 0 if verb == "write" else tool.differences(float(tolerance))
    return (
        f"done wall={wall:.9f} user={after[0] - before[0]:.6f} "
        f"system={after[1] - before[1]:.6f} peak={peak} differences={differences}"
        + (f" phases={','.join(f'{seconds:.9f}' for seconds in tool.phases)}" if tool.phases else "")
    )


def serve(tool: Tool) -> None:
    """Obey until the end of standard input."""
    print(f"ready {tool.version}", flush=True)
    for line in sys.stdin:
        print(obey(tool, line), flush=True)


def count_differences(expected: Values, found: Values, tolerance: float) -> int:
    """How many values are not those that were written; -0 and 0 are told apart."""
    if expected is found:
        return 0
    if expected.shape != found.shape:
        return int(expected.size)
    if tolerance > 0:
        return int(np.count_nonzero(~(np.abs(expected - found) <= tolerance * np.abs(expected))))
    bits = np.dtype(f"u{expected.dtype.itemsize}")
    exact = np.ascontiguousarray(found, dtype=expected.dtype).view(bits)
    return int(np.count_nonzero(expected.view(bits) != exact))


def _pages(size: int) -> mmap.mmap:
    """Touched memory that begins on a page."""
    memory = mmap.mmap(-1, max(1, size))
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    np.frombuffer(memory, dtype=np.uint8)[::4096] = 0
    return memory


def _processor_time() -> tuple[float, float]:
    """Seconds in user mode and in the kernel, of this process and of those that it has started and that ended."""
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime for one in found), sum(one.ru_stime for one in found)


def _memory(field: str) -> int:
    match = re.search(rf"{field}:\s*(\d+) kB", Path("/proc/self/status").read_text())
    return int(match[1]) * 1024 if match else 0


def _reset_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return  # the peak then is that of the whole life of the process


def main() -> None:
    """Obey until the end of standard input."""
    name, file, kind, rows, columns, threads = sys.argv[1:]
    values = np.fromfile(file, dtype=kind).reshape(int(rows), int(columns))
    serve(TOOLS[name](values, int(threads)))


if __name__ == "__main__":
    main()
