/* gfortran: calls of libgfortran.so.3 to .so.5, shared, or static by redirect/. They pass file and line of every statement;
 * of a continued statement the last line.
 *
 * WRITE is st_write, a transfer_... for each item, st_write_done. An error inside does not skip the end: with END= or ERR=
 * the program jumps after st_write_done. The items are in libgfortran_items.c.
 */
#define _GNU_SOURCE
#include "libgfortran.h"

#include <stdlib.h>
#include <string.h>

#include "../frames.h"
#include "../real_calls.h"
#include "../run/run.h"
#include "families.h"

/* A process may have several. */
int libgfortran_layout(const char *object)
{
    const char *version = strstr(object, ".so.");
    return !version || atoi(version + 4) >= 5 ? 5 : 3;
}

/* Of a statement: the return address does not tell the calling object if a function ends with a jump to us, but the name of the
 * source file is a literal of that object. */
#define REAL_OF_BLOCK(name) \
    REAL_CALL_FOR(block_function, name, "_gfortran_" #name, block->file ? (const void *)block->file : __builtin_return_address(0))

typedef void block_function(struct block_common *);

static enum statement_outcome outcome_of(uint32_t flags)
{
    static const enum statement_outcome outcomes[] = {outcome_done, outcome_error, outcome_end_of_file, outcome_end_of_record};
    return outcomes[flags & block_outcome];
}

static struct statement statement_called_from(const void *caller, const struct block_common *block, enum statement_kind kind,
                                              int32_t unit)
{
    return (struct statement){.kind = kind,
                              .unit = unit,
                              .line = block->line,
                              .file = block->file ? block->file : "?",
                              .caller = caller,
                              .family = "libgfortran"};
}

/* Only in functions that the program calls. */
#define statement_of(block, kind, unit) statement_called_from(__builtin_return_address(0), block, kind, unit)

/* ---- READ, WRITE, INQUIRE(IOLENGTH=) ---- */

static inline uint32_t traits_of(uint32_t flags)
{
    uint32_t traits = flags & transfer_has_namelist       ? trait_namelist
                      : flags & transfer_is_list_directed ? trait_list_directed
                      : flags & transfer_has_format       ? trait_formatted
                                                          : trait_unformatted;
    if (flags & transfer_has_rec) traits |= trait_direct;
    if (flags & transfer_has_pos) traits |= trait_positioned;
    if (flags & transfer_is_internal) traits |= trait_internal;
    if (flags & transfer_has_id) traits |= trait_asynchronous;
    return traits;
}

static int is_no(const char *text, size_t length) { return text && length && (text[0] | 0x20) == 'n'; }

/* gfortran registers the variables of a namelist before the statement begins. */
static void take_namelist_items(struct frame *frame)
{
    frame->items = this_thread.namelist_items;
    frame->elements = this_thread.namelist_elements;
    frame->bytes = this_thread.namelist_bytes;
    this_thread.namelist_items = this_thread.namelist_elements = this_thread.namelist_bytes = 0;
}

/* Internal units pass whatever number: it means nothing. */
static inline int32_t unit_of(const struct block_common *block, enum statement_kind kind)
{
    if (UNLIKELY(kind == statement_iolength)) return unit_none;
    return block->flags & transfer_is_internal ? unit_internal : block->unit;
}

static inline uint32_t signature_of(uint32_t flags, enum statement_kind kind) { return flags << 4 | (uint32_t)kind; }

static __attribute__((noinline)) struct statement describe_transfer(struct block_common *block, enum statement_kind kind,
                                                                    int layout, const void *caller)
{
    uint32_t flags = block->flags;
    struct statement statement = statement_called_from(caller, block, kind, unit_of(block, kind));
    statement.traits = kind == statement_iolength ? 0 : traits_of(flags);
    if (flags & (transfer_has_format | transfer_has_advance)) {
        const char *advance = NULL;
        size_t advance_length = 0;
        if (LIKELY(layout == 5)) {
            const struct block_transfer_5 *transfer = (const void *)block;
            if (flags & transfer_has_format) {
                statement.format = transfer->format;
                statement.format_length = (size_t)transfer->format_length;
            }
            if (UNLIKELY(flags & transfer_has_advance)) {
                advance = transfer->advance;
                advance_length = (size_t)transfer->advance_length;
            }
        } else {
            const struct block_transfer_3 *transfer = (const void *)block;
            if (flags & transfer_has_format) {
                statement.format = transfer->format;
                statement.format_length = (size_t)transfer->format_length;
            }
            if (flags & transfer_has_advance) {
                advance = transfer->advance;
                advance_length = (size_t)transfer->advance_length;
            }
        }
        if (UNLIKELY(flags & transfer_has_advance) && is_no(advance, advance_length)) statement.traits |= trait_non_advancing;
    }
    return statement;
}

/* In every statement's way: gcc would call it otherwise. */
static inline __attribute__((always_inline)) void begin_transfer(struct block_common *block, enum statement_kind kind, int layout,
                                                                 const void *caller)
{
    uint32_t flags = block->flags;
    int32_t unit = unit_of(block, kind);
    this_thread.opened_descriptor = -1;
    if (UNLIKELY(this_thread.depth > 0)) drop_frames_of(block);
    if (LIKELY(begin_statement_again(block->file, block->line, unit, signature_of(flags, kind)))) {
        struct frame *frame = current_frame();
        if (UNLIKELY(!frame)) return;
        frame->cookie = block;
        if (UNLIKELY(flags & transfer_has_namelist)) take_namelist_items(frame);
        return;
    }
    struct statement statement = describe_transfer(block, kind, layout, caller);
    struct frame *frame = begin_statement(&statement);
    if (frame) frame->cookie = block;
    if ((flags & transfer_has_namelist) && frame) take_namelist_items(frame);
    remember_statement(frame, block->file, block->line, unit, signature_of(flags, kind));
}

static __attribute__((noinline, cold)) void connected_by_transfer(struct block_common *block, enum statement_kind kind, int layout,
                                                                  const void *caller)
{
    struct statement statement = describe_transfer(block, kind, layout, caller);
    connected_by_itself(&statement);
}

/* A longjmp out of an I/O list leaves frames that nobody ends. */
static inline void end_transfer(struct block_common *block)
{
    struct frame *frame = current_frame();
    if (UNLIKELY(frame && frame->cookie != block) && !unwind_to(block)) return;
    end_statement(outcome_of(block->flags));
}

static int run_does_not_begin(struct block_common *block, const void *caller) { return (void)block, (void)caller, 0; }
static int run_does_not_end(struct block_common *block) { return (void)block, 0; }
static int run_has_left(struct block_common *block) { return (void)block, -1; }
static void run_does_nothing(struct block_common *block) { (void)block; }

#define REAL_OF_BLOCK_FOR(name, caller) \
    REAL_CALL_KEPT(block_function, name, "_gfortran_" #name, block->file ? (const void *)block->file : (caller))
/* What is neither traced nor taken over costs a few instructions and a jump. The rest is in functions of its own: in one
 * gcc would save the registers that it needs before it looks. */
#define TRANSFER_STATEMENT(name, kind, run_begins, run_ends, run_left, run_begins_again, run_ends_again, run_begins_bytes) \
    DECLARE_KEPT(name);                                                                                                    \
    DECLARE_KEPT(name##_done);                                                                                             \
    static __attribute__((noinline)) void begin_##name(struct block_common *block, const void *caller)                     \
    {                                                                                                                      \
        REAL_OF_BLOCK_FOR(name, caller);                                                                                   \
        const int layout = call_##name->layout;                                                                            \
        const int is_run = run_is_active && run_concerns(block->flags) && layout == 5;                                     \
        if (UNLIKELY(intercept_active)) begin_transfer(block, kind, layout, caller);                                       \
        /* Without a tracer the short way was tried before. */                                                             \
        const int short_way = is_run && intercept_active ? run_begins_again(block) : 0;                                    \
        if (short_way > 0 || (is_run && short_way == 0 && run_begins(block, caller))) return;                              \
        if (!intercept_active) {                                                                                           \
            real_##name(block);                                                                                            \
            return;                                                                                                        \
        }                                                                                                                  \
        real_##name(block);                                                                                                \
        if (UNLIKELY(this_thread.opened_descriptor >= 0)) connected_by_transfer(block, kind, layout, caller);              \
    }                                                                                                                      \
    static __attribute__((noinline)) void begin_##name##_again(struct block_common *block, const void *caller)             \
    {                                                                                                                      \
        const int short_way = run_is_active ? run_begins_again(block) : -1;                                                \
        if (short_way > 0) return;                                                                                         \
        if (short_way < 0) JUMP_IF_KNOWN(kept_##name, block_function, block->file, (block));                               \
        begin_##name(block, caller);                                                                                       \
    }                                                                                                                      \
    static __attribute__((noinline)) void begin_##name##_as_bytes(struct block_common *block, const void *caller)          \
    {                                                                                                                      \
        if (run_begins_bytes(block, caller)) return;                                                                       \
        JUMP_IF_KNOWN(kept_##name, block_function, block->file, (block));                                                  \
        begin_##name(block, caller);                                                                                       \
    }                                                                                                                      \
    EXPORTED void _gfortran_##name(struct block_common *block)                                                             \
    {                                                                                                                      \
        const void *const caller = __builtin_return_address(0);                                                            \
        if (LIKELY(!intercept_active)) {                                                                                   \
            if (run_concerns(block->flags)) {                                                                              \
                begin_##name##_again(block, caller);                                                                       \
                return;                                                                                                    \
            }                                                                                                              \
            if (UNLIKELY(run_byte_units)) {                                                                                \
                begin_##name##_as_bytes(block, caller);                                                                    \
                return;                                                                                                    \
            }                                                                                                              \
            JUMP_IF_KNOWN(kept_##name, block_function, block->file, (block));                                              \
        }                                                                                                                  \
        begin_##name(block, caller);                                                                                       \
    }                                                                                                                      \
    static __attribute__((noinline)) void end_##name(struct block_common *block, const void *caller)                       \
    {                                                                                                                      \
        REAL_OF_BLOCK_FOR(name##_done, caller);                                                                            \
        const int is_run = run_is_inside() && run_concerns(block->flags) && call_##name##_done->layout == 5;               \
        if (!is_run && !intercept_active) {                                                                                \
            real_##name##_done(block);                                                                                     \
            if (UNLIKELY(run_byte_units)) run_record_ends(block);                                                          \
            return;                                                                                                        \
        }                                                                                                                  \
        const int short_way = is_run && intercept_active ? run_ends_again(block) : 0;                                      \
        if (short_way < 0 || (short_way == 0 && !(is_run && run_ends(block)))) {                                           \
            real_##name##_done(block);                                                                                     \
            if (is_run && short_way == 0) run_left(block);                                                                 \
        }                                                                                                                  \
        if (UNLIKELY(intercept_active)) end_transfer(block);                                                               \
    }                                                                                                                      \
    static __attribute__((noinline)) void end_##name##_again(struct block_common *block, const void *caller)               \
    {                                                                                                                      \
        const int short_way = run_concerns(block->flags) ? run_ends_again(block) : run_bytes_end(block);                   \
        if (short_way > 0) return;                                                                                         \
        if (short_way < 0) JUMP_IF_KNOWN(kept_##name##_done, block_function, block->file, (block));                        \
        end_##name(block, caller);                                                                                         \
    }                                                                                                                      \
    EXPORTED void _gfortran_##name##_done(struct block_common *block)                                                      \
    {                                                                                                                      \
        const void *const caller = __builtin_return_address(0);                                                            \
        if (LIKELY(!intercept_active)) {                                                                                   \
            if (run_is_inside()) {                                                                                         \
                end_##name##_again(block, caller);                                                                         \
                return;                                                                                                    \
            }                                                                                                              \
            JUMP_IF_KNOWN(kept_##name##_done, block_function, block->file, (block));                                       \
        }                                                                                                                  \
        end_##name(block, caller);                                                                                         \
    }
TRANSFER_STATEMENT(st_write, statement_write, run_write_begins, run_write_ends, run_left_statement_ends, run_write_begins_again,
                   run_write_ends_again, run_write_begins_bytes)
TRANSFER_STATEMENT(st_read, statement_read, run_read_begins, run_read_ends, run_left_read_ends, run_read_begins_again,
                   run_read_ends_again, run_read_begins_bytes)
TRANSFER_STATEMENT(st_iolength, statement_iolength, run_does_not_begin, run_does_not_end, run_does_nothing, run_has_left,
                   run_has_left, run_does_not_begin)

/* ---- statements of one call ---- */

/* Where the unit is, or who looks, changes: what waits is handed over before. */
static void run_moves(const struct block_common *block)
{
    run_before_unit(block->unit);
    run_unit_moved(block->unit);
}

static void run_rewinds(const struct block_common *block) { run_before_rewind(block->unit); }

static void run_is_rewound(struct block_common *block)
{
    if (!(block->flags & block_outcome)) run_unit_rewound(block->unit);
    else run_moves(block);
}

static void run_flushes(const struct block_common *block) { run_before_unit(block->unit); }

static void run_is_looked_at(const struct block_common *block) { run_before_inquiry(block->unit); }

static inline int run_does_not(const struct block_common *block) { return (void)block, 0; }

/* run_does: 1 if the statement is done without the run time. */
#define SINGLE_STATEMENT(name, kind, unit_of_statement, run_waits, run_after) \
    STATEMENT_WITH(name, kind, unit_of_statement, run_does_not, run_waits, run_after)
#define STATEMENT_WITH(name, kind, unit_of_statement, run_does, run_waits, run_after) \
    EXPORTED void _gfortran_##name(struct block_common *block)                        \
    {                                                                                 \
        REAL_OF_BLOCK(name);                                                          \
        const int is_done = run_is_active && run_does(block);                         \
        if (run_is_active && !is_done) run_waits(block);                              \
        if (UNLIKELY(!intercept_active)) {                                            \
            if (is_done) return;                                                      \
            run_time_begins();                                                        \
            real_##name(block);                                                       \
            run_time_ends();                                                          \
            if (run_is_active) run_after(block);                                      \
            return;                                                                   \
        }                                                                             \
        struct statement statement = statement_of(block, kind, unit_of_statement);    \
        begin_statement(&statement);                                                  \
        if (!is_done) {                                                               \
            run_time_begins();                                                        \
            real_##name(block);                                                       \
            run_time_ends();                                                          \
            if (run_is_active) run_after(block);                                      \
        }                                                                             \
        end_statement(outcome_of(block->flags));                                      \
    }
SINGLE_STATEMENT(st_flush, statement_flush, block->unit, run_flushes, run_does_nothing)
SINGLE_STATEMENT(st_rewind, statement_rewind, block->unit, run_rewinds, run_is_rewound)
STATEMENT_WITH(st_backspace, statement_backspace, block->unit, run_goes_back, run_moves, run_does_nothing)
SINGLE_STATEMENT(st_endfile, statement_endfile, block->unit, run_moves, run_does_nothing)
SINGLE_STATEMENT(st_wait, statement_wait, block->unit, run_moves, run_does_nothing)
SINGLE_STATEMENT(st_wait_async, statement_wait, block->unit, run_moves, run_does_nothing)
SINGLE_STATEMENT(st_inquire, statement_inquire, block->unit ? block->unit : unit_by_name, /* FILE= passes 0 */
                 run_is_looked_at, run_does_nothing)

EXPORTED void _gfortran_st_close(struct block_common *block)
{
    REAL_OF_BLOCK(st_close);
    int32_t unit = block->unit;
    if (run_is_active) run_before_close(unit);
    if (UNLIKELY(!intercept_active)) {
        run_time_begins();
        real_st_close(block);
        run_time_ends();
        if (block->flags & block_outcome) run_before_unit(unit); /* it may still be connected */
        run_unit_closed(unit);
        return;
    }
    struct statement statement = statement_of(block, statement_close, unit);
    begin_statement(&statement);
    run_time_begins();
    real_st_close(block);
    run_time_ends();
    if (block->flags & block_outcome) run_before_unit(unit);
    end_statement(outcome_of(block->flags));
    run_unit_closed(unit);
    consumer_unit_closed(unit);
}

/* CALL FLUSH(unit): an extension that passes no line. */
#define FLUSH_ROUTINE(routine, integer)                                          \
    EXPORTED void _gfortran_##routine(integer *unit)                             \
    {                                                                            \
        REAL(void(integer *), routine);                                          \
        if (run_is_active) run_before_everything();                              \
        if (UNLIKELY(!intercept_active)) {                                       \
            run_time_begins();                                                   \
            real_##routine(unit);                                                \
            run_time_ends();                                                     \
            return;                                                              \
        }                                                                        \
        struct statement statement = {.kind = statement_flush,                   \
                                      .unit = unit ? (int32_t)*unit : unit_none, \
                                      .name = "call flush",                      \
                                      .caller = __builtin_return_address(0)};    \
        begin_statement(&statement);                                             \
        run_time_begins();                                                       \
        real_##routine(unit);                                                    \
        run_time_ends();                                                         \
        end_statement(outcome_done);                                             \
    }
FLUSH_ROUTINE(flush_i4, int32_t)
FLUSH_ROUTINE(flush_i8, int64_t)

/* ---- OPEN ---- */

#define TAKE_REQUEST(version)                                                                                                   \
    static struct connection_request request_of_##version(const struct block_open_##version *block)                             \
    {                                                                                                                           \
        struct connection_request request = {0};                                                                                \
        uint32_t flags = block->head.flags;                                                                                     \
        if (flags & open_has_file) request.file = block->file, request.file_length = (size_t)block->file_length;                \
        if (flags & open_has_access) request.access = block->access, request.access_length = (size_t)block->access_length;      \
        if (flags & open_has_form) request.form = block->form, request.form_length = (size_t)block->form_length;                \
        if (flags & open_has_action) request.action = block->action, request.action_length = (size_t)block->action_length;      \
        if (flags & open_has_convert) request.convert = block->convert, request.convert_length = (size_t)block->convert_length; \
        if (flags & open_has_status) request.status = block->status, request.status_length = (size_t)block->status_length;      \
        if (flags & open_has_position)                                                                                          \
            request.position = block->position, request.position_length = (size_t)block->position_length;                       \
        if (flags & open_has_recl) request.record_length = block->record_length_in;                                             \
        return request;                                                                                                         \
    }
TAKE_REQUEST(5)
TAKE_REQUEST(3)

/* The run time ignores case and blanks at the end; no two words of one OPEN keyword have the same first two letters. */
static int begins_with(const char *text, int64_t length, const char *word)
{
    return length >= 2 && (text[0] | 0x20) == word[0] && (text[1] | 0x20) == word[1];
}

/* Unformatted stream or direct access, with nothing out of the ordinary. */
static int is_of_bytes(const struct block_open_5 *block)
{
    uint32_t flags = block->head.flags;
    if ((flags & open_has_rarer_words) || !(flags & open_has_access)) return 0;
    if (!begins_with(block->access, block->access_length, flags & open_has_recl ? "direct" : "stream")) return 0;
    if ((flags & open_has_form) && !begins_with(block->form, block->form_length, "unformatted")) return 0;
    return run_opened_as_bytes;
}

/* Formatted and sequential, with nothing that changes what is written, or what is read. */
static int is_ordinary(const struct block_open_5 *block)
{
    uint32_t flags = block->head.flags;
    if (flags & open_has_rarer_words) return 0;
    if ((flags & open_has_access) && !begins_with(block->access, block->access_length, "sequential") &&
        !begins_with(block->access, block->access_length, "append"))
        return 0;
    if ((flags & open_has_form) && !begins_with(block->form, block->form_length, "formatted")) return 0;
    return run_opened_to_write | (flags & (open_changes_reading | open_has_recl) ? 0 : run_opened_to_read);
}

static void open_for_run(struct block_common *block, block_function *real)
{
    int directions = is_ordinary((const void *)block) | is_of_bytes((const void *)block);
    run_before_everything();
    run_before_unit(block->unit);                      /* another thread may be handing it over */
    if (run_byte_units) run_unit_changes(block->unit); /* a failed OPEN may have closed it */
    run_open_begins();
    real(block);
    if (block->flags & block_outcome) return;
    const int64_t longest =
        block->flags & open_has_recl ? (int64_t)((const struct block_open_5 *)(const void *)block)->record_length_in : 0;
    run_unit_opened(block->unit, directions, longest, block->file ? (const void *)block->file : block);
}

EXPORTED void _gfortran_st_open(struct block_common *block)
{
    REAL_OF_BLOCK(st_open);
    const int is_run = run_is_active && call_st_open->layout == 5;
    if (UNLIKELY(!intercept_active)) {
        if (is_run) open_for_run(block, real_st_open);
        else real_st_open(block);
        return;
    }
    struct statement statement = statement_of(block, statement_open, unit_none); /* NEWUNIT= has its number afterwards */
    struct connection_request request =
        call_st_open->layout == 5 ? request_of_5((const void *)block) : request_of_3((const void *)block);
    struct frame *frame = begin_statement(&statement);
    this_thread.opened_descriptor = -1;
    this_thread.opened_path[0] = '\0';
    if (is_run) open_for_run(block, real_st_open);
    else real_st_open(block);
    if (!(block->flags & block_outcome) && frame)
        consumer_unit_connected(frame, &statement, block->unit, &request, this_thread.opened_path, this_thread.opened_descriptor);
    this_thread.opened_descriptor = -1;
    end_statement(outcome_of(block->flags));
}
