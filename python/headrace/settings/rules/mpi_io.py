"""MPI-IO: its module, its hints in the words that the MPI at hand heeds, and settings of a site for its transport."""

import math
from collections.abc import Iterator, Mapping
from functools import partial

from headrace import mpi_hints
from headrace.measure.parallel.jobs import cray_hints
from headrace.measure.parallel.ways import pairs_of
from headrace.results.advised import Citation, Expected, Item
from headrace.results.parallel import ParallelRow
from headrace.settings.evidence import Context, best_first, cite, gains, guide, measured_gain
from headrace.settings.probe import in_words
from headrace.settings.rules.calls import expected
from headrace.sites.schema import MpiIo

HINTS_FILE = "romio-hints"
_MODULE = "OMPI_MCA_io"
_BLOCK = 16 << 20  # bytes: ROMIO's cb_buffer_size, unless a hint sets it
_PIECE = 4e-6  # seconds of ROMIO for a piece that it exchanges; of 128 bytes, 2 to 4 MPI ranks on one node


def romio(context: Context) -> Iterator[Item]:
    """Open MPI's other module."""
    job, place = context.job, context.place
    if place.mpi_io != "ompio" or not place.romio or not job.is_shared or place.storage.kind == "lustre":
        return  # on Lustre Open MPI takes ROMIO by itself
    found: list[Expected] = []
    for operation in job.operations:
        one = measured_gain(context, operation, _is_ompio, _is_romio)
        found += [one] if one else []
    if not found and job.pattern == "shared_collective":
        found = _joined_pieces(context) or gains(context, "romio")
    first, more = best_first(found)
    if first is None:
        return
    yield Item(
        change="romio",
        title=f"let Open MPI use {place.romio} for MPI-IO instead of OMPIO",
        kind="environment",
        lines=[f"export {_MODULE}={place.romio}"],
        why="its collective calls exchange the data in fewer, larger pieces",
        gain=first,
        more_gains=more,
        undo=f"unset {_MODULE}",
        hurts="hints for OMPIO are then ignored, and independent calls with short pieces use data sieving under locks",
        sources=_titles(found),
        variables={_MODULE: place.romio},
    )


def _joined_pieces(context: Context) -> list[Expected]:
    """From a trace in which OMPIO writes each piece by a system call: ROMIO's aggregators write whole blocks."""
    job, costs = context.job, context.place.costs
    observed = job.observed
    if observed is None or costs is None or not observed.in_pieces or not observed.mpi_io.bytes:
        return []
    calls = max(1, observed.mpi_io_calls // job.ranks)  # each is of all MPI ranks
    each = observed.mpi_io.bytes / calls
    blocks = math.ceil(each / _BLOCK)
    writing = calls * blocks * costs.write(each / blocks) + observed.mpi_io.calls * _PIECE
    after = observed.mpi_open_seconds + job.ranks * writing  # all wait for the one that writes
    condition = (
        f"OMPIO made {observed.mpi_io.calls:,} system calls of {observed.mpi_io.mean:,.0f} bytes; ROMIO joins the "
        f"pieces of a call into blocks of {each / blocks:,.0f} bytes, and such a write takes "
        f"{in_words(costs.write(each / blocks))} here"
    )
    return [expected(observed, after, condition, low=0.4, high=2.5)]


def _collective(row: ParallelRow) -> bool:
    return row.method.partition(":")[0] in ("mpiio", "hdf5", "netcdf4", "pnetcdf") and not row.hints_asked


def _is_romio(row: ParallelRow) -> bool:
    return _collective(row) and "romio" in row.environment.get(_MODULE, "")


def _is_ompio(row: ParallelRow) -> bool:
    """The user's own environment has OMPIO in force, or the rule would not ask."""
    return _collective(row) and "romio" not in row.environment.get(_MODULE, "")


def aggregators(context: Context) -> Iterator[Item]:
    """ROMIO on one node has one aggregator unless it is told otherwise; only what was measured says if more help."""
    job, place = context.job, context.place
    if (
        place.mpi_io != "romio"
        or job.pattern != "shared_collective"
        or job.nodes > 1
        or min(job.ranks, place.cores) < 2
    ):
        return
    values = heeded("romio", {"cb_nodes": str(min(job.ranks, place.cores))})
    found: list[Expected] = []
    for operation in job.operations:
        one = measured_gain(context, operation, _collective, partial(_has_hints, values))
        found += [one] if one else []
    first, more = best_first(found)
    if first is None:
        return
    yield Item(
        change="aggregators",
        title=f"let {values['cb_nodes']} MPI ranks write for all",
        kind="hints",
        lines=hint_lines("romio", values),
        why="ROMIO lets one MPI rank of a node write; with one for each core they copy side by side",
        gain=first,
        more_gains=more,
        undo="unset ROMIO_HINTS",
        hurts="the file system lets one process at a time write a file, and the copies are not what costs",
        sources=_titles(found),
        hints=values,
    )


def _has_hints(values: Mapping[str, str], row: ParallelRow) -> bool:
    return dict(pairs_of(row.hints_asked)) == dict(values)


def site_hints(context: Context) -> Iterator[Item]:
    """What the site says, as far as the MPI at hand heeds it."""
    job, place = context.job, context.place
    for site in context.own:
        for rule in site.hints:
            if rule.mpi_io != place.mpi_io or job.pattern not in rule.patterns or job.nodes < rule.nodes_from:
                continue
            values = heeded(rule.mpi_io, rule.values)
            if not values:
                continue
            yield Item(
                change="hints",
                title=f"give MPI-IO the hints {', '.join(f'{name}={value}' for name, value in values.items())}",
                kind="hints",
                lines=hint_lines(rule.mpi_io, values),
                why=rule.why,
                why_no_gain="the source recommends them without a figure",
                undo=f"unset {_VARIABLES[rule.mpi_io]}",
                hurts=rule.hurts or "another version of the MPI: compare MPI_File_get_info before and after",
                sources=[cite(site, rule.source)],
                tested=rule.mpi_io != "cray",
                hints=values,
                variables=hint_variables(rule.mpi_io, values),
            )


_VARIABLES = {"cray": "MPICH_MPIIO_HINTS", "romio": "ROMIO_HINTS"}


def heeded(library: MpiIo, values: Mapping[str, str]) -> dict[str, str]:
    """Those that the library looks up and can make sense of."""
    return {name: value for name, value in values.items() if mpi_hints.takes(library, name, value)}


def hint_lines(library: MpiIo, values: Mapping[str, str]) -> list[str]:
    """Lines for a shell; OMPIO takes hints from the program alone."""
    if library == "cray":
        return [f'export MPICH_MPIIO_HINTS="{cray_hints(values)}"']
    if library == "romio":
        words = " ".join(f"'{name} {value}'" for name, value in values.items())
        return [f"printf '%s\\n' {words} > {HINTS_FILE}", f'export ROMIO_HINTS="$PWD/{HINTS_FILE}"']
    return []


def hint_variables(library: MpiIo, values: Mapping[str, str]) -> dict[str, str]:
    """Variables that carry the hints; those of ROMIO are in a file."""
    return {"MPICH_MPIIO_HINTS": cray_hints(values)} if library == "cray" else {}


def site_settings(context: Context) -> Iterator[Item]:
    """Variables and modules of a site, for example of the transport between nodes."""
    job, place = context.job, context.place
    for site in context.own:
        for rule in site.settings:
            fits = job.pattern in rule.patterns and job.nodes >= rule.nodes_from
            if not fits or (rule.mpi_io and rule.mpi_io != place.mpi_io):
                continue
            if rule.name and place.variables.get(rule.name) == rule.value:
                continue
            variables = {rule.name: rule.value} if rule.name else {}
            lines = [f"export {rule.name}={rule.value}"] if rule.name else list(rule.lines)
            yield Item(
                change=rule.change,
                title=f"set {rule.name}={rule.value}" if rule.name else rule.title,
                kind="environment" if rule.name else "command",
                lines=lines,
                why=rule.why,
                why_no_gain="the source recommends it without a figure",
                undo=rule.undo or (f"unset {rule.name}" if rule.name else "as before"),
                hurts=rule.hurts or "not known",
                sources=[cite(site, rule.source)],
                tested=False,
                variables=variables,
            )


def unheeded(context: Context) -> Iterator[Item]:
    """Hints that are set for another MPI than the one at hand."""
    place = context.place
    owner: dict[str, MpiIo] = {"MPICH_MPIIO_HINTS": "cray", "ROMIO_HINTS": "romio"}
    for name, library in owner.items():
        heard = place.mpi_io == library or (library == "romio" and place.mpi_io == "cray")
        if name not in place.variables or place.mpi_io is None or heard:
            continue
        yield Item(
            change="unheeded-hints",
            title=f"{name} is set, and {place.mpi or place.mpi_io} does not read it",
            kind="environment",
            lines=[f"unset {name}"],
            why=f"it is for {'HPE Cray MPICH' if library == 'cray' else 'ROMIO'}; it is not in force",
            why_no_gain="removing it changes nothing; what it was meant to do is not done",
            undo=f"export {name}=...",
            hurts="another program of the same job reads it",
            sources=[guide("archer2") if library == "cray" else _romio_guide()],
            unset=[name],
        )


def _romio_guide() -> Citation:
    return guide("gpfs", "romio")


def _titles(found: list[Expected]) -> list[Citation]:
    return list({one.source.title: one.source for one in found}.values())


RULES = (romio, aggregators, site_hints, site_settings, unheeded)
CHANGES = ("romio", "aggregators", "hints", "unheeded-hints")  # names of its items
