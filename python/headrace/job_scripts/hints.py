"""Hints for MPI-IO as scripts write them: MPICH_MPIIO_HINTS, PNETCDF_HINTS and files for ROMIO_HINTS."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


class KnownHint(Protocol):
    """A row of the library's table of hints."""

    @property
    def name(self) -> str: ...
    @property
    def words(self) -> tuple[str, ...]:
        """That its value may be; empty: anything."""

    @property
    def least(self) -> int | None: ...
    @property
    def most(self) -> int | None: ...
    @property
    def takers(self) -> frozenset[str]:
        """Who looks it up: ompio, romio, cray, headrace, pnetcdf."""

    def means(self, value: str) -> bool:
        """Whether a taker can make sense of the value."""


def names(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


# Names that libraries look up, and of which no value is judged: sources of ROMIO and its drivers in MPICH; manual of
# Cray's intro_mpi; documentation of PnetCDF; keys that MPI 4.0 reserves (section 14.2.8).
NOT_JUDGED = names(
    """
    romio_aggregator_list romio_cb_alltoall romio_cb_ds_threshold romio_cb_fr_alignment romio_cb_fr_type
    romio_cb_fr_types romio_cb_pfr romio_filesystem_type romio_min_fdomain_size romio_synchronized_flush
    romio_visibility_immediate romio_lustre_start_iodevice romio_lustre_co_ratio romio_lustre_coll_threshold
    romio_lustre_ds_in_coll romio_lustre_cb_lock_ahead_write romio_lustre_cb_lock_ahead_read
    romio_lustre_cb_lock_ahead_num_extents romio_lustre_cb_lock_ahead_flags romio_daos_obj_class romio_daos_chunk_size
    romio_pvfs2_debugmask romio_pvfs2_posix_write romio_pvfs2_posix_read romio_pvfs2_listio_write
    romio_pvfs2_listio_read romio_pvfs2_dtype_write romio_pvfs2_dtype_read romio_pvfs2_distribution_name
    panfs_concurrent_write panfs_layout_type panfs_layout_total_num_comps panfs_layout_stripe_unit
    panfs_layout_visit_policy panfs_layout_parity_stripe_width panfs_layout_parity_stripe_depth
    panfs_layout_max_faults panfs_layout_encoding direct_read direct_write IBM_largeblock_io
    overstriping_factor abort_on_rw_error
    access_style cb_block_size chunked chunked_item chunked_size filename file_perm io_node_list nb_proc num_io_nodes
    e10_cache e10_cache_path e10_cache_flush_flag e10_cache_discard_flag e10_cache_threads
    nc_header_align_size nc_var_align_size nc_header_read_chunk_size nc_record_align_size nc_in_place_swap nc_burst_buf
    nc_burst_buf_dirname nc_burst_buf_overwrite nc_burst_buf_del_on_close nc_burst_buf_flush_buffer_size nc_ibuf_size
    nc_num_aggrs_per_node nc_hash_size_dim nc_hash_size_var nc_hash_size_gattr nc_hash_size_vattr
    pnetcdf_subfiling nc_num_subfiles nc_pncio
    """
)


@dataclass(frozen=True)
class Hint:
    """One hint of a script."""

    line: int
    name: str
    value: str


@dataclass(frozen=True)
class Malformed:
    """A part that its reader drops."""

    line: int
    text: str
    expected: str


def of_cray(text: str, line: int) -> Iterator[Hint | Malformed]:
    """pattern:name=value:name=value,pattern:name=value."""
    for part in text.split(","):
        pattern, colon, rest = part.strip().partition(":")
        if not part.strip():
            continue
        if not colon or "=" in pattern:
            yield Malformed(line, part.strip(), f"*:{part.strip()}, since a pattern of file names comes first")
            continue
        pieces: list[str] = []
        for piece in rest.split(":"):  # cb_config_list=*:1 has a colon of its own
            if "=" in piece or not pieces:
                pieces.append(piece)
            else:
                pieces[-1] += f":{piece}"
        for piece in pieces:
            name, equals, value = piece.partition("=")
            if equals:
                yield Hint(line, name.strip(), value.strip())
            else:
                yield Malformed(line, piece, "name=value")


def of_pnetcdf(text: str, line: int) -> Iterator[Hint | Malformed]:
    """name=value;name=value."""
    for part in text.split(";"):
        name, equals, value = part.strip().partition("=")
        if equals:
            yield Hint(line, name.strip(), value.strip())
        elif part.strip():
            yield Malformed(line, part.strip(), "name=value;name=value")


def of_file(text: str, first: int = 1) -> Iterator[Hint | Malformed]:
    """A file for ROMIO_HINTS: a name and a value on a line, with blanks between."""
    for line, content in enumerate(text.splitlines(), first):
        words = content.split()
        if not words or content.startswith("#"):
            continue
        if len(words) == 2 and words[1] != "=" and not words[0].endswith("="):
            yield Hint(line, words[0], words[1])
            continue
        match = re.fullmatch(r"\s*(\w+)\s*[=:]\s*(\S+)\s*", content)
        better = f"{match.group(1)} {match.group(2)}" if match else "a name, a blank, a value without blanks"
        yield Malformed(line, content.strip(), better)
