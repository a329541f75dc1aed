"""Names of columns, columns by name, texts for missing values and comments, as files of everyday have them."""

import csv
import gzip
import io
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headrace
from headrace import HeadraceError

# As weather services give hourly observations: names with units, a note, several ways to say that a value is missing.
STATION = """\
time,"air temperature, C",Wind,pressure
0,11.5,3.2,1013.25
1,-999,#N/A,1012.9
2,12.25,None,-999.00
3,13.0,xx,1011.0
"""


@pytest.fixture
def station(tmp_path: Path) -> Path:
    file = tmp_path / "station.csv"
    file.write_text(STATION)
    return file


def test_texts_of_ones_own_are_missing_values(station: Path) -> None:
    read = headrace.read_text(station, missing="nan,-999,xx")
    expected = [
        [0, 11.5, 3.2, 1013.25], [1, np.nan, np.nan, 1012.9], [2, 12.25, np.nan, np.nan], [3, 13, np.nan, 1011],
    ]  # fmt: skip
    np.testing.assert_array_equal(read, expected)


@pytest.mark.parametrize("text", ["NA", "n/a", "#N/A", "#na", "<NA>", "null", "NULL", "None", ""])
def test_usual_texts_are_missing_and_never_a_number(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.csv"
    file.write_text(f"1,2\n3,{text}\n")
    assert np.isnan(headrace.read_text(file, missing="nan")[1, 1])
    assert headrace.read_text(file, "i4", missing="-1").tolist() == [[1, 2], [3, -1]]
    for options in ({}, {"missing": "error"}):
        with pytest.raises(HeadraceError, match=r"a value is missing.*x\.csv:2:3") as caught:
            headrace.read_text(file, **options)  # type: ignore[arg-type]
        assert getattr(caught.value, "name", "") == "missing_value"


def test_a_number_among_the_texts_stands_for_its_value_in_every_spelling(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("-999,-999.0,-9.99e2,-9990\n-998,999,-99.9,0\n")
    read = headrace.read_text(file, missing="nan,-999")
    assert np.isnan(read).tolist() == [[True, True, True, False], [False] * 4]
    with pytest.raises(HeadraceError, match=r"a value is missing.*x\.csv:1:1"):
        headrace.read_text(file, missing="error,-999")
    whole = tmp_path / "whole.csv"
    whole.write_text("1,-999\n-999,4\n")
    assert headrace.read_text(whole, "i2", missing="-1,-999").tolist() == [[1, -1], [-1, 4]]
    # A marker that the type does not have can be no value of it.
    assert headrace.read_text(whole, "i1", columns=1, skip_rows=2, header="no", missing="0,-999").tolist() == []


@pytest.mark.parametrize(
    ("dtype", "missing", "words"),
    [("f8", "-", "say first what it becomes"), ("i4", "1.5", "an integer"), ("f8", "#N/A,-999", 'missing="nan,#N/A"')],
)
def test_what_a_missing_value_becomes_must_be_a_value(station: Path, dtype: str, missing: str, words: str) -> None:
    with pytest.raises(HeadraceError, match="is no value of the array") as caught:
        headrace.read_text(station, dtype, missing=missing)
    assert words in str(caught.value)


def test_integers_do_not_become_nan(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("1\nNA\n")
    with pytest.raises(HeadraceError, match=r'a value is missing.*x\.csv:2:1; missing="-1"'):
        headrace.read_text(file, "i8", missing="nan")


def test_semicolons_divide_where_commas_are_decimal_signs(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("1,5;-9,9\n--;2,5\n")
    read = headrace.read_text(file, decimal=",", missing="nan;-9,9;--")
    np.testing.assert_array_equal(read, [[1.5, np.nan], [np.nan, 2.5]])


def test_many_missing_values_are_those_that_python_finds(tmp_path: Path) -> None:
    chance = np.random.default_rng(20)
    cells = np.char.mod("%.3f", chance.normal(size=(4000, 7)) * 1000)
    marks = ["", "NA", "-999", "-999.0", "#N/A", "none", "trace"]
    where = chance.random(cells.shape) < 0.1
    table = [
        [str(chance.choice(marks)) if gone else str(cell) for cell, gone in zip(row, out, strict=True)]
        for row, out in zip(cells, where, strict=True)
    ]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    file = tmp_path / "x.csv"
    file.write_text(text.getvalue())
    expected = [[np.nan if cell in marks else float(cell) for cell in row] for row in table]
    for threads in (1, 3):
        np.testing.assert_array_equal(headrace.read_text(file, missing="nan,-999,trace", threads=threads), expected)
    chosen = headrace.read_text(file, missing="nan,-999,trace", columns=[6, 2, 3])
    np.testing.assert_array_equal(chosen, np.array(expected)[:, [5, 1, 2]])


def test_columns_are_read_by_name(station: Path) -> None:
    assert headrace.read_text(station, columns="time")[:, 0].tolist() == [0, 1, 2, 3]
    both = headrace.read_text(station, columns=["air temperature, C", "time"], missing="nan")
    assert both.tolist() == [[11.5, 0], [-999, 1], [12.25, 2], [13, 3]]
    array = np.zeros((4, 1))
    headrace.read_array(station, array, columns=["time"])
    assert array[:, 0].tolist() == [0, 1, 2, 3]
    texts = headrace.read_text(station, "S8", columns=["Wind"])
    assert texts[:, 0].tolist() == [b"3.2", b"#N/A", b"None", b"xx"]
    assert headrace.load(station, columns="time").shape == (4, 1)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ("tme", 'did you mean "time"?'), ("wind", 'did you mean "Wind"?'), ("depth", '"time", "air temperature, C"'),
        (["time", "presure"], 'did you mean "pressure"?'),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["f8", "S8"])
def test_an_unknown_name_is_refused_with_those_that_are(station: Path, columns: Any, words: str, dtype: str) -> None:
    with pytest.raises(HeadraceError, match="there is no column") as caught:
        headrace.read_text(station, dtype, columns=columns)
    assert words in str(caught.value) and "station.csv" in str(caught.value)
    assert getattr(caught.value, "name", "") == "column_unknown"


def test_names_need_a_header_with_a_name_for_each_column(tmp_path: Path) -> None:
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("1,2\n3,4\n")
    with pytest.raises(HeadraceError, match="no names of columns in a first line"):
        headrace.read_text(numbers, columns="1")
    assert headrace.read_text(numbers, columns="1", header="yes").tolist() == [[3]]
    with pytest.raises(HeadraceError, match="by name needs a header"):
        headrace.read_text(numbers, columns="1", header="no")
    twice = tmp_path / "twice.csv"
    twice.write_text("a,a\n1,2\n")
    with pytest.raises(HeadraceError, match="several columns have the name"):
        headrace.read_text(twice, columns="a")
    short = tmp_path / "short.csv"
    short.write_text("a,b\n1,2,3\n")
    with pytest.raises(HeadraceError, match="another number of names"):
        headrace.read_text(short, columns="a")
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    with pytest.raises(HeadraceError, match="no names of columns"):
        headrace.read_text(empty, columns="a")


def test_names_of_columns_are_those_of_the_header(station: Path, tmp_path: Path) -> None:
    assert headrace.column_names(station) == ["time", "air temperature, C", "Wind", "pressure"]
    assert headrace.column_names(station, columns=[4, 1]) == ["pressure", "time"]
    assert headrace.column_names(station, columns="Wind") == ["Wind"]
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("1,2\n3,4\n")
    assert headrace.column_names(numbers) == []
    for header, names in (
        ("# time mass", ["time", "mass"]), ("#time mass", ["time", "mass"]), ("time mass", ["time", "mass"]),
        ('"the ""time""" mass', ['the "time"', "mass"]), ("  zeit\tmaße ", ["zeit", "maße"]),
    ):  # fmt: skip
        file = tmp_path / "x.txt"
        file.write_text(f"{header}\n1 2\n3 4\n")
        assert headrace.column_names(file) == names, header
        assert headrace.read_text(file, columns=names[1]).tolist() == [[2], [4]], header
    written = tmp_path / "written.csv.gz"
    headrace.write_array(written, np.ones((2, 3)), header=["a b", "c,d", 'e"f'])
    assert headrace.column_names(written) == ["a b", "c,d", 'e"f']


def test_names_are_those_that_pythons_csv_reads(tmp_path: Path) -> None:
    chance = np.random.default_rng(5)
    letters = list('abc ,"xyz')
    for number in range(200):
        names = ["n" + "".join(chance.choice(letters, size=4)).rstrip() + "m" for _ in range(3)]
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([names, [1, 2, 3]])
        file = tmp_path / f"{number}.csv"
        file.write_text(text.getvalue())
        assert headrace.column_names(file, header="yes") == names


def test_lines_of_comments_between_list_directed_values_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "input.dat"
    file.write_text("# grid\n2*10 0.5\n  # step, end\n0.25,\n#\n100\n# last")
    array = np.zeros(5)
    headrace.read_array(file, array, edit="*", comment="#")
    assert array.tolist() == [10, 10, 0.5, 0.25, 100]
    with pytest.raises(HeadraceError, match=r"input\.dat:1"):
        headrace.read_array(file, array, edit="*")
    file.write_text("! a\n1\n! b\nx\n")
    with pytest.raises(HeadraceError, match=r"input\.dat:4"):  # lines are counted as they are in the file
        headrace.read_array(file, np.zeros(2), edit="*", comment="!")
    with pytest.raises(HeadraceError, match="comment= has no meaning beside edit="):
        headrace.read_array(file, np.zeros(2), edit="(f5.1)", comment="!")


def test_long_comments_and_packed_files_give_the_same_values(tmp_path: Path) -> None:
    values = np.arange(50_000) / 8
    lines = [f"# {'x' * (i % 300)}\n{value}" for i, value in enumerate(values)]
    file = tmp_path / "long.dat.gz"
    with gzip.open(file, "wt") as out:
        out.write("\n".join(lines))
    array = np.zeros(values.size)
    headrace.read_array(file, array, edit="*", comment="#")
    np.testing.assert_array_equal(array, values)


@pytest.mark.parametrize(("ending", "highest"), [("gz", 9), ("zst", 19)])
def test_a_higher_level_makes_a_smaller_file_that_others_read(tmp_path: Path, ending: str, highest: int) -> None:
    values = np.round(np.cumsum(np.random.default_rng(3).normal(size=(20_000, 4)), axis=0), 3)
    plain = tmp_path / "x.csv"
    headrace.write_array(plain, values)
    sizes = {}
    for level in (None, 1, highest):
        file = tmp_path / f"x{level}.csv.{ending}"
        headrace.write_array(file, values, level=level)  # type: ignore[arg-type]
        sizes[level] = file.stat().st_size
        tool = shutil.which({"gz": "gzip", "zst": "zstd"}[ending])
        if ending == "gz":
            assert gzip.decompress(file.read_bytes()) == plain.read_bytes()
        if tool is not None:
            packed = subprocess.run([tool, "-dc", str(file)], capture_output=True, check=True)
            assert packed.stdout == plain.read_bytes()
        np.testing.assert_array_equal(headrace.read_text(file), values)
    assert sizes[highest] < sizes[None] < sizes[1]
    for level in (highest + 1, -1):
        with pytest.raises(HeadraceError, match=rf"has no level {level}.*to {highest} \(smallest\)"):
            headrace.write_array(tmp_path / f"no.csv.{ending}", values, level=level)
    assert not (tmp_path / f"no.csv.{ending}").exists()


def test_a_level_is_refused_if_nothing_is_compressed(tmp_path: Path) -> None:
    values = np.ones((3, 3))
    for name, words in (("x.csv", "not compressed"), ("x.npy", "no meaning"), ("x.npz", "without compression=")):
        with pytest.raises(HeadraceError, match=words):
            headrace.write_array(tmp_path / name, values, level=3)
        assert not (tmp_path / name).exists()
    with pytest.raises(HeadraceError, match="a number from 1 on"):
        headrace.write_array(tmp_path / "x.csv.gz", values, level=0)


def test_npz_has_levels_of_deflate(tmp_path: Path) -> None:
    values = np.round(np.cumsum(np.random.default_rng(3).normal(size=50_000)), 1)
    for level in (1, 9):
        headrace.write_array(tmp_path / f"{level}.npz", values, compression="deflate", level=level)
        np.testing.assert_array_equal(np.load(tmp_path / f"{level}.npz")["arr_0"], values)
    assert (tmp_path / "9.npz").stat().st_size < (tmp_path / "1.npz").stat().st_size
    with pytest.raises(HeadraceError, match=r"deflate has no level 10.*1 \(fastest\) to 9"):
        headrace.write_array(tmp_path / "x.npz", values, compression="deflate", level=10)


@pytest.mark.parametrize(
    ("dtype", "stand_in", "cell"),
    [
        ("i4", "-999.0", "-999"), ("i4", "-999", "-999.0"), ("i4", "-9.99e2", "-0999"), ("i2", "-99900", "-099900"),
        ("i1", "-999", "-0999"), ("f4", "1e40", "1.0e40"), ("f8", "nan", "NaN"), ("f4", "nan", "nan"),
        ("i4", "nan", "NaN"), ("i8", "9007199254740993.0", "9007199254740993"), ("?", "F", "F"),
        ("c16", "-999", "-999.0"),
    ],
)  # fmt: skip
def test_stand_ins_are_found_whatever_the_type(tmp_path: Path, dtype: str, stand_in: str, cell: str) -> None:
    file = tmp_path / "x.csv"
    one = "T" if dtype == "?" else "1"
    file.write_text(f"{one},{cell}\n{one},{one}\n")
    assert headrace.read_text(file, dtype, missing=f"{one},{stand_in}", header="no").tolist() == [[1, 1], [1, 1]]
    with pytest.raises(HeadraceError, match=r"a value is missing.*x\.csv:1:3"):
        headrace.read_text(file, dtype, missing=f"error,{stand_in}", header="no")


def test_neighbours_of_stand_ins_stay(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("9007199254740992,-998,999\n")
    read = headrace.read_text(file, "i8", missing="0,9007199254740993.0,-999.0,-998.5")
    assert read.tolist() == [[9007199254740992, -998, 999]]


def test_the_advice_for_integers_names_no_nan(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("1\n18446744073709551615\n")
    with pytest.raises(HeadraceError, match='missing="error,18446744073709551615"'):
        headrace.read_text(file, "i4", missing="18446744073709551615")


@pytest.mark.parametrize("mark", ["#", "%", "!"])
def test_a_mark_may_be_the_name_of_a_column(tmp_path: Path, mark: str) -> None:
    file = tmp_path / "x.csv"
    file.write_text(f"{mark},x,y\n1,2,3\n4,5,6\n")
    assert headrace.column_names(file) == [mark, "x", "y"]
    assert headrace.read_text(file, columns=["x"]).tolist() == [[2], [5]]


def test_names_of_another_number_than_the_columns_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text("a,b\n1,2,3\n")
    with pytest.raises(HeadraceError, match="another number of names"):
        headrace.column_names(file)


@pytest.mark.parametrize(("text", "delimiter"), [("# time,m\nab,cd\n", ","), ("# time m\nab cd\n", " ")])
def test_characters_have_the_names_of_numbers(tmp_path: Path, text: str, delimiter: str) -> None:
    file = tmp_path / "x.csv"
    file.write_text(text)
    assert headrace.column_names(file, delimiter=delimiter, header="yes") == ["time", "m"]
    read = headrace.read_text(file, "S4", columns=["time"], delimiter=delimiter)
    assert read.tolist() == [[b"ab"]]
