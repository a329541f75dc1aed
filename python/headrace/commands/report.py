"""headrace report: results as one HTML file, or as Markdown."""

import argparse
from collections import Counter
from pathlib import Path

from headrace.commands.arguments import file, results_file

DESCRIPTION = """\
Write one self-contained HTML file from the results of one or more runs: plots, tables, correctness,
provenance. It needs no network, so it opens from a cluster after one scp. Results of every benchmark
are taken; a run of bench parallel has a page of its own.

--format markdown writes the conditions, the ratios with their goals and all rows as Markdown tables, of any
runs, for a document or a pull request.

exit code: 0 the file is written, 2 a results file cannot be read or the report cannot be written
"""


_DEFAULTS = {"html": "headrace-report.html", "markdown": "-"}


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add this command and its options to the command line."""
    parser = commands.add_parser(
        "report",
        help="results as one HTML file, or as Markdown",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("results", nargs="+", type=file, metavar="A.json", help="what headrace bench wrote with --json")
    parser.add_argument("--format", choices=list(_DEFAULTS), default="html", help="default: %(default)s")
    parser.add_argument(
        "-o",
        "--output",
        type=results_file,
        metavar="FILE",
        help="the file to write, - for standard output (default: headrace-report.html; for Markdown standard output)",
    )
    parser.set_defaults(run=run, needs=("headrace.reporters.any_report",))


def run(args: argparse.Namespace) -> int:
    """Read the results, write the report, say where it is."""
    from headrace.reporters.any_report import write_any_report
    from headrace.results.files import load_any
    from headrace.whole_files import is_standard_output, write_whole

    paths: list[Path] = args.results
    runs = [load_any(path) for path in paths]
    output: str = args.output or _DEFAULTS[args.format]
    if args.format == "markdown":
        from headrace.reporters.markdown import markdown

        write_whole(Path(output), markdown(runs, names_of(paths)), "-o")
    else:
        write_any_report(runs, Path(output), names_of(paths), "-o")
    if not is_standard_output(output):
        print(f"{output}: {sum(len(r.rows) for r in runs)} rows of {len(runs)} run{'s' * (len(runs) > 1)}")
    return 0


def names_of(paths: list[Path]) -> list[str]:
    """What the report calls each run: the file's name, with its folder if two files have the same name."""
    stems = Counter(path.stem for path in paths)
    names = [path.stem if stems[path.stem] == 1 else str(path.with_suffix("")) for path in paths]
    seen: Counter[str] = Counter()
    unique: list[str] = []
    for name in names:
        seen[name] += 1
        unique.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return unique
