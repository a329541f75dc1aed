"""`headrace bench binary` as a user runs it, at sizes of seconds: results, verification, bad input."""

import argparse
import json
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io

from headrace.commands import bench_binary
from headrace.errors import HeadraceError
from headrace.measure.binary import forms
from headrace.measure.binary.campaign import BinaryCampaign
from headrace.measure.binary.forms import FORMS
from headrace.measure.binary.ratios import ALL_NAMES, ARRAY, RECORDS, needed_keys
from headrace.measure.binary.run import names
from headrace.measure.binary.ways import Way
from headrace.measure.cases import Case
from headrace.measure.pairs import find_ratios
from headrace.measure.toolbox import Tool, Toolbox
from headrace.results.binary import BinaryRow, BinaryRun
from headrace.results.files import schema
from headrace.results.goals import judgement
from headrace.results.records import Sample
from headrace.results.run import Compiler
from validation import validate

Command = Callable[..., "subprocess.CompletedProcess[str]"]
SMALL = ("--values", "2e4", "--records", "2e4", "--convert-size", "64KiB")
SHORT = ("--min-time", "0.001", "--time-budget", "4", "--quiet")
AGREED = {
    "write_vs_raw",
    "read_vs_raw",
    "write_vs_gfortran",
    "read_vs_gfortran",
    "npy_write_vs_numpy",
    "npy_read_vs_numpy",
    "records_vs_gfortran",
    "records_vs_scipy",
    "convert_vs_cp",
    "npy_convert_vs_cp",
    "byteswap_vs_memcpy",
}
VALUES = np.random.default_rng(4).standard_normal((30, 4))


def load(path: Path) -> BinaryRun:
    return BinaryRun.model_validate(json.loads(path.read_text()))


def test_the_keys_of_ratios_are_those_that_were_agreed() -> None:
    assert set(ALL_NAMES) == AGREED


def test_a_small_run_gives_every_ratio_and_every_way_is_right(headrace: Command, tmp_path: Path, gnu: Compiler) -> None:
    done = headrace("bench", "binary", *SMALL, *SHORT, "--fc", gnu.path, "--dir", ".", "--json", "run.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("headrace writes whole arrays at ") and "\nwrote run.json\n" in done.stdout
    assert max(len(line) for line in done.stdout.splitlines()) <= 100
    run = load(tmp_path / "run.json")
    validate(json.loads((tmp_path / "run.json").read_text()), schema)
    assert set(run.ratios) == AGREED, run.absent
    for name, ratio in run.intervals.items():
        assert ratio.low <= run.ratios[name] <= ratio.high and ratio.n > 0
        assert ratio.verdict in ("valid", "noisy") and name in done.stdout
    assert {name for name, ratio in run.intervals.items() if ratio.goal is None} == {"byteswap_vs_memcpy"}
    assert run.figures["records_scan_rate"].goal == 100
    for row in run.rows:
        assert row.outcome == "measured" and row.statistics and row.version, (row.key, row.message)
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_only_measures_what_a_ratio_needs(headrace: Command, tmp_path: Path) -> None:
    options = ("--only", "npy_write_vs_numpy,byteswap_vs_memcpy", "--dir", ".", "--json", "r.json")
    done = headrace("bench", "binary", *SMALL, *SHORT, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    run = load(tmp_path / "r.json")
    assert set(run.ratios) == {"npy_write_vs_numpy", "byteswap_vs_memcpy"} and run.absent == {}
    assert {row.key for row in run.rows} == needed_keys("array", run.settings.only)
    assert {row.tool for row in run.rows} == {"headrace", "numpy", "memory"}


def test_json_on_standard_output_is_json_alone(headrace: Command) -> None:
    done = headrace("bench", "binary", *SMALL, *SHORT, "--only", "byteswap_vs_memcpy", "--dir", ".", "--json", "-")
    assert set(json.loads(done.stdout)["ratios"]) == {"byteswap_vs_memcpy"}


def test_the_list_names_what_only_takes(headrace: Command) -> None:
    done = headrace("bench", "binary", "--list")
    assert done.returncode == 0
    for name in names():
        assert f"  {name} " in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--only", "write_vs_row"), "there is no such ratio"),
        (("--values", "1e11"), "choose a smaller --values"),
        (("--records", "1e11"), "choose a smaller --records"),
        (("--convert-size", "90TB"), "choose a smaller --convert-size"),
        (("--values", "ten"), "is not a number of values"),
        (("--values", "0"), "at least 1"),
        (("--dir", "nowhere"), "does not exist"),
        (("--fc", "no-such-fortran"), "was not found"),
        (("--json", "nowhere/r.json"), "does not exist"),
    ],
)
def test_bad_input_is_refused(options: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    bench_binary.add_parser(parser.add_subparsers())
    with pytest.raises((HeadraceError, SystemExit)) as caught:
        chosen = parser.parse_args(["binary", "--quick", "--quiet", *options])
        chosen.run(chosen)
    assert words in f"{caught.value} {getattr(caught.value, 'hint', '')} {capsys.readouterr().err}"


def test_bad_input_gives_exit_code_2(headrace: Command) -> None:
    done = headrace("bench", "binary", "--only", "write_vs_row")
    assert done.returncode == 2 and "known: write_vs_raw, " in done.stderr


def test_records_are_those_that_scipy_writes_and_reads(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.unf", tmp_path / "theirs.unf"
    forms.make(ours, FORMS["records"], VALUES)
    with scipy.io.FortranFile(theirs, "w", header_dtype=np.uint32) as stream:
        for record in VALUES:
            stream.write_record(record)
    assert ours.read_bytes() == theirs.read_bytes()
    forms.make(ours, FORMS["short records"], VALUES)
    with scipy.io.FortranFile(ours, "r", header_dtype=np.uint32) as stream:
        assert all(stream.read_reals("f8") == [value] for value in VALUES.ravel())


def test_long_records_are_cut_as_gfortran_cuts_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengths of subrecords as measured with -fmax-subrecord-length=32."""
    monkeypatch.setattr(forms, "LONGEST", 32)
    file = tmp_path / "x.unf"
    forms.make(file, FORMS["unformatted"], np.arange(10.0))
    content = file.read_bytes()
    lengths = [struct.unpack_from("<i", content, place)[0] for place in (0, 36, 40, 76, 80, 100)]
    assert lengths == [-32, 32, -32, -32, 16, -16] and len(content) == 104


@pytest.mark.parametrize("name", list(FORMS))
def test_every_form_is_compared_to_its_last_byte(tmp_path: Path, name: str) -> None:
    form, file = FORMS[name], tmp_path / "x"
    forms.make(file, form, VALUES)
    content = file.read_bytes()
    assert forms.difference(file, form, VALUES) == ""
    for place in (len(content) - 1, len(content) // 2):
        file.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert forms.difference(file, form, VALUES) == f"byte {place + 1:,} is wrong"
    file.write_bytes(content[:-1])
    assert forms.difference(file, form, VALUES) == f"the file ends at byte {len(content) - 1:,}, which is too early"
    file.write_bytes(content + b"\0")
    assert "bytes follow" in forms.difference(file, form, VALUES)
    file.write_bytes(content)
    forms.disturb(file)
    assert forms.difference(file, form, VALUES) != ""


def test_npy_files_are_read_by_numpy_and_either_order_is_right(tmp_path: Path) -> None:
    file = tmp_path / "x.npy"
    forms.make(file, FORMS["npy"], VALUES)
    assert np.array_equal(np.load(file), VALUES.T)
    np.save(file, VALUES)
    assert forms.difference(file, FORMS["npy"], VALUES) == ""
    np.save(file, VALUES.astype(np.float32))
    assert "expected float64" in forms.difference(file, FORMS["npy"], VALUES)
    file.write_bytes(b"no numpy file at all")
    assert "numpy cannot read the header" in forms.difference(file, FORMS["npy"], VALUES)


WRONG_WORKER = """
import sys
print("ready 1", flush=True)
for line in sys.stdin:
    verb, how, layout, file, tolerance = line.rstrip("\\n").split("\\t")
    if how == "dies":
        sys.exit("out of paper")
    if verb == "write" and how == "short":
        open(file, "wb").write(b"1234")
    print(f"done wall=0.5 user=0.1 system=0.1 peak=0 differences={layout if verb == 'read' else 0}", flush=True)
"""


def test_a_tool_that_writes_or_reads_wrongly_is_found_out(tmp_path: Path) -> None:
    script = tmp_path / "wrong.py"
    script.write_text(WRONG_WORKER)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    box = Toolbox()
    box.tools["wrong"] = Tool("wrong", "wrong", lambda c, v, s: ([sys.executable, str(script)], {}))
    ways = [
        Way("wrong", "write", "short", "short", "", "raw"),
        Way("wrong", "write", "none", "nothing", "", "raw"),
        Way("wrong", "write", "same", "nothing", "", "unformatted", in_place=True),
        Way("wrong", "read", "bad", "array", "3", "raw"),
        Way("wrong", "write", "dead", "dies", "1", "raw"),
    ]
    case = Case("array", rows=4, columns=2)
    campaign = BinaryCampaign(case, ways, box, scratch, 20.0, rounds=3, minimum_seconds=0.001, seed=1)
    campaign.run([], 1e18, lambda text: None)
    outcomes = {state.way.name: (state.outcome, state.message) for state in campaign.states.values()}
    assert outcomes["short"] == ("wrong", "byte 1 is wrong")
    assert outcomes["none"] == ("wrong", "no file was written")
    assert outcomes["same"] == ("wrong", "byte 1 is wrong")
    assert outcomes["bad"] == ("wrong", "3 of 8 values were read wrongly")
    assert outcomes["dead"] == ("failed", "out of paper")


def row(key: str, seconds: list[float], values: int = 1) -> BinaryRow:
    tool, way, operation = key.split(":")
    samples = [Sample(round=i, passes=1, total=s, user=s, system=0, peak=0) for i, s in enumerate(seconds)]
    shape: Any = {"payload_bytes": 8 * values, "values": values, "operation": operation, "samples": samples}
    return BinaryRow(case="c", tool=tool, title=tool, way=way, **shape)


def test_readers_of_different_shares_are_compared_by_their_rates() -> None:
    rows = [row("gnu:records:read", [1.0, 2.0, 3.0] * 2, 10), row("headrace:records:read", [0.5] * 6, 100)]
    found = find_ratios(RECORDS, rows)["records_vs_gfortran"]
    assert (found.median, found.low, found.high, judgement(found)) == (40.0, 20.0, 60.0, "met")


def test_the_fastest_block_size_gives_the_ratio() -> None:
    ours = row("headrace:unformatted:write", [1.0] * 6)
    blocks = [row(f"system:write(2), {size} MiB:write", [time] * 6) for size, time in ((1, 1.2), (4, 0.9), (8, 1.1))]
    found = find_ratios(ARRAY, [ours, *blocks])["write_vs_raw"]
    assert found.median == 0.9 and "4 MiB" in found.meaning
    assert judgement(found) == "missed" and found.verdict == "valid"
