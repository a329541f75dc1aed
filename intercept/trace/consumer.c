/* headrace trace: counts and times what the events say, in the profile. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "../processes.h"
#include "../real_calls.h"
#include "../sandbox.h"
#include "connections.h"
#include "lines.h"
#include "time_line.h"

static struct profile_header *parents_profile;
static int is_child, has_failed;
static char kept_note[1024];                     /* said before there was a profile */
static uint32_t redirected_calls, refused_calls; /* if all are refused, the user must learn why no statement was seen */

/* Reads and writes of a process that is not known to be Fortran: only if there are many, it gets a profile. */
static uint64_t others_bytes;
static const uint64_t others_bytes_worth_a_profile = 1 << 20;
static int is_launched; /* by headrace itself: always gets one */

/* What reading the clock at both ends adds to each statement. The least of some means: one may be interrupted. */
static uint64_t clock_ticks;

static uint64_t measure_clock(void)
{
    enum { means = 4, readings = 64 };
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < means; ++i) {
        const uint64_t begun = ticks_now();
        for (int k = 1; k < readings; ++k) ticks_now();
        const uint64_t mean = (ticks_now() - begun) / readings;
        if (mean < least) least = mean;
    }
    return least;
}

static void add_note(char *note, const char *text)
{
    size_t used = strlen(note), length = strlen(text);
    if (strstr(note, text) || used + length + 1 >= sizeof kept_note) return;
    memcpy(note + used, text, length + 1);
}

void consumer_note(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text - 2, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    strcat(text, "\n");
    add_note(profile ? profile->note : kept_note, text);
}

void consumer_redirected(uint32_t done, uint32_t refused)
{
    redirected_calls += done;
    refused_calls += refused;
    if (!profile) return; /* make_profile has them */
    profile->redirected_calls = redirected_calls;
    profile->refused_calls = refused_calls;
}

/* Where standard error went at the start: a daemon may have a file of data at this number. */
static struct stat first_errors;

static __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
    char text[1700] = "headrace trace: ";
    struct stat errors;
    va_list arguments;
    if (fstat(2, &errors) || errors.st_dev != first_errors.st_dev || errors.st_ino != first_errors.st_ino) return;
    va_start(arguments, format);
    size_t begun = strlen(text);
    int length = vsnprintf(text + begun, sizeof text - begun, format, arguments);
    va_end(arguments);
    if (length > 0) real_write(2, text, begun + (size_t)length < sizeof text ? begun + (size_t)length : sizeof text - 1);
}

static void say_untraced(const char *why) { say("process %d runs untraced: %s\n", (int)getpid(), why); }

void consumer_program_left_out(const char *file, const char *why) { say("%s is not traced: %s\n", file, why); }

/* The profile is made at the first event: launchers and shells leave none. */
static __attribute__((noinline, cold)) int make_profile(void)
{
    char why[1400];
    if (has_failed || !intercept_active || system_calls_are_filtered) return 0;
    if (!is_our_process() || !profile_try_lock()) return 0; /* a child of vfork is in our memory */
    int saved = errno;
    int made = profile || profile_create(is_child, why, sizeof why);
    if (!made) has_failed = 1;
    profile_unlock();
    if (!made) {
        /* Once for the whole job would be better, but ranks do not know of each other. */
        say_untraced(why);
        errno = saved;
        return 0;
    }
    profile->redirected_calls = redirected_calls;
    profile->refused_calls = refused_calls;
    lines_start();
    clock_ticks = measure_clock();
    if (parents_profile) {
        connections_inherit(parents_profile);
        profile_release(parents_profile);
        parents_profile = NULL;
    }
    if (*kept_note) add_note(profile->note, kept_note);
    errno = saved;
    return 1;
}

void consumer_starts(int again)
{
    if (!again) {
        const char *launcher = getenv("HEADRACE_TRACE_LAUNCHER");
        if (fstat(2, &first_errors)) first_errors = (struct stat){0};
        is_launched = launcher && atoi(launcher) == (int)getppid();
        return;
    }
    is_child = 1;
    is_launched = has_failed = 0;
    others_bytes = 0;
    lines_forget();
    time_line_forget();
    parents_profile = profile_forget();
}

void consumer_statement_begins(struct frame *frame, const struct statement *statement)
{
    frame->line = NULL;
    if (UNLIKELY(!profile) && !make_profile()) return;
    int has_connection = statement->kind <= statement_wait && statement->kind != statement_open && statement->unit > unit_by_name;
    struct profile_line *line = find_line(statement, has_connection ? connection_of_unit(statement->unit) : 0);
    frame->line = line;
    if (UNLIKELY(!line)) return;
    line->traits |= statement->traits;
    set_current_line(line);
    frame->begun = ticks_now();
}

void consumer_statement_begins_again(struct frame *frame, void *line)
{
    frame->line = line;
    set_current_line(line);
    frame->begun = ticks_now();
}

void consumer_statement_is(struct frame *frame, uint32_t traits, uint32_t not_these_traits)
{
    struct profile_line *line = frame->line;
    if (line) line->traits = (line->traits | traits) & ~not_these_traits;
}

static struct frame *outer_frame(void) { return current_frame(); } /* the ended one has left the stack */

/* About each second, and sooner in the first one: a process that is killed leaves the rate of its counter too. */
static inline int is_time_to_note(uint64_t now)
{
    uint64_t since = now - profile->ticks_last;
    return since >> 31 || since > profile->ticks_last - profile->ticks_first + (1 << 20);
}

void consumer_statement_ends(struct frame *frame, enum statement_outcome outcome)
{
    struct profile_line *line = frame->line;
    struct frame *outer = outer_frame();
    if (UNLIKELY(!line) || UNLIKELY(!profile)) return;
    uint64_t now = ticks_now(), ticks = now - frame->begun;
    ticks = ticks > clock_ticks ? ticks - clock_ticks : 0;
    line->statements++;
    line->items += frame->items;
    line->elements += frame->elements;
    line->payload_bytes += frame->bytes;
    line->ticks += ticks;
    line->nested_ticks += frame->nested;
    line->last = now;
    if (ticks > line->longest_ticks) line->longest_ticks = ticks;
    if (frame->bytes > line->payload_largest) line->payload_largest = frame->bytes;
    if (frame->bytes < line->payload_smallest) line->payload_smallest = frame->bytes;
    if (UNLIKELY(outcome != outcome_done)) {
        if (outcome == outcome_error) line->errors++;
        else line->ends++;
    }
    if (UNLIKELY(outer != NULL)) {
        outer->nested += ticks;
        if (outer->line) line->traits |= trait_child;
        set_current_line(outer->line);
    } else {
        set_current_line(NULL);
    }
    time_line_add(line, now, ticks - frame->nested, frame->bytes);
    if (UNLIKELY(is_time_to_note(now))) profile_note_moment();
}

void consumer_unit_connected(struct frame *frame, const struct statement *statement, int32_t unit,
                             const struct connection_request *request, const char *path, int descriptor)
{
    if (UNLIKELY(!profile)) return;
    uint32_t connection = connect_unit(statement, unit, request, path, descriptor);
    struct profile_line *line = frame ? frame->line : NULL;
    if (line && !request) { /* a first WRITE(99,...): its own record is the one with the file */
        struct profile_line *with_file = find_line(statement, connection);
        if (with_file) frame->line = with_file;
    } else if (line && !line->connection) {
        line->connection = connection; /* the first file of an OPEN line; connections know the others */
    }
}

void consumer_file_opened(struct frame *frame, const char *path, int descriptor)
{
    static const struct statement nobody = {.unit = unit_none};
    struct profile_line *line = frame->line;
    if (!line || !profile) return;
    uint32_t connection = connect_unit(&nobody, unit_none, NULL, path, descriptor);
    if (!line->connection) line->connection = connection;
}

void consumer_unit_closed(int32_t unit)
{
    if (profile) close_unit(unit);
}

void consumer_descriptor_closed(int descriptor)
{
    if (profile) forget_descriptor(descriptor);
}

static struct profile_line *line_outside(enum system_caller caller, int descriptor)
{
    static const char at_the_end[] = "(the run time, outside of statements)", not_fortran[] = "(not Fortran)";
    int is_run_time = caller == caller_run_time;
    struct statement statement = {.kind = is_run_time ? statement_run_time : statement_not_fortran,
                                  .unit = unit_none,
                                  .file = is_run_time ? at_the_end : not_fortran};
    return find_line(&statement, connection_of_descriptor(descriptor));
}

static int has_profile_for_others(long bytes)
{
    if (LIKELY(profile != NULL)) return 1;
    if (bytes > 0) __atomic_add_fetch(&others_bytes, (uint64_t)bytes, __ATOMIC_RELAXED);
    return (is_launched || (refused_calls && !redirected_calls) || others_bytes >= others_bytes_worth_a_profile) && make_profile();
}

void consumer_system_call(struct frame *frame, enum system_caller caller, enum system_call call, int descriptor, long bytes,
                          uint64_t ticks)
{
    struct profile_line *line = frame ? frame->line : NULL;
    if (!line) {
        if (!has_profile_for_others(bytes)) return;
        line = line_outside(caller, descriptor);
        if (!line) return;
        line->statements++;
        line->ticks += ticks;
        line->last = ticks_now();
        time_line_add(line, line->last, ticks, bytes > 0 ? (uint64_t)bytes : 0);
    }
    uint64_t moved = bytes > 0 ? (uint64_t)bytes : 0;
    uint32_t offset = connection_of_descriptor(descriptor);
    struct profile_connection *connection = offset ? profile_place(offset) : NULL;
    line->system_ticks += ticks;
    if (line->kind == statement_library_call && !line->connection) line->connection = offset; /* its first file */
    switch (call) {
    case system_write:
        line->writes++;
        line->bytes_written += moved;
        if (connection) {
            __atomic_add_fetch(&connection->writes, 1, __ATOMIC_RELAXED);
            __atomic_add_fetch(&connection->bytes_written, moved, __ATOMIC_RELAXED);
        }
        break;
    case system_read:
        line->reads++;
        line->bytes_read += moved;
        if (connection) {
            __atomic_add_fetch(&connection->reads, 1, __ATOMIC_RELAXED);
            __atomic_add_fetch(&connection->bytes_read, moved, __ATOMIC_RELAXED);
        }
        break;
    case system_seek:
        line->seeks++;
        if (connection) __atomic_add_fetch(&connection->seeks, 1, __ATOMIC_RELAXED);
        break;
    case system_other: line->other_calls++; break;
    }
}

void consumer_ends(enum process_ending ending)
{
    static const enum profile_ending endings[] = {[process_exits] = ending_in_order,
                                                  [process_exits_at_once] = ending_at_once,
                                                  [process_executes] = ending_by_exec,
                                                  [process_still_here] = ending_none};
    if (!profile) return;
    if (ending == process_exits_at_once && profile->ending == ending_in_order) return; /* exit() itself, seen if it is linked in */
    if (ending != process_still_here) profile_note_moment();
    profile->ending = endings[ending];
}
