"""The advice as files: an environment to source, hints for ROMIO, a job script for Slurm or PBS. First: advise.py."""

import shlex
from collections.abc import Iterable

from headrace.errors import HeadraceError
from headrace.measure.parallel.job import Job as Batch
from headrace.measure.parallel.job_texts import pbs_directives, quoted_directory, slurm_directives
from headrace.results.advised import Advised, Item
from headrace.settings.rules.mpi_io import HINTS_FILE

FIRST_LINE = "# Written by `headrace advise`: source it before the program starts\n"
_NOTHING = "# There is nothing to set.\n"
_SCRIPT = """\
#!/bin/bash
{directives}
#
# Written by `headrace advise --write-job {scheduler}`; submit it with `{submit}`.
set -u

{modules}{environment}
submitted=${{{submitted}:-$PWD}}
directory=${{HEADRACE_DIR:-{directory}}}
mkdir -p "$directory" || exit 2
{stripes}{hints}cd "$submitted" || exit 2
exec {launch} {program}
"""


def environment(items: Iterable[Item]) -> str:
    """Lines for a shell to source, without what a trial has struck out.

    Of two that set the same the one with the larger gain, which comes first.
    """
    return f"{FIRST_LINE}{_commented(items) or _NOTHING}"


def _kept(items: Iterable[Item]) -> list[Item]:
    return [item for item in items if not item.is_struck]


def _commented(items: Iterable[Item]) -> str:
    """Each change with the words of its item."""
    lines: list[str] = []
    done: set[str] = set()
    for item in _kept(items):
        changed = _changes(item, done)
        if changed:
            lines += [f"# {item.title} [{item.change}]", *changed]
    return "".join(f"{line}\n" for line in lines)


def _changes(item: Item, done: set[str]) -> list[str]:
    found = [f"export {name}={shlex.quote(value)}" for name, value in item.variables.items() if name not in done]
    found += [f"unset {name}" for name in item.unset if name not in done]
    done |= {*item.variables, *item.unset}
    return found


def romio_hints(items: Iterable[Item]) -> str:
    """A file that ROMIO_HINTS names: a name and a value in each line."""
    hints: dict[str, str] = {}
    for item in _kept(items):
        if item.hints and not item.variables:
            hints = {**item.hints, **hints}
    return "".join(f"{name} {value}\n" for name, value in hints.items())


def job_script(found: Advised, batch: Batch, scheduler: str, program: list[str], mpi: str) -> str:
    """A whole script with everything that can be set outside of the program. Raises HeadraceError."""
    if not program:
        raise HeadraceError("--write-job needs --program", 'for example --program "./model input.nml"')
    kept = _kept(found.items)
    settable = [item for item in kept if item.variables or item.unset or item.hints or item.stripes is not None]
    variables = {name for item in settable for name in item.variables}
    hints = romio_hints(settable)
    stripes = next((item.stripes for item in settable if item.stripes is not None), None)
    is_slurm = scheduler == "slurm"
    return _SCRIPT.format(
        scheduler=scheduler,
        submit="sbatch" if is_slurm else "qsub",
        submitted="SLURM_SUBMIT_DIR" if is_slurm else "PBS_O_WORKDIR",
        directives="\n".join(slurm_directives(batch) if is_slurm else pbs_directives(batch)),
        modules="".join(f"module load {shlex.quote(module)}\n" for module in batch.modules),
        environment=_own_variables(batch) + _commented(settable),
        directory=quoted_directory(batch.directory) if batch.directory else "$submitted",
        stripes=_STRIPES.format(count=stripes) if stripes is not None else "",
        hints=_HINTS.format(hints=hints, file=HINTS_FILE) if hints else "",
        launch=_launch(batch, is_slurm, [*variables, *(["ROMIO_HINTS"] if hints else [])], mpi),
        program=shlex.join([*_start(kept), *program]),
    )


_STRIPES = """\
# Files that are there keep their stripes: only what is made from now on gets these.
if command -v lfs >/dev/null; then
  lfs setstripe -c {count} "$directory" || exit 2
else
  echo "headrace: no lfs here, $directory keeps the default striping" >&2
fi
"""
_HINTS = """\
cat >"$directory/{file}" <<'END'
{hints}END
export ROMIO_HINTS="$directory/{file}"
"""


def _start(items: Iterable[Item]) -> list[str]:
    """Words in front of the program, on every MPI rank."""
    return next((item.start for item in items if item.start), [])


def _own_variables(batch: Batch) -> str:
    return "".join(f"export {name}={shlex.quote(value)}\n" for name, value in batch.variables.items())


def _launch(batch: Batch, is_slurm: bool, variables: list[str], mpi: str) -> str:
    ranks, per_node = max(batch.ranks), batch.tasks_a_node
    extra = "".join(f" {shlex.quote(word)}" for word in batch.srun)
    if is_slurm:
        return f"srun --nodes={batch.nodes} --ntasks-per-node={per_node} -n {ranks}{extra}"
    # Open MPI gives other nodes only what is named.
    named = "".join(f" -x {name}" for name in sorted(set(variables))) if mpi.startswith("Open MPI") else ""
    return f"mpirun -n {ranks}{named}{extra}"
