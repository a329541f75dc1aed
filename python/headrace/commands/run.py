"""headrace run: the formatted I/O of a program that nobody compiled again, faster and with the same bytes."""

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.commands.arguments import file, positive, results_file
from headrace.errors import HeadraceError

if TYPE_CHECKING:
    from headrace.run.statistics import Statistics
    from headrace.run.verify import Verified

ROWS, VERIFY_LIMIT = 20, 1024  # --lines; --verify-limit, in MiB
MOST_AFTER = 255  # of HEADRACE_RUN_AFTER: intercept/run/settings.cpp

DESCRIPTION = """\
Run a program with faster formatted I/O. The program is not compiled again: a library is loaded into it, and into
every program that it starts, and does the formatted WRITE and READ of gfortran's run time in its place, of files and
of character variables, and the WRITE of LLVM flang's. What it does not know it leaves to the run time, for example
namelists. Files, output and exit code are those of the program alone. While it runs with --stats or --json a directory
PROGRAM.statistics-... is here, too. Options of headrace stand before the program's name; everything after the name
belongs to the program.

Without --stats, --json and --verify the program takes the place of headrace: no other process stays beside it.
"""

EPILOG = """\
exit code: that of the program; 128 + n if signal n killed it (--stats, --json); 127 it was not found, 126 it could
not be started; 2 bad options, or the library is not built.
With --verify: 0 all is the same, 1 something is different, 2 it cannot be compared.

examples:
  headrace run ./model input.nml
  headrace run mpirun -n 8 ./model
  headrace run --stats ./model < input.txt
  headrace run --verify ./model input.nml
  eval "$(headrace run --env)"      in a job script: for all that it starts from there on
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "run",
        help="run a program with faster formatted I/O, and the same bytes",
        usage="headrace run [options] PROGRAM [ARGUMENT ...]\n       headrace run --env",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--stats",
        action="store_true",
        help="say on standard error what was taken over, what was left and why, and the seconds saved",
    )
    what.add_argument(
        "--verify",
        action="store_true",
        help="run it four times in fresh copies of this directory, without and with, and compare all that it leaves",
    )
    what.add_argument("--env", action="store_true", help="run nothing; print the variables for a job script of sh")
    parser.add_argument(
        "--strict",
        action="store_true",
        help="give each record to the run time when its statement ends; no reading ahead",
    )
    parser.add_argument(
        "--json", type=results_file, metavar="FILE", help="--stats or --verify as JSON, - for standard output"
    )
    parser.add_argument("--lines", type=positive, metavar="N", help=f"rows of the table of --stats (default: {ROWS})")
    parser.add_argument(
        "--results",
        type=file,
        metavar="FILE",
        help="seconds saved by the cost model in this results file of headrace bench (default: as for headrace trace)",
    )
    parser.add_argument(
        "--verify-limit",
        type=positive,
        metavar="MIB",
        help=f"the largest directory that --verify copies (default: {VERIFY_LIMIT})",
    )
    parser.set_defaults(run=run, program=[])
    parser.takes_program = True  # type: ignore[attr-defined]


def run(arguments: argparse.Namespace) -> int:
    """Run the program; returns the exit code."""
    program: list[str] = arguments.program
    _refuse_in_vain(arguments)
    if arguments.env:
        return _print_variables(arguments, program)
    if not program:
        raise HeadraceError("a program is missing", "headrace run [options] PROGRAM [ARGUMENT ...]")
    if not program[0]:
        raise HeadraceError("an empty name of a program: is a variable of the shell not set?")
    from headrace.trace.start import CannotStartError

    try:
        if arguments.verify:
            return _verify(arguments, program)
        if arguments.stats or arguments.json:
            return _run_counted(arguments, program)
        _replace(arguments, program)
    except CannotStartError as error:
        print("\n  ".join(filter(None, (f"headrace: {error.message}", error.hint))), file=sys.stderr)
        return error.code
    raise AssertionError("the program did not take the place of headrace")


def _refuse_in_vain(arguments: argparse.Namespace) -> None:
    """Before the program runs: options that would have no effect, and files that could not be written or read."""
    from headrace.run.launch import AFTER
    from headrace.whole_files import refuse_unwritable

    counts = arguments.stats or (arguments.json and not arguments.verify)
    for option, value, is_of_use, needed in (
        ("--lines", arguments.lines, arguments.stats, "--stats"),
        ("--results", arguments.results, counts, "--stats or --json"),
        ("--verify-limit", arguments.verify_limit, arguments.verify, "--verify"),
    ):
        if value is not None and not is_of_use:
            raise HeadraceError(f"{option} is given without {needed}", f"add {needed}, or leave {option} out")
    refuse_unwritable(arguments.json, "--json")
    if arguments.results is not None and (not arguments.results.exists() or arguments.results.is_dir()):
        raise HeadraceError(f"{arguments.results}: no such file", "--results takes a results file of headrace bench")
    after = os.environ.get(AFTER, "")
    if after and not (re.fullmatch(r"\d{1,3}", after, re.ASCII) and int(after) <= MOST_AFTER):
        raise HeadraceError(f"{AFTER} is '{after}'", f"expected: a whole number from 0 to {MOST_AFTER}")


def _print_variables(arguments: argparse.Namespace, program: list[str]) -> int:
    from headrace.run.launch import shell_lines

    if program or arguments.json:
        other = program[0] if program else "--json"
        raise HeadraceError(f"--env runs no program, and {other} is given", 'eval "$(headrace run --env)"')
    sys.stdout.write(shell_lines(arguments.strict))
    return 0


def _replace(arguments: argparse.Namespace, program: list[str]) -> None:
    from headrace.run.launch import replace_by, why_not_taken_over
    from headrace.trace.start import find_program

    find_program(program[0])
    _say_why_not(program[0], why_not_taken_over(program[0]))
    replace_by(program, arguments.strict)


def _say_why_not(program: str, why: str) -> None:
    if why:
        _say(f"headrace run: {program} runs unchanged: {why}\n")


def _run_counted(arguments: argparse.Namespace, program: list[str]) -> int:
    from headrace.run.launch import folder_for_statistics, run_counted, why_not_taken_over
    from headrace.trace.start import find_program

    find_program(program[0])
    with folder_for_statistics(program[0]) as folder:
        ended = run_counted(program, arguments.strict, folder)
        from headrace.run.saved import add_saved
        from headrace.run.statistics import collected

        statistics = collected(folder)
    statistics.command, statistics.exit_code = program, ended.code
    try:
        add_saved(statistics, ended.processor_seconds, arguments.results, lambda what: _say(f"headrace run: {what}\n"))
    except HeadraceError as error:
        statistics.notes.append(f"no seconds saved: {error.message}")
    if not statistics.sites:
        statistics.why_nothing = why_not_taken_over(program[0])
    try:
        _print_statistics(statistics, arguments)
    except HeadraceError as error:  # the exit code stays that of the program
        _say(f"headrace run: {error.message}\n")
    return ended.code


def _print_statistics(statistics: "Statistics", arguments: argparse.Namespace) -> None:
    from headrace.run.table import table
    from headrace.whole_files import write_whole

    if arguments.stats:
        _say(table(statistics, arguments.lines or ROWS))
    if arguments.json:
        write_whole(Path(arguments.json), statistics.model_dump_json(indent=2) + "\n")


def _verify(arguments: argparse.Namespace, program: list[str]) -> int:
    from headrace.run.launch import why_not_taken_over
    from headrace.run.table import outcome, outcome_json
    from headrace.run.verify import verify
    from headrace.whole_files import is_standard_output, write_whole

    with tempfile.NamedTemporaryFile(prefix="headrace-input-") as kept:
        if sys.stdin is not None and not sys.stdin.isatty():
            while piece := sys.stdin.buffer.read(1 << 20):
                kept.write(piece)
        kept.flush()
        limit = (arguments.verify_limit or VERIFY_LIMIT) << 20
        found: Verified = verify(
            program, arguments.strict, limit, Path(kept.name), lambda what: _say(f"headrace run: {what}\n")
        )
    why = why_not_taken_over(program[0])
    found.notes += [f"{program[0]}: {why}"] * bool(why)
    if arguments.json:
        write_whole(Path(arguments.json), outcome_json(found, program))
    if not (arguments.json and is_standard_output(arguments.json)):
        print(outcome(found), end="")
    return 1 if found.different else 0


def _say(text: str) -> None:
    """On standard error; that nobody reads it is no failure of the program."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        pass
