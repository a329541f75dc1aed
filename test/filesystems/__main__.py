"""Runs headrace on real file systems: `make testfilesystems`, or

    python -m filesystems [--only NAME ...] [--write]        in the folder test/

Mounts them in a world of its own (namespace.py), runs the checks on each, and prints what works. --write renews
results.json and the tables of doc/reference/filesystems.md. Exit code 1 if a check fails, 2 if it cannot run here.
"""

import argparse
import contextlib
import datetime
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from filesystems import namespace, places, results
from filesystems.checks.calls import calls
from filesystems.checks.commands import advice, bench, detection, parallel
from filesystems.checks.faults import faults
from filesystems.checks.whole import whole
from filesystems.results import Found, Results
from headrace.measure.provenance import processor
from headrace.version import VERSION


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m filesystems", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", default=[], choices=[kind.name for kind in places.KINDS])
    parser.add_argument("--skip-bench", action="store_true", help="only what takes seconds")
    parser.add_argument("--write", action="store_true", help="renew the results file and the page")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        return _refuse("only root can mount file systems: run it as root, for example `sudo make testfilesystems`")
    if shutil.which("unshare") is None:
        return _refuse("there is no `unshare` (apt: util-linux)")
    if namespace.is_inside():
        return _inside(arguments)
    work = Path(tempfile.mkdtemp(prefix="headrace-filesystems-"))
    try:
        return namespace.enter(sys.argv[1:], work)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _refuse(why: str) -> int:
    print(f"headrace: {why}", file=sys.stderr)
    return 2


def _inside(arguments: argparse.Namespace) -> int:
    try:
        namespace.prepare()
    except RuntimeError as error:
        return _refuse(f"no mounts of one's own are allowed here: {error}")
    kinds = [kind for kind in places.KINDS if not arguments.only or kind.name in arguments.only]
    machine = f"{processor() or platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}"
    found = Results(datetime.date.today().isoformat(), VERSION, machine)
    with contextlib.ExitStack() as stack:
        folders = _mounted(kinds, arguments.work, stack, found)
        for place in found.places:
            if not place.problem:
                _checked(place, folders[place.name], next(kind for kind in kinds if kind.name == place.name))
        if not arguments.skip_bench:
            for command in (bench, parallel):
                print(f"{command.__name__} ...", flush=True)
                for name, checks in command(folders, arguments.work).items():
                    next(place for place in found.places if place.name == name).checks.extend(checks)
    if not arguments.only:
        print("planted faults ...", flush=True)
        found.places.append(Found(results.FAULTS, "the tests' own, that fails as set", "", faults(arguments.work)))
    for kind in places.NOT_HERE:
        why = places.why_not_here(kind, arguments.work)
        if why:
            found.not_here[kind] = why
    return _told(found, arguments.write)


def _mounted(kinds: list[places.Kind], work: Path, stack: contextlib.ExitStack, found: Results) -> dict[str, Path]:
    """Those that can be mounted; of the others the results say why not."""
    folders = {}
    for kind in kinds:
        place = Found(kind.name, kind.what)
        found.places.append(place)
        try:
            folders[kind.name] = stack.enter_context(kind.mounted(work))
        except RuntimeError as error:
            place.problem = str(error)
        print(f"{kind.name}: {place.problem or 'mounted'}", flush=True)
    return folders


def _checked(place: Found, folder: Path, kind: places.Kind) -> None:
    print(f"{kind.name}: checks ...", flush=True)
    place.checks += [detection(folder, kind.type), advice(folder)]
    for name, check in (("calls", calls), ("whole", whole)):
        own = folder / name
        own.mkdir()
        place.checks += check(own)
        shutil.rmtree(own, ignore_errors=True)  # what was removed while it was open may go later


def _told(found: Results, write: bool) -> int:
    for place in found.places:
        for check in place.checks:
            print(f"{place.name}: {check.name}: {check.outcome}{': ' + check.said if check.said else ''}")
    for kind, why in found.not_here.items():
        print(f"{kind}: cannot be mounted: {why}")
    if write:
        results.save(found)
        results.PAGE.write_text(results.renewed(results.PAGE.read_text(), found))
    for failure in found.failures:
        print(f"FAILED {failure}", file=sys.stderr)
    count = sum(len(place.checks) for place in found.places)
    print(f"{count - len(found.failures)} of {count} checks as expected")
    return 1 if found.failures else 0


if __name__ == "__main__":
    sys.exit(main())
