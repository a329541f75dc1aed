"""Damaged containers are refused before a library opens them. Next: ../inspect/__init__.py, which finds the damage.

NetCDF reads what a cut classic file lacks as zeros, and what the libraries say of others helps nobody.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from headrace.errors import HeadraceError

if TYPE_CHECKING:
    from headrace.inspect.findings import Hypothesis

_CHECKED = ("hdf5", "netcdf")


def require_whole(file: Path, format_: str) -> None:
    """Raises HeadraceError for a file of HDF5 or NetCDF that is cut off, and for damaged metadata of a Zarr store."""
    from headrace.convert.output import is_store  # these load numpy, which --help does without
    from headrace.inspect import inspect_file
    from headrace.inspect.directories import directory

    if format_ in _CHECKED:
        best = inspect_file(file).verdict
        if best.format in _CHECKED:
            refuse_damage(file, best)
    elif format_ == "zarr" and is_store(file):
        refuse_damage(file, directory(file, chunks=False))  # those that are wanted are looked at when they are read


def refuse_damage(file: Path, found: "Hypothesis") -> None:
    """Raises HeadraceError for what `headrace inspect` calls damaged, in its words."""
    damage = found.detail.get("damage")
    if damage:
        raise HeadraceError(f"{file}: is damaged: {found.detail.get('damage_words', damage)}", "see headrace inspect")
