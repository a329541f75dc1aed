"""Words: bytes that are turned round together. First: ../convert/streams.py."""

from headrace.layout.kinds import Kind

_TWO_WORDS = "complex"


def word_bytes(kind: Kind) -> int:
    """Bytes that are turned round together: 1 for characters, half an element for complex numbers."""
    if kind.is_character:
        return 1
    return kind.size // 2 if kind.name.startswith(_TWO_WORDS) else kind.size
