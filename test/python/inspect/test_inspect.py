"""`headrace inspect` tells what files are, says when it cannot, and its snippets read them."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cases import Case
from conftest import COMPILERS
from generate import generate_known
from headrace.errors import HeadraceError
from headrace.inspect import contents, inspect_file
from headrace.inspect.findings import Report
from headrace.inspect.schema import schema_text
from headrace.layout.schema import parse_schema
from headrace.results.run import Compiler
from score import Score, judge

RNG = np.random.default_rng(11)
Run = Callable[..., "subprocess.CompletedProcess[str]"]
GFORTRAN_READS = ("record4-little", "record4-big", "record8-little", "record8-big", "record4-subrecords")


def record(data: Any, order: str = "<", size: int = 4) -> bytes:
    """One record with its markers."""
    raw = data if isinstance(data, bytes) else np.asarray(data).tobytes()
    marker = np.array(len(raw), f"{order}i{size}").tobytes()
    return marker + raw + marker


def series(steps: int = 20, order: str = "<", size: int = 4) -> bytes:
    """Shape, time and field at each step."""
    parts = []
    for step in range(steps):
        field = 280 + np.sin(np.arange(84) * 0.1 + step)
        parts += [np.array([12, 7], f"{order}i4"), np.array([0.5 * step], f"{order}f8"), field.astype(f"{order}f8")]
    return b"".join(record(part, order, size) for part in parts)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Case]]:
    """The named set of the corpus."""
    out = tmp_path_factory.mktemp("named")
    return out, generate_known(out, COMPILERS)


@pytest.fixture(scope="module")
def reports(corpus: tuple[Path, list[Case]]) -> dict[str, Report]:
    """What inspect says about each file of it."""
    return {case.file: inspect_file(corpus[0] / case.file) for case in corpus[1]}


def verdict(path: Path, content: bytes) -> Report:
    path.write_bytes(content)
    return inspect_file(path)


def test_every_file_of_the_named_set_is_told_right(corpus: tuple[Path, list[Case]], reports: dict[str, Report]) -> None:
    scores = [judge(case, json.loads(json.dumps(reports[case.file].as_json()))) for case in corpus[1]]

    def wrong(one: Score) -> str:
        return f"{one.file}: {one.verdict} ({one.confidence:.2f}), not {one.truth} {one.details_wrong}"

    assert [wrong(one) for one in scores if one.outcome != "right"] == []
    # Records of a direct-access file that were never written count for inspect, not for the corpus.
    assert [wrong(one) for one in scores if one.details_wrong and not one.file.startswith("direct")] == []


def test_types_and_shapes_of_the_named_records_are_right(
    corpus: tuple[Path, list[Case]], reports: dict[str, Report]
) -> None:
    seen = 0
    for case in corpus[1]:
        if case.kind not in GFORTRAN_READS or "series" not in case.file or "subrecords" in case.file:
            continue
        run = max(reports[case.file].verdict.runs, key=lambda one: one.times)
        assert [[f"{item.type} {item.count}" for item in slot.items] for slot in run.slots] == case.record_types
        assert run.slots[-1].items[0].shape == case.shape
        seen += 1
    assert seen >= 4


def compiled(source: str, folder: Path, compiler: Compiler, flags: list[str]) -> str:
    """Compiles and runs a snippet; returns what went wrong."""
    folder.mkdir()
    (folder / "read.f90").write_text(source + "\n")
    build = [compiler.path, "-O0", "-Wall", *flags, "read.f90", "-o", "read"]
    for command in (build, ["./read"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
        if done.returncode or ("Warning" in done.stderr and command is build):
            return f"{folder.name}: {done.stderr}\n{source}"
    return ""


def test_fortran_snippets_compile_and_read_their_files(
    corpus: tuple[Path, list[Case]], reports: dict[str, Report], gnu: Compiler, tmp_path: Path
) -> None:
    jobs = []
    for number, case in enumerate(corpus[1]):
        report = reports[case.file]
        readable = case.kind in GFORTRAN_READS or case.kind.startswith(("text-", "raw", "direct", "zero"))
        if "huge" in case.file or not readable or "-llvm" in case.file or "fortran" not in report.snippets:
            continue
        flags = ["-frecord-marker=8"] if report.verdict.detail.get("marker_bytes") == 8 else []
        jobs.append((report.snippets["fortran"], tmp_path / f"{number}-{case.file}", gnu, flags))
    with ThreadPoolExecutor(max_workers=2) as pool:
        assert [text for text in pool.map(lambda job: compiled(*job), jobs) if text] == []
    assert len(jobs) > 40


def test_python_snippets_read_their_files(corpus: tuple[Path, list[Case]], reports: dict[str, Report]) -> None:
    seen = 0
    for case in corpus[1]:
        snippet = reports[case.file].snippets.get("python", "")
        if not snippet.startswith("import") or "huge" in case.file or reports[case.file].verdict.detail.get("damage"):
            continue
        names: dict[str, Any] = {"print": lambda *values: None}
        exec(compile(snippet, case.file, "exec"), names)
        seen += 1
    assert seen > 60


def test_schemas_are_accepted_by_their_reader(corpus: tuple[Path, list[Case]], reports: dict[str, Report]) -> None:
    seen = 0
    for case in corpus[1]:
        if case.kind in GFORTRAN_READS:
            schema = parse_schema(schema_text(reports[case.file]))
            assert schema.file.byte_order == case.byte_order
            seen += 1
    assert seen > 20


def test_the_convert_snippet_gives_the_values_that_were_written(headrace: Run, tmp_path: Path) -> None:
    report = verdict(tmp_path / "run.dat", series())
    for line in report.snippets["convert"].splitlines():
        command, _, target = line.partition("  # ")[0].partition(" > ")
        done = headrace(*shlex.split(command)[1:])
        assert done.returncode == 0, done.stderr
        if target:
            (tmp_path / target).write_text(done.stdout)
    with np.load(tmp_path / "run.npz") as arrays:
        assert sorted(arrays) == ["field", "n", "value"]
        assert arrays["value"].ravel().tolist() == [0.5 * step for step in range(20)]
        assert {arrays["field"].size, *arrays["field"].shape} == {1680, 12, 7, 20}


@pytest.mark.parametrize(("order", "size"), [("<", 4), (">", 4), ("<", 8), (">", 8)])
def test_a_series_is_told_with_pattern_types_shape_and_values(tmp_path: Path, order: str, size: int) -> None:
    report = verdict(tmp_path / "x.dat", series(order=order, size=size))
    assert report.verdict.format == f"record{size}-{'little' if order == '<' else 'big'}"
    assert report.exit_code == 0
    assert [str(run) for run in report.verdict.runs] == ["20 times: 8, 8, 672 bytes"]
    assert [[str(item) for item in slot.items] for slot in report.verdict.runs[0].slots] == [
        ["int32 2"], ["real64 1"], ["real64 84 (12, 7)"],
    ]  # fmt: skip
    field = report.verdict.runs[0].slots[2].items[0]
    assert field.first[0] == pytest.approx(280)
    assert field.smallest is not None and 279 <= field.smallest < 279.1


STEPS = np.arange(1.0, 51)[:, None]
PLACES = np.arange(1.0, 101)
SMOOTH = {
    "wave and step": 280 + 13.5 * np.sin(0.1 * PLACES) + STEPS,
    "wave that moves": 280 + 10 * np.sin(0.1 * PLACES + 0.01 * STEPS),
    "ramp": 273.15 + 0.37 * PLACES + 0.01 * STEPS,
    "constant": 101325 + 0 * PLACES + 0.5 * STEPS,
    "the same decimal": 1.2 + 0 * PLACES + 0 * STEPS,
    "the same temperature": 273.15 + 0 * PLACES + 0 * STEPS,
    "the same hundredths": 1013.23 + 0 * PLACES + 0 * STEPS,
    "around zero": 1e-3 * np.sin(0.05 * PLACES - 0.2 * STEPS),
    "beyond what is examined": np.sin(0.01 * np.arange(1100) + STEPS),
    "zeros before a front": np.maximum(0, np.tanh(0.05 * (PLACES - STEPS))),
}


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize(("kind", "order"), [("f8", "<"), ("f4", "<"), ("f8", ">"), ("f4", ">")])
@pytest.mark.parametrize("integers", [0, 1, 2, 3])
def test_smooth_reals_behind_integers_are_told(tmp_path: Path, name: str, kind: str, order: str, integers: int) -> None:
    field = SMOOTH[name].astype(order + kind)
    heads = [np.array([step, 1, 12][:integers], f"{order}i4").tobytes() for step in range(1, 51)]
    rows = [record(head + row.tobytes(), order) for head, row in zip(heads, field, strict=True)]
    slot = verdict(tmp_path / "x.dat", b"".join(rows)).verdict.runs[0].slots[0]
    reals = f"real{8 * int(kind[1])} {field.shape[1]}"
    told = [str(item).partition(" (")[0] for item in slot.items]
    assert told == [*([f"int32 {integers}"] if integers else []), reals]
    assert slot.confidence > 0.6  # what such guesses are right in other files: test_inspect_calibration.py


def test_one_record_that_is_longer_than_what_is_examined_is_told_to_its_end(tmp_path: Path) -> None:
    content = np.int32(5).tobytes() + np.sin(0.01 * np.arange(2000)).tobytes()
    slot = verdict(tmp_path / "x.dat", record(content)).verdict.runs[0].slots[0]
    assert [str(item) for item in slot.items] == ["int32 1", "real64 2000"]
    assert slot.confidence > 0.9


def test_a_type_that_changes_behind_what_is_examined_is_doubted(tmp_path: Path) -> None:
    for last in (np.arange(1500, dtype="<i4"), RNG.normal(size=1500).astype("<f4")):
        content = RNG.normal(size=2000).tobytes() + last.tobytes()
        slot = verdict(tmp_path / "x.dat", record(content) * 5).verdict.runs[0].slots[0]
        assert slot.confidence < 0.5
        assert "another type" in slot.items[-1].note


def test_records_of_several_kinds_of_reals_are_not_sure_or_right(tmp_path: Path) -> None:
    rows = []
    for step in range(1, 51):
        field = 280 + 13.5 * np.sin(0.1 * PLACES) + step
        rows.append(record(np.int32(step).tobytes() + np.float32(0.1 * step).tobytes() + field.tobytes()))
    slot = verdict(tmp_path / "x.dat", b"".join(rows)).verdict.runs[0].slots[0]
    right = [str(item) for item in slot.items] == ["int32 1", "real32 1", "real64 100"]
    assert right or slot.confidence < 0.9


def test_a_tie_is_said_and_nothing_is_guessed(headrace: Run, tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(RNG.normal(size=500).tobytes())
    done = headrace("inspect", "x.bin")
    assert done.returncode == 1
    assert done.stdout.startswith("A tie: raw bytes (stream access) or direct access. The bytes do not tell which.")
    (tmp_path / "zeros").write_bytes(bytes(48))
    report = inspect_file(tmp_path / "zeros")
    assert report.tie and report.snippets == {} and report.exit_code == 1


def test_arrays_of_small_integers_are_not_taken_for_records(tmp_path: Path) -> None:
    for kind in ("<i2", "<i4", ">i4", "<i8", "<f4", ">f8"):
        for values in (RNG.integers(0, 6, 400), np.arange(1, 300), RNG.poisson(40, 37), np.full(60, 4)):
            report = verdict(tmp_path / "x.bin", values.astype(kind).tobytes())
            # Nothing but the number 4 is a chain of records of 4 bytes too.
            assert report.tie or report.verdict.format == "raw", (kind, values[:4], report.verdict)


def test_a_damaged_file_says_where_and_what(headrace: Run, tmp_path: Path) -> None:
    whole = series()
    for name, content, words in (
        ("cut", whole[:-100], "the last record, number 60, is cut off; 100 bytes are missing"),
        (
            "trailing",
            whole + b"# end of run\n",
            "13 bytes behind the last record, from byte 14,240 on, are not a record",
        ),
        ("mixed", whole + series(3, ">"), "from record 61 on, at byte 14,240, the byte order is the other one"),
        (
            "hole",
            whole + b"\xfe" * 11 + whole,
            "11 bytes at byte 14,240 are not a record; records go on at byte 14,251",
        ),
    ):
        (tmp_path / name).write_bytes(content)
        done = headrace("inspect", name)
        assert done.returncode == 1
        assert words in " ".join(done.stdout.split())


def test_what_cannot_be_looked_into_is_refused(headrace: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, words in (
        ("missing", "No such file"), ("folder", "is a directory"), ("pipe", "a pipe (FIFO) cannot be inspected"),
        ("/dev/null", "a device cannot be inspected"),
    ):  # fmt: skip
        done = headrace("inspect", name)
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write and read everything")
def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"1234")
    path.chmod(0)
    with pytest.raises(HeadraceError, match="Permission denied"):
        inspect_file(path)


def test_an_empty_file_is_said_to_be_empty(headrace: Run, tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    done = headrace("inspect", "x")
    assert done.returncode == 0
    assert done.stdout.startswith("an empty file")


def test_the_output_fits_100_columns(corpus: tuple[Path, list[Case]], headrace: Run, tmp_path: Path) -> None:
    for name in ("record4-series-little-gnu.dat", "record4-ragged-big-gnu.dat", "truncated-big.dat"):
        if not (corpus[0] / name).exists():
            continue
        (tmp_path / name).write_bytes((corpus[0] / name).read_bytes())
        shown = headrace("inspect", name).stdout.partition("\nFortran")[0]
        assert max(map(len, shown.splitlines())) <= 100


def test_the_json_has_verdict_runner_up_and_tie(headrace: Run, tmp_path: Path) -> None:
    (tmp_path / "x.dat").write_bytes(series(order=">"))
    answer = json.loads(headrace("inspect", "--json", "x.dat").stdout)
    assert answer["verdict"]["format"] == "record4-big"
    assert answer["verdict"]["confidence"] > 0.99
    assert answer["verdict"]["detail"] == {"byte_order": "big", "records": 60, "marker_bytes": 4}
    assert answer["runner_up"]["confidence"] < 0.01
    assert answer["tie"] is False
    assert answer["pattern"][0]["times"] == 20
    little = next(one for one in answer["hypotheses"] if one["format"] == "record4-little")
    assert little["fails_at"] == 0 and "goes beyond the end" in little["why"]


ROWS = RNG.normal(size=(30, 4))


@pytest.mark.parametrize(
    ("line", "kind", "layout"),
    [
        ("".join(["{:15.5f}"] * 4), "text-formatted", "(4f15.5)"),
        ("".join(["{:12.4e}"] * 4), "text-formatted", "(4es12.4)"),
        ("   7" + "".join(["{:9.3f}"] * 4), "text-formatted", "(i4,4f9.3)"),
        (" {:.3g} {:.7g} {:.2g} {:.9g}", "text-list-directed", None),
        ("{:.4f}, {:.4f}, {:.4f}, {:.4f}", "text-delimited", None),
        ("{:.4f};{:.4f};{:.4f};{:.4f}", "text-delimited", None),
    ],
)
def test_texts_are_told_with_their_format(tmp_path: Path, line: str, kind: str, layout: str | None) -> None:
    text = "\n".join(line.format(*row) for row in ROWS) + "\n"
    report = verdict(tmp_path / "x.txt", text.encode())
    assert report.verdict.format == kind
    assert report.verdict.detail["columns"] in (4, 5)
    if layout:
        assert report.verdict.detail["format"] == layout


def test_a_file_that_changes_its_size_kills_nothing(tmp_path: Path) -> None:
    program = """
import sys, threading, pathlib
from headrace.errors import HeadraceError
from headrace.inspect import inspect_file
path, content = pathlib.Path("x.dat"), pathlib.Path("whole.dat").read_bytes()
path.write_bytes(content)
stop = threading.Event()
def change():
    while not stop.is_set():
        with path.open("r+b") as file:
            file.truncate(3)
        path.write_bytes(content)
thread = threading.Thread(target=change)
thread.start()
try:
    for _ in range(40):
        try:
            inspect_file(path)
        except HeadraceError:
            pass
finally:
    stop.set()
    thread.join()
"""
    (tmp_path / "whole.dat").write_bytes(series(400))
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr


def test_any_bytes_give_an_answer(tmp_path: Path) -> None:
    whole = series(3)
    for size in range(0, 120):
        assert verdict(tmp_path / "x", whole[:size]).hypotheses
    for place in range(0, 60):
        for byte in (b"\0", b"\x7f", b"\xff"):
            assert verdict(tmp_path / "x", whole[:place] + byte + whole[place + 1 :]).hypotheses


def test_a_file_that_became_shorter_says_nothing() -> None:
    assert contents.describe_rows([b"abc"], 3200, False).items == []


def test_a_store_has_the_bytes_of_its_files(tmp_path: Path) -> None:
    store = tmp_path / "a.zarr"
    (store / "rho" / "c").mkdir(parents=True)
    (store / "zarr.json").write_text('{"zarr_format": 3, "node_type": "group"}')
    (store / "rho" / "c" / "0").write_bytes(bytes(1000))
    report = inspect_file(store)
    assert report.size == 1040 and report.exit_code == 0


def test_a_store_whose_description_is_damaged_is_told(tmp_path: Path, headrace: Run) -> None:
    (tmp_path / "a.zarr").mkdir()
    (tmp_path / "a.zarr" / "zarr.json").write_text('"hi"')
    done = headrace("inspect", "a.zarr")
    assert done.returncode == 1 and "damaged: zarr.json is not a JSON object" in done.stdout
