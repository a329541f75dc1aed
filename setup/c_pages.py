"""Makes the page of the C interface from the comments of the headers: python setup/c_pages.py > doc/api/c.md

A comment and the declaration below it are a section, named after what is declared. doc/api/c.md is in the repository;
a test fails if it is stale.
"""

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADERS = ("headrace", "headrace_rows", "headrace_tables", "headrace_records", "headrace_convert", "headrace_inspect")
MPI = "headrace_mpi"
_COMMENT = re.compile(r"/\*(.*?)\*/\n?", re.DOTALL)
_NOISE = re.compile(
    r"^#(?:ifndef|define) HEADRACE_\w*H\w*$|^#include .*$|^#ifdef __cplusplus\n(?:extern \"C\" \{|\})\n#endif"
    r"(?: /\*.*\*/)?$|^#endif.*$",
    re.MULTILINE,
)
# The list of status values is a file of its own, which the preprocessor puts in its place.
_STATUS_LIST = re.compile(r"#define HR_STATUS.*\n#include .*\n#undef HR_STATUS\n")
_STATUS = re.compile(r'^HR_STATUS\(\w+, (\w+), (-?\d+), "(.*)"\)$', re.MULTILINE)
_FUNCTION = re.compile(r"\b(hr_\w+)\s*\(")
_TYPE = re.compile(r"^(?:typedef )?(?:enum|struct) (hr_\w+)|^typedef .*?\b(hr_\w+)(?:\)|;)", re.MULTILINE)


def page() -> str:
    """All headers as Markdown."""
    parts = [
        "# The C interface",
        "This page is made of the comments in `include/`. Python and Fortran call the same functions. "
        "Programs link with `headrace::core` (CMake) or `pkg-config --libs headrace`; "
        f"`{MPI}.h` needs `headrace::mpi_core`.",
    ]
    for name in (*HEADERS, MPI):
        text = (ROOT / "include" / f"{name}.h").read_text()
        parts += header(_STATUS_LIST.sub(lambda _: status_list(), text), f"{name}.h")
    return "\n\n".join(parts) + "\n"


def status_list() -> str:
    """The constants of headrace_status.def as they would stand in the header."""
    found = _STATUS.findall((ROOT / "include" / "headrace_status.def").read_text())
    return "".join(f"  HR_{name} = {number}, /* {meaning} */\n" for name, number, meaning in found)


def header(text: str, name: str) -> list[str]:
    """The sections of one header; the first comment is its introduction."""
    first = _COMMENT.match(text)
    assert first is not None, f"{name} does not begin with a comment"
    parts = [f"## {name}", prose(first[1])]
    body = _NOISE.sub("", text[first.end() :])
    for block in re.split(r"\n\s*\n", body):
        declared = block.strip()
        above = _COMMENT.match(declared)
        said = prose(above[1]) if above else ""
        code = declared[above.end() :].strip() if above else declared
        if not code:
            parts += [said] if said else []
            continue
        names = dict.fromkeys(next(filter(None, found)) for found in _TYPE.findall(code))
        bare = _COMMENT.sub("", code)
        names |= dict.fromkeys(_FUNCTION.findall(bare)) if not names else {}
        if names:
            parts.append(f"### {', '.join(names)}")
        parts += [said] if said else []
        parts.append(f"```c\n{code}\n```")
    return parts


def prose(comment: str) -> str:
    """The text of a comment without its stars; what is indented is code."""
    lines = [re.sub(r"^ \* ?", "", line) for line in comment.splitlines()]
    text = textwrap.dedent("\n".join(line.rstrip() for line in lines)).strip("\n ")
    parts = []
    for paragraph in re.split(r"\n\s*\n", text):
        if re.match(r"    +\S", paragraph):
            parts.append(f"```c\n{textwrap.dedent(paragraph)}\n```")
        elif re.search(r"^ ?\w+(?:, \w+)*  +\S", paragraph, re.MULTILINE):  # a list of arguments
            parts.append(f"```text\n{paragraph}\n```")
        else:
            parts.append(
                re.sub(r"(?<![`\w])(\w*hr_\w+|HR_\w+)", r"`\1`", paragraph).replace("*", "\\*").replace("<", "&lt;")
            )
    return "\n\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
