"""Arrays of numpy through the C interface: what is written is what numpy and Python read, and the other way round."""

import csv
import errno
import gzip
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import headrace
from headrace import native
from headrace.cells import Cells
from headrace.errors import HeadraceError, StatusError

RNG = np.random.default_rng(7)
REALS = [np.float64, np.float32]
INTEGERS = [np.int8, np.int16, np.int32, np.int64]


def values(dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    if np.dtype(dtype).kind == "i":
        limits = np.iinfo(dtype)
        return RNG.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    return (RNG.standard_normal(shape) * 10.0 ** RNG.integers(-30, 30, shape)).astype(dtype)


def same_bits(left: NDArray[Any], right: NDArray[Any]) -> bool:
    return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()


@pytest.mark.parametrize("dtype", REALS + INTEGERS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (1000, 3), (3, 1000), (257, 33)])
def test_numpy_reads_what_headrace_wrote_and_headrace_reads_it_too(
    tmp_path: Path, dtype: Any, shape: tuple[int, int]
) -> None:
    x = values(dtype, shape)
    headrace.write_array(tmp_path / "x.csv", x)
    assert same_bits(np.loadtxt(tmp_path / "x.csv", dtype=dtype, delimiter=",", ndmin=2), x)
    assert same_bits(headrace.read_text(tmp_path / "x.csv", dtype), x)


@pytest.mark.parametrize("dtype", REALS)
def test_headrace_reads_what_numpy_wrote(tmp_path: Path, dtype: Any) -> None:
    x = values(dtype, (500, 4))
    np.savetxt(tmp_path / "x.txt", x, fmt="%.17e")
    assert same_bits(headrace.read_text(tmp_path / "x.txt", dtype), x)
    np.savetxt(tmp_path / "x.csv", x, fmt="%.17e", delimiter=",", header="a,b,c,d", comments="")
    y = np.zeros_like(x)
    headrace.read_array(tmp_path / "x.csv", y)
    assert same_bits(y, x)


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_headrace_reads_complex_numbers_as_numpy_and_python_write_them(tmp_path: Path, dtype: Any) -> None:
    x = (values(np.float32, (50, 3)) + 1j * values(np.float32, (50, 3))).astype(dtype)
    x[0] = [complex(np.nan, np.inf), complex(-np.inf, -0.0), 1j]
    file = tmp_path / "x.csv"
    for rows in (x, x[:1]):
        np.savetxt(file, rows, delimiter=",")
        np.testing.assert_array_equal(headrace.read_text(file, dtype), rows)
        np.savetxt(tmp_path / "x.txt", rows)
        np.testing.assert_array_equal(headrace.read_text(tmp_path / "x.txt", dtype), rows)
        file.write_text("".join(",".join(map(str, row.tolist())) + "\n" for row in rows))
        np.testing.assert_array_equal(headrace.read_text(file, dtype), rows)
        with pytest.raises(HeadraceError, match="another type"):
            headrace.read_text(file)


def test_names_that_are_numbers_come_back(tmp_path: Path) -> None:
    """Or header= is asked for, where they may be values as well."""
    file = tmp_path / "x.csv"
    for names, certain in ((["2010", "2011"], True), (["2010", "NA"], False), (["1.5", "2"], False)):
        headrace.write_array(file, np.arange(6.0).reshape(3, 2), header=names)
        rule = "auto" if certain else "yes"
        if not certain:
            with pytest.raises(HeadraceError, match="header="):
                headrace.read_text(file)
        assert headrace.read_text(file, header=rule).shape == (3, 2)
        assert headrace.column_names(file, header=rule) == names
        with file.open() as stream:
            assert next(csv.reader(stream)) == names


def test_the_csv_module_reads_the_cells_and_the_header(tmp_path: Path) -> None:
    x = values(np.float64, (20, 3))
    headrace.write_array(tmp_path / "x.csv", x, header=["a", 'b "quoted"', "c,d"])
    with (tmp_path / "x.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["a", 'b "quoted"', "c,d"]
    assert [[float(cell) for cell in row] for row in rows[1:]] == x.tolist()


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(lambda x: x, id="as it is"),
        pytest.param(np.asfortranarray, id="Fortran order"),
        pytest.param(lambda x: x[::3], id="every third row"),
        pytest.param(lambda x: x[:, ::2], id="every second column"),
        pytest.param(lambda x: x[::-1, ::-1], id="backwards"),
        pytest.param(lambda x: x.T, id="transposed"),
        pytest.param(lambda x: np.broadcast_to(x[0], x.shape), id="broadcast"),
        pytest.param(lambda x: x.astype(x.dtype.newbyteorder()), id="the other byte order"),
    ],
)
@pytest.mark.parametrize("file", ["x.csv", "x.raw"])
def test_any_view_is_written_as_it_looks(tmp_path: Path, view: Any, file: str) -> None:
    x = view(values(np.float64, (30, 10)))
    headrace.write_array(tmp_path / file, x)
    native_x = np.ascontiguousarray(x, dtype=np.float64)
    if file == "x.raw":
        assert (tmp_path / file).read_bytes() == native_x.tobytes()
    else:
        assert same_bits(np.loadtxt(tmp_path / file, delimiter=","), native_x)
    if x.flags.writeable and x.dtype.isnative:
        base = np.zeros_like(x, subok=False)
        headrace.read_array(tmp_path / file, base)
        assert np.array_equal(base, x)


def test_reading_into_a_section_leaves_the_rest_alone(tmp_path: Path) -> None:
    x = values(np.float64, (10, 4))
    headrace.write_array(tmp_path / "x.csv", x)
    whole = np.full((20, 9), -1.0, order="F")
    headrace.read_array(tmp_path / "x.csv", whole[::2, 1::2])
    assert np.array_equal(whole[::2, 1::2], x)
    assert np.all(whole[1::2] == -1.0) and np.all(whole[:, ::2] == -1.0)


def test_one_dimension_is_a_column_and_three_follow_in_element_order(tmp_path: Path) -> None:
    x = values(np.float64, (24,))
    headrace.write_array(tmp_path / "x.csv", x)
    assert np.array_equal(np.loadtxt(tmp_path / "x.csv"), x)
    headrace.write_array(tmp_path / "y.csv", x.reshape(2, 3, 4))
    assert np.array_equal(np.loadtxt(tmp_path / "y.csv", delimiter=","), x.reshape(6, 4))


def test_an_edit_format_writes_rows_of_a_c_ordered_array(tmp_path: Path) -> None:
    x = np.array([[1.0, -2.5], [1e100, 0.0]])
    headrace.write_array(tmp_path / "x.dat", x, edit="(2es12.4e3)")
    assert (tmp_path / "x.dat").read_text() == " 1.0000E+000-2.5000E+000\n 1.0000E+100 0.0000E+000\n"
    y = np.zeros((2, 2))
    headrace.read_array(tmp_path / "x.dat", y, edit="(2es12.4e3)")
    assert np.array_equal(x, y)


def test_hexadecimal_cells_hold_the_bits(tmp_path: Path) -> None:
    x = values(np.float32, (50, 4))
    headrace.write_array(tmp_path / "x.csv", x, number="hex")
    with (tmp_path / "x.csv").open(newline="") as stream:
        bits = [[int(cell, 16) for cell in row] for row in csv.reader(stream)]
    assert np.array_equal(np.array(bits, dtype=np.uint32).view(np.float32), x)
    assert same_bits(headrace.read_text(tmp_path / "x.csv", np.float32, number="hex"), x)


def test_options_choose_columns_skip_rows_and_change_the_delimiter(tmp_path: Path) -> None:
    x = values(np.float64, (6, 4))
    headrace.write_text(tmp_path / "x", x, delimiter=";", decimal=",")
    text = (tmp_path / "x").read_text()
    assert text.count(";") == 18 and "." not in text
    y = headrace.read_text(tmp_path / "x", delimiter=";", decimal=",", skip_rows=2, columns=[4, 1])
    assert same_bits(y, np.ascontiguousarray(x[2:, [3, 0]]))


def test_appended_rows_follow(tmp_path: Path) -> None:
    x = values(np.float64, (5, 2))
    headrace.write_array(tmp_path / "x.csv", x)
    headrace.write_array(tmp_path / "x.csv", x + 1, append=True)
    assert np.array_equal(headrace.read_text(tmp_path / "x.csv"), np.vstack([x, x + 1]))


@pytest.mark.parametrize("options", [{}, {"header": ["a", "b"]}, {"edit": "(2f8.2)"}, {"edit": "*"}])
@pytest.mark.parametrize("before", [None, "", "a,b\n1.5,2.5\n", "a,b\n1.5,2.5"])
def test_rows_appended_to_a_gzip_file_are_those_of_a_plain_one(
    tmp_path: Path, before: str | None, options: dict[str, Any]
) -> None:
    plain, packed = tmp_path / "x.csv", tmp_path / "x.csv.gz"
    if before is not None:
        plain.write_text(before)
        packed.write_bytes(gzip.compress(before.encode()))
    for x in (values(np.float64, (3, 2)) % 100, np.zeros((0, 2)), np.ones((2, 2))):
        headrace.write_array(plain, x, append=True, **options)
        headrace.write_array(packed, x, append=True, **options)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()


def test_a_damaged_gzip_file_takes_no_rows(tmp_path: Path) -> None:
    packed = tmp_path / "x.csv.gz"
    packed.write_bytes(cut := gzip.compress(b"1.5,2.5\n")[:-3])
    with pytest.raises(StatusError) as caught:
        headrace.write_array(packed, np.ones((1, 2)), append=True)
    assert caught.value.name == "compression_damaged" and packed.read_bytes() == cut


def test_missing_cells_are_an_error_or_not_a_number(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("1,2\n,4\n")
    with pytest.raises(StatusError) as caught:
        headrace.read_text(tmp_path / "x.csv")
    assert caught.value.name == "missing_value"
    y = headrace.read_text(tmp_path / "x.csv", missing="nan")
    assert np.isnan(y[1, 0]) and y[1, 1] == 4


def test_special_values_come_back(tmp_path: Path) -> None:
    x = np.array([[np.inf, -np.inf], [np.nan, -0.0], [5e-324, 1.7976931348623157e308]])
    headrace.write_array(tmp_path / "x.csv", x)
    y = headrace.read_text(tmp_path / "x.csv")
    assert np.array_equal(x, y, equal_nan=True) and np.signbit(y[1, 1])


def test_a_bad_cell_is_named_with_file_line_and_column(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("1,2\n3,abc\n")
    with pytest.raises(HeadraceError) as caught:
        headrace.read_text(tmp_path / "x.csv")
    assert isinstance(caught.value, StatusError) and caught.value.name == "bad_number"
    assert "x.csv:2" in str(caught.value) and "abc" in str(caught.value)


def test_a_ragged_row_is_named_with_the_column_where_it_goes_wrong(tmp_path: Path) -> None:
    for row, place in (("20", "x.csv:2:3;"), ("10,20, 30", "x.csv:2:8;")):
        (tmp_path / "x.csv").write_text(f"1,2\n{row}\n5,6\n")
        with pytest.raises(StatusError, match=place) as caught:
            headrace.read_array(tmp_path / "x.csv", np.zeros((3, 2)))
        assert caught.value.name == "row_length"


def test_another_shape_than_the_file_is_refused(tmp_path: Path) -> None:
    headrace.write_array(tmp_path / "x.csv", values(np.float64, (4, 3)))
    for shape in ((3, 3), (5, 3), (4, 2), (4, 4)):
        with pytest.raises(StatusError) as caught:
            headrace.read_array(tmp_path / "x.csv", np.zeros(shape))
        assert caught.value.name in ("row_length", "row_count"), caught.value


def test_system_calls_that_fail_are_os_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        headrace.read_text(tmp_path / "nothing.csv")
    assert missing.value.errno == errno.ENOENT and isinstance(missing.value, HeadraceError)
    assert "nothing.csv" in str(missing.value)
    with pytest.raises(IsADirectoryError):
        headrace.write_array(tmp_path, np.zeros(1), format="csv")
    if os.geteuid() != 0:
        tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
        with pytest.raises(PermissionError):
            headrace.write_array(tmp_path / "x.csv", np.zeros(1))


def test_arrays_that_cannot_be_are_refused_before_any_file_is_touched(tmp_path: Path) -> None:
    for array in (np.array(["a"]), np.array([object()]), np.array(["2026"], "M8[Y]")):
        with pytest.raises(HeadraceError, match="has no type in Fortran"):
            headrace.write_array(tmp_path / "x.csv", array)
    fixed = np.zeros(3)
    fixed.flags.writeable = False
    with pytest.raises(HeadraceError, match="can be written"):
        headrace.read_array(tmp_path / "x.csv", fixed)
    with pytest.raises(HeadraceError, match="byte order"):
        headrace.read_array(tmp_path / "x.csv", np.zeros(3, np.dtype("f8").newbyteorder()))
    with pytest.raises(TypeError, match="there is no option colour="):
        headrace.write_array(tmp_path / "x.csv", np.zeros(3), colour="red")  # type: ignore[call-arg]
    assert list(tmp_path.iterdir()) == []


def test_an_option_value_that_is_unknown_is_named(tmp_path: Path) -> None:
    with pytest.raises(StatusError) as caught:
        headrace.write_array(tmp_path / "x.csv", np.zeros(3), sync="later")
    assert caught.value.name == "option_unknown" and "later" in str(caught.value)


WRITE_TEXTS = ("format", "sync", "replace", "edit", "number", "delimiter", "decimal")
READ_TEXTS = ("format", "edit", "number", "delimiter", "decimal", "header", "comment", "missing")
NOT_TEXTS = (5, 1.5, b"x", True, ["a"], object(), "a\0b")


@pytest.mark.parametrize(
    ("option", "values"),
    [
        *((name, NOT_TEXTS) for name in WRITE_TEXTS),
        ("threads", ("2", 1.0, True, np.True_, 2**31, [1])),
        ("append", (1, b"yes", 0.0)),
        ("header", (5, b"a", ["a", 5], ["a", b"b"], object())),
    ],
)
def test_an_option_of_the_wrong_type_is_refused_when_writing(tmp_path: Path, option: str, values: Any) -> None:
    for value in values:
        for write in (headrace.write_array, headrace.write_text):
            with pytest.raises(HeadraceError, match=f"^{option}= expects .*, found ") as caught:
                write(tmp_path / "x.csv", np.zeros((2, 2)), **{option: value})
            assert repr(value[-1] if isinstance(value, list) and option == "header" else value) in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "values"),
    [
        *((name, NOT_TEXTS) for name in READ_TEXTS),
        *((name, ("2", 1.0, True, np.True_, -(2**31) - 1)) for name in ("threads", "skip_rows")),
        ("columns", (1.0, True, [1, "2"], [1.0], 2**31)),
    ],
)
def test_an_option_of_the_wrong_type_is_refused_when_reading(tmp_path: Path, option: str, values: Any) -> None:
    headrace.write_array(tmp_path / "x.csv", np.zeros((2, 2)))
    for value in values:
        with pytest.raises(HeadraceError, match=f"^{option}= expects .*, found "):
            headrace.read_text(tmp_path / "x.csv", **{option: value})
        with pytest.raises(HeadraceError, match=f"^{option}= expects .*, found "):
            headrace.read_array(tmp_path / "x.csv", np.zeros((2, 2)), **{option: value})


def test_one_name_and_one_column_need_no_list(tmp_path: Path) -> None:
    headrace.write_array(tmp_path / "x.csv", np.arange(3.0), header="time", threads=np.int64(1))
    assert (tmp_path / "x.csv").read_text().startswith("time\n")
    x = values(np.float64, (4, 3))
    headrace.write_array(tmp_path / "x.csv", x, header=("a", "b", "c"))
    assert same_bits(headrace.read_text(tmp_path / "x.csv", columns=2), np.ascontiguousarray(x[:, 1:2]))
    assert same_bits(
        headrace.read_text(tmp_path / "x.csv", columns=np.array([3, 1])), np.ascontiguousarray(x[:, 2::-2])
    )


TEXTS = np.array([[b"ab", b"c;d'e"], [b"", b" x"], [b"12345", b"1.5"]])


@pytest.mark.parametrize("view", [np.ascontiguousarray, np.asfortranarray, lambda x: x[::-1, ::-1]])
def test_texts_are_written_without_nul_characters_and_come_back(tmp_path: Path, view: Any) -> None:
    x = view(TEXTS)
    before = x.tobytes()
    for file, options in (("x.csv", {}), ("x.txt", {}), ("x.dat", {"edit": "(2a5)"})):
        headrace.write_array(tmp_path / file, x, **options)
        assert b"\0" not in (tmp_path / file).read_bytes() and x.tobytes() == before
        y = np.full_like(x, b"?????")
        headrace.read_array(tmp_path / file, y, **options)
        assert np.array_equal(y, x) and y.tobytes() == before
        if not options:
            assert same_bits(headrace.read_text(tmp_path / file, "S5"), np.ascontiguousarray(x))
    headrace.write_array(tmp_path / "y.csv", np.array([[b"ab", b"x"]], "S5"))
    assert (tmp_path / "y.csv").read_bytes() == b"ab,x\n"
    headrace.write_array(tmp_path / "y.dat", np.array([[b"ab", b"x"]], "S5"), edit="(2a5)")
    assert (tmp_path / "y.dat").read_bytes() == b"ab   x    \n"


@pytest.mark.parametrize(("option", "value"), [("number", "hex"), ("missing", "nan"), ("missing", "error")])
def test_options_of_numbers_are_refused_for_texts(tmp_path: Path, option: str, value: str) -> None:
    options: Any = {option: value}
    headrace.write_array(tmp_path / "x.csv", TEXTS)
    with pytest.raises(StatusError, match=f"{option}= has no meaning for characters") as caught:
        headrace.read_text(tmp_path / "x.csv", "S5", **options)
    assert caught.value.name == "option_unknown"
    if option == "number":
        with pytest.raises(StatusError, match="number= has no meaning for characters"):
            headrace.write_array(tmp_path / "x.csv", TEXTS, **options)


def test_cells_of_texts_hold_no_nul_characters_and_come_back(tmp_path: Path) -> None:
    x = np.array([[b"ab", b"c;d'e"], [b"", b" x"], [b"1\x002", b"1.5"]], "S5")[::-1]
    y = np.full(x.shape, b"?????")
    with Cells() as cells:
        cells.put(x[1:])
        cells.write(tmp_path / "x.csv")
        assert (tmp_path / "x.csv").read_bytes() == b", x\nab,c;d'e\n"
        cells.put(x)
        cells.get(y)
    assert same_bits(y, np.ascontiguousarray(x))


def test_raw_files_hold_the_bytes_of_texts_as_they_are(tmp_path: Path) -> None:
    headrace.write_array(tmp_path / "x.raw", TEXTS)
    assert (tmp_path / "x.raw").read_bytes() == TEXTS.tobytes()
    y = np.zeros_like(TEXTS)
    headrace.read_array(tmp_path / "x.raw", y)
    assert same_bits(y, TEXTS)


def test_read_text_takes_the_first_line_of_texts_as_a_header_only_when_told(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("name,unit\nmass,kg\n")
    rows = [[b"name", b"unit"], [b"mass", b"kg"]]
    assert headrace.read_text(tmp_path / "x.csv", "S6").tolist() == rows
    assert headrace.read_text(tmp_path / "x.csv", "S6", header="no").tolist() == rows
    assert headrace.read_text(tmp_path / "x.csv", "S6", header="yes", columns=2).tolist() == [[b"kg"]]
    with pytest.raises(HeadraceError, match="'S' has no length"):
        headrace.read_text(tmp_path / "x.csv", "S")


def test_read_text_counts_rows_of_characters_with_line_feeds_in_quotes(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text('"d,e",f\n')
    assert headrace.read_text(tmp_path / "x.csv", "S5").tolist() == [[b"d,e", b"f"]]
    (tmp_path / "x.csv").write_text('"a\nb",c\n"d,e",f\n')
    assert headrace.read_text(tmp_path / "x.csv", "S5").tolist() == [[b"a\nb", b"c"], [b"d,e", b"f"]]
    assert headrace.read_text(tmp_path / "x.csv", "S5", columns=2, header="yes").tolist() == [[b"f"]]


def test_read_text_points_to_read_array_where_it_cannot_find_the_shape(tmp_path: Path) -> None:
    (tmp_path / "x.dat").write_text("1.002.00\n")
    with pytest.raises(HeadraceError, match="edit=") as caught:
        headrace.read_text(tmp_path / "x.dat", edit="(2f4.2)")
    assert "read_array" in caught.value.hint


def test_a_library_of_another_version_or_none_is_refused_with_advice(tmp_path: Path) -> None:
    code = (
        "import headrace, numpy; from headrace import native; headrace.__path__[:] = []\n"
        "native.find_library = lambda name: None\n"
        "try: headrace.write_array('x.csv', numpy.zeros(1))\n"
        "except headrace.HeadraceError as error: print(error.message, '|', error.hint)\n"
    )

    def say(**environment: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=os.environ | environment, capture_output=True, text=True
        ).stdout

    assert "installed without it" in say() and "g++" in say()
    other = tmp_path / "other.c"
    names = (*native._FUNCTIONS, *native._CONSTANTS)
    functions = "".join(f"int {name}(void) {{ return 0; }}\n" for name in names)
    other.write_text(functions + 'const char *hr_version(void) { return "0.0.1"; }\n')
    library = tmp_path / native.NAME
    subprocess.run(["cc", "-shared", "-fPIC", str(other), "-o", str(library)], check=True)
    answer = say(HEADRACE_LIBRARY=str(library))
    assert "of version 0.0.1" in answer and headrace.__version__ in answer
    other.write_text("int hr_write_array(void) { return 0; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", str(other), "-o", str(tmp_path / "old.so")], check=True)
    assert "has no hr_read_array" in say(HEADRACE_LIBRARY=str(tmp_path / "old.so"))
    (tmp_path / "broken.so").write_text("no library")
    assert "cannot be loaded" in say(HEADRACE_LIBRARY=str(tmp_path / "broken.so"))
