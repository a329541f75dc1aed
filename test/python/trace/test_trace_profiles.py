"""Profiles that are cut, foreign or many: what can be read is shown, what is missing is said, sums are right."""

import os
import resource
import struct
import subprocess
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from headrace.errors import HeadraceError
from headrace.trace import profile as layout
from headrace.trace.archive import load
from headrace.trace.installed import library_path
from headrace.trace.merge import merge
from headrace.trace.profile import BLOCK_BYTES, HEADER, HEADER_BYTES, LINE, read_profile
from headrace.trace.results import Trace
from headrace.trace.table import compact, table
from trace_programs import COUNTS, Run, compiled

MANY = 1000


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("counts"), "counts", COUNTS)


@pytest.fixture(scope="module")
def profile(program: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Of a real process."""
    folder = tmp_path_factory.mktemp("profile")
    environment = os.environ | {"LD_PRELOAD": str(library_path()), "HEADRACE_TRACE_DIRECTORY": str(folder)}
    subprocess.run([program], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL, timeout=60)
    [file] = folder.glob("*.profile")
    return file.read_bytes()


def changed(data: bytes, **members: int) -> bytes:
    """With other numbers in the header."""
    new = bytearray(data)
    header = np.frombuffer(new, HEADER, 1)
    for name, value in members.items():
        header[name] = value
    return bytes(new)


def shown(folder: Path, lines: int = 20, **files: bytes) -> tuple[Trace, str]:
    for name, data in files.items():
        (folder / f"{name}.profile").write_bytes(data)
    found = load(folder)
    trace = merge(found.profiles, found.run, found.notes)
    return trace, table(trace, lines)


def test_the_layout_is_that_of_the_header_file() -> None:
    text = (Path(__file__).parents[3] / "intercept" / "trace" / "profile.h").read_text()
    assert f"profile_version = {layout.VERSION}," in text
    for name, bytes_ in (("header", HEADER_BYTES), ("block", BLOCK_BYTES), ("block_header", 64)):
        assert f"profile_{name}_bytes = {bytes_}" in text
    for record in (HEADER, layout.BLOCK, LINE, layout.CONNECTION):
        for name in record.names or ():
            assert name in text, name


def test_the_layout_is_that_of_the_compiler(tmp_path: Path) -> None:
    names = [f'printf("%zu\\n", offsetof(struct profile_header, {name}));' for name in HEADER.names or ()]
    names += [f'printf("%zu\\n", offsetof(struct profile_line, {name}));' for name in LINE.names or ()]
    names += [
        f'printf("%zu\\n", offsetof(struct profile_connection, {name}));' for name in layout.CONNECTION.names or ()
    ]
    source = '#include <stdio.h>\n#include "trace/profile.h"\nint main(void) {' + "\n".join(names) + "}\n"
    (tmp_path / "offsets.c").write_text(source)
    intercept = Path(__file__).parents[3] / "intercept"
    subprocess.run(["cc", f"-I{intercept}", "offsets.c", "-o", "offsets"], cwd=tmp_path, check=True)
    said = subprocess.run([tmp_path / "offsets"], capture_output=True, text=True, check=True).stdout.split()
    records = (HEADER, LINE, layout.CONNECTION)
    expected = [offset for record in records for _, offset, *_ in (record.fields or {}).values()]
    assert [int(word) for word in said] == expected


def test_a_cut_profile_shows_what_is_left(profile: bytes, tmp_path: Path) -> None:
    whole, _ = shown(tmp_path, whole=profile)
    assert len(whole.lines) >= 23 and not [note for note in whole.notes if "cut off" in note]
    found = read_profile(profile[: HEADER_BYTES + BLOCK_BYTES + 100], "cut")
    assert found is not None and "is cut off" in found.notes[0] and "blocks are missing" in found.notes[0]
    for length in (HEADER_BYTES, HEADER_BYTES + 1, HEADER_BYTES + BLOCK_BYTES, HEADER_BYTES + 2 * BLOCK_BYTES + 5):
        (tmp_path / "whole.profile").unlink(missing_ok=True)
        _, text = shown(tmp_path, cut=profile[:length])
        assert "note: cut.profile: the profile is cut off" in text
    with pytest.raises(HeadraceError, match="cut off: 4095 bytes, where its header alone has 4096"):
        read_profile(profile[: HEADER_BYTES - 1], "short")
    assert read_profile(b"", "empty") is None and read_profile(bytes(HEADER_BYTES), "empty") is None


def test_every_length_and_every_damaged_byte_gives_an_answer(profile: bytes) -> None:
    """Numbers or a HeadraceError, never another exception."""
    random = np.random.default_rng(21)
    used = HEADER_BYTES + int(np.frombuffer(profile, HEADER, 1)[0]["blocks"]) * BLOCK_BYTES
    asked = 0
    for _ in range(150):
        data = bytearray(profile[:used])
        begins = [0, *range(HEADER_BYTES, used, BLOCK_BYTES)]
        for place in random.choice(begins, 4) + random.integers(0, 400, 4):
            data[place] = random.integers(0, 256)
        try:
            found = read_profile(bytes(data[: random.integers(HEADER_BYTES, used)]), "damaged")
        except HeadraceError:
            continue
        if found is not None:
            asked += 1
            table(merge([found], load_run()))
    assert asked > 20


def load_run():  # type: ignore[no-untyped-def]
    from headrace.trace.merge import Run as TracedRun

    return TracedRun([], "", "here", 1.0, None, "")


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"version": 2}, "a profile of version 2, this headrace reads version 1"),
        ({"byte_order": 0x04030201}, "it comes from a big-endian machine"),
        ({"byte_order": 7}, "its byte order mark is 0x00000007"),
    ],
)
def test_foreign_profiles_are_refused_by_name(
    members: dict[str, int], words: str, profile: bytes, tmp_path: Path, headrace: Run
) -> None:
    (tmp_path / "other.profile").write_bytes(changed(profile, **members))
    done = headrace("trace", "show", ".")
    assert done.returncode == 2 and words in done.stderr and "other.profile" in done.stderr
    (tmp_path / "mine.profile").write_bytes(profile)
    both = headrace("trace", "show", ".")
    assert both.returncode == 0 and words in " ".join(both.stdout.split()) and "counts.f90:10" in both.stdout


def test_files_that_are_no_traces_are_refused(tmp_path: Path, headrace: Run, program: Path) -> None:
    (tmp_path / "text").write_text("no trace")
    (tmp_path / "folder").mkdir()
    assert headrace("trace", str(program)).returncode == 0
    whole = (tmp_path / "counts.headrace-trace").read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    with zipfile.ZipFile(tmp_path / "newer", "w") as box:
        box.writestr("run.json", '{"headrace-trace": 99}')
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as box:
        box.writestr("x", "y")
    for name, words in (
        ("text", "not a trace, or one that is cut off or damaged"),
        ("cut", "not a trace, or one that is cut off or damaged"),
        ("other.zip", "not a trace, or one that is cut off or damaged"),
        ("newer", "a trace of version 99, this headrace reads up to 1"),
        ("folder", "there is no profile in this directory"),
        ("nothing", "cannot be read: No such file or directory"),
    ):
        done = headrace("trace", "show", name)
        assert done.returncode == 2 and words in done.stderr, (name, done.stderr)


def test_overflows_are_said(profile: bytes, tmp_path: Path) -> None:
    data = changed(profile, lines_left_out=12345, connections_left_out=3, blocks_refused=2, frames_too_deep=1)
    _, text = shown(tmp_path, full=data)
    words = " ".join(text.split())
    for said in ("12,345 statements were not counted", "3 files were not named", "2 times there was no space left"):
        assert f"note: {said}" in words


def test_a_thousand_profiles_are_summed(profile: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = np.frombuffer(profile, HEADER, 1)[0]
    used = HEADER_BYTES + int(header["blocks"]) * BLOCK_BYTES
    single, _ = shown(tmp_path, r0=changed(profile, mpi_rank=0))
    planted = MANY // 3
    for rank in range(MANY):
        data = bytearray(changed(profile[:used], mpi_rank=rank, mpi_size=MANY, process=1000 + rank))
        if rank == planted:
            tenfold(data, 10)
        (tmp_path / f"r{rank}.profile").write_bytes(data)
    begun = time.monotonic()
    used_before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    trace, text = shown(tmp_path)
    with capsys.disabled():
        used_now = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        print(f" [{MANY} profiles: {time.monotonic() - begun:.2f} s, {used_now - used_before:.2f} s user] ", end="")
    for path in tmp_path.glob("*.profile"):
        path.unlink()
    assert trace.mpi_ranks == MANY and "1,000 processes, 1000 MPI ranks" in text
    alone = {(line.place, line.statement): line for line in single.lines}
    for line in trace.lines:
        one = alone[line.place, line.statement]
        assert line.statements == MANY * one.statements and line.payload_bytes == MANY * one.payload_bytes
        assert line.bytes_written == MANY * one.bytes_written and line.processes == MANY
    [planted_line] = [line for line in trace.lines if line.line == 10]
    assert planted_line.largest_rank == planted
    assert planted_line.imbalance == pytest.approx(10 * MANY / (MANY + 9), rel=1e-6)
    assert len({file.path for file in trace.files}) == len(trace.files) == len(single.files)
    assert not [line for line in text.splitlines() if len(line) > 100]


def tenfold(data: bytearray, number: int) -> None:
    """The ticks of a source line, ten times as many."""
    found = read_profile(bytes(data), "")
    assert found is not None
    for record, offset in zip(found.lines, found.line_offsets, strict=True):
        if record["line"] == number:
            name = "ticks"
            place = int(offset) + (LINE.fields or {})[name][1]
            struct.pack_into("<Q", data, place, 10 * int(record[name]))


def test_numbers_are_short() -> None:
    shorts = {0: "0", 999: "999", 1000: "1.00k", 16949: "16.9k", 999_600: "1000k", 2e6: "2.00M", 7e10: "70.0G"}
    assert {value: compact(value) for value in shorts} == shorts


def test_schema_of_a_trace(headrace: Run) -> None:
    done = headrace("schema", "--trace")
    assert done.returncode == 0 and '"headrace-trace/1"' in done.stdout
