/* The profile of one process: a file that is mapped and shared, so that it survives whatever ends the process.
 *
 * A header of one page, then blocks of 16 KiB. A block holds records of one kind: lines of one thread, connections, strings, or
 * the time line of one source line. References are byte offsets from the start of the file; 0 is none. Numbers are in the
 * byte order of the machine (`byte_order`). The space of a block is allocated before it is mapped: a full disk is an error
 * here, never a SIGBUS in the program. python/headrace/trace/profile.py reads it: change both, and the version.
 */
#ifndef HEADRACE_PROFILE_H
#define HEADRACE_PROFILE_H

#include <stddef.h>
#include <stdint.h>

enum {
    profile_version = 1,
    profile_header_bytes = 4096,
    profile_block_bytes = 16384,
    profile_block_header_bytes = 64,
    profile_time_bins = (profile_block_bytes - profile_block_header_bytes) / 16, /* 1020: at least 510 are in use */
    profile_most_lines = 4096,                                                   /* of a thread */
    profile_most_connections = 4096
};

enum profile_block_kind { block_free, block_lines, block_connections, block_strings, block_time_line };

enum profile_ending { ending_none, ending_in_order, ending_at_once, ending_by_exec };

struct profile_header {
    char magic[8];       /* "hrtrace" */
    uint32_t byte_order; /* 0x01020304 */
    uint32_t version;
    uint32_t block_bytes, blocks; /* blocks: how many are in use */
    int32_t process, parent, launcher;
    int32_t mpi_rank, mpi_size; /* -1: not known */
    uint32_t threads;
    uint32_t ending;                  /* enum profile_ending; none: killed, aborted, or still running */
    uint32_t forked;                  /* 1: the child of a fork */
    uint64_t ticks_first, ticks_last; /* two moments in ticks and in nanoseconds (CLOCK_MONOTONIC) */
    uint64_t nanoseconds_first, nanoseconds_last;
    uint64_t epoch_nanoseconds;   /* the first moment, since 1970 */
    uint64_t bin_begins;          /* ticks of the first time bin */
    uint32_t bin_shift;           /* a bin is 2**bin_shift ticks wide */
    uint32_t bin_doublings_begun; /* differs from ..._done if the process died while bins were doubled */
    uint32_t bin_doublings_done;
    uint32_t redirected_calls; /* of a static run time */
    uint32_t refused_calls;    /* that did not pass the check of instruction lengths */
    uint32_t unused;
    uint64_t lines_left_out, connections_left_out, blocks_refused, threads_left_out, frames_too_deep;
    uint64_t bytes_read_by_process, bytes_written_by_process; /* /proc/self/io, of the last moment */
    char families[128];                                       /* the run times that were met, each ends with a blank */
    char host[64];
    char program[1024];
    char note[1024]; /* lines that end with \n */
};

struct profile_block {      /* the first 64 bytes of a block */
    uint32_t kind, records; /* strings: bytes in use */
    uint32_t record_bytes, thread;
    uint32_t current;                           /* lines: the statement in progress of this thread (its first block has it) */
    uint32_t line_file, line_number, line_kind; /* time line: whose it is */
    uint32_t line_name;
    uint32_t unused[7];
};

struct profile_line {                    /* one source line (or calling place) and one file it went to, of one thread */
    uint32_t file, name, format, module; /* strings: source file; library function; format; object of the caller */
    uint64_t caller;                     /* offset of the return address in the object */
    uint64_t key;                        /* address of the file's name or of the caller: of this process only */
    int32_t line, unit;
    uint16_t kind, unused;
    uint32_t traits;
    uint32_t connection, time_line; /* offsets of the connection and of the time line's block */
    uint64_t statements, items, elements, payload_bytes, payload_smallest, payload_largest;
    uint64_t ticks, nested_ticks, longest_ticks, system_ticks;
    uint64_t writes, reads, seeks, other_calls, bytes_written, bytes_read;
    uint64_t errors, ends;                                /* of file or record */
    uint64_t first, last;                                 /* ticks */
    uint64_t pending_since, pending_ticks, pending_bytes; /* not yet in the time line */
};

enum profile_file_kind { file_unknown, file_regular, file_terminal, file_pipe, file_other };

struct profile_connection { /* one file that one OPEN (or a first use) connected */
    uint32_t opened_in, path, access, form, action, convert, status, position; /* strings */
    int32_t opened_line, unit;
    uint32_t kind, unused; /* enum profile_file_kind */
    int64_t record_length;
    uint64_t opens, closes, writes, reads, seeks, bytes_written, bytes_read;
};

struct profile_bin {
    uint64_t ticks, bytes;
};

/* The mapped profile; NULL before the first event, and for ever if none could be made. */
extern struct profile_header *profile;

/* Makes the profile of this process; 0 if that is impossible (then *why says why). */
int profile_create(int forked, char *why, size_t why_bytes);

/* After a fork: the parent's profile is not ours any more. It can still be read, at the address that is returned,
 * until profile_release. */
struct profile_header *profile_forget(void);
void profile_release(struct profile_header *parents);

/* A new block, zeroed, or NULL if there is no space. The caller holds the lock. */
struct profile_block *profile_new_block(enum profile_block_kind kind, uint32_t record_bytes, uint32_t thread);

/* Room for one more record in the last block of a kind, `*block`; NULL if there is no space. The caller holds the lock. */
void *profile_new_record(struct profile_block **block, enum profile_block_kind kind, uint32_t record_bytes, uint32_t thread);

/* The offset of a text without its trailing blanks; the same text gives the same offset. The caller holds the lock. */
uint32_t profile_string(const char *text, size_t length);

static inline uint32_t profile_offset(const void *place) { return (uint32_t)((const char *)place - (const char *)profile); }

static inline void *profile_place(uint32_t offset) { return (char *)profile + offset; }

/* One lock for all that is rare: new lines, connections, strings, time bins. profile_try_lock is for signal handlers' sake
 * bounded: it gives up and returns 0 instead of waiting for ever. */
int profile_try_lock(void);
void profile_unlock(void);

/* Notes the time and what the process has read and written. */
void profile_note_moment(void);

#endif
