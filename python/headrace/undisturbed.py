"""What must be undone once it is done: Ctrl-C and SIGTERM wait until that is known."""

import signal
import threading
from types import FrameType
from typing import Any

_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class undisturbed:  # noqa: N801
    """Within the block signals that end a command wait; the first of them comes when the block ends.

    A mask would not do: another thread, for example of numpy, takes the signal then, and Python raises it here.
    """

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}
        self._came: list[int] = []

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return  # no signal is raised here
        try:
            for number in _ENDINGS:
                handler = signal.getsignal(number)
                if handler not in (signal.SIG_IGN, None):
                    self._before[number] = handler
                    signal.signal(number, self._note)
        except BaseException:  # it came before all were held
            self._restore()
            raise

    def __exit__(self, *ignored: object) -> None:
        try:
            self._restore()
        finally:
            self._restore()  # one that comes in between must not leave the others held
        if self._came:
            signal.raise_signal(self._came[0])

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._came.append(number)

    def _restore(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
