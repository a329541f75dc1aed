"""What `headrace bench parallel` refuses, lists and writes as a job, without measuring anything."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import REPOSITORY
from headrace.errors import HeadraceError
from headrace.measure.parallel import ways
from headrace.measure.parallel.methods import require_known
from test_parallel_bench import BASE, FAKE, SMALL

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize(
    ("options", "trick", "said"),
    [
        ((), "no-start", "There are not enough slots"),
        ((), "one-rank", "programs of 1 MPI rank, expected were 2: it belongs to another MPI"),
        (
            (),
            "one-rank",
            "the worker needs Fake MPI 1.0: name its --launcher, or leave --launcher out and add --mpi WRAPPER",
        ),
        (("--launcher", "mpirun -n 4"), "", "has no place for the number of MPI ranks"),
        (("--launcher", "no-such-launcher {ranks}"), "", "no program 'no-such-launcher'"),
        (("--mpi", "no_such_wrapper"), "", "--mpi no_such_wrapper: there is no such compiler wrapper on the PATH"),
        (("--backend", ""), "", "--backend: an empty name in ''"),
        (("--method", "null,"), "", "--method: an empty name in 'null,'"),
        (("--seed", "x"), "", "--seed: 'x' is not a whole number"),
        (("--report", ""), "", "--report: an empty name of a file"),
        (("--worker", "no-such-worker"), "", "is not an executable program"),
        (("--pattern", "no_such"), "", "--pattern no_such: not known"),
        (("--vary", "cb_nodes"), "", "--vary cb_nodes: a name, '=' and values"),
        (("--vary", "cb_nodes=1,many"), "", "--vary cb_nodes=many: cb_nodes takes an integer"),
        (
            ("--hints", 'romio,x="1,2", cb_buffer_size = 1M'),
            "",
            "--hints cb_buffer_size=1M: cb_buffer_size takes an integer",
        ),
        (("--hints", "cb_nodes=1;striping_factor=2"), "", "takes an integer\n  write commas between hints"),
        (("--hints", "cb_nodes=-3"), "", "--hints cb_nodes=-3: cb_nodes takes an integer from 1 to 2147483647"),
        (
            ("--vary", "striping_factor=-1,-2"),
            "",
            "--vary striping_factor=-2: striping_factor takes an integer from -1",
        ),
        (("--hints", "cb_nodes=1,cb_nodes=4"), "", "--hints: cb_nodes is given twice: 1 and 4\n  leave one of them"),
        (("--vary", "cb_nodes=1", "--vary", "cb_nodes=4"), "", "--vary cb_nodes=4: cb_nodes is varied already"),
        (("--vary", "env:A=1", "--vary", "env:A=2"), "", "--vary env:A=2: A is varied already"),
        (("--method", "null", "--collective", "both"), "", "--collective chooses among methods, and --method names"),
        (("--hints", "cb_nodes"), "", "--hints cb_nodes: a name, '=' and a value are expected, or a profile"),
        (("--hints", "romio,bogus"), "", "--hints bogus: a name, '=' and a value are expected, or a profile\n  for ex"),
        (("--hints", "archer3"), "", "are expected, or a profile\n  did you mean archer2?\n  for example --hints cb"),
        (
            ("--backend", "npy", "--pattern", "file_per_node"),
            "",
            "no method has backend npy, pattern file_per_node\n  npy can be measured with --pattern serial, shared_",
        ),
        (("--ior", "no-such-ior"), "", "no-such-ior is not an executable"),
        (("--dir", "missing"), "", "directory missing does not exist"),
        (("--dir", ""), "", "an empty name of a directory: is a variable"),
        (("--json", "missing/r.json"), "", "make it, or name another one with --json"),
        (("--report", "missing/r.html"), "", "make it, or name another one with --report"),
        (("--trace", "missing/t.json"), "", "make it, or name another one with --trace"),
        (("--size", "999TiB"), "", "are needed"),
        (("--preset", "pop"), "", "--preset pop sets --size itself"),
        (("--ranks", "0,2"), "", "is not a list of numbers of MPI ranks"),
        (("--method", "mpiio:colective"), "", "did you mean mpiio:collective?"),
        (("--method", "zarr:file_per_proces"), "", "did you mean headrace:zarr:file_per_process?"),
        (("--method", "headrace:zar:serial"), "", "--method headrace:zar:serial: the worker has no such method"),
        (("--method", "headrace:npy:file_per_process"), "", "no such method\n  npy has shared_collective, shared_"),
        (("--method", "headrace:zarr:file_per_process:library"), "", "process:library: the worker has no such method"),
        (("--method", "headrace:adios2:serial:headrace"), "", "serial:headrace: the worker has no such method"),
        (("--method", "headrace:npy:serial:library"), "", "npy:serial:library: the worker has no such method"),
        (("--method", "null,quite_else"), "", "--method quite_else: the worker has no such method"),
        ((), "no-library", "the worker needs the library libadios2_c_mpi.so.2.12, which is not found"),
        (("--job", "account=z19"), "", "--job is for job scripts: it needs --write-job"),
        (("--job-dir", "jobs"), "", "--job-dir is for job scripts: it needs --write-job"),
        (("--force",), "", "--force is for job scripts: it needs --write-job"),
        (("--job-dir", ""), "", "an empty name of a directory: is a variable"),
        (("--json", "."), "", "--json .: is a directory\n  name a file in it"),
        (("--dir", "/proc"), "", "nothing can be written there: name another directory with --dir"),
    ],
)
def test_bad_input_is_a_clear_error(headrace: Command, options: tuple[str, ...], trick: str, said: str) -> None:
    done = headrace(*BASE, *SMALL, "--ranks", "2", *options, FAKE_TRICK=trick)
    assert done.returncode == 2
    assert said in done.stderr and "Traceback" not in done.stderr
    assert done.stdout == ""


def test_methods_are_those_of_the_table_of_patterns() -> None:
    """doc/reference/parallel.md has what the library accepts, as its own test prints it."""
    columns = ("serial", "file_per_process", "file_per_node", "shared_independent", "shared_collective")
    text = (REPOSITORY / "doc" / "reference" / "parallel.md").read_text()
    table = text[text.index("per process  per node") :].split("```")[0].splitlines()[1:]
    rows = [line.split() for line in table]
    assert len(rows) == 11
    for form, transfer, *cells in rows:
        for pattern, cell in zip(columns, cells, strict=True):
            name = f"headrace:{form}:{pattern}:{transfer}"
            if cell == "yes":
                require_known([name], ())
                require_known([name.removesuffix(f":{transfer}")], ())
            else:
                with pytest.raises(HeadraceError, match="no such method"):
                    require_known([name], ())


def test_without_any_launcher_the_error_says_what_to_load(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    options = ("bench", "parallel", "--worker", str(FAKE), "--ranks", "2", "--dir", ".")
    done = headrace(*options, PATH=str(tmp_path / "empty"), SLURM_JOB_ID="")
    assert done.returncode == 2 and "no mpirun, mpiexec or (inside a Slurm job) srun was found" in done.stderr


def test_list_measures_nothing(headrace: Command) -> None:
    done = headrace("bench", "parallel", "--list")
    assert done.returncode == 0
    for word in ("headrace:zarr:file_per_process", "fortran:serial_ascii", "zarr_vs_fpp", ">= 0.95", "<= 1.1"):
        assert word in done.stdout
    said = " ".join(done.stdout.split())
    for words in (
        "fastest of hdf5:collective, ROMIO; netcdf4:collective, ROMIO; pnetcdf:collective, ROMIO",
        "raw:shared_file / slower of npy, hdf5",
        "lowest of ior, POSIX file per process / zarr; ior, MPIIO collective / npy",
        "lowest of benchio, proc / zarr; benchio, mpiio / npy; benchio, hdf5 / hdf5",
    ):
        assert words in said
    assert max(len(line) for line in done.stdout.splitlines()) <= 100


def test_a_job_hands_on_what_was_asked(headrace: Command, tmp_path: Path) -> None:
    options = ("--ranks", "4,8", "--size", "1MiB", "--backend", "hdf5", "--vary", "cb_nodes=1,2", "--dir", ".")
    job = ("--write-job", "slurm", "--job", "account=z19", "--job", "per_node=4", "--job-dir", "jobs")
    done = headrace("bench", "parallel", *options, *job, "--condition", "synced")
    assert done.returncode == 0 and "submit it with: sbatch jobs/headrace-job.sh" in done.stdout, done.stderr
    script = (tmp_path / "jobs" / "headrace-job.sh").read_text()
    for line in (
        "#SBATCH --account=z19",
        "options=(--size 1048576 --backend hdf5 --vary cb_nodes=1,2)",
        "conditions=(synced)",
    ):
        assert line in script
    assert (tmp_path / "jobs" / "headrace_reframe.py").exists()


def test_a_job_replaces_no_files_unasked(headrace: Command, tmp_path: Path) -> None:
    def write(*options: str) -> "subprocess.CompletedProcess[str]":
        words = ("--write-job", "slurm", "--ranks", "2", "--job-dir", "new/jobs")
        return headrace("bench", "parallel", *words, *options)

    script, test = (f"new/jobs/{name}" for name in ("headrace-job.sh", "headrace_reframe.py"))
    submit = f"submit it with: sbatch {script}"
    first = write()
    said = ["made the directory new/jobs", f"wrote {script}", f"wrote {test}", submit]
    assert (first.returncode, first.stdout.splitlines()) == (0, said), first.stderr
    assert write().stdout.splitlines() == [f"unchanged: {script}", f"unchanged: {test}", submit]
    (tmp_path / script).write_text("mine\n")
    (tmp_path / test).unlink()
    refused = write("--job", "account=z19")
    assert refused.returncode == 2 and refused.stdout == ""
    assert "new/jobs: headrace-job.sh is there already, with other contents; nothing was written" in refused.stderr
    assert "replace it with --force, or name another directory with --job-dir" in refused.stderr
    assert (tmp_path / script).read_text() == "mine\n" and not (tmp_path / test).exists()
    forced = write("--job", "account=z19", "--force")
    assert forced.stdout.splitlines() == [f"replaced {script}", f"wrote {test}", submit], forced.stderr
    assert "#SBATCH --account=z19" in (tmp_path / script).read_text() and os.access(tmp_path / script, os.X_OK)
    both = write()
    assert both.returncode == 2 and "headrace-job.sh and headrace_reframe.py are there already" in both.stderr
    (tmp_path / script).unlink()
    (tmp_path / script).mkdir()
    kept = write("--force")
    assert kept.returncode == 2 and f"{script}: cannot be written: Is a directory" in kept.stderr


@pytest.mark.parametrize(
    ("ranks", "job", "place"),
    [
        ("4,8", ("--dir", "/dev/shm"), "/dev/shm"),
        ("4,8", ("--job", "directory=/tmp/me"), "/tmp"),
        ("2,4", ("--dir", "/dev/shm"), ""),
        ("4,8", ("--job", "directory=/tmpfs/me"), ""),
        ("4,8", (), ""),
    ],
)
def test_a_directory_that_nodes_do_not_share_is_warned_of(
    headrace: Command, ranks: str, job: tuple[str, ...], place: str
) -> None:
    done = headrace("bench", "parallel", "--write-job", "slurm", "--ranks", ranks, "--job", "per_node=4", *job)
    assert done.returncode == 0 and "submit it with" in done.stdout, done.stderr
    said = f"is below {place}, which each node has for itself, and the job asks for 2 nodes: name a directory"
    assert said in done.stderr if place else done.stderr == "", done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--write-job needs --ranks"),
        (("--ranks", "2", "--dir", ""), "an empty name of a directory: is a variable of the shell not set?"),
        (("--ranks", "2", "--dir", "a", "--dir", "b"), "a job measures in one directory"),
        (("--ranks", "2", "--job", "no_such=1"), '"no_such" is not known'),
        (("--ranks", "2", "--job", "acount=z19"), "did you mean account?"),
        (("--ranks", "2", "--job", "profile=archer"), 'profile "archer" is not known\n  did you mean archer2?'),
        (("--ranks", "2", "--backend", "hdf6"), "--backend hdf6: not known\n  did you mean hdf5?"),
        (("--ranks", "2", "--method", "mpiio:colective"), "did you mean mpiio:collective?"),
        (("--ranks", "2", "--hints", "cb_nodes=x"), "cb_nodes takes an integer"),
        (("--ranks", "2", "--json", "r.json"), "--json is not for job scripts: the script sets it itself"),
        (("--ranks", "2", "--launcher", "mpirun -n {ranks}"), "--launcher is not for job scripts"),
        (("--ranks", "2", "--vary", "cb_nodes"), "--vary cb_nodes: a name, '=' and values"),
    ],
)
def test_a_job_that_cannot_be_written_says_why(headrace: Command, options: tuple[str, ...], said: str) -> None:
    done = headrace("bench", "parallel", "--write-job", "slurm", *options)
    assert done.returncode == 2 and said in done.stderr


def test_the_profiles_of_bench_are_those_of_the_library() -> None:
    """What MPI libraries crash with is refused by both: the numbers of hints stand in one table for both."""
    source = (REPOSITORY / "mpi" / "disk" / "hints.cpp").read_text()
    table = source.partition("std::array profiles = {")[2].partition("};")[0]
    profiles = re.findall(r'profile\{"(\w+)",([^}]*)\}', table)
    assert {name: "".join(re.findall(r'"([^"]*)"', words)) for name, words in profiles} == ways._PROFILES


def test_libraries_get_what_a_profile_stands_for() -> None:
    methods = ["mpiio:collective", "headrace:npy:shared_collective", "raw:file_per_process"]
    found = {way.method: way.hints for way in ways.base_ways(methods, "cb_buffer_size=1024,OMPIO", False)}
    assert found["mpiio:collective"] == "collective_buffering=true,cb_buffer_size=1024"
    assert found["headrace:npy:shared_collective"] == "cb_buffer_size=1024,OMPIO" and not found["raw:file_per_process"]


def test_a_varied_hint_takes_the_place_of_the_same_one_in_hints() -> None:
    variants = ways.varied_and_checked('cb_nodes=1, striping="1,2",romio', ["cb_nodes=2,4", "env:cb_nodes=8"])
    found = {
        way.hints
        for way in ways.varied_ways(["headrace:npy:shared_collective"], variants, 'cb_nodes=1, striping="1,2",romio')
    }
    assert found == {'striping="1,2",romio,cb_nodes=2', 'striping="1,2",romio,cb_nodes=4'}
    ways.varied_and_checked("cb_nodes=1,cb_nodes=1", [])  # the same value: nothing is lost


@pytest.mark.parametrize("label", ["", "romio321"])
def test_hints_reach_the_rows_of_romio_behind_those_of_their_own(label: str) -> None:
    methods = ["mpiio:collective", "hdf5:collective", "raw:file_per_process"]
    asked = "cb_nodes=1,striping_factor=2,OMPIO"
    found = {way.name: way.hints for way in ways.romio_ways(methods, label or ways.BASE, label, 4, asked)}
    behind = f", {label}," if label else ", "
    two, sized, four = (f"mpiio:collective{behind}{words.format(ranks=4)}" for words in ways.ROMIO_HINTS)
    assert dict(ways.pairs_of(found[two])) == {
        "cb_nodes": "2",
        "striping_factor": "2",
        "collective_buffering": "true",
        "cb_buffer_size": "4194304",
    }
    assert "cb_buffer_size=4194304" in found[sized] and "striping_factor=2" in found[sized]
    assert "cb_nodes=4" in found[four] and "romio_cb_write=enable" in found[four]
    assert all(hints.count("cb_nodes=") == 1 for hints in found.values())
    if label:
        for method in methods[:2]:
            assert found[f"{method}, {label}"] == (
                "collective_buffering=true,cb_buffer_size=4194304,cb_nodes=1,striping_factor=2"
            )
    alone = {way.name: way.hints for way in ways.romio_ways(methods, "romio321", "romio321", 4)}
    assert alone["mpiio:collective, romio321"] == "" and alone["mpiio:collective, romio321,cb_nodes=2"] == "cb_nodes=2"
