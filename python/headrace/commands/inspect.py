"""`headrace inspect FILE`."""

import argparse
import json

from headrace.commands.arguments import existing, file_or_store

EPILOG = """\
exit codes: 0 sure, and the file is whole; 1 a tie, a guess below 90 % confidence, a damaged file,
or one that headrace began to write and did not end;
2 a file that cannot be looked into, also a store that was begun and has no description of its arrays yet

examples:
  headrace inspect run.dat               the verdict, what the records hold, and how to read them
  headrace inspect run.dat --json | jq .verdict
  headrace inspect run.dat --schema > run.toml      a schema to edit, for convert and describe
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "inspect",
        help="what is in this file? dialect of records, types, shapes, and how to read it",
        description="Find out what a file is: unformatted sequential records of any dialect, direct access, raw bytes, "
        "text with its format, or a known container. Says how sure it is, what else it may be, and where each guess "
        "fails; shows the statements that read it. Nothing in the file is trusted.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=file_or_store, metavar="FILE", help="a file, or the directory of a Zarr store")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--schema", action="store_true", help="print a first TOML schema of the file")
    parser.set_defaults(run=run, needs=("headrace.inspect", "headrace.inspect.terminal"))


def run(arguments: argparse.Namespace) -> int:
    """Inspect one file and print what was found."""
    from headrace.inspect import inspect_file
    from headrace.inspect.listing import arrays_of
    from headrace.inspect.schema import schema_text
    from headrace.inspect.terminal import print_report
    from headrace.reporters.console import console

    path = existing(arguments.file)
    report = inspect_file(path)
    if not arguments.schema and not report.known and not report.tie and not report.verdict.detail.get("damage"):
        report.arrays = arrays_of(path, report.verdict.format)
    if arguments.json:
        print(json.dumps(report.as_json(), indent=1, allow_nan=False))
    elif arguments.schema:
        print(schema_text(report), end="")
    else:
        print_report(report, console())
    return report.exit_code
