"""Where the superblock of an HDF5 file stands, and what it says of the file's end. First: datasets.py."""

from headrace.containers.file_bytes import Bytes

SIGNATURE = b"\x89HDF\r\n\x1a\n"
_FAMILY = b"NCSAfami"  # what HDF5 calls the driver that parts one file into many


def user_block(file: Bytes) -> int:
    """The bytes in front of the superblock: 512, 1024, 2048, ..., where HDF5 looks for it; 0 if there is none."""
    at = 512
    while at < file.size:
        if file.read(at, len(SIGNATURE)) == SIGNATURE:
            return at
        at *= 2
    return 0


def bytes_from(head: bytes) -> int:
    """How many bytes the file has from the superblock on, which `head` begins with; HDF5 opens no shorter file.

    0 if addresses do not have 8 bytes, and for the first file of a family: the end is that of all of them.
    """
    version = head[8] if len(head) > 8 else 0
    width_at, end_at = _places(version)
    if len(head) < end_at + 8:
        return end_at + 8
    if head[width_at] != 8 or version > 3 or is_family(head):
        return 0
    return _address(head, end_at) - _address(head, end_at - 16)  # the base counts from the beginning of the file too


def is_family(head: bytes) -> bool:
    """Whether the superblock is that of a family: its driver stands in a block, from version 2 on in a message."""
    version = head[8] if len(head) > 8 else 0
    width_at, end_at = _places(version)
    if len(head) < end_at + 16 or head[width_at] != 8:
        return False
    if version < 2:
        block = _address(head, end_at + 8)
        return head[block + 8 : block + 16] == _FAMILY
    return _FAMILY in head[_address(head, end_at - 8) :]


def family_sizes(head: bytes) -> tuple[int, int]:
    """Bytes of each member of a family but the last, and of all together; 0 if that cannot be read."""
    version = head[8]
    _, end_at = _places(version)
    name = head.find(_FAMILY)
    at = name + len(_FAMILY) + (0 if version < 2 else 2)  # the message has the length of what follows
    return (_address(head, at) if name >= 0 and len(head) >= at + 8 else 0), _address(head, end_at)


def _places(version: int) -> tuple[int, int]:
    """Where the width of addresses stands, and the address of the end."""
    return {0: (13, 40), 1: (13, 44)}.get(version, (9, 28))


def _address(head: bytes, at: int) -> int:
    return int.from_bytes(head[at : at + 8], "little")
