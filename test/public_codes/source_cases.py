"""The public Fortran codes that are built from source for `headrace run`, as their own instructions say.

`build` are the commands of a code's README, with its own flags; if one is changed, a comment says why. Each runs
its own tests or examples. Next: run_sources.py, which clones, builds and runs them.
"""

import dataclasses
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from run_cases import RunCode

from public_codes import LIMIT


@dataclasses.dataclass(frozen=True)
class SourceCode:
    """A public code, built in a clone of its repository."""

    name: str
    repository: str  # OWNER/NAME on github.com; others that the example needs are in `also`
    what: str
    build: tuple[str, ...]  # shell commands in the clone
    built: str  # the file that is there when it is built; may have a *
    prepare: Callable[[Path, Path], None]  # the folder to fill, and the folder with all clones
    command: str  # a shell command; {sources} is the folder with all clones
    also: tuple[str, ...] = ()
    leaves_out: str = ""
    varies: bytes = b"(?!)"

    def clone(self, sources: Path) -> Path:
        """Where its sources are."""
        return sources / self.repository.partition("/")[2]

    def to_run(self, sources: Path) -> RunCode:
        """As run_codes runs it: instead of packages with their versions, repositories with their commits."""
        places = [sources / name.partition("/")[2] for name in (self.repository, *self.also)]
        commits = [f"{name}={commit(place)}" for name, place in zip((self.repository, *self.also), places, strict=True)]
        return RunCode(
            self.name,
            tuple(commits),
            self.what,
            lambda folder: self.prepare(folder, sources),
            ("sh", "-c", self.command.format(sources=sources)),
            leaves_out=self.leaves_out,
            varies=self.varies,
        )


def commit(clone: Path) -> str:
    """The short name of the commit that is checked out."""
    words = ["git", "-C", str(clone), "rev-parse", "--short=10", "HEAD"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def _json_fortran(folder: Path, sources: Path) -> None:
    """As its CMakeLists.txt does before its tests: `files` beside them. Two tests need big.json, which some copies lack."""
    shutil.copytree(sources / "json-fortran" / "files", folder / "files")


def _modflow6(folder: Path, sources: Path) -> None:
    """A case of its own tests, written by the package that its tests use (flopy)."""
    program = (
        "import sys, types, test_gwt_prudic2004t2 as case\n"
        "case.build_models(0, types.SimpleNamespace(workspace=sys.argv[1]))[0].write_simulation(silent=True)\n"
    )
    place = sources / "modflow6" / "autotest"
    words = [os.environ.get("HEADRACE_FLOPY_PYTHON", sys.executable), "-B", "-c", program, str(folder)]
    subprocess.run(words, check=True, cwd=place, timeout=LIMIT, stdout=subprocess.DEVNULL)


def _swatplus(folder: Path, sources: Path) -> None:
    """The case that its CTest runs, for 2 of its 46 years: all of them write 9 GB of text."""
    shutil.copytree(sources / "swatplus" / "refdata" / "Ames_sub1", folder, dirs_exist_ok=True)
    time = folder / "time.sim"
    time.write_text(time.read_text().replace("2020", "1976"))


def _dssat(folder: Path, sources: Path) -> None:
    """All experiments with maize, and its own list of them; its data for all crops lie beside the installed program."""
    installed = sources / "dssat-csm-os" / "installed"
    for name in ("Weather", "Soil"):
        shutil.copytree(sources / "dssat-csm-data" / name, installed / name, dirs_exist_ok=True)
    shutil.copytree(sources / "dssat-csm-data" / "Maize", folder, dirs_exist_ok=True)
    # The list names the folder of another system. The names of files stand in 92 columns.
    batch = (sources / "dssat-csm-os" / "Data" / "BatchFiles" / "Maize.v48").read_text()
    there = "C:\\DSSAT48\\Maize\\"
    lines = (line.replace(there, "") if line.startswith(there) else line for line in batch.splitlines())
    text = "".join(
        f"{line[:12]:92}{line[92 - len(there) :]}\n" if ".MZX" in line[:12] else f"{line}\n" for line in lines
    )
    (folder / "DSSBatch.v48").write_text(text)


def _sixtrack(case: str) -> Callable[[Path, Path], None]:
    def prepare(folder: Path, sources: Path) -> None:
        shutil.copytree(
            sources / "SixTrack" / "test" / case,
            folder,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("*.canonical", "extra_checks.txt"),
        )

    return prepare


def _stdlib(folder: Path, sources: Path) -> None:
    """Its examples read files that lie beside their sources."""
    for path in (sources / "stdlib" / "example" / "io").glob("example.*"):
        shutil.copy(path, folder)


EACH_JSON_TEST = "for test in {sources}/json-fortran/build/bin/jf_test_*; do echo $test; $test; echo $?; done"
EACH_STDLIB_EXAMPLE = (
    "for example in $(find {sources}/stdlib/build/example/io -type f -perm -u+x -name 'example_*' | sort); do "
    "echo $example; timeout 60 $example; echo $?; done"
)

# Linked statically if not told otherwise: nothing can be loaded into that.
BUILD_DSSAT = (
    "mkdir -p build",
    "cd build && cmake .. -DCMAKE_BUILD_TYPE=RELEASE -DDYNAMIC_LINK=ON "
    '-DCMAKE_INSTALL_PREFIX="$(dirname "$PWD")/installed" && make -j2 && make install',
)

CODES = (
    SourceCode(
        "json-fortran",
        "jacobwilliams/json-fortran",
        "JSON: all of its own tests",
        ("mkdir -p build", "cd build && cmake .. && make -j2 build_tests"),
        "build/bin/jf_test_52",
        _json_fortran,
        EACH_JSON_TEST,
    ),
    SourceCode(
        "stdlib",
        "fortran-lang/stdlib",
        "Fortran's standard library: its examples of I/O",
        # Its build would fetch test-drive: the clone is given instead.
        (
            "cmake -B build -DCMAKE_MAXIMUM_RANK:String=4 "
            '-DFETCHCONTENT_SOURCE_DIR_TEST-DRIVE="$(dirname "$PWD")/test-drive"',
            "make -C build/example/io -j2",
        ),
        "build/example/io/example_savetxt",
        _stdlib,
        EACH_STDLIB_EXAMPLE,
        also=("fortran-lang/test-drive",),
    ),
    SourceCode(
        "SWAT+",
        "swat-model/swatplus",
        "hydrology of a watershed: its test Ames_sub1, 2 of 46 years",
        # It is linked statically but on Arch and Fedora: nothing can be loaded into that.
        (
            "sed -i 's/^\\( *\\)link_libraries(\"-static\")$/\\1# &/' CMakeLists.txt",
            "cmake -B build && cmake --build build -j2",
        ),
        "build/swatplus-*-gnu-lin_x86_64",
        _swatplus,
        "{sources}/swatplus/build/swatplus-*-gnu-lin_x86_64",
    ),
    SourceCode(
        "DSSAT",
        "DSSAT/dssat-csm-os",
        "growth of crops: its list of experiments with maize",
        BUILD_DSSAT,
        "installed/dscsm048",
        _dssat,
        "{sources}/dssat-csm-os/installed/dscsm048 B DSSBatch.v48",
        also=("DSSAT/dssat-csm-data",),
    ),
    SourceCode(
        "DSSAT, short runs",
        "DSSAT/dssat-csm-os",
        "the same experiments, each in a process of a quarter of a second",
        BUILD_DSSAT,
        "installed/dscsm048",
        _dssat,
        "for x in *.MZX; do {sources}/dssat-csm-os/installed/dscsm048 A $x; done",
        also=("DSSAT/dssat-csm-data",),
    ),
    SourceCode(
        "SixTrack dump",
        "SixTrack/SixTrack",
        "tracking: its test dump_all_highprec",
        # NAFFlib is a submodule, which a clone does not have. STATIC: as DSSAT.
        ("cmake -B build -DCMAKE_BUILD_TYPE=Release -DNAFF=OFF -DSTATIC=OFF && cmake --build build -j2",),
        "build/SixTrack_*_x86_64_*",
        _sixtrack("dump_all_highprec"),
        "{sources}/SixTrack/build/SixTrack_*_x86_64_*",
    ),
    SourceCode(
        "MODFLOW 6",
        "MODFLOW-USGS/modflow6",
        "groundwater: its test gwt_prudic2004t2, transport in streams and lakes",
        ("meson setup builddir", "meson compile -j 2 -C builddir ./src/mf6:executable"),
        "builddir/src/mf6",
        _modflow6,
        "{sources}/modflow6/builddir/src/mf6",
    ),
    SourceCode(
        "TOML Fortran",
        "toml-f/toml-f",
        "TOML: its unit tests",
        # Its build would fetch test-drive: the clone is given instead.
        (
            'cmake -B build -DFETCHCONTENT_SOURCE_DIR_TEST-DRIVE="$(dirname "$PWD")/test-drive"',
            "cmake --build build -j2",
        ),
        "build/test/unit/tftester",
        lambda folder, sources: None,
        "{sources}/toml-f/build/test/unit/tftester",
        also=("fortran-lang/test-drive",),
    ),
)
