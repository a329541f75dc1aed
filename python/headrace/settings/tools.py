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


def ask(words: list[str], limit: float = LIMIT, may_fail: bool = False) -> Answer:
    """What a program prints. Raises HeadraceError if it does not answer in time: then its file system may hang.

    With `may_fail` an exit code is no error: what was printed is the answer, or else the problem.
    """
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
        if may_fail and done.stdout.strip():
            return Answer(text=done.stdout.strip())
        first = (done.stderr or done.stdout).strip().splitlines()
        problem = f"`{said}` failed with exit code {done.returncode}: {first[0] if first else 'it said nothing'}"
        if may_fail:
            return Answer(problem=problem)
        raise HeadraceError(
            problem,
            "try it by hand; without --dir, and with --site NAME, nothing is asked",
        )
    return Answer(text=done.stdout.strip())
