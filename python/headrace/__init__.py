"""Fast Fortran I/O, measured. The command line starts in cli.py, the functions for arrays are in arrays.py."""

import importlib
from typing import TYPE_CHECKING, Any

from headrace.version import VERSION

if TYPE_CHECKING:
    from headrace.arrays import column_names, read_array, read_text, write_array, write_text
    from headrace.errors import HeadraceError
    from headrace.loading import load
    from headrace.record_files import records

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

__version__ = VERSION
_ELSEWHERE = {"HeadraceError": "errors", "load": "loading", "records": "record_files"}


def __getattr__(name: str) -> Any:
    """The functions load numpy: only for those who use them."""
    if name not in __all__:
        raise AttributeError(f"module 'headrace' has no attribute '{name}'")
    return getattr(importlib.import_module(f"headrace.{_ELSEWHERE.get(name, 'arrays')}"), name)
