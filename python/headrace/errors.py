"""The one kind of error that a command shows to its user."""


class HeadraceError(Exception):
    """Bad input or a machine that cannot do what was asked.

    The message says what went wrong and where; `hint` says what to do next.
    The command line prints both and exits with code 2.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
