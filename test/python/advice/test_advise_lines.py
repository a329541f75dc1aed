"""Every line to paste is run; no hint is one that the MPI at hand would ignore; files to use are right for a shell."""

import os
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from advising import advised, described, items, program
from conftest import COMPILERS
from headrace import mpi_hints
from headrace.results.advised import Item
from headrace.settings.job import PATTERNS, Files, Job, Moved, Observed
from headrace.settings.probe import Costs
from headrace.sites.load import names
from headrace.sites.schema import MpiIo

Command = Callable[..., "subprocess.CompletedProcess[str]"]
MPI_IO: tuple[MpiIo, ...] = ("ompio", "romio", "cray")
# The libraries that lines of Fortran use, the wrapper that compiles them, and what is declared for them.
MPI = "use mpi\ninteger :: file\ninteger(MPI_OFFSET_KIND) :: offset"
LIBRARIES = {"MPI_File": ("mpifort", MPI), "nf90_": ("", "use netcdf\ninteger :: file, variable"), "h5p": ("h5pfc", "")}


def jobs() -> Iterator[Job]:
    for pattern in PATTERNS:
        for ranks, nodes in ((8, 1), (2048, 16)):
            yield Job(ranks=ranks, nodes=nodes, bytes_a_rank=10**8, pattern=pattern)
    for transfer in ("pack", "unpack", "copy"):
        yield Job(files=100_000, transfer=transfer)  # type: ignore[arg-type]
    yield Job(format="text", flush=True, reopen=True)
    yield Job(ranks=48, pattern="serial", format="text")
    yield Job(format="unformatted", statements="element")
    yield Job(format="unformatted", skip="scalar")
    yield Job(ranks=64, nodes=2, pattern="file_per_process", format="adios2")


def every_item() -> Iterator[tuple[str, Item]]:
    """Of all jobs, sites and libraries of MPI-IO."""
    for job in jobs():
        for mpi_io in MPI_IO:
            for site in names():
                kind = "lustre" if site in ("archer2", "lustre") else "beegfs" if site == "beegfs" else "local"
                variables = {"GFORTRAN_UNBUFFERED_ALL": "y", "ROMIO_HINTS": "x", "MPICH_MPIIO_HINTS": "x"}
                place = described(kind, mpi_io, ("gnu", "intel"), variables, has_files=site == "lustre")  # type: ignore[arg-type]
                for item in advised(job, place, site).items:
                    yield mpi_io, item


def items_of_costs() -> Iterator[tuple[str, Item]]:
    """What only a trace and measured costs of calls show: each rule of rules/calls.py has something to say."""
    sizes = (512, 8192, 65536, 131072, 1 << 20)
    slow = Costs(0.01, 1e-5, 1e-6, 0.02, 1e-4, tuple((size, 2e-3) for size in sizes))
    quick = replace(slow, create=1e-5, lock=1e-6, writes=tuple((size, 1e-6) for size in sizes))
    place = replace(
        described("local", "ompio"), costs=slow, scratch_costs=slow, temporary="/dev/shm", temporary_costs=quick
    )
    one = Observed("t", seconds=1.0)
    for observed in (
        replace(one, text=Moved(450, 450 * 8192, 0.9)),
        replace(one, binary=Moved(450, 450 * 131072, 0.9)),
        replace(one, scratch=Files(80, 80, 0.9, Moved(80, 80 * 8000, 0.9), "/slow")),
        replace(one, single=Files(80, 80, 0.9, Moved(80, 80 * 800, 0.88), "/here")),
        replace(one, hdf5_opens=40, hdf5_open_seconds=0.9),
    ):
        for item in advised(Job(observed=observed, format="unformatted"), place).items:
            yield "ompio", item


ITEMS = [*every_item(), *items_of_costs()]
COSTLY = {"formatted-buffer-1m", "unformatted-buffer-1m", "temporary-files", "fewer-files", "hdf5-locking"}


def lines(*kinds: str) -> list[tuple[str, ...]]:
    """The different groups of lines of items of these kinds."""
    return sorted({tuple(item.lines) for _, item in ITEMS if item.kind in kinds and item.lines})


def test_there_is_an_item_of_every_kind() -> None:
    assert {item.kind for _, item in ITEMS} == {"environment", "command", "source", "hints", "pattern"}
    assert len({item.change for _, item in ITEMS}) >= 25
    assert {item.change for _, item in ITEMS} >= COSTLY


def test_no_hint_is_given_that_the_mpi_would_ignore() -> None:
    given = [(library, *pair) for library, item in ITEMS for pair in item.hints.items()]
    assert {library for library, _, _ in given} == {"romio", "cray"}
    assert [one for one in given if not mpi_hints.takes(*one)] == []


def test_names_that_nobody_judges_are_in_the_one_table() -> None:
    known = mpi_hints.table()
    for name in ("romio_lustre_co_ratio", "e10_cache", "nc_burst_buf", "access_style", "romio_aggregator_list"):
        assert not known[name].takers and known[name].means("anything") and not mpi_hints.takes("romio", name, "1")
    assert len(known) > 90 and sum(not hint.takers for hint in known.values()) == 77


def test_the_table_of_hints_tells_who_takes_what() -> None:
    taken = {who: {name for name, hint in mpi_hints.table().items() if who in hint.takers} for who in MPI_IO}
    assert (
        "romio_cb_write" in taken["romio"] - taken["ompio"]
        and "collective_buffering" in taken["ompio"] - taken["romio"]
    )
    assert "cray_cb_nodes_multiplier" in taken["cray"] - taken["romio"] - taken["ompio"]
    assert mpi_hints.takes("romio", "romio_cb_write", "enable") and not mpi_hints.takes("romio", "romio_cb_write", "on")
    assert not mpi_hints.takes("ompio", "cb_nodes", "0") and not mpi_hints.takes("ompio", "cb_node", "2")


@pytest.mark.parametrize("group", lines("environment", "hints"), ids=str)
def test_lines_for_a_shell_set_what_they_name(group: tuple[str, ...], tmp_path: Path) -> None:
    if group[0].startswith("<"):
        ElementTree.fromstring(f'<engine type="BP5">{"".join(group)}</engine>')
        return
    set_before = "export GFORTRAN_UNBUFFERED_ALL=y ROMIO_HINTS=x MPICH_MPIIO_HINTS=x"
    done = subprocess.run(
        ["bash", "-euc", "\n".join((set_before, *group, "env"))],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    found = dict(line.partition("=")[::2] for line in done.stdout.splitlines())
    for line in group:
        word = shlex.split(line)[1].partition("=")[0]
        if line.startswith("unset"):
            assert word not in found
        elif line.startswith("export"):
            assert found[word] and '"' not in found[word]
    if "ROMIO_HINTS" in "".join(group) and not group[0].startswith("unset"):
        assert all(len(line.split()) == 2 for line in Path(found["ROMIO_HINTS"]).read_text().splitlines())


@pytest.mark.parametrize("group", lines("command"), ids=str)
def test_commands_run(group: tuple[str, ...], tmp_path: Path) -> None:
    """tar is the real one; lfs, beegfs-ctl and module write down what they were told."""
    for name in ("lfs", "beegfs-ctl", "module"):
        program(tmp_path / "bin", name, f'echo {name} "$@" >> "{tmp_path}/told"')
    for folder in ("work/directory", "work/target"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "work" / "directory" / "a").write_text("1")
    there = tmp_path / "work" / "archive.tar"
    subprocess.run(["tar", "-cf", there, "directory"], cwd=tmp_path / "work", check=True)
    text = "\n".join(group).replace("/work/run", str(tmp_path / "work"))
    path = {"PATH": f"{tmp_path / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"}
    if "tar " in text:  # nothing that is there is replaced
        before = {one: one.read_bytes() for one in (tmp_path / "work").rglob("*") if one.is_file()}
        (tmp_path / "work" / "target" / "directory").mkdir()
        (tmp_path / "work" / "target" / "directory" / "a").write_text("2")
        refused = subprocess.run(["bash", "-euc", text], cwd=tmp_path / "work", capture_output=True, text=True)
        assert refused.returncode != 0 and all(one.read_bytes() == data for one, data in before.items()), text
        assert (tmp_path / "work" / "target" / "directory" / "a").read_text() == "2"
        shutil.rmtree(tmp_path / "work" / "target" / "directory")
        if "-xf archive.tar" in text:
            shutil.rmtree(tmp_path / "work" / "directory")
        elif "-cf archive.tar" in text:
            there.unlink()
    done = subprocess.run(
        ["bash", "-euc", text], cwd=tmp_path / "work", env=os.environ | path, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    if "headrace run" in text:
        shown = subprocess.run(["bash", "-euc", f"{text}\nenv"], env=os.environ | path, capture_output=True, text=True)
        assert "HEADRACE_RUN=1" in shown.stdout and "LD_PRELOAD=" in shown.stdout
    if "-C target" in text:
        assert (tmp_path / "work" / "target" / "directory" / "a").read_text() == "1"
    if "lfs" in text:
        assert (tmp_path / "told").read_text().startswith("lfs setstripe -c ")


def declared(text: str) -> str:
    """A program in which the lines stand."""
    imports = next((words for name, (_, words) in LIBRARIES.items() if name in text), "")
    if "h5p" in text:
        imports = "use hdf5\ninteger(HID_T) :: transfer"
    names_of = {"file": "", "status": "integer :: status", "unit": "integer :: unit", "step": "integer :: step = 100"}
    body = "\n".join(line for word, line in names_of.items() if line and word in text)
    return (
        f"program paste\n{imports}\n{body}\ninteger :: first = 3\n"
        f"double precision :: x(10) = 1, part(4), skipped(10)\n{text}\nend program paste\n"
    )


@pytest.mark.parametrize("group", lines("source"), ids=str)
def test_lines_of_fortran_compile(group: tuple[str, ...], tmp_path: Path) -> None:
    text = "\n".join(group)
    wrapper = next((wrapper for name, (wrapper, _) in LIBRARIES.items() if name in text), "gfortran")
    flags: list[str] = []
    if "nf90" in text and shutil.which("nf-config"):
        wrapper = "gfortran"
        flags = subprocess.run(["nf-config", "--fflags"], capture_output=True, text=True, check=True).stdout.split()
    if not wrapper or shutil.which(wrapper) is None or not COMPILERS:
        pytest.skip(f"nothing here compiles: {text}")
    (tmp_path / "paste.f90").write_text(declared(text.split(" ! ")[0]))
    done = subprocess.run([wrapper, *flags, "-c", "paste.f90"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_lines_that_skip_read_what_the_scalar_read(tmp_path: Path) -> None:
    found = items(advised(Job(format="unformatted", skip="scalar", operations=("read",)), described()))
    text = f"""program parts
    integer :: unit, first = 3, i
    real(8) :: x(10), part(4), skipped(10), again(4)
    x = [(1.5d0 * i, i = 1, 10)]
    open (newunit=unit, file="data", form="unformatted")
    write (unit) x
    rewind unit
    {found["skip-with-array"].lines[0]}
    again = part
    close (unit)
    {chr(10).join(found["stream-position"].lines)}
    if (any(part /= x(3:6)) .or. any(again /= part)) error stop "other values"
end program parts
"""
    if shutil.which("gfortran") is None:
        pytest.skip("gfortran is not installed")
    (tmp_path / "parts.f90").write_text(text)
    subprocess.run(["gfortran", "parts.f90", "-o", "parts"], cwd=tmp_path, check=True)
    subprocess.run(["./parts"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("scheduler", ["slurm", "pbs"])
@pytest.mark.parametrize("site", ["archer2", "lustre"])
def test_job_scripts_are_clean(headrace: Command, tmp_path: Path, scheduler: str, site: str) -> None:
    done = headrace(
        *(
            "advise",
            "--site",
            site,
            "--mpi-io",
            "romio" if site == "lustre" else "cray",
            "--ranks",
            "256",
            "--nodes",
            "2",
        ),
        *(
            "--pattern",
            "shared",
            "--write-job",
            scheduler,
            "--program",
            "./model 'my input.nml'",
            "--job",
            "account=z19",
        ),
    )
    assert done.returncode == 0, done.stderr
    script = tmp_path / "headrace-job.sh"
    text = script.read_text()
    assert text.isascii()
    subprocess.run(["bash", "-n", str(script)], check=True)
    shellcheck = Path(sys.executable).parent / "shellcheck"
    assert subprocess.run([shellcheck, str(script)], capture_output=True, text=True).stdout == ""
    head = {"slurm": "#SBATCH --nodes=2", "pbs": "#PBS -l select=2:ncpus=128:mpiprocs=128"}[scheduler]
    assert head in text and "./model 'my input.nml'" in text and "lfs setstripe -c " in text
    assert ("cray_cb_write_lock_mode" in text) == (site == "archer2")


def test_a_job_script_does_what_it_says(headrace: Command, tmp_path: Path) -> None:
    """Run by bash, with programs that stand in for srun and lfs."""
    for name in ("srun", "lfs"):
        program(tmp_path / "bin", name, f'echo "{name} $*" >> "{tmp_path}/told"; env > "{tmp_path}/env-{name}"')
    options = ("--site", "archer2", "--ranks", "256", "--nodes", "2", "--pattern", "shared")
    done = headrace("advise", *options, "--write-job", "slurm", "--program", "./model", "--env", "here.sh")
    assert done.returncode == 0, done.stderr
    environment = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "HEADRACE_DIR": str(tmp_path / "out put")}
    subprocess.run(["bash", "headrace-job.sh"], cwd=tmp_path, env=os.environ | environment, check=True)
    told = (tmp_path / "told").read_text().splitlines()
    assert told[0] == f"lfs setstripe -c -1 {tmp_path / 'out put'}"
    assert told[1].startswith("srun --nodes=2 --ntasks-per-node=128 -n 256") and told[1].endswith("./model")
    seen = (tmp_path / "env-srun").read_text()
    assert "FI_OFI_RXM_SAR_LIMIT=64K" in seen
    assert "MPICH_MPIIO_HINTS=*:cray_cb_write_lock_mode=2,*:cray_cb_nodes_multiplier=4" in seen
    sourced = subprocess.run(
        ["bash", "-euc", ". ./here.sh; env"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "FI_OFI_RXM_SAR_LIMIT=64K" in sourced.stdout
    again = headrace("advise", *options, "--write-job", "slurm", "--program", "./other")
    assert again.returncode == 2 and "headrace-job.sh is there already, with other contents" in again.stderr


def test_hints_for_romio_are_a_file_that_romio_reads(headrace: Command, tmp_path: Path) -> None:
    shared = ("--site", "gpfs", "--ranks", "8", "--nodes", "2", "--pattern", "shared", "--mpi-io", "romio")
    done = headrace("advise", *shared, "--romio-hints", "hints")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "hints").read_text() == "romio_ds_write disable\n"
    (tmp_path / "hints").write_text("")
    none = headrace("advise", "--format", "text", "--romio-hints", "hints")
    assert none.returncode == 2 and "there is no hint in this advice" in none.stderr
