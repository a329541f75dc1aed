"""Conversions of large files: the same elements, in memory that does not grow with the file; and no leftovers of those
that were killed."""

import json
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from conftest import start

BYTES = 96 << 20
MORE = 32 << 20  # bytes above those of a small file, far below BYTES
COUNT = BYTES // 8
ROW = 96  # reals of a short record

_MEASURED = """
import re, sys
from headrace.cli import main
code = main()
status = open("/proc/self/status").read()
print(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1])
sys.exit(code)
"""


def resident(folder: Path, *arguments: str) -> int:
    """Bytes that `headrace convert` has in memory at most; not those of the process that starts it."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, "convert", *arguments, "-q"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return 1024 * int(done.stdout.split()[-1])


def in_records(values: NDArray[np.float64], file: Path, length: int, order: str) -> None:
    """Records of so many values, with markers of 4 bytes, by numpy alone."""
    layout = np.dtype([("head", f"{order}i4"), ("x", f"{order}f8", length), ("tail", f"{order}i4")])
    records = np.zeros(values.size // length, layout)
    records["head"] = records["tail"] = 8 * length
    records["x"] = values.reshape(-1, length)
    records.tofile(file)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Large files of one array, and small ones of another."""
    made = tmp_path_factory.mktemp("large")
    for name, count in (("large", COUNT), ("small", 10 * ROW)):
        values = np.random.default_rng(3).random(count)
        values.tofile(made / f"{name}.raw")
        np.save(made / f"{name}.npy", values)
        in_records(values, made / f"{name}.one.unf", count, "<")
        in_records(values, made / f"{name}.many.unf", ROW, "<")
        in_records(values, made / f"{name}.big.unf", ROW, ">")
    return made


CASES = {
    "one record to npy": ("one.unf", "npy", ["--kind", "real64"]),
    "many records to npy": ("many.unf", "npy", ["--kind", "real64"]),
    "big-endian records to npy": ("big.unf", "npy", ["--kind", "real64", "--to-byte-order", "little"]),
    "one record of a file to npy": ("one.unf", "npy", ["--kind", "real64", "--record", "1"]),
    "raw to npy": ("raw", "npy", ["--kind", "real64"]),
    "npy to raw": ("npy", "out.raw", []),
    "npy to one record": ("npy", "out.unf", []),
    "npy to one big-endian record": ("npy", "out.unf", ["--to-byte-order", "big"]),
    "npy to big-endian npy": ("npy", "npy", ["--to-byte-order", "big"]),
}


@pytest.mark.parametrize("case", CASES)
def test_memory_does_not_grow_with_the_file(folder: Path, tmp_path: Path, case: str) -> None:
    source, ending, options = CASES[case]
    used = {}
    for name in ("small", "large"):
        target = tmp_path / f"{name}.{ending}"
        used[name] = resident(folder, f"{name}.{source}", str(target), *options)
        expected = np.load(folder / f"{name}.npy", mmap_mode="r")
        if target.suffix == ".npy":
            found = np.load(target, mmap_mode="r").reshape(-1, order="F")
        else:
            order = ">" if "big" in options else "<"
            skip = 4 if target.suffix == ".unf" else 0
            assert target.stat().st_size == expected.nbytes + 2 * skip
            found = np.memmap(target, f"{order}f8", "r", skip, expected.shape)
            if skip:
                marks = (
                    np.fromfile(target, f"{order}i4", 1),
                    np.memmap(target, f"{order}i4", "r", skip + expected.nbytes),
                )
                assert marks[0][0] == marks[1][0] == expected.nbytes
        assert np.array_equal(found, expected)
        target.unlink()
    assert used["large"] < used["small"] + MORE, f"{(used['large'] - used['small']) >> 20} MiB more"


@pytest.mark.parametrize("order", ["fortran", "c"])
@pytest.mark.parametrize("stored", ["F", "C"])
def test_npy_keeps_its_elements_in_every_order(tmp_path: Path, order: str, stored: str) -> None:
    values = np.arange(24, dtype=">i4").reshape(2, 3, 4)
    np.save(tmp_path / "a.npy", np.asarray(values, order=stored))
    for target in ("b.npy", "b.raw", "b.unf"):
        done = start(tmp_path, "convert", "a.npy", target, "--order", order, "-q")
        assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(tmp_path / "b.npy"), values)
    assert np.load(tmp_path / "b.npy").dtype == values.dtype
    flat = values.reshape(-1, order="F" if order == "fortran" else "C")
    assert np.array_equal(np.fromfile(tmp_path / "b.raw", ">i4"), flat)
    assert np.array_equal(np.fromfile(tmp_path / "b.unf", ">i4"), [96, *flat, 96])


def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    """Between looking at the file and copying it."""
    np.arange(100.0).tofile(tmp_path / "a.raw")
    script = """
        import os, sys
        from pathlib import Path
        from headrace.convert import whole
        from headrace.containers.meter import Meter
        from headrace.containers.request import Request, Side
        from headrace.layout import kinds
        request = Request([Path("a.raw")], Path("b.npy"), Side("raw"), Side("npy"), kinds.find("real64"))
        found = whole.read(request)
        os.utime("a.raw", (1, 1))
        whole.write(request, found, Meter(0))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "the file has changed while it was read" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.raw"]


KILLED = {
    "b.npz": "with whole_file(Path('b.npz')) as part: part.write_bytes(b'part'); die()",
    "b.h5": "with whole_file(Path('b.h5')) as part: part.write_bytes(b'part'); die()",
    "b.zarr": (
        "with whole_directory(Path('b.zarr')) as part: (part / 'c').mkdir(); (part / 'c' / '0').write_text('x'); die()"
    ),
    "b.meta": (
        "with temporary_beside(Path('b.meta').absolute()) as part: part.mkdir(); (part / 'x').write_text('x'); die()"
    ),
}
_HEAD = """
import os, signal, sys, time
from pathlib import Path
from headrace.containers.output import temporary_beside, whole_directory, whole_file
def die():
    {die}
"""


def writer(folder: Path, target: str, die: str) -> "subprocess.Popen[str]":
    """A conversion that has written a part of the target."""
    return subprocess.Popen(
        [sys.executable, "-c", _HEAD.format(die=die) + KILLED[target]],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def leftovers(folder: Path, target: str) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith(f"{target}.headrace-"))


@pytest.mark.parametrize("target", KILLED)
def test_what_killed_conversions_leave_goes_with_the_next_one(tmp_path: Path, target: str) -> None:
    np.save(tmp_path / "a.npy", np.arange(10.0))
    for _ in range(3):
        killed = writer(tmp_path, target, "os.kill(os.getpid(), signal.SIGKILL)")
        killed.communicate()
        assert killed.returncode == -signal.SIGKILL
    assert leftovers(tmp_path, target)
    done = start(tmp_path, "convert", "a.npy", target, "-q")
    assert done.returncode == 0, done.stderr
    assert leftovers(tmp_path, target) == []
    assert (tmp_path / target).exists()


@pytest.mark.parametrize("target", ["b.npz", "b.zarr"])
def test_what_a_living_conversion_writes_stays(tmp_path: Path, target: str) -> None:
    np.save(tmp_path / "a.npy", np.arange(10.0))
    living = writer(tmp_path, target, "print('here', flush=True); sys.stdin.readline()")
    assert living.stdout and living.stdout.readline() == "here\n"
    before = leftovers(tmp_path, target)
    done = start(tmp_path, "convert", "a.npy", target, "-q")
    assert done.returncode == 0, done.stderr
    assert before and leftovers(tmp_path, target) == before
    living.communicate("go\n")
    assert living.returncode == 0 and leftovers(tmp_path, target) == []


def test_the_library_removes_what_a_conversion_left(tmp_path: Path) -> None:
    """One rule for both: write_array meets the leftovers of a conversion, and the other way round."""
    killed = writer(tmp_path, "b.npz", "os.kill(os.getpid(), signal.SIGKILL)")
    killed.communicate()
    assert leftovers(tmp_path, "b.npz")
    code = "import headrace, numpy; headrace.write_array('b.npz', numpy.arange(3.0), name='x')"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert leftovers(tmp_path, "b.npz") == []


def test_a_store_that_was_moved_aside_comes_back(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(10.0))
    assert start(tmp_path, "convert", "a.npy", "b.zarr", "-q").returncode == 0
    (tmp_path / "b.zarr").rename(tmp_path / "b.zarr.headrace-old")  # as if a program was killed
    script = "\nwith whole_directory(Path('b.zarr')) as part: raise SystemExit(3)"
    done = subprocess.run([sys.executable, "-c", _HEAD.format(die="pass") + script], cwd=tmp_path)
    assert done.returncode == 3
    assert json.loads((tmp_path / "b.zarr" / "zarr.json").read_text())
    assert not (tmp_path / "b.zarr.headrace-old").exists()
