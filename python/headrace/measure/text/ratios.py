"""The ratios that scripts read, each with its goal: which ways are compared, and how."""

from headrace.measure.pairs import Pair

PYTHON_TABLES = ("polars", "pyarrow", "pandas", "pandas-fast")


OURS_WRITE, OURS_READ = "headrace:shortest:write", "headrace:shortest:read"

PAIRS = (
    Pair(
        "write_shortest_vs_gfortran",
        "gfortran, a row a statement, g0",
        ("gnu:row-wise g0:write",),
        (OURS_WRITE,),
        40,
    ),
    Pair(
        "write_es_vs_gfortran",
        "gfortran, es24.16e3, same bytes",
        ("gnu:row-wise es24.16e3:write",),
        ("headrace:es:write",),
        40,
    ),
    Pair(
        "write_e15_vs_gfortran",
        "gfortran, e15.5, same bytes",
        ("gnu:row-wise e15.5:write",),
        ("headrace:e15:write",),
        40,
    ),
    Pair(
        "read_vs_gfortran_list",
        "gfortran list-directed, same file",
        ("gnu:list-directed:read",),
        (OURS_READ,),
        45,
    ),
    Pair(
        "read_vs_gfortran_formatted",
        "gfortran, es24.16e3, same file",
        ("gnu:formatted es24.16e3:read",),
        ("headrace:es:read",),
        40,
    ),
    Pair(
        "write_vs_io_fortran_lib",
        "its to_file, exact",
        ("io_fortran_lib:csv:write",),
        (OURS_WRITE,),
        100,
    ),
    Pair(
        "read_vs_io_fortran_lib",
        "its from_file, same file",
        ("io_fortran_lib:csv:read",),
        (OURS_READ,),
        100,
    ),
    *(Pair("write_vs_best_python", tool, (f"{tool}:csv:write",), (OURS_WRITE,), 3.5) for tool in PYTHON_TABLES),
    *(
        Pair("read_vs_best_python", f"{tool}, same file", (f"{tool}:csv:read",), (OURS_READ,), 4)
        for tool in PYTHON_TABLES
    ),
    Pair(
        "write_vs_ceiling_fresh",
        "pwrite of the same bytes",
        ("ceiling:pwrite:write",),
        (OURS_WRITE,),
        0.7,
    ),
    Pair(
        "write_vs_ceiling_overwrite",
        "same bytes by pwrite, in place",
        ("ceiling:pwrite in place:write",),
        ("headrace:shortest in place:write",),
        0.5,
    ),
    Pair(
        "penalty_write",
        "ours, of gfortran's unformatted",
        (OURS_WRITE,),
        ("gnu:unformatted:write",),
        3,
        False,
    ),
    Pair(
        "penalty_read",
        "ours, of gfortran's unformatted",
        (OURS_READ,),
        ("gnu:unformatted:read",),
        4,
        False,
    ),
    Pair("portable_write", "ours, of ours without SIMD", (OURS_WRITE,), ("portable:shortest:write",), 0.2),
    Pair("portable_read", "ours, of ours without SIMD", (OURS_READ,), ("portable:shortest:read",), 0.2),
)
ALSO = (
    Pair(
        "penalty_read_fixed",
        "ours, of gfortran's unformatted",
        ("headrace:es:read",),
        ("gnu:unformatted:read",),
        3,
        False,
    ),
    Pair(
        "read_vs_ceiling",
        "pread of the same bytes",
        ("ceiling:pread:read",),
        (OURS_READ,),
    ),
    Pair(
        "read_new_array",
        "array that is there, of a new one",
        (OURS_READ,),
        ("headrace:shortest, new array:read",),
    ),
)
HEX_TABLE = (
    Pair(
        "seed002_vs_io_fortran_lib",
        "its cells; ours straight",
        ("io_fortran_lib:cells:write", "io_fortran_lib:cells:read"),
        ("headrace:hex:write", "headrace:hex:read"),
        25,
    ),
)
ALSO_HEX_TABLE = (
    Pair(
        "seed002_cells",
        "its cells; ours through cells",
        ("io_fortran_lib:cells:write", "io_fortran_lib:cells:read"),
        ("headrace:cells:write", "headrace:cells:read"),
        8,
    ),
)
ALL_NAMES = tuple(dict.fromkeys(pair.name for pair in (*PAIRS, *HEX_TABLE)))
