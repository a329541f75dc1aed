"""What was converted, for people and as JSON. First: ../commands/convert.py."""

import os
from pathlib import Path
from typing import Any

from headrace.containers.request import Request
from headrace.convert import Result


def sentence(request: Request, result: Result, called: str = "") -> str:
    """What was converted; `called` is what B is called if its name says nothing."""
    source = str(request.files[0]) if len(request.files) == 1 else f"{len(request.files)} files"
    target = called or request.target
    left = f" {result.left_out.sentence(target)}." if result.left_out else ""
    return f"{_what(result)} of {source} now in {target} ({bytes_of(request.target):,} bytes).{left}"


def _what(result: Result) -> str:
    if result.records is not None:
        return f"{result.records:,} record{'' if result.records == 1 else 's'}"
    count = len(result.variables)
    return f"{count:,} array{'' if count == 1 else 's'}"


def as_json(request: Request, result: Result) -> dict[str, Any]:
    """For json.dumps; shapes with the first dimension fastest."""
    return {
        "from": [str(file) for file in request.files],
        "to": str(request.target),
        "bytes": bytes_of(request.target),
        "records": result.records,
        "arrays": [
            {"name": v.name, "kind": v.kind.name, "shape": v.shape[::-1], "bytes": v.bytes} for v in result.variables
        ],
        "left_out": result.left_out.as_json() if result.left_out else None,
        "notes": request.notes,
        "seconds": round(result.seconds, 3),
    }


def bytes_of(path: Path) -> int:
    """Of a file, or of all files of a directory."""
    if not path.is_dir():
        return path.stat().st_size
    return sum((Path(folder) / name).stat().st_size for folder, _, names in os.walk(path) for name in names)
