"""`pip install .` gives a command that needs no checkout."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from conftest import REPOSITORY
from headrace import native
from headrace.cli import main
from headrace.trace import installed as traced


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


def wheel(folder: Path, tools: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """Make a wheel as pip does, on a machine whose programs are those in the folders `tools`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CMAKE_")}
    build = (
        "import sys; from scikit_build_core import build; build.build_wheel(sys.argv[1], {'build-dir': sys.argv[2]})"
    )
    return subprocess.run(
        [sys.executable, "-c", build, str(folder), str(folder / "build")],
        cwd=REPOSITORY,
        env=environment | {"PATH": tools} | variables,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_a_compiler_that_fails_makes_no_package(tmp_path: Path) -> None:
    """CMake's own trials pass, a file of the library does not."""
    compiler = tmp_path / "broken"
    compiler.write_text(f"""#!/bin/sh
case "$*" in *-c*{REPOSITORY}/src/*) echo 'text.cpp:7: error: planted' >&2; exit 1;; esac
exec c++ "$@"
""")
    compiler.chmod(0o755)
    done = wheel(tmp_path, os.environ["PATH"], CXX=str(compiler))
    assert done.returncode != 0 and not list(tmp_path.glob("*.whl")), done.stdout
    assert "text.cpp:7: error: planted" in done.stdout + done.stderr
    assert "the library could not be built" in done.stdout + done.stderr
    assert "HEADRACE_LIBRARY_OPTIONAL=1" in done.stdout + done.stderr


@pytest.fixture
def no_compiler(tmp_path: Path) -> str:
    """A folder of tools for PATH, without any compiler."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("cmake", "ninja", "sh", "ar", "ld", "nm", "objcopy"):
        found = shutil.which(name)
        if found:
            (tools / name).symlink_to(Path(found).resolve() if name != "ninja" else found)
    return str(tools)


def test_without_a_compiler_there_is_a_package_only_on_request(tmp_path: Path, no_compiler: str) -> None:
    done = wheel(tmp_path, no_compiler)
    assert done.returncode != 0 and not list(tmp_path.glob("*.whl")), done.stdout
    assert "Debian: apt install g++" in done.stdout + done.stderr
    done = wheel(tmp_path, no_compiler, HEADRACE_LIBRARY_OPTIONAL="0")
    assert done.returncode != 0
    done = wheel(tmp_path, no_compiler, HEADRACE_LIBRARY_OPTIONAL="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [path.name.partition("-py3-")[2] for path in tmp_path.glob("*.whl")] == ["none-any.whl"]


BENCHMARKS = ("bench text", "bench binary", "bench run", "bench trace")


@pytest.mark.parametrize("command", [*BENCHMARKS, "inspect f", "convert f a.npy", "trace true", "run true"])
def test_a_command_without_its_library_says_how_to_get_it(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f").write_bytes(bytes(80))
    for module in (native, traced):
        monkeypatch.setattr(module, "built_file", lambda name: None)
    for root in ("prefix", "base_prefix"):
        monkeypatch.setattr(sys, root, str(tmp_path))
    for name in ("HEADRACE_LIBRARY", *traced.LIBRARIES.values()):
        monkeypatch.delenv(name, raising=False)
    native.library.cache_clear()
    try:
        code = main(command.split())
    finally:
        native.library.cache_clear()
    said = " ".join(capsys.readouterr().err.split())
    assert code == 2 and "this package was installed without it" in said
    assert "install g++, unset HEADRACE_LIBRARY_OPTIONAL and run `" in said
