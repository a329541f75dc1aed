"""`headrace schema`."""

import argparse
import json


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "schema",
        help="print the JSON schema of a results file",
        description="Print the JSON schema of the results files that every benchmark writes, of a trace, or of advice.",
    )
    parser.add_argument("--trace", action="store_true", help="the schema of what headrace trace --json writes")
    parser.add_argument("--advice", action="store_true", help="the schema of what headrace advise --json writes")
    parser.set_defaults(run=run, needs=("headrace.results.files",))


def run(arguments: argparse.Namespace) -> int:
    """Print the schema."""
    if arguments.trace:
        from headrace.trace.results import schema
    elif arguments.advice:
        from headrace.results.advised import schema
    else:
        from headrace.results.files import schema

    print(json.dumps(schema(), indent=2))
    return 0
