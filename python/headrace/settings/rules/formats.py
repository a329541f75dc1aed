"""What libraries and programs are told: ADIOS2's engine, tar and copies of many small files."""

from collections.abc import Iterator

from headrace.results.advised import Item
from headrace.settings.evidence import Context, best_first, gains, guide
from headrace.settings.job import MANY_FILES

_TAR_BLOCKS = 2048  # of 512 bytes, if the site says no other number


def adios2(context: Context) -> Iterator[Item]:
    """BP5 gathers on few aggregators unless it is told that all write."""
    job = context.job
    if job.format != "adios2":
        return
    first, more = best_first(gains(context, "adios2-aggregation"))
    if first is None:
        return
    count = max(job.nodes, 2 if job.ranks > 1 else 1)
    yield Item(
        change="adios2-aggregation",
        title=f"let ADIOS2 write through {count} aggregators without statistics",
        kind="hints",
        lines=[
            f'<parameter key="NumAggregators" value="{count}"/>',
            '<parameter key="AggregationType" value="EveryoneWritesSerial"/>',
            '<parameter key="StatsLevel" value="0"/>',
        ],
        why="each MPI rank then writes its own data, in turns within a file of its aggregator; nobody computes minima "
        'and maxima; the lines belong into <engine type="BP5"> of adios2.xml',
        gain=first,
        more_gains=more,
        undo="leave the three parameters out",
        hurts="readers ask for minima and maxima of blocks, which are not there then",
        sources=[first.source],
    )


def tar(context: Context) -> Iterator[Item]:
    """Archives of many small files."""
    job = context.job
    if not job.transfer or job.files < MANY_FILES:
        return
    rule = next((one for site in context.own for one in site.transfers), None)
    blocks = rule.tar_blocks if rule else _TAR_BLOCKS
    lines = {
        "pack": [f"test ! -e archive.tar && tar -b {blocks} -cf archive.tar directory"],
        "unpack": [f"tar -b {blocks} --keep-old-files -xf archive.tar"],
        "copy": [f"tar -b {blocks} -cf - directory | tar -b {blocks} --keep-old-files -xf - -C target"],
    }[job.transfer]
    titles = {
        "pack": f"let tar write blocks of {blocks // 2} KiB",
        "unpack": f"let tar write blocks of {blocks // 2} KiB",
        "copy": f"copy the {job.files:,} files as one stream, not one by one",
    }
    reason = (
        rule.why if rule else "tar then writes blocks of 1 MiB instead of 10 KiB, which parallel file systems are for"
    )
    stream = "; one stream needs no round trip for each file at the source" if job.transfer == "copy" else ""
    yield Item(
        change="tar-blocks" if job.transfer != "copy" else "copy-as-stream",
        title=titles[job.transfer],
        kind="command",
        lines=lines,
        why=reason + stream,
        why_no_gain="the source states no figure",
        undo="leave -b out" if job.transfer != "copy" else "cp -r as before",
        hurts="tapes with another block length; each file is still made one by one where it is unpacked",
        sources=[guide("archer2")],
    )


RULES = (adios2, tar)
CHANGES = ("adios2-aggregation", "tar-blocks", "copy-as-stream")  # names of its items
