"""Named dimensions of HDF5 files as NetCDF-4 has them: dimension scales.

mpi/formats/hdf5/dimensions.cpp writes the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from headrace.containers.variable import Variable
from headrace.layout.placeholders import add_placeholder

_MOST_USERS = 4000  # of one scale: HDF5 keeps the list of them in an attribute of at most 64 kB


@dataclass
class _Scales:
    """The scales of a file, by their paths."""

    file: Any
    arrays: Mapping[str, Variable]
    taken: set[str]  # paths of arrays and groups
    pure: dict[tuple[str, int], str] = field(default_factory=dict)  # without values, by name and extent
    users: dict[str, int] = field(default_factory=dict)

    def path(self, name: str, extent: int, user: str) -> str:
        """The scale of a dimension of the array `user`: an array of its group or above, else one without values."""
        group = user.rpartition("/")[0]
        while True:
            path = f"{group}/{name}" if group else name
            found = self.arrays.get(path)
            if found is not None and found.shape == (extent,) and found.dimensions in (None, (name,)):
                return path
            if not group:
                return self.pure.get((name, extent)) or self._add(name, extent)
            group = group.rpartition("/")[0]

    def _add(self, name: str, extent: int) -> str:
        path = name
        while path in self.taken:  # by an array, a group, or a dimension of another extent
            path = f"{path}_{extent}"
        self.taken.add(path)
        self.pure[name, extent] = path
        add_placeholder(self.file, path, extent)
        return path

    def attach(self, dimension: Any, path: str, user: str) -> bool:
        """Whether the scale could be attached; an array that is its own scale needs none."""
        scale = self.file[path]
        if not scale.is_scale:
            scale.make_scale(path.rpartition("/")[2])
        self.users[path] = self.users.get(path, 0) + 1
        if path == user:
            return True
        if self.users[path] > _MOST_USERS:
            return False
        dimension.attach_scale(scale)
        return True


def name_dimensions(file: Any, variables: Sequence[Variable]) -> None:
    """A scale for each named dimension, when all arrays are there; a label if the scale does not say the name."""
    arrays = {variable.name.strip("/"): variable for variable in variables}
    taken = {"/".join(name.split("/")[:end]) for name in arrays for end in range(1, name.count("/") + 2)}
    scales = _Scales(file, arrays, taken)
    for user, variable in arrays.items():
        names = variable.dimensions or ()
        can = all(name and "/" not in name and name != "." for name in names)  # be the name of an array
        for dimension, name, extent in zip(file[user].dims, names, variable.shape, strict=False):
            path = scales.path(name, extent, user) if can else ""
            if not path or not scales.attach(dimension, path, user) or path.rpartition("/")[2] != name:
                dimension.label = name
