/* What families/libgfortran.c asks `headrace run`: whether it takes a statement over. In the library of `headrace trace` alone
 * every answer is no, and costs nothing.
 *
 * Read next: write.cpp (statements), unit.hpp (what waits for a unit), rows.hpp (values that are not formatted yet).
 */
#ifndef HEADRACE_RUN_H
#define HEADRACE_RUN_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct block_common;

enum { run_opened_to_write = 1, run_opened_to_read = 2, run_opened_as_bytes = 4 };

#ifdef HEADRACE_RUN

#ifdef __cplusplus
extern "C" {
#endif

/* 0 before the start, after the end, and if HEADRACE_RUN is not 1. */
extern int run_active_flag;
#define run_is_active __atomic_load_n(&run_active_flag, __ATOMIC_RELAXED) /* threads may go on while the process ends */
/* Statements of our own in progress on this thread: nobody counts them, and nothing waits for them. */
extern __thread int run_own_statements __attribute__((tls_model("initial-exec")));
/* Of these, WRITE of what waited: its statements have begun before. */
extern __thread int run_hands_over __attribute__((tls_model("initial-exec")));

void run_starts(void);
/* In the child of a fork. */
void run_starts_again(void);
/* The process ends in good order, or at once. */
void run_ends(void);
/* From now on it may not make the system calls that it needs: seccomp. */
void run_steps_aside(const char *why);
/* A library was unloaded, maybe with its run time. */
void run_objects_are_gone(void);
/* A run time's write(2) failed: it tells the program of few of them. */
void run_write_failed(void);
/* It wrote so many bytes to standard output: counted if that was a regular file when the process began. */
extern int run_counts_output;
void run_wrote_to_output(long bytes);
/* Another program may take its place. */
void run_executes(void);

/* Around a call of the run time that is no transfer: what it does to descriptors is its own, whoever stands between. */
static inline void run_time_begins(void) { ++run_own_statements; }
static inline void run_time_ends(void) { --run_own_statements; }

/* Formatted, list-directed or namelist: others are nothing to us. */
static inline int run_concerns(uint32_t flags) { return (flags & (1u << 7 | 1u << 12 | 1u << 15)) != 0; }

extern __thread char run_frames[] __attribute__((tls_model("initial-exec")));

/* A value of statements whose values are kept. Behind the last one stands one of type `run_no_column`. */
enum {
    run_no_column = -1,
    run_mode_left = 0,
    run_mode_rows = 1,
    run_mode_bytes = 2,
    run_mode_gets_bytes = 3,
    run_real = 3,
    run_character = 6
};
struct run_column {
    int32_t type;
    int32_t kind;
    uint32_t bytes;
    uint32_t offset; /* in the row */
    uint32_t alike;  /* so many from here on are of the same type and size */
};

/* The beginning of `run_frames`: the outermost statement, as frame.hpp has it. */
struct run_outermost {
    int depth;
    const void *block;
    const struct run_column *column; /* of the next item */
    char *row;                       /* bytes: where the next ones go, or are */
    char *row_end;
    uint64_t values; /* bytes: so many came */
    uint8_t mode, has_finite_reals, is_swapped, is_settled, is_watched;
};

static inline struct run_outermost *run_outermost_here(void) { return (struct run_outermost *)(void *)run_frames; }
static inline int run_is_inside(void) { return run_outermost_here()->depth; }
/* Is an item maybe one of a statement that was taken over? */
static inline int run_has_items(void)
{
    if (!run_is_inside()) return 0;
    return run_is_inside() > 1 || run_outermost_here()->mode != run_mode_left || run_outermost_here()->is_watched;
}

/* A number of a statement whose bytes are kept (bytes/write.cpp), if it is of 4 or 8 bytes and there is room. */
static inline __attribute__((always_inline)) int run_keeps_number(struct run_outermost *one, const void *item, int kind)
{
    if (one->mode != run_mode_bytes || one->row_end - one->row < 8) return 0;
    if (kind == 8) {
        uint64_t bits;
        __builtin_memcpy(&bits, item, sizeof bits);
        if (one->is_swapped) bits = __builtin_bswap64(bits);
        __builtin_memcpy(one->row, &bits, sizeof bits);
    } else if (kind == 4) {
        uint32_t bits;
        __builtin_memcpy(&bits, item, sizeof bits);
        if (one->is_swapped) bits = __builtin_bswap32(bits);
        __builtin_memcpy(one->row, &bits, sizeof bits);
    } else {
        return 0;
    }
    one->row += kind;
    ++one->values;
    return 1;
}

/* The same of READ. */
static inline __attribute__((always_inline)) int run_gets_number(const void *block, void *item, int kind)
{
    struct run_outermost *const one = run_outermost_here();
    if (one->block != block || one->depth != 1 || one->mode != run_mode_gets_bytes || one->row_end - one->row < 8) return 0;
    if (kind == 8) {
        uint64_t bits;
        __builtin_memcpy(&bits, one->row, sizeof bits);
        if (one->is_swapped) bits = __builtin_bswap64(bits);
        __builtin_memcpy(item, &bits, sizeof bits);
    } else if (kind == 4) {
        uint32_t bits;
        __builtin_memcpy(&bits, one->row, sizeof bits);
        if (one->is_swapped) bits = __builtin_bswap32(bits);
        __builtin_memcpy(item, &bits, sizeof bits);
    } else {
        return 0;
    }
    one->row += kind;
    ++one->values;
    return 1;
}

/* The common case of run_puts_scalar: the value that the site has here each time, and nothing unusual about it. 0: nothing
 * happened. `type` is a constant, and no complex number. */
static inline __attribute__((always_inline)) int run_keeps_scalar(const void *block, const void *item, int type, int kind)
{
    struct run_outermost *const one = run_outermost_here();
    if (one->block != block || one->depth != 1) return 0;
    if (one->mode != run_mode_rows) return run_keeps_number(one, item, kind);
    const struct run_column *const column = one->column;
    if (column->type != type || column->kind != kind) return 0;
    char *const place = one->row + column->offset;
    if (kind == 8) {
        uint64_t bits;
        __builtin_memcpy(&bits, item, sizeof bits);
        /* The exponents of subnormal numbers, infinities and NaN; zero is as good as others. */
        if (type == run_real) {
            if ((bits << 1) - ((uint64_t)1 << 53) >= (uint64_t)0x7FE << 53 && bits << 1 != 0) return 0;
            one->has_finite_reals = 1;
        }
        __builtin_memcpy(place, &bits, sizeof bits);
    } else if (kind == 4) {
        uint32_t bits;
        __builtin_memcpy(&bits, item, sizeof bits);
        if (type == run_real) {
            if ((bits << 1) - ((uint32_t)1 << 24) >= (uint32_t)0xFE << 24 && bits << 1 != 0) return 0;
            one->has_finite_reals = 1;
        }
        __builtin_memcpy(place, &bits, sizeof bits);
    } else {
        return 0;
    }
    one->column = column + 1;
    return 1;
}

/* So many bytes by two copies of a constant size. */
#define RUN_COPY_BYTES(size)                                                                   \
    do {                                                                                       \
        __builtin_memcpy(place, item, size);                                                   \
        __builtin_memcpy(place + length - (size), (const char *)item + length - (size), size); \
    } while (0)

/* The same of run_puts_characters, for texts that are short. */
static inline __attribute__((always_inline)) int run_keeps_characters(const void *block, const void *item, int64_t length)
{
    struct run_outermost *const one = (struct run_outermost *)(void *)run_frames;
    if (one->block != block || one->depth != 1 || one->mode != run_mode_rows) return 0;
    const struct run_column *const column = one->column;
    if (column->type != run_character || (int64_t)column->bytes != length || length > 32 || length < 1) return 0;
    char *const place = one->row + column->offset;
    if (length >= 16) RUN_COPY_BYTES(16);
    else if (length >= 8) RUN_COPY_BYTES(8);
    else if (length >= 4) RUN_COPY_BYTES(4);
    else if (length >= 2) RUN_COPY_BYTES(2);
    else *place = *(const char *)item;
    one->column = column + 1;
    return 1;
}
#undef RUN_COPY_BYTES

/* The same of run_puts_array, for a vector that lies in one piece. */
int run_keeps_vector(const void *block, const void *descriptor, int kind);

/* The short way for statements like many before. 1: it was taken over; -1: it is the run time's, and nothing is left to do; 0:
 * nothing happened, take the long one. */
int run_write_begins_again(struct block_common *block);
int run_write_ends_again(struct block_common *block);
/* A statement begins. 1: it was taken over, the run time must not see it. `caller` is in the object that it stands in. */
int run_write_begins(struct block_common *block, const void *caller);
int run_write_ends(struct block_common *block);
/* A statement that was not taken over, or given back, has ended. */
void run_left_statement_ends(struct block_common *block);

/* An item of an output list. 1: taken over. */
int run_puts_scalar(struct block_common *block, const void *item, int type, int kind);
int run_puts_characters(struct block_common *block, const void *item, int64_t length);
int run_puts_array(struct block_common *block, const void *descriptor, int kind, int64_t length);
/* An item of another type comes: the run time goes on with the statement. */
void run_leaves_statement(struct block_common *block);

/* How many units are connected whose bytes may be kept: for unformatted stream access. */
extern int run_byte_units;
/* WRITE and READ without a format, when there are such units. 1: it was taken over. */
int run_write_begins_bytes(struct block_common *block, const void *caller);
int run_read_begins_bytes(struct block_common *block, const void *caller);
/* 1: it was taken over; -1: it is the run time's. */
int run_bytes_end(struct block_common *block);
/* A statement with REC= of the run time, on a unit of bytes. */
void run_record_ends(const struct block_common *block);

/* READ, as WRITE. */
int run_read_begins(struct block_common *block, const void *caller);
int run_read_ends(struct block_common *block);
int run_read_begins_again(struct block_common *block);
int run_read_ends_again(struct block_common *block);
void run_left_read_ends(struct block_common *block);
/* An item of an input list. 1: it has its value. */
int run_gets_scalar(struct block_common *block, void *item, int type, int kind);
int run_gets_characters(struct block_common *block, void *item, int64_t length);
int run_gets_array(struct block_common *block, const void *descriptor, int kind, int64_t length);
void run_leaves_read(struct block_common *block);

/* Statements in progress on this thread become the run time's. */
void run_gives_back_all(void);

/* What waits must be in the run time's hands before it, or anybody else, looks. */
void run_before_unit(int32_t unit);
void run_before_everything(void);
/* The same before INQUIRE, which waits for another thread that is handing this unit over. */
void run_before_inquiry(int32_t unit);
/* Somebody else writes to this descriptor, or closes it. */
void run_before_descriptor(int descriptor);

/* An OPEN or CLOSE begins: what its unit was it may not be afterwards. */
void run_unit_changes(int32_t unit);
/* A descriptor was opened, maybe by the statement in progress. */
void run_descriptor_opened(int descriptor, int flags);
/* Somebody has asked for its status. */
void run_descriptor_looked_at(int descriptor, const struct stat *status);
/* An OPEN begins; it was good: for which directions it asked for nothing out of the ordinary; its RECL=, or 0; an address in the
 * object that it stands in. */
void run_open_begins(void);
void run_unit_opened(int32_t unit, int directions, int64_t longest_record, const void *caller);
void run_unit_closed(int32_t unit);
/* Another place, or another state: the next statement goes to the run time. */
void run_unit_moved(int32_t unit);
/* To its beginning. */
/* Before REWIND or CLOSE: lines that are read ahead stay where they are, if the statement ends well. */
void run_before_rewind(int32_t unit);
void run_before_close(int32_t unit);
/* BACKSPACE in lines that are read ahead: 1 if it is done. */
int run_goes_back(const struct block_common *block);
void run_unit_rewound(int32_t unit);
/* Its descriptor is known to the program. */
void run_unit_is_watched(int32_t unit);

#ifdef __cplusplus
}
#endif

#else

enum { run_is_active = 0, run_own_statements = 0, run_byte_units = 0 };
static inline int run_concerns(uint32_t flags) { return (void)flags, 0; }
static inline int run_is_inside(void) { return 0; }
static inline int run_has_items(void) { return 0; }
static inline void run_time_begins(void) {}
static inline void run_time_ends(void) {}
static inline void run_executes(void) {}
static inline void run_steps_aside(const char *why) { (void)why; }
static inline void run_objects_are_gone(void) {}
static inline void run_write_failed(void) {}
enum { run_counts_output = 0 };
static inline void run_wrote_to_output(long bytes) { (void)bytes; }
static inline void run_starts(void) {}
static inline void run_starts_again(void) {}
static inline void run_ends(void) {}
static inline int run_write_begins_again(struct block_common *block) { return (void)block, 0; }
static inline int run_write_ends_again(struct block_common *block) { return (void)block, 0; }
static inline int run_write_begins(struct block_common *block, const void *caller) { return (void)block, (void)caller, 0; }
static inline int run_write_ends(struct block_common *block) { return (void)block, 0; }
static inline void run_left_statement_ends(struct block_common *block) { (void)block; }
static inline int run_keeps_scalar(const void *block, const void *item, int type, int kind)
{
    return (void)block, (void)item, (void)type, (void)kind, 0;
}
static inline int run_gets_number(const void *block, void *item, int kind) { return (void)block, (void)item, (void)kind, 0; }
static inline int run_keeps_characters(const void *block, const void *item, int64_t length)
{
    return (void)block, (void)item, (void)length, 0;
}
static inline int run_keeps_vector(const void *block, const void *descriptor, int kind)
{
    return (void)block, (void)descriptor, (void)kind, 0;
}
static inline int run_puts_scalar(struct block_common *block, const void *item, int type, int kind)
{
    return (void)block, (void)item, (void)type, (void)kind, 0;
}
static inline int run_puts_characters(struct block_common *block, const void *item, int64_t length)
{
    return (void)block, (void)item, (void)length, 0;
}
static inline int run_puts_array(struct block_common *block, const void *descriptor, int kind, int64_t length)
{
    return (void)block, (void)descriptor, (void)kind, (void)length, 0;
}
static inline void run_leaves_statement(struct block_common *block) { (void)block; }
static inline int run_write_begins_bytes(struct block_common *block, const void *caller) { return (void)block, (void)caller, 0; }
static inline int run_read_begins_bytes(struct block_common *block, const void *caller) { return (void)block, (void)caller, 0; }
static inline int run_bytes_end(struct block_common *block) { return (void)block, -1; }
static inline void run_record_ends(const struct block_common *block) { (void)block; }
static inline int run_read_begins(struct block_common *block, const void *caller) { return (void)block, (void)caller, 0; }
static inline int run_read_ends(struct block_common *block) { return (void)block, 0; }
static inline int run_read_begins_again(struct block_common *block) { return (void)block, 0; }
static inline int run_read_ends_again(struct block_common *block) { return (void)block, 0; }
static inline void run_left_read_ends(struct block_common *block) { (void)block; }
static inline int run_gets_scalar(struct block_common *block, void *item, int type, int kind)
{
    return (void)block, (void)item, (void)type, (void)kind, 0;
}
static inline int run_gets_characters(struct block_common *block, void *item, int64_t length)
{
    return (void)block, (void)item, (void)length, 0;
}
static inline int run_gets_array(struct block_common *block, const void *descriptor, int kind, int64_t length)
{
    return (void)block, (void)descriptor, (void)kind, (void)length, 0;
}
static inline void run_leaves_read(struct block_common *block) { (void)block; }
static inline void run_before_unit(int32_t unit) { (void)unit; }
static inline void run_before_everything(void) {}
static inline void run_before_inquiry(int32_t unit) { (void)unit; }
static inline void run_before_descriptor(int descriptor) { (void)descriptor; }
static inline void run_unit_changes(int32_t unit) { (void)unit; }
static inline void run_descriptor_opened(int descriptor, int flags) { (void)descriptor, (void)flags; }
static inline void run_open_begins(void) {}
static inline void run_unit_opened(int32_t unit, int directions, int64_t longest_record, const void *caller)
{
    (void)unit, (void)directions, (void)longest_record, (void)caller;
}
static inline void run_unit_closed(int32_t unit) { (void)unit; }
static inline void run_unit_moved(int32_t unit) { (void)unit; }
static inline void run_before_rewind(int32_t unit) { (void)unit; }
static inline void run_before_close(int32_t unit) { (void)unit; }
static inline int run_goes_back(const struct block_common *block) { return (void)block, 0; }
static inline void run_unit_rewound(int32_t unit) { (void)unit; }

#endif
#endif
