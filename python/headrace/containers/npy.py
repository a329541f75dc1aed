"""numpy's files, .npy and .npz: any byte order, streamed. Next: records/plain.py."""

import ast
import io
import zipfile
from ctypes import byref
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy_format

from headrace import native
from headrace.containers.attributes import checked, stored_type
from headrace.containers.meter import Meter
from headrace.containers.output import put, whole_file
from headrace.containers.records.copies import copy_elements
from headrace.containers.request import Request, Side
from headrace.containers.variable import Stored, Variable, check_single, element, known_kind, of_array, order_of
from headrace.errors import HeadraceError
from headrace.layout.left_out import LeftOut
from headrace.options import file_name, members


def read_npy(request: Request) -> list[Variable]:
    """The array, mapped."""
    path = request.file
    with path.open("rb") as file:
        dtype, shape, fortran, offset = _header(file, str(path))
    expected = offset + dtype.itemsize * int(np.prod(shape, dtype=object))
    about = path.stat()
    size, changed = about.st_size, about.st_mtime_ns
    if size != expected:
        raise HeadraceError(
            f"{path}: expected {expected:,} bytes for {dtype} of shape {shape}, found {size:,}",
            "the file is cut, or more than one array stands in it",
        )
    known_kind(dtype, str(path))
    order: Any = "F" if fortran else "C"
    values: Any = np.empty(shape, dtype, order)
    if values.size:
        values = np.memmap(path, dtype, "r", offset, shape, order)
    found = _variable(request, request.array_name, values)
    in_order = fortran or len(shape) < 2 if request.order == "fortran" else not fortran or len(shape) < 2
    if not in_order:  # the elements lie in another order than the dimensions
        return [found]
    return [replace(found, stored=Stored(path.absolute(), Side("raw"), offset, changed))]


def _header(file: IO[bytes], place: str) -> tuple["np.dtype[Any]", tuple[int, ...], bool, int]:
    """Type, shape, Fortran's order, and where the elements begin."""
    try:
        version = npy_format.read_magic(file)
        length = int.from_bytes(file.read(2 if version == (1, 0) else 4), "little")
        if version not in ((1, 0), (2, 0), (3, 0)) or length > 1 << 20:
            raise ValueError(f"a header of version {version} and {length} bytes")
        text = file.read(length)
        if len(text) < length:
            raise ValueError("the header is cut")
        header = ast.literal_eval(text.decode("utf-8" if version == (3, 0) else "latin-1"))
        dtype, shape = npy_format.descr_to_dtype(header["descr"]), tuple(header["shape"])
        if not all(isinstance(extent, int) and extent >= 0 for extent in shape):
            raise ValueError(f"the shape {shape}")
        return dtype, shape, bool(header["fortran_order"]), file.tell()
    except (ValueError, KeyError, TypeError, SyntaxError, EOFError, RecursionError, MemoryError) as error:
        raise HeadraceError(f"{place}: is not an npy file: {error}", "write it again with numpy.save") from error


def _variable(request: Request, name: str, values: Any) -> Variable:
    """numpy shows a Fortran program's first dimension first: seen from C it is the last."""
    kind = known_kind(values.dtype, f"{request.file}: array {name!r}")
    turned = values if request.order == "c" else values.T
    return of_array(name, turned, kind, order_of(values.dtype))


def write_npy(request: Request, variables: list[Variable], meter: Meter) -> None:
    """One array: its header, and its elements block by block."""
    variable = variables[0]
    head = io.BytesIO()
    order = _put_header(head, request, variable)
    looked_at = variable.kind.name == "logical8"  # numpy's bool has no other values than 0 and 1
    if not looked_at and copy_elements(variable, request.target, Side("raw", order), meter, head.getvalue()):
        return
    with whole_file(request.target) as temporary, temporary.open("wb", buffering=0) as file:
        _put(file, request, variable, meter)


def check_npy(request: Request, variables: list[Variable]) -> None:
    """Raises HeadraceError for several arrays, and for a kind that numpy does not have."""
    check_single(request.target, variables, "a npy file holds", "write an .npz file")
    check(request, variables)


def check(request: Request, variables: list[Variable]) -> None:
    """Raises HeadraceError for a kind that numpy does not have."""
    for variable in variables:
        if element(variable.kind, "little").kind == "V":
            raise HeadraceError(
                f"{request.target}: array {variable.name!r} is {variable.kind.name}, which numpy does not have",
                "raw, unformatted, meta, hdf5 and zarr hold it bit for bit",
            )


def _put(file: Any, request: Request, variable: Variable, meter: Meter) -> None:
    order = _put_header(file, request, variable)
    for _, block in variable.blocks(order):
        put(file, checked(variable, block, order, request.target))
        meter.add(block.nbytes)


def _put_header(file: Any, request: Request, variable: Variable) -> str:
    """Returns the byte order of the elements."""
    order = request.result.byte_order or variable.byte_order
    dtype = stored_type(variable.kind, order)
    fortran = request.order == "fortran" and len(variable.shape) > 1
    shape = variable.shape if request.order == "c" else variable.shape[::-1]
    header = {"descr": npy_format.dtype_to_descr(dtype), "fortran_order": fortran, "shape": shape}
    npy_format.write_array_header_1_0(file, header)
    return order


def read_npz(request: Request) -> list[Variable]:
    """All arrays of the archive: mapped if they are stored plain."""
    path = request.file
    try:
        with zipfile.ZipFile(path) as archive:
            members = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise HeadraceError(f"{path}: is not an npz archive: {error}", "write it again with numpy.savez") from error
    found = [info.filename for info in members if info.filename.endswith(".npy")]
    wanted = [name[:-4] for name in found if request.name in (None, name[:-4])]
    if request.name is None:
        other = sum(info.file_size for info in members if info.filename not in found)
        counts = (len(members) - len(found), len(members), other, sum(info.file_size for info in members))
        request.left_out.append(LeftOut(*counts, unit="members", advice="unzip gives those that are not .npy"))
    return [_member(request, path, name) for name in wanted]


def _member(request: Request, path: Path, name: str) -> Variable:
    info = native.ArrayInfo()
    try:
        options = members(native.ReadOptions(), {"format": "npz", "name": name})
        native.call("hr_describe_array", file_name(path), byref(options), byref(info))
    except HeadraceError:  # unsigned numbers, which Fortran does not have; or what numpy tells as well
        info.data_offset = -1
    try:
        # np.load checks kind and shape; what lies plain in the archive is mapped instead.
        with zipfile.ZipFile(path) as archive, archive.open(name + ".npy") as file:
            dtype, shape, fortran, _ = _header(file, f"{path}: array {name!r}")
        known_kind(dtype, f"{path}: array {name!r}")
        order: Any = "F" if fortran else "C"
        if info.data_offset >= 0 and 0 not in shape:
            return _variable(request, name, np.memmap(path, dtype, "r", info.data_offset, shape, order))
        with np.load(path, allow_pickle=False) as archive:
            return _variable(request, name, archive[name])
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, zipfile.error) as error:
        raise HeadraceError(
            f"{path}: array {name!r} is damaged: {error}", "copy the file again from its source"
        ) from error


def write_npz(request: Request, variables: list[Variable], meter: Meter) -> None:
    """An archive of all arrays, stored."""
    with (
        whole_file(request.target) as temporary,
        zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED, allowZip64=True) as archive,
    ):
        for variable in variables:
            info = zipfile.ZipInfo(variable.name + ".npy")
            info.external_attr = 0o644 << 16
            with archive.open(info, "w", force_zip64=True) as file:
                _put(file, request, variable, meter)
