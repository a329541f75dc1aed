"""Modules that are loaded when they are first used: numpy or pydantic takes longer than many commands.

    if TYPE_CHECKING:
        import numpy as np
    else:
        np = later("numpy")

The import stands at the top of the file, with its types, as every other one does.
"""

import importlib
from typing import Any


class _Later:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)


def later(name: str) -> Any:
    """Stands for the module `name`."""
    return _Later(name)
