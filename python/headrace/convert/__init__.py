"""Files of arrays into other files: `convert`. Next: request.py says what, streams.py and formats.py do it.

    from headrace.convert import convert
    convert(request)

Records become other records in constant memory (streams.py). Everything else goes array by array, block by block
(variable.py): each format is a file with a reader and a writer, listed in formats.py.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headrace.convert import streams
from headrace.convert.progress import meter
from headrace.convert.request import Request, check_plain_file

if TYPE_CHECKING:
    from headrace.convert.variable import Variable

__all__ = ["Result", "convert"]


@dataclass(frozen=True)
class Result:
    """What was written: arrays, or so many records."""

    seconds: float
    variables: "list[Variable]"
    records: int | None = None


def convert(request: Request, quiet: bool = False) -> Result:
    """Convert; the new file appears under its name only when it is complete.

    Raises HeadraceError for bad input, and for what the new format cannot hold: then nothing is written.
    """
    begun = time.monotonic()
    if streams.is_stream(request):
        check_plain_file(request.file)
        records = streams.convert_stream(request, quiet)
        return Result(time.monotonic() - begun, [], records)
    from headrace.convert import formats  # loads what streams need not

    variables = formats.read(request)
    with meter(sum(variable.bytes for variable in variables), quiet) as shown:
        formats.write(request, variables, shown)
    return Result(time.monotonic() - begun, variables)
