"""What every benchmark does with what it found: files, then tables."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headrace.results.run import Results

Write = Callable[[Path], object]


def deliver(
    found: "Results", json: str | None, show: Callable[[list[object]], None], *others: tuple[Path | None, Write]
) -> None:
    """Files first, so that a broken pipe loses nothing. Tables in any case, unless standard output is the file.

    `json` is a file, or "-" for standard output; `show` prints the tables, and the names of what was written.
    """
    from headrace.results.files import save

    written: list[object] = []
    try:
        if json == "-":
            print(found.model_dump_json(indent=1))
        elif json:
            save(found, Path(json))
            written.append(json)
        for path, write in others:
            if path is not None:
                write(path)
                written.append(path)
    finally:
        if json != "-":
            show(written)
