"""A worker of `headrace bench binary` in Python: keeps its arrays, obeys one command a line, answers with times.

    python -m headrace.measure.binary.python_worker TOOL FILE KIND ROWS COLUMNS

Commands and answers are those of bench/harness/worker.f90. FILE holds the values; a tool that has none (cp, convert,
inspect) is given rows = 0.
"""

import ctypes
import importlib
import json
import os
import subprocess
import sys
from ctypes import byref, c_int64, c_longlong, c_size_t, c_void_p

import numpy as np

import headrace
from headrace import native
from headrace.containers.records.copies import RecordLayout, WordRun
from headrace.measure.text.python_worker import Tool, Values, serve


class Headrace(Tool):
    """Whole arrays through the C interface; `layout` holds options as JSON."""

    version = headrace.__version__

    def __init__(self, values: Values, threads: int) -> None:
        super().__init__(values, threads)
        self.target = np.zeros_like(values)
        self.found: Values = self.target

    def prepare_read(self, how: str, file: str) -> None:
        self.found = self.target
        self.target[...] = 0

    def write(self, how: str, layout: str, file: str) -> None:
        headrace.write_array(file, _as_fortran(self.values, file), **json.loads(layout))

    def read(self, how: str, layout: str, file: str) -> None:
        if how == "new":  # what numpy.load does: the memory is new as well
            self.found = np.empty_like(self.values)
        headrace.read_array(file, _as_fortran(self.found, file), **json.loads(layout))

    def result(self) -> Values:
        return self.found


def _as_fortran(values: Values, file: str) -> Values:
    """Formats that keep indices get x(columns, rows), the others the same bytes in the order of memory."""
    return values.T if file.endswith(".npy") else values


class Records(Headrace):
    """Short records, all with one call; or only their markers."""

    counted = 0

    def read(self, how: str, layout: str, file: str) -> None:
        records = c_int64()
        native.call("hr_open_records", os.fsencode(file), None, byref(records))
        try:
            if how == "scan":
                count, following = c_longlong(), c_longlong()
                native.call("hr_count_records", records, byref(count), byref(following))
                self.counted = count.value
            else:
                described = native.Array(self.target.ctypes.data, self.target.itemsize, native.INTEGER, 1)
                described.extent[0], described.stride[0] = self.target.size, self.target.itemsize
                native.call("hr_read_records", records, byref(described))
        finally:
            native.call("hr_close_records", byref(records))

    def prepare_read(self, how: str, file: str) -> None:
        self.counted = 0
        if how == "scan":
            return
        super().prepare_read(how, file)

    def differences(self, tolerance: float) -> int:
        """A scan must find every record; a read every value."""
        if self.counted:
            return abs(self.counted - int(self.values.size))
        return super().differences(tolerance)


class System(Tool):
    """write(2) and read(2) of the array's own memory, in blocks of `layout` bytes."""

    version = os.uname().release

    def __init__(self, values: Values, threads: int) -> None:
        super().__init__(values, threads)
        self.target = np.zeros_like(values)

    def prepare_read(self, how: str, file: str) -> None:
        self.target[...] = 0

    def write(self, how: str, layout: str, file: str) -> None:
        view, block = memoryview(self.values.reshape(-1)).cast("B"), int(layout)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT, 0o666)
        for begin in range(0, len(view), block):
            piece = view[begin : begin + block]
            if os.write(descriptor, piece) != len(piece):
                raise OSError("a short write")
        os.close(descriptor)

    def read(self, how: str, layout: str, file: str) -> None:
        view, block = memoryview(self.target.reshape(-1)).cast("B"), int(layout)
        descriptor = os.open(file, os.O_RDONLY)
        for begin in range(0, len(view), block):
            piece = view[begin : begin + block]
            if os.readv(descriptor, [piece]) != len(piece):
                raise OSError("a short read")
        os.close(descriptor)

    def result(self) -> Values:
        return self.target


class Numpy(Tool):
    """save and load; short records of one known size through a structured type."""

    version = np.__version__
    found: Values = None

    def prepare_read(self, how: str, file: str) -> None:
        self.found = None

    def write(self, how: str, layout: str, file: str) -> None:
        np.save(file, self.values)

    def read(self, how: str, layout: str, file: str) -> None:
        if how == "load":
            self.found = np.load(file).T
            return
        record = np.dtype([("before", "<i4"), ("value", self.values.dtype), ("after", "<i4")])
        self.found = np.fromfile(file, record, self.values.size)["value"].reshape(self.values.shape)

    def result(self) -> Values:
        return self.found


class Scipy(Tool):
    """scipy.io.FortranFile: a call a record."""

    def __init__(self, values: Values, threads: int) -> None:
        super().__init__(values, threads)
        self.library, self.version = importlib.import_module("scipy.io"), importlib.import_module("scipy").__version__
        self.target = np.zeros(values.size, values.dtype)

    def prepare_read(self, how: str, file: str) -> None:
        self.target[...] = 0

    def read(self, how: str, layout: str, file: str) -> None:
        with self.library.FortranFile(file, "r", header_dtype=np.uint32) as stream:
            for i in range(self.target.size):
                self.target[i] = stream.read_ints(self.target.dtype)[0]

    def result(self) -> Values:
        return self.target.reshape(self.values.shape)


class Memory(Tool):
    """Copies in memory, with and without turning words round."""

    version = os.uname().release

    def __init__(self, values: Values, threads: int) -> None:
        super().__init__(values, threads)
        self.target = np.zeros_like(values)
        self.word = 0
        self.copy = ctypes.CDLL(None).memcpy
        self.copy.argtypes = (c_void_p, c_void_p, c_size_t)
        self.copy.restype = c_void_p
        self.swap = native.library().hr_swap_bytes
        self.swap.argtypes = (c_void_p, c_void_p, c_size_t, c_size_t)
        self.swap.restype = None

    def prepare_read(self, how: str, file: str) -> None:
        self.target[...] = 0

    def read(self, how: str, layout: str, file: str) -> None:
        to, source, size = self.target.ctypes.data, self.values.ctypes.data, self.values.nbytes
        self.word = 0
        if how == "memcpy":
            self.copy(to, source, size)
        else:
            self.word = int(layout)
            self.swap(to, source, size // self.word, self.word)

    def result(self) -> Values:
        if not self.word:
            return self.target
        return self.target.view(f"u{self.word}").byteswap().view(self.values.dtype).reshape(self.values.shape)


class Command(Tool):
    """Programs as a user starts them, the start of the process inside the clock."""

    program: tuple[str, ...] = (sys.executable, "-m", "headrace")
    converting: tuple[str, ...] = ("convert",)

    def __init__(self, values: Values, threads: int) -> None:
        super().__init__(values, threads)
        self.output = self.expected = ""
        self._run("--version")
        self.version = self.output.partition("\n")[0]

    def write(self, how: str, layout: str, file: str) -> None:
        options = json.loads(layout)
        self._run(*self.converting, *options["words"], options["source"], file)

    def read(self, how: str, layout: str, file: str) -> None:
        self._run("inspect", file)
        self.expected = layout

    def _run(self, *words: str) -> None:
        command = [*self.program, *words]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        if done.returncode != 0:
            lines = [line for line in (done.stderr or done.stdout).splitlines() if not line.startswith((" ", "usage:"))]
            said = lines[0] if lines else "no message"
            raise OSError(f"{' '.join(words)}: exit code {done.returncode}: {said}")
        self.output = done.stdout

    def differences(self, tolerance: float) -> int:
        """An inspection must name the form of the file."""
        return 0 if "unformatted" in self.output else 1

    def result(self) -> Values:
        return self.values


class Convert(Tool):
    """The function behind `headrace convert`, in a process that runs already; from little endian, markers of 4."""

    version = headrace.__version__

    def write(self, how: str, layout: str, file: str) -> None:
        options = json.loads(layout)
        is_big, marker = options["words"]
        run = WordRun(0, 0, self.values.itemsize)
        native.call(
            "hr_convert_records",
            os.fsencode(options["source"]),
            byref(RecordLayout(1, 0, 4)),
            os.fsencode(file),
            byref(RecordLayout(1, is_big, marker)),
            byref(run),
            c_size_t(1),
            None,
            None,
            None,
        )


class Cp(Command):
    """cp of coreutils."""

    program = ("cp",)
    converting = ()


TOOLS: dict[str, type[Tool]] = {
    "headrace": Headrace,
    "headrace-records": Records,
    "system": System,
    "numpy": Numpy,
    "scipy": Scipy,
    "memory": Memory,
    "convert": Convert,
    "command": Command,
    "cp": Cp,
}


def main() -> None:
    """Obey until the end of standard input."""
    name, file, kind, rows, columns = sys.argv[1:]
    values: Values = np.empty((0, 1), kind)
    if int(rows):
        # Copies of records are only compared: they share the pages of the file.
        shape = (int(rows), int(columns))
        mapped = np.memmap(file, kind, "r", shape=shape)
        values = mapped if int(columns) == 1 else np.fromfile(file, kind, mapped.size).reshape(shape)
    serve(TOOLS[name](values, 1))


if __name__ == "__main__":
    main()
