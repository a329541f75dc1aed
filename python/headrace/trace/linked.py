"""What is linked into fully static programs, into which nothing can be loaded, so that they can be traced."""

import os
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.installing import how_to_reinstall
from headrace.trace.launch import library_path

NOTE = "headrace"  # intercept/linked/linked.h
_NAME = "headrace_trace"
_ENDINGS = (".o", ".a", ".link")


def write_object(wanted: Path) -> Path:
    """Write FILE.o, FILE.a and FILE.link; returns the last, a file of options for the compiler that links the program.

    Raises HeadraceError if they are not part of this installation, or cannot be written.
    """
    base = wanted.with_suffix("") if wanted.suffix in _ENDINGS else wanted
    have = library_path().with_name(_NAME)
    contents = {ending: _read(have.with_name(_NAME + ending)) for ending in _ENDINGS}
    paths = {ending: base.with_name(base.name + ending) for ending in _ENDINGS}
    where = {ending: _quoted(path.absolute()) for ending, path in paths.items()}
    # The archive comes after the program's own objects, which are in front of all this. pthread: glibc before 2.34.
    contents[".link"] = "\n".join(
        (where[".o"], contents[".link"].decode().rstrip(), where[".a"], "-lpthread", "")
    ).encode()
    for ending, path in paths.items():
        _write(path, contents[ending])
    return paths[".link"]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise HeadraceError(
            f"{path}: it could not be built when this package was installed",
            "it needs nm, ar, ld and objcopy (binutils), and a version of CMake that finds them: install them and run "
            f"`{how_to_reinstall()}`",
        ) from error
    except OSError as error:
        raise HeadraceError(f"{path}: {error.strerror}") from error


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            new.write_bytes(content)
            new.replace(path)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise HeadraceError(f"{path}: cannot be written: {error.strerror}") from error


def _quoted(path: Path) -> str:
    """As files of options of gcc and clang want it."""
    return "".join("\\" + letter if letter in " \t\"'\\" else letter for letter in str(path))
