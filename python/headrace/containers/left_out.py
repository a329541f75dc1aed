"""Notes on what a container holds beside its arrays, and the new file does not. Next: attributes.py."""

from collections.abc import Callable, Iterable, Mapping

from headrace.containers.request import Request
from headrace.marks import COMPLETE, KIND, MARK, ORDER

_SHOWN = 5  # names in a note
_ATTRIBUTES, _STEPS = "attributes are left out", "the steps became an ordinary dimension"
_RESTARTED = ("hdf5", "netcdf", "zarr")  # formats that headrace_mpi reads
# What the formats and headrace keep for themselves: kinds and names of dimensions are converted, the rest follows.
_OWN = {
    KIND, ORDER, MARK, COMPLETE, "_ARRAY_DIMENSIONS", "CLASS", "NAME", "DIMENSION_LIST",
    "REFERENCE_LIST", "DIMENSION_LABELS", "_Netcdf4Dimid", "_Netcdf4Coordinates", "_NCProperties", "_nc3_strict",
}  # fmt: skip


def note_attributes(
    request: Request,
    arrays: Mapping[str, Iterable[str]],
    group: Callable[[str], Iterable[str]],
    own: Iterable[str] = (),
    groups: Iterable[str] = (),
) -> None:
    """Names the attributes that are not converted.

    arrays: those of each array; group: gives those of a group, "" is the file; own: further ones that are converted.
    groups: of the file without arrays.
    """
    known = _OWN.union(own)
    holders = {"the file" if place == "" else f"group {place}": group(place) for place in _groups(arrays, groups)}
    found = []
    for holder, names in (*holders.items(), *arrays.items()):
        lost = [name for name in names if name not in known]
        if lost:
            found.append(f"{_listed(lost)} of {holder}")
    if found:
        more = f"; and those of {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
        request.notes.append(f"{_ATTRIBUTES}: {'; '.join(found[:_SHOWN])}{more}")


def _groups(arrays: Iterable[str], groups: Iterable[str]) -> list[str]:
    """The file, the groups in which the arrays are, and those without arrays."""
    parts = [name.split("/") for name in arrays]
    return list(dict.fromkeys(["", *("/".join(part[:n]) for part in parts for n in range(1, len(part))), *groups]))


def note_names(request: Request, what: str, names: list[str]) -> None:
    """Says which names of the file do not go with the arrays."""
    if names and request.name is None:
        request.notes.append(f"{what} are left out: {_listed(names)}")


def note_steps(request: Request, steps: Mapping[str, str | None]) -> None:
    """Says of arrays with steps that the new file has an ordinary dimension instead; `steps`: its name, by array."""
    by_name: dict[str | None, list[str]] = {}
    for array, dimension in steps.items():
        by_name.setdefault(dimension, []).append(array)
    for dimension, arrays in by_name.items():
        named = f" {dimension}" if dimension else ""
        request.notes.append(f"{_listed(arrays)}: {_STEPS}{named}, which does not grow")


def note_restart(request: Request) -> None:
    """Says that a program that restarts from a file needs the old one, if it may want what the new one lacks."""
    lost = any(_ATTRIBUTES in note or _STEPS in note for note in request.notes)
    if lost and request.result.format in _RESTARTED:
        request.notes.append(
            f"a program that reads those attributes or steps, as at a restart, still needs {request.files[0].name}:"
            " they do not come back by converting back"
        )


def _listed(names: list[str]) -> str:
    more = len(names) - _SHOWN
    if more > 0:
        return f"{', '.join(names[:_SHOWN])} and {more:,} more"
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
