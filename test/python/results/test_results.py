"""Results files: written whole, read with care."""

import json
import os
from pathlib import Path

import pytest

from headrace.errors import HeadraceError
from headrace.results.files import load, load_any, save, schema
from headrace.results.run import Provenance, Run


def small_run() -> Run:
    return Run(provenance=Provenance(date="2026-01-01", headrace_version="0", command=[], host="h", system="Linux"))


def test_a_run_comes_back_as_it_was(tmp_path: Path) -> None:
    run = small_run()
    save(run, tmp_path / "run.json")
    assert load(tmp_path / "run.json") == run
    assert [p.name for p in tmp_path.iterdir()] == ["run.json"]


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    file.write_text(json.dumps({"schema_version": 99}))
    with pytest.raises(HeadraceError, match="schema version 99, this headrace reads up to 2"):
        load(file)


def test_a_truncated_file_is_refused_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    save(small_run(), file)
    file.write_text(file.read_text()[:200])
    with pytest.raises(HeadraceError, match=r"not complete JSON, line \d+ column \d+"):
        load(file)


@pytest.mark.parametrize("text", ["[]", "{}", '"x"', '{"schema_version": "1"}'])
def test_other_json_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(HeadraceError, match="not a results file"):
        load(tmp_path / "x.json")


def test_a_wrong_field_is_named(tmp_path: Path) -> None:
    data = json.loads(small_run().model_dump_json())
    data["provenance"]["cores"] = "many"
    (tmp_path / "x.json").write_text(json.dumps(data))
    with pytest.raises(HeadraceError, match=r"provenance\.cores"):
        load(tmp_path / "x.json")


def test_binary_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(HeadraceError, match="cannot be read"):
        load(tmp_path / "x.json")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(HeadraceError, match="cannot be written"):
        save(small_run(), tmp_path / "missing" / "run.json")


def test_a_device_or_pipe_is_written_and_a_link_followed_not_replaced(tmp_path: Path) -> None:
    pipe, file, link = (tmp_path / name for name in ("pipe", "run.json", "link"))
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    save(small_run(), pipe)
    assert json.loads(os.read(reader, 1 << 20))["schema_version"] == 2
    os.close(reader)
    assert pipe.is_fifo()
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to(file)
    save(small_run(), link)
    assert link.is_symlink() and load(file).complete and file.stat().st_mode & 0o777 == 0o600


def test_the_schema_describes_what_is_written() -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    jsonschema.validate(json.loads(small_run().model_dump_json()), schema())


PROVENANCE = {"date": "", "headrace_version": "0", "command": [], "host": "h", "system": "Linux"}
SHORT = {"rounds": 3, "minimum_seconds": 0.1, "time_budget": 9, "seed": 1}
OTHERS = {
    "bench text": SHORT | {"values": 8, "hex_table": 0, "threads": 1, "everything": False},
    "bench binary": SHORT | {"values": 8, "records": 8, "convert_bytes": 64, "inspect_bytes": 0, "only": []},
    "bench trace": SHORT,
    "bench run": SHORT,
    "bench parallel": SHORT | {"ranks": [1], "scaling": "weak", "layout": "block", "bytes_a_rank": 64, "limit": 9},
}


def other_file(path: Path, command: str, **more: object) -> Path:
    data = {"schema_version": 2, "command": command, "provenance": PROVENANCE, "settings": OTHERS[command]} | more
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize("command", OTHERS)
def test_results_of_another_benchmark_are_named(tmp_path: Path, command: str) -> None:
    path = other_file(tmp_path / "r.json", command)
    assert load_any(path).command == command
    with pytest.raises(HeadraceError, match=f"results of headrace {command}"):
        load(path)


def test_a_file_of_version_1_is_read(tmp_path: Path) -> None:
    data = json.loads(small_run().model_dump_json())
    del data["command"]
    (tmp_path / "a.json").write_text(json.dumps(data | {"schema_version": 1}))
    assert load(tmp_path / "a.json") == small_run()
    sample = {"round": 0, "passes": 2, "wall": 0.5, "user": 0.1, "system": 0.1, "peak": 7}
    row = {"case": "c", "tool": "t", "title": "T", "operation": "write", "way": "w", "values": 1, "payload_bytes": 8}
    old = other_file(
        tmp_path / "b.json",
        "bench text",
        schema_version=1,
        compilers=[],
        directory={"path": "/x", "file_system": "tmpfs"},
        rows=[row | {"samples": [sample]}],
    )
    found = load_any(old)
    assert [d.path for d in found.directories] == ["/x"]
    assert [s.total for r in found.rows for s in r.samples] == [0.5]


def test_an_unknown_command_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"schema_version": 2, "command": "bench tape"}))
    with pytest.raises(HeadraceError, match="bench tape"):
        load_any(tmp_path / "x.json")


def test_a_file_that_is_no_text_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"{}  \xb5")
    with pytest.raises(HeadraceError, match=r"a\.json: cannot be read: no text: byte 4 is not of UTF-8$"):
        load(tmp_path / "a.json")
