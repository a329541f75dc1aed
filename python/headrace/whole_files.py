"""Results, reports and scripts: files that appear under their name only when they are complete."""

import contextlib
import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from headrace.errors import HeadraceError


def write_whole(path: Path, contents: str | bytes, option: str = "--json") -> None:
    """Write a file whole or not at all; raises HeadraceError, with the `option` that named it.

    A symbolic link is followed, not replaced, and a file's mode is kept. A pipe or a device takes the contents itself:
    whoever may rename files in /dev would replace /dev/null otherwise. So does standard output, named - or /dev/stdout.
    """
    data = contents.encode() if isinstance(contents, str) else contents
    if is_standard_output(path):
        write_to_standard_output(data)
        return
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            with replacing(target) as temporary:
                temporary.write_bytes(data)
    except OSError as error:
        raise HeadraceError(
            f"{path}: cannot be written: {error.strerror}", f"choose another place with {option}"
        ) from error


def refuse_unwritable(name: str | Path | None, option: str) -> None:
    """Before what takes long: raises HeadraceError if write_whole could not write such a file. None: there is none.

    A directory below this one that is not there yet may be made by what runs.
    """
    if name is None or is_standard_output(name):
        return
    target = Path(os.path.realpath(name))
    place = target if target.exists() and not target.is_file() else target.parent
    if target.is_dir():
        why = os.strerror(errno.EISDIR)
    elif not place.exists() and place.is_relative_to(Path.cwd()):
        return
    elif not place.exists():
        why = f"there is no directory {place}"
    elif not os.access(place, os.W_OK):
        why = os.strerror(errno.EACCES)
    else:
        return
    raise HeadraceError(f"{name}: cannot be written: {why}", f"choose another place with {option}; nothing was run")


def is_standard_output(name: str | Path) -> bool:
    """Whether a name that was given for a file means standard output: only the data go there then."""
    return str(name) in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def write_to_standard_output(data: bytes) -> None:
    """All of it and nothing else; a reader that has gone away ends the command as it ends others.

    Raises HeadraceError for a full disk behind it, and if there is no standard output.
    """
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        sys.stdout.flush()
        view = memoryview(data)
        while view:
            view = view[os.write(sys.stdout.fileno(), view) :]
    except BrokenPipeError:
        raise
    except OSError as error:
        raise HeadraceError(
            f"standard output: cannot be written: {error.strerror}", "what was written there is not complete"
        ) from error


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """An empty file beside `target`, which takes its place and its mode when the block ends well. OSError."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~umask())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def umask() -> int:
    """Of this process."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
