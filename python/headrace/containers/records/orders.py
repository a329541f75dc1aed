"""The byte order of files without markers: raw and direct access. Next: dialects.py.

Nothing in such a file states it. The values tell it if they are plausible in one order only; it is never that of the
result, because then nothing would be turned round.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from headrace.containers.request import MACHINE, Request
from headrace.containers.words import word_bytes
from headrace.errors import HeadraceError
from headrace.later import later
from headrace.layout.kinds import Kind

if TYPE_CHECKING:
    from headrace.containers.records import survey
else:
    survey = later("headrace.containers.records.survey")  # most conversions know the order

_SAMPLE = 1 << 20  # bytes that are looked at
_BITS = 20.0  # that the other order must cost more: a million times less probable
_BITS_A_BYTE = 0.1  # the same, of each byte: noise differs by less
_NOISE = 7.9  # bits that are left in a byte
_SAY = "say --from-byte-order little, or big"


def order_without_markers(request: Request) -> str:
    """The byte order of a raw or direct source that nobody has said.

    Raises HeadraceError if words are to be turned round and the values do not tell their order.
    """
    kind, wanted = request.kind, request.result.byte_order
    if kind is not None and word_bytes(kind) == 1:
        return wanted or MACHINE
    if wanted is None and request.result.format in ("raw", "direct"):
        return MACHINE  # bytes stay as they are
    found = order_of_values(request.file, kind) if kind is not None else None
    if found is not None:
        request.notes.append(f"byte order by the values of {request.file}: {found}; --from-byte-order states another")
        return found
    if wanted is not None:
        raise HeadraceError(f"{request.file}: nothing in the file tells whether it is little- or big-endian", _SAY)
    request.notes.append(f"{request.file} is taken for {MACHINE}-endian; --from-byte-order states another")
    return MACHINE


def order_of_values(path: Path, kind: Kind) -> str | None:
    """The byte order in which values of a kind are plausible; None if neither is much more so."""
    size = word_bytes(kind)
    name = f"{'real' if 'real' in kind.name else 'int'}{8 * size}"
    with path.open("rb") as file:
        data = file.read(_SAMPLE)
    data = data[: len(data) - len(data) % size]
    costs = {probe.big: probe.bits / size for probe in survey.probe_values(data) if probe.type == name} if data else {}
    if len(costs) < 2:
        return None
    apart = costs[True] - costs[False]
    if abs(apart) < max(_BITS_A_BYTE, _BITS / len(data)) or min(costs.values()) > _NOISE:
        return None
    return "little" if apart > 0 else "big"
