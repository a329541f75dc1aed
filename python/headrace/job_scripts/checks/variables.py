"""HR921 to HR925: variables that the program does not get, and those of the run times of Fortran."""

from collections.abc import Iterator

from headrace.job_scripts.finding import Facts, Finding, is_known, is_of_io, shown
from headrace.job_scripts.launch import Launch
from headrace.job_scripts.script import Assignment, Command, Unset

_YES, _NO = ("1", "y", "Y"), ("0", "n", "N", "f", "F")  # how gfortran and Intel's run time begin their words


def not_exported(facts: Facts) -> Iterator[Finding]:
    """A variable that stays in the script. One finding a name."""
    exported = {one.name for one in facts.script.assignments if one.exported}
    exported |= {name for command in facts.commands for name in command.variables}
    exported |= {name for launch in facts.launches for name in launch.passed | _listed(launch.export)}
    told = set[str]()
    for one in facts.script.assignments:
        if not is_of_io(one.name) or one.name in exported | told or not one.value:
            continue
        if _is_used(facts, one.name):
            continue
        told.add(one.name)
        yield facts.finding(
            "HR921",
            one.line,
            f"{one.name} is set and not exported: no program of this script sees it",
            f"export {_shown(one)}",
        )


def _is_used(facts: Facts, name: str) -> bool:
    """Whether the script itself uses the value."""
    sign, braced = f"${name}", f"${{{name}"
    return any(sign in line or braced in line for line in facts.script.lines)


def _shown(one: Assignment) -> str:
    value = one.value or ""
    return f"{one.name}={shown([value])}"


def _listed(export: str | None) -> set[str]:
    """The names in --export=ALL,NAME,OTHER=1."""
    return {word.split("=")[0] for word in (export or "").split(",")}


def not_passed(facts: Facts) -> Iterator[Finding]:
    """An exported variable that a launcher leaves behind: one finding a launch line."""
    launches = {launch.command.order: launch for launch in facts.launches}
    exported: dict[str, bool] = {}
    export = facts.script.option("--export")  # srun takes it over from sbatch, unless the script sets it again
    for event in facts.script.events:
        if isinstance(event, Assignment) and is_of_io(event.name):
            exported[event.name] = exported.get(event.name, False) or event.exported
        elif isinstance(event, Assignment) and event.name == "SLURM_EXPORT_ENV" and event.exported:
            export = event.value
        elif isinstance(event, Unset):
            exported.pop(event.name, None)
            export = None if event.name == "SLURM_EXPORT_ENV" else export
        elif event.order in launches and (launch := launches[event.order]):
            taken = launch.export if launch.export is not None else export
            left = [name for name, out in exported.items() if out and not _is_passed(facts, launch, name, taken)]
            if left:
                what, instead = _why_not_passed(launch, left, taken or "")
                yield facts.finding("HR922", launch.command.line, what, instead)


def _is_passed(facts: Facts, launch: Launch, name: str, export: str | None) -> bool:
    if name in launch.passed | _listed(launch.export) or name in launch.command.variables:
        return True
    if launch.launcher == "srun":
        return export is None or "all" in export.lower().split(",") or not is_known(export)
    if launch.none_passed:
        return False
    if launch.launcher == "mpirun_rsh":
        return "-export" in launch.command.words or "-export-all" in launch.command.words
    if facts.mpi.name == "open mpi" and launch.launcher in ("mpirun", "mpiexec", "orterun", "prterun"):
        return name.startswith(("OMPI_", "PMIX_")) or not _starts_by_ssh(facts, launch)
    return True


def _starts_by_ssh(facts: Facts, launch: Launch) -> bool:
    """Slurm and PBS hand the environment on to the nodes, if Open MPI starts its processes through them."""
    if launch.mca.get("plm", "") in ("rsh", "ssh") or launch.mca.get("pls", "") == "rsh":
        return True
    return launch.hosts and not facts.script.directives


def _why_not_passed(launch: Launch, left: list[str], export: str) -> tuple[str, str]:
    names = ", ".join(left)
    if launch.launcher == "srun":
        if launch.export is None:
            return (
                f"srun takes --export={export} over from the job, and does not pass {names}",
                "export SLURM_EXPORT_ENV=ALL",
            )
        listed = "" if export.lower() in ("none", "nil") else f",{export}"
        return f"srun --export={export} does not pass {names}", f"srun --export=ALL{listed}"
    if launch.launcher == "mpirun_rsh":
        listed = " ".join(f"{name}=${name}" for name in left)
        return f"mpirun_rsh passes what stands on its line alone, not {names}", f"mpirun_rsh ... {listed} PROGRAM"
    if launch.none_passed:
        return f"an option of {launch.command.name} keeps {names} back", f"-genvlist {','.join(left)}"
    options = " ".join(f"-x {name}" for name in left)
    return (
        f"mpirun of Open MPI starts other nodes by ssh here, and passes OMPI_* alone: not {names}",
        f"{launch.command.name} {options}",
    )


def set_after_launch(facts: Facts) -> Iterator[Finding]:
    """A variable that is set when nothing is started any more, and was not set before."""
    programs = [command for command in facts.commands if facts.is_program(command)]
    if not facts.launches or not programs:
        return
    last = max(command.order for command in programs)
    for one in facts.script.assignments:
        if not is_of_io(one.name) or not one.value or one.order < last or not one.exported:
            continue
        shared = any(set(one.loops) & set(launch.command.loops) for launch in facts.launches)
        if shared or _is_used(facts, one.name):
            continue
        launch = facts.launches[-1]
        yield facts.finding(
            "HR923",
            one.line,
            f"{one.name} is set after the last program has been started, in line {launch.command.line}",
            f"export {_shown(one)} before line {facts.launches[0].command.line}",
        )


def _settings(facts: Facts, name: str) -> Iterator[tuple[int, str]]:
    """The lines that give a variable to a program, and the values."""
    for event in facts.script.events:
        if isinstance(event, Assignment) and event.name == name and event.value is not None:
            yield event.line, event.value
        elif isinstance(event, Command) and name in event.variables:
            yield event.line, event.variables[name]
    for launch in facts.launches:
        for before, word in zip(launch.command.words, launch.command.words[1:], strict=False):
            if word.startswith(f"{name}=") and before in ("-x", "-env", "-genv", "--env", "--genv", "-e"):
                yield launch.command.line, word.partition("=")[2]


def unbuffered_run_time(facts: Facts) -> Iterator[Finding]:
    """GFORTRAN_UNBUFFERED_ALL."""
    for line, value in _settings(facts, "GFORTRAN_UNBUFFERED_ALL"):
        if value.startswith(_YES):
            what = f"GFORTRAN_UNBUFFERED_ALL={value}: every READ and WRITE is a system call"
            yield facts.finding(
                "HR924", line, what, "unset GFORTRAN_UNBUFFERED_ALL; export GFORTRAN_UNBUFFERED_PRECONNECTED=y"
            )


def intel_buffers(facts: Facts) -> Iterator[Finding]:
    """FORT_BUFFERED."""
    gnu = _loads_gnu_alone(facts)
    for line, value in _settings(facts, "FORT_BUFFERED"):
        if value.startswith(_NO):
            what = f"FORT_BUFFERED={value}: Intel's run time writes every record with a system call"
            yield facts.finding("HR925", line, what, "export FORT_BUFFERED=true")
        elif gnu:
            what = f"FORT_BUFFERED is of Intel's run time; line {gnu} loads GNU's compiler, which ignores it"
            yield facts.finding("HR925", line, what, "leave it out: gfortran has buffers unless it is told otherwise")


def _loads_gnu_alone(facts: Facts) -> int:
    """The line of `module load gcc`, if no other compiler is loaded."""
    line = 0
    for command in facts.commands:
        if command.name in ("module", "ml"):
            text = " ".join(command.words).lower()
            if any(name in text for name in ("intel", "oneapi", "ifort", "nvhpc", "cce")) and "unload" not in text:
                return 0
            if any(word.split("/")[0] in ("gcc", "gnu", "prgenv-gnu") for word in text.split()[1:]):
                line = command.line
    return line
