"""Reads the results files of every benchmark, of this version and of older ones, and describes them as one schema."""

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from headrace.errors import HeadraceError, why_unreadable
from headrace.results.binary import BinaryRun
from headrace.results.parallel import ParallelRun
from headrace.results.run import SCHEMA_VERSION, Results, Run
from headrace.results.taken_over import TakenOverRun
from headrace.results.text import TextRun
from headrace.results.trace import TraceRun
from headrace.whole_files import write_whole

AnyRun = Run | TextRun | BinaryRun | TraceRun | TakenOverRun | ParallelRun

_ADAPTER: TypeAdapter[AnyRun] = TypeAdapter(Annotated[AnyRun, Field(discriminator="command")])


def schema() -> dict[str, Any]:
    """The JSON schema of a results file of any benchmark."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_ADAPTER.json_schema()}


def load_any(path: Path) -> AnyRun:
    """Read a results file of any benchmark. Raises HeadraceError that says what is wrong and where."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise HeadraceError(
            f"{path}: cannot be read: {why_unreadable(error)}", "name a file that headrace bench wrote"
        ) from error
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise HeadraceError(
            f"{path}: not complete JSON, line {error.lineno} column {error.colno} (byte {error.pos}): {error.msg}",
            "the file is truncated or is not a results file; run the benchmark again",
        ) from error
    version = data.get("schema_version") if isinstance(data, dict) else None
    if not isinstance(version, int):
        raise HeadraceError(
            f"{path}: no schema_version: not a results file",
            "name a file that headrace bench wrote with --json, or that headrace trace left (PROGRAM.headrace-trace)",
        )
    if version > SCHEMA_VERSION:
        raise HeadraceError(
            f"{path}: schema version {version}, this headrace reads up to {SCHEMA_VERSION}",
            "use the headrace that wrote it, or a newer one",
        )
    try:
        return _ADAPTER.validate_python(_upgraded(data))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"][1:] or first["loc"])
        raise HeadraceError(
            f"{path}: at {place}: {first['msg']} ({error.error_count()} differences from the schema)",
            "'headrace schema' prints what is expected",
        ) from error


def save(run: Results, path: Path) -> None:
    """Write the results file whole or not at all."""
    write_whole(path, run.model_dump_json(indent=1) + "\n")


def load(path: Path) -> Run:
    """Read a results file of `headrace bench` itself."""
    found = load_any(path)
    if not isinstance(found, Run):
        raise HeadraceError(
            f"{path}: results of headrace {found.command}", "name a file that headrace bench wrote without a subcommand"
        )
    return found


def _upgraded(data: dict[str, Any]) -> dict[str, Any]:
    """Version 1 in the words of version 2: one name for the time of a transfer, a list of directories."""
    if data["schema_version"] >= SCHEMA_VERSION:
        return data
    new = {"command": "bench", **data, "schema_version": SCHEMA_VERSION}
    if "directory" in new:
        new["directories"] = [new.pop("directory")]
    for row in _dicts(new.get("rows")):
        for sample in _dicts(row.get("samples")):
            if "wall" in sample:
                sample["total"] = sample.pop("wall")
    return new


def _dicts(items: Any) -> list[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
