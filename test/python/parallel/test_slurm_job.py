"""Job scripts and ReFrame tests: their text, and both carried out on a Slurm of two virtual nodes."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headrace.errors import HeadraceError
from headrace.measure.parallel.job import Job
from headrace.measure.parallel.job_texts import Scheduler
from headrace.measure.parallel.jobs import read_job, write_job
from headrace.measure.parallel.launcher import Launcher
from headrace.measure.parallel.program import NAME
from headrace.measure.parallel.protocol import Request
from headrace.measure.parallel.sessions import start_worker
from slurm_cluster import REFUSED, START, Cluster, two_nodes
from test_parallel_real import WORKERS

Command = Callable[..., "subprocess.CompletedProcess[str]"]
ARCHER2_HINTS = "*:cray_cb_write_lock_mode=2,*:cray_cb_nodes_multiplier=4"
# As the page prints it: the last quote is U+201D.
PRINTED = 'export MPICH_MPIIO_HINTS="*:cray_cb_write_lock_mode=2,*:cray_cb_nodes_multiplier=4\u201d\n'
# Stands for `headrace`: starts what it is told to on every MPI rank and writes down where that was.
STAND_IN = """\
import json, shlex, subprocess, sys
options = dict(zip(sys.argv[3::2], sys.argv[4::2]))
if options["--condition"] == "warm":
    sys.exit("nobody knows how")
rows = []
for ranks in options["--ranks"].split(","):
    words = [word.replace("{ranks}", ranks) for word in shlex.split(options["--launcher"])]
    done = subprocess.run([*words, "sh", "-c", "echo $SLURMD_NODENAME $HINT"], capture_output=True, text=True)
    row = {"operation": "write", "way": "stand-in:one", "tool": "mpi", "ranks": int(ranks), "outcome": "measured",
           "directory": options["--dir"], "statistics": {"median": 100.0 * int(ranks)},
           "said": done.stdout.splitlines(), "error": done.stderr, "options": options}
    rows.append(row)
with open(options["--json"], "w") as file:
    json.dump({"rows": rows}, file)
"""
CONFIGURATION = """\
site_configuration = {
    "systems": [
        {
            "name": "two",
            "hostnames": [".*"],
            "modules_system": "nomod",
            "partitions": [
                {"name": "debug", "scheduler": "squeue", "launcher": "srun", "environs": ["builtin"], "max_jobs": 1}
            ],
        }
    ],
    "environments": [{"name": "builtin", "target_systems": ["*"]}],
}
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with two_nodes() as started:
        yield started


@pytest.fixture
def stand_in(tmp_path: Path) -> tuple[str, ...]:
    program = tmp_path / "stand_in.py"
    program.write_text(STAND_IN)
    return sys.executable, str(program)


@pytest.fixture(scope="module")
def worker() -> Path:
    """The worker program, built with the MPI that this Slurm starts by PMIx."""
    if "openmpi" not in WORKERS:
        pytest.skip(f"{NAME} is not built with openmpi (cmake -DHEADRACE_MPI=ON, or HEADRACE_PARALLEL_WORKER)")
    return WORKERS["openmpi"].absolute()


def bash(text: str, folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["bash", *words, "-c", text], cwd=folder, capture_output=True, text=True, timeout=60)


ORDINARY = Job(
    ranks=(4, 2, 1),
    per_node=2,
    conditions=("cached", "synced"),
    arguments=("--backend", "zarr", "--hints", "a=b,c='d e'"),
    directory="/scratch/my dir$HOME/`id`",
    variables={"ODD": 'it\'s "$HOME" `id` *'},
    modules=("a/1.0",),
    srun=("--hint=nomultithread", "--comment=a b"),
)
JOBS = {
    "ordinary": ORDINARY,
    "least": Job(ranks=(1,)),
    "striped": Job(ranks=(2,), stripes=(1, 4, -1)),
    "archer2": read_job(["profile=archer2", "account=z19"], ranks=(128, 2048), conditions=("synced",)),
}


SCHEDULERS: tuple[Scheduler, ...] = ("slurm", "pbs")


@pytest.mark.parametrize("scheduler", SCHEDULERS)
@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS.keys())
def test_script_is_plain_and_correct_bash(job: Job, scheduler: Scheduler, tmp_path: Path) -> None:
    script, test = write_job(job, tmp_path / "new" / "folder", scheduler=scheduler)
    for path in (script, test):
        assert path.read_bytes().isascii()
        assert b"\r" not in path.read_bytes()
    assert os.access(script, os.X_OK)
    checked = subprocess.run(["bash", "-n", str(script)], capture_output=True, text=True)
    assert (checked.returncode, checked.stderr) == (0, "")
    compile(test.read_text(), str(test), "exec")


@pytest.mark.parametrize("scheduler", SCHEDULERS)
@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS.keys())
def test_script_is_clean_under_shellcheck(job: Job, scheduler: Scheduler, tmp_path: Path) -> None:
    beside = Path(sys.executable).parent / "shellcheck"
    program = str(beside) if beside.is_file() else shutil.which("shellcheck")
    if program is None:
        pytest.skip("shellcheck is not installed")
    script, _ = write_job(job, tmp_path, scheduler=scheduler)
    checked = subprocess.run([program, str(script)], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_archer2_hints_are_what_the_page_means(tmp_path: Path) -> None:
    """Pasted from the page the line breaks; from the script the variables have the values that the page prints."""
    assert bash(PRINTED, tmp_path, "-n").returncode != 0
    script, _ = write_job(JOBS["archer2"], tmp_path)
    exports = "".join(line for line in script.read_text().splitlines(keepends=True) if line.startswith("export "))
    said = bash(exports + 'printf "%s\\n" "$MPICH_MPIIO_HINTS" "$FI_OFI_RXM_SAR_LIMIT"', tmp_path)
    assert said.stdout.splitlines() == [ARCHER2_HINTS, "64K"]
    text = script.read_text()
    for line in ("--nodes=16", "--ntasks-per-node=128", "--account=z19", "--partition=standard", "--qos=standard"):
        assert f"\n#SBATCH {line}\n" in text
    assert "\nranks=128,2048\n" in text
    assert " --hint=nomultithread --distribution=block:block " in text
    assert 'lfs setstripe -c "$count"' in text and "for count in 1 -1; do" in text


def test_typographic_quotes_are_refused_where_they_stand() -> None:
    with pytest.raises(HeadraceError, match=r"variables: character 4 of .* is U\+201D") as refused:
        Job(ranks=(1,), variables={"MPICH_MPIIO_HINTS": "*:a\u201d"})
    assert "by hand" in refused.value.hint
    with pytest.raises(HeadraceError, match=r"arguments: character 2 .* U\+000A"):
        Job(ranks=(1,), arguments=("a\nb",))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["account"], "account: a name, '=' and a value"),
        (["colour=red"], '"colour" is not known'),
        (["profile=nowhere"], 'profile "nowhere" is not known'),
        (["per_node=many"], "per_node=many: expected a whole number"),
        (["per_node=0"], "0 MPI ranks on a node"),
        (["time=soon"], 'time "soon"'),
        (["account=a;reboot"], 'account "a;reboot"'),
        (["env:A B=1"], '"A B" cannot be the name'),
    ],
)
def test_wrong_words_are_named(words: list[str], message: str) -> None:
    with pytest.raises(HeadraceError, match=re.escape(message)):
        read_job(words, ranks=(2,))


def test_words_override_a_profile() -> None:
    job = read_job(
        ["stripe=8", "env:FI_OFI_RXM_SAR_LIMIT=128K", "profile=archer2", "per_node=64", "qos=short", "time=1:00"],
        ranks=(256,),
    )
    assert (job.per_node, job.qos, job.stripes, job.nodes) == (64, "short", (8,), 4)
    assert job.variables == {"FI_OFI_RXM_SAR_LIMIT": "128K", "MPICH_MPIIO_HINTS": ARCHER2_HINTS}


def test_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HeadraceError, match=re.escape(str(tmp_path / "file"))):
        write_job(Job(ranks=(1,)), tmp_path / "file" / "below")


def test_script_goes_on_after_a_failure_and_cleans_up(tmp_path: Path, stand_in: tuple[str, ...]) -> None:
    """Without Slurm: a program of the name srun starts the command once."""
    tools = tmp_path / "bin"
    tools.mkdir()
    srun = tools / "srun"
    log = tmp_path / "started"
    srun.write_text(
        f'#!/bin/sh\nwords=\nwhile [ "$1" != sh ]; do words="$words $1"; shift; done\necho $words >>{log}\nexec "$@"\n'
    )
    srun.chmod(0o755)
    odd = tmp_path / "odd $HOME dir"
    odd.mkdir()
    job = Job(
        ranks=(2, 3),
        per_node=2,
        conditions=("cached", "warm", "synced"),
        directory=str(odd),
        stripes=(1, 2),
        command=stand_in,
        variables={"HINT": "a $b 'c'"},
        srun=("--comment=a $b",),
    )
    script, _ = write_job(job, tmp_path)
    done = subprocess.run(
        ["bash", str(script)],
        cwd=tmp_path,
        env=os.environ
        | {"PATH": f"{tools}:{os.environ['PATH']}", "HEADRACE_RESULTS": "found", "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "headrace: 2 of 3 results in found" in done.stdout
    assert "headrace: failed: warm" in done.stderr
    assert sorted(path.name for path in (tmp_path / "found").iterdir()) == ["cached.json", "synced.json"]
    rows = json.loads((tmp_path / "found" / "cached.json").read_text())["rows"]
    assert [row["said"] for row in rows] == [["a $b 'c'"], ["a $b 'c'"]], rows[0]["error"]
    assert rows[0]["directory"].startswith(f"{odd}/headrace-job-")
    started = (tmp_path / "started").read_text().splitlines()
    assert started == [
        f"--input=0 --nodes={nodes} --ntasks-per-node=2 -n {ranks} --comment=a $b"
        for _ in range(2)
        for nodes, ranks in ((1, 2), (2, 3))
    ]
    assert list(odd.iterdir()) == [], "the directory of its own is gone"
    assert not list(tmp_path.glob("tmp.*")), "and so is the file that starts programs"


@pytest.mark.parametrize(("version", "named"), [("mpirun (Open MPI) 4.1.4", ["-x HINT "]), ("HYDRA 4.0", [""])])
def test_pbs_script_starts_programs_by_mpirun(
    version: str, named: list[str], tmp_path: Path, stand_in: tuple[str, ...]
) -> None:
    """Without PBS, as qsub would start it: in the home directory, with the variables that it sets."""
    log = tmp_path / "started"
    tools, home, submitted = (tmp_path / name for name in ("bin", "home", "from"))
    for folder in (tools, home, submitted):
        folder.mkdir()
    text = f'#!/bin/sh\n[ "$1" = --version ] && {{ echo "{version}"; exit; }}\nwords=\n'
    text += f'while [ "$1" != sh ]; do words="$words $1"; shift; done\necho "$words" >>{log}\nexec "$@"\n'
    (tools / "mpirun").write_text(text)
    (tools / "mpirun").chmod(0o755)
    job = Job(ranks=(3, 2), per_node=2, command=stand_in, variables={"HINT": "a b"}, account="z19", partition="long")
    script, test = write_job(job, tmp_path / "job", scheduler="pbs")
    lines = script.read_text().splitlines()
    assert "#PBS -l select=2:ncpus=2:mpiprocs=2" in lines and "#PBS -q long" in lines and "SBATCH" not in str(lines)
    assert '["-A z19", "-q long"]' in test.read_text() and "mpirun itself" in test.read_text()
    variables = {"PATH": f"{tools}:{os.environ['PATH']}", "PBS_O_WORKDIR": str(submitted), "PBS_JOBID": "7.server"}
    done = subprocess.run(
        ["bash", str(script)], cwd=home, env=os.environ | variables, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    results = submitted / "results-7.server" / "cached.json"
    assert [row["said"] for row in json.loads(results.read_text())["rows"]] == [["a b"], ["a b"]]
    assert log.read_text().splitlines() == [f" -n {ranks} {named[0]}".rstrip() for ranks in (2, 3)]
    assert not list(home.iterdir())


def test_a_profile_of_another_scheduler_is_refused(headrace: Command) -> None:
    words = ("--ranks", "2", "--job", "profile=archer2", "--job-dir", "new")
    done = headrace("bench", "parallel", "--write-job", "pbs", *words)
    assert done.returncode == 2 and "that centre has slurm, and --write-job says pbs" in done.stderr
    done = headrace("bench", "parallel", "--write-job", "pbs", *words[:2], *words[4:])
    assert done.returncode == 0 and "submit it with: qsub new/headrace-job.sh" in done.stdout


def test_job_runs_on_one_and_two_nodes(cluster: Cluster, tmp_path: Path, stand_in: tuple[str, ...]) -> None:
    job = Job(
        ranks=(2, 4), per_node=2, conditions=("cached", "synced"), command=stand_in, variables={"HINT": ARCHER2_HINTS}
    )
    script, _ = write_job(job, tmp_path)
    done = cluster.run("sbatch", "--wait", "--output=out.txt", str(script), folder=tmp_path)
    output = (tmp_path / "out.txt").read_text() if (tmp_path / "out.txt").exists() else "no output"
    assert done.returncode == 0, done.stderr + output
    assert "headrace: 2 of 2 results" in output
    (results,) = tmp_path.glob("results-*")
    for condition in ("cached", "synced"):
        rows = json.loads((results / f"{condition}.json").read_text())["rows"]
        for row, nodes, ranks in zip(rows, (1, 2), (2, 4), strict=True):
            where = [line.split()[0] for line in row["said"]]
            assert len(where) == ranks, row["error"]
            assert sorted(set(where)) == ["n1", "n2"][:nodes]
            assert all(where.count(name) == 2 for name in set(where))
            assert {line.split()[1] for line in row["said"]} == {ARCHER2_HINTS}
            assert row["options"]["--condition"] == condition


def reframe(cluster: Cluster, test: Path, folder: Path) -> dict[str, dict[str, float]]:
    """Runs a ReFrame test; the performance variables of each case by name: value."""
    beside = Path(sys.executable).parent / "reframe"
    program = str(beside) if beside.is_file() else shutil.which("reframe")
    if program is None:
        pytest.skip("ReFrame is not installed")
    configuration = folder / "configuration.py"
    configuration.write_text(CONFIGURATION)
    report = folder / "report.json"
    command = (program, "-C", str(configuration), "-c", str(test), "-r", "--prefix", str(folder / "reframe"))
    done = cluster.run(*command, "--report-file", str(report), "--performance-report", folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    cases = json.loads(report.read_text())["runs"][-1]["testcases"]
    assert [case["result"] for case in cases] == ["pass"]
    assert cases[0]["scheduler"] == "squeue"
    return {name.rpartition(":")[2]: {"value": entry[0]} for name, entry in cases[0]["perfvalues"].items()}


def test_reframe_runs_the_same_job(cluster: Cluster, tmp_path: Path, stand_in: tuple[str, ...]) -> None:
    _, test = write_job(Job(ranks=(2, 4), per_node=2, command=stand_in, partition="debug"), tmp_path)
    found = reframe(cluster, test, tmp_path)
    assert found == {
        "write_stand_in_one_2_cached": {"value": 200.0},
        "write_stand_in_one_4_cached": {"value": 400.0},
    }


def test_job_and_reframe_measure_with_the_worker(
    cluster: Cluster, tmp_path: Path, worker: Path, headrace: Command
) -> None:
    """As a user does it: written by the command line; figures of one node and of two in one results file."""
    options = ("--method", "raw:file_per_process", "--quick", "--time-budget", "3", "--quiet", "--dir", "/dev/shm")
    words = ("--ranks", "1,2,3,4", "--job", "per_node=2", "--worker", str(worker), *options)
    written = headrace("bench", "parallel", "--write-job", "slurm", *words)
    assert written.returncode == 0, written.stderr
    found = reframe(cluster, tmp_path / "headrace_reframe.py", tmp_path)
    for operation in ("write", "read"):
        for ranks in (1, 2, 3, 4):
            assert found[f"{operation}_raw_file_per_process_{ranks}_cached"]["value"] > 0
    (results,) = (tmp_path / "reframe").glob("output/**/results/cached.json")
    run = json.loads(results.read_text())
    assert {group["ranks"]: group["nodes"] for group in run["groups"]} == {1: 1, 2: 1, 3: 2, 4: 2}
    assert {model["method"] for model in run["scaling"]} == {"raw:file_per_process"}
    assert results.with_suffix(".html").stat().st_size > 10_000


def test_file_per_node_gives_a_shard_for_each_of_two_nodes(cluster: Cluster, tmp_path: Path, worker: Path) -> None:
    """No switch of the tests makes the nodes here: Slurm and MPI say which MPI ranks share one."""
    launcher = Launcher(["srun", "--input=0", "--nodes=2", "--ntasks-per-node=2", "-n", "{ranks}"], "slurm")
    session = start_worker(launcher, 4, [str(worker)], cluster.variables, tmp_path, 60.0)
    try:
        assert session.hello.nodes == 2
        store = tmp_path / "state.zarr"
        method = "headrace:zarr:file_per_node"
        for operation in ("write", "read"):
            reply = session.ask(
                Request(
                    id=0,
                    method=method,
                    operation=operation,
                    file=str(store),
                    layout="slab",
                    extents=(16, 16, 32),
                    seed=1,
                    condition="cached" if operation == "write" else "warm",
                )
            )
            assert reply.ok, reply.error
            if operation == "read":
                assert reply.bad_values == 0
        chunks = [path for path in store.rglob("*") if path.is_file() and path.name != "zarr.json"]
        assert len(chunks) == 2, [str(path) for path in chunks]
    finally:
        session.close()


def test_a_machine_without_slurm_is_told_what_is_missing(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "id", "hostname", "sed", "dirname", "chmod", "mkdir"):
        (tools / name).symlink_to(shutil.which(name) or name)
    folder = tmp_path / "cluster"
    folder.mkdir()
    done = subprocess.run(
        ["sh", str(START), str(folder), "1", "2", "3", "4"],
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
    )
    assert done.returncode == REFUSED
    missing = "munged is not installed" if os.geteuid() == 0 else "a Slurm of one's own needs root"
    assert done.stderr == f"{missing}\n"
    assert list(folder.iterdir()) == []


def test_the_cluster_leaves_nothing_behind() -> None:
    with two_nodes() as started:
        folder = started.folder
        assert _processes_of(folder), "the daemons name their folder"
    assert _processes_of(folder) == []
    assert not folder.exists()


def _processes_of(folder: Path) -> list[str]:
    """Processes that were started with this folder, or with its configuration."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            except OSError:
                continue
            if str(folder).encode() in text:
                found.append((entry / "comm").read_text().strip())
    return found
