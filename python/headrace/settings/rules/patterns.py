"""Who writes which file: one process, all, one of a node; one shared file with collective calls or without."""

from collections.abc import Iterator, Sequence

from headrace.results.advised import Citation, Expected, Item
from headrace.settings.evidence import (
    Context,
    best_first,
    cite,
    gains,
    guide,
    measured_gain,
    pattern_row,
    rate_gain,
)
from headrace.settings.job import MANY_FILES
from headrace.sites.schema import Operation, Pattern

SMALL = 8 << 20  # bytes of a MPI rank: what was published of independent calls is of less than one MiB
LARGE = 1_000_000_000  # bytes in all: then bandwidth counts, and not the number of calls
_WAYS: dict[Pattern, str] = {
    "file_per_process": "let each MPI rank write a file of its own",
    "file_per_node": "let one MPI rank of each node write a file of the node",
    "shared_collective": "let all MPI ranks write one shared file by collective calls",
}


def fewer_sharers(context: Context) -> Iterator[Item]:
    """A shared file, or one writer, if files of processes or nodes are known to be faster."""
    job = context.job
    is_slow = job.is_shared or (
        job.pattern == "serial" and job.ranks > 1 and job.format != "text" and _is_large(context)
    )
    if not is_slow or job.pattern is None:
        return
    by_node: Pattern = "file_per_node"
    order: tuple[Pattern, ...] = ("file_per_process",)
    if job.nodes > 1:
        order = (by_node, "file_per_process") if job.ranks > MANY_FILES else ("file_per_process", by_node)
    if job.pattern == "serial":
        order = (*order, "shared_collective")
    for pattern in order:
        found = _gains_of(context, pattern)
        if found:
            yield _pattern_item(context, pattern, found)


def _is_large(context: Context) -> bool:
    return context.job.bytes >= LARGE


def _gains_of(context: Context, pattern: Pattern) -> list[Expected]:
    job = context.job
    found: list[Expected] = []
    if job.pattern is not None:
        for operation in job.operations:
            one = measured_gain(context, operation, pattern_row(job.pattern), pattern_row(pattern))
            found += [one] if one else []
    published = rate_gain(context, "file_per_process" if pattern == "file_per_node" else pattern)
    if published and pattern == "file_per_node":
        published.condition += "; the guide says that a file for each node is not significantly slower"
    if published:
        found.append(published)
    if job.nodes == 1 and job.is_shared:
        found += gains(context, pattern.replace("_", "-"))
    return found


def _pattern_item(context: Context, pattern: Pattern, found: list[Expected]) -> Item:
    job = context.job
    first, more = best_first(found)
    files = {"file_per_process": job.ranks, "file_per_node": job.nodes}.get(pattern, 1)
    reasons: dict[Pattern, str] = {
        "file_per_process": "nobody waits for the locks of another, and every storage target is used",
        "file_per_node": "as with a file for each MPI rank nobody waits for locks, and there are far fewer files",
        "shared_collective": "one writer is one client of the file system, and gets what one client gets",
    }
    hurts = {
        "file_per_process": f"there are {files:,} files: thousands at once overload a metadata server, and what reads "
        "them must put them together (headrace describes them as one array without copying: `headrace describe`)",
        "file_per_node": f"there are {files:,} files, and the data of a node must fit into the memory of its writer "
        "unless they go in pieces",
    }.get(pattern, "small arrays: a collective call costs more than it gains")
    return Item(
        change=pattern.replace("_", "-"),
        title=_WAYS[pattern],
        kind="pattern",
        why=reasons[pattern],
        gain=first,
        more_gains=more,
        undo="write as before; files that are there stay as they are",
        hurts=hurts,
        sources=_sources(found),
    )


def _sources(found: list[Expected]) -> list[Citation]:
    return list({one.source.title: one.source for one in found}.values())


def many_files(context: Context) -> Iterator[Item]:
    """Thousands of files at once."""
    job = context.job
    if job.pattern != "file_per_process" or job.ranks <= MANY_FILES or job.nodes < 2:
        return
    yield Item(
        change="file-per-node",
        title=f"write a file for each node: {job.nodes:,} instead of {job.ranks:,}",
        kind="pattern",
        why="thousands of files that are open at once can overload the file system; a file for each node should not "
        "significantly change the rates",
        why_no_gain="the guide promises fewer files at the same rate, not a higher one",
        undo="write as before",
        hurts="the data of a node must fit into the memory of its writer unless they go in pieces",
        sources=[guide("archer2")],
    )


def collective_calls(context: Context) -> Iterator[Item]:
    """Several nodes share a file, each for itself."""
    job = context.job
    if job.pattern != "shared_independent" or job.nodes < 2:
        return
    found = [
        one
        for operation in job.operations
        if (one := measured_gain(context, operation, pattern_row(job.pattern), pattern_row("shared_collective")))
    ]
    first, more = best_first(found)
    yield Item(
        change="collective-calls",
        title="use the collective form of the calls",
        kind="source",
        lines=[_COLLECTIVE[job.format]] if job.format in _COLLECTIVE else mpi_calls(context, "_all"),
        why="clients that write parts of one file each for itself wait for locks of the file system, which can make "
        "them write one after the other; a collective call lets the library coordinate them",
        gain=first,
        more_gains=more,
        why_no_gain="" if first else "the sources state no figure: bench parallel --collective both measures it",
        undo="the independent form again",
        hurts="not all MPI ranks make the call, which would then wait for ever; one node alone (independent calls were "
        "faster there, as POP published)",
        sources=[guide("archer2"), *(one.source for one in found)],
    )


_COLLECTIVE = {
    "netcdf4": "status = nf90_var_par_access(file, variable, nf90_collective)",
    "hdf5": "call h5pset_dxpl_mpio_f(transfer, H5FD_MPIO_COLLECTIVE_F, status)",
}


def mpi_calls(context: Context, suffix: str = "", operations: Sequence[Operation] = ()) -> list[str]:
    """A call for each operation of the job: independent, or collective by the suffix."""
    return [
        f"call MPI_File_{operation}_at{suffix}(file, offset, x, size(x), MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE, "
        "status)"
        for operation in operations or context.job.operations
    ]


def independent_calls(context: Context) -> Iterator[Item]:
    """One node: there is nobody to coordinate that the kernel does not."""
    job = context.job
    if job.pattern != "shared_collective" or job.nodes > 1 or job.ranks < 2:
        return
    if job.observed and job.observed.in_pieces:
        return  # each MPI rank would write its pieces one by one
    found = [
        one
        for operation in job.operations
        if (one := measured_gain(context, operation, pattern_row(job.pattern), pattern_row("shared_independent")))
    ]
    if not found and job.bytes_a_rank <= SMALL:
        found = gains(context, "independent-calls")
    first, more = best_first(found)
    if first is None:
        return
    yield Item(
        change="independent-calls",
        title="use independent calls: all MPI ranks are on one node",
        kind="source",
        lines=mpi_calls(context),
        why="a collective call moves the data between MPI ranks first, which on one node costs more than the locks",
        gain=first,
        more_gains=more,
        undo="the collective form again",
        hurts="the pieces of an MPI rank are short or lie between those of others, or there are several nodes",
        sources=[first.source],
    )


def parallel_binary(context: Context) -> Iterator[Item]:
    """One process gathers all and writes text."""
    job = context.job
    if job.pattern != "serial" or job.format != "text" or job.ranks < 2 or "write" not in job.operations:
        return
    for case in ("shared_independent", "shared_collective"):
        found = gains(context, "parallel-binary", case)
        if not found:
            continue
        first, more = best_first(found)
        call = "independent" if case == "shared_independent" else "collective"
        yield Item(
            change=f"parallel-binary-{call}",
            title=f"let all MPI ranks write one binary file, by {call} calls",
            kind="source",
            lines=mpi_calls(context, "_all" if call == "collective" else "", ["write"]),
            why="nobody gathers the data, and nobody makes text of them; on one node most of it comes from binary: see "
            "serial-binary",
            gain=first,
            more_gains=more,
            undo="write text as before",
            hurts="people or other programs read the file as text",
            sources=_sources(found),
        )
    found = gains(context, "serial-binary")
    first, more = best_first(found)
    if first is not None:
        yield Item(
            change="serial-binary",
            title="let the one process write its data unformatted",
            kind="source",
            why="the conversion to text is what costs; as long as the data are small, parallel calls gain nothing more",
            gain=first,
            more_gains=more,
            undo='form="formatted" as before',
            hurts="people or other programs read the file as text, or one process has no memory for the data",
            sources=_sources(found),
        )


def better_storage(context: Context) -> Iterator[Item]:
    """Another storage of the same site."""
    for site in context.own:
        for storage in site.storage:
            if context.job.pattern not in storage.patterns:
                continue
            gain = rate_gain(context, context.job.pattern or "serial", "NVMe", "HDD") if context.job.pattern else None
            yield Item(
                change="storage",
                title=f"write to {storage.name}",
                kind="command",
                why=storage.why,
                gain=gain,
                why_no_gain="" if gain else "the source states no figure for this pattern",
                undo="write to the other one",
                hurts="its quota is smaller, or it is cleaned up",
                sources=[cite(site, storage.source)],
            )


RULES = (fewer_sharers, many_files, collective_calls, independent_calls, parallel_binary, better_storage)
CHANGES = (
    *("file-per-process", "file-per-node", "shared-collective", "collective-calls", "independent-calls"),
    *("parallel-binary-independent", "parallel-binary-collective", "serial-binary", "storage"),
)  # names of its items
