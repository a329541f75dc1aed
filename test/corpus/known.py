"""The named set: cases made by hand, at least one of each class. Those who build `headrace inspect` may look at it."""

import numpy as np
from numpy.random import Generator
from numpy.random import default_rng as generator

import content
import makers
from cases import TEXTS, Case
from containers import available
from content import Item, Records
from makers import Corpus

Short = Records([[content.integers(10, 20)], [content.integers(1, 2, 3)]])
GIB = 2**30


def known_cases(corpus: Corpus) -> list[Case]:
    """Writes the set into the corpus' directory."""
    rng = generator(2026)
    cases: list[Case] = []
    for part in (_records, _options_of_gfortran, _empty_records, _damaged, _huge, _segmented, _fixed, _raw, _texts):
        cases += part(corpus, rng)
    for kind, ending, write in available():
        file = f"container-{ending[1:]}{ending}"
        array = write(corpus.path(file), rng)
        shape = None if array is None else list(array.shape)
        accept = ["hdf5"] if ending == ".nc4" else []
        cases.append(corpus.case(file, kind, "generator", shape=shape, accept=accept))
    return cases


def _records(corpus: Corpus, rng: Generator) -> list[Case]:
    contents = {
        "series": content.series(rng, 30, (16, 24)),
        "series-real32": content.series(rng, 8, (5, 12, 7), "real32"),
        "matrix": content.array(rng, (40, 25), "real32", "normal"),
        "snapshot": content.snapshot(rng, 120),
        "mesh": content.mesh(rng, 90, 150),
        "one-value-a-record": content.rows(rng, 5000, [("real64", 1)]),
        "row-with-number": content.rows(rng, 700, [("int32", 1), ("real64", 3)]),
        "ragged": content.ragged(rng, 40, 60),
        "one-integer": Records([[content.integers(7)]]),
    }
    cases = []
    for compiler in corpus.writers():
        by = compiler.vendor if compiler else "generator"
        for name, what in contents.items():
            for order in makers.OTHER:
                cases.append(makers.sequential(corpus, f"record4-{name}-{order}-{by}.dat", what, compiler, order))
    for name in ("series", "snapshot", "one-value-a-record", "ragged"):
        for order in makers.OTHER:
            file = f"record8-{name}-{order}.dat"
            cases.append(makers.sequential(corpus, file, contents[name], corpus.gnu(), order, 8))
    zeros = Records([[content.item(rng, "real64", 50, "zeros")] for _ in range(6)])
    cases.append(makers.sequential(corpus, "record4-zeros.dat", zeros, corpus.gnu()))
    nan = Records([[content.item(rng, "real64", 60, "partly NaN")] for _ in range(6)])
    cases.append(makers.sequential(corpus, "record4-nan.dat", nan, corpus.gnu()))
    lines = Records([[Item("character", content.text(rng, 80))] for _ in range(20)])
    cases.append(makers.sequential(corpus, "record4-text.dat", lines, corpus.gnu()))
    return cases


def _options_of_gfortran(corpus: Corpus, rng: Generator) -> list[Case]:
    cases = []
    for order in makers.OTHER:
        what = content.series(rng, 6, (9, 5))
        cases.append(makers.subrecords(corpus, f"subrecords-32-{order}.dat", what, order, 32))
        what = content.array(rng, (30, 50))
        cases.append(makers.subrecords(corpus, f"subrecords-1024-{order}.dat", what, order, 1024))
    cases.append(makers.subrecords(corpus, "subrecords-odd.dat", content.snapshot(rng, 40), "little", 100))
    return cases


def _empty_records(corpus: Corpus, rng: Generator) -> list[Case]:
    between = content.series(rng, 5, (4, 6)).records
    contents = {
        "between": Records([one for record in between for one in (record, [])]),
        "first": Records([[], *between]),
        "last": Records([*between, []]),
        "only": Records([[], [], []]),
    }
    cases = [
        makers.sequential(corpus, f"empty-{name}-{order}.dat", what, corpus.gnu(), order)
        for name, what in contents.items()
        for order in makers.OTHER
    ]
    return [*cases, makers.sequential(corpus, "empty-record8.dat", contents["between"], corpus.gnu(), "little", 8)]


def _damaged(corpus: Corpus, rng: Generator) -> list[Case]:
    what = content.series(rng, 10, (8, 8))
    flat = content.rows(rng, 50, [("real64", 4)])
    gnu = corpus.gnu()

    def whole(file: str, records: Records = what, order: str = "little", marker_bytes: int = 4) -> Case:
        return makers.sequential(corpus, file, records, gnu, "big" if order == "big" else "little", marker_bytes)

    cases = [
        makers.truncated(corpus, whole("truncated-in-data.dat"), what, 20, 100),
        makers.truncated(corpus, whole("truncated-in-marker.dat"), what, 25, 2),
        makers.truncated(corpus, whole("truncated-in-trailing-marker.dat"), what, 29, 4 + 512 + 1),
        makers.truncated(corpus, whole("truncated-big.dat", order="big"), what, 17, 60),
        makers.truncated(corpus, whole("truncated-short-records.dat", flat), flat, 49, 11),
        makers.truncated(corpus, whole("truncated-first-record.dat", content.array(rng, (20, 20))),
                         content.array(rng, (20, 20)), 0, 1000),
        makers.truncated(corpus, whole("truncated-record8.dat", marker_bytes=8), what, 23, 40),
        makers.trailing(corpus, whole("trailing-text.dat"), b"# written by run 17\n"),
        makers.trailing(corpus, whole("trailing-zeros.dat"), bytes(3)),
        makers.trailing(corpus, whole("trailing-block.dat", flat, "big"), bytes(rng.integers(1, 256, 1000).tolist())),
        makers.trailing(corpus, whole("trailing-record8.dat", marker_bytes=8), b"\xff" * 5),
    ]  # fmt: skip
    for order in makers.OTHER:
        cases.append(makers.mixed(corpus, f"mixed-{order}-first.dat", (what, flat), order, gnu))
    return cases


def _huge(corpus: Corpus, rng: Generator) -> list[Case]:
    after = content.series(rng, 2, (3, 5))
    cases = []
    for order in makers.OTHER:
        cases += [
            makers.huge(corpus, f"huge-flang-{order}.dat", "flang", Short, 3 * GIB, order, after),
            makers.huge(corpus, f"huge-subrecords-{order}.dat", "subrecords", Short, 5 * GIB, order, after),
            makers.huge(corpus, f"huge-pgi-{order}.dat", "pgi", Short, 5 * GIB, order, after),
        ]
    return [
        *cases,
        makers.huge(corpus, "huge-pgi-signs.dat", "pgi-signs", Short, 3 * GIB, "little", after),
        makers.huge(corpus, "huge-pgi-negative.dat", "pgi-negative", Short, 5 * GIB, "little", after),
    ]


def _segmented(corpus: Corpus, rng: Generator) -> list[Case]:
    odd = Records([[Item("character", content.text(rng, n))] for n in (7, 80, 2045, 1)])
    return [
        makers.segmented(corpus, "segmented-series.dat", content.series(rng, 12, (30, 20))),
        makers.segmented(corpus, "segmented-small.dat", content.rows(rng, 300, [("int32", 1), ("real64", 2)])),
        makers.segmented(corpus, "segmented-odd.dat", odd),
        makers.segmented(corpus, "segmented-long.dat", content.array(rng, (300, 60)), 32_764),
    ]


def _fixed(corpus: Corpus, rng: Generator) -> list[Case]:
    mixture = content.rows(rng, 60, [("character", 8), ("int32", 2), ("real64", 5)])
    cases = []
    for compiler in corpus.writers():
        by = compiler.vendor if compiler else "generator"
        plain = content.rows(rng, 40, [("real64", 16)])
        cases += [
            makers.direct(corpus, f"direct-mixture-{by}.dat", mixture, compiler),
            makers.direct(corpus, f"direct-mixture-big-{by}.dat", mixture, compiler, "big"),
            makers.direct(corpus, f"direct-padded-{by}.dat", plain, compiler, padding=32),
            makers.direct(corpus, f"direct-plain-{by}.dat", plain, compiler),
            makers.direct(corpus, f"direct-word-recl-{by}.dat", plain, compiler, times=4),
        ]
    rows = content.rows(rng, 30, [("real32", 10)])
    holes = sorted(int(n) for n in rng.choice(np.arange(1, 60), 30, replace=False))
    return [
        *cases,
        makers.direct(corpus, "direct-word-recl-real32-big.dat", rows, corpus.gnu(), "big", times=4),
        makers.direct(corpus, "direct-records-never-written.dat", mixture, corpus.gnu(), numbers=[*range(2, 122, 2)]),
        makers.direct(corpus, "direct-some-written.dat", rows, corpus.gnu(), numbers=holes),
    ]


def _raw(corpus: Corpus, rng: Generator) -> list[Case]:
    kinds = ("real64", "real32", "int32", "int16", "int64", "complex128")
    cases = []
    for compiler in corpus.writers():
        by = compiler.vendor if compiler else "generator"
        for kind in kinds[:3]:
            values = "counts" if kind == "int32" else "smooth"
            what = content.array(rng, (30, 20), kind, values)
            cases.append(makers.raw(corpus, f"raw-{kind}-{by}.bin", what, compiler))
        cases.append(makers.raw(corpus, f"raw-real64-big-{by}.bin", content.array(rng, (25, 20)), compiler, "big"))
    for kind in kinds[3:]:
        cases.append(makers.raw(corpus, f"raw-{kind}.bin", content.array(rng, (200,), kind), None))
    header = content.series(rng, 1, (20, 30))
    cases.append(makers.raw(corpus, "raw-header-and-field.bin", header, corpus.gnu()))
    random = Records([[Item("int8", rng.integers(-128, 128, 5000).astype("<i1"))]])
    cases.append(makers.raw(corpus, "raw-random-bytes.bin", random, None, note="no structure at all"))
    return cases


def _texts(corpus: Corpus, rng: Generator) -> list[Case]:
    cases = []
    n = 40
    reals = content.item(rng, "real64", 4 * n, "normal")
    wide = content.item(rng, "real64", 30 * n, "normal")
    small = content.item(rng, "real64", 10 * n, "uniform")
    steps = content.item(rng, "int32", n, "indices")
    singles = content.item(rng, "real32", 3 * n, "smooth")
    for compiler in corpus.compilers:
        by = compiler.vendor
        for name, items, form, header in (
            ("list-directed-reals", (None, reals), "*", ()),
            ("list-directed-rows", (steps, singles), "*", ()),
            ("list-directed-wrapped", (None, wide), "*", ()),
            ("list-directed-integers", (content.item(rng, "int32", 4 * n), None), "*", ()),
            ("list-directed-header", (steps, reals), "*", ["# step x y z w", "# run 12"]),
            ("formatted-10e15.5", (None, small), "(10e15.5)", ()),
            ("formatted-es23.15", (None, reals), "(4es23.15)", ()),
            ("formatted-several-lines", (None, small), "(4e15.6)", ()),
            ("formatted-touching", (None, reals), "(4es24.16e3)", ()),
            ("formatted-row", (steps, singles), "(i8,3f12.4)", ()),
            ("formatted-title", (steps, reals), "(i6,4e16.8)", ["step            x               y"]),
            ("delimited-g0", (steps, reals), "(*(g0,:,','))", ()),
        ):
            cases.append(makers.table(corpus, f"text-{name}-{by}.txt", items, n, compiler, form, header))
    lines = [",".join(f"{value:.6g}" for value in row) for row in reals.data.reshape(n, 4)]
    csv = "x,y,z,w\n" + "\n".join(lines) + "\n"
    table = "step\tname\tvalue\n" + "".join(f"{i}\tpoint {i}\t{i / 7}\n" for i in range(n))
    prose = "This directory holds the results of run 17.\nThe mesh was refined twice; see notes.txt for details.\n" * 3
    return [
        *cases,
        makers.text(corpus, "text-comma.csv", csv, "text-delimited", ","),
        makers.text(corpus, "text-comma-crlf.csv", csv.replace("\n", "\r\n"), "text-delimited", ","),
        makers.text(corpus, "text-tab.tsv", table, "text-delimited", "tab"),
        makers.text(corpus, "text-quoted.csv", csv.replace("x,y", '"x, in m","y"'), "text-delimited", ","),
        makers.text(corpus, "text-prose.txt", prose, "text", accept=TEXTS),
    ]
