"""What became of the hints that were asked for: in force, ignored, or not known. Next: rows.py."""

from collections.abc import Iterable, Mapping

from headrace.measure.parallel.ways import pairs_of, spelled_out
from headrace.results.parallel import ParallelRow

_ROMIOS = "romio_"  # how its hints begin
_OMPIOS = "collective_buffering"  # the hint that OMPIO alone has
NOT_KNOWN = "not known (the library that wrote the file does not report its hints)"


def unknown_hints(asked: str, in_force: str, ignored: str) -> str:
    """Those of which nothing was told."""
    told = dict(pairs_of(in_force)) | dict(pairs_of(ignored))
    return ",".join(f"{name}={value}" for name, value in spelled_out(asked).items() if name not in told)


def what_became(row: ParallelRow) -> str:
    """Every hint that was asked for, in words; "" if none was."""
    told, ignored = dict(pairs_of(row.hints_in_force)), dict(pairs_of(row.hints_ignored))
    found: dict[str, list[str]] = {"in force": [], "ignored": [], NOT_KNOWN: []}
    for name, value in spelled_out(row.hints_asked).items():
        if name in ignored:
            instead = f" ({told[name]} is in force)" if name in told else ""
            found["ignored"].append(f"{name}={value}{instead}")
        elif name in told:
            found["in force"].append(f"{name}={told[name]}")
        else:
            found[NOT_KNOWN].append(f"{name}={value}")
    return "; ".join(f"{what}: {', '.join(hints)}" for what, hints in found.items() if hints)


def other_names(row: ParallelRow) -> str:
    """What is in force though nobody asked for it, as `name=value,...`."""
    asked = spelled_out(row.hints_asked)
    return ",".join(f"{name}={value}" for name, value in pairs_of(row.hints_in_force) if name not in asked)


def advice(rows: Iterable[ParallelRow], modules: Mapping[str, str], romio: str) -> list[str]:
    """What to do if a module of MPI-IO ignored hints of the other; `modules` by worker, `romio` names the other."""
    ignored: dict[str, set[str]] = {"ompio": set(), "romio": set()}
    for row in rows:
        module = next((name for name in ignored if modules.get(row.tool, "").startswith(name)), "")
        if module and _calls_mpi_io(row):
            ignored[module] |= {name for name, _ in pairs_of(row.hints_ignored)} & set(spelled_out(row.hints_asked))
    said: list[str] = []
    if any(name.startswith(_ROMIOS) for name in ignored["ompio"]):
        how = f": set OMPI_MCA_io={romio}, or --vary env:OMPI_MCA_io=ompio,{romio}" if romio else ""
        has_both = any(module.startswith("romio") for module in modules.values())
        said.append(
            f"OMPIO does not know ROMIO's hints{': only the rows under ROMIO can have them' if has_both else how}."
        )
    if _OMPIOS in ignored["romio"]:
        said.append(f"ROMIO does not know OMPIO's {_OMPIOS}: its own are romio_cb_write=enable, romio_cb_read=enable.")
    return said


def _calls_mpi_io(row: ParallelRow) -> bool:
    """headrace's own exchange makes no calls of MPI-IO, so that another module would not help it."""
    c = row.counts
    return c is not None and any((c.collective_writes, c.collective_reads, c.independent_writes, c.independent_reads))
