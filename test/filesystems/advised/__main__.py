"""Asks `headrace advise` about situations whose cause is planted:

    python -m filesystems.advised [--only NAME ...] [--write]        in the folder test/

Those on GlusterFS and on the planted file system need root. --write renews results.json and the page. Exit code 1 if
the score is below what is asked for, 2 if it cannot run here.
"""

import argparse
import contextlib
import dataclasses
import datetime
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from filesystems import namespace, places
from filesystems.advised import results
from filesystems.advised.results import Results
from filesystems.advised.run import TRACES, Row, run
from filesystems.advised.situations import SITUATIONS, Situation
from filesystems.planted import planted
from headrace.measure.provenance import processor
from headrace.version import VERSION

_MODULE = "filesystems.advised"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog=f"python -m {_MODULE}", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [situation.name for situation in SITUATIONS]
    parser.add_argument("--only", action="append", default=[], choices=names, metavar="NAME", help="; ".join(names))
    parser.add_argument("--write", action="store_true", help="renew the results file and the page")
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    chosen = [situation for situation in SITUATIONS if not arguments.only or situation.name in arguments.only]
    if all(situation.where == "here" for situation in chosen) or namespace.is_inside():
        return _all(chosen, arguments)
    if os.geteuid() != 0:
        print(
            "headrace: only root can mount file systems: run it as root, or choose others with --only", file=sys.stderr
        )
        return 2
    work = Path(tempfile.mkdtemp(prefix="headrace-filesystems-"))
    try:
        return namespace.enter(sys.argv[1:], work, _MODULE)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _all(chosen: list[Situation], arguments: argparse.Namespace) -> int:
    if namespace.is_inside():
        try:
            namespace.prepare()
        except RuntimeError as error:
            print(f"headrace: no mounts of one's own are allowed here: {error}", file=sys.stderr)
            return 2
    machine = f"{processor() or platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}"
    found = Results(datetime.date.today().isoformat(), VERSION, machine, traces=TRACES)
    with contextlib.ExitStack() as stack:
        work = arguments.work or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="headrace-filesystems-")))
        gluster: list[Path | str] = []
        for situation in chosen:
            row = _one(situation, work, stack, gluster)
            found.rows.append(row)
            print(results.line(row), flush=True)
    for score in results.scores(found.rows):
        print(score.text)
    if arguments.write:
        results.save(found)
        results.PAGE.write_text(results.renewed(results.PAGE.read_text(), found))
    wrong = [row for row in found.rows if row.problem]
    return int(bool(wrong) or (not arguments.only and not all(one.is_reached for one in results.scores(found.rows))))


def _one(situation: Situation, work: Path, stack: contextlib.ExitStack, gluster: list[Path | str]) -> Row:
    """On its file system; GlusterFS is mounted once, for all."""
    if situation.where == "planted":
        with planted(situation.settings, work) as place:
            return run(situation, place.folder)
    if situation.where == "here":
        folder = work / "here"
        folder.mkdir(exist_ok=True)
        return run(situation, folder)
    if not gluster:
        try:
            gluster.append(stack.enter_context(places.gluster(work)))
        except RuntimeError as error:
            gluster.append(str(error))
    if isinstance(gluster[0], str):
        row = Row(situation.name, situation.truth, situation.where, situation.advice)
        return dataclasses.replace(row, problem=f"GlusterFS cannot be mounted: {gluster[0]}")
    return run(situation, gluster[0])


if __name__ == "__main__":
    sys.exit(main())
