"""Records above 2 GiB that a compiler writes itself: gigabytes on disk, so only on request."""

import subprocess

from cases import Case
from compiled import HERE, WriterError
from headrace.measure.build import build_program
from makers import Corpus

SIZE = 2_400_000_000  # bytes; a multiple of 8


def large_cases(corpus: Corpus) -> list[Case]:
    """One file a compiler: subrecords by gfortran, an unsigned marker by LLVM flang."""
    cases = []
    for compiler in corpus.compilers:
        program = build_program(compiler, [HERE / "write_large.f90"], "write_large")
        file = f"large-{compiler.vendor}.dat"
        command = [str(program), str(corpus.path(file)), str(SIZE)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise WriterError(f"{program.name} could not write {file}: {done.stderr}")
        kind = "record4-flang-unsigned" if compiler.vendor == "llvm" else "record4-subrecords"
        types = [["int32 2"], [f"real64 {SIZE // 8}"], ["int32 3"]]
        cases.append(
            corpus.case(
                file, kind, compiler.identifier, marker_bytes=4, byte_order="little", records=3, record_types=types
            )
        )
    return cases
