"""What intercept/ built: the library that is loaded into programs, and the object for fully static ones."""

import os
import sys
import sysconfig
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.installing import how_to_reinstall
from headrace.version import built_file

LIBRARY = "libheadrace_trace.so"
RUN_LIBRARY = "libheadrace_run.so"  # has what the other does as well
LIBRARIES = {LIBRARY: "HEADRACE_TRACE_LIBRARY", RUN_LIBRARY: "HEADRACE_RUN_LIBRARY"}  # and what names another file
NOTE = "headrace"  # intercept/linked/linked.h
_NAME = "headrace_trace"
_ENDINGS = (".o", ".a", ".link")


def library_path(library: str = LIBRARY) -> Path:
    """The library that is loaded into programs. Raises HeadraceError that says why there is none."""
    variable = LIBRARIES[library]
    named = os.environ.get(variable)
    if named:
        if not Path(named).is_file():
            raise HeadraceError(f"{named}: no such file", f"{variable} names it: unset it, or name a {library}")
        return Path(named).resolve()
    built = built_file(library)
    if built is not None:
        return built.resolve()
    multiarch = sysconfig.get_config_var("MULTIARCH") or "lib"
    for root in dict.fromkeys((sys.prefix, "/usr/local", "/usr")):
        for lib in ("lib", "lib64", f"lib/{multiarch}"):
            installed = Path(root) / lib / "headrace" / library
            if installed.is_file():
                return installed
    raise HeadraceError(
        f"{library} is not there: this package was installed without it",
        "it needs Linux on a 64-bit little-endian processor (x86-64, aarch64), and a C and a C++17 compiler: install "
        f"g++, unset HEADRACE_LIBRARY_OPTIONAL and run `{how_to_reinstall()}`",
    )


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
            f"{path}: this package was installed without it",
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
