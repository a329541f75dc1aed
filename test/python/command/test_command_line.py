"""What every command has: help without heavy modules, and errors that name what was probably meant."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from headrace.cli import COMMANDS
from headrace.commands.parallel_arguments import PRESETS as PRESET_NAMES
from headrace.measure.parallel.presets import PRESETS
from headrace.nearest import did_you_mean, nearest

Command = Callable[..., "subprocess.CompletedProcess[str]"]

HEAVY = ("numpy", "scipy", "pydantic", "rich", "jinja2", "h5py", "tomlkit", "matplotlib", "pandas")
LOADED = """
import sys
from headrace.cli import main
try:
    main(sys.argv[1:])
finally:
    print("loaded:", *sorted(set(sys.modules) & set({heavy})), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words",
    [(), *((name,) for name in COMMANDS), ("bench", "text"), ("bench", "binary"), ("bench", "parallel")],
    ids=" ".join,
)
def test_help_loads_nothing_heavy(words: tuple[str, ...], tmp_path: Path) -> None:
    command = [sys.executable, "-c", LOADED.format(heavy=HEAVY), *words, "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and f"usage: {' '.join(('headrace', *words))}" in done.stdout.replace("-c", "headrace")
    assert done.stderr.strip() == "loaded:"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "bnech",
            "choose from 'bench', 'trace', 'run', 'advise', 'compare', 'report', 'predict', 'inspect', 'convert', "
            "'describe', 'schema'",
        ),
        ("bnech", "did you mean bench?"),
        (
            "bench paralel",
            "headrace: bench: there is no 'paralel' (choose from 'text', 'binary', 'parallel', 'trace', 'run'); "
            "did you mean parallel?",
        ),
        (
            "bench parallel --size 5X",
            "'5X' is not a size of 24 bytes or more; write for example 64MiB or 1.5GB: bytes, kB, MB",
        ),
        ("bench parallel --size 5X", "KiB, MiB, GiB, TiB (1024)"),
        (
            "compare absent.json b.json",
            "headrace: absent.json: cannot be read: No such file or directory\n  name a file that",
        ),
        ("compare . b.json", "headrace: .: cannot be read: Is a directory\n"),
        ("report absent.json", "headrace: absent.json: cannot be read: No such file or directory\n"),
        ("--vrsion", "headrace itself has no option --vrsion\n  did you mean --version?"),
        ("bench --rnds 2", "bench has no option --rnds\n  did you mean --rounds?"),
        ("bench --ranks 2", "bench has no option --ranks\n  it is an option of headrace bench parallel: write"),
        ("bench parallel --bakend hdf5", "bench parallel has no option --bakend\n  did you mean --backend?"),
        ("bench parallel --rnks=2", "bench parallel has no option --rnks\n  did you mean --ranks?"),
        ("bench parallel --zzz", "bench parallel has no option --zzz\n  headrace bench parallel --help"),
        (
            "bench --size 1MiB parallel",
            "--size stands in front of 'parallel', where it has no meaning\n  write it after the command:",
        ),
        ("bench --size=1MiB parallel", "write it after the command: headrace bench parallel --size=1MiB ..."),
        ("bench -x text", "headrace: bench text has no option -x\n  headrace bench text --help says more"),
        ("bench --rond=2 text", "headrace: bench text has no option --rond\n  did you mean --rounds?"),
        ("bench --bakend=hdf5 parallel", "bench parallel has no option --bakend\n  did you mean --backend?"),
        ("bench --ranks=2 text", "bench has no option --ranks\n  it is an option of headrace bench parallel: write"),
        (
            "bench --select=x text",
            "--select stands in front of 'text', where it has no meaning\n  leave it out: bench text",
        ),
        ("--ranks=2 bench parallel", "write it after the command: headrace bench parallel --ranks=2 ..."),
        ("-x inspect a", "headrace: inspect has no option -x\n  usage: headrace inspect"),
        ("bench parallel --condition sync", "(choose from 'cached', 'synced', 'warm', 'cold'); did you mean synced?"),
        ("bench parallel --preset archer", "did you mean archer2?"),
        ("bench parallel --backend HDF", "--backend HDF: not known\n  did you mean hdf5?\n  known: raw,"),
        ("bench parallel --pattern file-per-proces", "did you mean file_per_process?"),
        ("bench --select stream:hole", "nothing is called 'stream:hole'\n  did you mean stream:whole"),
        ("bench --check --select endfile", "no check is called 'endfile'\n  did you mean end-of-file?"),
        ("bench binary --only write_vs_row", "there is no such ratio\n  did you mean write_vs_raw?"),
        ("convert a b --kind reel64", "'reel64' is not a kind; did you mean real64? known are int8,"),
        ("convert a b --kind float32", "'float32' is not a kind; did you mean real32? known are"),
        ("convert a b --kind Double", "did you mean real64?"),
        ("convert a b --kind complex128", "did you mean complex(real64)?"),
        ("convert a b --kind i8", "did you mean int64?"),
        ("convert a b --type real32", "convert has no option --type\n  did you mean --kind?"),
        ("convert a b --dtype=f8", "did you mean --kind?"),
        ("convert a b --to hdf", "did you mean hdf5?"),
        ("inspect --jsn", "inspect has no option --jsn\n  did you mean --json?\n  usage: headrace inspect [-h]"),
        ("inspect -x", "inspect has no option -x"),
        ("report -oa.html", "the following arguments are required: A.json"),
        ("schema a", "schema does not expect 'a'"),
        ("inspect", "the following arguments are required: FILE\n  usage: headrace inspect"),
    ],
)
def test_what_is_not_known_is_refused_with_the_nearest_name(headrace: Command, words: str, said: str) -> None:
    done = headrace(*words.split())
    assert done.returncode == 2 and said in done.stderr, done.stderr
    assert done.stderr.startswith("headrace: ") and done.stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        *("bench --list", "bench parallel --list", "inspect a.npy", "inspect a.npy --json"),
        *("--help", "--version", "bench --help", "bench parallel -h", "convert --help"),
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_ends_a_command_as_it_ends_others(words: str, unbuffered: str, tmp_path: Path) -> None:
    """1 would be an answer: `headrace inspect a | head` has not found a damaged file."""
    np.save(tmp_path / "a.npy", np.arange(5.0))
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing) as output:
        command = [sys.executable, "-m", "headrace", *words.split()]
        variables = {**os.environ, "PYTHONUNBUFFERED": unbuffered}  # the write fails, or the flush at the end
        done = subprocess.run(command, cwd=tmp_path, stdout=output, stderr=subprocess.PIPE, env=variables, timeout=60)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


def test_an_option_may_be_abbreviated(headrace: Command) -> None:
    assert headrace("bench", "parallel", "--li").stderr.startswith("headrace: ambiguous option: --li could match")
    assert "zarr_vs_fpp" in headrace("bench", "parallel", "--lis").stdout


def test_the_presets_of_the_help_are_those_that_there_are() -> None:
    assert set(PRESET_NAMES) == set(PRESETS)


def test_names_are_near_whatever_their_case_and_hyphens() -> None:
    assert nearest("Shared-Collective", ["serial", "shared_collective"]) == ["shared_collective"]
    assert nearest("quite_else", ["serial"]) == []
    assert nearest("double", ["doubled"]) == ["doubled"]
    assert did_you_mean("quite_else", ["serial"], "known: serial") == "known: serial"
    assert did_you_mean("shred", ["shared", "shed"], "or not", 2) == "did you mean shared or shed?\n  or not"
