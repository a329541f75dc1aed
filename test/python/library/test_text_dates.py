"""Dates and times of cells against Python's datetime, and cells that are no numbers in Python's faces."""

import datetime
import random
from pathlib import Path

import numpy as np
import pytest

import headrace
from headrace.cells import Cells
from headrace.errors import StatusError

UTC = datetime.timezone.utc
EPOCHS = ["1970-01-01", "2000-01-01T12:00:00Z", "0001-01-01", "9999-12-31T23:59:59Z", "1858-11-17T00:00+05:30"]
RANDOM = random.Random(20)
NO_DATES = [
    *("2010-02-30", "2011-02-29", "1900-02-29", "2010-13-01", "2010-00-01", "2010-04-31", "0000-01-01", "2010-1-5"),
    *("2010-01-05T24:00:01", "2010-01-05T23:59:60", "2010-01-05T12:61", "2010-01-05T12:30:00+24:00", "today"),
]


def moment(text: str) -> datetime.datetime:
    """What Python makes of a text; without an offset: UTC."""
    found = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found


def random_moment() -> datetime.datetime:
    """Of the years 2 to 9998, so that an offset stays within the calendar."""
    day = datetime.date.fromordinal(RANDOM.randint(366, datetime.date.max.toordinal() - 366))
    time = datetime.time(RANDOM.randrange(24), RANDOM.randrange(60), RANDOM.randrange(60), RANDOM.randrange(10**6))
    return datetime.datetime.combine(day, time)


def random_text() -> str:
    """A date or time in one of the forms that both know."""
    found = random_moment()
    separator = RANDOM.choice("T ")
    form = RANDOM.randrange(5)
    if form == 0:
        return found.date().isoformat()
    offset = RANDOM.choice(["", "Z", f"{RANDOM.choice('+-')}{RANDOM.randrange(24):02}:{RANDOM.randrange(60):02}"])
    digits = {1: "minutes", 2: "seconds", 3: "milliseconds", 4: "microseconds"}[form]
    return found.isoformat(separator, digits) + offset


def read(texts: list[str], array: np.ndarray, since: str, folder: Path) -> None:
    (folder / "t.csv").write_text("\n".join(texts) + "\n")
    with Cells() as cells:
        cells.read(folder / "t.csv")
        cells.get(array, since=since)


def seconds_of(span: datetime.timedelta) -> float:
    """Correctly rounded: a quotient of two integers is."""
    microseconds = (span.days * 86400 + span.seconds) * 10**6 + span.microseconds
    return microseconds / 10**6


@pytest.mark.parametrize("since", EPOCHS)
def test_random_dates_and_times_are_the_seconds_of_datetime(tmp_path: Path, since: str) -> None:
    texts = [random_text() for _ in range(20000)]
    found = np.zeros((len(texts), 1))
    read(texts, found, since, tmp_path)
    epoch = moment(since)
    assert found[:, 0].tolist() == [seconds_of(moment(text) - epoch) for text in texts]


def test_months_begin_on_their_first_day(tmp_path: Path) -> None:
    texts = [f"{year:04}-{month:02}" for year in range(1, 10000) for month in range(1, 13)]
    found = np.zeros((len(texts), 1), np.int64)
    read(texts, found, "1970-01-01", tmp_path)
    assert found[:, 0].tolist() == [int(moment(f"{text}-01").timestamp()) for text in texts]


def test_seconds_come_back_as_the_moments_of_datetime(tmp_path: Path) -> None:
    moments = [random_moment().replace(tzinfo=UTC) for _ in range(20000)]
    epoch = moment("1970-01-01")
    whole = np.array([[(one - epoch) // datetime.timedelta(seconds=1)] for one in moments])
    half = whole.astype(np.float64) + 0.5
    for array, part in ((whole, datetime.timedelta()), (half, datetime.timedelta(seconds=0.5))):
        with Cells() as cells:
            cells.put(array, since="1970-01-01")
            cells.write(tmp_path / "t.csv")
            back = np.zeros_like(array)
            cells.get(back, since="1970-01-01")
        assert np.array_equal(back, array)
        lines = (tmp_path / "t.csv").read_text().splitlines()
        assert [moment(line) for line in lines] == [one.replace(microsecond=0) + part for one in moments]


@pytest.mark.parametrize("text", NO_DATES)
def test_what_datetime_refuses_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        datetime.datetime.fromisoformat(text)
    with pytest.raises(StatusError, match="expected a date or time"):
        read([text], np.zeros((1, 1)), "1970-01-01", tmp_path)


@pytest.mark.parametrize("text", ["2010-01", "1974Q1", "55-1234", "1+300", "1.5-3", "1q5"])
def test_no_face_makes_numbers_of_texts_without_an_exponent_of_e_or_d(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.csv").write_text(f"1,2\n{text},5\n")
    place = r"x.csv:2:1"
    with pytest.raises(StatusError, match=place):
        headrace.read_text(tmp_path / "x.csv")
    with pytest.raises(StatusError, match=place):
        headrace.read_array(tmp_path / "x.csv", np.zeros((2, 2)))
    with pytest.raises(StatusError, match=place):
        headrace.load(tmp_path / "x.csv")
    with Cells() as cells, pytest.raises(StatusError, match=place):
        cells.read(tmp_path / "x.csv")
        cells.get(np.zeros((2, 2)))
