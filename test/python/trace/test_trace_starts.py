"""headrace trace of programs of another libc or processor, and of MPI ranks behind a remote shell."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import start
from headrace.trace.installed import library_path
from headrace.trace.nodes import for_all_nodes
from trace_programs import COUNTS, compiled, traced
from trace_records import read_profile
from trace_runs import LONG, STANDARD_INPUT, TRUTH, preloaded, tool

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# MPI ranks write files of the same names.
OWN_PLACE = "mkdir -p rank$OMPI_COMM_WORLD_RANK$PMI_RANK && cd rank$OMPI_COMM_WORLD_RANK$PMI_RANK || exit 9\n"
FORGETFUL = """\
#!/bin/sh
# A remote shell that goes nowhere and starts the command with an empty environment;
# HEADRACE_TRACE_DIRECTORY tells the trace to leave that empty.
shift
ROOT="OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
exec env -i HEADRACE_TRACE_DIRECTORY= PATH="$PATH" $ROOT /bin/sh -c "$*"
"""


def executable(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("others", ["", "-x FIRST", "in the environment"])
def test_open_mpi_behind_a_shell_that_clears_the_environment(others: str, tmp_path: Path) -> None:
    launcher = tool("mpirun.openmpi")
    program = compiled(tmp_path, "counts", COUNTS)
    shell = executable(tmp_path / "shell", FORGETFUL)
    shows = executable(tmp_path / "shows", f"#!/bin/sh\necho first=$FIRST\n{OWN_PLACE}exec {program}\n")
    words = [launcher, *(others.split() if others.startswith("-x") else []), "-np", "2", "-H", "elsewhere:2"]
    words += ["--mca", "plm", "rsh", "--mca", "plm_rsh_agent", str(shell), str(shows)]
    listed = {"OMPI_MCA_mca_base_env_list": "FIRST"} if others == "in the environment" else {}
    plain = subprocess.run(
        words,
        cwd=tmp_path,
        env=os.environ | AS_ROOT | listed | {"FIRST": "1"},
        capture_output=True,
        text=True,
        timeout=100,
    )
    if plain.returncode:
        pytest.skip(f"Open MPI does not start a rank through an agent here: {plain.stderr[-300:]}")
    done = start(tmp_path, "trace", "--json", "t.json", *words, **AS_ROOT, **listed, FIRST="1")
    assert (done.returncode, sorted(done.stdout)) == (0, sorted(plain.stdout)), done.stderr
    assert traced(tmp_path / "t.json")["mpi_ranks"] == 2


@pytest.mark.parametrize("agent", [False, True])
def test_hydra_hands_all_variables_on(agent: bool, tmp_path: Path) -> None:
    launcher = tool("mpirun.mpich")
    program = compiled(tmp_path, "counts", COUNTS)
    shell = executable(
        tmp_path / "shell", FORGETFUL.replace("\nshift\n", '\nwhile [ "$1" != elsewhere ]; do shift; done\nshift\n')
    )
    shows = executable(tmp_path / "shows", f"#!/bin/sh\n{OWN_PLACE}exec {program}\n")
    options = ["-launcher", "ssh", "-launcher-exec", str(shell), "-hosts", "elsewhere"] if agent else []
    words = [launcher, *options, "-np", "2", str(shows)]
    assert for_all_nodes(Path(launcher), words, {}) == words
    plain = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    if plain.returncode:
        pytest.skip(f"Hydra does not start a rank through an agent here: {plain.stderr[-300:]}")
    done = start(tmp_path, "trace", "--json", "t.json", *words)
    assert (done.returncode, done.stdout) == (0, plain.stdout), done.stderr
    assert traced(tmp_path / "t.json")["mpi_ranks"] == 2


def test_a_program_of_musl_starts_as_ever(tmp_path: Path) -> None:
    (tmp_path / "m.c").write_text('#include <unistd.h>\nint main(void) { fork(); return write(1, "x", 1) != 1; }\n')
    subprocess.run([tool("musl-gcc"), "m.c", "-o", "m"], cwd=tmp_path, check=True)
    for words in (["./m"], ["sh", "-c", "./m; exit 3"]):
        plain = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=20)
        done = start(tmp_path, "trace", *words)
        assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout), done.stderr
        assert "rror" not in done.stderr, done.stderr


def test_it_needs_nothing_that_another_libc_lacks() -> None:
    """A reference that cannot be resolved is the end of every program that gets the library."""
    said = subprocess.run(
        [tool("nm"), "-D", "--undefined-only", str(library_path())], capture_output=True, text=True, check=True
    ).stdout
    strong = {line.split()[1].split("@")[0] for line in said.splitlines() if line.split()[0] == "U"}
    assert not strong & {"backtrace", "__register_atfork", "__tls_get_addr", "__isoc99_sscanf"}


def on_aarch64(tmp_path: Path) -> None:
    """The loader's way: the library in front of a shared libgfortran; emulated."""
    sources = [str(path) for path in preloaded()]
    strict = ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
    library, program = tmp_path / "trace.so", tmp_path / "truth"
    subprocess.run([tool("aarch64-linux-gnu-gcc"), *strict, "-shared", *sources, "-o", str(library)], check=True)
    fortran = [tool("aarch64-linux-gnu-gfortran"), "-O1", str(TRUTH), "-J", str(tmp_path), "-o", str(program)]
    subprocess.run(fortran, check=True, cwd=tmp_path)
    profiles = tmp_path / "profiles"
    emulator = [tool("qemu-aarch64-static"), "-L", "/usr/aarch64-linux-gnu"]
    seen = ["-E", f"LD_PRELOAD={library}", "-E", f"HEADRACE_TRACE_DIRECTORY={profiles}"]
    results = []
    for folder, options in (("plain", []), ("traced", seen)):
        (tmp_path / folder).mkdir()
        profiles.mkdir(exist_ok=True)
        results.append(
            subprocess.run(
                [*emulator, *options, str(program)],
                cwd=tmp_path / folder,
                input=STANDARD_INPUT.encode(),
                capture_output=True,
            )
        )
    plain, with_trace = results
    assert (with_trace.returncode, with_trace.stdout, with_trace.stderr) == (
        plain.returncode,
        plain.stdout,
        plain.stderr,
    )
    native = tmp_path / "native"
    subprocess.run(
        [tool("gfortran"), "-O1", str(TRUTH), "-J", str(tmp_path), "-o", str(native)], check=True, cwd=tmp_path
    )
    (tmp_path / "here").mkdir()
    here = tmp_path / "profiles-here"
    here.mkdir()
    environment = os.environ | {"LD_PRELOAD": str(library_path()), "HEADRACE_TRACE_DIRECTORY": str(here)}
    subprocess.run([native], cwd=tmp_path / "here", env=environment, input=STANDARD_INPUT.encode(), capture_output=True)
    assert sums(profiles) == sums(here)
    assert len(sums(here)) > 60
    shutil.rmtree(profiles)


def sums(folder: Path) -> dict[tuple[int, str], list[int]]:
    """Statements, items, elements and payload of every line."""
    found: dict[tuple[int, str], list[int]] = {}
    [file] = folder.iterdir()
    for record in read_profile(file).records:
        if record.kind not in ("run time", "not Fortran"):
            sum_ = found.setdefault((record.line, record.kind), [0, 0, 0, 0])
            for i, name in enumerate(("statements", "items", "elements", "payload")):
                sum_[i] += record.numbers[name]
    return found


if LONG:  # compiles for another processor, and emulates it
    test_aarch64 = on_aarch64
