"""Programs of file systems and MPI that are asked what they know, with a time limit."""

import shutil
import subprocess
from dataclasses import dataclass

from headrace.errors import HeadraceError

LIMIT = 10.0  # seconds


@dataclass(frozen=True)
class Answer:
    """What a program said, or why it said nothing."""

    text: str = ""
    problem: str = ""


def ask(words: list[str], limit: float = LIMIT) -> Answer:
    """What a program prints. Raises HeadraceError if it does not answer in time: then its file system may hang."""
    if shutil.which(words[0]) is None:
        return Answer(problem=f"there is no {words[0]} on the PATH")
    said = " ".join(words)
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as error:
        raise HeadraceError(
            f"`{said}` did not answer within {limit:g} s",
            "the file system may hang: try the command by hand; give it longer with --tool-limit, or describe the "
            "place with --site NAME and without --dir",
        ) from error
    except OSError as error:
        raise HeadraceError(
            f"`{said}` cannot be started: {error.strerror}", "is it a program of this machine?"
        ) from error
    if done.returncode != 0:
        first = (done.stderr or done.stdout).strip().splitlines()
        raise HeadraceError(
            f"`{said}` failed with exit code {done.returncode}: {first[0] if first else 'it said nothing'}",
            "try it by hand; without --dir, and with --site NAME, nothing is asked",
        )
    return Answer(text=done.stdout.strip())
