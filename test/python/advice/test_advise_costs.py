"""What calls cost in a directory: the probe finds what is planted, and rules weigh it with the counts of a trace."""

from dataclasses import replace
from pathlib import Path

import pytest

from filesystems.planted import planted, why_not
from filesystems.settings import Settings
from headrace.errors import HeadraceError
from headrace.settings.evidence import Context
from headrace.settings.job import Files, Job, Moved, Observed
from headrace.settings.place import Place, measured
from headrace.settings.probe import Costs, probe
from headrace.settings.rules import calls, mpi_io, statements
from headrace.settings.storage import Storage
from headrace.settings.trials.candidates import candidates

EVEN = Costs(
    1e-5, 1e-5, 1e-6, 1e-6, 1e-4, ((512, 1e-6), (8192, 2e-6), (65536, 1.6e-5), (131072, 3.2e-5), (1 << 20, 2.6e-4))
)
SLOW = replace(
    EVEN, create=0.01, lock=0.02, writes=((512, 2e-3), (8192, 2e-3), (65536, 2e-3), (131072, 2e-3), (1 << 20, 2e-3))
)
SEEN = Observed("t", seconds=1.0)


def context(observed: Observed, costs: Costs | None, **members: object) -> Context:
    place = Place(Storage(kind="fuse"), vendors=("gnu",), costs=costs, **members)  # type: ignore[arg-type]
    return Context(Job(observed=observed, format="unformatted", flush=observed.flushes > 0), place, None, ())


def test_the_probe_leaves_nothing_and_finds_all(tmp_path: Path) -> None:
    found = probe(tmp_path)
    assert not list(tmp_path.iterdir())
    assert min(found.create, found.remove, found.reopen, found.lock, found.fsync, *dict(found.writes).values()) > 0
    with pytest.raises(HeadraceError, match="no-such"):
        probe(tmp_path / "no-such")


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_the_probe_finds_what_is_planted() -> None:
    """A call takes at least what it costs there."""
    with planted(Settings(costs={"create": 0.005, "lock": 0.008, "small_write": 0.003, "fsync": 0.01})) as place:
        found = probe(place.folder)
        assert not list(place.folder.iterdir())
    assert found.create >= 0.005 and found.lock >= 0.008 and found.fsync >= 0.013
    assert found.write(512) >= 0.003 and found.write(8192) >= 0.003


def test_what_cannot_be_measured_is_a_fact(tmp_path: Path) -> None:
    place = measured(Place(), tmp_path / "no-such", "")
    assert place.costs is None and place.facts[-1].value == "not measured" and "no-such" in place.facts[-1].how


def test_a_write_between_two_sizes_lies_between_them() -> None:
    assert EVEN.write(8192) == 2e-6 and 1e-6 < EVEN.write(4096) < 2e-6
    assert EVEN.write(4 << 20) == pytest.approx(4 * 2.6e-4) and EVEN.write(1) == 1e-6


@pytest.mark.parametrize(("costs", "factor"), [(SLOW, 1 / (0.1 + 0.9 / 8)), (EVEN, None), (None, None)])
def test_larger_buffers_help_where_small_writes_cost(costs: Costs | None, factor: float | None) -> None:
    observed = replace(SEEN, binary=Moved(450, 450 * 131072, 0.9))
    items = list(calls.larger_buffers(context(observed, costs)))
    assert [item.gain.factor for item in items if item.gain] == ([pytest.approx(factor, rel=0.01)] if factor else [])
    large = context(observed, costs, variables={"GFORTRAN_UNFORMATTED_BUFFER_SIZE": str(1 << 20)})
    assert not list(calls.larger_buffers(large)), "the buffer is large already"
    flushed = replace(observed, binary=Moved(450, 450 * 400, 0.9))
    assert not list(calls.larger_buffers(context(flushed, costs))), "something else empties the buffer"


def test_locks_of_hdf5_are_off_or_cost() -> None:
    observed = replace(SEEN, hdf5_opens=40, hdf5_open_seconds=0.9)
    (item,) = calls.hdf5_locks(context(observed, SLOW))
    assert item.variables == {"HDF5_USE_FILE_LOCKING": "FALSE"} and item.gain and item.gain.factor == pytest.approx(5)
    assert not list(calls.hdf5_locks(context(observed, EVEN)))
    off = context(observed, SLOW, variables={"HDF5_USE_FILE_LOCKING": "FALSE"})
    assert not list(calls.hdf5_locks(off))
    quick = replace(observed, hdf5_open_seconds=0.01)
    assert not list(calls.hdf5_locks(context(quick, SLOW))), "it did not lock"


def test_scratch_files_go_where_new_files_are_quick() -> None:
    observed = replace(SEEN, scratch=Files(80, 80, 0.9, Moved(80, 80 * 8000, 0.9), "/slow"))
    better = {"scratch_costs": SLOW, "temporary": "/dev/shm", "temporary_costs": EVEN}
    (item,) = calls.scratch_files(context(observed, SLOW, **better))
    assert item.lines == ["export TMPDIR=/dev/shm"] and item.undo == "export TMPDIR=/slow"
    assert item.gain and 9 < item.gain.factor < 10, "what was not scratch stays"
    same = better | {"temporary_costs": SLOW}
    assert not list(calls.scratch_files(context(observed, SLOW, **same)))


def test_many_small_files_are_one_and_few_are_not() -> None:
    observed = replace(SEEN, single=Files(80, 80, 0.9, Moved(80, 80 * 800, 0.88), "/here"))
    (item,) = calls.fewer_files(context(observed, SLOW))
    assert item.gain and 8 < item.gain.factor < 10
    assert not list(calls.fewer_files(context(replace(observed, single=Files(5, 5, 0.9)), SLOW)))


def test_flush_costs_what_its_bytes_would_not_cost_in_a_buffer() -> None:
    observed = replace(SEEN, flush_seconds=0.9, flushes=450, flushed=Moved(450, 450 * 128, 0.9))
    (item,) = statements.flush_less(context(observed, SLOW))
    assert item.gain and item.gain.factor == pytest.approx(1 / (0.1 + 2e-3), rel=0.01)


def test_romio_joins_pieces_that_a_trace_shows() -> None:
    observed = replace(SEEN, mpi_io=Moved(8000, 8000 * 128, 0.9), mpi_io_calls=8)
    job = Job(ranks=2, pattern="shared_collective", operations=("write",), observed=observed)
    place = Place(Storage(kind="fuse"), mpi_io="ompio", romio="romio321", costs=EVEN)
    (item,) = mpi_io.romio(Context(job, place, None, ()))
    assert item.gain and item.gain.known == "model" and item.gain.factor == pytest.approx(1 / 0.064, rel=0.1)
    whole = replace(job, observed=replace(observed, mpi_io=Moved(8, 8000 * 128, 0.9)))
    assert not list(mpi_io.romio(Context(whole, place, None, ()))), "OMPIO wrote whole blocks: nothing to join"


def test_a_changed_program_is_a_candidate_of_what_is_advised() -> None:
    (item,) = calls.fewer_files(context(replace(SEEN, single=Files(80, 80, 0.9)), SLOW))
    assert candidates([item]) == []
    (one,) = candidates([item], {"fewer-files": ["./changed", "8"]})
    assert (one.change, one.command) == ("fewer-files", ("./changed", "8"))
    with pytest.raises(HeadraceError, match="--changed romio: that was not advised"):
        candidates([item], {"romio": ["./changed"]})
