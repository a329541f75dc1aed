/* What families/libgfortran.c asks `headrace run`: whether it takes a statement over. In the library of `headrace trace` alone
 * every answer is no, and costs nothing.
 *
 * Read next: write.cpp (statements), unit.hpp (what waits for a unit), rows.hpp (values that are not formatted yet).
 */
#ifndef HEADRACE_RUN_H
#define HEADRACE_RUN_H

#include <stddef.h>
#include <stdint.h>

struct block_common;

enum { run_opened_to_write = 1, run_opened_to_read = 2 };

#ifdef HEADRACE_RUN

#ifdef __cplusplus
extern "C" {
#endif

/* 0 before the start, after the end, and if HEADRACE_RUN is not 1. */
extern int run_is_active;
/* Statements of our own in progress on this thread: nobody counts them, and nothing waits for them. */
extern __thread int run_own_statements __attribute__((tls_model("initial-exec")));

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
/* Another program may take its place. */
void run_executes(void);

/* Around a call of the run time that is no transfer: what it does to descriptors is its own, whoever stands between. */
static inline void run_time_begins(void) { ++run_own_statements; }
static inline void run_time_ends(void) { --run_own_statements; }

/* Formatted, list-directed or namelist: others are nothing to us. */
static inline int run_concerns(uint32_t flags) { return (flags & (1u << 7 | 1u << 12 | 1u << 15)) != 0; }

/* The statements in progress on this thread; frame.hpp has all of it. */
struct run_frames_head {
    int depth;
    const void *block;            /* of the outermost one */
    unsigned char first_is_taken; /* over: 0 if it is the run time's */
};
extern __thread char run_frames[] __attribute__((tls_model("initial-exec")));
static inline const struct run_frames_head *run_frames_here(void)
{
    return (const struct run_frames_head *)(const void *)run_frames;
}
static inline int run_is_inside(void) { return run_frames_here()->depth; }
/* Is an item maybe one of a statement that was taken over? */
static inline int run_has_items(void)
{
    return run_is_inside() && (run_is_inside() > 1 || run_frames_here()->first_is_taken);
}

/* The short way for statements like many before. 1: it was taken over; -1: it is the run time's, and nothing is left to do; 0: nothing
 * happened, take the long one. */
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
/* Somebody else writes to this descriptor, or closes it. */
void run_before_descriptor(int descriptor);

/* A descriptor was opened, maybe by the statement in progress. */
void run_descriptor_opened(int descriptor);
/* An OPEN begins; it was good: for which directions it asked for nothing out of the ordinary; an address in the object that it
 * stands in. */
void run_open_begins(void);
void run_unit_opened(int32_t unit, int directions, const void *caller);
void run_unit_closed(int32_t unit);
/* Another place, or another state: the next statement goes to the run time. */
void run_unit_moved(int32_t unit);
/* To its beginning. */
void run_unit_rewound(int32_t unit);
/* Its descriptor is known to the program. */
void run_unit_is_watched(int32_t unit);

#ifdef __cplusplus
}
#endif

#else

enum { run_is_active = 0, run_own_statements = 0 };
static inline int run_concerns(uint32_t flags) { return (void)flags, 0; }
static inline int run_is_inside(void) { return 0; }
static inline int run_has_items(void) { return 0; }
static inline void run_time_begins(void) {}
static inline void run_time_ends(void) {}
static inline void run_executes(void) {}
static inline void run_steps_aside(const char *why) { (void)why; }
static inline void run_objects_are_gone(void) {}
static inline void run_write_failed(void) {}
static inline void run_starts(void) {}
static inline void run_starts_again(void) {}
static inline void run_ends(void) {}
static inline int run_write_begins_again(struct block_common *block) { return (void)block, 0; }
static inline int run_write_ends_again(struct block_common *block) { return (void)block, 0; }
static inline int run_write_begins(struct block_common *block, const void *caller) { return (void)block, (void)caller, 0; }
static inline int run_write_ends(struct block_common *block) { return (void)block, 0; }
static inline void run_left_statement_ends(struct block_common *block) { (void)block; }
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
static inline void run_before_descriptor(int descriptor) { (void)descriptor; }
static inline void run_descriptor_opened(int descriptor) { (void)descriptor; }
static inline void run_open_begins(void) {}
static inline void run_unit_opened(int32_t unit, int directions, const void *caller) { (void)unit, (void)directions, (void)caller; }
static inline void run_unit_closed(int32_t unit) { (void)unit; }
static inline void run_unit_moved(int32_t unit) { (void)unit; }
static inline void run_unit_rewound(int32_t unit) { (void)unit; }

#endif
#endif
