"""`headrace inspect` names the files of DCD, ECLIPSE, MODFLOW and Nastran by their tags, whole, cut off and forged.

The small files are written here from the formats' documentation; MDAnalysis 2.11, resfo 5.0, flopy 3.11 and pyNastran
1.4 have read them. resfo, a small package, reads them in every run.
"""

import json
import shlex
import struct
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import resfo

from headrace.inspect import inspect_file
from headrace.inspect.findings import Report

Run = Callable[..., "subprocess.CompletedProcess[str]"]
RNG = np.random.default_rng(5)


def mark(data: bytes, order: str = "<") -> bytes:
    marker = struct.pack(order + "i", len(data))
    return marker + data + marker


def dcd(order: str = "<", cell: bool = True, fixed: int = 0, atoms: int = 7, frames: int = 5) -> bytes:
    control = [frames, 0, 1, frames, 0, 0, 0, 3 * atoms, fixed, 0, int(cell), *[0] * 8, 24]
    parts = [b"CORD" + struct.pack(order + "20i", *control)]
    parts += [struct.pack(order + "i", 1) + b"REMARKS of a test".ljust(80), struct.pack(order + "i", atoms)]
    if fixed:
        parts.append(np.arange(1, atoms - fixed + 1, dtype=order + "i4").tobytes())
    for frame in range(frames):
        moving = atoms - fixed if frame else atoms
        parts += [np.array([50, 90, 50, 90, 90, 50], order + "f8").tobytes()] if cell else []
        parts += [RNG.normal(size=moving).astype(order + "f4").tobytes() for _ in range(3)]
    return b"".join(mark(part, order) for part in parts)


def heads(real: str = "f8", marked: bool = False, label: bytes = b"            HEAD", steps: int = 3) -> bytes:
    data = b""
    for step in range(steps):
        for layer in (1, 2):
            head = struct.pack("<2i", step + 1, 1) + np.array([step + 1.0, step + 1.0], "<" + real).tobytes()
            head += label + struct.pack("<3i", 4, 5, layer)
            field = (10 + RNG.random(20)).astype("<" + real).tobytes()
            data += mark(head) + mark(field) if marked else head + field
    return data


def concentrations() -> bytes:
    parts = []
    for step in range(3):
        parts.append(
            struct.pack("<3if", 1, step + 1, 1, 5.0 * step) + b"CONCENTRATION   " + struct.pack("<3i", 4, 5, 1)
        )
        parts.append(RNG.random(20).astype("<f4").tobytes())
    return b"".join(parts)


def budget() -> bytes:
    """Every method of a compact budget, and a term that is not compact."""
    times = np.array([1.0, 2.0, 2.0]).astype("<f8").tobytes()

    def head(label: str, layers: int = -2) -> bytes:
        return struct.pack("<2i", 1, 1) + label.rjust(16).encode() + struct.pack("<3i", 3, 2, layers)

    def reals(count: int) -> bytes:
        return RNG.random(count).astype("<f8").tobytes()

    data = head("STORAGE", 2) + reals(12)
    data += head("CONSTANT HEAD") + struct.pack("<i", 1) + times + reals(12)
    rows = b"".join(struct.pack("<id", k, 0.5 * k) for k in (1, 4))
    data += head("WELLS") + struct.pack("<i", 2) + times + struct.pack("<i", 2) + rows
    data += head("RECHARGE") + struct.pack("<i", 3) + times + np.ones(6, "<i4").tobytes() + reals(6)
    data += head("ET") + struct.pack("<i", 4) + times + reals(6)
    rows = b"".join(struct.pack("<i2d", k, 0.5 * k, 7.0) for k in (2, 3, 5))
    data += head("RIVER LEAKAGE") + struct.pack("<i", 5) + times + struct.pack("<i", 2) + b"IFACE".ljust(16)
    data += struct.pack("<i", 3) + rows
    rows = b"".join(struct.pack("<2id", k, k, 1.5) for k in (1, 2))
    names = b"".join(name.ljust(16) for name in (b"GWF_1", b"GWF_1", b"GWF_1", b"DRN-1"))
    return data + head("DRN") + struct.pack("<i", 6) + times + names + struct.pack("<2i", 1, 2) + rows


def grb() -> bytes:
    """A grid of 3 columns and 2 rows in one layer."""
    arrays = {
        "NCELLS": np.array(6, "<i4"), "NLAY": np.array(1, "<i4"), "NROW": np.array(2, "<i4"),
        "NCOL": np.array(3, "<i4"),
        "NJA": np.array(4, "<i4"), "XORIGIN": np.array(0.0), "YORIGIN": np.array(0.0), "ANGROT": np.array(0.0),
        "DELR": np.full(3, 10.0), "DELC": np.full(2, 5.0), "TOP": np.full(6, 1.0), "BOTM": np.zeros(6),
        "IA": np.array([1, 2, 3, 4, 5, 5, 5], "<i4"), "JA": np.array([1, 2, 3, 4], "<i4"),
        "IDOMAIN": np.ones(6, "<i4"), "ICELLTYPE": np.zeros(6, "<i4"),
    }  # fmt: skip
    lines = ["GRID DIS", "VERSION 1", f"NTXT {len(arrays)}", "LENTXT 100"]
    text = "".join(line.ljust(49) + "\n" for line in lines)
    for name, array in arrays.items():
        shape = f" {array.size}" if array.ndim else ""
        kind = "INTEGER" if array.dtype.kind == "i" else "DOUBLE"
        text += f"{name} {kind} NDIM {array.ndim}{shape}".ljust(99) + "\n"
    return text.encode() + b"".join(array.tobytes() for array in arrays.values())


def op2(word: int = 4, order: str = "<") -> bytes:
    code = order + ("i" if word == 4 else "q")

    def letters(text: str) -> bytes:
        pieces = [text[k : k + 4].encode() for k in range(0, len(text), 4)]
        return b"".join(piece.ljust(word) for piece in pieces)

    def words(*values: int) -> bytes:
        return b"".join(struct.pack(code, value) for value in values)

    def of(*records: bytes) -> bytes:
        return b"".join(mark(record, order) for record in records)

    data = of(words(3), words(11, 23, 26), words(7), letters("NASTRAN FORT TAPE ID CODE - "), words(2))
    data += of(letters("NX2020.1"), words(-1), words(0))
    for name in ("GEOM1   ", "OUGV1   "):
        data += of(words(2), letters(name), words(-1), words(7), words(101, 5, 0, 0, 0, 0, 0), words(-2), words(1))
        data += of(words(0), words(2), letters(name), words(-3), words(1), words(0), words(0))
    return data + of(words(0))


def eclipse(path: Path, steps: int = 3) -> None:
    """As resfo writes it: keywords of every type, one of several blocks."""
    contents: list[tuple[str, object]] = []
    for step in range(steps):
        contents += [
            ("SEQNUM  ", np.array([step], np.int32)),
            ("INTEHEAD", np.arange(411, dtype=np.int32)),
            ("LOGIHEAD", np.arange(121) % 3 == 0),
            ("DOUBHEAD", np.linspace(0, 1, 229)),
            ("ZWEL    ", np.array([b"W1      "] * 213)),
            ("STARTSOL", resfo.MESS),
            ("PRESSURE", np.linspace(100, 250, 2500).astype(np.float32)),
            ("ENDSOL  ", resfo.MESS),
        ]
    resfo.write(path, contents)


def named(path: Path, data: bytes) -> Report:
    path.write_bytes(data)
    return inspect_file(path)


CASES = {
    "dcd": (dcd(), "charmm-dcd", "7 atoms; 5 frames", "MDAnalysis"),
    "dcd big": (dcd(">", False), "charmm-dcd", "7 atoms; 5 frames", "MDAnalysis"),
    "dcd fixed": (dcd(fixed=3), "charmm-dcd", "7 atoms; 3 of them do not move; 5 frames", "MDAnalysis"),
    "heads": (heads(), "modflow-heads", "6 layers; 3 times; double precision", "flopy"),
    "heads single": (heads("f4"), "modflow-heads", "6 layers; 3 times; single precision", "flopy"),
    "heads in records": (heads("f4", True), "modflow-heads", "6 layers; 3 times; single precision, in records", ""),
    "drawdown": (heads(label=b"        DRAWDOWN"), "modflow-heads", "6 layers; 3 times; double precision", "flopy"),
    "concentrations": (concentrations(), "mt3d-concentrations", "3 layers; single precision", "flopy"),
    "budget": (budget(), "modflow-budget", "7 terms; 1 time step; double precision", "flopy"),
    "grid": (grb(), "modflow-grid", "GRID DIS; 16 arrays", "flopy"),
    "op2": (op2(), "nastran-op2", "2 tables: GEOM1, OUGV1; NX2020.1; 2026-11-23", "pyNastran"),
    "op2 of 8 bytes": (op2(8), "nastran-op2", "words of 8 bytes", "pyNastran"),
    "op2 big": (op2(4, ">"), "nastran-op2", "2 tables: GEOM1, OUGV1", "pyNastran"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_file_is_named_by_its_tags(tmp_path: Path, case: str) -> None:
    data, name, facts, library = CASES[case]
    report = named(tmp_path / "x", data)
    assert report.known is not None and report.known.name == name
    assert facts in "; ".join(report.known.facts), report.known.facts
    assert report.known.library == library and report.known.explained == len(data)
    assert report.exit_code == 0 and not report.tie
    assert bool(library) == ("library" in report.snippets)
    module = {"MDAnalysis": "MDAnalysis", "flopy": "flopy", "pyNastran": ""}.get(library, "")
    if module and find_spec(module):  # if a developer has it
        exec(compile(report.snippets["library"], case, "exec"), {})


@pytest.mark.parametrize("case", CASES)
def test_a_file_that_is_cut_off_is_not_whole(tmp_path: Path, case: str) -> None:
    data = CASES[case][0]
    for left in (len(data) - 3, len(data) * 2 // 3 + 1):
        report = named(tmp_path / "x", data[:left])
        known = report.known
        assert report.exit_code == 1, (left, report.verdict)
        assert known is None or "damage" in report.verdict.detail
        assert known is None or known.explained <= left


def test_arrays_are_listed_with_their_shapes(tmp_path: Path) -> None:
    listed = {one.name: (one.kind, one.shape) for one in named(tmp_path / "x", budget()).arrays}
    assert listed["STORAGE"] == ("real64", [3, 2, 2]) and listed["ET"] == ("real64", [3, 2])
    assert listed["WELLS"] == ("list", []) and listed["DRN"] == ("list", [])
    listed = {one.name: (one.kind, one.shape) for one in named(tmp_path / "x", dcd()).arrays}
    assert listed == {"cell": ("real64", [6, 5]), **{axis: ("real32", [7, 5]) for axis in "xyz"}}
    assert [(one.name, one.shape) for one in named(tmp_path / "x", heads()).arrays] == [("HEAD", [4, 5, 6])]
    grid = {one.name: (one.kind, one.shape) for one in named(tmp_path / "x", grb()).arrays}
    assert grid["NCELLS"] == ("int32", []) and grid["BOTM"] == ("real64", [6])


def test_eclipse_is_named_and_its_statements_read_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "CASE.UNRST"
    eclipse(path)
    report = inspect_file(path)
    assert report.known is not None and report.known.name == "eclipse-restart"
    assert report.known.facts == ["24 keywords", "3 report steps"] and report.known.explained == report.size
    assert report.verdict.format == "record4-big" and report.exit_code == 0
    assert [(run.times, len(run.lengths)) for run in report.verdict.runs] == [(3, 18)]
    assert [(one.name, one.kind, one.shape) for one in report.arrays] == [
        ("SEQNUM", "int32", [1]), ("INTEHEAD", "int32", [411]), ("LOGIHEAD", "logical32", [121]),
        ("DOUBHEAD", "real64", [229]), ("ZWEL", "character(8)", [213]), ("PRESSURE", "real32", [2500]),
    ]  # fmt: skip
    exec(compile(report.snippets["library"], "snippet", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 24 and printed[6] == "PRESSURE (2500,)"


def test_tags_alone_are_not_believed(tmp_path: Path) -> None:
    """What follows a tag must be what the format has there."""
    forged = {
        "a count beyond the end": mark(b"PRESSURE" + struct.pack(">i", 2**30) + b"REAL", ">") + mark(bytes(4000), ">"),
        "a negative count": mark(b"PRESSURE" + struct.pack(">i", -1) + b"REAL", ">") * 3,
        "an unknown type": mark(b"PRESSURE" + struct.pack(">i", 1) + b"Cxyz", ">") * 3,
        "CORD without atoms": mark(b"CORD" + bytes(80)) * 3,
        "no atoms": mark(b"CORD" + bytes(80)) + mark(bytes(84)) + mark(bytes(4)),
        "a tape of another kind": mark(struct.pack("<i", 3)) + mark(bytes(12)) + mark(bytes(4)) + mark(b"x" * 28),
        "a label without an array": struct.pack("<2i2d", 1, 1, 1.0, 1.0) + b"            HEAD" + bytes(12),
        "a grid of too many lines": b"GRID DIS".ljust(49) + b"\nVERSION 1".ljust(50) + b"\nNTXT 99999999".ljust(50),
        "a grid of huge arrays": grb().replace(b"NDIM 1 3 ", b"NDIM 1 -3"),
    }
    for name, data in forged.items():
        report = named(tmp_path / "x", data)
        assert report.known is None or report.known.explained <= len(data), name
    assert named(tmp_path / "x", forged["no atoms"]).known is None
    assert named(tmp_path / "x", forged["a label without an array"]).known is None


@pytest.mark.parametrize("case", ["dcd", "budget", "grid", "op2"])
def test_any_damage_gives_an_answer(tmp_path: Path, case: str) -> None:
    data = CASES[case][0]
    for _ in range(40):
        forged = bytearray(data)
        for place in RNG.integers(0, len(data), 3):
            forged[place] = int(RNG.integers(256))
        assert named(tmp_path / "x", bytes(forged)).hypotheses


def test_the_command_says_the_name_first(headrace: Run, tmp_path: Path) -> None:
    (tmp_path / "a.hds").write_bytes(heads())
    done = headrace("inspect", "a.hds")
    assert done.returncode == 0 and done.stdout.startswith("MODFLOW: heads\n  6 layers; 3 times; double precision\n")
    assert "flopy.utils.HeadFile('a.hds'" in done.stdout
    answer = json.loads(headrace("inspect", "--json", "a.hds").stdout)
    assert answer["known"]["name"] == "modflow-heads" and answer["known"]["library"] == "flopy"
    assert answer["arrays"] == [{"name": "HEAD", "kind": "real64", "shape": [4, 5, 6]}]


def test_several_files_and_standard_input(headrace: Run, tmp_path: Path) -> None:
    (tmp_path / "a.hds").write_bytes(heads())
    (tmp_path / "b.dcd").write_bytes(dcd())
    done = headrace("inspect", "a.hds", "b.dcd")
    assert done.returncode == 0 and "a.hds: " in done.stdout and "\n\na trajectory (DCD" in done.stdout
    done = headrace("inspect", "a.hds", "missing", "b.dcd", "--json")
    answers = json.loads(done.stdout)
    assert done.returncode == 2 and [one["file"] for one in answers] == ["a.hds", "missing", "b.dcd"]
    assert "No such file" in answers[1]["error"] and "missing" in done.stderr
    refused = headrace("inspect", "a.hds", "b.dcd", "--schema")
    assert refused.returncode == 2 and "--schema describes one file, 2 are named" in refused.stderr


@pytest.mark.parametrize("way", ["pipe", "file"])
def test_what_comes_in_is_inspected(tmp_path: Path, way: str) -> None:
    (tmp_path / "a.dcd").write_bytes(dcd())
    shell = "cat a.dcd | {} inspect - --json" if way == "pipe" else "{} inspect - --json < a.dcd"
    command = shell.format(f"{shlex.quote(sys.executable)} -m headrace")
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    answer = json.loads(done.stdout)
    assert done.returncode == 0 and answer["known"]["name"] == "charmm-dcd" and answer["file"] == "stdin.dat"
    assert "DCDFile('stdin.dat')" in answer["snippets"]["library"]
    assert not list(tmp_path.glob("headrace-inspect-*"))
