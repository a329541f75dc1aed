"""Runs the decks of Debian's calculix-ccx-test with and without `headrace run`: everything they leave must be the same.

    python test/public_codes/run_decks.py [--install] [--write] [--seconds N] [DECK ...]

Clocks stand still (libfaketime), and of a line with a time numbers are left out: processor time goes on. A deck that
does not end without the library within N seconds (20) is not compared. One that differs runs again without it: the same
way, and with other settings of malloc. If those differ it is "not reproducible", or "depends on the heap": it uses
memory that is not its own, and does something else without headrace run too. All are told by name. --write renews
run_decks.json, or what it tells of each DECK, and doc/reference/public_codes.md. Exit code 1: a deck differs.
"""

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from run_cases import RunCode
from run_codes import PAGE, Ran, _taken_over, differences, install

from public_codes import is_installed

RESULTS = Path(__file__).resolve().parent / "run_decks.json"
BEGIN, END = "<!-- from run_decks.json: begin -->\n", "<!-- from run_decks.json: end -->"
EXAMPLES = Path("/usr/share/doc/calculix-ccx-test/examples/test")
CLOCK = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
FROZEN = {"FAKETIME": "2026-01-01 12:00:00", "DONT_FAKE_MONOTONIC": "1", "OMP_NUM_THREADS": "1"}
# Memory is elsewhere, or has other contents: a program that uses only its own does the same.
HEAPS = (
    {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"},
    {"MALLOC_PERTURB_": "85"},
    {"MALLOC_TOP_PAD_": "1000000", "MALLOC_MMAP_THRESHOLD_": "2000"},
)
NEEDED = RunCode(
    "calculix-ccx-test",
    ("calculix-ccx=2.20-1", "calculix-ccx-test=2.11-1.1", "faketime=0.9.10-2.1"),
    "the decks of CalculiX",
    lambda folder: None,
    ("ccx",),
)
_LIBRARY_SAYS = re.compile(rb"^headrace run: ", re.MULTILINE)


def unpack(folder: Path) -> list[str]:
    """All decks and what they include, into one folder; returns the names of the decks."""
    folder.mkdir(parents=True)
    for source in EXAMPLES.iterdir():
        if source.suffix == ".gz":
            (folder / source.stem).write_bytes(gzip.decompress(source.read_bytes()))
        else:
            shutil.copy(source, folder / source.name)
    return sorted(path.stem for path in folder.glob("*.inp"))


def run(deck: str, decks: Path, work: Path, seconds: float, taken_over: bool, **more: str) -> Ran | None:
    """One deck in a folder with the files that go with it; None if it does not end."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    # Decks include others' files by name: links to all, and only what is new or changed is compared.
    inputs = {path.name for path in decks.iterdir()}
    for name in inputs:
        if not name.endswith(".ref"):
            (work / name).symlink_to(decks / name)
    chosen = dict(_taken_over()) if taken_over else {}
    chosen["LD_PRELOAD"] = " ".join(filter(None, (chosen.get("LD_PRELOAD", ""), str(CLOCK))))
    try:
        done = subprocess.run(
            ["ccx", deck],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=work,
            timeout=seconds,
            env=os.environ | FROZEN | chosen | more,
        )
    except subprocess.TimeoutExpired:
        return None
    texts = {"(output)": done.stdout, "(errors)": done.stderr}
    for path in work.rglob("*"):
        if path.is_file() and not path.is_symlink():
            texts[str(path.relative_to(work))] = path.read_bytes()
    return Ran(done.returncode, 0.0, texts)


def compare(deck: str, decks: Path, work: Path, seconds: float) -> tuple[str, list[str]]:
    """What became of a deck: same, different, does not end, not reproducible; and what differs."""
    first = run(deck, decks, work, seconds, False)
    if first is None:
        return "does not end", []
    other = run(deck, decks, work, 4 * seconds, True)
    found = differences(first, other) if other else ["it does not end with headrace run"]
    if other and _LIBRARY_SAYS.search(other.texts["(errors)"]):
        found.append("the library found a difference")
    if not found:
        return "the same", []
    again = run(deck, decks, work, 4 * seconds, False)
    if again and differences(first, again):
        return "not reproducible", found
    for setting in HEAPS:
        elsewhere = run(deck, decks, work, 4 * seconds, False, **setting)
        if elsewhere and differences(first, elsewhere):
            return "depends on the heap", found
    return "different", found


def page_sentence(found: dict[str, Any]) -> str:
    """What the page says of the decks."""
    decks: dict[str, list[str]] = found["decks"]
    ended = sum(len(names) for what, names in decks.items() if what != "does not end")
    said = [f"{found['count']} decks, of which {ended} end within {found['seconds']:.0f} s"]
    said += [f"{len(names)} {what}" + f": {', '.join(names)}" * (what != "the same") for what, names in decks.items()]
    return "; ".join(said) + "."


def write_page(found: dict[str, Any]) -> None:
    """Renew what is generated in the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{page_sentence(found)}\n\n{END}{rest.partition(END)[2]}")


def _add_the_others(found: dict[str, list[str]], new: list[str]) -> None:
    """What the results file tells of decks that were not run now."""
    if RESULTS.exists():
        for what, names in json.loads(RESULTS.read_text())["decks"].items():
            if others := [name for name in names if name not in new]:
                found[what] = sorted([*others, *found.get(what, [])])


def main() -> int:
    """Everything that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decks", nargs="*", metavar="DECK")
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="N")
    arguments = parser.parse_args()
    if arguments.install:
        install(NEEDED)
    if not is_installed(NEEDED):
        print(f"skipped: not installed: {' '.join(NEEDED.packages)} (run_decks.py --install, with network)")
        return 0
    found: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        decks = Path(folder) / "decks"
        names = unpack(decks)
        wanted = [name for name in names if not arguments.decks or name in arguments.decks]
        for name in wanted:
            what, how = compare(name, decks, Path(folder) / "work", arguments.seconds)
            found.setdefault(what, []).append(name)
            if what != "the same":
                print(f"{name}: {what}", *(f"\n  {line}" for line in how[:5]), flush=True)
    if arguments.decks and arguments.write:
        _add_the_others(found, wanted)
    count = sum(map(len, found.values()))
    result = {"packages": list(NEEDED.packages), "count": count, "seconds": arguments.seconds, "decks": found}
    print(page_sentence(result))
    if arguments.write:
        RESULTS.write_text(json.dumps(result, indent=1) + "\n")
        write_page(result)
    return 1 if found.get("different") else 0


if __name__ == "__main__":
    sys.exit(main())
