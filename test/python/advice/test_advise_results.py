"""Advice from results of `headrace bench` and `bench parallel`, with known truth, and the scaling model in it."""

import math
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from advising import advised, described, items
from conftest import REPOSITORY
from headrace.measure.provenance import provenance
from headrace.results.advised import Fact
from headrace.results.parallel import Group, ParallelRow, ParallelRun, ParallelSettings
from headrace.results.records import Operation, Sample
from headrace.results.run import Row, Run
from headrace.settings.job import Job
from headrace.settings.job_of_file import of_results
from headrace.settings.place import Place
from scaling_points import ONE_NODE, truth

SIZE = 512 * 2**20  # bytes of the whole array
CASE = "one array"


def row(
    method: str, pattern: str, ranks: int, seconds: list[float], variables: Mapping[str, str] | None = None
) -> ParallelRow:
    samples = [Sample(round=n, passes=1, total=t, user=t, system=0) for n, t in enumerate(seconds)]
    made = ParallelRow(
        case=CASE,
        tool="mpi" if not variables else "romio",
        title="t",
        operation="write",
        way=method,
        payload_bytes=SIZE,
        values=SIZE // 8,
        samples=samples,
        ranks=ranks,
        directory="/work/run",
        condition="cached",
        method=method,
        pattern=pattern,
        backend="mpiio",
        environment=dict(variables or {}),
        extents=(1, 1, 1),
        layout="block",
    )
    made.conclude(0, 0.05)
    return made


def run_of(rows: list[ParallelRow], host: str = "") -> ParallelRun:
    seen = provenance([])
    seen.host = host or seen.host
    counts = sorted({one.ranks for one in rows})
    return ParallelRun(
        provenance=seen,
        settings=ParallelSettings(
            ranks=counts,
            scaling="strong",
            layout="block",
            bytes_a_rank=SIZE,
            rounds=8,
            minimum_seconds=0.1,
            time_budget=1.0,
            limit=1.0,
            seed=1,
        ),
        groups=[
            Group(
                case=CASE,
                ranks=count,
                nodes=1,
                directory="/work/run",
                write_condition="cached",
                read_condition="warm",
                extents=(1, 1, 1),
                payload_bytes=SIZE,
            )
            for count in counts
        ],
        rows=rows,
    )


def noisy(seconds: float, seed: int, rounds: int = 8, noise: float = 0.03) -> list[float]:
    random = np.random.default_rng(seed)
    return [seconds * math.exp(noise * random.standard_normal()) for _ in range(rounds)]


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[ParallelRun | Run], Path]:
    def save(run: ParallelRun | Run) -> Path:
        path = tmp_path / "run.json"
        path.write_text(run.model_dump_json())
        return path

    return save


def here() -> Place:
    """A place on this host: what was measured on it was measured here."""
    place = described()
    place.facts.append(_host(socket.gethostname()))
    return place


def _host(name: str) -> Fact:
    return Fact(name="host", value=name, how="gethostname")


OMPIO = row("mpiio:collective", "shared_collective", 8, noisy(1.0, 1))
SHARED = Job(ranks=8, pattern="shared_collective", operations=("write",))


def test_what_was_measured_here_comes_before_what_was_published(saved: Callable[[ParallelRun], Path]) -> None:
    romio = row("mpiio:collective", "shared_collective", 8, noisy(0.5, 2), {"OMPI_MCA_io": "romio321"})
    files = row("headrace:zarr:file_per_process", "file_per_process", 8, noisy(0.2, 3))
    found = of_results(saved(run_of([OMPIO, romio, files])), SHARED)
    got = items(advised(found.job, here()))
    for change, factor in (("romio", 2.0), ("file-per-process", 5.0)):
        gain = got[change].gain
        assert gain is not None and gain.known == "measured here" and gain.low is not None and gain.high is not None
        assert (
            gain.low <= factor * 1.02 and factor * 0.98 <= gain.high and gain.factor == pytest.approx(factor, rel=0.1)
        )
    assert found.remarks == ()


def test_advice_that_the_own_measurement_contradicts_is_not_given(saved: Callable[[ParallelRun], Path]) -> None:
    romio = row("mpiio:collective", "shared_collective", 8, noisy(1.3, 2), {"OMPI_MCA_io": "romio321"})
    independent = row("mpiio:independent", "shared_independent", 8, noisy(2.0, 4))
    got = items(advised(of_results(saved(run_of([OMPIO, romio, independent])), SHARED).job, here()))
    assert "romio" not in got and "independent-calls" not in got
    assert {"romio", "independent-calls"} <= set(items(advised(SHARED, here()))), "published figures would say it"


def test_results_of_another_machine_are_said_to_be(saved: Callable[[ParallelRun], Path]) -> None:
    romio = row("mpiio:collective", "shared_collective", 8, noisy(0.5, 2), {"OMPI_MCA_io": "romio321"})
    found = of_results(saved(run_of([OMPIO, romio], host="elsewhere")), SHARED)
    assert "was measured on elsewhere" in found.remarks[0] and "may not hold here" in found.remarks[0]
    gain = items(advised(found.job, here()))["romio"].gain
    assert gain is not None and gain.known == "published" and gain.source.machine == "elsewhere"


def test_hints_that_were_measured_here_are_advised_for_romio_alone(saved: Callable[[ParallelRun], Path]) -> None:
    hinted = row("mpiio:collective, cb_nodes=8", "shared_collective", 8, noisy(0.6, 5))
    hinted.hints_asked = "cb_nodes=8"
    job = of_results(saved(run_of([OMPIO, hinted])), SHARED).job
    got = items(advised(job, described(mpi_io="romio")))["aggregators"]
    assert got.hints == {"cb_nodes": "8"} and got.expected == pytest.approx(1 / 0.6, rel=0.1)
    assert "aggregators" not in items(advised(job, described(mpi_io="ompio")))


def test_too_few_rounds_prove_nothing(saved: Callable[[ParallelRun], Path]) -> None:
    romio = row("mpiio:collective", "shared_collective", 8, noisy(0.9, 2, rounds=3), {"OMPI_MCA_io": "romio321"})
    gain = items(advised(of_results(saved(run_of([OMPIO, romio])), SHARED).job, here()))["romio"].gain
    assert gain is not None and gain.known == "published"


def test_the_model_answers_for_mpi_ranks_that_were_not_measured(saved: Callable[[ParallelRun], Path]) -> None:
    law = truth(ONE_NODE, "file_per_process")
    rows = [
        row("raw:file_per_process", "file_per_process", count, noisy(law(count, 1, SIZE), count))
        for count in (1, 2, 3, 4, 6, 8, 12, 16)
    ]
    path = saved(run_of(rows))
    near = Job(ranks=24, bytes_a_rank=SIZE // 24, pattern="file_per_process", operations=("write",))
    (answer,) = advised(of_results(path, near).job, here()).predicted
    true = SIZE / law(24, 1, SIZE) / 1e9
    assert answer.median is not None and answer.low is not None and answer.high is not None
    assert answer.low <= true <= answer.high and answer.high < 2 * answer.low
    far = Job(ranks=4096, nodes=32, bytes_a_rank=2**20, pattern="file_per_process", operations=("write",))
    (refused,) = advised(of_results(path, far).job, here()).predicted
    assert refused.median is None and refused.refusal and refused.hint
    same = Job(ranks=8, pattern="file_per_process", operations=("write",))
    assert advised(of_results(path, same).job, here()).predicted == [], "it was measured"


def test_buffers_that_were_measured_here_are_advised(saved: Callable[[Run], Path]) -> None:
    def measured(knob: str, seconds: list[float], operation: Operation) -> Row:
        made = Row(
            compiler="gfortran 12.2.0",
            directory="/work/run",
            family="unformatted",
            mechanism="element",
            statement="write (unit) x(i)",
            shape="real64 (n)",
            condition="cached",
            knob=knob,
            operation=operation,
            payload_bytes=10**6,
            samples=[Sample(round=n, passes=1, total=t, user=t, system=0) for n, t in enumerate(seconds)],
        )
        return made

    rows = [
        measured("default", noisy(1.0, 1), "write"),
        measured("unformatted-buffer-1m", noisy(0.5, 2), "write"),
        measured("unformatted-buffer-512", noisy(3.0, 3), "write"),
        measured("unbuffered", noisy(6.0, 4), "write"),
    ]
    job = Job(format="unformatted", statements="element", operations=("write",))
    found = of_results(saved(Run(provenance=provenance([]), rows=rows)), job).job
    got = items(advised(found, here()))
    assert "unformatted-buffer-512" not in got
    assert got["unformatted-buffer-1m"].lines == ["export GFORTRAN_UNFORMATTED_BUFFER_SIZE=1048576"]
    assert got["unformatted-buffer-1m"].expected == pytest.approx(2.0, rel=0.1)
    place = described(variables={"GFORTRAN_UNBUFFERED_ALL": "y"})
    assert items(advised(found, place))["unset-unbuffered"].expected == pytest.approx(6.0, rel=0.1)


def test_the_results_of_this_project_can_be_read() -> None:
    found = of_results(REPOSITORY / "doc" / "results" / "parallel.json", SHARED)
    assert found.job.measured is not None and found.job.ranks == 8 and found.job.bytes_a_rank > 0
