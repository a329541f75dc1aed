"""A run that was never measured: every outcome, verdict and section of a results file, and hostile strings."""

from headrace.results.records import Condition, Operation, Outcome, Sample, Statistics, Verdict
from headrace.results.run import (
    Check,
    Compiler,
    CostModel,
    CostTerm,
    Directory,
    Knob,
    Provenance,
    Row,
    Run,
    Settings,
    Skip,
)

HOSTILE = "</td><script>alert('pwned')</script> \"quoted\" & <b>bold</b> {{ 7 * 7 }} \x1b[31m\u202egnp"
COMPILERS = ("gfortran 12.2.0", "flang 19.1.7")
DIRECTORIES = ("/dev/shm/headrace", "/scratch/<project>&co/user/headrace")

# Name, statement, useful MB/s of gfortran and flang.
WAYS = [
    ("formatted:list_directed", "do i = 1, size(array, 2); write (unit, *) array(:, i); end do", 22, 19),
    ("formatted:constant_format", "do i = 1, n; write (unit, '(10e15.5)') array(:, i); end do", 25, 35),
    ("formatted:integer_element", "do i = 1, size(array); write (unit, '(i0)') array(i); end do", 45, 42),
    ("formatted:integer_whole", "write (unit, '(10i12)') array", 128, 45),
    ("unformatted:integer_element", "do i = 1, size(array); write (unit) array(i); end do", 63, 55),
    ("unformatted:integer_whole", "write (unit) array", 2940, 940),
    (
        "unformatted:short_records",
        "do i = 1, imax; write (unit) (array(m, i), m = 1, mmax); end do",
        314,
        176,
    ),
    ("unformatted:nested_natural", "write (unit) ((array(m, i), m = 1, mmax), i = 1, imax)", 1800, 4.5),
    ("unformatted:whole", "write (unit) array", 1820, 870),
    ("stream:whole", "write (unit) array", 2930, 1360),
    ("stream:blocks", "do i = 1, n, block; write (unit) array(i:i + block - 1); end do", 3090, 2980),
    ("byte_order:big_endian", "open (..., convert='big_endian'); write (unit) array", 2370, 4.0),
]
TROUBLE: list[tuple[str, Outcome, Verdict | None, str]] = [
    ("trouble:noisy", "measured", "noisy", "interval wider than 10 %"),
    ("trouble:too_short", "measured", "too-short", ""),
    ("trouble:cache_suspect", "measured", "cache-suspect", "faster than the ceiling"),
    ("trouble:unverified", "measured", "unverified", "the file was gone"),
    ("trouble:unknown", "measured", "unknown", "12 % of the pages stayed in the page cache"),
    ("trouble:wrong", "wrong", None, "value 17 is 0.0, expected 0.25"),
    ("trouble:refused", "refused", None, "error #6404: this name does not have a type <BUFFERED> & more"),
    ("trouble:failed", "failed", None, HOSTILE),
    ("trouble:timed_out", "timed-out", None, "no answer within 60 s"),
    ("trouble:skipped", "skipped", None, "needs MPI"),
]


def synthetic_run(ways: list[tuple[str, str, float, float]] = WAYS) -> Run:
    """Two compilers, two directories, two conditions an operation."""
    rows = _ceilings() + _ways(ways) + _trouble() + _knobs() + _readers() + _many()
    return Run(
        elapsed_seconds=431.5,
        provenance=_provenance(),
        settings=Settings(select=["all"], conditions=["cached", "warm", "synced", "cold"], readers=[1, 2, 4, 8]),
        compilers=[_compiler(name) for name in COMPILERS],
        directories=[
            Directory(path=DIRECTORIES[0], file_system="tmpfs", mount_options="rw,nosuid", total_bytes=8 * 10**9),
            Directory(
                path=DIRECTORIES[1],
                file_system="lustre",
                stripe="stripe_count: 4",
                device="10.0.0.1@o2ib:/fs",
            ),
        ],
        knobs=[
            Knob(name="default"),
            Knob(
                name="big buffer",
                environment={"GFORTRAN_UNFORMATTED_BUFFER_SIZE": "1048576"},
                source="GCC manual",
            ),
            Knob(name="unbuffered", environment={"GFORTRAN_UNBUFFERED_ALL": "y"}, source="GCC manual"),
            Knob(name="fconvert", flags=["-fconvert=big-endian"], tested=False, source=HOSTILE),
        ],
        rows=rows,
        cost_models=_cost_models(),
        checks=_checks(),
        skipped=[Skip(what="ifx", why="not on the PATH"), Skip(what="cold reads in /dev/shm", why=HOSTILE)],
        notes=["The disk is shared: expect noise.", HOSTILE],
    )


def _row(
    key: str,
    compiler: str,
    directory: str,
    operation: Operation,
    condition: Condition,
    speed: float | None,
    **more: object,
) -> Row:
    family, _, mechanism = key.partition(":")
    payload = 24_000_000
    values: dict[str, object] = {
        "statement": "write (unit) array" if operation == "write" else "read (unit) array",
        "verdict": "valid",
        "ceiling_fraction": speed and speed / 3200,
        "peak_memory_bytes": 131072 if speed else None,
    } | more
    if speed:
        time = payload / speed / 1e6
        values["statistics"] = _statistics(speed, 0.3 if values["verdict"] == "noisy" else 0.03)
        values["samples"] = [_sample(r, time * (1 + 0.01 * r)) for r in range(6)]
    return Row(
        family=family,
        mechanism=mechanism,
        compiler=compiler,
        directory=directory,
        operation=operation,
        condition=condition,
        shape="real64 (3, n)",
        count=payload // 8,
        payload_bytes=payload,
        file_bytes=payload + 8,
        **values,  # type: ignore[arg-type]
    )


def _ceilings() -> list[Row]:
    text = "write(2) in 1 MiB blocks"
    return [
        _row("c_library:system_1m", COMPILERS[0], directory, operation, condition, speed, statement=text)
        for directory, factor in zip(DIRECTORIES, (1.0, 0.7), strict=True)
        for operation, condition, speed in _conditions(3200 * factor)
    ]


def _many() -> list[Row]:
    return [
        _row("c_library:system_1m", COMPILERS[0], DIRECTORIES[0], operation, condition, 2 * speed, processes=2)
        for operation, condition, speed in _conditions(3200)
    ]


def _conditions(speed: float) -> list[tuple[Operation, Condition, float]]:
    return [
        ("write", "cached", speed),
        ("write", "synced", speed * 0.6),
        ("read", "warm", speed * 2.2),
        ("read", "cold", speed * 0.9),
    ]


def _ways(ways: list[tuple[str, str, float, float]]) -> list[Row]:
    rows: list[Row] = []
    for key, statement, *speeds in ways:
        for compiler, base in zip(COMPILERS, speeds, strict=True):
            for directory, factor in zip(DIRECTORIES, (1.0, 0.6), strict=True):
                for operation, condition, speed in _conditions(base * factor):
                    text = statement if operation == "write" else statement.replace("write", "read")
                    share = 0.001 if condition == "cold" else None
                    rows.append(
                        _row(
                            key,
                            compiler,
                            directory,
                            operation,
                            condition,
                            speed,
                            statement=text,
                            resident_share=share,
                        )
                    )
    return rows


def _trouble() -> list[Row]:
    rows: list[Row] = []
    for index, (key, outcome, verdict, message) in enumerate(TROUBLE):
        for compiler in COMPILERS[: 1 + index % 2]:
            speed = 40.0 * 3**index if outcome == "measured" else None
            rows.append(
                _row(
                    key,
                    compiler,
                    DIRECTORIES[0],
                    "write",
                    "cached",
                    speed,
                    outcome=outcome,
                    verdict=verdict,
                    message=message,
                    statement=HOSTILE,
                )
            )
    return rows


def _knobs() -> list[Row]:
    rows: list[Row] = []
    for knob, factor in (("big buffer", 1.4), ("unbuffered", 0.01), ("fconvert", 1.01)):
        for key, statement, speed, _ in WAYS[4:8]:
            row = _row(
                key,
                COMPILERS[0],
                DIRECTORIES[0],
                "write",
                "cached",
                speed * factor,
                knob=knob,
                statement=statement,
            )
            rows.append(row)
    rows[-1].statistics, rows[-1].outcome, rows[-1].message = None, "refused", "unknown option"
    return rows


def _readers() -> list[Row]:
    seconds = {
        "scalar_dummy": (0.028, 0.098, 0.262, 0.599),
        "array_dummy": (0.028, 0.029, 0.095, 0.112),
        "stream_pos": (0.025, 0.012, 0.012, 0.009),
    }
    return [
        _row(
            f"part_of_file:{name}",
            compiler,
            DIRECTORIES[0],
            "read",
            "warm",
            24 / (time * slower),
            processes=count,
            statement=f"read (unit, pos=first) part ! {name}",
        )
        for compiler, slower in zip(COMPILERS, (1, 4), strict=True)
        for name, times in seconds.items()
        for count, time in zip((1, 2, 4, 8), times, strict=True)
    ]


def _statistics(median: float, spread: float) -> Statistics:
    return Statistics(
        n=6,
        median=median,
        lower_quartile=median * (1 - spread / 2),
        upper_quartile=median * (1 + spread / 2),
        minimum=median * (1 - spread),
        maximum=median * (1 + spread),
        low=median * (1 - spread),
        high=median * (1 + spread),
        confidence=0.96875,
    )


def _sample(number: int, time: float) -> Sample:
    return Sample(
        round=number,
        passes=3,
        total=time,
        open=1e-5,
        transfer=time * 0.9,
        close=1e-5,
        sync=0,
        user=time * 0.5,
        system=time * 0.4,
        system_calls=184 if number else -1,
    )


def _compiler(identifier: str) -> Compiler:
    name, _, version = identifier.partition(" ")
    return Compiler(
        name=name,
        path=f"/usr/bin/{name}",
        vendor="gnu" if name == "gfortran" else "llvm",
        version=version,
        identifier=identifier,
        version_text=f"{name} ({HOSTILE}) {version}",
        flags=["-O2"],
        compiler_version=f"{name} version {version}",
        compiler_options="-O2 -march=native",
    )


def _provenance() -> Provenance:
    return Provenance(
        date="2026-11-20T09:30:00+01:00",
        headrace_version="0.1.0",
        command=["headrace", "bench", "--dir", DIRECTORIES[1]],
        host="login<1>&co",
        system="Linux 6.1.0 x86_64",
        distribution="Debian GNU/Linux 12",
        processor="A processor of 2026",
        cores=128,
        memory_bytes=256 * 10**9,
        dirty_limits={"dirty_ratio": "20", "dirty_background_ratio": "10"},
        load_before=[0.5, 0.4, 0.3],
        load_after=[1.9, 1.2, 0.8],
        variables={"OMP_NUM_THREADS": "4", "GFORTRAN_UNBUFFERED_ALL": HOSTILE},
        mpi="Open MPI 4.1.4",
        job={"SLURM_JOB_ID": "1234"},
    )


def _cost_models() -> list[CostModel]:
    return [
        CostModel(
            compiler=compiler,
            operation=operation,
            terms=[
                CostTerm(name="statement", nanoseconds=59 * factor, meaning="one sequential unformatted statement"),
                CostTerm(name="array item", nanoseconds=2.3 * factor, meaning="an item of a whole array"),
                CostTerm(name="byte", nanoseconds=0.3, meaning="pieces under 64 KiB"),
            ],
            formatted={"es23.15": (135 * factor, 339), "<*> & list": (91, 308)},
            fitted_on=210,
            held_out=48,
            median_error=0.047,
            ninetieth_percentile_error=0.15,
            gain_median_error=0.06,
            gain_pairs=74,
            note="Processor time only.",
        )
        for compiler, factor in zip(COMPILERS, (1, 5), strict=True)
        for operation in ("write", "read")
    ]


def _checks() -> list[Check]:
    table: list[tuple[str, str, list[str]]] = [
        ("full_disk", "Does a full disk give an error?", ["wrong", "right"]),
        ("big_record", "Can a 3 GiB record be read back?", ["right", "wrong"]),
        ("foreign_markers", "Is a file of the other byte order refused?", ["right", "right"]),
        ("async_order", "Do asynchronous transfers keep their order?", ["refused", "skipped"]),
    ]
    return [
        Check.model_validate(
            {"compiler": compiler, "name": name, "question": question, "answer": answer, "detail": detail}
        )
        for name, question, answers in table
        for compiler, answer, detail in zip(COMPILERS, answers, ("write 0, close 0, file cut", HOSTILE), strict=True)
    ]
