"""`headrace advise`: what it is told, and what it says if that is wrong, or if a program cannot be tried."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from advising import advised, compiled, described, program
from headrace.commands.arguments import positive
from headrace.commands.trace import merged
from headrace.errors import HeadraceError
from headrace.measure.parallel.job import Job as Batch
from headrace.results.advised import Item, Outcome, Tried
from headrace.results.records import of_bytes
from headrace.settings.advise import advise, names_of_items
from headrace.settings.job import Files, Job, Moved, Observed
from headrace.settings.job_of_file import of_trace
from headrace.settings.probe import Costs
from headrace.settings.written import environment, job_script, romio_hints
from headrace.trace.archive import load
from headrace.trace.results import Trace
from test_advise_lines import ITEMS

Command = Callable[..., "subprocess.CompletedProcess[str]"]
TABLE = """open (10, file="table.txt")
do i = 1, 20000
   write (10, '(4es16.8)') [1d0, 2d0, 3d0, 4d0] * i
end do"""
SCRATCH = """do i = 1, 40
   open (10, status="scratch")
   write (10, *) i
   do j = 1, 500
      inquire (10, opened=is_open)
      rewind (10)
   end do
   close (10)
end do"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where these programs are."""
    made = tmp_path_factory.mktemp("programs")
    compiled(made, "table", TABLE)
    compiled(made, "scratch", SCRATCH)
    compiled(made, "silent", "if (command_argument_count() > 5) stop 1")
    compiled(made, "reads", "read (*, *) i\nopen (10, file='got')\nwrite (10, *) i")
    compiled(made, "fails", "error stop 'no input'")
    return made


def traced(folder: Path, name: str) -> Trace:
    words = ["trace", "--save", f"{name}.headrace-trace", "--no-advice", f"./{name}"]
    subprocess.run([sys.executable, "-m", "headrace", *words], cwd=folder, check=True, capture_output=True)
    return merged(load(folder / f"{name}.headrace-trace"), "")


@pytest.fixture(scope="module")
def table(folder: Path) -> Trace:
    """Of the program that writes a table."""
    return traced(folder, "table")


def test_a_format_that_is_asked_for_takes_the_place_of_what_was_traced(table: Trace) -> None:
    of_element = table.model_copy(update={"lines": [_of_elements(line) for line in table.lines]})
    assert of_trace(Path("t"), of_element, Job()).job.statements == "element"
    assert of_trace(Path("t"), of_element, Job(format="hdf5")).job.statements == ""


def _of_elements(line: object) -> object:
    return line.model_copy(update={"elements": line.statements}) if line.statement == "write" else line  # type: ignore[attr-defined]


def test_the_command_line_says_what_counts_of_reading_and_writing(table: Trace) -> None:
    assert of_trace(Path("t"), table, Job()).job.operations == ("write",)
    assert of_trace(Path("t"), table, Job(operations=("read",))).job.operations == ("read",)


@pytest.mark.parametrize(
    ("form", "access", "is_left"),
    [
        ("(4es16.8)", "sequential", False),
        ("(tr2, 'T1=', es16.8)", "sequential", False),
        ("(t3, es16.8)", "sequential", True),
        ("(i4,tl2,i4)", "sequential", True),
        ("(EN12.3)", "sequential", True),
        ("(4es16.8)", "stream", True),
        ("(4es16.8)", "direct", True),
    ],
)
def test_text_that_stays_with_the_run_time_promises_nothing(
    table: Trace, form: str, access: str, is_left: bool
) -> None:
    lines = [line.model_copy(update={"formats": [form] * (line.statement == "write")}) for line in table.lines]
    files = [file.model_copy(update={"access": access}) for file in table.files]
    found = of_trace(Path("t"), table.model_copy(update={"lines": lines, "files": files}), Job())
    items = {item.change for item in advise(found.job, described(), None).items}
    assert "binary-file" in items and ("headrace-run" not in items) == is_left


def test_no_message_about_a_trace_names_options_that_nobody_gave(table: Trace) -> None:
    with pytest.raises(HeadraceError) as error:
        of_trace(Path("t"), table, Job(skip="scalar"))
    assert "--operation" not in error.value.message + error.value.hint
    with pytest.raises(HeadraceError) as error:
        of_trace(Path("t"), table, Job(ranks=4, pattern="shared_collective"))
    assert "--format text" not in error.value.message and "the format text" in error.value.message


def test_mpi_ranks_that_write_one_file_by_statements_are_no_contradiction(table: Trace) -> None:
    files = [file.model_copy(update={"processes": 4}) for file in table.files]
    found = of_trace(Path("t"), table.model_copy(update={"mpi_ranks": 4, "files": files}), Job())
    assert found.job.pattern is None and "several MPI ranks write one file by statements" in found.remarks[-1]
    assert advise(found.job, described(), None, found.remarks).items


def test_a_library_whose_calls_nobody_sees_is_said_to_be_there(table: Trace) -> None:
    note = "HDF5 is linked into ./model: its calls are counted as (not Fortran)"
    blind = table.model_copy(update={"lines": [], "notes": [note, "another note"]})
    found = of_trace(Path("t"), blind, Job())
    said = advise(found.job, described(), None, found.remarks)
    assert said.items == [] and note in said.remarks and "another note" not in said.remarks
    assert "the trace shows no I/O of Fortran" in said.remarks[-1] and "too little" not in str(said.remarks)


def test_many_hdf5_files_are_not_told_to_use_open() -> None:
    files = Files(80, 80, 0.9, Moved(80, 80 * 800, 0.88), "/here")
    place = replace(described(), costs=Costs(0.01, 1e-5, 1e-6, 1e-6, 1e-4, ((512, 2e-5), (1 << 20, 2e-4))))
    for opens, lines in ((0, 1), (80, 0)):
        observed = Observed("t", seconds=1.0, single=files, hdf5_opens=opens, hdf5_open_seconds=0.8)
        (item,) = (one for one in advise(Job(observed=observed), place, None).items if one.change == "fewer-files")
        assert len(item.lines) == lines and all('status="new"' in line for line in item.lines)
        assert ("with a group for each step" in item.title) == (lines == 0)


def test_scratch_files_take_no_more_than_the_whole(folder: Path) -> None:
    observed = of_trace(Path("t"), traced(folder, "scratch"), Job()).job.observed
    assert observed is not None and observed.scratch.opens == 40
    assert 0 < observed.scratch.seconds <= observed.seconds


def test_what_must_not_be_advised_is_known(headrace: Command) -> None:
    names = names_of_items(None)
    assert {item.change for _, item in ITEMS} <= names and "buffered_io" in names
    done = headrace("advise", "--format", "text", "--forbid", "binary-file,nonsense")
    assert done.returncode == 2 and "--forbid nonsense: there is no such advice" in done.stderr
    assert all(name in done.stderr for name in ("buffered_io", "whole-arrays", "sar-limit"))
    near = headrace("advise", "--format", "text", "--forbid", "binary_files")
    assert near.returncode == 2 and "did you mean binary-file?" in near.stderr
    good = headrace("advise", "--format", "text", "--forbid", "binary-file, headrace-run")
    assert good.returncode == 0 and "[binary-file]" not in good.stdout and "[headrace-run]" not in good.stdout


@pytest.mark.parametrize("words", ["--size 0", "--size 32mib", "--size -1", "--ranks 0", "--ranks \u00b2"])
def test_numbers_that_are_none_are_named(headrace: Command, words: str) -> None:
    option, value = words.split()
    done = headrace("advise", "--format", "text", option, value)
    assert done.returncode == 2 and f"{option}: '{value}' is not a" in done.stderr


def test_sizes_are_in_the_unit_that_fits() -> None:
    assert [of_bytes(size) for size in (8, 709e6, 2e13)] == ["8 bytes", "709 MB", "20 TB"]
    assert positive("8") == 8
    place = described("local")
    assert place.storage.directory is not None
    place.storage.directory.free_bytes = 30_000_000
    (remark,) = advise(Job(bytes_a_rank=40_000_000), place, None).remarks
    assert remark == "the job writes 40 MB, and /work/run has 30 MB free"


def found_items(job: Job) -> dict[str, Item]:
    return {item.change: item for item in advised(job, described("local", "ompio")).items}


def test_who_only_reads_is_told_to_read() -> None:
    text = found_items(Job(format="text", operations=("read",)))
    assert text["binary-file"].title.startswith("read ") and text["binary-file"].lines == ["read (unit) x"]
    gain = text["headrace-run"].gain
    assert gain is not None and gain.operation == "read" and "READ (unit, *)" in gain.condition
    elements = found_items(Job(format="unformatted", statements="element", operations=("read",)))
    assert elements["whole-arrays"].lines == ["read (unit) x"]
    gathered = found_items(Job(ranks=8, pattern="serial", format="text", operations=("read",)))
    assert gathered.keys() == {"binary-file", "headrace-run"} and "write" not in str(gathered["binary-file"].lines)
    shared = Job(ranks=8, pattern="shared_collective", bytes_a_rank=800_000, operations=("read",))
    assert found_items(shared)["independent-calls"].lines[0].startswith("call MPI_File_read_at(")


def test_a_program_without_io_needs_nothing(headrace: Command, folder: Path) -> None:
    done = headrace("advise", "--dir", str(folder), "--try", "./silent", "--quiet")
    assert done.returncode == 0 and "Nothing to change was found" in done.stdout, done.stderr
    assert "the program does no I/O" in done.stdout and "could not be traced" not in done.stdout


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("true", "nothing is known of the I/O of true: no Fortran"),
        ("./script", "nothing is known of the I/O of ./script: neither it nor what it starts showed"),
        ("./fails", "the command failed with exit code 1: ERROR STOP no input\n"),
        ("./reads", "Fortran runtime error: End of file\n"),
        ("./plain", "no permission to execute it"),
        (".", "a directory, not a program"),
        ("sh -c 'kill -9 $$'", "the command was ended by SIGKILL"),
        (
            "sleep 60",
            "the command did not end: 0.5 s, all of --time-budget, were over\n  give it a longer --time-budget",
        ),
        ("./nothing", "cannot be started: neither a program of this machine nor a script that begins with #!"),
    ],
)
def test_a_command_that_cannot_be_tried_is_told_why(headrace: Command, folder: Path, command: str, said: str) -> None:
    program(folder, "script", "echo x > out")
    (folder / "plain").write_text("x")
    (folder / "nothing").write_text("x")
    (folder / "nothing").chmod(0o755)
    budget = "0.5" if command.startswith("sleep") else "20"  # the others end at once
    done = headrace("advise", "--dir", str(folder), "--try", command, "--time-budget", budget, "--quiet")
    assert done.returncode == 2 and said in done.stderr, done.stderr
    assert not list(folder.glob("headrace-scratch-*"))


def test_each_run_reads_the_file_behind_standard_input(folder: Path) -> None:
    (folder / "input").write_text("7\n")
    words = ["advise", "--dir", str(folder), "--try", "./reads", "--time-budget", "2", "--quiet"]
    with (folder / "input").open() as file:
        done = subprocess.run([sys.executable, "-m", "headrace", *words], stdin=file, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


SHARED = ("--site", "archer2", "--ranks", "256", "--nodes", "2", "--pattern", "shared")
ROMIO = ("--site", "gpfs", "--ranks", "8", "--nodes", "2", "--pattern", "shared", "--mpi-io", "romio")


@pytest.mark.parametrize(
    "options",
    [
        (*SHARED, "--env", "mine"),
        (*ROMIO, "--romio-hints", "mine"),
        (*SHARED, "--env", "new", "--write-job", "slurm", "--program", "./m", "--job-file", "mine"),
    ],
)
def test_a_file_with_other_contents_is_kept(headrace: Command, tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "mine").write_text("mine\n")
    done = headrace("advise", *options)
    assert done.returncode == 2 and "mine is there already, with other contents; nothing was written" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"] and (tmp_path / "mine").read_text() == "mine\n"
    assert "to change, the largest" in done.stdout, "what was found is not lost"
    assert headrace("advise", *options, "--force").returncode == 0 and (tmp_path / "mine").read_text() != "mine\n"


def test_our_own_environment_is_replaced_and_a_shell_may_read_it_from_a_pipe(headrace: Command, tmp_path: Path) -> None:
    assert headrace("advise", *SHARED, "--env", "here.sh").returncode == 0
    assert headrace("advise", "--format", "text", "--env", "here.sh").returncode == 0
    assert (tmp_path / "here.sh").read_text().endswith("# There is nothing to set.\n")
    lines = headrace("advise", *SHARED, "--env", "-").stdout.splitlines()
    assert lines and all(line.startswith(("#", "export ")) for line in lines)


def test_any_name_of_a_directory_will_do(headrace: Command, tmp_path: Path) -> None:
    """But for job scripts, which are plain ASCII."""
    for name in ("a b", "it's", '$x"', "-v"):
        (tmp_path / name).mkdir()
        words = (*SHARED, f"--dir={name}", "--mpi-io", "cray", "--write-job", "slurm", "--program", "./m", "--force")
        assert headrace("advise", *words).returncode == 0
        text = (tmp_path / "headrace-job.sh").read_text()
        said = "\n".join(line for line in text.splitlines() if line.startswith(("submitted=", "directory=")))
        shown = subprocess.run(
            ["bash", "-euc", f'{said}\necho "$directory"'], capture_output=True, text=True, check=True
        )
        assert shown.stdout == f"{tmp_path / name}\n"
    (tmp_path / "new\nline").mkdir()
    done = headrace(
        "advise", *SHARED, "--dir", "new\nline", "--mpi-io", "cray", "--write-job", "slurm", "--program", "./m"
    )
    assert done.returncode == 2 and "whose name has only those" in done.stderr


@pytest.mark.parametrize("outcome", ["gains", "cannot tell", "gains nothing", "slower", "failed"])
def test_what_a_trial_has_struck_out_is_not_written(outcome: Outcome) -> None:
    found = advised(Job(ranks=256, nodes=2, pattern="shared_collective"), at="archer2")
    for item in found.items:
        item.tried = Tried(outcome=outcome)
    script = job_script(found, Batch(ranks=(256,), per_node=128), "slurm", ["./m"], "")
    is_kept = outcome in ("gains", "cannot tell")
    assert ("FI_OFI_RXM_SAR_LIMIT=64K" in environment(found.items)) == is_kept
    assert ("FI_OFI_RXM_SAR_LIMIT=64K" in script) == ("lfs setstripe" in script) == is_kept
    gpfs = advised(Job(ranks=8, nodes=2, pattern="shared_collective"), described("gpfs", "romio"), "gpfs")
    for item in gpfs.items:
        item.tried = Tried(outcome=outcome)
    assert (romio_hints(gpfs.items) == "romio_ds_write disable\n") == is_kept


def test_two_options_do_not_name_one_file(headrace: Command, tmp_path: Path) -> None:
    done = headrace("advise", *SHARED, "--env", "x", "--json", f"{tmp_path}/x")
    assert done.returncode == 2 and "--json and --env name the same file" in done.stderr


def unprivileged() -> list[str]:
    """Words in front of a command: it may read and write what its user may, also if that is root."""
    rights = "-dac_override,-dac_read_search,-fowner"
    words = ["setpriv", "--bounding-set", rights, "--inh-caps", rights]
    if os.getuid() == 0 and (shutil.which("setpriv") is None or subprocess.run([*words, "true"]).returncode):
        pytest.skip("nobody without the rights of root can be had here")
    return words if os.getuid() == 0 else []


REFUSED = {
    "--from closed/x": "--from closed/x: Permission denied",
    "--dir closed --try ./x": "--try ./x: Permission denied",
    "--dir closed --format text": "--dir closed: Permission denied",
    "--dir whole --try ./x": "whole/secret: cannot be copied: Permission denied\n",
    "--env closed/x --format text": "--env closed/x: Permission denied",
}
EACH = """
import sys
from headrace.cli import main
for words in sys.argv[1:]:
    print(main(["advise", *words.split(), "--quiet"]), "for", words, file=sys.stderr)
"""


def test_rights_that_are_missing_are_named_and_what_a_program_closes_is_removed(tmp_path: Path) -> None:
    """One process for all of it, as a user without rights; pipes are copied, and what others listen on is not."""
    for folder in ("closed", "whole", "open"):
        program(tmp_path / folder, "x", "test -p pipe && mkdir -p a/b && touch a/b/f && chmod 0 a/b a")
    (tmp_path / "whole" / "secret").touch(0)
    (tmp_path / "closed").chmod(0)
    os.mkfifo(tmp_path / "open" / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(tmp_path / "open" / "s"))
    words = [*unprivileged(), sys.executable, "-c", EACH, *REFUSED]
    done = subprocess.run(
        [*words, "--dir open --try ./x --format text --fc gnu --time-budget 1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    (tmp_path / "closed").chmod(0o755)
    for options, said in REFUSED.items():
        assert f"2 for {options}\n" in done.stderr and said in done.stderr, done.stderr
    assert "0 for --dir open" in done.stderr, done.stderr
    assert sorted(path.name for path in (tmp_path / "open").iterdir()) == ["pipe", "s", "x"]
