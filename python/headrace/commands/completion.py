"""`headrace completion SHELL`: a script that completes commands, options and their values."""

import argparse

from headrace.commands.arguments import directory, file, file_or_store, results_file
from headrace.errors import HeadraceError

SHELLS = ("bash", "zsh", "tcsh")
# What stands behind `trace` is the name of its own command or of a program: shtab knows only the one.
PROGRAMS = "\n".join(f"_shtab_headrace_{name}_pos_0_COMPGEN=_shtab_compgen_files" for name in ("trace", "run"))
EPILOG = """\
to try it in the shell at hand:
  bash   eval "$(headrace completion bash)"
  zsh    eval "$(headrace completion zsh)"

to keep it:
  bash   headrace completion bash > ~/.local/share/bash-completion/completions/headrace
  zsh    headrace completion zsh > DIRECTORY/_headrace, where DIRECTORY is one of $fpath
  tcsh   headrace completion tcsh >> ~/.tcshrc
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "completion",
        help="a script with which the shell completes commands and options",
        description="Print a script with which bash, zsh or tcsh completes headrace's commands and options.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    try:
        import shtab
    except ImportError as error:
        raise HeadraceError("completion needs the Python package shtab", "pip install shtab") from error
    from headrace.cli import whole_parser

    parser = whole_parser()
    _name_files(parser, shtab.FILE, shtab.DIRECTORY)
    print(shtab.complete(parser, shell=arguments.shell))
    if arguments.shell == "bash":
        print(PROGRAMS)
    return 0


def _name_files(parser: argparse.ArgumentParser, a_file: object, a_directory: object) -> None:
    """Arguments that are names of files or directories are completed as such."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _name_files(command, a_file, a_directory)
        elif action.type in (file, file_or_store, results_file):
            action.complete = a_file  # type: ignore[attr-defined]
        elif action.type is directory:
            action.complete = a_directory  # type: ignore[attr-defined]
