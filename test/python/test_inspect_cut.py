"""What `headrace inspect` says of containers that are cut off: they are surely what they are, and not whole."""

import zipfile
from pathlib import Path

import numpy as np
import pytest

from headrace.errors import HeadraceError
from headrace.inspect import inspect_file


def npy(path: Path) -> None:
    np.save(path, np.arange(1000.0).reshape(10, 100))


def records(path: Path) -> None:
    np.save(path, np.zeros(50, dtype=[("a", "<i4"), ("b", "<f8", (3,))]))


def npz(path: Path) -> None:
    with path.open("wb") as file:
        np.savez(file, a=np.arange(1000.0))


def archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.txt", "x" * 5000)


def hdf5(path: Path) -> None:
    h5py = pytest.importorskip("h5py", reason="h5py is not installed")
    with h5py.File(path, "w") as file:
        file["a"] = np.arange(1000.0)


def new_hdf5(path: Path) -> None:
    h5py = pytest.importorskip("h5py", reason="h5py is not installed")
    with h5py.File(path, "w", libver="latest") as file:
        file["a"] = np.arange(1000.0)


@pytest.mark.parametrize("make", [npy, records, npz, archive, hdf5, new_hdf5], ids=lambda make: make.__name__)
def test_a_container_that_is_cut_off_is_not_whole(tmp_path: Path, make: object) -> None:
    path = tmp_path / "file"
    assert callable(make)
    make(path)
    if not path.exists():  # numpy has given it its ending
        path = path.with_suffix(".npy")
    size = path.stat().st_size
    whole = inspect_file(path)
    assert whole.exit_code == 0 and "damage" not in whole.verdict.detail
    for length in (size - 1, size // 2):
        with path.open("r+b") as file:
            file.truncate(length)
        cut = inspect_file(path)
        assert cut.verdict.format == whole.verdict.format and cut.exit_code == 1
        assert cut.verdict.detail["damage"] == "truncated"
        assert cut.verdict.detail["damage_words"].startswith("it is cut off: ")


def test_a_file_that_hides_its_size_is_not_called_empty() -> None:
    path = Path("/proc/self/status")
    if not path.exists():
        pytest.skip("no /proc")
    with pytest.raises(HeadraceError, match="has bytes, but its size is 0"):
        inspect_file(path)
