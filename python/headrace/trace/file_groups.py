"""Files whose names differ in numbers only, as a row of their own: what the MPI ranks or the steps of a run wrote."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from headrace.trace.results import File

FEWEST = 4  # files: below, each is shown

_NUMBERS = re.compile(r"\d+")
_SUMS = ("opens", "closes", "write_calls", "read_calls", "seek_calls", "bytes_written", "bytes_read", "seconds")


@dataclass(frozen=True)
class FileGroup:
    """`count` files with their sums; `name` has # for the digits in which they differ."""

    name: str
    count: int
    sums: File


def grouped(files: Sequence[File], fewest: int = FEWEST) -> list[FileGroup]:
    """Groups of at least `fewest` files with the same opening lines and form, and the others alone; costliest first."""
    alike: dict[tuple[object, ...], list[File]] = {}
    for file in files:
        places = tuple((place.file, place.line) for place in file.opened_at)
        pattern = _NUMBERS.sub("#", file.path)
        key = (pattern, places, file.form, file.access, file.convert, file.kind)
        alike.setdefault(key, []).append(file)
    groups = []
    for members in alike.values():
        if len(members) >= fewest:
            sums = {name: sum(getattr(file, name) for file in members) for name in _SUMS}
            most = max(file.processes for file in members)
            together = members[0].model_copy(update=sums | {"processes": most})
            groups.append(FileGroup(_common_name([file.path for file in members]), len(members), together))
        else:
            groups += [FileGroup(file.path, 1, file) for file in members]
    return sorted(groups, key=lambda group: -group.sums.seconds)


def _common_name(paths: Sequence[str]) -> str:
    """A number that all of them have stays; # for each digit of one in which they differ."""
    numbers = [_NUMBERS.findall(path) for path in paths]
    columns = iter([list(column) for column in zip(*numbers, strict=True)])

    def shown(_: re.Match[str]) -> str:
        column = next(columns)
        return column[0] if len(set(column)) == 1 else "#" * max(map(len, column))

    return _NUMBERS.sub(shown, paths[0])
