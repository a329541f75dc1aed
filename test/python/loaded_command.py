"""The command in a process of its own for each call, without loading Python and its modules again and again.

Run as a program it loads what `headrace` needs, and forks for each request: a line of JSON that `Loaded.run` writes.
The child goes on as `python -m headrace` would after its first second, and ends without taking all modules apart,
which takes twenty times as long as most calls. What must be written or removed at the end is, as always.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

LIMIT = 300.0  # seconds for one call


class Loaded:
    """The process that forks; it ends with its standard input."""

    def __init__(self) -> None:
        command = [sys.executable, __file__]
        # A session of its own: Ctrl-C reaches the tests, which then end the call that they wait for.
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
        )

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def run(
        self, arguments: tuple[str, ...], folder: Path, environment: dict[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        """As subprocess.run does it, with an empty standard input."""
        assert self.process.stdin is not None
        with tempfile.NamedTemporaryFile("r") as output, tempfile.NamedTemporaryFile("r") as errors:
            request = {"arguments": arguments, "folder": str(folder), "environment": environment}
            line = json.dumps({**request, "files": [output.name, errors.name]}) + "\n"
            self.process.stdin.write(line.encode())
            child = self._answer()
            try:
                code = self._answer()
            except BaseException:
                os.kill(child, signal.SIGKILL)
                self._answer()
                raise
            return subprocess.CompletedProcess(["headrace", *arguments], code, output.read(), errors.read())

    def _answer(self) -> int:
        assert self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], LIMIT)[0]:
            raise TimeoutError(f"the command did not end within {LIMIT:.0f} s")
        return int(self.process.stdout.readline())


def _serve() -> list[str] | None:
    """Returns in each child, with its arguments; None when nothing more is asked."""
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            return _become(request)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    return None


def _become(request: dict[str, Any]) -> list[str]:
    """The files, the directory and the environment of the call."""
    for number, (name, flags) in enumerate(
        zip([os.devnull, *request["files"]], [os.O_RDONLY, os.O_WRONLY, os.O_WRONLY], strict=True)
    ):
        file = os.open(name, flags)
        os.dup2(file, number)
        os.close(file)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.path[0] = request["folder"]
    return list(request["arguments"])


def _load() -> None:
    """All modules of the package but programs; those that need what is not installed are left to the commands."""
    import headrace

    for module in pkgutil.walk_packages(headrace.__path__, "headrace."):
        if not module.name.endswith(("__main__", "_worker")):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)


def _run_and_end(arguments: list[str]) -> None:
    """As the end of Python: what is not caught is shown, threads are waited for, and streams are flushed."""
    sys.argv[1:] = arguments
    code: object = None
    try:
        runpy.run_module("headrace", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    if not (code is None or isinstance(code, int)):
        print(code, file=sys.stderr)
        code = 1
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or 0)


if __name__ == "__main__":
    _load()
    gc.collect()
    gc.freeze()  # a child that looks through all that is loaded would copy it
    given = _serve()
    if given is not None:
        _run_and_end(given)
