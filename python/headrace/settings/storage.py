"""The file system of a directory: its kind, stripes, storage targets and quota. First: place.py.

What `lfs` and `mm*` print is read as their manuals show it (doc/reference/advise.md has the transcripts); no real
Lustre or GPFS was at hand.
"""

import getpass
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from headrace.errors import HeadraceError
from headrace.measure.provenance import describe_directory
from headrace.results.advised import Fact
from headrace.results.records import of_bytes
from headrace.results.run import Directory
from headrace.settings.tools import ask
from headrace.sites.schema import FileSystem

# As the kernel names them, in /proc/self/mounts or by statfs.
_KINDS: tuple[tuple[str, FileSystem], ...] = (
    (r"lustre", "lustre"),
    (r"gpfs|mmfs", "gpfs"),
    (r"nfs\d?", "nfs"),
    (r"beegfs|fhgfs", "beegfs"),
    (r"fuse\.glusterfs|glusterfs", "glusterfs"),
    (r"ceph|fuse\.ceph(-fuse)?", "ceph"),
    (r"fuse.*", "fuse"),
    (r"tmpfs|ramfs|devtmpfs", "memory"),
    (r"ext[234](/ext\d)?|ext2/ext3|xfs|btrfs|zfs|f2fs|overlay(fs)?|bcachefs|jfs|9p|virtiofs", "local"),
)
SHARED: tuple[FileSystem, ...] = ("lustre", "gpfs", "nfs", "beegfs", "glusterfs", "ceph")  # seen by all nodes


@dataclass(frozen=True)
class Storage:
    """What is known of where the job writes."""

    directory: Directory | None = None
    kind: FileSystem = "unknown"
    stripe_count: int | None = None  # -1: all targets
    stripe_bytes: int | None = None
    targets: int | None = None
    is_progressive: bool = False  # the stripes grow with the file
    has_files: bool = False  # they keep the stripes that they have
    quota_left: int | None = None  # bytes that the user may still write, as far as a limit is known
    facts: list[Fact] = field(default_factory=list)

    @property
    def path(self) -> str:
        return self.directory.path if self.directory else ""


def look(path: Path, limit: float) -> Storage:
    """Ask the system, and the file system's own programs. Raises HeadraceError."""
    try:
        if not path.is_dir():
            raise HeadraceError(
                f"--dir {path}: {'is not a directory' if path.exists() else 'there is no such directory'}",
                "name one that is there: settings are for the file system that it is on",
            )
        directory = describe_directory(path, with_stripes=False)
        has_files = any(os.scandir(path))
    except OSError as error:
        raise HeadraceError(f"--dir {path}: {error.strerror}", "name a directory that can be read") from error
    kind = kind_of(directory.file_system)
    mounted = f"/proc/self/mounts: {directory.device} on {directory.mount_point}" if directory.device else "statfs"
    facts = [
        Fact(name="file system", value=f"{directory.file_system} ({kind})", how=mounted),
        Fact(name="mount options", value=directory.mount_options or "none", how="/proc/self/mounts"),
        Fact(
            name="space",
            value=f"{of_bytes(directory.free_bytes)} of {of_bytes(directory.total_bytes)} free",
            how="statvfs",
        ),
        Fact(name="directory", value="holds files already" if has_files else "empty", how="its entries"),
    ]
    quota_left = None
    if kind in ("local", "nfs"):
        quota_left, fact = _quota(["quota", "-w", "-f", directory.mount_point or str(path)], limit)
        facts.append(fact)
    known = Storage(directory, kind, has_files=has_files, facts=facts, quota_left=quota_left)
    if kind == "lustre":
        return _lustre(known, path, limit)
    if kind == "gpfs":
        answer = ask(["mmlsattr", "-L", str(path)], limit)
        facts += [Fact(name=f"GPFS {name}", value=value, how="mmlsattr -L") for name, value in gpfs_of(answer.text)]
        if answer.problem:
            facts.append(Fact(name="GPFS attributes", value="not known", how=answer.problem))
    return known


def kind_of(name: str) -> FileSystem:
    """Of a file system's name, as the kernel has it."""
    return next((kind for pattern, kind in _KINDS if re.fullmatch(pattern, name.lower())), "unknown")


@dataclass(frozen=True)
class Layout:
    """What `lfs getstripe` says: of a progressive layout the last component."""

    count: int | None
    bytes: int | None
    components: int


def layout_of(text: str) -> Layout:
    """Reads `lfs getstripe`, with -y or without, of a directory or a file."""
    counts = [int(found) for found in re.findall(r"stripe_count:\s*(-?\d+)", text)]
    sizes = [int(found) for found in re.findall(r"stripe_size:\s*(\d+)", text)]
    entries = re.search(r"lcm_entry_count:\s*(\d+)", text)
    components = int(entries[1]) if entries else 1
    return Layout(counts[-1] if counts else None, sizes[-1] if sizes else None, components)


def targets_of(text: str) -> int:
    """How many storage targets `lfs df` lists."""
    return len(re.findall(r"\[OST:\d+\]", text))


def gpfs_of(text: str) -> list[tuple[str, str]]:
    """Names and values of `mmlsattr -L`."""
    found = re.findall(r"^([a-z ]+?):[ \t]+(\S.*)$", text, re.MULTILINE)
    wanted = ("data replication", "storage pool name", "fileset name", "flags")
    return [(name, value.strip()) for name, value in found if name in wanted]


def quota_of(text: str) -> tuple[int, int] | None:
    """Bytes used and allowed, of the line that `lfs quota -q` or `quota -w` prints; None if there is no limit."""
    found = re.search(r"(?:^|\s)(\d+)\*?\s+(\d+)\s+(\d+)\s", text)
    if not found or not (int(found[2]) or int(found[3])):
        return None
    return 1024 * int(found[1]), 1024 * (int(found[3]) or int(found[2]))


def _quota(words: list[str], limit: float) -> tuple[int | None, Fact]:
    """Bytes that are left, and what was seen. quota(1) ends with 1 for those who have written too much."""
    answer = ask(words, limit, may_fail=True)
    how = " ".join(words[:2])
    if answer.problem:
        return None, Fact(name="quota", value="not known", how=answer.problem)
    found = quota_of(answer.text)
    if found is None:
        return None, Fact(name="quota", value="none", how=how)
    used, most = found
    return max(0, most - used), Fact(name="quota", value=f"{of_bytes(used)} of {of_bytes(most)} used", how=how)


def _lustre(known: Storage, path: Path, limit: float) -> Storage:
    facts = list(known.facts)
    answer = ask(["lfs", "getstripe", "-d", "-y", str(path)], limit)
    if answer.problem:
        facts.append(Fact(name="stripes", value="not known", how=answer.problem))
        return Storage(known.directory, known.kind, has_files=known.has_files, facts=facts)
    layout = layout_of(answer.text)
    if layout.count is None:
        raise HeadraceError(
            f"`lfs getstripe -d -y {path}` says no stripe_count: {answer.text[:80] or 'nothing'}",
            "report what it prints: this project had no Lustre at hand; --site NAME without --dir does not ask",
        )
    progressive = f", the last of {layout.components} parts of a progressive layout" if layout.components > 1 else ""
    size = f" of {layout.bytes:,} bytes" if layout.bytes else ""
    facts.append(
        Fact(name="stripes", value=f"{layout.count}{size}{progressive}", how="lfs getstripe -d -y: of new files here")
    )
    targets = targets_of(ask(["lfs", "df", str(path)], limit).text)
    facts.append(Fact(name="storage targets", value=str(targets or "not known"), how="lfs df"))
    quota_left, fact = _quota(["lfs", "quota", "-q", "-u", getpass.getuser(), str(path)], limit)
    facts.append(fact)
    return Storage(
        known.directory,
        known.kind,
        layout.count,
        layout.bytes,
        targets or None,
        layout.components > 1,
        known.has_files,
        quota_left,
        facts,
    )
