"""`headrace schema`."""

import argparse
import json


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "schema",
        help="print the JSON schema of a results file",
        description="Print the JSON schema of the results files that every benchmark writes.",
    )
    parser.set_defaults(run=run, needs=("headrace.measure.results_file",))


def run(arguments: argparse.Namespace) -> int:
    """Print the schema."""
    from headrace.measure.results_file import schema

    print(json.dumps(schema(), indent=2))
    return 0
