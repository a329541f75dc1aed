"""Results, reports and scripts: files that appear under their name only when they are complete."""

import os
import stat
import tempfile
from pathlib import Path

from headrace.errors import HeadraceError


def write_whole(path: Path, contents: str | bytes, option: str = "--json") -> None:
    """Write a file whole or not at all; raises HeadraceError, with the `option` that named it.

    A symbolic link is followed, not replaced, and a file's mode is kept. A pipe or a device takes the contents itself:
    whoever may rename files in /dev would replace /dev/null otherwise.
    """
    data = contents.encode() if isinstance(contents, str) else contents
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except OSError as error:
        raise HeadraceError(
            f"{path}: cannot be written: {error.strerror}", f"choose another place with {option}"
        ) from error


def _replace(target: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        temporary.chmod(stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask())
        temporary.replace(target)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
