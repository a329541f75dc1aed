"""The shared object of intercept/, built once for all tests that ask for it."""

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from trace_runs import preloaded

WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror")


@pytest.fixture(scope="session")
def interposer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shared object, as a build without warnings makes it."""
    directory = tmp_path_factory.mktemp("interposer")
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler to build intercept/ with")

    def compile_one(source: Path) -> Path:
        made = directory / f"{source.parent.name}-{source.stem}.o"
        options = ("-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", *WARNINGS)
        subprocess.run([compiler, *options, "-c", str(source), "-o", str(made)], check=True)
        return made

    with ThreadPoolExecutor(2) as two_at_a_time:
        objects = list(two_at_a_time.map(compile_one, preloaded()))
    built = directory / "interposer.so"
    subprocess.run([compiler, "-shared", *map(str, objects), "-o", str(built), "-ldl", "-lpthread"], check=True)
    return built
