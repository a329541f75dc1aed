"""What to type if a package, or headrace's own library, is missing: in a checkout and elsewhere."""

import importlib
import shlex
import sys
from pathlib import Path
from typing import Any

from headrace.errors import HeadraceError

_LEAST = {"zarr": "zarr>=3"}  # if an older one lacks what is needed


def extra(module: str, what: str, of: str = "convert", otherwise: str = "") -> Any:
    """Import an optional package, one of the extra `of`. Raises HeadraceError that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise HeadraceError(f"{what} needs {package}: {error}", otherwise + how_to_install(package, of)) from error


def how_to_install(package: str, extra: str) -> str:
    """A command for the Python that runs; in its checkout also the one for all of an extra of pyproject.toml."""
    wanted = shlex.quote(_LEAST.get(package, package))
    said = f"{_python()} -m pip install {wanted}"
    root = _checkout_of_this_python()
    return said if root is None else f"{said}, or for all of them, in {root}: sh setup/venv.sh {extra}"


def how_to_reinstall() -> str:
    """A command that installs headrace with its library again: not a package of pip's cache, which may have none."""
    root = _checkout_of_this_python()
    if root is not None:
        return f"rm -rf .venv/stamps && sh setup/venv.sh, in {root}"
    source = shlex.quote(str(checkout() or "headrace"))
    return f"{_python()} -m pip install --force-reinstall --no-cache-dir --no-deps {source}"


def checkout() -> Path | None:
    """The root of the source checkout that this package runs from."""
    root = Path(__file__).resolve().parents[2]
    return root if (root / "setup" / "venv.sh").is_file() else None


def _checkout_of_this_python() -> Path | None:
    """The checkout, if setup/venv.sh installs for the Python that runs."""
    root = checkout()
    return root if root is not None and Path(sys.prefix).resolve() == root / ".venv" else None


def _python() -> str:
    return shlex.quote(sys.executable or "python3")
