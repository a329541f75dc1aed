/* The seam of intercept/: what a Fortran program does, without the ABI of its run time.
 *
 * A family (families/libgfortran.c, families/flang.c, ...: a file for each family of run times) turns the calls of its
 * run time into these events. A consumer hears events and never sees an ABI: trace/ counts them. Each shared object that is
 * built from this folder holds all families and one consumer, which defines the functions declared at the end.
 *
 * Read next: frames.h (statements in progress), families/libgfortran.c, trace/consumer.c.
 */
#ifndef HEADRACE_EVENTS_H
#define HEADRACE_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/* What a statement does. The numbers are in the profile (trace/profile.h): add at the end. */
enum statement_kind {
    statement_none,
    statement_write,
    statement_read,
    statement_open,
    statement_close,
    statement_inquire,
    statement_flush,
    statement_rewind,
    statement_backspace,
    statement_endfile,
    statement_wait,
    statement_iolength,
    statement_library_call, /* a call of an I/O library: MPI-IO, HDF5, NetCDF, PnetCDF */
    statement_run_time,     /* the run time's own work outside of statements: at the end, or asynchronous */
    statement_not_fortran   /* reads and writes of everybody else */
};

/* How it does it: a set of bits, also in the profile. */
enum statement_traits {
    trait_formatted = 1 << 0,
    trait_list_directed = 1 << 1,
    trait_namelist = 1 << 2,
    trait_unformatted = 1 << 3,
    trait_direct = 1 << 4,
    trait_positioned = 1 << 5, /* POS= */
    trait_internal = 1 << 6,   /* the file is a character variable */
    trait_non_advancing = 1 << 7,
    trait_asynchronous = 1 << 8,
    trait_child = 1 << 9,      /* a statement inside of the I/O list of another one */
    trait_collective = 1 << 10 /* a library's call that all MPI ranks make together */
};

/* The types of items, for consumers that convert them. */
enum item_type { item_integer, item_unsigned, item_logical, item_real, item_complex, item_character, item_derived };

enum statement_outcome { outcome_done, outcome_error, outcome_end_of_file, outcome_end_of_record };

/* Units that have no number. */
enum { unit_internal = INT32_MIN, unit_none = INT32_MIN + 1, unit_by_name = INT32_MIN + 2 };

/* What is known of a statement before it runs. Where it stands is `file` and `line` for Fortran's run times; `caller`, the
 * address they return to, tells its procedure, and is all there is of a library's call. */
struct statement {
    enum statement_kind kind;
    uint32_t traits;
    int32_t unit;
    int32_t line;
    const char *file; /* ends with NUL, stays valid; NULL: see `caller` and `name` */
    const char *name; /* of a library's function; NULL for a Fortran statement */
    const void *caller;
    const char *family; /* who passes it: a run time's or a library's name; a constant */
    const char *format; /* not terminated; NULL: none */
    size_t format_length;
};

/* What an OPEN asked for. Texts are not terminated and may have trailing blanks; NULL: not given. */
struct connection_request {
    const char *file, *access, *form, *action, *convert, *status, *position;
    size_t file_length, access_length, form_length, action_length, convert_length, status_length, position_length;
    int64_t record_length; /* RECL=; 0: not given */
};

struct frame; /* frames.h */

/* ---- what a consumer defines ---- */

/* The process begins, or is the child of a fork (`again`). */
void consumer_starts(int again);

/* `frame` was put on the thread's stack; the consumer keeps what it needs in it. */
void consumer_statement_begins(struct frame *frame, const struct statement *statement);
/* The same, of a statement whose frame had `line` in it when it was described. */
void consumer_statement_begins_again(struct frame *frame, void *line);
/* More is known of it now: ADVANCE=, REC= and the like come after the beginning from some run times. */
void consumer_statement_is(struct frame *frame, uint32_t traits, uint32_t not_these_traits);
void consumer_statement_ends(struct frame *frame, enum statement_outcome outcome);

/* An OPEN succeeded (frame: its statement), or a statement connected a unit by itself (request: NULL). `path` is what
 * the run time opened, or an empty text; `descriptor` is -1 if none was seen. */
void consumer_unit_connected(struct frame *frame, const struct statement *statement, int32_t unit,
                             const struct connection_request *request, const char *path, int descriptor);
/* A library's call opened a file. */
void consumer_file_opened(struct frame *frame, const char *path, int descriptor);
void consumer_unit_closed(int32_t unit);
void consumer_descriptor_closed(int descriptor);

/* A system call was made: by the statement in progress, by the run time outside of statements, or by others. */
enum system_call { system_write, system_read, system_seek, system_other };
enum system_caller { caller_statement, caller_run_time, caller_other };
void consumer_system_call(struct frame *frame, enum system_caller caller, enum system_call call, int descriptor, long bytes,
                          uint64_t ticks);

/* Something that a user must be told: it is in the report. printf-like. */
void consumer_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The process is about to execute a file that will not be traced. */
void consumer_program_left_out(const char *file, const char *why);

/* The calls to a static run time that were redirected, and those that were left alone because they did not pass the check. */
void consumer_redirected(uint32_t done, uint32_t refused);

/* The process ends: in good order, by _exit, or another program takes its place (still_here: that one could not start). */
enum process_ending { process_exits, process_exits_at_once, process_executes, process_still_here };
void consumer_ends(enum process_ending ending);

#endif
