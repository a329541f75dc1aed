"""What the tests share: the compilers of this machine and a way to run the command as a user does."""

import functools
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import left_out
from headrace.measure.compilers import find_compilers, identify
from headrace.results.run import Compiler
from loaded_command import Loaded

REPOSITORY = Path(__file__).resolve().parents[2]
COMPILERS = find_compilers()
# Other versions of gfortran for the tests that ask for `gnu`: names or paths, with blanks between them.
NAMED_GNU = [identify(name) for name in os.environ.get("HEADRACE_TEST_GFORTRAN", "").split()]

# Which libgfortran.so.5 the programs load is the system's choice, or that of this folder.
RUN_TIME = os.environ.get("HEADRACE_TEST_GFORTRAN_RUNTIME", "")
if RUN_TIME:
    RUN_TIME = str(Path(RUN_TIME).absolute())
    os.environ["LD_LIBRARY_PATH"] = f"{RUN_TIME}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")

# What a shell begins in the background ignores it, and so would all programs: some are there to be ended by it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Programs are built once for all runs of the tests and for all processes that run some of them.
os.environ.setdefault("HEADRACE_CACHE", str(REPOSITORY / "build" / "test-cache"))

# The files that take longest. Each runs in one process: begun last, they would keep one core waiting.
LONG_FILES = [
    f"test_{name}.py"
    for name in (
        *("text_bench_all", "text_bench", "bench_command", "mechanisms", "parallel_bench", "slurm_job"),
        *("parallel_real", "inspect", "scaling_model", "checks", "package", "report", "convert_left_out"),
        *("binary_bench", "command_line", "inspect_arrays"),
    )
]


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False  # it would begin with the files of many tests, which are short


def pytest_report_header() -> str:
    """Asked of a process that begins now, as programs do."""
    asks = 'import ctypes; ctypes.CDLL("libgfortran.so.5"); print(open("/proc/self/maps").read())'
    asked = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True)
    found = re.search(r"/.*/libgfortran\.so\.5.*", asked.stdout)
    return f"run time of gfortran: {found[0] if found else 'none is found'}"


# What `make test` leaves to `make testall`; setup/test.sh says which of them are wanted: quick, rest, or all.
LEFT_OUT = re.compile("|".join(map(left_out.expression, left_out.patterns("pytest"))))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files that take long come first."""
    form = os.environ.get("HEADRACE_TEST_FORM", "all")
    if form != "all":
        names = {item: item.nodeid.removeprefix("test/python/") for item in items}
        unwanted = [item for item in items if bool(LEFT_OUT.fullmatch(names[item])) == (form == "quick")]
        config.hook.pytest_deselected(items=unwanted)
        items[:] = [item for item in items if item not in set(unwanted)]
    order = {name: place for place, name in enumerate(LONG_FILES)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `compiler` runs once with each Fortran compiler found."""
    if "compiler" in metafunc.fixturenames:
        found = [pytest.param(c, id=c.identifier.replace(" ", "-")) for c in COMPILERS]
        none = pytest.param(None, marks=pytest.mark.skip(reason="no Fortran compiler is installed"))
        metafunc.parametrize("compiler", found or [none])
    if "gnu" in metafunc.fixturenames and NAMED_GNU:
        named = [pytest.param(c, id=c.identifier.replace(" ", "-")) for c in NAMED_GNU]
        metafunc.parametrize("gnu", named, indirect=True, scope="session")


@pytest.fixture(scope="session")
def gnu(request: pytest.FixtureRequest) -> Compiler:
    """gfortran, or a skip; each of HEADRACE_TEST_GFORTRAN if that is set."""
    named = getattr(request, "param", None)
    if named is not None:
        assert isinstance(named, Compiler)
        assert named.vendor == "gnu", (
            f"{named.path} is {named.identifier}: HEADRACE_TEST_GFORTRAN names versions of gfortran"
        )
        return named
    for compiler in COMPILERS:
        if compiler.vendor == "gnu":
            return compiler
    pytest.skip("gfortran is not installed")


def start(folder: Path, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Start the command as a user does; returns the finished process."""
    return subprocess.run(
        [sys.executable, "-m", "headrace", *arguments],
        cwd=folder,
        env=os.environ | {"NO_COLOR": "1"} | environment,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture
def started(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Start the command as a user does, in an empty directory."""
    return functools.partial(start, tmp_path)


@pytest.fixture(scope="session")
def loaded() -> Iterator[Loaded]:
    process = Loaded()
    yield process
    process.close()


@pytest.fixture
def headrace(
    loaded: Loaded, started: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """The same without its first second: a process that has loaded the modules forks."""

    def run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        if any(name.startswith(("LD_", "PYTHON", "LC_", "LANG")) for name in environment):
            return started(*arguments, **environment)  # what counts when a process starts
        return loaded.run(arguments, tmp_path, os.environ | {"NO_COLOR": "1"} | environment)

    return run


# Every step of a run is a line on standard error; otherwise there are ten seconds between two lines.
# The tests may run under nohup; the command would stay alive when its terminal is closed, as it should there.
TALKATIVE = """
import signal
import sys
import headrace.reporters.progress
from headrace.cli import main

headrace.reporters.progress.EVERY = 0.0
signal.signal(signal.SIGHUP, signal.SIG_DFL)
sys.exit(main())
"""


def start_and_await(words: str, folder: Path, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
    """Start the command, and return when it says that it does something, for example "round 2: "."""
    process = subprocess.Popen(
        [sys.executable, "-c", TALKATIVE, *arguments],
        cwd=folder,
        env=os.environ | {"NO_COLOR": "1"} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    said: list[str] = []
    for line in process.stderr:
        said.append(line)
        if words in line:
            return process
    pytest.fail(f"the command ended without saying '{words}': {''.join(said[-20:])}")


@pytest.fixture(scope="session")
def interpose(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Path]]:
    """Build a library of test/interpose for LD_PRELOAD."""
    folder = tmp_path_factory.mktemp("interpose")

    def build(name: str) -> Path:
        library = folder / f"{name}.so"
        if not library.exists():
            source = REPOSITORY / "test" / "interpose" / f"{name}.c"
            command = ["cc", "-O1", "-shared", "-fPIC", str(source), "-o", str(library), "-ldl"]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        return library

    yield build
