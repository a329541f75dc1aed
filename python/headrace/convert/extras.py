"""Packages that not everybody has."""

import importlib
from typing import Any

from headrace.errors import HeadraceError
from headrace.installing import how_to_install


def extra(module: str, what: str) -> Any:
    """Import an optional package. Raises HeadraceError that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise HeadraceError(f"{what} needs {package}: {error}", how_to_install(package, "convert")) from error
