"""The text of a script for Slurm or PBS, and of a ReFrame test. First: jobs.py."""

import re
import shlex
from typing import Literal

from headrace.measure.parallel.job import Job

Scheduler = Literal["slurm", "pbs"]
SUBMIT: dict[Scheduler, str] = {"slurm": "sbatch", "pbs": "qsub"}
_SUBMITTED: dict[Scheduler, str] = {"slurm": "SLURM_SUBMIT_DIR", "pbs": "PBS_O_WORKDIR"}
_NUMBER: dict[Scheduler, str] = {"slurm": "SLURM_JOB_ID", "pbs": "PBS_JOBID"}
_SCRIPT = """\
#!/bin/bash
{directives}
#
# Written by `headrace bench parallel --write-job {scheduler}`; submit it with `{submit}`. For each condition it leaves
# results and a report in $HEADRACE_RESULTS (default: results-JOB where it was submitted). It measures in a directory of
# its own below $HEADRACE_DIR (default: {default_directory}), which it removes.
# shellcheck disable=SC2016  # values stand as they were given
set -u

{environment}
headrace=({command})
options=({options})
ranks={ranks}
conditions=({conditions})
submitted=${{{submitted}:-$PWD}}
job=${{{number}:-$$}}
results=${{HEADRACE_RESULTS:-$submitted/results-$job}}
scratch=${{HEADRACE_DIR:-{directory}}}/headrace-job-$job
mkdir -p "$results" && mkdir "$scratch" && start=$(mktemp) || exit 2
trap 'rm -rf "$scratch" "$start"' EXIT

# How a program is started on a number of MPI ranks: on as few nodes as will hold them, {per_node} on each.
cat >"$start" <<'END'
ranks=$1
shift
{launch}
END

{directories}

finished=0
for condition in "${{conditions[@]}}"; do
  echo "headrace: $ranks MPI ranks, $condition"
  if "${{headrace[@]}}" bench parallel --ranks "$ranks" --launcher "sh $start {{ranks}}" --condition "$condition" \\
    "${{directories[@]}}" "${{options[@]}}" --json "$results/$condition.json" --report "$results/$condition.html" &&
    [ -s "$results/$condition.json" ]; then
    finished=$((finished + 1))
  else
    echo "headrace: failed: $condition" >&2
  fi
done

echo "headrace: $finished of ${{#conditions[@]}} results in $results"
[ "$finished" -eq "${{#conditions[@]}}" ]
"""

_SRUN = """\
nodes=$(((ranks + {per_node} - 1) / {per_node}))
exec srun --input=0 --nodes=$nodes --ntasks-per-node=$(((ranks + nodes - 1) / nodes)) -n "$ranks"{words} "$@\""""
# PBS gives {per_node} places on each node (mpiprocs), and mpirun fills one node after the other.
_MPIRUN = """\
named=
case $(mpirun --version 2>/dev/null) in
  *"Open MPI"*) named="{named}" ;; # it gives other nodes only what is named
esac
exec mpirun -n "$ranks" $named{words} "$@" </dev/null"""

_STRIPED = """\
directories=()
for count in {counts}; do
  directory=$scratch/stripe$count
  mkdir "$directory" || exit 2
  if command -v lfs >/dev/null; then
    lfs setstripe -c "$count" "$directory" || exit 2
  else
    echo "headrace: no lfs here, $directory keeps the default striping" >&2
  fi
  directories+=(--dir "$directory")
done"""

_TEST = '''\
"""ReFrame test of the job in {script}: run it with `reframe -c {test} -r`.

Written by `headrace bench parallel --write-job {scheduler}`. The figures of every method become performance variables.
It needs ReFrame 4 and a configuration whose partition uses {uses}.
"""

import json
import re
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher


@rfm.simple_test
class HeadraceParallel(rfm.RunOnlyRegressionTest):
    descr = "headrace bench parallel on {sizes}"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    sourcesdir = None
    num_tasks = {tasks}
    num_tasks_per_node = {per_node}
    exclusive_access = True
    time_limit = {time_limit}
    keep_files = ["results"]
    executable = "bash"
    env_vars = {{"HEADRACE_RESULTS": "results"}}

    @run_before("run")
    def run_the_script(self):
        # The script starts {starter} itself, for each number of MPI ranks.
        self.job.launcher = getlauncher("local")()
        self.job.options += {options}
        self.executable_opts = [str(Path(__file__).resolve().with_name("{script}"))]

    @sanity_function
    def every_condition_has_results(self):
        return sn.assert_found(r"^headrace: (\\d+) of \\1 results", self.stdout)

    @run_before("performance")
    def read_the_results(self):
        for file in sorted(Path(self.stagedir, "results").glob("*.json")):
            rows = json.loads(file.read_text())["rows"]
            directories = list(dict.fromkeys(row["directory"] for row in rows))
            for row in rows:
                if row["outcome"] != "measured" or not row["statistics"]:
                    continue
                words = [row["operation"], row["way"], str(row["ranks"]), file.stem]
                if len(directories) > 1:
                    words.append(Path(row["directory"]).name)
                if row["tool"] != "mpi":
                    words.append(row["tool"])
                name = re.sub(r"\\W+", "_", " ".join(words))
                median = row["statistics"]["median"]
                self.perf_variables[name] = sn.make_performance_function(lambda value=median: value, "MB/s")
'''


def batch_script(job: Job, scheduler: Scheduler) -> str:
    """A bash script for sbatch or qsub."""
    directory = quoted_directory(job.directory) if job.directory else "$submitted"
    return _SCRIPT.format(
        scheduler=scheduler,
        submit=SUBMIT[scheduler],
        submitted=_SUBMITTED[scheduler],
        number=_NUMBER[scheduler],
        directives="\n".join(slurm_directives(job) if scheduler == "slurm" else pbs_directives(job)),
        default_directory=job.directory or "where it was submitted",
        environment=_environment(job),
        command=shlex.join(job.command),
        options=shlex.join(job.arguments),
        directory=directory,
        directories=_STRIPED.format(counts=" ".join(map(str, job.stripes)))
        if job.stripes
        else 'directories=(--dir "$scratch")',
        launch=_launch(job, scheduler),
        ranks=",".join(str(ranks) for _, ranks in job.sizes),
        per_node=job.per_node,
        conditions=" ".join(job.conditions),
    )


def _launch(job: Job, scheduler: Scheduler) -> str:
    words = "".join(f" {shlex.quote(word)}" for word in job.srun)
    if scheduler == "slurm":
        return _SRUN.format(per_node=job.per_node, words=words)
    return _MPIRUN.format(named=" ".join(f"-x {name}" for name in job.variables), words=words)


def slurm_directives(job: Job) -> list[str]:
    """The lines at the head of a script for sbatch."""
    return [f"#SBATCH {option}" for option in _options(job)]


def pbs_directives(job: Job) -> list[str]:
    """The same for qsub: a partition is called a queue there."""
    cores = job.tasks_a_node
    options = [
        f"-N {job.name}",
        f"-l select={job.nodes}:ncpus={cores}:mpiprocs={cores}",
        "-l place=scatter:excl",
        f"-l walltime={pbs_time(job.time)}",
        *([f"-A {job.account}"] if job.account else []),
        *([f"-q {job.partition}"] if job.partition else []),
    ]
    return [f"#PBS {option}" for option in options]


def pbs_time(time: str) -> str:
    """Slurm's forms of a time as hours:minutes:seconds."""
    found = re.fullmatch(r"(\d+)d(\d+)h(\d+)m(\d+)s", _reframe_time(time))
    days, hours, minutes, seconds = map(int, found.groups()) if found else (0, 0, 30, 0)
    return f"{24 * days + hours:02}:{minutes:02}:{seconds:02}"


_CONFIGURED: dict[Scheduler, str] = {
    "slurm": "Slurm, with the scheduler `slurm`, or `squeue` where there is\nno accounting",
    "pbs": "PBS, with the scheduler `pbs`",
}


def reframe_test(job: Job, script: str, scheduler: Scheduler) -> str:
    """A Python file for ReFrame."""
    is_slurm = scheduler == "slurm"
    options = [option for option in _options(job) if option.startswith(("--account", "--part", "--qos"))]
    if not is_slurm:
        given = (line.removeprefix("#PBS ") for line in pbs_directives(job))
        options = [option for option in given if option.startswith(("-A", "-q"))]
    nodes = f"{job.nodes} node{'s' if job.nodes > 1 else ''}"
    return _TEST.format(
        scheduler=scheduler,
        uses=_CONFIGURED[scheduler],
        starter="srun" if is_slurm else "mpirun",
        script=script,
        test="headrace_reframe.py",
        sizes=f"{', '.join(str(ranks) for _, ranks in job.sizes)} MPI ranks, up to {nodes}",
        tasks=job.nodes * job.tasks_a_node,
        per_node=job.tasks_a_node,
        time_limit=f'"{_reframe_time(job.time)}"',
        options=json_list(options),
    )


def json_list(words: list[str]) -> str:
    """As Python writes it, with double quotes."""
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


def _options(job: Job) -> list[str]:
    named = {"account": job.account, "partition": job.partition, "qos": job.qos}
    return [
        f"--job-name={job.name}",
        f"--nodes={job.nodes}",
        f"--ntasks-per-node={job.tasks_a_node}",
        "--cpus-per-task=1",
        f"--time={job.time}",
        "--exclusive",
        *(f"--{name}={value}" for name, value in named.items() if value),
    ]


def _environment(job: Job) -> str:
    lines = [f"module load {shlex.quote(module)}" for module in job.modules]
    lines += [f"export {name}={shlex.quote(value)}" for name, value in job.variables.items()]
    return "".join(f"{line}\n" for line in lines)


def quoted_directory(directory: str) -> str:
    """Within ${...:-...}, where quotes would be letters: what the shell reads specially is escaped."""
    return "".join(f"\\{letter}" if not (letter.isalnum() or letter in "/._-+@%,") else letter for letter in directory)


def _reframe_time(time: str) -> str:
    """Slurm's [days-]hours:minutes:seconds, minutes:seconds or minutes as ReFrame's 1d2h3m4s."""
    days, _, rest = time.rpartition("-")
    parts = [int(word) for word in rest.split(":")]
    if days:
        parts = [*parts, 0, 0][:3]
    elif len(parts) == 1:
        parts = [0, parts[0], 0]
    elif len(parts) == 2:
        parts = [0, *parts]
    return f"{int(days or 0)}d{parts[0]}h{parts[1]}m{parts[2]}s"
