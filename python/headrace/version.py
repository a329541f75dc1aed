"""The version of this package, and the files that were built for it."""

import sys
from pathlib import Path

__all__ = ["VERSION", "built_file"]

try:  # written by the build
    from headrace._version import VERSION  # type: ignore[import-not-found, import-untyped, unused-ignore]
except ImportError:  # the package's metadata take longer to read than a file to convert
    from importlib.metadata import PackageNotFoundError, version

    try:
        VERSION = version("headrace")
    except PackageNotFoundError:  # run from a checkout that is not installed
        VERSION = "0+unknown"


def built_file(name: str) -> Path | None:
    """A file of this name in the package; None if it was not built."""
    folders = map(Path, sys.modules["headrace"].__path__)  # an editable install has two
    return next((folder / name for folder in folders if (folder / name).is_file()), None)
