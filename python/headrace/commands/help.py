"""`headrace help COMMAND`, and all of it as a manual page."""

import argparse

from headrace.errors import HeadraceError

EPILOG = """\
examples:
  headrace help convert
  headrace help bench parallel
  mkdir -p ~/.local/share/man/man1 && headrace help --man > ~/.local/share/man/man1/headrace.1 && man headrace
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "help",
        help="what a command does, with its options and examples",
        description="Show the help of a command, the same as `headrace COMMAND --help`.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="its words (default: the list of all commands)")
    parser.add_argument("--man", action="store_true", help="print a manual page of all commands instead")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the help that was asked for."""
    from headrace.cli import whole_parser

    if not arguments.man:
        whole_parser().parse_args([*arguments.command, "--help"])
    elif arguments.command:
        raise HeadraceError("the manual page has every command", "leave the names of commands out")
    else:
        print(_manual(), end="")
    return 0


def _manual() -> str:
    try:
        from argparse_manpage.manpage import Manpage
    except ImportError as error:
        raise HeadraceError(
            "the manual page needs the Python package argparse-manpage", "pip install argparse-manpage"
        ) from error
    from headrace.cli import whole_parser
    from headrace.version import VERSION

    parser = whole_parser()
    data = {"project_name": "headrace", "version": VERSION, "manual_title": "User Commands"}
    return str(Manpage(parser, _data=data)).rstrip() + "\n"
