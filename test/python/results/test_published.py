"""Ratios from the published tables, recomputed by hand from the seeds."""

import pytest

from headrace.results.conclusions import published_ratios
from headrace.results.run import Provenance, Run

EMPTY = Run(provenance=Provenance(date="", headrace_version="0", command=[], host="h", system="Linux"))


@pytest.mark.parametrize(
    ("name", "operation", "value"),
    [
        ("formatted / unformatted, whole array, unbuffered", "write", 77.7938079833984 / 0.879778146743774),
        ("formatted / unformatted, whole array, buffered", "write", 7.28528094291687 / 0.491503000259399),
        ("formatted / unformatted, whole array", "read", 13.1749629974365 / 0.09195303916931152),
        ("DO loop / one statement, unformatted, unbuffered", "write", 467.021706104279 / 0.879778146743774),
        ("DO loop / one statement, unformatted, buffered", "write", 13.4019091129303 / 0.491503000259399),
        ("DO loop / one statement, unformatted", "read", 10.6995301246643 / 0.09195303916931152),
        ("DO loop / one statement, formatted, unbuffered", "write", 522.829308032990 / 77.7938079833984),
        ("DO loop / one statement, formatted, buffered", "write", 22.0161950588226 / 7.28528094291687),
        ("DO loop / one statement, formatted", "read", 27.1288828849792 / 13.1749629974365),
        ("unbuffered / buffered, unformatted, one statement", "write", 0.879778146743774 / 0.491503000259399),
        ("unbuffered / buffered, unformatted, DO loop", "write", 467.021706104279 / 13.4019091129303),
        ("unbuffered / buffered, formatted, one statement", "write", 77.7938079833984 / 7.28528094291687),
        ("unbuffered / buffered, formatted, DO loop", "write", 522.829308032990 / 22.0161950588226),
        ("scalar / array dummy, part of a file, buffered", "read", 0.963283278979361 / 0.221010014414787),
        ("slowest / fastest of the ordered list", "write", 13),
        ("slowest / fastest of the ordered list", "read", 200),
    ],
)
def test_published_ratio(name: str, operation: str, value: float) -> None:
    (found,) = [r for r in published_ratios(EMPTY) if r.name == name and r.operation == operation]
    assert found.published == pytest.approx(value)
    assert found.published_source
    assert found.measured == {}
