"""`pip install .` gives a command that needs no checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from conftest import REPOSITORY


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package in a folder of its own, installed as a user does, without its dependencies."""
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--target", str(target), str(REPOSITORY)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return target


def run(installed: Path, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"PYTHONPATH": str(installed), "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, str(installed / "bin" / "headrace"), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )


def test_the_package_carries_sources_data_and_templates(installed: Path) -> None:
    package = installed / "headrace"
    for name in ("bench/stream.f90", "bench/harness/harness.f90", "bench/checks", "bench/micro", "data/published.csv"):
        assert (package / name).exists(), name
    assert list(package.glob("reporters/html/templates/*.j2"))
    assert (package / "libheadrace_core.so").is_file() and (package / "libheadrace_trace.so").is_file()


def test_what_is_loaded_into_programs_brings_no_libraries_along(installed: Path) -> None:
    """headrace run has the kernels of the library, which is linked with zlib and zstd."""
    for name in ("libheadrace_run.so", "libheadrace_trace.so"):
        with (installed / "headrace" / name).open("rb") as file:
            dynamic = ELFFile(file).get_section_by_name(".dynamic")
            needed = {tag.needed for tag in dynamic.iter_tags("DT_NEEDED")}
        of_glibc = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"}
        assert all(library in of_glibc or library.startswith("ld-linux") for library in needed), needed


def test_the_installed_command_lists_and_measures(installed: Path, tmp_path: Path) -> None:
    version = run(installed, tmp_path, "--version").stdout.split()[1]
    assert f'version = "{version}"' in (REPOSITORY / "fpm.toml").read_text()
    assert "unformatted:whole" in run(installed, tmp_path, "bench", "--list").stdout
    small = ("--size", "300kB", "--min-time", "0.001", "--time-budget", "2", "--quiet", "--json", "r.json")
    done = run(installed, tmp_path, "bench", "--select", "stream:whole", *small)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "headrace-report.html").exists()
