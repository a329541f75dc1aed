"""The planted file system does what its settings say: tests of advice and of refusals rest on it."""

import errno
import fcntl
import os
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

import headrace
from filesystems.planted import planted, why_not
from filesystems.settings import Call, Fault, Settings, of_text

needs_mount = pytest.mark.skipif(bool(why_not()), reason=f"no planted file system: {why_not()}")


def test_settings_come_back_from_their_text() -> None:
    fault = Fault("write", "EIO", 2, 1)
    settings = Settings({"create": 0.1}, faults=(fault,), room_bytes=5, held=2, held_until="fsync")
    assert of_text(settings.text()) == settings


@pytest.mark.parametrize(
    "settings",
    [
        {"costs": {"creat": 1.0}},
        {"costs": {"create": -1.0}},
        {"faults": (Fault("write", "EOOPS"),)},
        {"short_write": 0},
    ],
    ids=["call", "negative", "error", "nothing"],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        Settings(**settings)  # type: ignore[arg-type]


@needs_mount
def test_names_are_listed_renamed_and_removed(tmp_path: Path) -> None:
    with planted(Settings(), tmp_path) as place:
        folder = place.folder / "folder"
        folder.mkdir()
        for name in ("a", "b", "c"):
            (folder / name).write_bytes(b"x")
        (folder / "a").rename(folder / "d")
        (folder / "b").unlink()
        assert (
            {entry.name for entry in folder.iterdir()}
            == {"c", "d"}
            == {entry.name for entry in (place.behind / "folder").iterdir()}
        )
        shutil.rmtree(folder)
        assert list(place.folder.iterdir()) == list(place.behind.iterdir()) == []


@needs_mount
def test_calls_are_counted_and_cost_what_is_planted(tmp_path: Path) -> None:
    costs: dict[Call, float] = {"create": 0.02, "small_write": 0.01, "lock": 0.03, "fsync": 0.04}
    with planted(Settings(costs, small_bytes=1000), tmp_path) as place:
        began = time.monotonic()
        for number in range(3):
            with (place.folder / f"file{number}").open("wb", buffering=0) as file:
                file.write(bytes(999))
                file.write(bytes(1000))
                fcntl.lockf(file, fcntl.LOCK_EX)
                fcntl.lockf(file, fcntl.LOCK_UN)
                fcntl.flock(file, fcntl.LOCK_EX)
                os.fsync(file.fileno())
        seconds = time.monotonic() - began
        report = place.report()
    counted = {call: report.calls[call] for call in ("create", "small_write", "write", "lock", "fsync", "close")}
    assert counted == {"create": 3, "small_write": 3, "write": 6, "lock": 6, "fsync": 3, "close": 3}
    planned = 3 * (0.02 + 0.01 + 2 * 0.03 + 0.04)
    assert sum(report.seconds.values()) == pytest.approx(planned)
    assert seconds >= planned  # sleeping is never shorter


@needs_mount
def test_faults_come_after_the_calls_that_succeed_and_as_often_as_asked(tmp_path: Path) -> None:
    with planted(Settings(faults=(Fault("fsync", "EIO", after=1, times=2),)), tmp_path) as place:
        found = []
        with (place.folder / "file").open("wb") as file:
            for _ in range(4):
                try:
                    os.fsync(file.fileno())
                    found.append(0)
                except OSError as error:
                    found.append(error.errno or -1)
        assert found == [0, errno.EIO, errno.EIO, 0]
        assert place.report().failed == {"fsync": 2}


@needs_mount
def test_a_full_disk_takes_what_fits_and_short_writes_are_short(tmp_path: Path) -> None:
    with planted(Settings(room_bytes=10_000, short_write=4096), tmp_path) as place:
        descriptor = os.open(place.folder / "file", os.O_CREAT | os.O_WRONLY)
        try:
            assert os.write(descriptor, bytes(5000)) == 4096
            with pytest.raises(OSError, match="No space left"):
                for _ in range(9):
                    os.write(descriptor, bytes(5000))
        finally:
            os.close(descriptor)
        assert (place.behind / "file").stat().st_size == 10_000
        assert os.statvfs(place.folder).f_bavail == 0


@needs_mount
def test_held_writes_arrive_with_fsync_and_are_lost_in_a_crash(tmp_path: Path) -> None:
    with planted(Settings(held=100, held_until="fsync"), tmp_path) as place:
        (place.folder / "lost").write_bytes(b"x" * 1000)
        with (place.folder / "kept").open("wb") as file:
            file.write(b"y" * 1000)
            file.flush()
            os.fsync(file.fileno())
        assert (place.folder / "lost").stat().st_size == 1000
        place.crash()
        assert (place.behind / "kept").read_bytes() == b"y" * 1000
        assert (place.behind / "lost").stat().st_size == 0


@needs_mount
def test_held_writes_arrive_last_first_but_never_mix(tmp_path: Path) -> None:
    with planted(Settings(held=3), tmp_path) as place:
        with (place.folder / "file").open("wb", buffering=0) as file:
            file.write(b"a" * 10)
            file.write(b"b" * 10)
            assert (place.behind / "file").stat().st_size == 0
            file.seek(5)
            file.write(b"c" * 10)  # the third: all three arrive, and the newest stays
            assert (place.behind / "file").read_bytes() == b"a" * 5 + b"c" * 10 + b"b" * 5
        assert (place.folder / "file").read_bytes() == b"a" * 5 + b"c" * 10 + b"b" * 5


@needs_mount
@pytest.mark.parametrize(
    "settings",
    [
        Settings(faults=(Fault("write", "EIO", after=1),)),
        Settings(faults=(Fault("close", "EDQUOT"),)),
        Settings(faults=(Fault("rename", "EIO"),)),
        Settings(room_bytes=1_000_000),
    ],
    ids=["write", "close", "rename", "full"],
)
def test_the_library_tells_the_error_and_leaves_the_old_file(settings: Settings, tmp_path: Path) -> None:
    with planted(settings, tmp_path) as place:
        (place.behind / "field.npy").write_bytes(b"old")
        with pytest.raises(headrace.HeadraceError, match=r"field\.npy") as caught:
            headrace.write_array(place.folder / "field.npy", np.random.default_rng(1).random(300_000))
        assert isinstance(caught.value, OSError) and caught.value.errno
        assert (place.behind / "field.npy").read_bytes() == b"old"


@needs_mount
def test_nothing_is_mounted_afterwards_even_if_the_server_was_killed(tmp_path: Path) -> None:
    with planted(Settings(), tmp_path) as place:
        (place.folder / "file").write_bytes(b"x")
        place.crash()
    assert str(tmp_path) not in Path("/proc/self/mounts").read_text()
    assert list(tmp_path.iterdir()) == [] and place.server.poll() is not None
