"""The known name that was probably meant where an unknown one was given."""

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], most: int = 1) -> list[str]:
    """At most `most` names that are written nearly so, the nearest first.

    Upper and lower case are the same, and so are "-" and "_".
    """
    from difflib import get_close_matches  # for errors alone: a command starts faster without

    folded = {_folded(each): each for each in reversed(list(known))}
    return [folded[each] for each in get_close_matches(_folded(name), folded, most)]


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "", most: int = 1) -> str:
    """A hint: the nearest name as a question, with `otherwise` behind it; `otherwise` alone where none is near."""
    found = nearest(name, known, most)
    question = f"did you mean {' or '.join(found)}?" if found else ""
    return "\n  ".join(part for part in (question, otherwise) if part)


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")
