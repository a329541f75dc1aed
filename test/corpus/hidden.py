"""The random set, drawn from a seed. Nobody who builds `headrace inspect` looks at one before the last score."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator, default_rng

import content
import makers
from cases import TEXTS, ByteOrder, Case
from containers import available
from content import REALS, Records
from headrace.results.run import Compiler
from makers import Corpus

SIZES = (3, 10, 40, 150, 400)
SUBRECORDS = (16, 32, 100, 1024, 65_536)  # each is a compiled program
KINDS = ("real64", "real32", "real64", "real32", "int32", "int64", "int16", "complex64", "complex128")


@dataclass
class Draw:
    """One file to be drawn: its corpus, its random numbers, its name without ending."""

    corpus: Corpus
    rng: Generator
    name: str

    def size(self) -> int:
        """Elements along one dimension: few or many."""
        return int(self.rng.integers(2, self.rng.choice(SIZES)))

    def count(self, low: int, high: int) -> int:
        """From low to high, both included."""
        return int(self.rng.integers(low, high + 1))

    def order(self) -> ByteOrder:
        """Either."""
        return "big" if self.rng.random() < 0.5 else "little"

    def compiler(self) -> Compiler | None:
        """One of those at hand."""
        found = self.corpus.compilers
        return found[int(self.rng.integers(len(found)))] if found else None

    def pick(self, *choices: str) -> str:
        """One of them."""
        return str(self.rng.choice(choices))


def hidden_cases(corpus: Corpus, seed: int, count: int) -> list[Case]:
    """`count` files of random classes, sizes, types, shapes and values; the same seed gives the same files."""
    cases = []
    for number in range(count):
        rng = default_rng([seed, number])
        make = MAKERS[int(rng.integers(len(MAKERS)))]
        cases.append(make(Draw(corpus, rng, f"file-{number:04d}")))
    return cases


def some_records(draw: Draw, least: int = 1) -> Records:
    """A file of records, of at least `least`."""
    rng, kind = draw.rng, draw.pick(*KINDS)
    real = draw.pick(*REALS)
    shape = [draw.size() for _ in range(draw.count(1, 3))]
    while np.prod(shape) > 60_000:
        shape[shape.index(max(shape))] //= 2
    choices: list[Callable[[], Records]] = [
        lambda: content.series(rng, draw.count(2, 40), shape, real),
        lambda: content.snapshot(rng, draw.size(), real),
        lambda: content.mesh(rng, draw.size() + 3, draw.size() + 3),
        lambda: content.rows(rng, draw.count(3, 3000), [(kind, draw.count(1, 12))]),
        lambda: content.rows(rng, draw.count(3, 500), [("int32", draw.count(1, 3)), (real, draw.count(1, 9))]),
        lambda: content.rows(rng, draw.count(3, 60), [("character", draw.count(4, 80)), (real, draw.size())]),
        lambda: content.ragged(rng, draw.count(3, 80), draw.size() + 2, real),
        lambda: _pieces(draw, shape),
    ]
    if least == 1:
        choices.append(lambda: content.array(rng, shape, kind))
    return choices[int(rng.integers(len(choices)))]()


def _pieces(draw: Draw, shape: list[int]) -> Records:
    """A header with the shape, then arrays of that shape, each of a type of its own."""
    size = int(np.prod(shape))
    arrays = [[content.item(draw.rng, draw.pick(*KINDS), size)] for _ in range(draw.count(2, 6))]
    header = content.integers(*shape, kind=draw.pick("int32", "int64"))
    return Records([[header], *arrays], shape)


def _sequential(draw: Draw, marker_bytes: int = 4) -> Case:
    file = f"{draw.name}.dat"
    return makers.sequential(draw.corpus, file, some_records(draw), draw.compiler(), draw.order(), marker_bytes)


def _sequential8(draw: Draw) -> Case:
    return _sequential(draw, 8)


def _subrecords(draw: Draw) -> Case:
    what = some_records(draw)
    fitting = [one for one in SUBRECORDS if one < max(what.lengths())] or [SUBRECORDS[0]]
    longest = fitting[int(draw.rng.integers(len(fitting)))]
    return makers.subrecords(draw.corpus, f"{draw.name}.dat", what, draw.order(), longest)


def _huge(draw: Draw) -> Case:
    dialect = draw.pick("subrecords", "pgi", "flang", "flang", "pgi")
    most = 2**32 if dialect == "flang" else 3 * 2**31
    hole = draw.count(2**31, most - 1)
    after = some_records(draw) if draw.rng.random() < 0.6 else None
    return makers.huge(draw.corpus, f"{draw.name}.dat", dialect, some_records(draw), hole, draw.order(), after)


def _empty_records(draw: Draw) -> Case:
    records = list(some_records(draw).records)
    for _ in range(draw.count(1, 5)):
        records.insert(draw.count(0, len(records)), [])
    marker_bytes = 8 if draw.rng.random() < 0.2 else 4
    what = Records(records)
    return makers.sequential(draw.corpus, f"{draw.name}.dat", what, draw.compiler(), draw.order(), marker_bytes)


def _segmented(draw: Draw) -> Case:
    segment = (126, 2044, 2044, 8188, 32_764)[draw.count(0, 4)]
    return makers.segmented(draw.corpus, f"{draw.name}.dat", some_records(draw), segment)


def _direct(draw: Draw) -> Case:
    real = draw.pick(*REALS)
    if draw.rng.random() < 0.7:
        kinds = [("character", 4 * draw.count(1, 5)), ("int32", 2 * draw.count(1, 3)), (real, draw.count(2, 20))]
        what = content.rows(draw.rng, draw.count(20, 300), kinds[draw.count(0, 1) :])
        return makers.direct(draw.corpus, f"{draw.name}.dat", what, draw.compiler(), draw.order())
    what = content.rows(draw.rng, draw.count(20, 300), [(real, draw.count(4, 40))])
    padding = 8 * draw.count(1, 8) if draw.rng.random() < 0.5 else 0
    return makers.direct(draw.corpus, f"{draw.name}.dat", what, draw.compiler(), draw.order(), padding=padding)


def _word_recl(draw: Draw) -> Case:
    count, real = draw.count(2, 60), draw.pick(*REALS)
    what = Records([[content.item(draw.rng, real, count, "normal")] for _ in range(draw.count(5, 200))])
    return makers.direct(draw.corpus, f"{draw.name}.dat", what, draw.compiler(), draw.order(), times=4)


def _raw(draw: Draw) -> Case:
    shape = [draw.size() + 3, draw.size() + 3]
    what = content.array(draw.rng, shape, draw.pick(*KINDS))
    if draw.rng.random() < 0.3:
        what = content.series(draw.rng, draw.count(1, 4), shape, draw.pick(*REALS))
    return makers.raw(draw.corpus, f"{draw.name}.bin", what, draw.compiler(), draw.order())


def _table(draw: Draw) -> Case:
    """Text by a compiler, or comma-separated by the generator if there is none."""
    rng, rows, compiler = draw.rng, draw.count(5, 200), draw.compiler()
    whole = content.item(rng, "int32", rows * draw.count(1, 3)) if rng.random() < 0.5 else None
    real = content.item(rng, draw.pick(*REALS), rows * draw.count(1, 12), draw.pick("smooth", "normal", "uniform"))
    if compiler is None or rng.random() < 0.15:
        return _delimited(draw, real, rows)
    digits, width = draw.count(3, 16), draw.count(-1, 4)
    edit = draw.pick(f"es{digits + 8 + width}.{digits}", f"e{digits + 8 + width}.{digits}", "f14.4", "f12.3")
    columns = real.data.size // rows
    if whole is None and columns > 3 and rng.random() < 0.3:
        columns = draw.count(2, columns)  # the format starts again, and a row has several lines
    row = f"({_integers(whole, rows)}{columns}{edit})"
    form = draw.pick("*", row, row, "(*(g0,:,','))")
    header = ["# " + content.text(rng, 30).tobytes().decode().strip()] if rng.random() < 0.3 else []
    return makers.table(draw.corpus, f"{draw.name}.txt", (whole, real), rows, compiler, form, header)


def _integers(whole: content.Item | None, rows: int) -> str:
    return "" if whole is None else f"{whole.data.size // rows}i9,"


def _delimited(draw: Draw, real: content.Item, rows: int) -> Case:
    name, delimiter = (("comma", ","), ("tab", "\t"), ("semicolon", ";"))[draw.count(0, 2)]
    columns = real.data.size // rows
    header = delimiter.join(f"c{i}" for i in range(columns)) + "\n" if draw.rng.random() < 0.5 else ""
    lines = [delimiter.join(f"{value:.7g}" for value in row) for row in real.data.reshape(rows, columns)]
    accept = list(TEXTS) if columns == 1 else []
    return makers.text(
        draw.corpus, f"{draw.name}.csv", header + "\n".join(lines) + "\n", "text-delimited", name, accept
    )


def _container(draw: Draw) -> Case:
    found = available()
    kind, ending, write = found[draw.count(0, len(found) - 1)]
    file = draw.name + (ending if draw.rng.random() < 0.5 else ".dat")  # the ending must not be what tells
    array = write(draw.corpus.path(file), draw.rng)
    shape = None if array is None else list(array.shape)
    return draw.corpus.case(file, kind, "generator", shape=shape, accept=["hdf5"] if ending == ".nc4" else [])


def _truncated(draw: Draw) -> Case:
    what = some_records(draw, 3)
    marker_bytes = 8 if draw.rng.random() < 0.25 else 4
    whole = makers.sequential(draw.corpus, f"{draw.name}.dat", what, draw.compiler(), draw.order(), marker_bytes)
    record = draw.count(2, len(what.records) - 1)
    kept = draw.count(1, what.lengths()[record] + 2 * marker_bytes - 1)
    return makers.truncated(draw.corpus, whole, what, record, kept)


def _trailing(draw: Draw) -> Case:
    what = some_records(draw, 3)
    marker_bytes = 8 if draw.rng.random() < 0.25 else 4
    whole = makers.sequential(draw.corpus, f"{draw.name}.dat", what, draw.compiler(), draw.order(), marker_bytes)
    size = draw.count(1, 3) if draw.rng.random() < 0.4 else draw.count(10, 3000)
    kinds = [bytes(size - size % 8 + 3), draw.rng.bytes(size), b"end of the run, step 1000\n" * (1 + size // 26)]
    return makers.trailing(draw.corpus, whole, kinds[draw.count(0, 2)])


def _mixed(draw: Draw) -> Case:
    parts = (some_records(draw, 3), some_records(draw, 3))
    return makers.mixed(draw.corpus, f"{draw.name}.dat", parts, draw.order(), draw.compiler())


# Each is as likely as its share of this list.
MAKERS: list[Callable[[Draw], Case]] = [
    *[_sequential] * 5,
    *[_sequential8] * 2,
    *[_subrecords] * 2,
    _huge,
    _empty_records,
    *[_segmented] * 2,
    *[_direct] * 2,
    _word_recl,
    *[_raw] * 2,
    *[_table] * 4,
    *[_container] * 3,
    *[_truncated] * 2,
    _trailing,
    _mixed,
]
