"""The parts of `headrace bench parallel`: launchers, methods, sizes, other benchmarks' output, timelines."""

import json
import os
import re
import stat
import sys
from pathlib import Path
from statistics import median

import pytest

from headrace.errors import HeadraceError
from headrace.measure.build import cache_directory
from headrace.measure.parallel import launcher as launchers
from headrace.measure.parallel import rows, run
from headrace.measure.parallel.launcher import Launcher, default_ranks, find_launcher
from headrace.measure.parallel.methods import DEFAULT, Choice, backend_of, choose, pattern_of, takes_hints
from headrace.measure.parallel.peers import cube, read_benchio, read_ior
from headrace.measure.parallel.program import find_worker
from headrace.measure.parallel.protocol import Request, read_reply
from headrace.measure.parallel.ratios import Modules, make_pairs
from headrace.measure.parallel.rows import remark
from headrace.measure.parallel.scaling import fit_rows
from headrace.measure.parallel.sessions import start_worker
from headrace.measure.parallel.shapes import extents, payload
from headrace.measure.parallel.ways import BASE, ROMIO_HINTS, base_ways, ior_ways, read_variants, romio_ways
from headrace.measure.workers import WorkerError
from headrace.model.scaling import Refusal
from headrace.reporters import progress
from headrace.reporters.html import timelines
from headrace.results.methods import LIMIT
from headrace.results.parallel import Counts, ParallelRun, RankTimes
from timed_rows import timed

IOR_33 = """\
IOR-3.3.0: MPI Coordinated Test of Parallel I/O
Results:

access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ----       ----------  ---------- ---------  --------   --------   --------   --------   ----
write     5502       690.62     0.002892    16384      8192       0.000026   0.005792   0.000529   0.005816   0
read      1762.22    220.37     0.009076    16384      8192       0.000041   0.018151   0.015195   0.018159   0
Max Write: 5502.08 MiB/sec (5769.35 MB/sec)
"""
IOR_30 = """\
access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ---------- ---------  --------   --------   --------   --------   ----
write     4000.00    16384      8192       0.000100   0.0070     0.000500   0.008000   0
"""
BENCHIO = """\
 Total amount of data =    1.0000000000000000       GiB

 ------
  Proc
 ------

 Writing to unstriped/proc000000.dat
 time =   0.25000000000000000      , rate =    4.0000000000000000       GiB/s

 ------
 MPI-IO
 ------

 Writing to unstriped/mpiio.dat
 time =   1.2500000000000000      , rate =    0.80000000000000004       GiB/s
"""


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


class TestLaunchers:
    def test_open_mpi_gets_what_it_needs_and_no_more(self) -> None:
        words = Launcher(["mpirun", "-n", "{ranks}"], "open mpi", cores=2, is_root=True).command(8, ["w"], {"A": "1"})
        assert words == ["mpirun", "-x", "A", "--oversubscribe", "--allow-run-as-root", "-n", "8", "w"]
        words = Launcher(["mpirun", "-n", "{ranks}"], "open mpi", cores=8, is_root=False).command(8, ["w"])
        assert words == ["mpirun", "-n", "8", "w"]

    def test_what_is_added_is_said(self) -> None:
        some = Launcher(["mpirun", "-n", "{ranks}"], "open mpi", cores=2, is_root=True)
        assert [text.split(",")[0] for text in some.added(4)] == [
            "Open MPI is started with --oversubscribe",
            "Open MPI is started with --allow-run-as-root",
        ]
        assert len(some.added(2)) == 1 and "because 4 MPI ranks have 2 cores" in some.added(4)[0]
        assert Launcher(["mpirun"], "open mpi", given=True, cores=2, is_root=True).added(4) == []
        assert Launcher(["mpirun"], "mpich", cores=2, is_root=True).added(4) == []

    def test_a_command_of_the_user_stays_as_it_is(self) -> None:
        given = Launcher(["mpirun", "-n", "{ranks}"], "open mpi", given=True, cores=2, is_root=True)
        assert given.command(8, ["w"]) == ["mpirun", "-n", "8", "w"]
        assert "--allow-run-as-root" in given.hint("mpirun has detected ... use --allow-run-as-root")
        assert "--oversubscribe" in given.hint("There are not enough slots available in the system")

    def test_the_launcher_beside_the_wrapper_is_taken(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        said = 'print("HYDRA build details:")'
        script(tmp_path / "mpirun.mpich", said)
        script(tmp_path / "mpirun", 'print("mpirun (Open MPI) 4.1.4")')
        script(tmp_path / "mpicxx.mpich", "")
        (tmp_path / "mpicxx").symlink_to("mpicxx.mpich")
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.delenv("SLURM_JOB_ID", raising=False)
        found = find_launcher(None, "mpicxx")
        assert found.template[0] == str(tmp_path / "mpirun.mpich") and found.flavour == "mpich"

    def test_inside_a_slurm_job_it_is_srun(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        script(tmp_path / "srun", "")
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setenv("SLURM_JOB_ID", "1")
        monkeypatch.setenv("SLURM_NTASKS", "4")
        found = find_launcher(None, "mpicxx")
        assert found.command(4, ["w"]) == ["srun", "--input=0", "-n", "4", "w"]
        assert default_ranks(found) == [2, 4]

    def test_mpich_is_kept_to_twice_the_cores(self) -> None:
        assert default_ranks(Launcher([], "mpich", cores=2)) == [2, 4]
        assert default_ranks(Launcher([], "open mpi", cores=2)) == [2, 4, 8]

    def test_romio_is_found_by_its_name_in_that_open_mpi(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        script(tmp_path / "ompi_info", 'print("mca:io:ompio:version:x\\nmca:io:romio341:version:x")')
        monkeypatch.setenv("PATH", str(tmp_path))
        assert launchers.romio_module("none") == "romio341"

    def test_a_launcher_that_fails_shows_the_end_of_what_it_said(self, tmp_path: Path) -> None:
        failing = script(
            tmp_path / "launch", 'import sys\nprint("-----\\nno daemon on node n7", file=sys.stderr)\nsys.exit(3)'
        )
        with pytest.raises(HeadraceError) as caught:
            start_worker(Launcher([str(failing), "{ranks}"]), 2, ["w"], {}, tmp_path, 5)
        assert "exit code 3" in caught.value.message and "no daemon on node n7" in caught.value.message


def test_a_library_that_is_missing_is_named_with_what_helps() -> None:
    said = "/w: error while loading shared libraries: libx.so.2: cannot open shared object file: No such file"
    own, built = Path("/w"), cache_directory() / "worker-1" / "w"
    hint = launchers.start_hint(Launcher([]), said, own)
    assert "libx.so.2" in hint and "LD_LIBRARY_PATH" in hint and "--worker" in hint and "--launcher" not in hint
    assert f"remove {built} to have it built again" in launchers.start_hint(Launcher([]), said, built)


@pytest.mark.parametrize(
    ("mpi", "wrapper"),
    [
        ("Open MPI v4.1.4, package: Debian OpenMPI", "mpicxx.openmpi"),
        ("MPICH Version: 4.0.2", "mpicxx.mpich"),
        ("CRAY MPICH version 8.1", "WRAPPER"),
        ("Some MPI 1", "WRAPPER"),
    ],
)
def test_the_launcher_of_another_mpi_is_answered_with_the_wrapper_of_the_right_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mpi: str, wrapper: str
) -> None:
    hello = {"hello": 1, "ranks": 1, "mpi": mpi}
    launcher = script(tmp_path / "launch", f"print({json.dumps(hello)!r})")
    if wrapper != "WRAPPER":
        script(tmp_path / wrapper, "")
    monkeypatch.setenv("PATH", f"{tmp_path}:/nowhere")
    for given in (True, False):
        with pytest.raises(HeadraceError) as caught:
            start_worker(Launcher([str(launcher), "{ranks}"], given=given), 2, ["w"], {}, tmp_path, 5)
        assert "it belongs to another MPI than the worker (" in caught.value.message
        hint = caught.value.hint or ""
        assert f"--mpi {wrapper}" in hint and "--launcher" in hint, hint


def test_a_worker_of_another_name_is_asked_for() -> None:
    said, worker = "it ended (exit code 0)", f"is /bin/ls a {launchers.NAME}? name another one with --worker"
    assert launchers.start_hint(Launcher([]), said, Path("/bin/ls")).startswith(worker)
    assert "--worker" not in launchers.start_hint(Launcher([]), said, Path("/bin") / launchers.NAME)
    assert "--oversubscribe" in launchers.start_hint(Launcher([]), "not enough slots", Path("/bin/ls"))


def test_the_build_of_the_worker_shows_the_count_of_the_build_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script(tmp_path / "cmake", 'print("[1/3] Building a\\n[2/3] Building b\\n[3/3] Linking")\nraise SystemExit(1)')
    script(tmp_path / "mpicxx", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(progress, "EVERY", 0.0)
    with pytest.raises(HeadraceError), progress.Progress().stage("preparing", 0) as step:
        find_worker(None, "mpicxx", step)
    lines = capsys.readouterr().err.splitlines()
    counts = [count for line in lines for count in re.findall(r"\d+/\d+", line)]
    assert counts == ["1/3", "2/3", "3/3"], lines


def test_several_nodes_do_not_write_to_the_memory_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLURM_JOB_NUM_NODES", "SLURM_NNODES", "PBS_NODEFILE"):
        monkeypatch.delenv(name, raising=False)
    assert not run._has_several_nodes()
    (tmp_path / "nodes").write_text("n1\nn1\nn2\n")
    monkeypatch.setenv("PBS_NODEFILE", str(tmp_path / "nodes"))
    assert run._has_several_nodes()
    monkeypatch.delenv("PBS_NODEFILE")
    monkeypatch.setenv("SLURM_JOB_NUM_NODES", "2")
    monkeypatch.chdir(tmp_path)
    assert run._default_directory() == tmp_path


class TestWhatIsMeasured:
    def test_without_a_choice_it_is_what_the_ratios_need(self) -> None:
        assert tuple(choose(Choice())) == DEFAULT
        pairs = [p for p in make_pairs(Modules("mpi", None), 8)[0] if not p.keys[0].startswith(("ior", "benchio"))]
        named = {key.removeprefix("mpi:").rpartition(":")[0] for pair in pairs for key in pair.keys}
        assert {name.partition(",")[0] for name in named} == set(DEFAULT)

    @pytest.mark.parametrize(
        ("choice", "expected", "left_out"),
        [
            (Choice(patterns=("file_per_node",)), "headrace:zarr:file_per_node", "hdf5:collective"),
            (Choice(backends=("hdf5",)), "headrace:hdf5:shared_collective", "mpiio:collective"),
            (Choice(backends=("hdf5",), calls="independent"), "hdf5:independent", "hdf5:collective"),
            (Choice(backends=("hdf5",), calls="both"), "hdf5:collective", "netcdf4:collective"),
            (Choice(backends=("fortran",)), "fortran:serial_ascii", "headrace:npy:serial"),
            (Choice(methods=("raw:rows",)), "raw:rows", "raw:shared_file"),
            (Choice(everything=True), "raw:rows", "fortran:serial_ascii"),
        ],
    )
    def test_choices_are_by_pattern_backend_and_call(self, choice: Choice, expected: str, left_out: str) -> None:
        found = choose(choice)
        assert expected in found and left_out not in found and found[0] == LIMIT

    def test_names_say_pattern_backend_and_whether_hints_matter(self) -> None:
        assert pattern_of("headrace:npy:shared_collective:library") == "shared_collective"
        assert pattern_of("mpiio:contiguous_independent") == "shared_independent"
        assert (
            pattern_of("adios2:bp4") == "file_per_process"
            and backend_of("headrace:adios2:file_per_process") == "adios2"
        )
        assert takes_hints("headrace:hdf5:shared_collective") and not takes_hints("headrace:zarr:file_per_process")

    @pytest.mark.parametrize("ranks", [1, 2, 3, 4, 5, 6, 7, 8, 12, 128])
    def test_the_array_divides_evenly_where_it_can(self, ranks: int) -> None:
        weak = extents(64 << 20, ranks, ranks, "weak")
        assert payload(weak) == ranks * (64 << 20) and weak[2] % ranks == 0
        assert payload(extents(64 << 20, ranks, 128, "strong")) == 128 * (64 << 20)

    def test_an_array_of_a_few_bytes_has_a_plane_for_each_mpi_rank(self) -> None:
        assert extents(24, 8, 8, "weak")[2] >= 8

    def test_variants_are_all_combinations(self) -> None:
        found = read_variants(["cb_nodes=1,2", "env:A=x,y"])
        assert [v.label for v in found] == ["A=x,cb_nodes=1", "A=y,cb_nodes=1", "A=x,cb_nodes=2", "A=y,cb_nodes=2"]
        with pytest.raises(HeadraceError, match="a name, '=' and values"):
            read_variants(["env:=1"])

    @pytest.mark.parametrize("modules", [Modules("mpi", "romio321", "romio321"), Modules(None, "mpi", "")])
    def test_every_ratio_has_its_ways(self, modules: Modules) -> None:
        ways = {way.key for way in base_ways(list(DEFAULT), "", True)}
        ways |= {way.key for way in romio_ways(DEFAULT, modules.romio or "", modules.romio_label, 8)}
        for pair in (*make_pairs(modules, 8)[0], *make_pairs(modules, 8)[1]):
            if not pair.keys[0].startswith(("ior", "benchio")):
                assert set(pair.keys) <= ways, pair.name
        assert len(ROMIO_HINTS) == 3

    def test_ior_is_compared_with_arrays_that_begin_as_its_buffer_does(self) -> None:
        ways = ior_ways(list(DEFAULT))
        assert {way.at_page for way in ways} == {True}
        main, also = make_pairs(Modules("mpi", None), 8)
        pairs = [pair for pair in (*main, *also) if pair.keys[0].startswith("ior")]
        assert {key for pair in pairs for key in pair.below} == {way.key for way in ways}


class TestOthersOutput:
    @pytest.mark.parametrize(("said", "seconds", "opened"), [(IOR_33, 0.005816, 0.000026), (IOR_30, 0.008, 0.0001)])
    def test_ior_is_read_by_the_names_of_its_columns(self, said: str, seconds: float, opened: float) -> None:
        found = read_ior(said, "write")
        assert found.seconds == seconds and found.phases["open"] == opened

    def test_ior_that_says_nothing_is_an_error(self) -> None:
        with pytest.raises(WorkerError, match="no result of 'read'"):
            read_ior(IOR_30, "read")

    def test_benchio_is_read_by_its_sections_and_scaled_to_the_same_bytes(self) -> None:
        assert read_benchio(BENCHIO, "proc", 2**30) == 0.25
        assert read_benchio(BENCHIO, "mpiio", 2**29) == 0.625
        with pytest.raises(WorkerError, match="no time of HDF5"):
            read_benchio(BENCHIO, "hdf5", 2**30)
        nothing = BENCHIO.replace("1.2500000000000000", "3.4e-5")
        with pytest.raises(WorkerError, match="for 1,024 MiB by MPI-IO: it was built without it"):
            read_benchio(nothing, "mpiio", 2**30)

    def test_old_benchio_gives_the_median_of_its_repetitions(self) -> None:
        lines = "".join(f" time =   {t}  , rate =   1 MiB/s\n" for t in (0.3, 0.1, 0.2))
        said = f" Total amount of data =    128.0     MiB\n ------\n MPI-IO\n ------\n{lines}"
        assert read_benchio(said, "mpiio", 128 << 20) == 0.2

    @pytest.mark.parametrize("count", [1, 100_000, 8 << 20, 7919])
    def test_a_block_of_three_extents_has_the_right_number_of_elements(self, count: int) -> None:
        x, y, z = cube(count)
        assert x * y * z == count


class TestProtocol:
    def test_a_request_names_the_extents_global(self) -> None:
        line = Request(id=3, method="m", operation="write", file="f", extents=(1, 2, 3)).line()
        assert '"global":[1,2,3]' in line and '"extents"' not in line and "\n" not in line

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("{", "not JSON"),
            ("{}", "without 'id'"),
            ('{"id": 1, "ok": true, "seconds": "fast"}', "seconds"),
            ('{"id": 2, "ok": true}', "answered request 2, expected was 1"),
        ],
    )
    def test_a_reply_that_is_none_is_said(self, line: str, said: str) -> None:
        with pytest.raises(WorkerError, match=said):
            read_reply(line, 1)


def test_a_remark_is_for_many_small_independent_calls_only() -> None:
    many = Counts(independent_writes=8192, collective_writes=2, bytes_independent=512 * 8192)
    assert "8,192 independent calls of MPI-IO of 512 bytes" in remark("m", "write", many)
    assert not remark("m", "write", many.model_copy(update={"collective_writes": 8000}))
    assert not remark("m", "write", many.model_copy(update={"bytes_independent": 8192 << 20}))


@pytest.mark.parametrize(
    ("limit", "verdict", "is_noisy"),
    [
        ([3.0], "noisy", True),  # one round of the limit, and that was slow
        ([3.0, 3.0], "noisy", True),
        ([3.0, 3.0, 1.0] * 2, "noisy", True),
        ([3.0, 1.0, 1.0] * 2, "valid", False),  # the median says nothing against it
        ([3.0] * 3, "noisy", True),  # too few rounds to accuse
        ([3.0] * 6, "cache-suspect", False),
        ([3.0, 30.0, 3.0] * 2, "cache-suspect", False),  # unsteady, and slower in every round
    ],
)
def test_the_cache_is_suspected_only_where_enough_rounds_agree(
    limit: list[float], verdict: str, is_noisy: bool
) -> None:
    row, raw = (timed(times) for times in ([1.0] * len(limit), limit))
    rows._compare(row, raw)
    assert (row.verdict, row.limit_is_noisy) == (verdict, is_noisy)
    assert row.limit_fraction == median(limit)


def test_timelines_draw_a_lane_for_each_mpi_rank() -> None:
    times = [RankTimes(begin=0, end=1, open=0.25, events=[("open", 0, 0.25), ("wait", 0.5, 1)]) for _ in range(3)]
    lanes = [timelines._lane(rank, each, 0, 2.0) for rank, each in enumerate(times)]
    assert [lane.label for lane in lanes] == ["MPI rank 0", "MPI rank 1", "MPI rank 2"]
    first = {block.colour: block for block in lanes[0].blocks}
    assert first["c1"].x == timelines.LEFT and first["c6"].width > first["c1"].width
    assert timelines.selection(1000)[-1] == 999 and len(timelines.selection(1000)) <= timelines.MOST_LANES
    assert timelines._ticks(0.45) == [(timelines._x(n * 0.1, 0.45), f"{100 * n} ms") for n in range(5)]


def test_a_worker_that_cannot_be_built_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(HeadraceError, match="cmake was not found"):
        find_worker(None, "mpicxx", lambda text: None)
    script(tmp_path / "cmake", 'print("CMake Error: no library here")\nraise SystemExit(1)')
    with pytest.raises(HeadraceError, match="compiler wrapper was not found: mpicxx"):
        find_worker(None, "mpicxx", lambda text: None)
    script(tmp_path / "mpicxx", "")
    with pytest.raises(HeadraceError, match="CMake Error: no library here"):
        find_worker(None, "mpicxx", lambda text: None)
    assert os.access(tmp_path / "cmake", os.X_OK)


def test_an_interrupted_run_does_not_blame_the_time_budget() -> None:
    row = timed([])
    found = ParallelRun.model_construct(rows=[row], groups=[])
    assert row.message == "the time budget ended before it ran"
    rows.say_interrupted(found)
    assert row.message == "the run was interrupted before it ran"


def test_blocks_that_went_to_other_mpi_ranks_first_are_told() -> None:
    row = timed([1.0, 1.0, 1.0])
    assert rows.remarks([row]) == []
    row.redistributed = True
    assert "the blocks of 2 MPI ranks form no regular chunk grid" in rows.remarks([row])[0]


def test_no_model_is_made_of_transfers_that_are_too_short() -> None:
    short = timed([0.01, 0.01, 0.01])
    assert short.verdict == "too-short"
    short.tool, short.way = BASE, "m"
    refused = fit_rows(ParallelRun.model_construct(rows=[short], groups=[]), "m", "write")
    assert isinstance(refused, Refusal)
    assert refused.reason == "the transfers of 2 MPI ranks were too short to time"
