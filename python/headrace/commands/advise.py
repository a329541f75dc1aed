"""`headrace advise`: options and help; the work is in settings/advise.py."""

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.commands.advise_arguments import add_files, add_job, add_output, add_place, add_trial, job_of
from headrace.errors import HeadraceError

if TYPE_CHECKING:
    from headrace.results.advised import Advised
    from headrace.settings.job import Job
    from headrace.settings.job_of_file import Found
    from headrace.settings.place import Asked, Place
    from headrace.settings.trials.copies import Copies
    from headrace.sites.schema import Site

DESCRIPTION = """\
What to set here for a job: who writes which file, stripes, hints for MPI-IO, variables of the run time and of
the transport, compiler options, tar. It looks at the file system of --dir, at the MPI and at the compilers
(--verbose shows all that it saw), and says the largest expected gain first. Each item has its source with a
date, the interval of the gain if there is one, how to undo it, and when it would hurt.

What to change in source lines is said by `headrace trace`.
"""
EPILOG = """\
exit codes: 0 advice was given, or there was nothing to change; 1 --job-script found something; 2 bad input

examples
  headrace advise --dir /scratch/me --ranks 512 --nodes 4 --size 32MiB --pattern shared
  headrace advise --from model.headrace-trace               the job that was traced
  headrace advise --from run.json --ranks 4096 --nodes 32   results of headrace bench parallel, and its model
  headrace advise --site archer2 --ranks 2048 --nodes 16 --pattern file_per_process
  headrace advise --site archer2 --files 100000 --transfer unpack
  headrace advise --pattern shared --ranks 8 --env here.sh  the settings as a file to source
  headrace advise --try "mpirun -n 8 ./model" --time-budget 300   which of it helps, measured
  headrace advise --try ./model --changed flush-less=./changed    and whether a change in the source helped
  headrace advise --job-script job.slurm                    what goes wrong for I/O in a job script
  headrace advise --check-site mine.toml                    is a site profile right?
"""
NEEDS = ("headrace.settings.advise", "headrace.reporters.advised", "headrace.settings.job_of_file")


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "advise",
        help="what to set here for a job, why, and what it gains",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_place(parser.add_argument_group("the place"))
    add_job(parser.add_argument_group("the job"))
    add_trial(parser.add_argument_group("trying it"))
    add_output(parser.add_argument_group("what comes out"))
    add_files(parser.add_argument_group("files to use"))
    parser.set_defaults(run=run, needs=NEEDS)


def run(arguments: argparse.Namespace) -> int:
    """Look, advise, print, write. Returns the exit code."""
    from headrace.settings.advise import advise, require_names
    from headrace.settings.place import look

    if arguments.check_site:
        return _check_site(arguments.check_site)
    if arguments.job_script:
        return _check_script(arguments)
    site = _site(arguments.site)
    require_names(job_of(arguments).forbidden, site)
    _require_different(arguments)
    if arguments.changed and not arguments.trial:
        raise HeadraceError("--changed is compared with the command of --try", 'add it, for example --try "./model"')
    if arguments.trial or arguments.preset:
        advised, mpi = _tried(arguments, site)
        _deliver(arguments, advised, mpi)
        return 0
    found = _job(arguments)
    place = _with_costs(arguments, look(_asked(arguments, site)), found)
    advised = advise(found.job, place, site, found.remarks)
    _deliver(arguments, advised, place.mpi)
    return 0


def _check_site(path: Path) -> int:
    from headrace.sites.load import read

    site = read(path)
    parts = ("rates", "gains", "stripes", "hints", "settings", "transfers", "storage")
    _require_hints(path, site)
    numbers = {part: len(getattr(site, part)) for part in parts}
    counts = [
        f"{number} {part.removesuffix('s') if number == 1 else part}" for part, number in numbers.items() if number
    ]
    print(f"{path}: the profile {site.name} is right: {', '.join(counts) or 'no rules yet'}")
    for name, source in site.sources.items():
        print(f"  {name}: {source.title}, {source.date.isoformat()}, {source.machine}")
    return 0


def _require_hints(path: Path, site: "Site") -> None:
    """Raises HeadraceError for a hint that the MPI it is for would ignore."""
    from headrace import mpi_hints
    from headrace.nearest import did_you_mean

    for number, rule in enumerate(site.hints):
        known = sorted(name for name, hint in mpi_hints.table().items() if rule.mpi_io in hint.takers)
        for name, value in rule.values.items():
            if name not in known:
                raise HeadraceError(
                    f"{path}: hints.{number}.values.{name}: {rule.mpi_io} does not look it up",
                    did_you_mean(name, known, "the page about hints in the documentation has all that are known"),
                )
            if not mpi_hints.takes(rule.mpi_io, name, value):
                raise HeadraceError(
                    f"{path}: hints.{number}.values.{name}: {rule.mpi_io} cannot make sense of {value}",
                    "the page about hints in the documentation says what it may be",
                )


def _check_script(arguments: argparse.Namespace) -> int:
    from headrace.job_scripts.findings import findings
    from headrace.job_scripts.report import as_json, as_text
    from headrace.mpi_hints import table
    from headrace.whole_files import is_standard_output, write_whole

    path = Path(arguments.job_script)
    found = findings(path, table())
    to_standard_output = arguments.json is not None and is_standard_output(arguments.json)
    text = as_json if to_standard_output else as_text
    sys.stdout.write(text(path, found))
    if arguments.json is not None and not to_standard_output:
        write_whole(Path(arguments.json), as_json(path, found))
    return int(bool(found))


def _site(name: str | None) -> "Site | None":
    from headrace.sites.load import site

    return site(name) if name else None


def _job(arguments: argparse.Namespace) -> "Found":
    """From a file and the command line, which comes first. Raises HeadraceError if there is nothing to go by."""
    from headrace.settings.job_of_file import Found, of_results, of_trace

    given = job_of(arguments)
    if arguments.source is None:
        if not _says_something(given):
            raise HeadraceError(
                "nothing is said about the job",
                "describe it, for example --ranks 8 --pattern shared or --format text, or name a trace or results with "
                "--from",
            )
        return Found(given)
    path = Path(arguments.source)
    try:
        path.stat()
    except FileNotFoundError as error:
        raise HeadraceError(
            f"--from {path}: there is no such file", "name a trace, or a results file of headrace bench"
        ) from error
    except OSError as error:
        raise HeadraceError(f"--from {path}: {error.strerror}", "name a file that can be read") from error
    if path.is_dir() or path.suffix != ".json":
        from headrace.advice.advise import advise_again
        from headrace.commands.trace import merged
        from headrace.trace.archive import load

        recorded = load(path)
        trace = merged(recorded, "")
        advise_again(trace, recorded.sources, recorded.costs, None)
        return of_trace(path, trace, given)
    return of_results(path, given)


def _says_something(job: "Job") -> bool:
    return bool(
        job.pattern
        or job.format
        or job.statements
        or job.skip
        or job.flush
        or job.reopen
        or job.transfer
        or job.ranks > 1
    )


def _tried(arguments: argparse.Namespace, site: "Site | None") -> "tuple[Advised, str]":
    """Advice, and what each item of it that can be set from outside did to the user's command."""
    from headrace.settings.advise import advise
    from headrace.settings.place import look
    from headrace.settings.trials import bench
    from headrace.settings.trials.candidates import candidates
    from headrace.settings.trials.copies import changed_words, copies, require_program, words_of
    from headrace.settings.trials.trial import trial

    if arguments.trial and arguments.preset:
        raise HeadraceError("--preset bench is a command, and --try names another one", "leave one of them out")
    if arguments.source is not None:
        raise HeadraceError("--try and --preset trace the command themselves, and --from names a file", "leave one out")
    if site is not None and arguments.dir is None:
        raise HeadraceError(
            "--try runs the command here, and --site without --dir is about another machine", "add --dir"
        )
    say = (lambda text: None) if arguments.quiet else _say
    given = job_of(arguments)
    words = bench.command(given, arguments.mpi) if arguments.preset else words_of(arguments.trial)
    changed = changed_words(arguments.changed)
    for other in changed.values():
        require_program(arguments.dir or Path(), other, "--changed")
    measured = partial(bench.seconds_in, job=given) if arguments.preset else None
    with copies(arguments.dir or Path(), words, arguments.time_budget, measured) as places:
        found = _job(arguments) if arguments.preset else _traced(arguments, places, say)
        place = _with_costs(arguments, look(_asked(arguments, site)), found)
        advised = advise(found.job, place, site, (*found.remarks, *places.notes))
        chosen = candidates(advised.items, changed)
        if chosen:
            result = trial(places.run, chosen, arguments.time_budget, arguments.seed, say)
            for item in advised.items:
                item.tried = result.tried.get(item.change)
            advised.remarks += result.remarks
        else:
            advised.remarks.append("nothing was tried: no item can be set from outside of the program")
    return advised, place.mpi


def _with_costs(arguments: argparse.Namespace, place: "Place", found: "Found") -> "Place":
    """For the trace of a program that ran on this machine: what its calls cost in the directory."""
    import socket

    from headrace.settings.place import measured

    observed = found.job.observed
    if observed is None or not place.is_here or arguments.no_probe or observed.host not in ("", socket.gethostname()):
        return place
    return measured(place, arguments.dir or Path(), observed.scratch.folder)


def _traced(arguments: argparse.Namespace, places: "Copies", say: "Callable[[str], None]") -> "Found":
    """The job, from the first run and the command line."""
    from headrace.advice.advise import advise_here
    from headrace.settings.job_of_file import has_io, of_trace

    say("the first run, traced")
    ran, trace = places.traced()
    if ran.failed:
        raise HeadraceError(f"--try: the command {ran.ending}", ran.hint)
    if trace is not None and has_io(trace):
        with suppress(HeadraceError):  # without costs the seconds of the trace have to do
            advise_here(trace, {}, None, arguments.dir or Path(), say)
        return of_trace(Path("the traced run"), trace, job_of(arguments))
    return _unseen(arguments, places)


def _unseen(arguments: argparse.Namespace, places: "Copies") -> "Found":
    """The job if the traced run showed no I/O: as it was described. Raises HeadraceError if it was not."""
    from headrace.settings.job_of_file import Found, without_io

    given = job_of(arguments)
    if _says_something(given):
        return Found(given, ("the traced run showed no I/O of Fortran or of an I/O library",))
    if places.has_run_time:
        return without_io(given)
    program = places.command[0]
    why = places.why_not_traced
    raise HeadraceError(
        f"--try: nothing is known of the I/O of {program}: "
        + (why or "neither it nor what it starts showed a statement of Fortran, or a call of an I/O library"),
        "describe the job, for example --format text or --ranks 8 --pattern shared; `headrace trace --check PROGRAM` "
        "says whether a program can be traced",
    )


def _say(text: str) -> None:
    print(f"headrace advise: {text}", file=sys.stderr, flush=True)


def _asked(arguments: argparse.Namespace, site: "Site | None") -> "Asked":
    from headrace.measure.parallel.launcher import WRAPPER
    from headrace.settings.place import Asked

    return Asked(
        directory=arguments.dir,
        site=site,
        wrapper=arguments.mpi or WRAPPER,
        mpi_io=arguments.mpi_io,
        compilers=tuple(arguments.fc),
        limit=arguments.tool_limit,
    )


def _write_files(arguments: argparse.Namespace, advised: "Advised", mpi: str) -> list[str]:
    """Returns the names of what was written: all of it or nothing."""
    from headrace.settings import written
    from headrace.whole_files import write_whole

    texts: dict[str, tuple[Path, str]] = {}
    if arguments.env:
        texts["--env"] = (arguments.env, written.environment(advised.items))
    if arguments.romio_hints:
        text = written.romio_hints(advised.items)
        if not text:
            raise HeadraceError(
                "--romio-hints: there is no hint in this advice that ROMIO would heed", "leave the option out"
            )
        texts["--romio-hints"] = (arguments.romio_hints, text)
    if arguments.write_job:
        texts["--job-file"] = (arguments.job_file, _job_text(arguments, advised, mpi))
    if not arguments.force:
        for option, (path, text) in texts.items():
            _require_same(option, path, text)
    for option, (path, text) in texts.items():
        write_whole(path, text, option)
    return [str(path) for path, _ in texts.values()]


def _require_same(option: str, path: Path, text: str) -> None:
    """Raises HeadraceError if a file has contents that nobody has seen; ours may be replaced by ours."""
    from headrace.settings.written import FIRST_LINE

    try:
        is_other = path.is_file() and (old := path.read_bytes()) not in (b"", text.encode())
        is_other = is_other and not (option == "--env" and old.startswith(FIRST_LINE.encode()))
    except OSError as error:
        raise HeadraceError(f"{option} {path}: {error.strerror}", f"choose another place with {option}") from error
    if is_other:
        raise HeadraceError(
            f"{path} is there already, with other contents; nothing was written",
            f"replace it with --force, or name another file with {option}",
        )


def _require_different(arguments: argparse.Namespace) -> None:
    """Raises HeadraceError if two options name one file."""
    seen: dict[str, str] = {}
    for option, name in _outputs(arguments).items():
        other = seen.setdefault(os.path.realpath(name), option)
        if other != option and not Path(name).is_char_device():
            raise HeadraceError(f"{other} and {option} name the same file, {name}", "name two files")


def _outputs(arguments: argparse.Namespace) -> dict[str, str]:
    """The files that are written, by their options."""
    given = {
        "--json": arguments.json,
        "--html": arguments.html,
        "--env": arguments.env,
        "--romio-hints": arguments.romio_hints,
        "--job-file": arguments.job_file if arguments.write_job else None,
    }
    return {option: str(name) for option, name in given.items() if name}


def _job_text(arguments: argparse.Namespace, advised: "Advised", mpi: str) -> str:
    from headrace.measure.parallel.jobs import read_job
    from headrace.settings.written import job_script

    job = advised.job
    given: dict[str, object] = {"ranks": (job.ranks,), "per_node": -(-job.ranks // job.nodes)}
    if arguments.dir:
        given["directory"] = str(arguments.dir.absolute())
    words = [word for word in arguments.job if not word.startswith("per_node=")]
    batch = read_job(_with_profile(words, advised.site), **given)
    own = {word.removeprefix("env:").partition("=")[0] for word in words if word.startswith("env:")}
    # A profile's variables are for one pattern: those that fit this job are in the advice.
    batch = replace(batch, variables={name: value for name, value in batch.variables.items() if name in own})
    try:
        program = shlex.split(arguments.program or "")
    except ValueError as error:
        raise HeadraceError(f"--program '{arguments.program}': {error}", "close the quotes") from error
    return job_script(advised, batch, arguments.write_job, program, mpi)


def _with_profile(words: list[str], site: str) -> list[str]:
    """What the site says of its jobs, unless the user names a profile."""
    from headrace.sites.load import every_site

    known = any(one.name == site and one.batch for one in every_site())
    return [f"profile={site}", *words] if known and not any(word.startswith("profile=") for word in words) else words


def _deliver(arguments: argparse.Namespace, advised: "Advised", mpi: str) -> None:
    """Files first, then the text, unless standard output is the file; the text also if a file cannot be written."""
    from headrace.reporters.advised import advised_lines
    from headrace.whole_files import is_standard_output

    written: list[str] = []
    try:
        written += _write_files(arguments, advised, mpi)
        written += _write_pages(arguments, advised)
    finally:
        if not any(is_standard_output(name) for name in _outputs(arguments).values()):
            wrote = (f"wrote {name}" for name in written)
            print("\n".join([*advised_lines(advised, arguments.verbose), *wrote]), flush=True)


def _write_pages(arguments: argparse.Namespace, advised: "Advised") -> Iterator[str]:
    """Yields the name of each that was written."""
    from headrace.whole_files import write_whole

    if arguments.json:
        write_whole(Path(arguments.json), advised.model_dump_json(indent=1, by_alias=True) + "\n")
        yield arguments.json
    if arguments.html:
        from headrace.reporters.html.advised_page import render_advised

        write_whole(Path(arguments.html), render_advised(advised), "--html")
        yield arguments.html
