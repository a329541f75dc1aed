"""What became of the hints that were asked for: in force, ignored, or not known. Next: rows.py."""

from headrace.measure.parallel.results import ParallelRow
from headrace.measure.parallel.ways import pairs_of, spelled_out

NOT_KNOWN = "not known (the library that took the file does not tell its hints)"


def unknown_hints(asked: str, in_force: str, ignored: str) -> str:
    """Those of which nothing was told."""
    told = dict(pairs_of(in_force)) | dict(pairs_of(ignored))
    return ",".join(f"{name}={value}" for name, value in spelled_out(asked).items() if name not in told)


def what_became(row: ParallelRow) -> str:
    """Every hint that was asked for, in words; "" where none was."""
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
