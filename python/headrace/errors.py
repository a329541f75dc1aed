"""The kinds of error that a command shows to its user, and that the functions of the package raise."""

import functools
import os


def why_unreadable(error: OSError | UnicodeDecodeError) -> str:
    """Why a file that should hold text cannot be read, in words alone."""
    if isinstance(error, UnicodeDecodeError):
        return f"no text: byte {error.start} is not of UTF-8"
    return error.strerror or str(error)


class HeadraceError(Exception):
    """Bad input or a machine that cannot do what was asked.

    The message says what went wrong and where; `hint` says what to do next.
    The command line prints both and exits with `exit_code`.
    """

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class StatusError(HeadraceError):
    """A function of the library failed.

    `status` is its number (hr_stat in headrace.h) and `name` what that number is called, for example
    "row_length". A system call that failed gives an error that is the OSError of its errno as well: a file
    that is not there can be caught as FileNotFoundError.
    """

    def __init__(self, status: int, name: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.name = name

    def __str__(self) -> str:
        return self.message


def status_error(status: int, name: str, message: str) -> StatusError:
    """The error for a status of the library; 1 to 999 are errno."""
    if not 0 < status < 1000:
        return StatusError(status, name, message)
    error = _system_error(status)(status, name, message)
    error.errno, error.strerror = status, os.strerror(status)  # type: ignore[attr-defined]
    return error


@functools.cache
def _system_error(status: int) -> type[StatusError]:
    base = type(OSError(status, ""))
    return type(base.__name__, (StatusError, base), {"__module__": __name__})
