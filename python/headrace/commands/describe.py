"""Present existing record or raw files as named arrays in global shape, without copying them.

    headrace describe run.h5 rank*.dat --schema s.toml

OUT.h5 (or .hdf5, .nc) becomes an HDF5 file that h5py, netCDF4 and ncdump open. OUT.json becomes a kerchunk reference
that xarray opens. Both hold only the positions of the arrays. Name the files in the order of their pieces or time
steps. Without FILE, the files are those that the schema lists as [[piece]], relative to the schema. The schema says
what the records hold:

    [file]
    format = "unformatted"
    byte_order = "big"
    [[record]]
    name = "u"
    kind = "real64"
    shape = "piece"
    [global]
    shape = [40, 32, 24]
    parts = [2, 2, 2]
    rank_order = "fortran"

Readers find the data by names relative to the description: open it in its directory, or set
HDF5_EXTFILE_PREFIX='${ORIGIN}' (HDF5) or template_overrides={"dir": ...} (kerchunk).
Exit code 0; 1 when a part of the files would not be in OUT, unless --partial is given; 2 when files and schema
differ, or when an array cannot be described. Nothing is written unless the code is 0.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.commands.arguments import file
from headrace.errors import HeadraceError

if TYPE_CHECKING:
    from rich.table import Table

    from headrace.layout.left_out import LeftOut
    from headrace.layout.pieces import GlobalArray
    from headrace.layout.schema import Schema

_HDF5 = (".h5", ".hdf5", ".nc")
_PATIENCE = 2.0  # seconds without progress


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `describe` to the command line."""
    parser = commands.add_parser(
        "describe",
        help="present existing record or raw files as HDF5 or kerchunk arrays, without copying them",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", type=file, metavar="OUT", help="the description: x.h5, x.hdf5, x.nc, or x.json")
    parser.add_argument("files", type=file, nargs="*", metavar="FILE", help="existing files, in order")
    parser.add_argument("--schema", type=file, required=True, metavar="TOML", help="what the records hold")
    parser.add_argument(
        "--kerchunk", action="store_true", help="write OUT.json (kerchunk) beside the HDF5 file as well"
    )
    parser.add_argument(
        "--absolute", action="store_true", help="name the data files from the root, not relative to OUT"
    )
    parser.add_argument(
        "--partial", action="store_true", help="write OUT although it lacks what the schema skips; how much is said"
    )
    parser.add_argument("--json", action="store_true", help="print what was described as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    parser.set_defaults(run=run, needs=("headrace.layout.hdf5", "headrace.layout.kerchunk", "headrace.layout.schema"))


def run(arguments: argparse.Namespace) -> int:
    """Write the description and say what it holds."""
    from rich.markup import escape

    from headrace.layout.schema import load_schema
    from headrace.reporters.console import console

    outs = _outs(arguments.out, arguments.kerchunk)
    schema = load_schema(arguments.schema)
    files = arguments.files or [arguments.schema.parent / piece.file for piece in schema.piece]
    for out in outs:
        if out.exists() and any(file.exists() and out.samefile(file) for file in (*files, arguments.schema)):
            raise HeadraceError(f"{out} is one of the files to describe", "give the description another name")
    arrays, left = _describe(schema, files, outs, arguments)
    written = [{"path": str(out), "bytes": out.stat().st_size} for out in outs]
    if arguments.json:
        about = {"arrays": [_record(array) for array in arrays], "left_out": left.as_json() if left else None}
        print(json.dumps({"files": written} | about, indent=1))
        return 0
    if arguments.quiet:
        return 0
    held, own = sum(map(_bytes, arrays)), " and ".join(f"{out} ({out.stat().st_size:,} bytes)" for out in outs)
    count = "1 file" if len(files) == 1 else f"{len(files)} files"
    missing = f" {escape(left.sentence(outs[0]))}." if left else ""
    console().print(f"[bold]{held:,} bytes in {count} are described by {escape(own)}.[/bold]{missing}", soft_wrap=True)
    console().print(_table(arrays))
    return 0


def _outs(out: Path, kerchunk: bool) -> list[Path]:
    if out.suffix in _HDF5:
        return [out, out.with_suffix(".json")] if kerchunk else [out]
    if out.suffix == ".json":
        return [out]
    raise HeadraceError(f"{out}: expected the ending {', '.join(_HDF5)} or .json, found {out.suffix or 'none'}")


def _describe(
    schema: "Schema", files: list[Path], outs: list[Path], arguments: argparse.Namespace
) -> tuple[list["GlobalArray"], "LeftOut"]:
    """Write the descriptions; progress appears when that takes longer than two seconds."""
    from headrace.layout.hdf5 import check_hdf5, write_hdf5
    from headrace.layout.kerchunk import write_kerchunk
    from headrace.layout.pieces import whole_arrays
    from headrace.reporters.progress import Progress

    with Progress(arguments.quiet).stage("describe", len(files) + len(outs) * len(schema.arrays())) as show:
        step = _later(show)
        arrays, left = whole_arrays(schema, files, step)
        if not arguments.partial:
            left.refuse(str(files[0]) if len(files) == 1 else f"{len(files)} files", outs[0])
        if outs[0].suffix in _HDF5:
            check_hdf5(arrays)  # before anything is written
        for out in outs[::-1]:
            (write_kerchunk if out.suffix == ".json" else write_hdf5)(out, arrays, arguments.absolute, step)
    return arrays, left


def _later(show: Callable[[str], None]) -> Callable[[str], None]:
    begun, waiting = time.monotonic(), list[str]()

    def step(name: str) -> None:
        waiting.append(name)
        if time.monotonic() - begun > _PATIENCE:
            for text in waiting:  # steps that were not shown count as well
                show(text)
            waiting.clear()

    return step


def _bytes(array: "GlobalArray") -> int:
    return sum(int(block.size.sum()) for block in array.blocks)


def _record(array: "GlobalArray") -> dict[str, Any]:
    return {
        "name": array.name,
        "kind": array.kind.name,
        "dtype": array.dtype.str,
        "shape": array.shape,
        "dimensions": array.dimensions,
        "pieces": len(array.blocks),
        "segments": sum(len(block.offset) for block in array.blocks),
        "bytes": _bytes(array),
    }


def _table(arrays: list["GlobalArray"]) -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("array", "kind", "dimensions, the last one fastest"):
        table.add_column(name)
    for name in ("pieces", "segments", "bytes"):
        table.add_column(name, justify="right", no_wrap=True)
    for array in arrays:
        shape = ", ".join(f"{name} = {n}" for name, n in zip(array.dimensions, array.shape, strict=True))
        segments = sum(len(block.offset) for block in array.blocks)
        row = (escape(array.name), array.kind.name, escape(shape) or "a single value")
        table.add_row(*row, f"{len(array.blocks):,}", f"{segments:,}", f"{_bytes(array):,}")
    return table
