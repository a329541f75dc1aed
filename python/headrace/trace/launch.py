"""Starts a program with the library of intercept/ in it, and waits for it. Next: start.py, join.py."""

import datetime
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.trace.installed import LIBRARY, RUN_LIBRARY, library_path
from headrace.trace.nodes import RUN, for_all_nodes, names_in
from headrace.trace.start import (
    KILLED,
    find_program,
    is_for_another_processor,
    loadable,
    preloading,
    run_to_end,
    without_preloading,
)

ENDING = ".headrace-trace"


@dataclass
class Ended:
    """A program that ran: its status as of waitpid, and where its processes left their profiles."""

    command: list[str]
    status: int
    date: str
    host: str
    wall: float
    profiles: Path

    @property
    def signal(self) -> int:
        """What killed it; 0: nothing did."""
        return os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else 0

    @property
    def code(self) -> int:
        """What a shell would say."""
        return KILLED + self.signal if self.signal else os.waitstatus_to_exitcode(self.status)


def launch(command: Sequence[str], folder: Path) -> Ended:
    """Run a program to its end; its processes leave their profiles in a new directory in `folder`.

    Raises CannotStartError, or HeadraceError if there is no library or no place for profiles.
    """
    program = find_program(command[0])
    # Within headrace run: its library traces too, and two would count twice.
    library = library_path(RUN_LIBRARY if os.environ.get(RUN) == "1" else LIBRARY)
    try:
        profiles = Path(tempfile.mkdtemp(prefix=f"{program.name}.profiles-", dir=folder)).resolve()
    except OSError as error:
        raise HeadraceError(
            f"{folder}: no directory for profiles can be made there: {error.strerror}",
            "name a place with --save DIRECTORY/NAME",
        ) from error
    date = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    begun = time.monotonic()
    try:
        with loadable(library) as path:
            environment = preloading(path, _variables(profiles))
            if is_for_another_processor(program):
                without_preloading(environment)
            told = for_all_nodes(program, command, environment, names_in(environment))
            status = run_to_end(program, told, environment)
    except BaseException:
        shutil.rmtree(profiles, ignore_errors=True)
        raise
    return Ended(list(command), status, date, socket.gethostname(), time.monotonic() - begun, profiles)


def _variables(profiles: Path) -> dict[str, str]:
    return {"HEADRACE_TRACE_DIRECTORY": str(profiles), "HEADRACE_TRACE_LAUNCHER": str(os.getpid())}
