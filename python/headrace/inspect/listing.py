"""The arrays of a container, by the readers of `headrace convert`, in a process of its own. First: __init__.py.

Libraries may crash or hang if a file is not what it seems to be; the process then ends, and no array is named.
"""

import json
import subprocess
import sys
from pathlib import Path

from headrace.containers.formats import reader
from headrace.containers.request import Request, Side
from headrace.errors import HeadraceError
from headrace.inspect.findings import Listed

FORMATS = ("hdf5", "netcdf", "zarr")
_SECONDS = 20.0
# Modules come from where this process has them, and not from the directory in which a user inspects files.
_CODE = (
    "import sys; sys.path[:] = sys.argv[3:]; "
    "from headrace.inspect.listing import print_arrays; print_arrays(*sys.argv[1:3])"
)


def arrays_of(path: Path, format_: str) -> list[Listed]:
    """What the package that reads the format says; none if it is not installed or refuses the file."""
    if format_ not in FORMATS:
        return []
    command = [sys.executable, "-c", _CODE, format_, str(path), *sys.path]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=True)
        return [Listed(**one) for one in json.loads(done.stdout)]
    except (OSError, subprocess.SubprocessError, ValueError, TypeError):
        return []


def print_arrays(format_: str, path: str) -> None:
    """As JSON; what the process does."""
    request = Request([Path(path)], Path("list.npz"), Side(format_), Side("npz"))
    try:
        found = reader(format_)(request)
    except HeadraceError as error:
        if not isinstance(error.__cause__, UnicodeDecodeError):
            raise
        found = reader("hdf5")(request)  # which has names of any bytes
    print(json.dumps([{"name": v.name, "kind": v.kind.name, "shape": v.shape[::-1]} for v in found]))
