"""meta + bin pairs through the library: a text, and data files for each kind. Next: arrays.py."""

import os
import re
from ctypes import byref
from pathlib import Path
from typing import Any

import numpy as np

from headrace import native
from headrace.containers.arrays import check_fortran, write
from headrace.containers.meter import Meter
from headrace.containers.output import check_target, errors_of, temporary_beside
from headrace.containers.request import Request
from headrace.containers.variable import Variable, element, of_array
from headrace.errors import HeadraceError
from headrace.layout import kinds
from headrace.options import file_name, members

_GROUP = re.compile(r"^\s*&array\b.*?^\s*/", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_ITEM = r"^\s*{}\s*=\s*'((?:[^']|'')*)'"
_NAMES = {
    native.INTEGER: "int{bits}",
    native.REAL: "real{bits}",
    native.COMPLEX: "complex(real{half})",
    native.LOGICAL: "logical{bits}",
    native.CHARACTER: "character({bytes})",
}


def read(request: Request) -> list[Variable]:
    """All arrays, mapped; those with a checksum are read and compared."""
    groups = _groups(request.file)
    names = [_item(group, "name") or "array" for group in groups]
    wanted = [(n, g) for n, g in zip(names, groups, strict=True) if request.name in (None, n)]
    if not groups:  # the library says what is wrong with the text
        _info(request.file, None)
        raise HeadraceError(f"{request.file}: describes no array", "its text has groups that begin with &array")
    return [_variable(request, name, _item(group, "crc32c") is not None) for name, group in wanted]


def _groups(path: Path) -> list[str]:
    text = path.read_bytes().decode("utf-8", errors="surrogateescape")
    return _GROUP.findall(text)


def _item(group: str, key: str) -> str | None:
    found = re.search(_ITEM.format(key), group, re.MULTILINE | re.IGNORECASE)
    return found.group(1).replace("''", "'").rstrip() if found else None


def _info(path: Path, name: str | None) -> native.ArrayInfo:
    info = native.ArrayInfo()
    options = members(native.ReadOptions(), {"format": "meta", **({"name": name} if name is not None else {})})
    native.call("hr_describe_array", file_name(path), byref(options), byref(info))
    return info


def _variable(request: Request, name: str, checked: bool) -> Variable:
    info = _info(request.file, name)
    size = info.elem_len
    text = _NAMES[info.type].format(bits=8 * size, half=4 * size, bytes=size)
    kind = kinds.find(text)
    if kind is None:
        raise HeadraceError(f"{request.file}: array {name!r} is {text}", "it cannot be converted")
    order = "big" if info.big_endian else "little"
    shape = tuple(info.extent[: info.array_rank])[::-1]
    if checked:
        _compare_checksum(request.file, name, info)
    stored: Any = np.empty(shape, element(kind, order))
    if stored.size:
        stored = np.memmap(os.fsdecode(info.data_file), stored.dtype, "r", info.data_offset, shape)
    # The pair has Fortran's dimensions; with --order c they are those that numpy shows.
    return of_array(name, stored.T if request.order == "c" else stored, kind, order)


def _compare_checksum(path: Path, name: str, info: native.ArrayInfo) -> None:
    """Reads the array once more; raises HeadraceError (checksum_mismatch)."""
    values = np.empty(info.bytes, np.uint8)
    described = native.Array(values.ctypes.data, info.elem_len, info.type, info.array_rank)
    step = info.elem_len
    for d in range(info.array_rank):
        described.extent[d], described.stride[d] = info.extent[d], step
        step *= info.extent[d]
    options = members(native.ReadOptions(), {"format": "meta", "name": name, "checksum": "crc32c"})
    native.call("hr_read_array", file_name(path), byref(described), byref(options))


def check(request: Request, variables: list[Variable]) -> None:
    """Raises HeadraceError for kinds that Fortran does not have."""
    check_target(request.target)
    for variable in variables:
        check_fortran(variable, request.target)


def write_meta(request: Request, variables: list[Variable], meter: Meter) -> None:
    """All arrays: the pair is made in a directory beside the old one, then its files take their places.

    Data files get names that the old pair does not use; the text comes last, and then the old data files go.
    """
    target = Path(os.path.realpath(request.target))
    with (
        errors_of(request.target),
        temporary_beside(target) as folder,
    ):
        folder.mkdir(0o700)
        text = folder / target.name
        for number, variable in enumerate(variables):
            order = request.result.byte_order or variable.byte_order
            more: dict[str, Any] = {"append": True} if number else {}
            seen = "c" if request.order == "c" else "fortran"
            write(
                text, target, variable, meter, seen, name=variable.name, byte_order=order, checksum="crc32c",
                format="meta", **more,
            )  # fmt: skip
        if not variables:
            raise HeadraceError(f"{request.target}: there is no array to write")
        _install(text, target)


def _install(text: Path, target: Path) -> None:
    old = set(_data_files(target)) if target.exists() else set()
    content = text.read_bytes().decode("utf-8", errors="surrogateescape")
    for name in sorted(set(_data_files(text)), key=len, reverse=True):
        new = _free_name(target.parent, name)
        (text.parent / name).rename(target.parent / new)
        before, after = (quoted.replace("'", "''") for quoted in (name, new))
        pattern = rf"^(\s*data_file\s*=\s*)'{re.escape(before)}'"
        content = re.sub(pattern, lambda found, after=after: f"{found[1]}'{after}'", content, flags=re.MULTILINE)  # type: ignore[misc]
    text.write_bytes(content.encode("utf-8", errors="surrogateescape"))
    if target.exists():
        text.chmod(target.stat().st_mode & 0o7777)
    text.replace(target)
    own = re.compile(re.escape(target.name.removesuffix(".meta")) + r"\.[a-z0-9]+(\.\d+)?\.bin")
    for name in old:
        if own.fullmatch(name):
            (target.parent / name).unlink(missing_ok=True)


def _free_name(folder: Path, name: str) -> str:
    """x.real64.bin, or x.real64.1.bin and so on if that is there."""
    if not (folder / name).exists():
        return name
    stem = name.removesuffix(".bin")
    number = 1
    while (folder / f"{stem}.{number}.bin").exists():
        number += 1
    return f"{stem}.{number}.bin"


def _data_files(path: Path) -> list[str]:
    return [name for group in _groups(path) if (name := _item(group, "data_file"))]
