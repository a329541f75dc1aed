"""`headrace bench run` as a user runs it, for seconds: every case with and without the library, ratios, bad input."""

import json
import statistics
from pathlib import Path
from typing import Any

import pytest

from conftest import start
from headrace.measure.run.campaign import RunCampaign
from headrace.measure.run.library import Library
from headrace.measure.run.run import names
from headrace.measure.run.start_up import start_up
from headrace.measure.run.ways import CASES, NEVER_SLOWER, START_UP, both, pairs
from headrace.results.files import schema
from headrace.results.run import Compiler
from headrace.trace.installed import RUN_LIBRARY, library_path
from validation import validate

SHORT = ("--fc", "gfortran", "--min-time", "0.001", "--time-budget", "1", "--quiet")


def cpu(row: dict[str, Any]) -> list[float]:
    return [sample["user"] + sample["system"] for sample in row["samples"]]


def test_every_case_is_measured_with_and_without(tmp_path: Path, gnu: Compiler) -> None:
    done = start(tmp_path, "bench", "run", *SHORT, "--repeat", "1", "--json", "r.json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "r.json").read_text())
    validate(found, schema)
    rows = {(row["tool"], row["way"]): row for row in found["rows"]}
    assert set(rows) == {(tool, case.name) for tool in ("gnu", "gnu-run") for case in CASES}
    assert all(row["samples"] and row["outcome"] == "measured" for row in rows.values())
    assert set(found["intervals"]) == set(names()) == set(found["ratios"]) and found["absent"] == {}
    for case in CASES:
        without, within = rows["gnu", case.name], rows["gnu-run", case.name]
        ratio = found["intervals"][case.name]
        expected = [a / b for a, b in zip(cpu(without), cpu(within), strict=True)]
        assert ratio["median"] == pytest.approx(statistics.median(expected))
        assert ratio["goal"] == case.goal >= NEVER_SLOWER and without["values"] == within["values"] >= 1000
        assert without["statements_taken_over"] == 0 and case.title[:30] in done.stdout
    assert rows["gnu-run", "write_es22"]["statements_taken_over"] >= rows["gnu", "write_es22"]["values"] - 501
    for name in ("unformatted", "namelist_read", "direct_formatted"):
        assert rows["gnu-run", name]["statements_taken_over"] == 0
    assert any("T to the left" in reason for reason in rows["gnu-run", "tabs"]["why_left"])
    assert all(line.rstrip() == line[:100].rstrip() for line in done.stdout.splitlines() if "wrote" not in line)
    assert "With headrace run, " in done.stdout and "start_up: " in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]
    assert start(tmp_path, "compare", "r.json", "r.json").returncode == 0
    assert start(tmp_path, "report", "r.json", "-o", "r.html").returncode == 0
    text = start(tmp_path, "report", "--format", "markdown", "r.json").stdout
    assert all(f"| `{name}` |" in text for name in found["ratios"])


def test_only_what_is_named_is_measured(tmp_path: Path, gnu: Compiler) -> None:
    only = ("--only", "write_a,start_up", "--only", "threads_internal", "--rounds", "2", "--json", "r.json")
    assert start(tmp_path, "bench", "run", *SHORT, *only).returncode == 0
    found = json.loads((tmp_path / "r.json").read_text())
    assert set(found["ratios"]) == {"write_a", "threads_internal", "start_up"}
    assert found["settings"]["only"] == ["write_a", "start_up", "threads_internal"] and found["settings"]["rounds"] == 2


def test_the_list_has_every_case_and_its_goal(tmp_path: Path) -> None:
    done = start(tmp_path, "bench", "run", "--list")
    assert done.returncode == 0 and all(f"\n{name} " in done.stdout for name in names())
    assert ">= 35" in done.stdout and ">= 0.95" in done.stdout and "<= 1 ms" in done.stdout


def test_bad_input_is_said_before_anything_is_compiled(tmp_path: Path) -> None:
    fake = tmp_path / "flang"
    fake.write_text("#!/bin/sh\necho flang version 19.1.7\n")
    fake.chmod(0o755)
    empty = tmp_path / "empty"
    empty.mkdir()
    for words, environment, said in (
        (("--only", "write_es2"), {}, "did you mean write_es22?"),
        (("--fc", str(fake)), {}, "flang 19.1.7, and the goals are for programs of gfortran"),
        ((), {"PATH": str(empty)}, "no gfortran was found"),
        ((), {"HEADRACE_RUN_LIBRARY": "/nowhere.so"}, "/nowhere.so: no such file"),
        (("--dir", "nowhere"), {}, "nowhere"),
        (("--repeat", "0"), {}, "is not a whole number above 0"),
    ):
        done = start(tmp_path, "bench", "run", *words, HEADRACE_CACHE=str(tmp_path / "cache"), **environment)
        assert done.returncode == 2 and said in done.stderr, done.stderr
        assert "Traceback" not in done.stderr and not (tmp_path / "cache").exists()


def test_a_library_that_does_nothing_is_not_measured(tmp_path: Path, gnu: Compiler) -> None:
    options = ("--only", "write_a", "--json", "r.json")
    done = start(tmp_path, "bench", "run", *SHORT, *options, GFORTRAN_UNBUFFERED_ALL="y")
    assert done.returncode == 1 and "GFORTRAN_UNBUFFERED_ALL is set" in done.stdout
    assert json.loads((tmp_path / "r.json").read_text())["ratios"] == {}


PROGRAM = """\
#!/bin/sh
if [ "$HEADRACE_RUN" = 1 ]; then
  [ -z "$HEADRACE_RUN_STATISTICS" ] || echo '{"sites": []}' > "$HEADRACE_RUN_STATISTICS/run.host.1.json"
  echo "%s" > "$3"
  echo "100 0.01 0.01 %s" >&2
else
  echo "the same" > "$3"
  echo "100 9.00 0.08 sum" >&2
fi
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Of a shell script nothing is taken over, so any library will do."""
    monkeypatch.setenv("HEADRACE_RUN", "1")  # as in the shell of a user who wants it everywhere
    library_path(RUN_LIBRARY)
    return Library()


def campaign_of(tmp_path: Path, library: Library, written: str, checksum: str) -> RunCampaign:
    program = tmp_path / "program"
    program.write_text(PROGRAM % (written, checksum))
    program.chmod(0o755)
    wanted = pairs(["gnu"], CASES[:1])
    programs = {(tool, False): program for tool in ("gnu", "gnu-run")}
    found = RunCampaign([both("gnu", CASES[0])], programs, wanted, library, tmp_path, 10, 6, 0.001, 1)
    found.measure(10**9, lambda text: None)
    return found


def test_a_ratio_is_that_of_processor_times(tmp_path: Path, library: Library) -> None:
    campaign = campaign_of(tmp_path, library, "the same", "sum")
    [target] = campaign.targets()
    assert target.values() == pytest.approx([8.0] * 6)


@pytest.mark.parametrize(("written", "checksum"), [("another", "sum"), ("the same", "mus")])
def test_other_contents_are_wrong(tmp_path: Path, library: Library, written: str, checksum: str) -> None:
    campaign = campaign_of(tmp_path, library, written, checksum)
    assert {state.outcome for state in campaign.states.values()} == {"wrong"} and campaign.targets() == []


def test_what_a_start_costs_more_is_found(tmp_path: Path, library: Library) -> None:
    program = tmp_path / "program"
    burns = "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"
    program.write_text(f'#!/bin/sh\n[ -z "$HEADRACE_RUN" ] || {{ {burns}; }}\n')
    program.chmod(0o755)
    found = start_up(program, START_UP["start_up"], library, tmp_path, 1)
    assert found.median > 2 and found.goal == 1 and not found.at_least
