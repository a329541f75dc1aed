"""What a file is: a job script, a file of hints, a listing of the environment, or nothing that is read here.

Next: shell.py.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from headrace.errors import HeadraceError, why_unreadable
from headrace.job_scripts.script import Directive

Kind = Literal["script", "hints", "environment"]

LARGEST = 8 << 20  # bytes; a job script has some thousand
_SHELLS = {"sh", "bash", "dash", "ksh", "ksh93", "mksh", "zsh", "ash"}
_DIRECTIVE = re.compile(r"#(SBATCH|PBS)\s+(.*)")
_ENTRY = re.compile(r"[A-Za-z_][\w.]*(\(\)|%%)?=")
_HINT = re.compile(r"[A-Za-z]\w*[ \t]+\S+")
_HEADS = re.compile(r"(romio_|cb_|cray_|striping_|ind_|nc_|pnetcdf_|h_|start_iodevice|direct_|IBM_|stripe_)")


@dataclass(frozen=True)
class Source:
    """A file's text, with lines that end as Unix ends them."""

    path: Path
    kind: Kind
    text: str
    windows_lines: tuple[int, ...]
    """Lines that ended with a carriage return."""


def load(path: Path, kind: Kind | None = None) -> Source:
    """Read a file and see what it is, unless `kind` says so.

    Raises HeadraceError for a file that cannot be read, is empty, or is in a language that is not read here.
    """
    data = _bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if b"\0" in data:
            raise _not_a_script(path, "is a binary file") from None
        text = data.decode("latin-1")  # a comment in an older encoding
    if "\0" in text:
        raise _not_a_script(path, "is a binary file")
    lines = text.split("\n")
    windows = tuple(number for number, line in enumerate(lines, 1) if line.endswith("\r"))
    text = "\n".join(line.removesuffix("\r") for line in lines)
    if not text.strip():
        raise _not_a_script(path, "is empty")
    found = kind or _kind(text)
    if found == "script":
        _refuse_other_languages(path, text)
    return Source(path, found, text, windows)


def _bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise HeadraceError(f"{path} is a directory", "name the job script itself")
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise HeadraceError(f"{path}: {why_unreadable(error)}", "name a job script that can be read") from error
    if len(data) > LARGEST:
        raise _not_a_script(path, f"has more than {LARGEST >> 20} MiB")
    return data


def _not_a_script(path: Path, why: str) -> HeadraceError:
    return HeadraceError(
        f"{path} {why}", "expected a script of sh, bash, ksh or zsh, a file of MPI-IO hints, or what `env` prints"
    )


def _kind(text: str) -> Kind:
    lines = [line for line in text.splitlines() if line.strip()]
    plain = [line for line in lines if not line.startswith("#")]
    if lines[0].startswith("#!") or directives(text) or not plain:
        return "script"
    entries = sum(1 for line in plain if _ENTRY.match(line))
    blanks = sum(1 for line in plain if re.match(r"\w+=\S*[\"'$`(]", line))  # env prints no quotes of the shell
    if plain[0] and _ENTRY.match(plain[0]) and entries >= 0.8 * len(plain) and blanks < 0.5 * len(plain):
        return "environment"
    if all(_HINT.fullmatch(line.strip()) or re.fullmatch(r"\s*\w+\s*=\s*\S+\s*", line) for line in plain) and any(
        _HEADS.match(line.strip()) for line in plain
    ):
        return "hints"
    return "script"


def _refuse_other_languages(path: Path, text: str) -> None:
    first = text.split("\n", 1)[0]
    language = ""
    if first.startswith("#!"):
        words = first[2:].split()
        if words and words[0].rsplit("/", 1)[-1] == "env":
            words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        language = words[0].rsplit("/", 1)[-1] if words else ""
    else:
        shell = [one.value for one in directives(text) if one.scheduler == "PBS" and one.option == "-S"]
        language = shell[-1].rsplit("/", 1)[-1] if shell else "csh" if re.search(r"^\s*setenv\s", text, re.M) else ""
    if not language or language in _SHELLS or "%" in language or "{" in language:  # a template of a script
        return
    if language in ("csh", "tcsh"):
        raise HeadraceError(
            f"{path} is a script of {language}, which is not read",
            "expected a script of sh, bash, ksh or zsh; no finding here does not mean that there is none",
        )
    raise HeadraceError(
        f"{path} is a script of {language}, line 1: {first}",
        "expected a script of sh, bash, ksh or zsh; scripts in other languages are not read",
    )


def directives(text: str) -> list[Directive]:
    """The scheduler's options: comments before the first command, as sbatch and qsub read them."""
    found: list[Directive] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            break
        match = _DIRECTIVE.match(line)
        if match:
            found += _options(number, match.group(1), match.group(2))
    return found


def _options(line: int, scheduler: str, text: str) -> list[Directive]:
    found: list[Directive] = []
    words = re.sub(r"(^|\s)#.*", "", text).split()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word.startswith("--") and "=" in word:
            option, _, value = word.partition("=")
        elif word.startswith("-"):
            attached = len(word) > 2 and not word.startswith("--")
            option, value = (word[:2], word[2:].removeprefix("=")) if attached else (word, "")
            if not value and at < len(words) and not words[at].startswith("-"):
                value = words[at]
                at += 1
        else:
            continue
        found.append(Directive(line, scheduler, option, value.strip("\"'")))
    return found
