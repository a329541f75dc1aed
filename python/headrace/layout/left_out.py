"""What of the files does not arrive in the result, counted. Used by convert, describe and inspect."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from headrace.errors import HeadraceError

_COUNTS = ("records", "of_records", "bytes", "of_bytes")


@dataclass(frozen=True)
class LeftOut:
    """`records` of `of_records` without a byte in the result, and `bytes` of `of_bytes`.

    Raw files have no records (of_records = 0), archives have other units.
    """

    records: int = 0
    of_records: int = 0
    bytes: int = 0
    of_bytes: int = 0
    unit: str = "records"
    how: str = "are not in"  # the result
    advice: str = "name in the schema what it skips"

    def __bool__(self) -> bool:
        return self.bytes > 0 or self.records > 0

    def __str__(self) -> str:
        counts = [f"{self.records:,} of {self.of_records:,} {self.unit}"] if self.records else []
        counts += [f"{self.bytes:,} of {self.of_bytes:,} bytes"] if self.bytes else []
        return ", ".join(counts)

    def sentence(self, target: str | Path) -> str:
        """What is said about it everywhere."""
        return f"{self} {self.how} {target}"

    def as_json(self) -> dict[str, Any]:
        """For json.dumps."""
        names = {self.unit: self.records, f"of_{self.unit}": self.of_records} if self.of_records else {}
        return names | {"bytes": self.bytes, "of_bytes": self.of_bytes}

    def refuse(self, source: str, target: str | Path) -> None:
        """Raises LeftOutError if anything is left out."""
        if self:
            raise LeftOutError(
                f"{source}: {self.sentence(target)}: nothing was written",
                f"{self.advice}; --partial writes the rest without",
            )


def total(parts: Iterable[LeftOut]) -> LeftOut:
    """Of all files together."""
    whole = LeftOut()
    for part in parts:
        sums = {name: getattr(whole, name) + getattr(part, name) for name in _COUNTS}
        whole = replace(part, **sums)
    return whole


class LeftOutError(HeadraceError):
    """A part of the files would not arrive, and --partial does not allow that: nothing is written."""

    exit_code = 1
