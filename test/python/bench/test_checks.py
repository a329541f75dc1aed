"""The correctness checks of a compiler's own I/O find what is known to be wrong, and what is made wrong here."""

import os
import pkgutil
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import headrace.commands
from headrace.errors import HeadraceError
from headrace.measure import checks
from headrace.measure.catalogue import sources_directory
from headrace.measure.checks import CHECKS, DISK_LIMIT, Reply, build_check, run_checks, run_program, walk_records
from headrace.measure.compilers import find_compilers
from headrace.results.run import Check, Compiler

COMPILERS = find_compilers()
INTERPOSER = Path(__file__).parents[2] / "interpose" / "full_disk.c"
LARGE = "large-record"
FULL_DISK = [question.name for question in CHECKS if question.name.startswith("full-disk")]

# What is not "right" from a version on: measured with gfortran 12.2 (Debian 12), 14.2 (Debian 13), 15.3 and 16.2,
# and with flang 19.1.7 of both
KNOWN: dict[str, dict[int, dict[str, str]]] = {
    "gfortran": {
        12: {
            **dict.fromkeys(FULL_DISK, "wrong"),
            "child-list": "wrong",
            "marker-mismatch": "wrong",
            "other-endian": "wrong",
            "real-overflow": "wrong",
            "wide-markers": "wrong",
        },
        15: {"child-list": "right"},
    },
    "flang": {
        19: {
            **dict.fromkeys(FULL_DISK, "wrong"),
            "asynchronous-write": "refused",
            "file-mode": "wrong",
            "subrecords": "wrong",
            "two-units-one-file": "refused",
            LARGE: "wrong",
        },
    },
}

pytestmark = pytest.mark.skipif(not COMPILERS, reason="needs a Fortran compiler")
_answers: dict[str, dict[str, Check]] = {}


def answers_of(compiler: Compiler, folder: Path) -> dict[str, Check]:
    """All answers but that of the 3 GiB record, asked once."""
    if compiler.identifier not in _answers:
        names = [question.name for question in CHECKS if question.name != LARGE]
        _answers[compiler.identifier] = {each.name: each for each in run_checks(compiler, folder, names)}
        assert list(folder.iterdir()) == [], "scratch directories must be gone"
    return _answers[compiler.identifier]


def known_answers(compiler: Compiler) -> dict[str, str]:
    """What this version answers if it is not "right"."""
    name, version = compiler.identifier.split()[:2]
    versions = KNOWN.get(name, {})
    answers: dict[str, str] = {}
    for since, changes in versions.items():
        if since == min(versions) or int(version.split(".")[0]) >= since:
            answers.update(changes)
    return answers


def one_of(name: str) -> Compiler:
    """The gfortran or flang of this machine."""
    found = [each for each in COMPILERS if each.identifier.startswith(f"{name} ")]
    if not found:
        pytest.skip(f"no {name} that is new enough on this machine")
    return found[0]


def ask(name: str, folder: Path, compiler: Compiler | None = None) -> Check:
    return run_checks(compiler or COMPILERS[0], folder, [name])[0]


# --- what is known ---


@pytest.mark.parametrize("name", list(KNOWN))
def test_answers_are_the_known_ones(name: str, tmp_path: Path) -> None:
    compiler = one_of(name)
    found = {name: each.answer for name, each in answers_of(compiler, tmp_path).items()}
    expected = {name: known_answers(compiler).get(name, "right") for name in found}
    timed = answers_of(compiler, tmp_path)["asynchronous-write"]
    if timed.answer == "skipped" and timed.detail.startswith("inconclusive"):
        del found["asynchronous-write"], expected["asynchronous-write"]
    assert found == expected


def test_details_have_figures_and_advice(compiler: Compiler, tmp_path: Path) -> None:
    for name, each in answers_of(compiler, tmp_path).items():
        assert each.question == next(q.question for q in CHECKS if q.name == name)
        assert any(character.isdigit() for character in each.detail), each
        assert ("; instead: " in each.detail) == (each.answer in ("wrong", "refused")), each
        assert "\n" not in each.detail and str(tmp_path) not in each.detail


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("other-endian", "values 16777216, 33554432"),
        ("child-list", "labels 1, 3, 5 for 1, 2, 3"),
        ("full-disk-formatted", f"WRITE 0, FLUSH 0, CLOSE 0, file cut at {DISK_LIMIT} bytes"),
        ("full-disk-array", "40,000 values: iostat= of WRITE 27"),
    ],
)
def test_gfortran_says_how_it_fails(name: str, words: str, tmp_path: Path) -> None:
    compiler = one_of("gfortran")
    if known_answers(compiler)[name] == "right":
        words = "come back equal"
    assert words in answers_of(compiler, tmp_path)[name].detail


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("subrecords", "abort with signal 6"),
        ("file-mode", "mode 0600 under umask 0022, expected 0644"),
        ("full-disk-array", "FLUSH 27, then CLOSE with iostat="),
        ("two-units-one-file", "iostat 1037"),
    ],
)
def test_flang_says_how_it_fails(name: str, words: str, tmp_path: Path) -> None:
    assert words in answers_of(one_of("flang"), tmp_path)[name].detail


@pytest.mark.skipif(os.environ.get("HEADRACE_TEST_BIG") != "1", reason="needs HEADRACE_TEST_BIG=1")
def test_large_record(compiler: Compiler, tmp_path: Path) -> None:
    found = ask(LARGE, tmp_path, compiler)
    assert list(tmp_path.iterdir()) == []
    if found.answer == "skipped":
        pytest.skip("needs more disk or memory")
    assert found.answer == known_answers(compiler).get(LARGE, "right"), found.detail
    if compiler.vendor == "llvm":
        assert "WRITE and CLOSE gave iostat 0" in found.detail
        assert "marker -1,073,741,824 at byte 12" in found.detail


def test_the_program_of_the_large_record_is_right_with_a_small_one(compiler: Compiler, tmp_path: Path) -> None:
    reply = run_program([str(build_check(compiler, "large_record")), LARGE, "1000"], tmp_path, 60)
    assert reply.answer == "right", reply.detail
    assert walk_records(tmp_path / "large.dat") == ([4, 8000, 4], "")


# --- a full disk ---


@pytest.fixture
def full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory on a disk with DISK_LIMIT bytes: a real one for root, else one that a preloaded library plays."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_LIMIT}", "headrace-test", str(folder)]
    if os.geteuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0:
        try:
            yield folder
        finally:
            subprocess.run(["umount", str(folder)], check=True)
        return
    library = tmp_path / "full_disk.so"
    cc = shutil.which("cc") or shutil.which("gcc")
    if not INTERPOSER.exists() or cc is None:
        pytest.skip("needs root and mount, or test/interpose/full_disk.c and a C compiler")
    subprocess.run([cc, "-shared", "-fPIC", "-o", str(library), str(INTERPOSER), "-ldl"], check=True)
    monkeypatch.setenv("HEADRACE_TEST_DISK_PATH", str(folder))
    monkeypatch.setenv("HEADRACE_TEST_DISK_BYTES", str(DISK_LIMIT))
    monkeypatch.setenv("LD_PRELOAD", str(library))
    yield folder


def test_a_limit_on_files_gives_the_answers_of_a_full_disk(
    compiler: Compiler, full_disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.delenv("LD_PRELOAD", raising=False)
        program = str(build_check(compiler, "full_disk"))
    for name in FULL_DISK:
        for numbers in (("12000", "0"), ("12000", "1"), ("40000", "0"), ("40000", "1")):
            real = run_program([program, name, "0", *numbers], full_disk, 60)
            for leftover in full_disk.iterdir():
                leftover.unlink()
            with monkeypatch.context() as patch:
                patch.delenv("LD_PRELOAD", raising=False)
                limited = run_program([program, name, str(DISK_LIMIT), *numbers], tmp_path, 60)
            # 28 is ENOSPC, 27 is EFBIG
            assert limited == Reply(real.answer, real.detail.replace(" 28", " 27")), (name, numbers)


def test_a_disk_with_room_is_no_full_disk(compiler: Compiler, tmp_path: Path) -> None:
    program = str(build_check(compiler, "full_disk"))
    for name in FULL_DISK:
        reply = run_program([program, name, "0", "12000", "0"], tmp_path, 60)
        assert f"{DISK_LIMIT} bytes" not in reply.detail and "WRITE 0, CLOSE 0" in reply.detail, reply


# --- defects made here are found ---

_DEFECTS = [
    ("exact-es24", "text", '"(es24.16e3)")', '"(es24.15e3)")'),
    ("exact-list", "text", "write (line, *, iostat=status) value", "write (line, *, iostat=status) real(value)"),
    ("namelist-unknown", "text", '" stepps = 5"', '" steps = 5"'),
    ("field-overflow", "text", '(line, "(f5.1)"', '(line, "(f9.1)"'),
    ("partial-record", "records", "write (unit) 42_int32", "write (unit) 43_int32"),
    ("backspace", "records", "      values = i\n", "      values = 1\n"),
    ("rewrite-truncates", "records", "rewind (unit)\n   write (unit) 10_int32", "write (unit) 10_int32"),
    ("zero-length-record", "records", "write (unit, iostat=statuses(2)) nothing", "statuses(2) = size(nothing)"),
    ("beyond-record", "records", "integer(int32) :: values(4)", "integer(int32) :: values(3)"),
    ("stream-overwrite", "units", "pos=9, iostat=status, iomsg=message) 33", "pos=5, iostat=status) 33"),
    ("direct-recl", "units", "recl=length", "recl=2 * length"),
    ("child-unformatted", "child_io", "write (unit, iostat=iostat, iomsg=iomsg)", "iostat = 0\n   !"),
    ("child-formatted", "child_io", "(i6, es24.16e3)", "(i6, es24.15e3)"),
]


@pytest.fixture
def sources(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the Fortran sources that a test may spoil."""
    folder = tmp_path_factory.mktemp("bench") / "bench"
    shutil.copytree(sources_directory(), folder)
    monkeypatch.setattr(checks, "sources_directory", lambda: folder)
    return folder / "checks"


@pytest.mark.parametrize(("name", "file", "old", "new"), _DEFECTS, ids=[each[0] for each in _DEFECTS])
def test_finds_a_defect(name: str, file: str, old: str, new: str, sources: Path, tmp_path: Path) -> None:
    source = sources / f"{file}.f90"
    assert old in source.read_text()
    source.write_text(source.read_text().replace(old, new, 1))
    found = ask(name, tmp_path)
    assert found.answer == "wrong", found


@pytest.mark.parametrize("name", ["small-subrecords", "marker-mismatch", "truncated-record"])
def test_finds_wrong_values_in_a_well_formed_file(
    compiler: Compiler, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = struct.pack("=17i", 48, *range(2, 14), 48, 4, 99, 4)
    monkeypatch.setitem(checks._INPUTS, name, lambda path: path.write_bytes(data))
    assert ask(name, tmp_path, compiler).answer == "wrong"


def test_finds_a_file_that_others_cannot_read(tmp_path: Path) -> None:
    file = tmp_path / "mode.txt"
    file.touch()
    file.chmod(0o640)
    reply = checks._expect_mode(Reply("right", "OPEN gives iostat 0"), tmp_path)
    assert reply == Reply("wrong", "mode 0640 under umask 0022, expected 0644")


def test_what_does_not_compile_is_refused_with_the_compilers_words(sources: Path, tmp_path: Path) -> None:
    source = sources / "records.f90"
    source.write_text(source.read_text().replace("integer :: unit, status", "integer :: unit, status, status"))
    found = ask("backspace", tmp_path)
    assert found.answer == "refused" and "status" in found.detail and "the compiler said" in found.detail


# --- processes, skips, scratch directories ---


@pytest.mark.parametrize(
    ("statements", "answer", "words"),
    [
        ("print('step READ', flush=True); os.abort()", "wrong", "abort with signal 6 (Aborted) after the step 'READ'"),
        ("sys.exit('no such unit')", "wrong", "exit code 1; the run time said: no such unit"),
        ("pass", "wrong", "end without an answer; the run time said: nothing"),
        ("print('step WAIT', flush=True); time.sleep(60)", "wrong", "no end within 3 s after the step 'WAIT'"),
        ("os.kill(os.getpid(), 9)", "skipped", "was memory short?"),
        ("print('check name=x answer=right detail=7 bytes')", "right", "7 bytes"),
        ("print('check name=x answer=right detail=7', flush=True); os.abort()", "wrong", "abort with signal 6"),
    ],
)
def test_every_end_of_a_process_is_an_answer(statements: str, answer: str, words: str, tmp_path: Path) -> None:
    limit = 3 if "sleep" in statements else 60
    reply = run_program([sys.executable, "-c", f"import os, sys, time; {statements}"], tmp_path, limit)
    assert reply.answer == answer and words in reply.detail, reply


def test_a_program_that_cannot_be_run_is_an_answer(tmp_path: Path) -> None:
    assert run_program([str(tmp_path / "none")], tmp_path, 1).answer == "wrong"


def test_the_scratch_directory_is_removed_on_an_interrupt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Path] = []

    def interrupt(command: list[str], folder: Path, limit: float) -> Reply:
        seen.append(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(checks, "run_program", interrupt)
    with pytest.raises(KeyboardInterrupt):
        ask("truncated-record", tmp_path)
    assert seen and seen[0].parent == tmp_path and list(tmp_path.iterdir()) == []


def test_the_large_record_is_skipped_where_it_does_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "available_memory", lambda: 5_000_000)
    monkeypatch.setattr(checks, "free_bytes", lambda path: 1 << 50)
    found = ask(LARGE, tmp_path)
    assert found.answer == "skipped" and "5,000,000 are available" in found.detail
    monkeypatch.setattr(checks, "free_bytes", lambda path: 1 << 30)
    assert "needs 3,221,225,472 bytes of disk, 1,073,741,824 are free" in ask(LARGE, tmp_path).detail


def test_names_and_patterns(tmp_path: Path) -> None:
    assert [each.name for each in checks.choose(["backspace", "child-*"])] == [
        "child-unformatted",
        "child-formatted",
        "child-list",
        "backspace",
    ]
    with pytest.raises(HeadraceError, match="no check is called 'nonsense'"):
        run_checks(COMPILERS[0], tmp_path, ["nonsense"])
    said: list[str] = []
    run_checks(COMPILERS[0], tmp_path, ["backspace"], said.append)
    assert said == [f"check 1 of 1: backspace, {COMPILERS[0].identifier}"]


def test_every_check_of_the_sources_is_listed_once() -> None:
    names = [question.name for question in CHECKS]
    assert len(names) == len(set(names)) >= 35
    for path in (sources_directory() / "checks").glob("*.f90"):
        assert path.read_text().count("!> Check ") == sum(question.program == path.stem for question in CHECKS)


def test_the_advice_names_only_commands_that_exist() -> None:
    commands = {module.name for module in pkgutil.iter_modules(headrace.commands.__path__)}
    for question in CHECKS:
        assert set(re.findall(r"'headrace (\w+)", question.instead)) <= commands, question


# --- the independent reader ---


@pytest.mark.parametrize(
    ("numbers", "lengths", "trouble"),
    [
        ((4, 1, 4, 0, 0), [4, 0], ""),
        ((-4, 1, 4, -4, 1, -4, 4, 1, -4), [12], ""),
        ((-4, 1, 4, 4, 1, 4), [], "marker 4 at byte 12 has the end marker 4"),
        ((-4, 1, 4), [], "lacks its last subrecord"),
        ((4, 1, 5), [], "marker 4 at byte 0 has the end marker 5 at byte 8"),
        ((4, 1, 4, 8, 1), [4], "marker 8 at byte 12 reaches beyond the file's 20 bytes"),
        ((-1073741824, 1, 1), [], "marker -1073741824 at byte 0 reaches beyond"),
    ],
)
def test_walks_records(numbers: tuple[int, ...], lengths: list[int], trouble: str, tmp_path: Path) -> None:
    file = tmp_path / "records.dat"
    file.write_bytes(struct.pack(f"={len(numbers)}i", *numbers))
    found, said = walk_records(file)
    assert found == lengths and (trouble in said if trouble else said == "")
