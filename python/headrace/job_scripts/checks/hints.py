"""HR911, HR912 and HR913: hints that nobody looks up, that this MPI ignores, or that mean nothing."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.job_scripts.finding import Facts, Finding, is_known
from headrace.job_scripts.hints import Hint, KnownHint, Malformed, of_cray, of_file, of_pnetcdf
from headrace.job_scripts.mpi import NAMES, Mpi
from headrace.job_scripts.script import Assignment, Command
from headrace.job_scripts.shell import joined
from headrace.job_scripts.source import load
from headrace.nearest import nearest

_LIBRARIES = {"ompio": "OMPIO of Open MPI", "romio": "ROMIO", "cray": "Cray MPICH", "pnetcdf": "PnetCDF"}
_STANDARD = {"striping_factor", "striping_unit", "cb_nodes", "cb_buffer_size", "collective_buffering"}


def hints(facts: Facts) -> Iterator[Finding]:
    """In variables, in files that the script writes, and in those that it names and that are there."""
    for one in facts.script.assignments:
        if one.value is None or not one.value:
            continue
        if one.name == "MPICH_MPIIO_HINTS":
            yield from _whole_variable(facts, one, ("cray", ""), "Cray MPICH")
            yield from checked(facts.path, of_cray(one.value, one.line), "cray", Mpi("cray", "cray"), facts.known)
        elif one.name == "PNETCDF_HINTS":
            yield from checked(facts.path, of_pnetcdf(one.value, one.line), "pnetcdf", facts.mpi, facts.known)
        elif one.name == "ROMIO_HINTS":
            yield from _whole_variable(facts, one, ("cray", "intel", "mpich", "", "romio"), "ROMIO")
            yield from _of_named_file(facts, one)


def in_file(path: Path, text: str, known: Mapping[str, KnownHint]) -> Iterator[Finding]:
    """A file for ROMIO_HINTS, alone."""
    yield from checked(path, of_file(text), "romio", Mpi("", ""), known)


def checked(
    path: Path, found: Iterable[Hint | Malformed], taker: str, mpi: Mpi, known: Mapping[str, KnownHint]
) -> Iterator[Finding]:
    """Findings in hints that `taker` gets to read."""
    for one in found:
        if isinstance(one, Malformed):
            yield Finding(
                "HR913",
                path,
                one.line,
                f"'{one.text}' is dropped without a word: expected {one.expected}",
                one.expected,
            )
        elif is_known(one.name) and known:
            yield from _one_hint(path, one, taker, mpi, known)


def _one_hint(path: Path, hint: Hint, taker: str, mpi: Mpi, known: Mapping[str, KnownHint]) -> Iterator[Finding]:
    row = known.get(hint.name)
    if row is None:
        if not (taker == "pnetcdf" and hint.name.startswith("nc_")):
            yield _unknown(path, hint, known)
        return
    takers = (
        {taker, mpi.module} if taker == "romio" else {taker, mpi.module, "romio"} if taker == "pnetcdf" else {taker}
    )
    if takers.isdisjoint(row.takers) and row.takers:
        others = " and ".join(_LIBRARIES[who] for who in sorted(row.takers) if who in _LIBRARIES) or "another library"
        yield Finding(
            "HR912",
            path,
            hint.line,
            f"{hint.name} is a hint of {others}: {_LIBRARIES[taker]} ignores it without a word",
            f"leave it out; {_LIBRARIES[taker]} has {_similar(hint.name, taker, known)}",
        )
    elif is_known(hint.value) and not _is_a_placeholder(hint.value) and not row.means(hint.value):
        expected = " or ".join(row.words) if row.words else f"an integer from {row.least} to {row.most}"
        near = (nearest(hint.value, row.words) if row.words else []) or list(row.words[:1])
        shown = near[0] if near else str(row.least)
        yield Finding(
            "HR913",
            path,
            hint.line,
            f"{hint.name} cannot be '{hint.value}': expected {expected}",
            f"{hint.name}{' ' if taker == 'romio' else '='}{_bytes(hint.value) or shown}",
        )


def _is_a_placeholder(value: str) -> bool:
    """What another program puts a value for: __cb_nodes, {nodes}, %NODES%, @NODES@."""
    return bool(re.match(r"__|[{%@<\[]", value))


def _bytes(value: str) -> str:
    """4M in bytes: sizes of hints are plain numbers."""
    digits, unit = value[:-1], value[-1:].lower()
    return str(int(digits) << {"k": 10, "m": 20, "g": 30}[unit]) if digits.isdigit() and unit in "kmg" and unit else ""


def _unknown(path: Path, hint: Hint, known: Mapping[str, KnownHint]) -> Finding:
    near = nearest(hint.name, sorted(known))
    return Finding(
        "HR911",
        path,
        hint.line,
        f"no MPI library that is known here looks up {hint.name}" + (f"; did you mean {near[0]}?" if near else ""),
        near[0] if near else "leave it out",
    )


def _similar(name: str, taker: str, known: Mapping[str, KnownHint]) -> str:
    meant = {
        "collective_buffering": "romio_cb_write",
        "stripe_width": "striping_factor",
        "stripe_size": "striping_unit",
    }
    other = {value: key for key, value in meant.items()}.get(name) if taker == "ompio" else meant.get(name)
    if other:
        return other
    mine = [row.name for row in known.values() if taker in row.takers]
    return ", ".join(nearest(name, mine)) or ", ".join(sorted(set(mine) & _STANDARD)) or "no such hint"


def _whole_variable(facts: Facts, one: Assignment, readers: tuple[str, ...], reader: str) -> Iterator[Finding]:
    if facts.mpi.name in readers or facts.mpi.module in readers:
        return
    if facts.mpi.name == "open mpi" and one.name == "ROMIO_HINTS":
        what = "Open MPI's own module OMPIO does not read ROMIO_HINTS, and is what it takes on most file systems"
        yield facts.finding("HR912", one.line, what, "export OMPI_MCA_io=^ompio")
    else:
        name = NAMES[facts.mpi.name]
        better = "export ROMIO_HINTS=FILE" if facts.mpi.module == "romio" else "hints of MPI_Info in the program"
        what = f"{one.name} is for {reader}, and this script uses {name}: it is ignored without a word"
        yield facts.finding("HR912", one.line, what, better)


def _of_named_file(facts: Facts, one: Assignment) -> Iterator[Finding]:
    """The hints of the file: written by the script, or there."""
    target = joined(one.cwd, one.value or "")
    written = [each for each in facts.commands if _writes(each, target)]
    for command in written:
        if command.document is not None:
            found = of_file(command.document.text, command.document.line)
        else:
            lines = [(" ".join(command.words[1:]), command.line)] if command.name == "echo" else []
            found = iter([each for text, line in lines for each in of_file(text, line)])
        yield from checked(facts.path, found, "romio", facts.mpi, facts.known)
    if written or not facts.read_hint_files or not is_known(target):
        return
    file = facts.path.parent / target
    try:
        source = load(file, "hints") if file.is_file() else None
    except (HeadraceError, OSError):
        source = None
    if source is not None:
        yield from checked(file, of_file(source.text), "romio", facts.mpi, facts.known)


def _writes(command: Command, target: str) -> bool:
    places = [joined(command.cwd, one.target) for one in command.redirects if one.operator.startswith((">", "&>"))]
    if command.name == "tee":
        places += [joined(command.cwd, word) for word in command.words[1:]]
    return target in places
