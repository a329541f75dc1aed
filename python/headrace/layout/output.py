"""Files that appear under their name only when they are complete, and the names of data files that they point to."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.whole_files import replacing


@contextlib.contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A temporary name in the same directory; it becomes `path` when the block ends without an exception."""
    try:
        with replacing(path) as temporary:
            yield temporary
    except OSError as error:
        reason = error.strerror or str(error)
        raise HeadraceError(f"{path}: cannot be written: {reason}", "what was there before is untouched") from error


def name_from(out: Path, data: Path, absolute: bool) -> str:
    """How the file `out` calls a data file: relative to its own directory, or from the root."""
    target = Path(os.path.realpath(data.parent)) / data.name
    return str(target) if absolute else os.path.relpath(target, os.path.realpath(out.parent))
