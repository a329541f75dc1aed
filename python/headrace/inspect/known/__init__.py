"""Formats of well-known programs, recognised by their tags: what they hold, and which library reads them.

A module for each: dcd.py, eclipse.py, modflow.py, op2.py. Each follows the file's own lengths from tag to tag as far as
they hold; nothing of it is believed beyond the file's end. Next: found.py has what they return.
"""

import contextlib
import struct

from headrace.containers.file_bytes import Bytes
from headrace.inspect.findings import Known
from headrace.inspect.known import dcd, eclipse, modflow, op2

__all__ = ["Known", "recognise"]


def recognise(file: Bytes, name: str) -> Known | None:
    """What the file is by its tags; None if it has none of these."""
    for read in (dcd.recognise, eclipse.recognise, op2.recognise, modflow.recognise):
        # A file that becomes shorter meanwhile has no tags; nor has one whose numbers are none.
        with contextlib.suppress(EOFError, OverflowError, struct.error):
            found = read(file, name)
            if found is not None:
                return found
    return None
