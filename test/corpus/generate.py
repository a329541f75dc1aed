#!/usr/bin/env python3
"""Writes the corpus that `headrace inspect` is tested with, and the truth about each file into truth.json.

    python test/corpus/generate.py --out DIR                        the named set
    python test/corpus/generate.py --out DIR --seed N --count M     M random files as well, in DIR/hidden

Files are written by the Fortran compilers of this machine (--fc to choose), and by a generator where no compiler
writes such a dialect. Records above 2 GiB are holes: the files look large and take no disk. Whoever builds `inspect`
may look at the named set, never at a random one: see README.md here.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from cases import Case, write_truth
from headrace.measure.compilers import find_compilers, identify
from headrace.results.run import Compiler
from hidden import hidden_cases
from known import known_cases
from large import large_cases
from makers import Corpus

# Those that the writers beside this file were tried with.
VENDORS = ("gnu", "llvm")


def usable(compilers: Sequence[Compiler]) -> list[Compiler]:
    """Of these compilers, those that the writers are known to work with."""
    return [one for one in compilers if one.vendor in VENDORS]


def generate_known(out: Path, compilers: Sequence[Compiler] | None = None) -> list[Case]:
    """The named set in `out`, with truth.json. `compilers` None: those found on the PATH."""
    out.mkdir(parents=True, exist_ok=True)
    cases = known_cases(Corpus(out, usable(find_compilers() if compilers is None else compilers)))
    write_truth(cases, out)
    return cases


def generate_hidden(out: Path, seed: int, count: int, compilers: Sequence[Compiler] | None = None) -> list[Case]:
    """`count` random files of that seed in `out`, with truth.json."""
    out.mkdir(parents=True, exist_ok=True)
    cases = hidden_cases(Corpus(out, usable(find_compilers() if compilers is None else compilers)), seed, count)
    write_truth(cases, out)
    return cases


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="an empty or new directory")
    parser.add_argument("--seed", type=int, help="write a random set of this seed into OUT/hidden")
    parser.add_argument("--count", type=int, default=200, help="files of the random set (200)")
    parser.add_argument("--fc", action="append", help="a Fortran compiler; may be given again")
    parser.add_argument("--large", action="store_true", help="also records above 2 GiB by the compilers: 5 GB on disk")
    options = parser.parse_args()
    if options.out.exists() and any(options.out.iterdir()):
        parser.error(f"{options.out} is not empty: give a new directory")
    compilers = [identify(name) for name in options.fc] if options.fc else find_compilers()
    cases = generate_known(options.out, compilers)
    print(f"{len(cases)} named files in {options.out}")
    if options.large:
        large = options.out / "large"
        large.mkdir()
        write_truth(large_cases(Corpus(large, usable(compilers))), large)
        print(f"records above 2 GiB in {large}")
    if options.seed is not None:
        hidden = generate_hidden(options.out / "hidden", options.seed, options.count, compilers)
        print(f"{len(hidden)} random files in {options.out / 'hidden'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
