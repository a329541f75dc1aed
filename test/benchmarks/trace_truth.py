"""Whether headrace trace counts every line right, for every compiler and way of linking: the table in doc/trace.md.

    python test/benchmarks/trace_truth.py --output test/benchmarks/results/trace_truth.json [--root DIR ...]
    python test/benchmarks/trace_truth.py --document test/benchmarks/results/trace_truth.json

The first compiles test/intercept/truth.f90 with each gfortran and flang of this system and of those below each `--root`
(chroot), runs it traced and not, and compares counts with the text of the program and outputs with each other. The
second puts the table of its results into doc/trace.md.
"""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "test" / "python"))

from test_trace_truth import expectations, mismatches  # noqa: E402
from trace_records import read_profile  # noqa: E402
from trace_runs import STANDARD_INPUT, TRUTH, Build, preloaded  # noqa: E402

GFORTRAN = (
    *("-O0", "-O2", "-O3", "-O2 -flto", "-O2 -fPIC -pie", "-O2 -no-pie", "-O2 -static-libgfortran"),
    *("-O0 -static-libgfortran", "-O3 -flto -static-libgfortran", "-O2 -static", "-O2 -static-pie"),
)
FLANG = ("-O0", "-O2", "-O3", "-O2 -no-pie", "-O2 -static")
FOLDER = "trace-truth"


@dataclass
class Row:
    """One build: the number of mismatches, or why there is none."""

    system: str
    compiler: str
    options: str
    statements: int
    mismatches: int
    same_output: bool
    refused: str = ""


class System:
    """This system, or one in a chroot."""

    def __init__(self, root: Path | None) -> None:
        self.root = root
        self.folder = (root / "tmp" if root else ROOT / "build") / FOLDER
        self.inside = Path("/tmp") / FOLDER if root else self.folder  # what programs in it call the folder
        told = ((root or Path("/")) / "etc" / "os-release").read_text()
        found = re.search(r'PRETTY_NAME="(.*)"', told)
        self.name = re.sub(r"GNU/Linux ", "", found[1]) if found else "Linux"

    def run(self, script: str) -> "subprocess.CompletedProcess[bytes]":
        before = ["chroot", str(self.root)] if self.root else []
        return subprocess.run(
            [*before, "sh", "-c", f"cd {shlex.quote(str(self.inside))} && {script}"],
            input=STANDARD_INPUT.encode(),
            capture_output=True,
            timeout=600,
        )

    def compilers(self) -> list[tuple[str, str]]:
        """Names and versions, each version once."""
        found: dict[str, str] = {}
        for name in self.run("ls /usr/bin /usr/local/bin").stdout.decode().split():
            if re.fullmatch(r"gfortran(-\d+)?|flang(-new)?(-\d+)?", name):
                lines = self.run(f"{name} --version").stdout.decode().splitlines()
                version = re.search(r"\d+\.\d+\.\d+", lines[0]) if lines else None
                if version:
                    found[f"{'gfortran' if 'gfortran' in name else 'flang'} {version[0]}"] = name
        return sorted((name, version) for version, name in found.items())

    def prepare(self, linked: dict[str, bytes]) -> None:
        """Copy the sources, compile the preloaded library, and write the file of link options."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        shutil.copytree(ROOT / "intercept", self.folder / "intercept")
        shutil.copy(TRUTH, self.folder)
        for ending, content in linked.items():
            (self.folder / f"traced{ending}").write_bytes(content)
        options = linked[".link"].decode().splitlines()
        names = [f"{self.inside}/traced.o", *options[1:-2], f"{self.inside}/traced.a", "-lpthread"]
        (self.folder / "traced.link").write_text("\n".join(names) + "\n")
        sources = " ".join(str(path.relative_to(ROOT)) for path in preloaded())
        built = self.run(
            "cc=$(ls /usr/bin/gcc /usr/bin/gcc-[0-9]* 2>/dev/null | head -1) && "
            f"$cc -std=gnu11 -O2 -fPIC -fvisibility=hidden -shared {sources} -o trace.so -ldl -lpthread"
        )
        if built.returncode:
            sys.exit(f"{self.name}: intercept/ does not compile: {built.stderr.decode()}")


def row(system: System, name: str, version: str, options: str) -> Row:
    """Build, run with and without, compare."""
    build = Build(name, tuple(options.split()))
    made = system.folder / "run"
    shutil.rmtree(made, ignore_errors=True)
    for folder in ("plain", "traced", "profiles"):
        (made / folder).mkdir(parents=True)
    is_static = "-static" in build.options or "-static-pie" in build.options
    result = Row(system.name, version, options, len(expectations(TRUTH, build)), 0, False)
    linked = "@../traced.link" if is_static else ""
    compiled = system.run(f"cd run && {name} {options} ../truth.f90 -o truth {linked}")
    if compiled.returncode:
        result.refused = (
            "the compiler says " + (compiled.stderr.decode().strip().splitlines() or ["?"])[-1].split(": ")[-1]
        )
        return result
    plain = system.run("cd run/plain && ../truth")
    preload = "" if is_static else f"LD_PRELOAD={system.inside}/trace.so"
    traced = system.run(f"cd run/traced && HEADRACE_TRACE_DIRECTORY={system.inside}/run/profiles {preload} ../truth")
    result.same_output = (
        (plain.returncode, plain.stdout, plain.stderr) == (traced.returncode, traced.stdout, traced.stderr)
        and plain.returncode == 0
        and _files(made / "plain") == _files(made / "traced")
    )
    profiles = [read_profile(path) for path in sorted((made / "profiles").iterdir())]
    if len(profiles) != 1:
        result.refused = f"{len(profiles)} profiles"
        return result
    wrong = mismatches(build, TRUTH, profiles[0].records)
    for said in wrong[:3]:
        print("   ", said)
    result.mismatches = len(wrong)
    return result


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def measure(output: Path, roots: list[Path]) -> int:
    """All builds of all systems; the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "headrace", "trace", "--object", f"{folder}/traced"]
        subprocess.run(command, check=True, capture_output=True)
        linked = {ending: Path(folder, f"traced{ending}").read_bytes() for ending in (".o", ".a", ".link")}
    rows = []
    for system in (System(None), *map(System, roots)):
        system.prepare(linked)
        for name, version in system.compilers():
            for options in GFORTRAN if "gfortran" in name else FLANG:
                done = row(system, name, version, options)
                rows.append(done)
                print(f"{done.system:32} {version:18} {options:32} {done.refused or done.mismatches}", flush=True)
        shutil.rmtree(system.folder, ignore_errors=True)
    output.write_text(json.dumps([asdict(one) for one in rows], indent=1) + "\n")
    return int(any(one.mismatches or not one.same_output for one in rows if not one.refused))


def table(rows: list[Row]) -> str:
    """A row for each compiler of each system."""
    lines = ["| system | compiler | builds | statements each | mismatches | same output and files |"]
    lines += ["| --- | --- | --- | --- | --- | --- |"]
    groups: dict[tuple[str, str], list[Row]] = {}
    for one in rows:
        groups.setdefault((one.system, one.compiler), []).append(one)
    for (system, compiler), members in groups.items():
        ran = [one for one in members if not one.refused]
        same = sum(one.same_output for one in ran)
        wrong = sum(one.mismatches for one in ran)
        counted = ran[0].statements if ran else "-"
        lines.append(f"| {system} | {compiler} | {len(ran)} | {counted} | {wrong} | {same} of {len(ran)} |")
    refused = dict.fromkeys(f"{one.compiler} on {one.system}: {one.refused}" for one in rows if one.refused)
    options = ", ".join(f"`{option}`" for option in dict.fromkeys(one.options for one in rows))
    said = (
        f"\nBuilds: {options}. Those with `-static` and `-static-pie` are linked with the object of `trace --object`."
    )
    if refused:
        said += "\nNot built: " + "; ".join(refused) + "."
    return "\n".join(lines) + "\n" + said + "\n"


def document(results: Path) -> None:
    """Put the table between its marks in doc/trace.md."""
    page = ROOT / "doc" / "trace.md"
    if not page.exists():
        page = next((ROOT / "doc").rglob("trace.md"))
    rows = [Row(**one) for one in json.loads(results.read_text())]
    begin, end = "<!-- truth -->\n", "<!-- end of truth -->\n"
    before, rest = page.read_text().split(begin)
    page.write_text(before + begin + "\n" + table(rows) + "\n" + end + rest.split(end)[1])


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--root", type=Path, action="append", default=[], help="a system in a folder (needs chroot)")
    asked.add_argument("--output", type=Path, help="the results file to write")
    asked.add_argument("--document", type=Path, help="the results file whose table goes into doc/trace.md")
    given = asked.parse_args()
    if given.document:
        document(given.document)
    sys.exit(measure(given.output, given.root) if given.output else 0)
