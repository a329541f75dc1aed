"""Names that headrace gives files and directories while it writes them. First: __init__.py."""

import re
from pathlib import Path

# src/core/temporaries.cpp, writer_text() in src/core/leftovers.cpp; the last two are older
_NAMES = re.compile(
    r"(.+)\.headrace-(?:\d+\.tmp|[0-9a-f]{16}(?:-\d+){5}-[0-9a-f]+-\d+\.(?:tmp|part)|\d+-\d+\.tmp|[A-Za-z0-9]{6})"
)


def leftover(path: Path) -> str:
    """What to do with a file of such a name; "" for other names."""
    found = _NAMES.fullmatch(path.name)
    if found is None:
        return ""
    return (
        f"a temporary name of headrace: {found[1]} was being written, and the write did not end; "
        "remove it, unless a program is writing now"
    )
