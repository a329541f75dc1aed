#define _GNU_SOURCE
#include "lines.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "../real_calls.h"
#include "../sandbox.h"

enum { recent_lines = 64, line_slots = 2 * profile_most_lines, lines_without_file = profile_most_lines / 4 };

/* Private memory of a thread that does I/O, kept when it ends and given to the next one. */
struct thread_lines {
    uint32_t *current; /* in the first block */
    struct thread_lines *next;
    uint32_t thread, lines;
    struct profile_block *first, *last;
    struct profile_line *recent[recent_lines]; /* by a weak hash: most statements are found here */
    struct profile_line *slots[line_slots];
};

/* The object of a calling address and the offset in it. One line may have thousands of records, each with a file of its own:
 * the loader looks through all symbols, so the last answer is kept. The caller holds the lock. */
static struct {
    const void *caller;
    uint32_t module;
    uint64_t offset;
} last_caller;

static struct thread_lines *free_tables;
static pthread_key_t thread_ends_key;
static int thread_ends_key_is_made;

_Static_assert(offsetof(struct thread_lines, current) == 0, "set_current_line knows this much");

static struct thread_lines *my_lines(void) { return this_thread.consumer; }

/* pthread's destructor of a thread: the next thread goes on with the table. */
static void give_back(void *table)
{
    struct thread_lines *lines = table;
    this_thread.consumer = NULL;
    if (!profile_try_lock()) return; /* lost, never wrong */
    *lines->current = 0;             /* a thread that was cancelled inside of a statement */
    lines->next = free_tables;
    free_tables = lines;
    profile_unlock();
}

void lines_start(void)
{
    if (!thread_ends_key_is_made) thread_ends_key_is_made = pthread_key_create(&thread_ends_key, give_back) == 0;
}

void lines_forget(void)
{
    last_caller.caller = NULL; /* its text is in the parent's profile */
    free_tables = NULL;        /* of the parent's threads; their memory is shared with it until somebody writes */
    this_thread.consumer = NULL;
}

static struct thread_lines *new_thread(void)
{
    struct thread_lines *lines = NULL;
    if (system_calls_are_filtered || !profile_try_lock()) return NULL;
    if (free_tables) {
        lines = free_tables;
        free_tables = lines->next;
    } else {
        void *memory = mmap(NULL, sizeof *lines, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory != MAP_FAILED) {
            lines = memory;
            lines->thread = profile->threads++;
            lines->first = profile_new_block(block_lines, sizeof(struct profile_line), lines->thread);
            lines->last = lines->first;
            if (lines->first) lines->current = &lines->first->current;
        }
        if (!lines || !lines->first) profile->threads_left_out++;
        if (lines && !lines->first) lines = NULL;
    }
    profile_unlock();
    this_thread.consumer = lines;
    if (lines && thread_ends_key_is_made) pthread_setspecific(thread_ends_key, lines);
    return lines;
}

static uint64_t mix(uint64_t value)
{
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdu; /* of MurmurHash3's finalizer */
    return value ^ value >> 29;
}

static uint64_t key_of(const struct statement *statement)
{
    uint64_t generation = (uint64_t)objects_changed << 48;
    if (LIKELY(statement->file != NULL)) return (uint64_t)(uintptr_t)statement->file ^ generation;
    /* one place may call several functions: NetCDF's is that of the HDF5 below it too */
    return (generation ^ (uint64_t)(uintptr_t)statement->caller) + (uint64_t)(uintptr_t)statement->name * 0x9e3779b97f4a7c15u;
}

/* Statements whose record does not depend on a file: it has the first one that they touched. */
static inline int has_many_files(uint32_t kind) { return kind == statement_open || kind == statement_library_call; }

static inline int is_same(const struct profile_line *line, const struct statement *statement, uint64_t key, uint32_t connection)
{
    return line->key == key && line->line == statement->line && line->kind == statement->kind &&
           (has_many_files(statement->kind) || (line->connection == connection && line->unit == statement->unit));
}

static void note_caller(struct profile_line *line, const void *caller)
{
    if (caller != last_caller.caller) {
        const char *path;
        uintptr_t begins = (uintptr_t)object_at(caller, &path);
        if (!begins || !path) return;
        last_caller.module = profile_string(path, strlen(path));
        last_caller.offset = (uint64_t)((uintptr_t)caller - begins);
        last_caller.caller = caller;
    }
    line->module = last_caller.module;
    line->caller = last_caller.offset;
}

static struct profile_line *fill(struct profile_line *line, const struct statement *statement, uint64_t key, uint32_t connection)
{
    if (statement->file) line->file = profile_string(statement->file, strlen(statement->file));
    if (statement->name) line->name = profile_string(statement->name, strlen(statement->name));
    if (statement->format) line->format = profile_string(statement->format, statement->format_length);
    if (statement->caller) note_caller(line, statement->caller);
    line->key = key;
    line->line = statement->line;
    line->unit = statement->unit;
    line->kind = (uint16_t)statement->kind;
    line->traits = statement->traits;
    line->connection = has_many_files(line->kind) ? 0 : connection;
    line->payload_smallest = UINT64_MAX;
    line->first = ticks_now();
    return line;
}

/* The caller holds the lock. */
static void note_family(const char *family)
{
    size_t length = family ? strlen(family) : 0, used = strlen(profile->families);
    if (!length || used + length + 2 > sizeof profile->families) return;
    for (const char *known = profile->families; *known; known = strchr(known, ' ') + 1)
        if (strncmp(known, family, length) == 0 && known[length] == ' ') return;
    memcpy(profile->families + used, family, length);
    memcpy(profile->families + used + length, " ", 2);
}

static __attribute__((noinline, cold)) struct profile_line *search(struct thread_lines *lines, const struct statement *statement,
                                                                   uint64_t key, uint32_t connection, uint64_t hash)
{
    struct profile_line **slot = NULL;
    int saved = errno;
    for (uint64_t i = 0; i < line_slots; ++i) {
        slot = &lines->slots[(hash + i) % line_slots];
        if (!*slot) break;
        if (is_same(*slot, statement, key, connection)) return *slot;
    }
    struct profile_line *line = NULL;
    uint32_t most = connection ? profile_most_lines - lines_without_file : profile_most_lines;
    if (lines->lines < most && profile_try_lock()) {
        line = profile_new_record(&lines->last, block_lines, sizeof *line, lines->thread);
        if (line) {
            *slot = fill(line, statement, key, connection);
            note_family(statement->family);
            lines->lines++;
        }
        profile_unlock();
    }
    if (!line && !connection) __atomic_add_fetch(&profile->lines_left_out, 1, __ATOMIC_RELAXED);
    errno = saved;
    return line;
}

struct profile_line *find_line(const struct statement *statement, uint32_t connection)
{
    struct thread_lines *lines = my_lines();
    if (UNLIKELY(!lines) && !(lines = new_thread())) return NULL;
    uint64_t key = key_of(statement);
    uint64_t hash = mix(key + (uint64_t)(uint32_t)statement->line * 0x9e3779b97f4a7c15u + connection * 31u +
                        (uint64_t)statement->kind + ((uint64_t)(uint32_t)statement->unit << 32));
    struct profile_line **recent = &lines->recent[hash % recent_lines];
    if (LIKELY(*recent && is_same(*recent, statement, key, connection))) return *recent;
    struct profile_line *line = search(lines, statement, key, connection, hash / recent_lines);
    if (line) *recent = line;
    if (UNLIKELY(!line) && connection) { /* one line, thousands of files: the rest of them together */
        struct statement any_file = *statement;
        any_file.unit = unit_none;
        return find_line(&any_file, 0);
    }
    return line;
}
