"""The shared object of intercept/ that `headrace trace` loads, as the package has it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from headrace.version import built_file
from trace_runs import preloaded

NAME = "libheadrace_trace.so"
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror")


@pytest.fixture(scope="session")
def interposer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was built with this package; built here if the package has none."""
    built = built_file(NAME)
    if built is not None:
        return built.resolve()
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler to build intercept/ with")
    library = tmp_path_factory.mktemp("interposer") / NAME
    options = ("-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", *WARNINGS)
    sources = map(str, preloaded())
    subprocess.run([compiler, *options, "-shared", *sources, "-o", str(library), "-ldl", "-lpthread"], check=True)
    return library
