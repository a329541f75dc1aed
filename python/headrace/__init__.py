"""Fast Fortran I/O, measured. The command line starts in cli.py, the functions for arrays are in arrays.py."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headrace.arrays import column_names, read_array, read_text, write_array, write_text
    from headrace.errors import HeadraceError
    from headrace.loading import load
    from headrace.record_files import records


def _find_version() -> str:
    try:  # written by the build; the metadata of the package take longer to read than a file to convert
        from headrace._version import VERSION  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("headrace")
        except PackageNotFoundError:  # run from a checkout that is not installed
            return "0+unknown"
    return str(VERSION)


__version__ = _find_version()

__all__ = [
    "HeadraceError",
    "__version__",
    "column_names",
    "load",
    "read_array",
    "read_text",
    "records",
    "write_array",
    "write_text",
]


def __getattr__(name: str) -> Any:
    """The functions load numpy: only for those who use them."""
    if name == "HeadraceError":
        from headrace.errors import HeadraceError

        return HeadraceError
    if name == "load":
        from headrace.loading import load

        return load
    if name == "records":
        from headrace.record_files import records

        return records
    if name in __all__:
        from headrace import arrays

        return getattr(arrays, name)
    raise AttributeError(f"module 'headrace' has no attribute '{name}'")
