"""Rules of the calls of I/O libraries: HR501, HR505, HR601, HR602, HR604."""

import re
from collections.abc import Iterator

from headrace.advice.costs import estimate
from headrace.advice.facts import Facts, Found, per_statement, times
from headrace.results.records import of_bytes
from headrace.trace.results import Line

MANY = 1000  # calls: 1 to 10 ms
FEW_BYTES = 128  # an element, or a few
SMALL_PIECE = 65536  # bytes: below, collective buffering joins pieces
REDEFINED = 100

_MPI_IO = re.compile(r"MPI_File_i?(write|read)", re.IGNORECASE)
_NETCDF = re.compile(r"(?:ncmpi?|nc|nf90|nf|nfmpi)_?i?(put|get)_var", re.IGNORECASE)
_HDF5 = re.compile(r"H5D(write|read)", re.IGNORECASE)
_LAYERS = tuple(map(re.compile, (r"MPI_File_", r"H5", r"(?:ncmpi|nfmpi|nc|nf90|nf)_")))
_DEFINES = re.compile(r"(?:nc|nf90|nf|ncmpi|nfmpi)_(?:redef|_?enddef|open)$|H5Dopen", re.IGNORECASE)


def libraries(line: Line, facts: Facts) -> Iterator[Found]:
    """Many small calls of MPI-IO, NetCDF, PnetCDF and HDF5."""
    if line.statement != "library call" or _is_inside_of_another(line, facts):
        return
    several = "open" in line.name.lower() and len(line.files) > 1
    if _DEFINES.search(line.name) and line.statements >= REDEFINED * max(1, line.processes) and not several:
        yield _again(line)
    if line.statements < MANY or not line.payload_bytes:
        return
    each = per_statement(line)
    if _MPI_IO.match(line.name):
        if each <= FEW_BYTES:
            yield _in_one(line, facts, "HR505", "a datatype (MPI_Type_vector, MPI_Type_create_subarray) and one call")
        elif each <= SMALL_PIECE and facts.trace.mpi_ranks > 1 and "collective" not in line.traits:
            yield _independent(line, facts)
    elif each <= FEW_BYTES and _NETCDF.match(line.name):
        put = "put" if "put" in line.name.lower() else "get"
        of = "" if not line.name.startswith(("ncmpi", "nfmpi")) else "mpi"
        together = "_all" if of and "collective" in line.traits else ""
        better = f"nf90{of}_{put}_var{together} (file, variable, array, start, count) with a whole section"
        yield _in_one(line, facts, "HR601", better)
    elif each <= FEW_BYTES and _HDF5.match(line.name):
        name = "h5dwrite_f" if "write" in line.name.lower() else "h5dread_f"
        yield _in_one(line, facts, "HR602", f"h5sselect_hyperslab_f for the whole array, and one {name}")


def _layer(line: Line) -> int:
    """NetCDF and PnetCDF stand on HDF5 and MPI-IO, and HDF5 on MPI-IO."""
    return next((layer for layer, pattern in enumerate(_LAYERS) if pattern.match(line.name)), -1)


def _is_inside_of_another(line: Line, facts: Facts) -> bool:
    """Whether a call of a library above stands in the same source line: that one made this."""
    return line.line > 0 and any(_layer(one) > _layer(line) >= 0 for one in facts.at_place(line))


def _inner(line: Line, facts: Facts) -> list[Line]:
    """The calls of the libraries below that ran inside of a call."""
    if not line.line:
        return []
    same = facts.at_place(line)
    first = next(one for one in same if _layer(one) == _layer(line) and one.payload_bytes)
    return [one for one in same if 0 <= _layer(one) < _layer(line)] if first is line else []


def _in_one(line: Line, facts: Facts, code: str, better: str) -> Found:
    operation = "read" if re.search("read|get", line.name, re.IGNORECASE) else "write"
    bytes_ = line.payload_bytes * facts.costs.system_byte(operation)  # type: ignore[arg-type]
    inner = _inner(line, facts)
    now = line.seconds_exclusive + sum(one.seconds_exclusive for one in inner)
    one = line.processes * now / line.statements
    return Found(
        code,
        line,
        f"{times(line.statements, line.name + ' call')} of {of_bytes(per_statement(line))}",
        better,
        estimate(3 * bytes_ + one, bytes_, 10 * bytes_ + 100 * one + 0.05 * now),
        others=inner,
        evidence={"calls": line.statements, "payload_of_a_call": per_statement(line)},
    )


def _independent(line: Line, facts: Facts) -> Found:
    name = re.sub(r"^(MPI_File_i?(?:write|read)(?:_at)?).*", r"\1_all", line.name)
    return Found(
        "HR501",
        line,
        f"{times(line.statements, line.name + ' call')} of {of_bytes(per_statement(line))} on "
        f"{times(line.processes, 'MPI rank')}, independently",
        f"CALL {name} (...): all MPI ranks together, with a view (MPI_File_set_view) that describes all pieces",
        None,
        why_no_estimate="that depends on the file system and its hints",
        evidence={"calls": line.statements, "mpi_ranks": facts.trace.mpi_ranks},
    )


_FORTRAN_NAMES = (("ncmpi_", "nf90mpi_"), ("nfmpi_", "nf90mpi_"), ("nc__", "nf90_"), ("nc_", "nf90_"), ("nf_", "nf90_"))


def _fortran_name(name: str) -> str:
    """What a Fortran program calls it; H5Dopen2 is h5dopen_f."""
    if name.startswith("H5"):
        return f"{name.rstrip('0123456789').lower()}_f"
    for ours, fortran in _FORTRAN_NAMES:
        if name.startswith(ours):
            return fortran + name[len(ours) :]
    return name


def _again(line: Line) -> Found:
    once = line.processes * line.seconds_exclusive / line.statements
    name = _fortran_name(line.name)
    opens = "open" in line.name.lower()
    return Found(
        "HR604",
        line,
        times(line.statements, line.name + " call"),
        f"one {name} before the loop, of each file or dataset; keep what it returns"
        if opens
        else f"define all dimensions, variables and attributes before the loop: one {name}",
        estimate(once, once / 4, 10 * once + 0.05 * line.seconds_exclusive),
        evidence={"calls": line.statements},
    )
