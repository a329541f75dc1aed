"""headrace trace: which source line costs the I/O time, in a program that nobody compiled again."""

import argparse
import sys
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.commands.arguments import file, file_or_store, positive, results_file
from headrace.errors import HeadraceError

if TYPE_CHECKING:
    from headrace.trace.archive import Recorded
    from headrace.trace.results import Trace
    from headrace.trace.sources import Sources

DESCRIPTION = """\
Run a program and say which of its source lines cost the time of its Fortran I/O: counts, items, bytes, system
calls and seconds of every statement. The program is not compiled again: a library is loaded into it, and into
every program that it starts. Options of headrace stand before the program's name; everything after
the name belongs to the program.

The program's input, output, exit code and signals pass through. The table goes to standard error, and
PROGRAM.headrace-trace keeps the trace. If that file exists, it is PROGRAM.2.headrace-trace.
"""

EPILOG = """\
exit code: that of the program; 128 + n if signal n killed it; 127 it was not found, 126 it could not be started;
2 bad options, or no place for the trace. With --object: 0 it is written, 2 it cannot be.
With --check: 0 it can be traced, 1 it cannot, 2 it cannot be read.

examples:
  headrace trace ./model input.nml
  headrace trace --lines 40 --output table.txt ./model < input.txt
  headrace trace mpirun -n 8 ./model
  headrace trace --check ./model
  headrace trace --object traced && gfortran -static *.o -o model @traced.link && headrace trace ./model
  headrace trace show model.headrace-trace --file '*.dat' --json -
  headrace compare before.headrace-trace after.headrace-trace
"""

SHOW_DESCRIPTION = """\
Print the table of a trace again: of a file that headrace trace wrote, or of a directory of profiles, which is what
stays if headrace itself was killed.

exit code: 0 it is printed; 2 it cannot be read
"""

SHOW_EPILOG = """\
examples:
  headrace trace show model.headrace-trace
  headrace trace show model.headrace-trace --html page.html
  headrace trace show model.headrace-trace --file 'out*' --mpi-rank 3
  headrace trace show model.profiles-x1y2z3 --json trace.json
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "trace",
        help="which source line of a program costs the I/O time",
        usage="headrace trace [options] PROGRAM [ARGUMENT ...]\n"
        "       headrace trace --check PROGRAM\n"
        "       headrace trace --object FILE\n"
        "       headrace trace show FILE|DIRECTORY [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="run nothing; say whether and how the program can be traced, or why not",
    )
    parser.add_argument(
        "--object",
        type=file,
        metavar="FILE",
        help="run nothing; write FILE.o, FILE.a and FILE.link: link a fully static program with them to trace it",
    )
    parser.add_argument(
        "--save",
        type=file,
        metavar="FILE",
        help="where the trace is kept (default: PROGRAM.headrace-trace here, with the name of the Fortran program)",
    )
    _add_output(parser, "standard error")
    parser.set_defaults(run=run, program=[])
    parser.takes_program = True  # type: ignore[attr-defined]
    own = parser.add_subparsers(title="what was traced", metavar="show")
    _add_show(own)


def _add_show(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "show",
        help="print a trace again, or a part of it",
        description=SHOW_DESCRIPTION,
        epilog=SHOW_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "trace", type=file_or_store, metavar="FILE|DIRECTORY", help="NAME.headrace-trace, or a directory of profiles"
    )
    _add_output(parser, "standard output")
    parser.add_argument("--file", metavar="GLOB", help="only statements that went to files with such a name or path")
    parser.add_argument("--mpi-rank", type=_mpi_rank, metavar="N", help="only this MPI rank")
    parser.set_defaults(run=run_show, needs=("headrace.trace.table",))


def _add_output(parser: argparse.ArgumentParser, default: str) -> None:
    parser.add_argument(
        "--lines", type=positive, default=20, metavar="N", help="rows of the table, the costliest first (default: 20)"
    )
    parser.add_argument(
        "--output",
        type=results_file,
        metavar="FILE",
        help=f"where the table goes, - for standard output (default: {default})",
    )
    parser.add_argument(
        "--json",
        type=results_file,
        metavar="FILE",
        help="also as JSON (headrace schema --trace), - for standard output",
    )
    parser.add_argument(
        "--html",
        type=results_file,
        metavar="FILE",
        help="also as a page: lines, advice, and which process does I/O when",
    )
    parser.add_argument(
        "--perfetto", type=results_file, metavar="FILE", help="also for the trace viewer of ui.perfetto.dev"
    )
    parser.add_argument(
        "--results",
        type=file,
        metavar="FILE",
        help="predict from the cost model in this results file of headrace bench (default: the newest "
        "headrace-*.json here that is of this machine; else costs are measured once, for at most 10 s, and kept)",
    )
    parser.add_argument("--no-advice", action="store_true", help="no advice, and no measuring for it")


def _mpi_rank(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not an MPI rank: write a whole number from 0 on")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Run the program, or look at it; returns the exit code."""
    program: list[str] = arguments.program
    if arguments.object is not None:
        return _write_object(arguments.object, program)
    if not program:
        raise HeadraceError("a program is missing", "headrace trace [options] PROGRAM [ARGUMENT ...]")
    if not program[0]:
        raise HeadraceError("an empty name of a program: is a variable of the shell not set?")
    if arguments.check:
        return _check(program[0])
    _refuse_unwritable(arguments)
    return _trace(arguments, program)


def _refuse_unwritable(arguments: argparse.Namespace) -> None:
    """Before the program runs."""
    from headrace.whole_files import refuse_unwritable

    for option in ("output", "json", "html", "perfetto"):
        refuse_unwritable(getattr(arguments, option), f"--{option}")


def _write_object(wanted: Path, program: list[str]) -> int:
    from headrace.trace.installed import write_object

    if program:
        raise HeadraceError(
            f"--object runs no program, and {program[0]} stands behind it",
            "headrace trace --object FILE, then link the program with @FILE.link, then headrace trace PROGRAM",
        )
    options = write_object(wanted)
    print(f"wrote {options.with_suffix('.o')}, {options.with_suffix('.a')} and {options}")
    print(f"link the program with @{options} at the end of the line, for example:")
    print(f"  gfortran -static *.o -o model @{options}")
    print("It runs as before; headrace trace ./model traces it.")
    return 0


def _check(program: str) -> int:
    from headrace.trace.check import check

    found = check(program)
    print(f"{program}: {found.sentence}")
    return 0 if found.can_trace else 1


def _trace(arguments: argparse.Namespace, program: list[str]) -> int:
    from headrace.trace.launch import ENDING, launch
    from headrace.trace.start import CannotStartError

    save: Path | None = arguments.save
    if save is not None and save.suffix != ENDING:
        save = save.with_name(save.name + ENDING)
    try:
        ended = launch(program, save.parent if save else Path.cwd())
    except CannotStartError as error:
        meant = "did you mean `headrace trace show`?" if get_close_matches(program[0], ["show"]) else ""
        print("\n  ".join(filter(None, (f"headrace: {error.message}", error.hint or meant))), file=sys.stderr)
        return error.code
    from headrace.trace.join import join

    is_gone = not ended.profiles.is_dir()
    advise = None if arguments.no_advice else partial(_advise, arguments)
    done = join(ended, save, advise, _wants_time_lines(arguments))
    said = done.problems
    try:
        if done.trace is not None:
            _print(done.trace, arguments, to_errors=True)
            said = [*said, f"headrace trace show {_near(done.file)} prints it again"]
        elif not said:
            why = f"{ended.profiles} was removed while the program ran" if is_gone else _why_nothing(program[0])
            said = ["nothing was traced: " + why]
    except HeadraceError as error:  # the exit code stays that of the program
        said = [*said, error.message]
    _say("".join(f"headrace trace: {sentence}\n" for sentence in said))
    return ended.code


def _advise(arguments: argparse.Namespace, trace: "Trace", sources: "Sources") -> dict[str, Any]:
    """Put advice into a trace that was just recorded; what it was made from."""
    from headrace.advice.advise import advise_here

    try:
        inputs = advise_here(
            trace, sources, arguments.results, Path.cwd(), lambda what: _say(f"headrace trace: {what}\n")
        )
    except HeadraceError as error:
        trace.notes.append(f"no advice: {error.message}")
        return {}
    return inputs.model_dump(mode="json")


def _near(file: Path | None) -> Path | None:
    """As one would type it."""
    return Path(file.name) if file is not None and file.parent == Path.cwd() else file


def _why_nothing(program: str) -> str:
    from headrace.trace.check import check

    try:
        found = check(program)
    except HeadraceError as error:
        return error.message
    if not found.can_trace:
        return found.sentence
    return (
        "no process did Fortran I/O with the library in it. Fortran programs in a container, or that a daemon or a "
        "remote shell starts with variables of its own, are not traced"
    )


def run_show(arguments: argparse.Namespace) -> int:
    """Print a trace; returns the exit code."""
    from headrace.trace.archive import chosen_ranks, load

    recorded = load(Path(arguments.trace))
    if arguments.mpi_rank is not None:
        recorded.profiles = chosen_ranks(recorded.profiles, arguments.mpi_rank)
    trace = merged(recorded, arguments.file or "", _wants_time_lines(arguments))
    if not arguments.no_advice:
        from headrace.advice.advise import advise_again

        advise_again(trace, recorded.sources, recorded.costs, arguments.results)
    if arguments.file and not trace.lines:
        raise HeadraceError(
            f"no statement went to a file like '{arguments.file}'",
            "units that are connected from the start are called '(standard input)', '(standard output)' and "
            "'(standard error)'",
        )
    _print(trace, arguments, to_errors=False)
    return 0


def _wants_time_lines(arguments: argparse.Namespace) -> bool:
    return bool(arguments.json or arguments.html or arguments.perfetto)


def merged(recorded: "Recorded", only_files: str, with_time_lines: bool = False) -> "Trace":
    """The trace of what was recorded, with procedures and the texts of its lines."""
    from headrace.trace.callers.find import find_callers
    from headrace.trace.merge import merge
    from headrace.trace.sources import find_sources, show_sources

    if recorded.callers is None:
        recorded.callers, said = find_callers(recorded.profiles)
        recorded.notes += said
    trace = merge(
        recorded.profiles, recorded.run, recorded.notes, only_files, with_time_lines, callers=recorded.callers
    )
    if not recorded.sources:
        recorded.sources, said = find_sources(trace, Path.cwd())
        trace.notes += said
    show_sources(trace, recorded.sources)
    return trace


def _print(trace: "Trace", arguments: argparse.Namespace, to_errors: bool) -> None:
    from headrace.trace.table import table
    from headrace.whole_files import is_standard_output, write_to_standard_output, write_whole

    if arguments.json:
        write_whole(Path(arguments.json), trace.model_dump_json(by_alias=True, indent=2) + "\n")
    if arguments.html:
        from headrace.reporters.html.trace_page import render_trace

        write_whole(Path(arguments.html), render_trace(trace), "--html")
    if arguments.perfetto:
        from headrace.reporters.trace_perfetto import write_perfetto

        write_perfetto(trace, Path(arguments.perfetto))
    text = table(trace, arguments.lines)
    if arguments.output:
        write_whole(Path(arguments.output), text, "--output")
    elif to_errors:
        _say(text)
    elif not (arguments.json and is_standard_output(arguments.json)):
        write_to_standard_output(text.encode())


def _say(text: str) -> None:
    """On standard error; that nobody reads it is no failure of the program."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        pass
