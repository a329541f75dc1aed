"""Changes of a program that a run can speak for: from this statement to that. Next: findings.py computes the gains.

Keys are those of the rows: family:mechanism, tool:way ("fortran" for any compiler), or a method on MPI ranks. The order
is how many programs have it: of equal gains the first is told.
"""

from dataclasses import dataclass

from headrace.results.methods import ADIOS2, HDF5, NPY, ZARR
from headrace.results.records import Operation

FORTRAN = "fortran"  # a tool that is a Fortran compiler


@dataclass(frozen=True)
class Change:
    """What to write instead. Changes with the same advice are told once, by the one that gains most."""

    before: str
    after: str
    advice: str
    before_code: str = ""  # if the row does not hold it, or not all; {statement}, {columns}: what the row holds
    after_code: str = ""
    operations: tuple[Operation, ...] = ("write", "read")


_WHOLE = "Name the whole array in one statement, instead of an element at a time"
_BINARY = 'Keep numbers that only programs read in a binary file (form="unformatted"), not as text'
_OUR_TEXT = "Keep the text file, and let headrace convert the numbers"
_ONE_RECORD = "One record for the whole array, instead of a record for each row"
_NAME_IT = "Name the array, instead of an implied DO loop over it"
_INNERMOST = "First index in the innermost loop: the order in which the array lies in memory"
_BLOCKS = "Long records, instead of a record for each element or row"

STATEMENTS = (
    Change("unformatted:element", "unformatted:whole", _WHOLE),
    Change("formatted:list_directed", "headrace:text", _OUR_TEXT),
    Change("formatted:list_directed", "unformatted:whole", _BINARY),
    Change("formatted:exact", "headrace:text", _OUR_TEXT),
    Change("formatted:exact", "unformatted:whole", _BINARY),
    Change("formatted:unlimited", "headrace:text", _OUR_TEXT),
    Change("unformatted:short_records", "unformatted:whole", _ONE_RECORD),
    Change("unformatted:nested_reversed", "unformatted:nested_natural", _INNERMOST),
    Change("unformatted:nested_columns_reversed", "unformatted:nested_columns", _INNERMOST),
    Change("unformatted:nested_natural", "unformatted:whole", _NAME_IT),
    Change("unformatted:nested_columns", "unformatted:whole_columns", _NAME_IT),
    Change("unformatted:integer_implied", "unformatted:integer_whole", _NAME_IT),
    Change("unformatted:integer_element", "unformatted:integer_whole", _WHOLE),
    Change("stream:element", "stream:whole", _WHOLE),
    Change("formatted:integer_element", "formatted:integer_whole", _WHOLE),
    Change("formatted:element", "formatted:whole_list_directed", _WHOLE),
    Change(
        "formatted:constant_format", "formatted:whole_constant", "One formatted statement, instead of one for each row"
    ),
    Change(
        "formatted:non_advancing",
        "formatted:exact",
        "One statement for each row, instead of advance='no' for each value",
    ),
    Change("unformatted:section", "unformatted:whole", "Name the array without a section: array, not array(:, :)"),
    Change(
        "byte_order:whole",
        "unformatted:whole",
        "Keep the byte order of the machine, if no other program needs the other one",
        'open (newunit=unit, file=file, form="unformatted", convert="big_endian"); {statement}',
        'open (newunit=unit, file=file, form="unformatted"); {statement}',
    ),
    Change(
        "actual_arguments:pointer_array",
        "actual_arguments:flat",
        "Hand the array to a procedure whose argument is contiguous, instead of a pointer to the statement",
    ),
    Change(
        "actual_arguments:derived_type_array",
        "unformatted:whole",
        "Keep numbers in arrays, not in arrays of derived types",
    ),
    Change(
        "derived_type_io:unformatted_child",
        "actual_arguments:derived_type_array",
        "Do without defined I/O for plain data",
    ),
    Change("unformatted:records_1000", "unformatted:records_100000", _BLOCKS),
    Change("direct:element", "direct:blocks_1m", _BLOCKS),
    Change("direct:row", "direct:blocks_1m", _BLOCKS),
    Change("stream:row", "stream:whole", _WHOLE.replace("an element", "a row")),
    Change("unformatted:whole", "headrace:unformatted", "The same unformatted file by one call of headrace"),
)

_EACH_ROW = "do i = 1, size(x, 2); {statement} x(:, i); end do"
_CSV = ('call write_array("x.csv", x)', 'call read_array("x.csv", x)')
_PYTHON_CSV = ('headrace.write_array("x.csv", x)', 'headrace.read_array("x.csv", x)')


def _rows(statement: str) -> str:
    return _EACH_ROW.format(statement=statement)


def _text(before: str, after: str, advice: str, operation: Operation, before_code: str, after_code: str) -> Change:
    return Change(before, after, advice, before_code, after_code, (operation,))


_LIBRARIES: tuple[tuple[str, str, str, Operation, str, str], ...] = (
    ("io_fortran_lib", "csv", "the IO-Fortran-Library", "write", 'call to_file(x, "x.csv")', _CSV[0]),
    ("io_fortran_lib", "csv", "the IO-Fortran-Library", "read", 'call from_file("x.csv", x)', _CSV[1]),
    ("stdlib", "savetxt", "stdlib", "write", 'call savetxt("x.dat", x)', _CSV[0]),
    ("stdlib", "loadtxt", "stdlib", "read", 'call loadtxt("x.dat", x)', _CSV[1]),
    ("numpy", "csv", "numpy's text", "write", 'numpy.savetxt("x.csv", x, delimiter=",")', _PYTHON_CSV[0]),
    ("numpy", "csv", "numpy's text", "read", 'numpy.loadtxt("x.csv", delimiter=",")', _PYTHON_CSV[1]),
    ("pandas", "csv", "pandas", "write", 'pandas.DataFrame(x).to_csv("x.csv")', _PYTHON_CSV[0]),
    ("pandas", "csv", "pandas", "read", 'pandas.read_csv("x.csv")', _PYTHON_CSV[1]),
)
_SAME_TEXT = "The same text, byte for byte, by one call of headrace"
_READ_TEXT = "Let headrace read the text"
TEXT = (
    _text(f"{FORTRAN}:row-wise g0", "headrace:shortest", _OUR_TEXT, "write",
          _rows("write (unit, '(*(g0,:,\",\"))')"), _CSV[0]),
    _text(f"{FORTRAN}:list-directed", "headrace:shortest", _READ_TEXT, "read", _rows("read (unit, *)"), _CSV[1]),
    _text(f"{FORTRAN}:row-wise es24.16e3", "headrace:es", _SAME_TEXT, "write",
          _rows('write (unit, "({columns}es24.16e3)")'),
          'call write_array("x.dat", x, edit="({columns}es24.16e3)")'),
    _text(f"{FORTRAN}:formatted es24.16e3", "headrace:es", f"{_READ_TEXT} with its format", "read",
          _rows('read (unit, "({columns}es24.16e3)")'),
          'call read_array("x.dat", x, edit="({columns}es24.16e3)")'),
    _text(f"{FORTRAN}:row-wise e15.5", "headrace:e15", _SAME_TEXT, "write",
          _rows('write (unit, "({columns}e15.5)")'), 'call write_array("x.dat", x, edit="({columns}e15.5)")'),
    _text(f"{FORTRAN}:row-wise g0", f"{FORTRAN}:unformatted", _BINARY, "write",
          _rows("write (unit, '(*(g0,:,\",\"))')"), "write (unit) x"),
    _text(f"{FORTRAN}:list-directed", f"{FORTRAN}:unformatted", _BINARY, "read",
          _rows("read (unit, *)"), "read (unit) x"),
    *(
        _text(f"{tool}:{way}", "headrace:shortest", f"headrace instead of {name}", operation, code, ours)
        for tool, way, name, operation, code, ours in _LIBRARIES
    ),
)  # fmt: skip

BINARY = (
    _text(f"{FORTRAN}:unformatted", "headrace:unformatted", "The same unformatted file by one call of headrace",
          "write", "write (unit) x", 'call write_array("x.unf", x)'),
    _text(f"{FORTRAN}:unformatted", "headrace:unformatted", "The same unformatted file by one call of headrace",
          "read", "read (unit) x", 'call read_array("x.unf", x)'),
    _text(f"{FORTRAN}:stream", "headrace:raw", "The same stream file by one call of headrace",
          "write", "write (unit) x", 'call write_array("x.raw", x)'),
    _text(f"{FORTRAN}:stream", "headrace:raw", "The same stream file by one call of headrace",
          "read", "read (unit) x", 'call read_array("x.raw", x)'),
    _text(f"{FORTRAN}:big-endian", "headrace:big-endian", "Let headrace swap the bytes of a big-endian file",
          "write", 'open (..., convert="big_endian"); write (unit) x',
          'call write_array("x.unf", x, byte_order="big")'),
    _text(f"{FORTRAN}:big-endian", "headrace:big-endian", "Let headrace swap the bytes of a big-endian file",
          "read", 'open (..., convert="big_endian"); read (unit) x',
          'call read_array("x.unf", x, byte_order="big")'),
    _text(f"{FORTRAN}:records", "headrace:records", "Read many short records by one call",
          "read", "do i = 1, n; read (unit) x(:, i); end do", "call read_records(file, x)"),
    _text("scipy:records", "headrace:records", "headrace's records instead of scipy's FortranFile",
          "read", "scipy.io.FortranFile(file).read_ints()", "headrace.records(file, dtype).read_many(n)"),
    _text("numpy:save", "headrace:npy", "headrace instead of numpy.save", "write", 'numpy.save("x.npy", x)',
          'headrace.write_array("x.npy", x)'),
    _text("numpy:load", "headrace:npy, new array", "headrace instead of numpy.load", "read", 'numpy.load("x.npy")',
          'headrace.load_array("x.npy")'),
)  # fmt: skip

_ALL_RANKS = "Let every MPI rank write its own part, instead of sending all to one"
_STORE = "One Zarr store that all MPI ranks write, instead of a shared file by a collective library"
_EXCHANGE = "Keep the format, and let headrace exchange the blocks between the MPI ranks"
_ZARR_CODE = 'call write_array("x.zarr", x, layout)'
_COLLECTIVE = {
    "hdf5": ("call h5dwrite_f(..., xfer_prp=collective)", "x.h5"),
    "netcdf4": ("ierr = nf90_var_par_access(..., nf90_collective); ierr = nf90_put_var(...)", "x.nc"),
    "pnetcdf": ("ierr = nf90mpi_put_var_all(...)", "x.nc"),
    "mpiio": ("call MPI_File_write_all(...)", "x.npy"),
}
_OURS = {"hdf5": HDF5, "mpiio": NPY}


def _parallel(before: str, after: str, advice: str, before_code: str, after_code: str) -> Change:
    return Change(before, after, advice, before_code, after_code)


PARALLEL = (
    _parallel("fortran:serial_ascii", ZARR, _ALL_RANKS, "if (rank == 0) write (unit, *) x", _ZARR_CODE),
    _parallel("fortran:serial_binary", ZARR, _ALL_RANKS, "if (rank == 0) write (unit) x", _ZARR_CODE),
    *(
        change
        for library, (code, name) in _COLLECTIVE.items()
        for change in (
            _parallel(f"{library}:collective", ZARR, _STORE, code, _ZARR_CODE),
            _parallel(f"{library}:collective", _OURS.get(library, f"headrace:{library}:shared_collective"), _EXCHANGE,
                      code, f'call write_array("{name}", x, layout)'),
        )
    ),
    _parallel("adios2:default", ADIOS2, "ADIOS2 with the settings that headrace chooses", "call adios2_put(...)",
              'call write_array("x.bp", x, layout)'),
)  # fmt: skip
