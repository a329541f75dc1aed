/* Statements in progress, a stack for each thread: an I/O list may call functions that do I/O themselves. */
#ifndef HEADRACE_FRAMES_H
#define HEADRACE_FRAMES_H

#include "clock.h"
#include "events.h"

enum { frames_deepest = 16 };

struct frame {
    void *line;      /* the consumer's record of the statement */
    uint64_t begun;  /* ticks */
    uint64_t nested; /* ticks of the statements inside */
    uint64_t items, elements, bytes;
    int inside_item;     /* libgfortran's transfer functions call each other through the PLT */
    int has_children;    /* statements began inside of its I/O list */
    const void *cookie;  /* what the run time calls the statement, if it gives it a name */
    const char *source;  /* a literal of the object that it stands in */
    void *kept;          /* what the family must know at the end, if anything */
    const char *library; /* of a library's call; NULL for a Fortran statement */
};

/* A statement that this thread has begun before, of the same unit as then: most are. */
struct recent_statement {
    const char *file;
    int32_t line, unit;
    uint32_t signature, connections; /* the family's own flags; connections_changed as it was */
    void *consumers_line;
};

enum { recent_statements = 64 };

struct thread_state {
    int depth;
    int inside_system_call; /* of a wrapper: wrappers called by wrapped functions count nothing */
    int has_lock;           /* the consumer's: a signal handler must not wait for what it interrupted */
    int opened_descriptor;  /* by the statement in progress; -1: none */
    void *consumer;         /* the consumer's state of this thread */
    uint64_t namelist_items, namelist_elements, namelist_bytes; /* gfortran registers them before the statement begins */
    struct recent_statement recent[recent_statements];
    struct frame frames[frames_deepest];
    char opened_path[1024];
};

extern __thread struct thread_state this_thread __attribute__((tls_model("initial-exec")));

/* 0 before the start and after a failure: then every wrapper only calls the real function. */
extern int intercept_active;

/* Counts what gives units another meaning: OPEN, CLOSE, fork. */
extern uint32_t connections_changed;

/* Counts what gives addresses of code and of literals another meaning: a library that did I/O was unloaded. */
extern uint32_t objects_changed;

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define EXPORTED __attribute__((visibility("default")))

/* The innermost statement; NULL outside of statements and deeper than the stack. */
static inline struct frame *current_frame(void)
{
    int depth = this_thread.depth - 1;
    return depth >= 0 && depth < frames_deepest ? &this_thread.frames[depth] : NULL;
}

static inline struct frame *push_frame(void)
{
    int depth = this_thread.depth++;
    if (UNLIKELY(depth >= frames_deepest)) return NULL;
    struct frame *frame = &this_thread.frames[depth];
    frame->items = frame->elements = frame->bytes = frame->nested = 0;
    frame->inside_item = frame->has_children = 0;
    frame->cookie = frame->source = frame->kept = NULL;
    frame->library = NULL;
    if (UNLIKELY(depth > 0)) this_thread.frames[depth - 1].has_children = 1;
    return frame;
}

static inline struct frame *begin_statement(const struct statement *statement)
{
    struct frame *frame = push_frame();
    if (LIKELY(frame != NULL)) consumer_statement_begins(frame, statement);
    return frame;
}

static inline struct recent_statement *recent_statement(const char *file, int32_t line)
{
    return &this_thread.recent[((uint32_t)line ^ (uint32_t)(uintptr_t)file) % recent_statements];
}

/* Begins a statement that needs not be described again; 0 if it must be. */
static inline int begin_statement_again(const char *file, int32_t line, int32_t unit, uint32_t signature)
{
    const struct recent_statement *recent = recent_statement(file, line);
    if (UNLIKELY(recent->line != line || recent->file != file || recent->unit != unit || recent->signature != signature ||
                 recent->connections != connections_changed))
        return 0;
    struct frame *frame = push_frame();
    if (LIKELY(frame != NULL)) consumer_statement_begins_again(frame, recent->consumers_line);
    return 1;
}

static inline void remember_statement(const struct frame *frame, const char *file, int32_t line, int32_t unit, uint32_t signature)
{
    if (!frame || !frame->line) return;
    *recent_statement(file, line) = (struct recent_statement){file, line, unit, signature, connections_changed, frame->line};
}

/* Ends the innermost statement. A run time may end what it never began (it was active before we were): ignored. */
static inline void end_statement(enum statement_outcome outcome)
{
    if (UNLIKELY(this_thread.depth <= 0)) return;
    int depth = --this_thread.depth;
    if (UNLIKELY(depth >= frames_deepest)) return;
    consumer_statement_ends(&this_thread.frames[depth], outcome);
}

/* A run time's name of a statement is free again when its statement ended: a frame that still has it was never ended (longjmp, a
 * call that was not redirected), nor were those inside of it. To be called for a frame that just got its name. */
void drop_stale_frames(struct frame *frame) __attribute__((cold));

/* The same, if the name is known before the frame is made. */
void drop_frames_of(const void *cookie) __attribute__((cold));

/* The frame of this statement becomes the innermost one: those inside of it were never ended. NULL: its beginning was not seen. */
struct frame *unwind_to(const void *cookie) __attribute__((cold));

static inline void name_statement(struct frame *frame, const void *cookie)
{
    frame->cookie = cookie;
    if (UNLIKELY(this_thread.depth > 1)) drop_stale_frames(frame);
}

static inline void count_item(struct frame *frame, uint64_t elements, uint64_t bytes)
{
    frame->items++;
    frame->elements += elements;
    frame->bytes += bytes;
}

#endif
