"""Mixed tables (dates, times, texts, integers, reals, gaps) read and written by headrace and by others.

Not a test: python test/benchmarks/mixed_tables.py --rows 1000000 --threads 1 2
Peers that are not installed are left out: polars, pandas, pyarrow; pigz and gzip as programs. The library is that of
the package headrace, or HEADRACE_LIBRARY. Each tool is a process of its own, told how many threads it may have; rounds
alternate between them, a ratio is made of two times of one round, and wall and processor time are both shown.
"""

import argparse
import ctypes
import gzip
import importlib.util
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

NAMES = ["date", "time", "station", "category", "count", "temperature", "pressure", "wind", "rain", "flux"]
STATION = 24
CATEGORY = 12


# ---- the data ----


def columns(rows: int) -> dict[str, Any]:
    """Ten columns, the same for every tool: a row each ten seconds at one of 200 stations."""
    rng = np.random.default_rng(20)
    seconds = 1262304000 + 10 * np.arange(rows, dtype=np.int64)
    stations = np.array(
        [f"Station {i:03d}, North" if i % 5 == 0 else f"Weather mast {i}" for i in range(200)], dtype=f"S{STATION}"
    )
    categories = np.array(["clear", "cloudy", "rain", "snow", "fog", "storm", "unknown"], dtype=f"S{CATEGORY}")
    rain = np.round(rng.gamma(0.5, 2, rows), 1)
    rain[rng.random(rows) < 0.05] = np.nan
    return {
        "date": seconds - seconds % 86400,
        "time": seconds,
        "station": stations[rng.integers(0, len(stations), rows)],
        "category": categories[rng.integers(0, len(categories), rows)],
        "count": rng.integers(-5000, 200000, rows),
        "temperature": np.round(rng.normal(10, 8, rows), 2),
        "pressure": np.round(rng.normal(1013, 9, rows), 3),
        "wind": np.round(rng.gamma(2, 3, rows), 1),
        "rain": rain,
        "flux": rng.normal(0, 1, rows),
    }


def write_input(file: Path, data: dict[str, Any]) -> None:
    """The file that is read: dates as dates, five in a hundred values missing, quotes where they are needed."""
    days = np.datetime_as_string(data["date"].astype("datetime64[s]"), unit="D")
    times = np.datetime_as_string(data["time"].astype("datetime64[s]"), unit="s")
    texts = [days, times, [f'"{name}"' if "," in name else name for name in data["station"].astype(str)]]
    texts.append(data["category"].astype(str))
    for name in NAMES[4:]:
        texts.append(["" if value != value else repr(value) for value in data[name].tolist()])
    with file.open("w") as out:
        out.write(",".join(NAMES) + "\n")
        out.writelines(",".join(row) + "\n" for row in zip(*texts, strict=True))


# ---- headrace, by its C interface ----


class Style(ctypes.Structure):
    """hr_text_style, with room for members that come."""

    _fields_ = (
        ("fmt", ctypes.c_char_p),
        ("decimals", ctypes.POINTER(ctypes.c_int)),
        ("decimal", ctypes.c_char_p),
        ("imaginary", ctypes.c_char_p),
        ("missing", ctypes.c_char_p),
        ("threads", ctypes.c_int),
        ("since", ctypes.c_char_p),
        ("room", ctypes.c_char * 64),
    )


class Options(ctypes.Structure):
    """hr_table_options, with room for members that come."""

    _fields_ = (
        ("characters", ctypes.c_char * 4),
        ("numbers", ctypes.c_int * 5),
        ("missing", ctypes.c_char_p),
        ("threads", ctypes.c_int),
        ("room", ctypes.c_char * 64),
    )


class HeadraceTool:
    """The calls of a program: read, then get each column into an array; put each column, then write."""

    def __init__(self, threads: int, data: dict[str, Any]) -> None:
        from headrace import native

        self.native = native
        self.library = ctypes.CDLL(native.library_path())
        self.threads = threads
        self.data = data
        self.result: dict[str, Any] = {}

    def check(self, status: int, error: Any) -> None:
        if status != 0:
            raise SystemExit(bytes(error.message).decode())

    def array(self, values: Any) -> Any:
        kinds = {"i": self.native.INTEGER, "f": self.native.REAL, "S": self.native.CHARACTER}
        result = self.native.Array(values.ctypes.data, values.itemsize, kinds[values.dtype.kind], 1)
        result.extent[0], result.stride[0] = len(values), values.itemsize
        return result

    def style(self, **members: Any) -> Any:
        return Style(threads=self.threads, **members)

    def options(self) -> Any:
        return Options(threads=self.threads)

    def style_of(self, name: str) -> Any:
        if name in ("date", "time"):
            return self.style(since=b"1970-01-01")
        return self.style(missing=b"nan" if name == "rain" else None)

    def read(self, file: str) -> None:
        error, table, rows = self.native.Error(), ctypes.c_int64(0), ctypes.c_int64(0)
        self.check(
            self.library.hr_table_read(
                file.encode(), ctypes.byref(table), ctypes.byref(self.options()), ctypes.byref(error)
            ),
            error,
        )
        self.check(self.library.hr_table_shape(table, ctypes.byref(rows), None, ctypes.byref(error)), error)
        self.result = {}
        for name in NAMES:
            values = np.empty(rows.value, dtype=self.data[name].dtype)
            self.result[name] = values
            self.check(
                self.library.hr_table_get(
                    table,
                    name.encode(),
                    ctypes.c_int64(0),
                    ctypes.byref(self.array(values)),
                    ctypes.byref(self.style_of(name)),
                    ctypes.byref(error),
                ),
                error,
            )
        self.check(self.library.hr_table_close(ctypes.byref(table), ctypes.byref(error)), error)

    def prepare(self) -> None:
        """Fortran's characters end with blanks."""
        for name in ("station", "category"):
            values = self.data[name]
            self.data[name] = np.char.ljust(values, values.itemsize).astype(values.dtype)

    def write(self, file: str) -> None:
        error, table = self.native.Error(), ctypes.c_int64(0)
        for name in NAMES:
            self.check(
                self.library.hr_table_put(
                    ctypes.byref(table),
                    name.encode(),
                    ctypes.byref(self.array(self.data[name])),
                    ctypes.byref(self.style_of(name)),
                    ctypes.byref(error),
                ),
                error,
            )
        self.check(
            self.library.hr_table_write(file.encode(), table, ctypes.byref(self.options()), ctypes.byref(error)), error
        )
        self.check(self.library.hr_table_close(ctypes.byref(table), ctypes.byref(error)), error)

    def checked(self) -> bool:
        same = [np.array_equal(self.result[n], self.data[n], equal_nan=n in NAMES[5:]) for n in NAMES[4:]]
        texts = [np.array_equal(np.char.rstrip(self.result[n]), np.char.rstrip(self.data[n])) for n in NAMES[2:4]]
        return all(same + texts + [np.array_equal(self.result[n], self.data[n]) for n in NAMES[:2]])


# ---- the others ----


class PolarsTool:
    """read_csv with a schema, write_csv."""

    def __init__(self, threads: int, data: dict[str, Any]) -> None:
        import polars as pl

        self.pl, self.threads, self.data = pl, threads, data
        whole = [pl.Date, pl.Datetime("us"), pl.String, pl.String, pl.Int64, *[pl.Float64] * 5]
        self.schema = dict(zip(NAMES, whole, strict=True))

    def prepare(self) -> None:
        pl = self.pl
        frame = pl.DataFrame({name: v.astype(str) if v.dtype.kind == "S" else v for name, v in self.data.items()})
        date = pl.from_epoch(pl.col("date"), time_unit="s").cast(pl.Date)
        self.frame = frame.with_columns(
            date, pl.from_epoch(pl.col("time"), time_unit="s"), pl.col("rain").fill_nan(None)
        )

    def read(self, file: str) -> None:
        self.result = self.pl.read_csv(file, schema=self.schema)

    def read_guessing(self, file: str) -> None:
        self.result = self.pl.read_csv(file, try_parse_dates=True)

    def write(self, file: str) -> None:
        if file.endswith(".gz"):
            with gzip.open(file, "wb", compresslevel=6) as out:
                self.frame.write_csv(out)
            return
        self.frame.write_csv(file)

    def write_compressed(self, file: str) -> None:
        self.frame.write_csv(file, compression="gzip")

    def checked(self) -> bool:
        return bool(self.result.equals(self.frame))


class PandasTool:
    """read_csv and to_csv, as most users call them."""

    def __init__(self, threads: int, data: dict[str, Any]) -> None:
        import pandas as pd

        self.pd, self.threads, self.data = pd, threads, data

    def prepare(self) -> None:
        frame = self.pd.DataFrame({n: v.astype(str) if v.dtype.kind == "S" else v for n, v in self.data.items()})
        frame["date"] = self.pd.to_datetime(frame["date"], unit="s")
        frame["time"] = self.pd.to_datetime(frame["time"], unit="s")
        self.frame = frame

    def read(self, file: str) -> None:
        self.result = self.pd.read_csv(file, parse_dates=["date", "time"])

    def write(self, file: str) -> None:
        self.frame.to_csv(file, index=False)

    def checked(self) -> bool:
        return len(self.result) == len(self.frame)


class PyarrowTool:
    """pyarrow.csv."""

    def __init__(self, threads: int, data: dict[str, Any]) -> None:
        import pyarrow as pa
        import pyarrow.csv as csv

        self.pa, self.csv, self.data, self.threads = pa, csv, data, threads
        pa.set_cpu_count(threads)

    def prepare(self) -> None:
        texts = {name: values.astype(str) for name, values in self.data.items() if values.dtype.kind == "S"}
        made = {name: self.pa.array(texts.get(name, values)) for name, values in self.data.items()}
        for name in ("date", "time"):
            made[name] = made[name].cast(self.pa.timestamp("s"))
        self.frame = self.pa.table(made)

    def read(self, file: str) -> None:
        self.result = self.csv.read_csv(file, read_options=self.csv.ReadOptions(use_threads=self.threads > 1))

    def write(self, file: str) -> None:
        self.csv.write_csv(self.frame, file)

    def checked(self) -> bool:
        return bool(self.result.num_rows == self.frame.num_rows)


TOOLS = {"headrace": HeadraceTool, "polars": PolarsTool, "pandas": PandasTool, "pyarrow": PyarrowTool}


def work(name: str, threads: int, rows: int) -> None:
    """A worker: reads lines of [what, file, repeats], answers [wall, processor] seconds of one repeat."""
    tool = TOOLS[name](threads, columns(rows))
    tool.prepare()
    print("ready", flush=True)
    for line in sys.stdin:
        what, file, repeats = json.loads(line)
        if what == "check":
            print(json.dumps(tool.checked()), flush=True)
            continue
        call: Callable[[str], None] = getattr(tool, what)
        wall, processor = time.perf_counter(), time.process_time()
        for _ in range(repeats):
            call(file)
        spent = [time.perf_counter() - wall, time.process_time() - processor]
        print(json.dumps([s / repeats for s in spent]), flush=True)


# ---- the rounds ----


class Worker:
    """A tool in a process of its own."""

    def __init__(self, name: str, threads: int, rows: int) -> None:
        variables = dict(os.environ, POLARS_MAX_THREADS=str(threads), OMP_NUM_THREADS=str(threads))
        command = [sys.executable, __file__, "--worker", name, "--threads", str(threads), "--rows", str(rows)]
        self.process = subprocess.Popen(
            command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.answer()

    def answer(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("a worker failed: its message stands above")
        return line

    def ask(self, what: str, file: Path, repeats: int = 1) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([what, str(file), repeats]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.answer())

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def program(name: str, threads: int, source: Path, target: Path) -> Any:
    """pigz or gzip on a file that is there."""
    before = os.times()
    wall = time.perf_counter()
    command = [name, *(["-p", str(threads)] if name == "pigz" else []), "-6", "-c", str(source)]
    with target.open("wb") as out:
        subprocess.run(command, stdout=out, check=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return [time.perf_counter() - wall, spent]


def processor_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


def show(what: str, times: dict[str, list[list[float]]]) -> None:
    """A line for each tool: least times, and the ratio to headrace's, round by round."""
    ours = times["headrace"]
    for tool, taken in times.items():
        wall = [theirs[0] / own[0] for theirs, own in zip(taken, ours, strict=True)]
        spent = [theirs[1] / own[1] for theirs, own in zip(taken, ours, strict=True) if own[1] > 0]
        least = [min(t[k] for t in taken) * 1e3 for k in (0, 1)]
        own_least = [min(t[k] for t in ours) * 1e3 for k in (0, 1)]
        print(
            f"{what:<26}{tool:<20}{least[0]:>10.2f}{least[1]:>10.2f}"
            f"{least[0] / own_least[0]:>9.2f}{least[1] / own_least[1]:>9.2f}"
            f"{statistics.median(wall):>9.2f}{statistics.median(spent) if spent else 0:>9.2f}"
        )


def measure(rows: int, threads: int, rounds: int, folder: Path, gz: bool, tools: list[str]) -> None:
    present = [n for n in TOOLS if n == "headrace" or (n in tools and importlib.util.find_spec(n))]
    source = folder / f"in{rows}.csv"
    write_input(source, columns(rows))
    workers = {name: Worker(name, threads, rows) for name in present}
    repeats = max(1, 200_000 // rows)
    size = source.stat().st_size
    print(f"\n{rows} rows, {size / 1e6:.2f} MB, {threads} thread(s), {rounds} rounds")
    print(f"{'':<46}{'ms':>10}{'cpu ms':>10}{'ratio':>9}{'of cpu':>9}{'paired':>9}{'of cpu':>9}")
    ways = [("read", {n: ("read", source) for n in present})]
    if "polars" in present:
        ways[0][1]["polars, guessing"] = ("read_guessing", source)
    ways.append(("write", {n: ("write", folder / f"{n}.csv") for n in present}))
    for what, calls in ways:
        times: dict[str, list[list[float]]] = {n: [] for n in calls}
        for _ in range(rounds):
            for name, (call, file) in calls.items():
                times[name].append(workers[name.split(",")[0]].ask(call, file, repeats))
        show(what, times)
        if what == "read":
            wrong = [n for n in present if not workers[n].ask("check", source)]
            print(f"values that were read: {'all as written' if not wrong else 'WRONG: ' + ', '.join(wrong)}")
    for name in ("headrace", "polars"):
        if name in present:
            workers["headrace"].ask("read", folder / f"{name}.csv")
            print(f"headrace reads what {name} wrote: {workers['headrace'].ask('check', source)}")
    if gz:
        measure_gz(workers, threads, max(2, rounds // 2), folder, source)
    for worker in workers.values():
        worker.close()


def measure_gz(workers: dict[str, Worker], threads: int, rounds: int, folder: Path, source: Path) -> None:
    """Level 6 everywhere. The programs compress a file that is there: they format nothing."""
    ways: dict[str, Callable[[], Any]] = {
        "headrace": lambda: workers["headrace"].ask("write", folder / "headrace.csv.gz")
    }
    for name in ("polars", "pandas"):
        if name in workers:
            ways[name] = lambda name=name: workers[name].ask("write", folder / f"{name}.csv.gz")
    if "polars" in workers:
        ways["polars, own gzip"] = lambda: workers["polars"].ask("write_compressed", folder / "own.csv.gz")
    for name in ("pigz", "gzip"):
        if shutil.which(name):
            ways[name] = lambda name=name: program(name, threads, source, folder / f"{name}.gz")
    times: dict[str, list[list[float]]] = {n: [] for n in ways}
    for _ in range(rounds):
        for name, way in list(ways.items()):
            times[name].append(way())
    show("write .csv.gz", times)
    for file in sorted(folder.glob("*.gz")):
        print(f"  {file.name}: {file.stat().st_size / 1e6:.2f} MB")
    again = folder / "source.csv.gz"
    again.write_bytes(gzip.compress(source.read_bytes(), 6))
    reads: dict[str, list[list[float]]] = {n: [] for n in ("headrace", "polars", "pandas") if n in workers}
    for _ in range(rounds):
        for name in reads:
            reads[name].append(workers[name].ask("read", again))
    show("read .csv.gz", reads)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1000, 1_000_000])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tools", nargs="*", default=list(TOOLS), help="the peers")
    parser.add_argument("--gz", action="store_true", help="also written and read as .csv.gz")
    parser.add_argument("--folder", help="where the files are made; usually a temporary folder")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return work(arguments.worker, arguments.threads[0], arguments.rows[0])
    print(f"{processor_name()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        for rows in arguments.rows:
            for threads in arguments.threads:
                measure(rows, threads, arguments.rounds, Path(folder), arguments.gz and rows > 10000, arguments.tools)
    print(f"load {os.getloadavg()[0]:.1f} at the end")
    return None


if __name__ == "__main__":
    main()
