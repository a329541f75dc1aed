"""The harness of the identity tests finds what it is there for: a library that does one thing wrong is found out."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from headrace.results.run import Compiler
from run_identity import MODES, PIPE, SINKS, Allowed, Case, Entry, Outcome, compare, differences, first_difference, mask
from run_library import wrong_things
from run_programs import SOURCES, compiled, described

pytest_plugins = ("run_library",)

SAYS = {
    "changed_byte": "file records.txt: line",
    "lost_record": "file records.txt: line 100: b'record 100' without, b'' with",
    "doubled_record": "file records.txt: line 101: b'' without, b'record 100' with",
    "swapped_records": "file records.txt: line 1: b'record   1' without, b'record 100' with",
    "exit_code": "exit status: 0 without, 77 with",
    "killed": "exit status: 0 without, -6 with",
    "said": "standard error: line 1: b'on standard error' without, b'headrace run: something is wrong' with",
    "left_file": "file left.tmp: is new",
    "removed_file": "file records.txt: is missing",
    "changed_mode": "mode of records.txt: 0o1006",
    "output_byte": "standard output: line 1: b'on standard output' without",
    "errors_byte": "standard error: line 1: b'on standard error' without",
    "cut_file": "file records.txt: line 1: b'record   1' without, b'recor' with",
    "left_temporary": "files in TMPDIR: 0 without, 1 with",
    "never_ends": "exit status: 0 without, None with",
}
IN_ONE_MODE = {
    "only_small_batches": "batches of 300 bytes",
    "only_traced": "with trace",
    "only_strict": "strict",
    "only_checked": "every statement checked",
    "only_statistics": "statistics",
}


@pytest.fixture(scope="module")
def case(gnu: Compiler) -> Case:
    program = described(SOURCES / "harness.f90")
    return program.case(compiled(program, gnu, "-O0"), "")


def test_every_wrong_library_is_tried() -> None:
    assert set(wrong_things()) == {"nothing", "late", *SAYS, *IN_ONE_MODE}


def test_nothing_differs_with_a_library_that_does_nothing(
    case: Case, wrong_library: Callable[[str], Path], tmp_path: Path
) -> None:
    found = compare(case, tmp_path, wrong_library("nothing"), sinks=lambda mode: SINKS)
    assert (found.differences, found.not_reproducible) == ([], set())
    assert found.runs == 2 * len(SINKS) + len(MODES) * len(SINKS)


@pytest.mark.parametrize("thing", SAYS)
def test_it_says_what_is_wrong(thing: str, case: Case, wrong_library: Callable[[str], Path], tmp_path: Path) -> None:
    limited = dataclasses.replace(case, seconds=2 if thing == "never_ends" else 60)
    found = compare(limited, tmp_path, wrong_library(thing), ["default"], lambda mode: [PIPE])
    assert any(SAYS[thing] in said for said in found.differences), found.differences


@pytest.mark.parametrize("thing", IN_ONE_MODE)
def test_it_finds_what_is_wrong_in_one_mode_only(
    thing: str, case: Case, wrong_library: Callable[[str], Path], tmp_path: Path
) -> None:
    found = compare(case, tmp_path, wrong_library(thing))
    assert found.differences
    assert all(said.startswith(IN_ONE_MODE[thing]) for said in found.differences)


@pytest.mark.parametrize("sink", SINKS)
def test_standard_output_is_compared_wherever_it_goes(
    sink: str, case: Case, wrong_library: Callable[[str], Path], tmp_path: Path
) -> None:
    found = compare(case, tmp_path, wrong_library("output_byte"), ["default"], lambda mode: [sink])
    assert len(found.differences) == 1 and "standard output: line" in found.differences[0]


def test_what_comes_late_is_found_by_a_program_that_looks(
    gnu: Compiler, wrong_library: Callable[[str], Path], tmp_path: Path
) -> None:
    program = described(SOURCES / "programs" / "outside" / "flush_then_system_cat.f90")
    looking = program.case(compiled(program, gnu, "-O0"), "")
    assert compare(looking, tmp_path, wrong_library("late"), ["default"]).differences


def ended(output: bytes, **more: object) -> Outcome:
    return dataclasses.replace(Outcome(0, output, b"", {}, 0), **more)  # type: ignore[arg-type]


def test_a_fatal_signal_may_lose_one_batch() -> None:
    written = b"".join(b"%9d\n" % i for i in range(2000))
    killed = Allowed(killed=True)

    def said(found: bytes, strict: bool = False) -> list[str]:
        return differences(ended(written), ended(found), set(), killed, strict)

    assert not said(written[:-8192]) and not said(written + b"more\n")
    assert "8193 bytes less" in said(written[:-8193])[0]
    assert "1 bytes less" in said(written[:-1], strict=True)[0]
    assert "line 1: " in said(b"x" + written[1:])[0]
    assert differences(ended(written), ended(written[:-1]), set(), Allowed())


def test_lines_of_threads_come_in_any_order_but_all_come() -> None:
    unordered = Allowed(unordered=frozenset({"standard output"}))
    assert not differences(ended(b"a\nb\n"), ended(b"b\na\n"), set(), unordered)
    assert differences(ended(b"a\nb\n"), ended(b"b\nb\n"), set(), unordered)


def test_links_and_directories_are_files_too() -> None:
    plain = ended(b"", files={"a": Entry(0o120777, b"b"), "d": Entry(0o040755)})
    other = ended(b"", files={"a": Entry(0o120777, b"c")})
    assert len(differences(plain, other, set(), Allowed())) == 3


def test_what_is_not_reproducible_is_not_compared(gnu: Compiler, tmp_path: Path) -> None:
    source = tmp_path / "clock.f90"
    source.write_text(
        "program clock\n implicit none\n integer(8) :: n\n call system_clock(n)\n print *, n\n"
        " open (9, file='same.txt')\n write (9, *) 1\nend program clock\n"
    )
    program = described(source)
    found = compare(program.case(compiled(program, gnu, "-O0"), ""), tmp_path / "runs", None, ["default"])
    assert found.not_reproducible == {"standard output"} and not found.differences


def test_addresses_are_masked_and_numbers_are_not() -> None:
    text = b"#0  0x7f1c2b in ???\n#1  0x55d0aa1b in MAIN__\n\tat a.f90:3\n"
    text += b"#2  0x55d0aa1c in hr_x\n\tat b.c:1\n123, 1234\n"
    assert mask(text) == b"#0 in ???\n#1 in MAIN__ at a.f90:3\n#2 in hr_x at b.c:1\n123, 1234\n"


def test_the_place_of_a_difference_in_a_long_line_is_shown() -> None:
    said = first_difference(b"one\n" + b"x" * 500 + b"A" + b"y" * 500, b"one\n" + b"x" * 500 + b"B" + b"y" * 500)
    assert said.startswith("line 2: ") and "(from byte 460 of 1001)" in said and "A" in said and "B" in said
