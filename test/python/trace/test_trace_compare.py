"""headrace compare of two traces: lines are matched although they moved, and nothing is said of speed."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headrace.trace.comparison import Row, compare_traces
from headrace.trace.results import Trace
from trace_programs import Run, compiled

BEFORE = """\
subroutine save(u, x)
   integer, intent(in) :: u
   real(8), intent(in) :: x(:)
   integer :: i
   do i = 1, size(x)
      write (u) x(i)
   end do
   flush (u)
end subroutine save
program demo
   interface
      subroutine save(u, x)
         integer, intent(in) :: u
         real(8), intent(in) :: x(:)
      end subroutine save
   end interface
   real(8) :: x(2000)
   x = 1
   open (10, file='d.dat', form='unformatted')
   call save(10, x)
   write (10) x(1:5)
   close (10)
end program demo
"""
AFTER = (
    BEFORE.replace("   do i = 1, size(x)\n", "   ! all at once\n   i = 0\n")
    .replace("write (u) x(i)\n   end do\n", "write (u) x\n")
    .replace("   flush (u)\n", "")
    .replace("   close (10)\n", "   inquire (10, nextrec=i)\n   close (10)\n")
)


@pytest.fixture
def two(headrace: Run, tmp_path: Path) -> Path:
    """A trace before and one after a change, made by one user in one directory."""
    for name, source in (("before", BEFORE), ("after", AFTER)):
        program = compiled(tmp_path, "demo", source, "-O0")
        assert headrace("trace", "--save", name, str(program)).returncode == 0
    return tmp_path


def test_a_change_is_seen_line_by_line(two: Path, headrace: Run) -> None:
    done = headrace("compare", "--json", "before.headrace-trace", "after.headrace-trace")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    rows = {
        (
            row["change"],
            *(side and (side["line"], side["statements"], side["payload_bytes"]) for side in (row["a"], row["b"])),
        )
        for row in found["rows"]
        if (row["a"] or row["b"])["line"]
    }
    assert rows == {
        ("changed", (6, 2000, 16000), (7, 1, 16000)),
        ("gone", (8, 1, 0), None),
        ("moved", (19, 1, 0), (18, 1, 0)),
        ("moved", (21, 1, 40), (20, 1, 40)),
        ("new", None, (21, 1, 0)),
        ("same", (22, 1, 0), (22, 1, 0)),
    }
    assert (found["a"]["statements"], found["b"]["statements"]) == (2004, 5)
    done = headrace("compare", "before.headrace-trace", "after.headrace-trace")
    said = " ".join(done.stdout.split())
    assert "4 lines are in both: 1 in their place, 2 moved, 1 rewritten. 1 are new in B, 1 are gone." in said
    assert "demo.f90:6->7 write unf changed 2.00k 1 16.0k 16.0k" in said
    assert "A demo.f90:6 write (u) x(i) B demo.f90:7 write (u) x" in said
    assert "Seconds are of one run each: what differs may be chance" in said
    assert not [line for line in done.stdout.splitlines() if len(line) > 100]
    # The JSON of a trace serves as well; of a thing and itself nothing differs.
    assert headrace("trace", "show", "after.headrace-trace", "--json", "after.json").returncode == 0
    done = headrace("compare", "--json", "after.json", "after.headrace-trace")
    assert {row["change"] for row in json.loads(done.stdout)["rows"]} == {"same"}
    assert all(row["a"] == row["b"] for row in json.loads(done.stdout)["rows"])


def test_what_cannot_be_compared_is_refused(headrace: Run, tmp_path: Path) -> None:
    (tmp_path / "trace.json").write_text('{"schema":"headrace-trace/1"}')
    (tmp_path / "results.json").write_text('{"schema_version": 2}')
    (tmp_path / "cut.headrace-trace").write_bytes(b"PK\3\4")
    for a, b, words in (
        ("trace.json", "results.json", "trace.json is a trace, results.json is not"),
        ("results.json", "cut.headrace-trace", "cut.headrace-trace is a trace, results.json is not"),
        ("trace.json", "nothing", "nothing: no such file"),
        ("cut.headrace-trace", "cut.headrace-trace", "not a trace, or one that is cut off or damaged"),
        ("trace.json", "trace.json", "trace.json: at tool_version: Field required"),
        ("results.json", "nothing", "results.json: at"),
    ):
        done = headrace("compare", a, b)
        assert done.returncode == 2 and words in done.stderr, (a, b, done.stderr)
        assert done.stdout == ""


def trace_of(lines: list[tuple[str, int, str, str, str]], source: bool = True) -> Trace:
    """Of (file, line, statement, text, procedure)."""
    numbers = (
        *("processes", "statements", "items", "elements", "payload_bytes", "payload_smallest", "payload_largest"),
        *("seconds", "seconds_exclusive", "seconds_in_system", "longest_seconds"),
        *("bytes_written", "bytes_read", "errors", "ends"),
    )
    made: list[dict[str, Any]] = [
        dict.fromkeys(numbers, 1)
        | {"id": number, "place": f"{file}:{line}", "file": file, "line": line, "source": text if source else ""}
        | {"statement": statement, "form": "", "traits": [], "internal": False, "name": "", "formats": []}
        | {"files": [], "opened_at": [], "largest_of_a_rank": None, "largest_rank": None, "imbalance": None}
        | {"calls": {"write": 0, "read": 0, "seek": 0, "other": 0}, "procedure": procedure}
        for number, (file, line, statement, text, procedure) in enumerate(lines)
    ]
    totals = dict.fromkeys(("io_seconds", "io_seconds_internal", "io_seconds_in_system"), 1.0)
    return Trace.model_validate(
        {"schema": "headrace-trace/1", "tool_version": "0", "command": ["p"], "date": "", "host": "h", "wall": 1.0}
        | {"exit_code": 0, "signal": "", "mpi_ranks": 0, "processes": [], "files": [], "lines": made, "notes": []}
        | {"totals": totals | {"at_once": 1, "share": None, "bytes_written": 0, "bytes_read": 0}}
    )


def matched(rows: list[Row]) -> set[tuple[int | None, int | None]]:
    return {(row.a.line if row.a else None, row.b.line if row.b else None) for row in rows}


def test_the_same_text_in_other_procedures_is_told_apart() -> None:
    text = "write (u) x"
    a = trace_of([("f", 10, "write", text, "one"), ("f", 20, "write", text, "two"), ("f", 30, "write", text, "three")])
    b = trace_of([("f", 12, "write", text, "two"), ("f", 22, "write", text, "three"), ("f", 32, "write", text, "one")])
    assert matched(compare_traces(a, b).rows) == {(10, 32), (20, 12), (30, 22)}
    # A routine that went to another file is found there; one that changed its statement is not the same line.
    c = trace_of(
        [("g", 5, "write", text, "one"), ("f", 20, "read", "read (u) x", "two"), ("f", 30, "write", text, "three")]
    )
    assert matched(compare_traces(a, c).rows) == {(10, 5), (20, None), (None, 20), (30, 30)}


def test_lines_that_may_be_several_are_not_guessed() -> None:
    a = trace_of([("f", 5, "open", "open (1)", "p"), ("f", 10, "write", "write (1) a", "p")])
    b = trace_of(
        [
            ("f", 5, "open", "open (1)", "p"),
            ("f", 9, "write", "write (1) b", "p"),
            ("f", 11, "write", "write (1) c", "p"),
        ]
    )
    assert matched(compare_traces(a, b).rows) == {(5, 5), (10, None), (None, 9), (None, 11)}


def test_without_sources_only_the_number_tells() -> None:
    lines = [("f", 5, "write", "x", ""), ("f", 9, "write", "y", "")]
    moved = [("f", 5, "write", "x", ""), ("f", 10, "write", "y", "")]
    for a, b in ((False, False), (True, False), (False, True)):
        found = compare_traces(trace_of(lines, a), trace_of(moved, b))
        assert matched(found.rows) == {(5, 5), (9, None), (None, 10)}
        assert any("matched by their numbers" in note for note in found.notes)


def test_edits_whose_truth_is_known_are_found() -> None:
    """Files of a hundred statements, a few of one text, with lines put in, taken out, moved and rewritten."""
    random = np.random.default_rng(21)
    wrong = pairs = 0
    for _ in range(30):
        kinds = ("write", "read", "flush")
        old = [(kinds[i % 3], f"text {i if i % 7 else i % 3}", f"procedure {i // 10}") for i in range(100)]
        new = [(i, *line) for i, line in enumerate(old) if random.random() > 0.1]
        for _ in range(8):
            new.insert(int(random.integers(0, len(new))), (-1, "write", f"new {random.integers(10**9)}", "procedure 3"))
        numbers = np.cumsum(random.integers(1, 5, len(new)))
        a = trace_of([("f", 10 * i + 1, *line) for i, line in enumerate(old)])
        b = trace_of([("f", int(at), *line[1:]) for at, line in zip(numbers, new, strict=True)])
        truth = {(10 * line[0] + 1, int(at)) for at, line in zip(numbers, new, strict=True) if line[0] >= 0}
        found = {pair for pair in matched(compare_traces(a, b).rows) if None not in pair}
        unique = {pair for pair in truth if ((pair[0] or 0) // 10) % 7}  # their texts occur once
        assert unique <= found
        pairs += len(truth)
        wrong += len(truth - found)
    assert wrong <= 0.02 * pairs
