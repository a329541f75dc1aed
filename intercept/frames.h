/* Statements in progress, a stack for each thread: an I/O list may call functions that do I/O themselves. */
#ifndef HEADRACE_FRAMES_H
#define HEADRACE_FRAMES_H

#include "clock.h"
#include "events.h"

enum { frames_deepest = 16 };

struct frame {
    void *line;                     /* the consumer's record of the statement */
    uint64_t begun;                 /* ticks */
    uint64_t nested;                /* ticks of the statements inside */
    uint64_t items, elements, bytes;
    int inside_item;                /* libgfortran's transfer functions call each other through the PLT */
    int has_children;               /* statements began inside of its I/O list */
    const void *cookie;             /* what the run time calls the statement, if it gives it a name */
    void *kept;                     /* what the family must know at the end, if anything */
};

struct thread_state {
    int depth;
    int inside_system_call;         /* of a wrapper: wrappers called by wrapped functions count nothing */
    int opened_descriptor;          /* by the statement in progress; -1: none */
    void *consumer;                 /* the consumer's state of this thread */
    uint64_t namelist_items, namelist_elements, namelist_bytes; /* gfortran registers them before the statement begins */
    struct frame frames[frames_deepest];
    char opened_path[1024];
};

extern __thread struct thread_state this_thread __attribute__((tls_model("initial-exec")));

/* 0 before the start and after a failure: then every wrapper only calls the real function. */
extern int intercept_active;

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define EXPORTED __attribute__((visibility("default")))

/* The innermost statement; NULL outside of statements and deeper than the stack. */
static inline struct frame *current_frame(void)
{
    int depth = this_thread.depth - 1;
    return depth >= 0 && depth < frames_deepest ? &this_thread.frames[depth] : NULL;
}

static inline struct frame *begin_statement(const struct statement *statement)
{
    int depth = this_thread.depth++;
    if (UNLIKELY(depth >= frames_deepest)) return NULL;
    struct frame *frame = &this_thread.frames[depth];
    frame->items = frame->elements = frame->bytes = frame->nested = 0;
    frame->inside_item = frame->has_children = 0;
    frame->cookie = frame->kept = NULL;
    if (UNLIKELY(depth > 0)) this_thread.frames[depth - 1].has_children = 1;
    consumer_statement_begins(frame, statement);
    return frame;
}

/* Ends the innermost statement. A run time may end what it never began (it was active before we were): ignored. */
static inline void end_statement(enum statement_outcome outcome)
{
    if (UNLIKELY(this_thread.depth <= 0)) return;
    int depth = --this_thread.depth;
    if (UNLIKELY(depth >= frames_deepest)) return;
    consumer_statement_ends(&this_thread.frames[depth], outcome);
}

static inline void count_item(struct frame *frame, uint64_t elements, uint64_t bytes)
{
    frame->items++;
    frame->elements += elements;
    frame->bytes += bytes;
}

#endif
