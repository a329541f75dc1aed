"""The parser of every command: argparse, with errors that name what was probably meant. First: cli.py."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from headrace.errors import HeadraceError
from headrace.nearest import did_you_mean

_FEW_LINES = 3  # of the usage, which is shown with an error; a longer one would hide the error


class Parser(argparse.ArgumentParser):
    """Raises HeadraceError for what it does not understand."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.register("action", "parsers", _Commands)
        self.given: list[str] = []
        self.takes_program = False  # what follows the first word is another program's, and stays as it is

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As that of argparse, but nothing stays unknown: each command refuses its own, by its own options."""
        own, program = self._without_program(list(args or []))
        self.given = own
        found, rest = super().parse_known_args(own, namespace)
        if program:
            found.program = program
        if rest:
            self._refuse(rest)
        return found, []

    def _without_program(self, words: list[str]) -> tuple[list[str], list[str]]:
        """Our words, and those from the name of a program on: the first that is neither an option nor its value."""
        place = 0
        while self.takes_program and place < len(words):
            word = words[place]
            if word == "--":
                return words[:place], words[place + 1 :]
            if not word.startswith("-"):
                is_command = any(word == parser.prog.rpartition(" ")[2] for parser in self._commands())
                return (words, []) if is_command else (words[:place], words[place:])
            known = next((name for name in self._option_string_actions if name.startswith(word)), "")  # or a part of it
            action = self._option_string_actions.get(word) or self._option_string_actions.get(known)
            place += 2 if action is not None and action.nargs is None else 1
        return words, []

    def _print_message(self, message: str, file: Any = None) -> None:
        """Of --help and --version: argparse hides a closed pipe, or leaves it to the exit of Python."""
        out = file or sys.stderr
        out.write(message)
        out.flush()

    def error(self, message: str) -> NoReturn:
        """An error of argparse itself; what is required may be missing because an option is misspelt."""
        unknown = self._unknown(self.given)
        if "required" in message and unknown:
            self._refuse(unknown)
        raise HeadraceError(message.removeprefix("argument "), self._help())

    def _refuse(self, words: list[str]) -> NoReturn:
        options = [word.partition("=")[0] for word in words if word.startswith("-") and word != "-"]
        if not options:
            meant = f"a program stands behind its option: --try {words[0]}\n  " if self._is_option("--try") else ""
            raise HeadraceError(f"{self._name()} does not expect '{' '.join(words)}'", meant + self._help())
        option = options[0]
        owners = [parser.prog for parser in self._commands() if parser._is_option(option)]
        if owners:
            hint = f"it is an option of {' and '.join(owners)}: write it after that command\n  {self._help()}"
        else:
            hint = did_you_mean(option, self._option_string_actions, self._help())
        raise HeadraceError(f"{self._name()} has no option {option}", hint)

    def refuse_in_front(self, option: str, command: "Parser", words: Sequence[str]) -> NoReturn:
        """An option in front of the name of a command: that of the command, of this parser, or of nobody."""
        name, next_word = option.partition("=")[0], next(iter(words[1:]), "")
        below = {parser.prog.rpartition(" ")[2]: parser for parser in command._commands()}
        if not command._is_option(option) and next_word in below:
            self.refuse_in_front(option, below[next_word], words[1:])
        if not (command._is_option(option) or self._is_option(option)):
            others = any(parser._is_option(option) for parser in self._commands())
            (self if others else command)._refuse([option])
        said = f"{name} stands in front of '{words[0]}', where it has no meaning"
        if command._is_option(option):
            raise HeadraceError(said, f"write it after the command: {command.prog} {option} ...")
        raise HeadraceError(said, f"leave it out: {command._name()} has no option {name}\n  {command._help()}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Of choices."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            if isinstance(action, _Commands):  # the value of an option that there is not looks like a command
                unknown = self._unknown(self.given[: self.given.index(value)])
                if unknown:
                    self._refuse(unknown)
            choices = [str(choice) for choice in action.choices or ()]
            known = ", ".join(map(repr, action.choices or ()))
            error.message = f"invalid choice: {value!r} (choose from {known})"  # not every Python quotes them
            if isinstance(action, _Commands):
                error.argument_name = None
                of = self.prog.partition(" ")[2]
                error.message = f"{of}{': ' if of else ''}there is no '{value}' (choose from {known})"
            near = did_you_mean(str(value), choices)
            error.message += f"; {near}" if near else ""
            raise

    def _unknown(self, words: list[str]) -> list[str]:
        return [word for word in words if word.startswith("-") and len(word) > 1 and not self._is_option(word)]

    def _name(self) -> str:
        return self.prog.partition(" ")[2] or f"{self.prog} itself"

    def _is_option(self, word: str) -> bool:
        """Abbreviated or not."""
        given = word.partition("=")[0] if word.startswith("--") else word[:2]
        return any(known.startswith(given) for known in self._option_string_actions)

    def _commands(self) -> Iterator["Parser"]:
        """Those below this one."""
        for action in self._actions:
            if isinstance(action, _Commands):
                yield from action.choices.values()

    def _help(self) -> str:
        usage = self.format_usage().splitlines()
        shown = usage if len(usage) <= _FEW_LINES else []
        return "\n  ".join([*shown, f"{self.prog} --help says more"])


class _Commands(argparse._SubParsersAction):  # type: ignore[type-arg]
    """Refuses an option in front of a command's name: the defaults of that command would take its place unseen."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        words = list(values or [])
        if isinstance(parser, Parser) and words and words[0] in self.choices:
            before = parser.given[: len(parser.given) - len(words)]
            option = next((word for word in before if word.startswith("-")), None)
            if option is not None:
                parser.refuse_in_front(option, self.choices[words[0]], words)
        super().__call__(parser, namespace, values, option_string)
