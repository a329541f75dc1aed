"""The command `headrace`: one module of `commands` for each verb; errors are shown here and nowhere else."""

import argparse
import importlib
import os
import signal
import sys
from types import FrameType

from headrace.command_line import Parser
from headrace.errors import HeadraceError
from headrace.version import VERSION

EPILOG = """\
exit codes: 0 all is well; 1 a mechanism failed or gave wrong contents, a check found a defect, or the run
was interrupted (what was measured is printed and saved); 2 bad input, or a machine that cannot do what was asked

examples:
  headrace bench                                    the default benchmark, here
  headrace bench --dir /dev/shm --dir /scratch/me   two file systems side by side
  headrace compare monday.json friday.json          what has changed, what is noise
  headrace trace ./model input.nml                  which source line costs the I/O time
  headrace run ./model input.nml                    the same run with fast formatted I/O
  headrace advise --pattern shared --ranks 8        what to set here for a job, and what it gains
  headrace help convert                             options and examples of a command
"""

COMMANDS = (
    *("bench", "trace", "run", "advise", "compare", "report", "predict", "inspect", "convert"),
    *("describe", "schema", "help", "completion"),
)

_STARTERS = (["trace"], ["run"])  # what follows is a program's own


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    endings = _endings(hands_on=given[:1] in _STARTERS)
    for number in endings:
        signal.signal(number, _leave)
    parser = _parser(given[0] if given else "")
    try:
        chosen = parser.parse_args(given if given[:1] in _STARTERS else _join_flags(given))
        for name in getattr(chosen, "needs", ()):
            importlib.import_module(name)
        for number in endings:
            signal.signal(number, _interrupt)
        code = int(chosen.run(chosen))
        sys.stdout.flush()  # at the exit of Python nobody would catch a closed pipe
        return code
    except HeadraceError as error:
        print(f"headrace: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"  {error.hint}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("headrace: interrupted", file=sys.stderr)
        return 1
    except BrokenPipeError:  # for example `headrace bench --list | head`
        _end_by_sigpipe()
        return 128 + signal.SIGPIPE  # if it is blocked


def _endings(hands_on: bool) -> list[signal.Signals]:
    """Ctrl-C, a scheduler's SIGTERM, a terminal that is closed; under nohup the last is ignored, and stays so.

    A program that is started (`hands_on`) must find all of them as we found them: `job &` in a script ignores Ctrl-C.
    """
    wanted = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    stays = wanted if hands_on else (signal.SIGHUP,)
    return [number for number in wanted if number not in stays or signal.getsignal(number) is not signal.SIG_IGN]


def _parser(first: str) -> Parser:
    """The command that is asked for, or all; no numpy, scipy or pydantic: help is there at once.

    What a command needs to run it names as `needs`: loaded while `_leave` still answers Ctrl-C.
    """
    parser = Parser(
        prog="headrace",
        description="Fast Fortran I/O, measured.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "-V", "--version", action="version", version=f"headrace {VERSION}", help="print the version and exit"
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in (first,) if first in COMMANDS else COMMANDS:
        importlib.import_module(f"headrace.commands.{name}").add_parser(commands)
    return parser


def whole_parser() -> Parser:
    """The parser with every command, for what describes all of them."""
    return _parser("")


def _join_flags(arguments: list[str]) -> list[str]:
    """`--flags -O3` as `--flags=-O3`: argparse takes a lone -O3 for an option of its own."""
    joined: list[str] = []
    for word in arguments:
        if joined and joined[-1] == "--flags":
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _end_by_sigpipe() -> None:
    """As other programs end when nobody reads on: 1 is the answer of a command."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGPIPE)


def _leave(number: int, frame: FrameType | None) -> None:
    """Ctrl-C while modules load: nothing is under way, and a compiled module may swallow an exception."""
    os.write(2, b"headrace: interrupted\n")
    os._exit(1)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """A scheduler's SIGTERM ends a run as Ctrl-C does: scratch files go, results stay."""
    raise KeyboardInterrupt
