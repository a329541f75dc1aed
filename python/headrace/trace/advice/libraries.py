"""Rules of the calls of I/O libraries: HR501, HR505, HR601, HR602, HR604."""

import re
from collections.abc import Iterator

from headrace.trace.advice.costs import estimate
from headrace.trace.advice.facts import Facts, Found, of_bytes, per_statement, times
from headrace.trace.results import Line

MANY = 1000  # calls: 1 to 10 ms
FEW_BYTES = 128  # an element, or a few
SMALL_PIECE = 65536  # bytes: below, collective buffering joins pieces
REDEFINED = 100

_MPI_IO = re.compile(r"MPI_File_i?(write|read)", re.IGNORECASE)
_NETCDF = re.compile(r"(?:ncmpi?|nc|nf90|nf|nfmpi)_?i?(put|get)_var", re.IGNORECASE)
_HDF5 = re.compile(r"H5D(write|read)", re.IGNORECASE)
_DEFINES = re.compile(r"(?:nc|nf90|nf|ncmpi|nfmpi)_(?:redef|_?enddef|open)$|H5Dopen", re.IGNORECASE)


def libraries(line: Line, facts: Facts) -> Iterator[Found]:
    """Many small calls of MPI-IO, NetCDF, PnetCDF and HDF5."""
    if line.statement != "library call":
        return
    if _DEFINES.search(line.name) and line.statements >= REDEFINED * max(1, line.processes):
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
        yield _in_one(
            line, facts, "HR601", f"nf90_{put}_var (file, variable, array, start, count) with a whole section"
        )
    elif each <= FEW_BYTES and _HDF5.match(line.name):
        name = "h5dwrite_f" if "write" in line.name.lower() else "h5dread_f"
        yield _in_one(line, facts, "HR602", f"h5sselect_hyperslab_f for the whole array, and one {name}")


def _in_one(line: Line, facts: Facts, code: str, better: str) -> Found:
    operation = "read" if re.search("read|get", line.name, re.IGNORECASE) else "write"
    bytes_ = line.payload_bytes * facts.costs.system_byte(operation)  # type: ignore[arg-type]
    one = line.processes * line.seconds_exclusive / line.statements
    return Found(
        code,
        line,
        f"{times(line.statements, line.name + ' call')} of {of_bytes(per_statement(line))}",
        better,
        estimate(3 * bytes_ + one, bytes_, 10 * bytes_ + 100 * one + 0.05 * line.seconds_exclusive),
        evidence={"calls": line.statements, "payload_of_a_call": per_statement(line)},
    )


def _independent(line: Line, facts: Facts) -> Found:
    name = re.sub(r"^(MPI_File_i?(?:write|read)(?:_at)?).*", r"\1_all", line.name)
    return Found(
        "HR501",
        line,
        f"{times(line.statements, line.name + ' call')} of {of_bytes(per_statement(line))} on "
        f"{times(line.processes, 'MPI rank')}, each for itself",
        f"CALL {name} (...): all MPI ranks together, with a view (MPI_File_set_view) that describes all pieces",
        None,
        why_no_estimate="that depends on the file system and its hints",
        evidence={"calls": line.statements, "mpi_ranks": facts.trace.mpi_ranks},
    )


def _again(line: Line) -> Found:
    once = line.processes * line.seconds_exclusive / line.statements
    return Found(
        "HR604",
        line,
        times(line.statements, line.name + " call"),
        "define and open everything in front of the loop",
        estimate(once, once / 4, 10 * once + 0.05 * line.seconds_exclusive),
        evidence={"calls": line.statements},
    )
