"""The top folder holds what a reader looks for, and nothing that a program left there."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = {
    *(".ci", ".github", "bench", "cmake", "doc", "example", "include", "intercept", "mpi", "packaging", "python"),
    *("setup", "src", "test"),
}
FILES = {
    *(".clang-format", ".gitignore", "CHANGELOG.md", "CITATION.cff", "CMakeLists.txt", "CONTRIBUTING.md", "LICENSE"),
    *("Makefile", "README.md", "SECURITY.md", "fpm.toml", "pyproject.toml"),
}
LEFT = ("*.bp", "*.h5", "*.mod", "*.nc", "*.o", "*.zarr")  # by compilers and benchmarks


def test_no_program_left_files_in_the_top_folder() -> None:
    if (ROOT / ".git").exists():
        listed = ["git", "-C", str(ROOT), "ls-files"]
        names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.splitlines()
        assert {name.partition("/")[0] for name in names} - FOLDERS - FILES == set()
    else:  # a copy of what git lists
        assert [path.name for ending in LEFT for path in ROOT.glob(ending)] == []
