"""The known name that was probably meant when an unknown one was given."""

from collections.abc import Iterable
from difflib import get_close_matches

# Names of numpy and C, and those with bytes, which are written like other kinds than they mean.
_MEANT = {
    **dict.fromkeys(("float32", "f4", "single", "real4", "real(4)"), "real32"),
    **dict.fromkeys(("float64", "f8", "double", "real8", "real(8)"), "real64"),
    **dict.fromkeys(("float128", "f16", "quad", "real16", "real(16)"), "real128"),
    **dict.fromkeys(("complex64", "c8", "complex(4)"), "complex(real32)"),
    **dict.fromkeys(("complex128", "c16", "complex(8)"), "complex(real64)"),
    **{
        name: f"int{8 * size}"
        for size in (1, 2, 4, 8)
        for name in (f"i{size}", f"integer({size})", f"integer{8 * size}")
    },
    **{f"u{size}": f"uint{8 * size}" for size in (1, 2, 4, 8)},
    **{f"logical({size})": f"logical{8 * size}" for size in (1, 2, 4, 8)},
    "integer": "int32",
    "logical": "logical32",
    "bool": "logical8",
    "--type": "--kind",
    "--dtype": "--kind",
}


def nearest(name: str, known: Iterable[str], most: int = 1) -> list[str]:
    """At most `most` names that mean the same or are written nearly so, the nearest first.

    Upper and lower case are the same, and so are "-" and "_".
    """
    names = list(known)
    folded = {_folded(each): each for each in reversed(names)}
    meant = _MEANT.get(name.lower())
    near = [folded[each] for each in get_close_matches(_folded(name), folded, most)]
    return ([meant] if meant in names else near)[:most]


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "", most: int = 1) -> str:
    """A hint: the nearest name as a question, with `otherwise` behind it; `otherwise` alone if none is near."""
    found = nearest(name, known, most)
    question = f"did you mean {' or '.join(found)}?" if found else ""
    return "\n  ".join(part for part in (question, otherwise) if part)


def _folded(name: str) -> str:
    return name.lower().replace("-", "_")
