"""Findings as text and as JSON, for `headrace advise --job-script`. Next: findings.py."""

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headrace.job_scripts.finding import Finding

SCHEMA = "headrace-job-findings/1"
_WIDTH = 100


def as_text(path: Path, found: Sequence[Finding]) -> str:
    """The conclusion first; then each finding with its line, reason, replacement and source."""
    if not found:
        return f"{path}: no findings\n"
    count = "1 finding" if len(found) == 1 else f"{len(found)} findings"
    parts = [f"{path}: {count}\n"]
    for number, one in enumerate(found, 1):
        parts.append(
            f"\n{number}. {one.code} {one.rule.name}  {one.path}:{one.line}\n"
            + _paragraph("", one.what)
            + _paragraph("why: ", one.rule.reason)
            + f"   write: {one.instead}\n"  # never broken: it is there to be pasted
            + _paragraph("source: ", one.rule.source)
        )
    return "".join(parts)


def _paragraph(head: str, text: str) -> str:
    return (
        textwrap.fill(text, _WIDTH, initial_indent=f"   {head}", subsequent_indent="     ", break_on_hyphens=False)
        + "\n"
    )


def as_record(path: Path, found: Sequence[Finding]) -> dict[str, Any]:
    """The same for programs."""
    return {
        "schema": SCHEMA,
        "file": str(path),
        "findings": [
            {
                "code": one.code,
                "name": one.rule.name,
                "file": str(one.path),
                "line": one.line,
                "what": one.what,
                "why": one.rule.reason,
                "instead": one.instead,
                "source": one.rule.source,
            }
            for one in found
        ],
    }


def as_json(path: Path, found: Sequence[Finding]) -> str:
    """One JSON document."""
    return json.dumps(as_record(path, found), indent=1, ensure_ascii=False) + "\n"
