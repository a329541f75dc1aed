"""Convert files of arrays: records of any dialect, raw, npy, npz, meta, texts, HDF5, NetCDF, Zarr, Parquet.

    headrace convert A B

The ending of a name says its format, unless --from or --to does: unformatted (.unf, .seq), direct (.da, .direct),
raw (.raw, .bin), npy, npz, meta, csv, tsv, text (.txt), hdf5 (.h5, .hdf5), netcdf (.nc), zarr, parquet.
If neither says what A is, headrace inspect finds out. If it is not sure, nothing is written.

Every bit of every value is kept. What B cannot hold is refused. B appears under its name only when it is complete.
"""

import argparse
import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.commands.arguments import existing, file, file_or_store, refuse_slash
from headrace.containers.request import FORMATS, Request, format_of_ending
from headrace.convert import Result, convert
from headrace.convert.choose import request_of
from headrace.convert.report import as_json, sentence
from headrace.errors import HeadraceError
from headrace.layout import kinds
from headrace.layout.kinds import Kind
from headrace.nearest import did_you_mean
from headrace.whole_files import is_standard_output, write_to_standard_output

if TYPE_CHECKING:
    from headrace.reporters.progress import ByteProgress

_SEVERAL_FILES = ("meta", "zarr")
_PATIENCE = 2.0  # seconds without progress

EPILOG = """\
Dimensions: Fortran's x(i, j, k) is x[i-1, j-1, k-1] in npy, npz, meta, Zarr and tables, and x[k-1, j-1, i-1] in HDF5
and NetCDF, which list the slowest dimension first; records and raw files hold the first index fastest. With --order c
the indices of HDF5 and NetCDF are those of numpy, and records, raw files and Zarr stores hold the last index fastest.

examples:
  headrace convert big.unf little.unf --to-byte-order little --kind real64
  headrace convert old.dat new.unf --from unformatted --to-record-marker 4    8-byte markers become 4-byte ones
  headrace convert run.unf run.da --to-record-length 800                      direct access, in bytes
  headrace convert run.unf run.npz --schema run.toml                          records become named arrays
  headrace convert x.raw x.npy --kind real32 --shape 64,64,10                 first index fastest
  headrace convert field.txt x.npy --from-edit '(10e15.5)' --kind real64 --shape 100
  headrace convert obs.csv obs.csv.gz --from-columns time,mass --from-missing nan,-999 --to-level 9
  headrace convert x.npy table.txt --to-edit '*'                              list-directed
  headrace convert run.h5 t.csv --name t                                      one array of many
  headrace convert run.unf last.npy --record -1 --kind real64 --shape 64,48  one record of many
  headrace convert run.unf step.npz --step 3 --schema run.toml                one time step of many
  headrace convert x.npy - --to csv | head                                    to standard output: the data alone
  headrace convert rank*.dat whole.h5 --schema pieces.toml                    one array from pieces of many MPI ranks

exit codes: 0 converted; 1 interrupted, or a part of A would not be in B (see --partial); 2 bad input, or what B cannot
hold. B is as it was before unless the code is 0
"""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    parser = commands.add_parser(
        "convert",
        help="convert files of arrays: records of any dialect, npy, meta, texts, HDF5, NetCDF, Zarr, Parquet",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "paths",
        type=file_or_store,
        nargs="+",
        metavar="FILE",
        help="A and B; several A with --schema; B may be -, standard output, with --to",
    )
    holds = parser.add_argument_group("what A holds, if it does not say so itself")
    holds.add_argument("--schema", type=file, metavar="TOML", help="names, kinds and shapes of the records of A")
    holds.add_argument("--kind", type=_kind, help="of all values: real64, int32, complex(real64), character(20), ...")
    holds.add_argument("--shape", type=_shape, metavar="N,M,...", help="of the array (default: one dimension)")
    holds.add_argument("--order", choices=("fortran", "c"), default="fortran", help="see below (default: fortran)")
    holds.add_argument("--name", help="convert this array only; or a name for an array that has none")
    part = parser.add_argument_group("a part of A, if it has many records")
    part.add_argument("--record", type=_place, metavar="N", help="record N alone; the first is 1, the last -1")
    part.add_argument(
        "--step", type=_place, metavar="N", help="step N alone, of records that repeat in groups; the last is -1"
    )
    part.add_argument(
        "--partial", action="store_true", help="write B although it lacks what the schema skips; how much is said"
    )
    for side, what in (("from", "A"), ("to", "B")):
        _add_side(parser, side, what)
    parser.add_argument("--json", action="store_true", help="print what was converted as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    parser.set_defaults(run=run, standard_output=False)


def _add_side(parser: argparse.ArgumentParser, side: str, what: str) -> None:
    group = parser.add_argument_group(f"how {what} is stored")
    found = "found out" if side == "from" else "that of A"

    def add(name: str, **more: Any) -> None:
        group.add_argument(f"--{side}-{name}", dest=f"{side}_{name.replace('-', '_')}", **more)

    group.add_argument(
        f"--{side}", dest=f"{side}_format", choices=FORMATS, metavar="FORMAT", help="format (default: by the ending)"
    )
    add("byte-order", choices=("little", "big"), help=f"of words and markers (default: {found})")
    add("record-marker", type=int, choices=(4, 8), help=f"unformatted: bytes of a marker (default: {found})")
    add("record-length", type=_positive, metavar="BYTES", help="direct access: bytes of a record")
    add("edit", metavar="FORMAT", help="text: a Fortran format such as '(10e15.5)', or '*' for list-directed")
    kind = (
        "how cells are read: decimal or hex"
        if side == "from"
        else "how cells are written: shortest, hex, es24.16e3, ..."
    )
    add("number", help=f"text: {kind}")
    add(
        "dialect",
        metavar="GFORTRAN",
        help="text: version of gfortran whose format it is: gfortran11 to gfortran16 (default: the newest)",
    )
    if side == "to":
        add(
            "level",
            type=_level,
            metavar="N",
            help="text in .gz or .zst: level of compression, 1 (fastest) to 9 or 19 (default: 6, 3)",
        )
    else:
        add(
            "missing",
            metavar="TEXT",
            help="text: what an empty cell means: nan or a value; texts that mean the same follow it: nan,-999",
        )
        add("columns", type=_columns, metavar="A,B,...", help="text: names or numbers of the columns, in this order")
        add(
            "long-records",
            choices=("subrecords", "high_bit", "unsigned"),
            help="unformatted: how records over 2 GiB are marked: gfortran and Intel, PGI, LLVM flang",
        )
        add("record-type", choices=("variable", "segmented"), help="unformatted: segmented records are Intel's")


def run(arguments: argparse.Namespace) -> int:
    """Convert, and say what was converted."""
    said = {side: _members(arguments, f"{side}_") for side in ("from", "to")}
    *files, target = arguments.paths
    if is_standard_output(target):
        return _to_standard_output(arguments, said["to"].get("format"))
    wanted = said["to"].get("format") or format_of_ending(Path(target))
    if wanted not in (None, "zarr"):
        refuse_slash(target, wanted)
    request = request_of(
        [*map(existing, files), Path(target)],
        said["from"],
        said["to"],
        arguments.schema,
        arguments.kind,
        arguments.shape,
        arguments.order,
        arguments.name,
        arguments.record,
        arguments.step,
        arguments.partial,
    )
    with _Shown(arguments.quiet) as show:
        result = convert(request, show)
    if arguments.json:
        print(json.dumps(as_json(request, result), indent=1))
    elif not arguments.quiet:
        _print(request, result, "standard output" if arguments.standard_output else "")
    return 0


def _print(request: Request, result: Result, called: str) -> None:
    for note in request.notes:
        print(f"note: {note}")
    print(sentence(request, result, called))
    if result.variables:
        from headrace.reporters.converted import print_variables

        print_variables(result.variables)


class _Shown:
    """Bytes that are done, on standard error, once a conversion takes longer than two seconds."""

    def __init__(self, quiet: bool) -> None:
        self._quiet, self._begun = quiet, time.monotonic()
        self._progress: ByteProgress | None = None

    def __enter__(self) -> "_Shown":
        return self

    def __call__(self, done: int, total: int) -> None:
        if self._progress is None:
            if self._quiet or time.monotonic() - self._begun < _PATIENCE:
                return
            from headrace.reporters.progress import ByteProgress

            self._progress = ByteProgress("convert", total, self._begun)
        self._progress(done)

    def __exit__(self, *ignored: object) -> None:
        if self._progress is not None:
            self._progress.stop()


def _to_standard_output(arguments: argparse.Namespace, wanted: str | None) -> int:
    """B as a file that is complete, in the directory of temporary files, then its bytes: all of them or none."""
    if wanted is None:
        raise HeadraceError("standard output has no ending that says the format", "say it: --to csv, --to npy, ...")
    if wanted in _SEVERAL_FILES:
        raise HeadraceError(f"{wanted} is not one file, and cannot go to standard output", "name a file")
    if arguments.json:
        raise HeadraceError("--json and B would both go to standard output", "name a file for B")
    with tempfile.TemporaryDirectory(prefix="headrace-") as folder:
        whole = Path(folder) / "standard output"
        arguments.paths[-1] = str(whole)
        arguments.standard_output = True
        with contextlib.redirect_stdout(sys.stderr):
            code = run(arguments)
        with whole.open("rb") as file:
            while block := file.read(1 << 20):
                write_to_standard_output(block)
    return code


def _members(arguments: argparse.Namespace, prefix: str) -> dict[str, Any]:
    found = {key.removeprefix(prefix): value for key, value in vars(arguments).items() if key.startswith(prefix)}
    return {key: value for key, value in found.items() if value is not None}


def _kind(text: str) -> Kind:
    kind = kinds.find(text)
    if kind is None:
        near = did_you_mean(text, kinds.NAMES)
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a kind; {near + ' ' if near else ''}known are {', '.join(kinds.NAMES)}"
        )
    return kind


def _columns(text: str) -> list[int] | list[str]:
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise argparse.ArgumentTypeError(f"'{text}' names no columns; write for example 1,3 or time,mass")
    return [int(part) for part in parts] if all(part.isdigit() for part in parts) else parts


def _level(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a level: write 1 to 9 for .gz, 1 to 19 for .zst")
    return int(text)


def _shape(text: str) -> tuple[int, ...]:
    parts = text.replace(" ", "").split(",")
    if not all(part.isdigit() for part in parts):
        raise argparse.ArgumentTypeError(f"'{text}' is not a shape; write for example 64,64,10")
    return tuple(map(int, parts))


def _place(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number: 1 is the first one, -1 the last") from None


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of bytes above 0")
    return int(text)
