"""Totals per procedure: a routine with many warm lines must not hide behind one hot line elsewhere."""

from collections.abc import Sequence

from headrace.trace.results import Line, Procedure

_TELLS_MORE = 1.1  # times the costliest line of the procedure
_WORTH_SAYING = 0.01  # share of the I/O seconds


def procedures(lines: Sequence[Line]) -> list[Procedure]:
    """Each procedure with its lines, the costliest first. `lines` are in that order too."""
    found: dict[tuple[str, str], Procedure] = {}
    for line in lines:
        if line.statement in ("not Fortran", "run time"):
            continue
        key = line.procedure, line.file
        if key not in found:
            counts = dict.fromkeys(("statements", "payload_bytes", "bytes_written", "bytes_read", "library_calls"), 0)
            found[key] = Procedure(name=key[0], file=key[1], lines=[], seconds=0.0, library_seconds=0.0, **counts)
        _add(found[key], line)
    return sorted(found.values(), key=lambda procedure: -(procedure.seconds + procedure.library_seconds))


def _add(total: Procedure, line: Line) -> None:
    total.lines.append(line.id)
    if line.statement == "library call":
        total.library_calls += line.statements
        total.library_seconds += line.seconds_exclusive
        return
    total.statements += line.statements
    total.payload_bytes += line.payload_bytes
    total.bytes_written += line.bytes_written
    total.bytes_read += line.bytes_read
    total.seconds += line.seconds_exclusive


def tell_more(found: Sequence[Procedure], lines: Sequence[Line]) -> bool:
    """Whether they say what the lines alone do not: one of several is more than its costliest line."""
    every = sum(procedure.seconds for procedure in found)
    return len([procedure for procedure in found if procedure.name]) > 1 and any(
        procedure.seconds >= max(_TELLS_MORE * _most(procedure, lines), _WORTH_SAYING * every) and procedure.seconds > 0
        for procedure in found
        if procedure.name
    )


def _most(procedure: Procedure, lines: Sequence[Line]) -> float:
    by_id = {line.id: line for line in lines}
    return max(
        (by_id[number].seconds_exclusive for number in procedure.lines if by_id[number].statement != "library call"),
        default=0.0,
    )
