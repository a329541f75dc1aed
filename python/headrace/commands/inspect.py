"""`headrace inspect FILE...`."""

import argparse
import contextlib
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.commands.arguments import existing, file_or_store
from headrace.errors import HeadraceError

if TYPE_CHECKING:
    from headrace.inspect.findings import Report

EPILOG = """\
exit codes: 0 sure, and the file is whole; 1 a tie, a guess below 90 % confidence, a damaged file,
or one that headrace began to write and did not finish;
2 a file that cannot be read, or an unfinished store without metadata;
of several files the largest code

examples:
  headrace inspect run.dat               the verdict, what the records hold, and how to read them
  headrace inspect run.dat --json | jq .verdict
  headrace inspect *.dat --json | jq '.[].verdict.format'
  ssh cluster cat run.dat | headrace inspect -
  headrace inspect run.dat --schema > run.toml      a schema to edit, for convert and describe
"""
_STDIN = "stdin.dat"  # the name that statements have for what came in


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "inspect",
        help="what is in this file? dialect of records, types, shapes, and how to read it",
        description="Find out what a file is: unformatted sequential records of any dialect, direct access,\n"
        "raw bytes, text with its format, a known container, or a file of DCD, ECLIPSE, MODFLOW or Nastran (OP2).\n\n"
        "The output says how sure headrace is, what else the file may be, and where each guess fails.\n"
        "It shows the statements that read the file. Nothing in the file is trusted.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files", type=file_or_store, metavar="FILE", nargs="+",
        help="a file, the directory of a Zarr store, or - for standard input",
    )  # fmt: skip
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON; for several files a list")
    form.add_argument("--schema", action="store_true", help="print a first TOML schema of the file")
    parser.set_defaults(run=run, needs=("headrace.inspect", "headrace.reporters.inspected"))


def run(arguments: argparse.Namespace) -> int:
    """Inspect the files and print what was found."""
    files: list[str] = arguments.files
    if arguments.schema and len(files) > 1:
        raise HeadraceError(f"--schema describes one file, {len(files)} are named", "name one file at a time")
    reports: list[dict[str, Any]] = []
    codes = []
    for number, file in enumerate(files):
        try:
            report = _report(file, bool(arguments.schema))
        except HeadraceError as error:
            if len(files) == 1:
                raise
            _print_failure(error)
            reports.append({"file": file, "error": error.message})
            codes.append(2)
            continue
        codes.append(report.exit_code)
        if arguments.json:
            reports.append(report.as_json())
        else:
            _print(report, bool(arguments.schema), number > 0)
    if arguments.json:
        print(json.dumps(reports[0] if len(files) == 1 else reports, indent=1, allow_nan=False))
    return max(codes)


def _print(report: "Report", schema: bool, next_one: bool) -> None:
    from headrace.reporters.console import console
    from headrace.reporters.inspected import print_report

    if next_one:
        print()
    if schema:
        from headrace.inspect.schema import schema_text

        print(schema_text(report), end="")
    else:
        print_report(report, console())


def _print_failure(error: HeadraceError) -> None:
    sys.stdout.flush()
    hint = f"\n  {error.hint}" if error.hint else ""
    print(f"headrace: {error.message}{hint}", file=sys.stderr)


def _report(file: str, schema: bool) -> "Report":
    from headrace.inspect import inspect_file
    from headrace.inspect.listing import arrays_of

    with _seekable(file) as path:
        report = inspect_file(path)
        if not schema and not report.known and not report.tie and not report.verdict.detail.get("damage"):
            report.arrays = arrays_of(path, report.verdict.format)
    if file == "-":
        report.named(str(path), _STDIN)
    return report


@contextlib.contextmanager
def _seekable(file: str) -> Iterator[Path]:
    """The file; of - a file that holds what came in, removed at the end."""
    if file != "-":
        yield existing(file)
        return
    itself = Path("/proc/self/fd/0")
    if stat.S_ISREG(os.fstat(0).st_mode) and itself.exists() and os.lseek(0, 0, os.SEEK_CUR) == 0:
        yield itself
        return
    with tempfile.TemporaryDirectory(prefix="headrace-inspect-") as folder:
        path = Path(folder) / _STDIN
        try:
            with path.open("wb") as copy:
                shutil.copyfileobj(sys.stdin.buffer, copy, 1 << 20)
        except OSError as error:
            raise HeadraceError(
                f"standard input cannot be copied in {folder}: {error.strerror}",
                "set TMPDIR to a directory with room for it",
            ) from error
        yield path
