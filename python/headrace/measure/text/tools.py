"""Which tools this machine has, and how the worker of each is started. Next: peers.py, ../toolbox.py."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.cases import TYPES, Case
from headrace.measure.catalogue import sources_directory
from headrace.measure.text import peers
from headrace.measure.toolbox import Start, Tool, Toolbox, fortran_key, fortran_worker
from headrace.nearest import did_you_mean
from headrace.results.run import Compiler

LEFT_OUT = "left out by --without"
_PYTHON_WORKER = Path(__file__).with_name("python_worker.py")


@dataclass
class Wanted:
    """Of the command line."""

    compilers: list[Compiler]
    threads: int
    peer_source: Path | None = None
    without: frozenset[str] = frozenset()  # names of peers


def check_names(without: Iterable[str]) -> None:
    """Raises HeadraceError for a name that no peer has."""
    known = [*peers.PYTHON_PEERS, *(peer.name for peer in peers.FORTRAN_PEERS)]
    for name in without:
        if name not in known:
            hint = did_you_mean(name, known, f"known: {', '.join(known)}")
            raise HeadraceError(f"--without {name}: there is no such peer", hint)


def find_tools(wanted: Wanted) -> Toolbox:
    """Every tool of this machine."""
    box = Toolbox()
    for key, title, environment in (
        ("headrace", "headrace", {}),
        ("portable", "headrace, no SIMD", {"HEADRACE_SIMD": "portable"}),
        ("ceiling", "write(2), read(2)", {}),
    ):
        worker = "ceiling" if key == "ceiling" else "headrace"
        box.tools[key] = Tool(key, title, _python(sys.executable, worker, wanted.threads, environment))
    for compiler in wanted.compilers:
        key = fortran_key(compiler, wanted.compilers)
        box.tools[key] = Tool(key, compiler.identifier, _fortran(compiler, ["fortran_ways.f90"]))
    if "gnu" not in box.tools:
        box.absent["gnu"] = "gfortran is not measured here"
    _add_fortran_peers(box, wanted)
    _add_python_peers(box, wanted)
    return box


def _add_fortran_peers(box: Toolbox, wanted: Wanted) -> None:
    compiler = next((c for c in wanted.compilers if c.vendor == "gnu"), None)
    for peer in peers.FORTRAN_PEERS:
        if peer.name in wanted.without:
            box.absent[peer.name] = LEFT_OUT
            continue
        if wanted.peer_source is None:
            box.absent[peer.name] = "--peer-source gives no folder with it"
            continue
        if compiler is None:
            box.absent[peer.name] = "gfortran is not measured here; the Fortran peers are linked with gfortran"
            continue
        try:
            built = peers.find_built(peer, wanted.peer_source.resolve())
        except HeadraceError as error:
            box.absent[peer.name] = f"{error.message}; {error.hint}" if error.hint else error.message
            continue
        start = _fortran(compiler, ["turned.f90", peer.driver], built)
        box.tools[peer.name] = Tool(peer.name, peer.name, start, peer.kinds)


def _add_python_peers(box: Toolbox, wanted: Wanted) -> None:
    for name in peers.PYTHON_PEERS:
        if name in wanted.without:
            box.absent[name] = LEFT_OUT
            continue
        python = peers.python_with(name)
        if python is None:
            box.absent[name] = "not installed; --peers installs it in an environment of its own"
            continue
        for key in (name, "pandas-fast") if name == "pandas" else (name,):
            box.tools[key] = Tool(key, name, _python(python, key, wanted.threads, {}))


def _python(python: str, worker: str, threads: int, environment: dict[str, str]) -> Start:
    many = {name: str(threads) for name in ("OMP_NUM_THREADS", "POLARS_MAX_THREADS")}

    def command(case: Case, values: Path, scratch: Path) -> tuple[list[str], dict[str, str]]:
        shape = [TYPES[case.kind], str(case.rows), str(case.columns), str(threads)]
        return [python, str(_PYTHON_WORKER), worker, str(values), *shape], many | environment

    return command


def _fortran(compiler: Compiler, ways: list[str], peer: peers.BuiltPeer | None = None) -> Start:
    libraries: list[str] = []
    if peer is not None:
        compiler = compiler.model_copy(update={"flags": [*compiler.flags, f"-I{peer.modules}"]})
        libraries = ["-Wl,--start-group", *(str(path) for path in peer.archives), "-Wl,--end-group"]
    return fortran_worker(compiler, [sources_directory() / "text" / name for name in ways], libraries)
