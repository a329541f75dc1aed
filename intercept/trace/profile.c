/* The space of a profile: a reserved range of addresses, filled with blocks of a file that are allocated before they are mapped. */
#define _GNU_SOURCE
#include "profile.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../clock.h"
#include "../environment.h"
#include "../frames.h"
#include "../real_calls.h"
#include "../sandbox.h"

_Static_assert(sizeof(struct profile_header) <= profile_header_bytes, "the header is one page");
_Static_assert(sizeof(struct profile_block) == profile_block_header_bytes, "read by profile.py");
_Static_assert(sizeof(struct profile_line) == 240, "read by profile.py");

enum {
    most_blocks = 16384, /* 256 MiB */
    blocks_at_a_time = 8
};

struct profile_header *profile;
static size_t reserved_bytes; /* of addresses */
static char profile_path[1200];
static uint32_t blocks_mapped, blocks_reserved;
static int lock_word;
static struct profile_block *string_block;
enum { string_slots = 16384 };
static uint32_t *string_table; /* offsets of strings, by their hash */

int profile_try_lock(void)
{
    enum { spins = 20000, sleeps = 200 };
    static int was_in_vain; /* who holds it may have ended */
    static const struct timespec a_while = {.tv_nsec = 100000};
    if (this_thread.has_lock) return 0; /* a signal handler in the middle of it */
    for (int tries = 0; tries < spins + sleeps; ++tries) {
        this_thread.has_lock = 1; /* before: a signal may come in between */
        if (!__atomic_exchange_n(&lock_word, 1, __ATOMIC_ACQUIRE)) return 1;
        this_thread.has_lock = 0;
        if (tries % 64 == 63 && !system_calls_are_filtered) sched_yield();
        if (tries < spins) continue;
        /* On a busy machine its holder waits for a processor. */
        if (was_in_vain || system_calls_are_filtered) return 0;
        nanosleep(&a_while, NULL);
    }
    was_in_vain = 1;
    return 0;
}

void profile_unlock(void)
{
    __atomic_store_n(&lock_word, 0, __ATOMIC_RELEASE);
    this_thread.has_lock = 0;
}

static const char *first_variable(const char *const *names)
{
    for (; *names; ++names) {
        const char *value = getenv(*names);
        if (value && *value) return value;
    }
    return NULL;
}

static void describe_process(int forked)
{
    static const char *const rank_names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
                                             "MV2_COMM_WORLD_RANK",  "SLURM_PROCID", NULL};
    static const char *const size_names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_NTASKS", NULL};
    const char *rank = first_variable(rank_names), *size = first_variable(size_names);
    const char *launcher = getenv("HEADRACE_TRACE_LAUNCHER");
    profile->mpi_rank = rank ? atoi(rank) : -1;
    profile->mpi_size = size ? atoi(size) : -1;
    profile->launcher = launcher ? atoi(launcher) : 0;
    profile->process = getpid();
    profile->parent = getppid();
    profile->forked = (uint32_t)forked;
    profile->byte_order = 0x01020304u;
    profile->version = profile_version;
    profile->block_bytes = profile_block_bytes;
    gethostname(profile->host, sizeof profile->host - 1);
    ssize_t length = readlink("/proc/self/exe", profile->program, sizeof profile->program - 1);
    if (length > 0) profile->program[length] = '\0';
}

/* A file of a name that nobody has: the process number may come again after exec or on another node. */
static int create_file(const char *directory)
{
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    for (int again = 0; again < 1000; ++again) {
        int length = snprintf(profile_path, sizeof profile_path, "%s/%s.%d.%d.profile", directory, host, (int)getpid(), again);
        if (length >= (int)sizeof profile_path) return ENAMETOOLONG;
        int descriptor = real_open(profile_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (descriptor >= 0) real_close(descriptor);
        if (descriptor >= 0 || errno != EEXIST) return descriptor >= 0 ? 0 : errno;
    }
    return EEXIST;
}

/* Beyond the limit fallocate is a signal. */
static int is_beyond_limit(size_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur;
}

static int map_blocks(void)
{
    if (system_calls_are_filtered) return EPERM;
    size_t from = blocks_mapped ? profile_header_bytes + (size_t)blocks_mapped * profile_block_bytes : 0;
    size_t to = profile_header_bytes + (size_t)(blocks_mapped + blocks_at_a_time) * profile_block_bytes;
    if (blocks_mapped + blocks_at_a_time > blocks_reserved) return ENOSPC;
    if (is_beyond_limit(to)) return EFBIG;
    int tries = 100; /* of a timer that ticks often */
    /* No descriptor is kept: programs close those they do not know, and get their numbers for files of their own. */
    int descriptor = real_open(profile_path, O_RDWR | O_CLOEXEC, 0);
    if (descriptor < 0) return errno;
    int failed;
    do failed = posix_fallocate(descriptor, (off_t)from, (off_t)(to - from));
    while (failed == EINTR && tries-- > 0);
    if (!failed && mmap((char *)profile + from, to - from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor,
                        (off_t)from) == MAP_FAILED)
        failed = errno;
    real_close(descriptor);
    if (!failed) blocks_mapped += blocks_at_a_time;
    return failed;
}

/* Addresses for all blocks there may ever be; fewer if the program has a limit (ulimit -v), which is not for us. */
static void *reserve(void)
{
    enum { fewest_blocks = 64 };
    struct rlimit limit;
    size_t most = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur / 64 : SIZE_MAX;
    for (blocks_reserved = most_blocks; blocks_reserved >= fewest_blocks; blocks_reserved /= 2) {
        reserved_bytes = profile_header_bytes + (size_t)blocks_reserved * profile_block_bytes;
        if (reserved_bytes > most && blocks_reserved > fewest_blocks) continue;
        void *range = mmap(NULL, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range != MAP_FAILED) return range;
    }
    return MAP_FAILED;
}

int profile_create(int forked, char *why, size_t why_bytes)
{
    const char *directory = environment_directory();
    if (directory[0] != '/') {
        snprintf(why, why_bytes, "HEADRACE_TRACE_DIRECTORY is not the absolute name of a directory");
        return 0;
    }
    int failed = create_file(directory);
    if (failed) {
        snprintf(why, why_bytes, "cannot create a profile in %s: %s", directory, strerror(failed));
        return 0;
    }
    void *range = reserve();
    if (range == MAP_FAILED) {
        snprintf(why, why_bytes, "no addresses for a profile: %s", strerror(errno));
        unlink(profile_path);
        return 0;
    }
    profile = range;
    blocks_mapped = 0;
    string_block = NULL;
    failed = map_blocks();
    if (failed) {
        munmap(range, reserved_bytes);
        profile = NULL;
        snprintf(why, why_bytes, "no space for a profile in %s: %s", directory, strerror(failed));
        unlink(profile_path);
        return 0;
    }
    describe_process(forked);
    profile->ticks_first = profile->bin_begins = ticks_now();
    profile->nanoseconds_first = clock_nanoseconds(CLOCK_MONOTONIC);
    profile->epoch_nanoseconds = clock_nanoseconds(CLOCK_REALTIME);
    profile->bin_shift = 21; /* about 1 ms of a 2 GHz counter: 1,020 bins are a second */
    /* The rate of the counter, for who is killed before the next moment. */
    while (clock_nanoseconds(CLOCK_MONOTONIC) - profile->nanoseconds_first < 20000) {}
    profile_note_moment();
    memcpy(profile->magic, "hrtrace", 8); /* last: now it is one */
    return 1;
}

struct profile_header *profile_forget(void)
{
    struct profile_header *parents = profile;
    profile = NULL;
    string_block = NULL;
    if (string_table) memset(string_table, 0, string_slots * sizeof *string_table);
    lock_word = 0; /* another thread of the parent may have held it */
    return parents;
}

void profile_release(struct profile_header *parents)
{
    if (parents) munmap(parents, reserved_bytes);
}

struct profile_block *profile_new_block(enum profile_block_kind kind, uint32_t record_bytes, uint32_t thread)
{
    if (profile->blocks >= blocks_mapped && map_blocks()) {
        profile->blocks_refused++;
        return NULL;
    }
    struct profile_block *block = profile_place(profile_header_bytes + profile->blocks * (uint32_t)profile_block_bytes);
    block->record_bytes = record_bytes;
    block->thread = thread;
    __atomic_store_n(&block->kind, kind, __ATOMIC_RELEASE);
    profile->blocks++;
    return block;
}

void *profile_new_record(struct profile_block **block, enum profile_block_kind kind, uint32_t record_bytes, uint32_t thread)
{
    uint32_t capacity = (profile_block_bytes - profile_block_header_bytes) / record_bytes;
    if (!*block || (*block)->records >= capacity) {
        struct profile_block *next = profile_new_block(kind, record_bytes, thread);
        if (!next) return NULL;
        *block = next;
    }
    void *record = (char *)*block + profile_block_header_bytes + (size_t)(*block)->records * record_bytes;
    (*block)->records++;
    return record;
}

static uint32_t *string_slot(const char *text, size_t length)
{
    if (!string_table) {
        void *memory = mmap(NULL, string_slots * sizeof *string_table, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return NULL;
        string_table = memory;
    }
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < length; ++i) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    for (uint32_t i = 0; i < 64; ++i) {
        uint32_t *slot = &string_table[(hash + i) % string_slots];
        const char *known = *slot ? profile_place(*slot) : NULL;
        if (!known || (strncmp(known, text, length) == 0 && known[length] == '\0')) return slot;
    }
    return NULL;
}

uint32_t profile_string(const char *text, size_t length)
{
    enum { longest = 1023, room = profile_block_bytes - profile_block_header_bytes };
    if (!text) return 0;
    while (length && text[length - 1] == ' ') --length;
    if (!length) return 0;
    if (length > longest) length = longest;
    uint32_t *slot = string_slot(text, length);
    if (slot && *slot) return *slot;
    if (!string_block || string_block->records + length + 1 > room) {
        struct profile_block *next = profile_new_block(block_strings, 1, 0);
        if (!next) return 0;
        string_block = next;
    }
    char *place = (char *)string_block + profile_block_header_bytes + string_block->records;
    memcpy(place, text, length); /* what follows is zero */
    string_block->records += (uint32_t)length + 1;
    if (slot) *slot = profile_offset(place);
    return profile_offset(place);
}

/* By hand: scanf may not be called in signal handlers, which may call _exit. */
static uint64_t number_behind(const char *text, const char *word)
{
    const char *place = strstr(text, word);
    uint64_t number = 0;
    if (place)
        for (place += strlen(word); *place >= '0' && *place <= '9'; ++place) number = 10 * number + (uint64_t)(*place - '0');
    return number;
}

static void note_bytes_of_process(void)
{
    int saved = errno, descriptor = real_open("/proc/self/io", O_RDONLY | O_CLOEXEC, 0);
    if (descriptor >= 0) {
        char text[256];
        ssize_t length = real_read(descriptor, text, sizeof text - 1);
        real_close(descriptor);
        text[length > 0 ? length : 0] = '\0';
        if (length > 0) {
            profile->bytes_read_by_process = number_behind(text, "rchar: ");
            profile->bytes_written_by_process = number_behind(text, "wchar: ");
        }
    }
    errno = saved;
}

void profile_note_moment(void)
{
    profile->ticks_last = ticks_now();
    profile->nanoseconds_last = clock_nanoseconds(CLOCK_MONOTONIC);
    if (!system_calls_are_filtered) note_bytes_of_process();
}
