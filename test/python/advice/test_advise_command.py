"""The command: what it sees and says, its files, and a clear message for whatever cannot be."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from advising import DF, GETSTRIPE, GETSTRIPE_PROGRESSIVE, GETSTRIPE_YAML, MMLSATTR, QUOTA, program
from conftest import REPOSITORY
from headrace.cli import whole_parser
from headrace.commands.parallel_arguments import choice_of
from headrace.errors import HeadraceError
from headrace.measure.parallel.methods import check_choice
from headrace.results.advised import schema
from headrace.results.run import Directory
from headrace.settings import storage
from headrace.settings.advise import advise
from headrace.settings.job import PATTERNS, Job
from headrace.settings.place import Asked, Place, look
from headrace.settings.storage import gpfs_of, kind_of, layout_of, quota_of, targets_of
from headrace.settings.trials import bench
from headrace.sites.load import FOLDER, names
from validation import validate

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *[
            ("lustre", "lustre"),
            ("gpfs", "gpfs"),
            ("nfs4", "nfs"),
            ("beegfs", "beegfs"),
            ("fuse.glusterfs", "glusterfs"),
        ],
        *[("ceph", "ceph"), ("fuse.sshfs", "fuse"), ("tmpfs", "memory"), ("xfs", "local"), ("ext2/ext3", "local")],
        ("afs", "unknown"),
    ],
)
def test_kinds_of_file_systems(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_what_the_tools_print_is_read() -> None:
    assert layout_of(GETSTRIPE) == storage.Layout(1, 1048576, 1)
    assert layout_of(GETSTRIPE_YAML) == storage.Layout(4, 4194304, 1)
    assert layout_of(GETSTRIPE_PROGRESSIVE) == storage.Layout(4, 1048576, 2)
    assert layout_of("").count is None
    assert targets_of(DF) == 3
    assert quota_of(QUOTA) == (307200 * 1024, 1000000 * 1024)
    assert quota_of("     /mnt/lustre  307200  0 0       -       3    0    0       -\n") is None
    assert quota_of(QUOTA_OF_DISKS) == (307200 * 1024, 1000000 * 1024)
    assert quota_of("Disk quotas for user me (uid 1000): none") is None
    assert dict(gpfs_of(MMLSATTR)) == {
        "data replication": "1 max 2",
        "storage pool name": "system",
        "fileset name": "root",
    }


# What quota(1) of Linux DiskQuota prints with -w, as its manual page describes the columns; the star: too much.
QUOTA_OF_DISKS = """Disk quotas for user me (uid 1000):
     Filesystem  blocks   quota   limit   grace   files   quota   limit   grace
      /dev/sda1  307200* 200000 1000000   6days       3       0       0
"""


@pytest.mark.parametrize("kind", ["ext4", "nfs4"])
def test_a_quota_is_seen_and_compared_with_the_job(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text").write_text(QUOTA_OF_DISKS)
    program(tmp_path / "bin", "quota", f'cat "{tmp_path}/text"; exit 1')
    place = Directory(path=str(tmp_path), file_system=kind, mount_point="/home", free_bytes=10**12, total_bytes=10**12)
    monkeypatch.setattr(storage, "describe_directory", lambda path, with_stripes: place)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    found = storage.look(tmp_path, 10)
    assert found.quota_left == (1000000 - 307200) * 1024
    assert any(fact.name == "quota" and fact.value == "315 MB of 1.02 GB used" for fact in found.facts)
    job = Job(bytes_a_rank=10**9, format="unformatted")
    said = advise(job, Place(found, vendors=("gnu",)), None).remarks
    assert any("your quota" in remark and "leaves 709 MB" in remark for remark in said), said
    small = advise(replace(job, bytes_a_rank=10**8), Place(found, vendors=("gnu",)), None).remarks
    assert not any("quota" in remark for remark in small)


def test_without_quota_it_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Directory(path=str(tmp_path), file_system="ext4", mount_point="/")
    monkeypatch.setattr(storage, "describe_directory", lambda path, with_stripes: place)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = storage.look(tmp_path, 10)
    assert found.quota_left is None
    assert any(fact.name == "quota" and "no quota on the PATH" in fact.how for fact in found.facts)


@pytest.fixture
def lustre(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that is said to be on Lustre, with an lfs that prints what the manuals show."""
    monkeypatch.setattr(
        storage, "describe_directory", lambda path, with_stripes: Directory(path=str(path), file_system="lustre")
    )
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    return tmp_path


def lfs(folder: Path, getstripe: str) -> None:
    texts = {"getstripe": getstripe, "df": DF, "quota": QUOTA}
    for name, text in texts.items():
        (folder / name).write_text(text)
    program(folder / "bin", "lfs", f'cat "{folder}/$1"')


def test_lustre_is_asked_by_its_own_program(lustre: Path) -> None:
    (lustre / "run").mkdir()
    lfs(lustre, GETSTRIPE)
    found = storage.look(lustre / "run", 10)
    assert (found.kind, found.stripe_count, found.stripe_bytes, found.targets) == ("lustre", 1, 1048576, 3)
    assert not found.is_progressive and not found.has_files
    lfs(lustre, GETSTRIPE_PROGRESSIVE)
    assert storage.look(lustre / "run", 10).is_progressive


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sleep 60", "did not answer within 0.3 s"),
        ("echo 'lfs: not a Lustre filesystem' >&2; exit 1", "failed with exit code 1: lfs: not a Lustre filesystem"),
        ("echo nothing known", "says no stripe_count: nothing known"),
    ],
)
def test_a_tool_that_hangs_or_fails_is_named(lustre: Path, text: str, said: str) -> None:
    program(lustre / "bin", "lfs", text)
    with pytest.raises(HeadraceError) as error:
        storage.look(lustre, 0.3 if "sleep" in text else 10)
    assert said in error.value.message and "lfs getstripe -d -y" in error.value.message and error.value.hint


def test_without_lfs_the_stripes_are_not_known(lustre: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(lustre / "nothing"))
    found = storage.look(lustre, 10)
    assert found.stripe_count is None
    assert any(fact.name == "stripes" and "no lfs on the PATH" in fact.how for fact in found.facts)


def test_the_answer_is_text_json_and_a_page(headrace: Command, tmp_path: Path) -> None:
    options = ("--site", "archer2", "--ranks", "512", "--nodes", "4", "--size", "32MiB", "--pattern", "shared")
    done = headrace("advise", *options, "--verbose", "--json", "a.json", "--html", "a.html")
    assert done.returncode == 0, done.stderr
    assert "the largest expected gain first" in done.stdout and "What was seen:" in done.stdout
    assert all(len(line) <= 100 for line in done.stdout.splitlines() if not line.startswith("   paste"))
    found = json.loads((tmp_path / "a.json").read_text())
    validate(found, schema)
    page = (tmp_path / "a.html").read_text()
    for item in found["items"]:
        assert item["title"][1:].replace("'", "&#39;") in page and item["change"] in done.stdout
    printed = headrace("advise", *options, "--json", "-")
    assert json.loads(printed.stdout)["schema"] == "headrace-advice/1"


def test_everything_that_was_seen_is_printed(headrace: Command, tmp_path: Path) -> None:
    done = headrace("advise", "--format", "text", "--verbose", GFORTRAN_UNBUFFERED_ALL="y")
    assert done.returncode == 0, done.stderr
    seen = done.stdout.partition("What was seen:")[2]
    for name in ("file system", "space", "cores", "memory", "compiler", "GFORTRAN_UNBUFFERED_ALL  y (set"):
        assert name in " ".join(seen.split()) or name in seen
    assert "[unset-unbuffered]" in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "nothing is said about the job"),
        (("--dir", "none", "--ranks", "8", "--pattern", "shared"), "--dir none: there is no such directory"),
        (("--site", "archer", "--ranks", "8"), 'there is no site "archer"\n  did you mean archer2?'),
        (("--site", "none.toml", "--ranks", "8"), "none.toml: cannot be read: No such file or directory"),
        (("--ranks", "2", "--nodes", "4"), "--nodes 4 with 2 MPI ranks: some nodes would have none"),
        (("--pattern", "shared"), "nobody shares the file"),
        (("--ranks", "4", "--pattern", "shared", "--format", "adios2"), "contradict each other"),
        (("--transfer", "copy"), "--transfer needs --files"),
        (("--files", "10"), "--files needs --transfer"),
        (("--skip", "scalar", "--operation", "write"), "reads nothing"),
        (("--format", "hdf5", "--statements", "element"), "has no statements of Fortran"),
        (("--format", "text", "--fc", "gfortrn"), "compiler 'gfortrn' was not found"),
        (("--ranks", "4", "--mpi", "mpicxx.none"), "there is no such compiler wrapper"),
        (("--from", "none.json"), "there is no such file"),
        (("--format", "text", "--write-job", "slurm"), "--write-job needs --program"),
    ],
)
def test_bad_input_is_named(headrace: Command, options: tuple[str, ...], said: str) -> None:
    done = headrace("advise", *options)
    assert done.returncode == 2, done.stdout
    assert said in done.stderr


def test_without_mpi_or_compiler_it_says_what_to_do(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    without = {"PATH": str(tmp_path / "empty")}
    shared = headrace("advise", "--ranks", "8", "--pattern", "shared", **without)
    assert shared.returncode == 2 and "no MPI is here" in shared.stderr and "--mpi-io ompio" in shared.stderr
    assert headrace("advise", "--ranks", "8", "--pattern", "shared", "--mpi-io", "romio", **without).returncode == 0
    records = headrace("advise", "--format", "unformatted", "--statements", "element", **without)
    assert records.returncode == 2 and "no Fortran compiler is here" in records.stderr
    assert headrace("advise", "--format", "unformatted", "--fc", "intel", **without).returncode == 0


@pytest.mark.parametrize(
    ("mpirun", "variables", "expected"),
    [
        ("mpirun (Open MPI) 5.0.3", {}, ("Open MPI 5.0.3", "ompio", "romio341")),
        ("mpirun (Open MPI) 5.0.3", {"OMPI_MCA_io": "romio341"}, ("Open MPI 5.0.3", "romio", "romio341")),
        ("mpirun (Open MPI) 5.0.3", {"OMPI_MCA_io": "^ompio"}, ("Open MPI 5.0.3", "romio", "romio341")),
        ("mpirun (Open MPI) 5.0.3", {"OMPI_MCA_io": "^romio341"}, ("Open MPI 5.0.3", "ompio", "romio341")),
        ("HYDRA build details:\n    Version:   4.1.2", {}, ("MPICH 4.1.2", "romio", "")),
        ("srun: error", {"CRAY_MPICH_VERSION": "8.1.27"}, ("Cray MPICH 8.1.27", "cray", "")),
    ],
)
def test_whose_hints_are_heeded(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    mpirun: str,
    variables: dict[str, str],
    expected: tuple[str, str, str],
) -> None:
    program(tmp_path / "bin", "mpirun", f"printf '{mpirun}\\n'")
    program(tmp_path / "bin", "mpicxx", "")
    program(tmp_path / "bin", "ompi_info", "echo mca:io:romio341:version:mca:2.1.0")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.delenv("OMPI_MCA_io", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    found = look(Asked(directory=tmp_path))
    assert (found.mpi, found.mpi_io, found.romio) == expected
    assert any(fact.name == "MPI-IO" and fact.value == expected[1] and fact.how for fact in found.facts)


def test_a_profile_of_another_file_system_is_said_to_be(headrace: Command) -> None:
    done = headrace("advise", "--site", "archer2", "--dir", ".", "--ranks", "8", "--nodes", "2", "--pattern", "shared")
    assert done.returncode == 0 and "the profile archer2 is about lustre, and . is on" in " ".join(done.stdout.split())


def test_the_command_of_the_preset_is_one_that_bench_parallel_takes() -> None:
    for pattern in PATTERNS:
        words = bench.command(Job(ranks=4, pattern=pattern), None)
        chosen = whole_parser().parse_args(words[3:])
        check_choice(choice_of(chosen))
        assert chosen.ranks == [4] and chosen.size == 8 << 20
    library = bench.command(
        Job(ranks=4, pattern="shared_collective", format="hdf5", bytes_a_rank=1 << 30), "mpicxx.mpich"
    )
    assert "hdf5:collective" in library and str(64 << 20) in library and library[-2:] == ["--mpi", "mpicxx.mpich"]


SITE = (FOLDER / "archer2.toml").read_text()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "storage_targets =",
            "storage_target =",
            "machine.storage_target: this key is not known\n  did you mean storage_targets?",
        ),
        ("date = 2026-11-26\n", "", "sources.guide.date is missing\n  every source has a date"),
        (
            'source = "guide"\n\n[[rates]]',
            'source = "giude"\n\n[[rates]]',
            'the source "giude" is not described\n  did you mean guide?',
        ),
        ('value = "64K"', 'value = "64K\u201d"', "U+201D is not printable ASCII"),
        ("median = 150", "median = -1", "rates.0.median"),
        (
            "median = 150",
            "median = 15",
            "upper_quartile must not fall, and are 135, 15, 180",
        ),
        ("nodes = 16\n", "", "rates.0: ranks and nodes belong together"),
        ("date = 2026-11-26\n", "date = 2999-01-01\n", "sources.guide.date: this day is still to come"),
        ("count = -1", "count = 0", "expected a number above 0, -1 for all storage targets, or nodes"),
        ('"lustre"', '"Lustre"', "file_system: Input should be 'lustre'"),
        (
            "cray_cb_nodes_multiplier = ",
            "cray_cb_node_multiplier = ",
            "cray_cb_node_multiplier: cray does not look it up",
        ),
        ('title = "ARCHER2 (', "title = ARCHER2 (", "not TOML"),
        ('name = "FI_OFI_RXM_SAR_LIMIT"\nvalue = "64K"\n', "", "name and value of a variable are needed"),
    ],
)
def test_a_profile_that_is_wrong_is_refused(headrace: Command, tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SITE
    (tmp_path / "mine.toml").write_text(SITE.replace(old, new, 1))
    done = headrace("advise", "--check-site", "mine.toml")
    assert done.returncode == 2 and said in done.stderr and "mine.toml: " in done.stderr


def test_the_profile_that_the_page_shows_is_right(headrace: Command, tmp_path: Path) -> None:
    page = (REPOSITORY / "doc" / "reference" / "site_profiles.md").read_text()
    (tmp_path / "mine.toml").write_text(page.partition("```toml\n")[2].partition("```")[0])
    done = headrace("advise", "--check-site", "mine.toml")
    assert done.returncode == 0, done.stderr
    used = headrace("advise", "--site", "./mine.toml", "--ranks", "512", "--nodes", "16", "--pattern", "shared")
    assert "lfs setstripe -c -1 ." in used.stdout and "romio_cb_write enable" in used.stdout


def test_profiles_that_are_right_are_said_to_be(headrace: Command) -> None:
    for name in names():
        done = headrace("advise", "--check-site", str(FOLDER / f"{name}.toml"))
        assert done.returncode == 0 and f"the profile {name} is right" in done.stdout and "2026-" in done.stdout


def test_a_profile_of_the_users_own_is_used(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        SITE.replace('name = "archer2"', 'name = "mine"').replace("count = -1", "count = 7")
    )
    done = headrace("advise", "--site", "./mine.toml", "--ranks", "8", "--nodes", "2", "--pattern", "shared")
    assert done.returncode == 0 and "lfs setstripe -c 7 ." in done.stdout and "site mine" in done.stdout


def test_a_job_script_is_read_with_the_librarys_hints(headrace: Command, tmp_path: Path) -> None:
    (tmp_path / "job.sh").write_text(
        "#!/bin/bash\n#SBATCH --ntasks=8\nmodule load cray-mpich\n"
        'export MPICH_MPIIO_HINTS="*:striping_factr=4"\ntar xf input.tar\nsrun ./model\n'
    )
    done = headrace("advise", "--job-script", "job.sh", "--json", "found.json")
    assert done.returncode == 1 and "HR911" in done.stdout and "striping_factor" in done.stdout, done.stdout
    found = json.loads((tmp_path / "found.json").read_text())["findings"]
    assert [(one["code"], one["line"]) for one in found] == [("HR911", 4), ("HR951", 5)]
    done = headrace("advise", "--job-script", "job.sh", "--json", "-")
    assert json.loads(done.stdout)["findings"] == found
    (tmp_path / "good.sh").write_text("#!/bin/bash\n#SBATCH --ntasks=8\nsrun ./model\n")
    done = headrace("advise", "--job-script", "good.sh")
    assert (done.returncode, done.stdout) == (0, "good.sh: no findings\n")
    assert headrace("advise", "--job-script", "missing.sh").returncode == 2
