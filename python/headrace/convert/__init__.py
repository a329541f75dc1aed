"""Files of arrays into other files: `convert`. Next: ../containers/request.py says what, streams.py and whole.py do it.

    from headrace.convert import convert
    convert(request)

Records become other records in constant memory (streams.py). Everything else goes array by array, block by block
(../containers): each format is a file with a reader and a writer, listed in formats.py.
"""

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headrace.containers.meter import Show, nobody
from headrace.containers.request import Request, check_plain_file
from headrace.convert import streams
from headrace.later import later
from headrace.layout.left_out import LeftOut, total

if TYPE_CHECKING:
    from headrace.containers.variable import Variable
    from headrace.convert import whole
else:
    whole = later("headrace.convert.whole")  # streams need no numpy

__all__ = ["Result", "convert"]


@dataclass(frozen=True)
class Result:
    """What was written: arrays, or so many records."""

    seconds: float
    variables: "list[Variable]"
    records: int | None = None
    left_out: LeftOut = field(default_factory=LeftOut)


def convert(request: Request, show: Show = nobody) -> Result:
    """Convert; the new file appears under its name only when it is complete.

    Raises HeadraceError for bad input, for what the new format cannot hold, and, unless request.partial, for what would
    not arrive: then nothing is written.
    """
    begun = time.monotonic()
    if streams.is_stream(request):
        check_plain_file(request.file)
        records = streams.convert_stream(request, show)
        return Result(time.monotonic() - begun, [], records, total(request.left_out))
    variables = whole.convert_arrays(request, show)
    return Result(time.monotonic() - begun, variables, left_out=total(request.left_out))
