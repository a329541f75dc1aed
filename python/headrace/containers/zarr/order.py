"""The order of a Zarr store's dimensions, and their names. Next: chunks.py, ../regrouped.py.

A store lists Fortran's first dimension first, in whatever order its chunks hold the elements; a Variable lists it last.
"""

from typing import Any, TypeVar

from headrace.containers.request import Request
from headrace.containers.variable import Variable

_SHOWN = 5  # names in a note
T = TypeVar("T")


def turned(values: "tuple[T, ...]", fortran: bool) -> "tuple[T, ...]":
    """What belongs to the dimensions of a store, for those of a Variable; and the other way."""
    return tuple(values)[::-1] if fortran else tuple(values)


def has_other_order(stored: Any) -> bool:
    """Whether the first dimension is not the fastest in the chunks of an array."""
    rank = len(stored.shape)
    if rank < 2:
        return False
    if stored.metadata.zarr_format == 2:
        return bool(stored.metadata.order != "F")
    return [tuple(codec.order) for codec in _codecs(stored.metadata)] != [tuple(range(rank))[::-1]]


def _codecs(holder: Any) -> list[Any]:
    """The codecs that change the order of elements, also those within a shard."""
    inner = [found for codec in holder.codecs if hasattr(codec, "codecs") for found in _codecs(codec)]
    return [codec for codec in holder.codecs if hasattr(codec, "order")] + inner


def note_on_order(request: Request, names: list[str]) -> None:
    """Says what was assumed of arrays that a Fortran program has not written."""
    if not names or request.order == "c":
        return
    shown = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else "")
    request.notes.append(
        f"{shown}: in the store the first dimension is not the fastest; x(i, j) is x[i-1, j-1] all the same, and the"
        " elements are put into Fortran's order. --order c takes them as those of a C program"
    )


def names_of(stored: Any) -> tuple[str, ...] | None:
    """Names of dimensions: of version 3, or what xarray writes into stores of version 2."""
    names = getattr(stored.metadata, "dimension_names", None) or stored.attrs.get("_ARRAY_DIMENSIONS")
    return tuple(map(str, names)) if names and len(names) == len(stored.shape) and all(names) else None


def dimension_names(variable: Variable, extents: dict[str, int]) -> tuple[str, ...]:
    """A name for each dimension, without which xarray opens no store; it wants one extent for each name."""
    base, rank = variable.name.replace("/", "_"), len(variable.shape)
    own = variable.dimensions or tuple(f"{base}_{rank - d}" for d in range(rank))
    found = []
    for name, extent in zip(own, variable.shape, strict=True):
        while extents.setdefault(name, extent) != extent or name in found:
            name = f"{name}_{extent}"
        found.append(name)
    return tuple(found)
