"""What `headrace inspect` says of containers that are cut off or damaged: surely what they are, and not whole."""

import struct
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from headrace.errors import HeadraceError
from headrace.inspect import inspect_file

Command = Callable[..., "subprocess.CompletedProcess[str]"]


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


@pytest.mark.parametrize("version", ["earliest", "latest"])
@pytest.mark.parametrize("pattern", ["part_%d.h5", "50%% of 7, %04d.h5"])
def test_the_end_of_a_family_of_hdf5_is_not_that_of_its_first_file(
    tmp_path: Path, headrace: Command, version: str, pattern: str
) -> None:
    h5py = pytest.importorskip("h5py", reason="h5py is not installed")
    values = np.arange(5000.0)
    with h5py.File(tmp_path / pattern, "w", driver="family", memb_size=4096, libver=version) as file:
        file["a"] = values
    report = inspect_file(tmp_path / (pattern % 0))
    assert report.verdict.format == "hdf5" and report.size == 4096
    assert report.exit_code == 0 and "damage" not in report.verdict.detail
    assert report.verdict.detail["container"] == "HDF5, the first file of a family"
    with eval(report.snippets["python"], {"h5py": h5py}) as file:
        assert np.array_equal(file["a"][:], values)
    done = headrace("convert", pattern % 0, "whole.npy")
    assert done.returncode == 0 and np.array_equal(np.load(tmp_path / "whole.npy"), values), done.stderr
    for number in (1, 3, 10):
        member = inspect_file(tmp_path / (pattern % number))
        words = f"HDF5, member {number} of the family of 11 files that {pattern % 0} begins"
        assert (member.verdict.format, member.verdict.detail["container"]) == ("hdf5", words)
        assert member.exit_code == 0 and member.snippets == report.snippets
        refused = headrace("convert", pattern % number, "b.npy")
        said = f"is member {number} of a family of HDF5 files\n  name the first: {pattern % 0}"
        assert refused.returncode == 2 and said in refused.stderr, refused.stderr


@pytest.mark.parametrize("version", ["earliest", "latest"])
def test_a_member_of_a_family_that_is_missing_or_cut_is_named(tmp_path: Path, headrace: Command, version: str) -> None:
    h5py = pytest.importorskip("h5py", reason="h5py is not installed")
    with h5py.File(tmp_path / "p%02d.h5", "w", driver="family", memb_size=4096, libver=version) as file:
        file["a"] = np.arange(5000.0)
    (tmp_path / "p03.h5").rename(tmp_path / "gone")
    report = inspect_file(tmp_path / "p00.h5")
    assert report.verdict.detail["damage_words"] == "p03.h5 is missing: the family has 11 files"
    done = headrace("convert", "p00.h5", "b.npy")
    assert done.returncode == 2 and "is damaged: p03.h5 is missing: the family has 11 files" in done.stderr
    (tmp_path / "p03.h5").write_bytes((tmp_path / "gone").read_bytes()[:-1])
    assert inspect_file(tmp_path / "p00.h5").verdict.detail["damage_words"].startswith("p03.h5 is cut off: 4,095 of")
    cut = inspect_file(tmp_path / "p03.h5")
    assert cut.verdict.detail["damage_words"] == "it is cut off: 4,095 of at least 4,096 bytes are there"
    # A file beside it that names itself, and one whose number is beyond the end.
    with h5py.File(tmp_path / "p02.h5", "w") as file:
        file["own"] = np.arange(3.0)
    assert "member" not in inspect_file(tmp_path / "p02.h5").verdict.detail["container"]
    assert headrace("convert", "p02.h5", "own.npy").returncode == 0
    (tmp_path / "p11.h5").write_bytes((tmp_path / "gone").read_bytes())
    assert inspect_file(tmp_path / "p11.h5").verdict.format != "hdf5"


@pytest.mark.parametrize("version", ["earliest", "latest"])
@pytest.mark.parametrize("block", [512, 2048, 1 << 20])
@pytest.mark.parametrize("text", [b"", b"# made by a model\n" * 20, bytes(range(256)) * 2])
def test_hdf5_behind_a_user_block_is_told(tmp_path: Path, version: str, block: int, text: bytes) -> None:
    h5py = pytest.importorskip("h5py", reason="h5py is not installed")
    path = tmp_path / "x.dat"
    with h5py.File(path, "w", userblock_size=block, libver=version) as file:
        file["a"] = np.arange(60.0)
    with path.open("r+b") as raw:
        raw.write(text)
    report = inspect_file(path)
    assert report.verdict.format == "hdf5" and report.exit_code == 0
    assert report.verdict.detail["user_block"] == block and "damage" not in report.verdict.detail
    assert report.snippets == {"python": f"h5py.File({str(path)!r})"}
    size = report.size
    with path.open("r+b") as raw:
        raw.truncate(size - 1)
    cut = inspect_file(path)
    assert cut.verdict.detail["damage_words"] == f"it is cut off: {size - 1:,} of at least {size:,} bytes are there"


def test_a_tar_archive_of_an_hdf5_file_is_an_archive(tmp_path: Path) -> None:
    hdf5(tmp_path / "a.h5")
    with tarfile.open(tmp_path / "a.tar", "w", format=tarfile.USTAR_FORMAT) as archived:
        archived.add(tmp_path / "a.h5", "a.h5")
    assert (tmp_path / "a.tar").read_bytes()[512:520] == b"\x89HDF\r\n\x1a\n"
    report = inspect_file(tmp_path / "a.tar")
    assert report.verdict.format == "tar" and report.exit_code == 0


@pytest.mark.parametrize("length", [65514, 65515, 65535])
def test_a_zip_archive_with_a_long_comment_is_whole(tmp_path: Path, length: int) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.txt", "x" * 5000)
        file.comment = b"C" * length
    report = inspect_file(path)
    assert report.verdict.format == "zip" and report.exit_code == 0 and "damage" not in report.verdict.detail


def npy_with(descr: str, shape: str, data: bytes = bytes(100)) -> bytes:
    """A npy file whose header is this text, whatever it means."""
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}\n".encode()
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header + data


@pytest.mark.parametrize(
    ("descr", "shape", "words"),
    [
        ("'f8,(2'", "(2,)", "the type 'f8,(2' is none that numpy knows"),  # SyntaxError
        ("'(2,'", "(2,)", "the type '(2,' is none that numpy knows"),
        ("'V99999999999999999999'", "(2,)", "is none that numpy knows"),
        ("[('a', 'f8', (1e400,))]", "(2,)", "is none that numpy knows"),
        ("{'names': ['a']}", "(2,)", "is none that numpy knows"),
        ("[('a', 'f8', (0x" + "f" * 9000 + ",))]", "(2,)", "the type of huge numbers is none that numpy knows"),
        ("'<f8'", "(1e400,)", "the shape (inf,) is not a tuple of integers"),  # OverflowError
        ("'<f8'", "'12'", "the shape '12' is not a tuple of integers"),
        ("'<f8'", "5", "the shape 5 is not a tuple of integers"),
        ("'<f8'", "(-5,)", "the shape (-5,) has a negative extent"),
        ("'<f8'", f"({2**63},)", f"an array of the shape ({2**63},) has more than 2**63 - 1 bytes"),
        ("'<f8'", f"({2**62}, 1)", "has more than 2**63 - 1 bytes"),
        ("'<f8'", "(" + ("9" * 400 + ",") * 50 + ")", "has more than 2**63 - 1 bytes"),  # of 20,000 digits
        ("'<f8'", "(0x" + "f" * 9000 + ",)", "an array of the shape of huge numbers has more than 2**63 - 1 bytes"),
        ("'<f8'", "(2**3,)", "it describes no array"),
    ],
)
def test_a_damaged_header_of_npy_is_a_finding(tmp_path: Path, descr: str, shape: str, words: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(npy_with(descr, shape))
    with pytest.raises(Exception):  # noqa: B017 (numpy raises whatever its parsers do)
        np.load(path)
    report = inspect_file(path)
    assert report.verdict.format == "npy" and report.exit_code == 1
    said = report.verdict.detail["damage_words"]
    assert said.startswith("its header is damaged: ") and words in said and len(said) < 150


def test_the_beginning_of_an_npy_file_is_cut_off(tmp_path: Path) -> None:
    whole = npy_with("'<f8'", "(12,)", bytes(96))
    path = tmp_path / "x"
    for length in range(6, len(whole)):
        path.write_bytes(whole[:length])
        report = inspect_file(path)
        assert report.verdict.format == "npy" and report.verdict.detail["damage"] == "truncated", length


def test_a_header_of_npy_that_is_longer_than_what_is_read_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, np.zeros(2, dtype=[(f"member {n} of many", "<f8") for n in range(3000)]))
    assert path.read_bytes()[6] == 2
    report = inspect_file(path)
    assert report.verdict.format == "npy" and report.exit_code == 0


def test_a_file_that_hides_its_size_is_not_called_empty() -> None:
    path = Path("/proc/self/status")
    if not path.exists():
        pytest.skip("no /proc")
    with pytest.raises(HeadraceError, match="has bytes, but its size is 0"):
        inspect_file(path)
