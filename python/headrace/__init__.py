"""Fast Fortran I/O, measured. The command line starts in cli.py."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("headrace")
except PackageNotFoundError:  # run from a checkout that is not installed
    __version__ = "0+unknown"
