/* LLVM flang: calls of its run time, static by redirect/, or shared. They pass file and line of every statement; of a continued
 * statement the first line.
 *
 * A statement is Begin..., a Set... for each specifier, an Output... or Input... for each item, EndIoStatement: what a
 * specifier says is known only after the beginning. Begin returns a cookie that the others get. With an error, the generated
 * code leaves further items out, but never EndIoStatement.
 */
#define _GNU_SOURCE
#include "flang.h"

#include <stdlib.h>
#include <string.h>

#include "../frames.h"
#include "../real_calls.h"
#include "../run/flang/flang.h"
#include "families.h"

typedef void *cookie;
typedef const struct flang_descriptor *descriptor;

/* Which object calls: its own run time is meant. The return address does not tell if a function ends with a jump to us, but
 * the name of the source file is a literal of that object. */
#define REAL(type, name, caller) \
    REAL_CALL_FOR(type, name, "_FortranAio" #name, (caller) ? (const void *)(caller) : __builtin_return_address(0))

static struct statement statement_called_from(const void *caller, const char *file, int line, enum statement_kind kind,
                                              uint32_t traits, int32_t unit)
{
    return (struct statement){
        .kind = kind, .traits = traits, .unit = unit, .line = line, .file = file ? file : "?", .caller = caller, .family = "flang"};
}

/* Only in functions that the program calls. */
#define statement_at(file, line, kind, traits, unit) \
    statement_called_from(__builtin_return_address(0), file, line, kind, traits, unit)

/* ---- beginnings ---- */

static inline void begun(const void *result, const char *file)
{
    struct frame *frame = current_frame();
    if (UNLIKELY(!frame)) return;
    frame->source = file;
    name_statement(frame, result);
}

static inline uint32_t signature_of(enum statement_kind kind, uint32_t traits) { return 1u << 31 | traits << 4 | (uint32_t)kind; }

/* A WRITE has our cookie if it is taken over, and also if it might have been. */
#define BEGINS_WRITE(name, arguments, format_, length_, formats_, unit_)                                               \
    ({                                                                                                                 \
        cookie ours = run_is_active && !(formats_) ? run_flang_begins(format_, length_, unit_, file, line) : NULL;     \
        if (run_is_active && (formats_)) run_flang_other_begins(run_flang_moves, unit_);                               \
        if (!ours) {                                                                                                   \
            ours = real_##name arguments;                                                                              \
            run_flang_has_left(ours);                                                                                  \
        } else if (!run_flang_real(ours) && !run_flang_is_taken(ours)) run_flang_goes_on(ours, real_##name arguments); \
        ours;                                                                                                          \
    })
#define BEGINS_OTHER(name, arguments, run_kind, unit_)                                                 \
    ({                                                                                                 \
        if (run_is_active && (run_kind) != run_flang_nothing) run_flang_other_begins(run_kind, unit_); \
        real_##name arguments;                                                                         \
    })

/* A statement is described when it begins for the first time, or its unit was opened meanwhile. */
#define BEGINNING(name, parameters, kind_, traits_, unit_, format_, length_, begins)                          \
    EXPORTED cookie _FortranAio##name parameters                                                              \
    {                                                                                                         \
        REAL(cookie parameters, name, file);                                                                  \
        if (!intercept_active) return begins;                                                                 \
        this_thread.opened_descriptor = -1;                                                                   \
        if (UNLIKELY(!begin_statement_again(file, line, unit_, signature_of(kind_, traits_)))) {              \
            struct statement statement = statement_at(file, line, kind_, traits_, unit_);                     \
            statement.format = format_;                                                                       \
            statement.format_length = length_;                                                                \
            remember_statement(begin_statement(&statement), file, line, unit_, signature_of(kind_, traits_)); \
        }                                                                                                     \
        cookie result = begins;                                                                               \
        begun(result, file);                                                                                  \
        if (UNLIKELY(this_thread.opened_descriptor >= 0)) {                                                   \
            struct statement statement = statement_at(file, line, kind_, traits_, unit_);                     \
            connected_by_itself(&statement);                                                                  \
        }                                                                                                     \
        return result;                                                                                        \
    }

BEGINNING(BeginExternalListOutput, (int unit, const char *file, int line), statement_write, trait_list_directed, unit, NULL, 0,
          BEGINS_WRITE(BeginExternalListOutput, (unit, file, line), NULL, 0, NULL, unit))
BEGINNING(BeginExternalFormattedOutput,
          (const char *format, size_t length, descriptor formats, int unit, const char *file, int line), statement_write,
          trait_formatted, unit, format, length,
          BEGINS_WRITE(BeginExternalFormattedOutput, (format, length, formats, unit, file, line), format, length, formats, unit))
BEGINNING(BeginExternalListInput, (int unit, const char *file, int line), statement_read, trait_list_directed, unit, NULL, 0,
          BEGINS_OTHER(BeginExternalListInput, (unit, file, line), run_flang_moves, unit))
BEGINNING(BeginExternalFormattedInput,
          (const char *format, size_t length, descriptor formats, int unit, const char *file, int line), statement_read,
          trait_formatted, unit, format, length,
          BEGINS_OTHER(BeginExternalFormattedInput, (format, length, formats, unit, file, line), run_flang_moves, unit))
#define UNFORMATTED(name, kind)                                                                     \
    BEGINNING(name, (int unit, const char *file, int line), kind, trait_unformatted, unit, NULL, 0, \
              BEGINS_OTHER(name, (unit, file, line), run_flang_moves, unit))
UNFORMATTED(BeginUnformattedOutput, statement_write)
UNFORMATTED(BeginUnformattedInput, statement_read)

#define INTERNAL(direction, kind)                                                                                                 \
    BEGINNING(                                                                                                                    \
        BeginInternalList##direction,                                                                                             \
        (char *internal, size_t bytes, void **scratch, size_t scratch_bytes, const char *file, int line), kind,                   \
        trait_internal | trait_list_directed, unit_internal, NULL, 0,                                                             \
        BEGINS_OTHER(BeginInternalList##direction, (internal, bytes, scratch, scratch_bytes, file, line), run_flang_nothing, 0))  \
    BEGINNING(BeginInternalFormatted##direction,                                                                                  \
              (char *internal, size_t bytes, const char *format, size_t length, descriptor formats, void **scratch,               \
               size_t scratch_bytes, const char *file, int line),                                                                 \
              kind, trait_internal | trait_formatted, unit_internal, format, length,                                              \
              BEGINS_OTHER(BeginInternalFormatted##direction,                                                                     \
                           (internal, bytes, format, length, formats, scratch, scratch_bytes, file, line), run_flang_nothing, 0)) \
    BEGINNING(                                                                                                                    \
        BeginInternalArrayList##direction,                                                                                        \
        (descriptor internal, void **scratch, size_t scratch_bytes, const char *file, int line), kind,                            \
        trait_internal | trait_list_directed, unit_internal, NULL, 0,                                                             \
        BEGINS_OTHER(BeginInternalArrayList##direction, (internal, scratch, scratch_bytes, file, line), run_flang_nothing, 0))    \
    BEGINNING(BeginInternalArrayFormatted##direction,                                                                             \
              (descriptor internal, const char *format, size_t length, descriptor formats, void **scratch, size_t scratch_bytes,  \
               const char *file, int line),                                                                                       \
              kind, trait_internal | trait_formatted, unit_internal, format, length,                                              \
              BEGINS_OTHER(BeginInternalArrayFormatted##direction,                                                                \
                           (internal, format, length, formats, scratch, scratch_bytes, file, line), run_flang_nothing, 0))
INTERNAL(Output, statement_write)
INTERNAL(Input, statement_read)

#define OF_UNIT(name, kind, run_kind)                                               \
    BEGINNING(name, (int unit, const char *file, int line), kind, 0, unit, NULL, 0, \
              BEGINS_OTHER(name, (unit, file, line), run_kind, unit))
OF_UNIT(BeginWaitAll, statement_wait, run_flang_moves)
OF_UNIT(BeginFlush, statement_flush, run_flang_flushes)
OF_UNIT(BeginBackspace, statement_backspace, run_flang_moves)
OF_UNIT(BeginEndfile, statement_endfile, run_flang_moves)
OF_UNIT(BeginRewind, statement_rewind, run_flang_moves)
OF_UNIT(BeginInquireUnit, statement_inquire, run_flang_looks)
BEGINNING(BeginWait, (int unit, int id, const char *file, int line), statement_wait, 0, unit, NULL, 0,
          BEGINS_OTHER(BeginWait, (unit, id, file, line), run_flang_moves, unit))
BEGINNING(BeginInquireFile, (const char *path, size_t length, const char *file, int line), statement_inquire, 0, unit_by_name, NULL,
          0, BEGINS_OTHER(BeginInquireFile, (path, length, file, line), run_flang_looks, 0))
BEGINNING(BeginInquireIoLength, (const char *file, int line), statement_iolength, 0, unit_none, NULL, 0,
          BEGINS_OTHER(BeginInquireIoLength, (file, line), run_flang_nothing, 0))

/* ---- OPEN and CLOSE: what must be known at their end ---- */

enum { text_room = 2048 };

struct connection_change {
    struct statement statement;
    int32_t unit;
    struct connection_request request;
    size_t text_bytes;
    char text[text_room]; /* the specifiers: what the program passed may be gone at the end */
};

static void keep_change(struct frame *frame, const struct statement *statement, int32_t unit)
{
    struct connection_change *change = frame ? malloc(sizeof *change) : NULL;
    if (!change) return;
    change->statement = *statement;
    change->unit = unit;
    change->request = (struct connection_request){0};
    change->text_bytes = 0;
    frame->kept = change;
}

#define CHANGE_BEGINS(name, parameters, arguments, kind, unit)                                                     \
    EXPORTED cookie _FortranAio##name parameters                                                                   \
    {                                                                                                              \
        REAL(cookie parameters, name, file);                                                                       \
        const enum run_flang_kind run_kind = kind == statement_open ? run_flang_opens : run_flang_closes;          \
        if (run_is_active) run_flang_other_begins(run_kind, unit);                                                 \
        if (UNLIKELY(!intercept_active)) {                                                                         \
            cookie result = real_##name arguments;                                                                 \
            if (run_is_active) run_flang_has_cookie(run_kind, unit, result, file);                                 \
            return result;                                                                                         \
        }                                                                                                          \
        struct statement statement = statement_at(file, line, kind, 0, kind == statement_open ? unit_none : unit); \
        this_thread.opened_descriptor = -1;                                                                        \
        this_thread.opened_path[0] = '\0';                                                                         \
        struct frame *frame = begin_statement(&statement);                                                         \
        keep_change(frame, &statement, unit);                                                                      \
        cookie result = real_##name arguments;                                                                     \
        if (run_is_active) run_flang_has_cookie(run_kind, unit, result, file);                                     \
        begun(result, file);                                                                                       \
        return result;                                                                                             \
    }
CHANGE_BEGINS(BeginOpenUnit, (int unit, const char *file, int line), (unit, file, line), statement_open, unit)
CHANGE_BEGINS(BeginOpenNewUnit, (const char *file, int line), (file, line), statement_open, unit_none)
CHANGE_BEGINS(BeginClose, (int unit, const char *file, int line), (unit, file, line), statement_close, unit)

/* ---- specifiers ---- */

/* The statement that has this cookie: the innermost one. */
static inline struct frame *frame_of(const void *statement)
{
    struct frame *frame = current_frame();
    return LIKELY(frame && frame->cookie == statement) ? frame : NULL;
}

static inline const char *source_of(const void *statement)
{
    struct frame *frame = frame_of(statement);
    return frame ? frame->source : NULL;
}

static struct connection_change *change_of(const void *statement)
{
    struct frame *frame = frame_of(statement);
    return frame ? frame->kept : NULL;
}

static void keep_text(struct connection_change *change, const char **text, size_t *length, const char *given, size_t bytes)
{
    while (bytes && given[bytes - 1] == ' ') --bytes;
    if (bytes > text_room - change->text_bytes) return; /* a path of more than 2,000 letters: open(2) tells it */
    char *place = change->text + change->text_bytes;
    memcpy(place, given, bytes);
    change->text_bytes += bytes;
    *text = place;
    *length = bytes;
}

/* What a specifier of READ, WRITE, OPEN or CLOSE means for `headrace run`: a WRITE that has it is the run time's. */
#define FOR_RUN_IF_OURS(name)                                      \
    if (run_flang_is_ours(statement)) {                            \
        run_flang_has_specifier(statement, "a specifier: " #name); \
        statement = run_flang_real(statement);                     \
    }

/* `usual`: the only word that the statement may have to be taken over; NULL: any. */
#define SPECIFIER(name, member, usual)                                                                                 \
    EXPORTED _Bool _FortranAioSet##name(cookie statement, const char *text, size_t bytes)                              \
    {                                                                                                                  \
        REAL(_Bool(cookie, const char *, size_t), Set##name, source_of(statement));                                    \
        struct connection_change *change = change_of(statement);                                                       \
        FOR_RUN_IF_OURS(name)                                                                                          \
        if (run_is_active && (usual)) run_flang_asks(statement, text, bytes, usual);                                   \
        if (change && text) keep_text(change, &change->request.member, &change->request.member##_length, text, bytes); \
        return real_Set##name(statement, text, bytes);                                                                 \
    }
SPECIFIER(File, file, NULL)
SPECIFIER(Access, access, "sequential")
SPECIFIER(Form, form, "formatted")
SPECIFIER(Action, action, NULL)
SPECIFIER(Convert, convert, "")
SPECIFIER(Status, status, NULL)
SPECIFIER(Position, position, NULL)

EXPORTED _Bool _FortranAioSetRecl(cookie statement, size_t bytes)
{
    REAL(_Bool(cookie, size_t), SetRecl, source_of(statement));
    struct connection_change *change = change_of(statement);
    FOR_RUN_IF_OURS(Recl)
    if (run_is_active) run_flang_is_unusual(statement);
    if (change) change->request.record_length = (int64_t)bytes;
    return real_SetRecl(statement, bytes);
}

EXPORTED _Bool _FortranAioGetNewUnit(cookie statement, void *unit, int kind)
{
    REAL(_Bool(cookie, void *, int), GetNewUnit, source_of(statement));
    _Bool result = real_GetNewUnit(statement, unit, kind);
    struct connection_change *change = change_of(statement);
    if (!result) return result;
    const int32_t number = kind == 1   ? *(int8_t *)unit
                           : kind == 2 ? *(int16_t *)unit
                           : kind == 8 ? (int32_t) * (int64_t *)unit
                                       : *(int32_t *)unit;
    if (run_is_active) run_flang_has_unit(statement, number);
    if (change) change->unit = number;
    return result;
}

/* A specifier of READ and WRITE; OPEN may have it too, and is no asynchronous statement by that. */
static void has_trait(const void *statement, uint32_t traits, uint32_t not_these)
{
    struct frame *frame = frame_of(statement);
    if (frame && !frame->kept) consumer_statement_is(frame, traits, not_these);
}

static int begins_with(const char *text, size_t bytes, char letter)
{
    while (bytes && *text == ' ') ++text, --bytes;
    return bytes && (*text | 0x20) == letter;
}

#define YES_OR_NO(name, letter, trait)                                                    \
    EXPORTED _Bool _FortranAioSet##name(cookie statement, const char *text, size_t bytes) \
    {                                                                                     \
        REAL(_Bool(cookie, const char *, size_t), Set##name, source_of(statement));       \
        if (begins_with(text, bytes, letter)) has_trait(statement, trait, 0);             \
        FOR_RUN_IF_OURS(name)                                                             \
        if (run_is_active) run_flang_is_unusual(statement);                               \
        return real_Set##name(statement, text, bytes);                                    \
    }
YES_OR_NO(Advance, 'n', trait_non_advancing)
YES_OR_NO(Asynchronous, 'y', trait_asynchronous)

#define PLACE(name, trait)                                               \
    EXPORTED _Bool _FortranAioSet##name(cookie statement, int64_t place) \
    {                                                                    \
        REAL(_Bool(cookie, int64_t), Set##name, source_of(statement));   \
        has_trait(statement, trait, 0);                                  \
        FOR_RUN_IF_OURS(name)                                            \
        if (run_is_active) run_flang_is_unusual(statement);              \
        return real_Set##name(statement, place);                         \
    }
PLACE(Rec, trait_direct)
PLACE(Pos, trait_positioned)

#ifdef HEADRACE_RUN
#define WORD(name)                                                                        \
    EXPORTED _Bool _FortranAioSet##name(cookie statement, const char *text, size_t bytes) \
    {                                                                                     \
        REAL(_Bool(cookie, const char *, size_t), Set##name, source_of(statement));       \
        FOR_RUN_IF_OURS(name)                                                             \
        if (run_is_active) run_flang_is_unusual(statement);                               \
        return real_Set##name(statement, text, bytes);                                    \
    }
WORD(Blank)
WORD(Carriagecontrol)
WORD(Decimal)
WORD(Delim)
WORD(Encoding)
WORD(Pad)
WORD(Round)
WORD(Sign)

/* A write that fails inside of records that were kept ends the program, since flang's own checks find its buffer in disorder: a
 * program that handles errors must see them where they are. */
EXPORTED void _FortranAioEnableHandlers(cookie statement, _Bool iostat, _Bool err, _Bool end, _Bool eor, _Bool iomsg)
{
    REAL(void(cookie, _Bool, _Bool, _Bool, _Bool, _Bool), EnableHandlers, source_of(statement));
    if (run_flang_is_ours(statement)) {
        run_flang_leaves(statement, "IOSTAT= or ERR=");
        statement = run_flang_real(statement);
    }
    real_EnableHandlers(statement, iostat, err, end, eor, iomsg);
}

EXPORTED void _FortranAioGetIoMsg(cookie statement, char *message, size_t length)
{
    REAL(void(cookie, char *, size_t), GetIoMsg, source_of(statement));
    if (run_flang_is_ours(statement)) statement = run_flang_real(statement);
    if (statement) real_GetIoMsg(statement, message, length);
}

#define ANSWER(type, name, parameters, arguments)          \
    EXPORTED type _FortranAio##name parameters             \
    {                                                      \
        REAL(type parameters, name, source_of(statement)); \
        FOR_RUN_IF_OURS(name)                              \
        return real_##name arguments;                      \
    }
ANSWER(int, GetAsynchronousId, (cookie statement), (statement))
ANSWER(size_t, GetIoLength, (cookie statement), (statement))
ANSWER(size_t, GetSize, (cookie statement), (statement))
ANSWER(_Bool, InquireCharacter, (cookie statement, uint64_t word, char *text, size_t bytes), (statement, word, text, bytes))
ANSWER(_Bool, InquireInteger64, (cookie statement, uint64_t word, int64_t *number, int kind), (statement, word, number, kind))
ANSWER(_Bool, InquireLogical, (cookie statement, uint64_t word, _Bool *answer), (statement, word, answer))
ANSWER(_Bool, InquirePendingId, (cookie statement, int number, _Bool *answer), (statement, number, answer))
#endif

/* ---- items ---- */

/* Of a type that is not taken over: the run time goes on with the statement. */
static int run_lets_go(cookie statement)
{
    run_flang_leaves(statement, "an item of a type that is not handled");
    return 0;
}

/* `taken`: by `headrace run`, of a statement with one of our cookies. */
#define FOR_RUN(taken, counted)                \
    if (run_flang_is_ours(statement)) {        \
        if (taken) {                           \
            counted;                           \
            return 1;                          \
        }                                      \
        statement = run_flang_real(statement); \
    }

#define ITEM(name, parameters, arguments, bytes, taken)             \
    EXPORTED _Bool _FortranAio##name parameters                     \
    {                                                               \
        struct frame *frame = frame_of(statement);                  \
        FOR_RUN(taken, if (frame) count_item(frame, 1, bytes))      \
        REAL(_Bool parameters, name, frame ? frame->source : NULL); \
        if (LIKELY(frame && !frame->inside_item)) {                 \
            count_item(frame, 1, bytes);                            \
            frame->inside_item = 1;                                 \
            _Bool result = real_##name arguments;                   \
            frame->inside_item = 0;                                 \
            return result;                                          \
        }                                                           \
        return real_##name arguments;                               \
    }
#define RUN_PUTS(item, type, kind) \
    (run_keeps_scalar(statement, &(item), type, kind) || run_puts_scalar((struct block_common *)statement, &(item), type, kind))

static inline int run_puts_text(cookie statement, const char *item, size_t length)
{
    return run_flang_puts_text(statement, item, length);
}

static inline int run_puts_logical(cookie statement, _Bool item)
{
    const int32_t value = item;
    return RUN_PUTS(value, 2, 4);
}

ITEM(OutputInteger8, (cookie statement, int8_t item), (statement, item), 1, RUN_PUTS(item, 1, 1))
ITEM(OutputInteger16, (cookie statement, int16_t item), (statement, item), 2, RUN_PUTS(item, 1, 2))
ITEM(OutputInteger32, (cookie statement, int32_t item), (statement, item), 4, RUN_PUTS(item, 1, 4))
ITEM(OutputInteger64, (cookie statement, int64_t item), (statement, item), 8, RUN_PUTS(item, 1, 8))
#ifdef __SIZEOF_INT128__
ITEM(OutputInteger128, (cookie statement, __int128 item), (statement, item), 16, run_lets_go(statement))
#endif
ITEM(OutputReal32, (cookie statement, float item), (statement, item), 4, RUN_PUTS(item, 3, 4))
ITEM(OutputReal64, (cookie statement, double item), (statement, item), 8, RUN_PUTS(item, 3, 8))
ITEM(OutputComplex32, (cookie statement, float real, float imaginary), (statement, real, imaginary), 8, run_lets_go(statement))
ITEM(OutputComplex64, (cookie statement, double real, double imaginary), (statement, real, imaginary), 16, run_lets_go(statement))
ITEM(OutputCharacter, (cookie statement, const char *item, size_t length, int kind), (statement, item, length, kind),
     length *(size_t)kind, kind == 1 ? run_puts_text(statement, item, length) : run_lets_go(statement))
ITEM(OutputAscii, (cookie statement, const char *item, size_t length), (statement, item, length), length,
     run_puts_text(statement, item, length))
ITEM(InputInteger, (cookie statement, int64_t *item, int kind), (statement, item, kind), (size_t)kind, 0)
ITEM(InputReal32, (cookie statement, float *item), (statement, item), 4, 0)
ITEM(InputReal64, (cookie statement, double *item), (statement, item), 8, 0)
ITEM(InputComplex32, (cookie statement, float *item), (statement, item), 8, 0)
ITEM(InputComplex64, (cookie statement, double *item), (statement, item), 16, 0)
ITEM(InputCharacter, (cookie statement, char *item, size_t length, int kind), (statement, item, length, kind), length *(size_t)kind,
     0)
ITEM(InputAscii, (cookie statement, char *item, size_t length), (statement, item, length), length, 0)
/* The kind of a logical is not passed: the default one is assumed. */
ITEM(OutputLogical, (cookie statement, _Bool item), (statement, item), 4, run_puts_logical(statement, item))
ITEM(InputLogical, (cookie statement, _Bool *item), (statement, item), 4, 0)

static uint64_t elements_of(descriptor item)
{
    uint64_t elements = 1;
    for (int i = 0; i < item->array_rank && i < 15; ++i) {
        if (item->dimensions[i].extent <= 0) return 0;
        elements *= (uint64_t)item->dimensions[i].extent;
    }
    return elements;
}

static void count_described(struct frame *frame, descriptor item)
{
    if (!frame) return;
    const uint64_t elements = elements_of(item);
    count_item(frame, elements, elements * item->element_bytes);
}

/* The bytes of defined input and output are those of the statements in its procedure, the children. Of another derived
 * type they are the memory it takes, padding included. */
#define DESCRIBED_ITEM(name, parameters, arguments, taken)                             \
    EXPORTED _Bool _FortranAio##name parameters                                        \
    {                                                                                  \
        struct frame *frame = frame_of(statement);                                     \
        FOR_RUN(taken, count_described(frame, item))                                   \
        REAL(_Bool parameters, name, frame ? frame->source : NULL);                    \
        if (UNLIKELY(!frame || frame->inside_item)) return real_##name arguments;      \
        uint64_t elements = elements_of(item), bytes = elements * item->element_bytes; \
        count_item(frame, elements, bytes);                                            \
        frame->inside_item = 1;                                                        \
        frame->has_children = 0;                                                       \
        _Bool result = real_##name arguments;                                          \
        if (UNLIKELY(frame->has_children)) frame->bytes -= bytes;                      \
        frame->inside_item = 0;                                                        \
        return result;                                                                 \
    }
DESCRIBED_ITEM(OutputDescriptor, (cookie statement, descriptor item), (statement, item), run_flang_puts_described(statement, item))
DESCRIBED_ITEM(InputDescriptor, (cookie statement, descriptor item), (statement, item), 0)
DESCRIBED_ITEM(OutputDerivedType, (cookie statement, descriptor item, const void *procedures), (statement, item, procedures),
               run_lets_go(statement))
DESCRIBED_ITEM(InputDerivedType, (cookie statement, descriptor item, const void *procedures), (statement, item, procedures), 0)

/* ---- namelists: they begin as list-directed statements ---- */

static void count_namelist(struct frame *frame, const struct flang_namelist *group)
{
    consumer_statement_is(frame, trait_namelist, trait_list_directed);
    for (size_t i = 0; group && group->variables && i < group->variable_count; ++i) {
        descriptor variable = group->variables[i].descriptor;
        uint64_t elements = variable ? elements_of(variable) : 0;
        count_item(frame, elements, variable ? elements * variable->element_bytes : 0);
    }
}

#define NAMELIST(name)                                                                          \
    EXPORTED _Bool _FortranAio##name(cookie statement, const struct flang_namelist *group)      \
    {                                                                                           \
        struct frame *frame = frame_of(statement);                                              \
        FOR_RUN(run_lets_go(statement), (void)0)                                                \
        REAL(_Bool(cookie, const struct flang_namelist *), name, frame ? frame->source : NULL); \
        if (UNLIKELY(!frame || frame->inside_item)) return real_##name(statement, group);       \
        count_namelist(frame, group);                                                           \
        frame->inside_item = 1;                                                                 \
        _Bool result = real_##name(statement, group);                                           \
        frame->inside_item = 0;                                                                 \
        return result;                                                                          \
    }
NAMELIST(OutputNamelist)
NAMELIST(InputNamelist)

/* ---- the end ---- */

static enum statement_outcome outcome_of(int iostat)
{
    if (LIKELY(iostat == 0)) return outcome_done;
    if (iostat == flang_iostat_end) return outcome_end_of_file;
    return iostat == flang_iostat_end_of_record ? outcome_end_of_record : outcome_error;
}

static __attribute__((noinline, cold)) void change_ends(struct frame *frame, int iostat)
{
    struct connection_change *change = frame->kept;
    frame->kept = NULL;
    if (change->statement.kind == statement_open && iostat == 0)
        consumer_unit_connected(frame, &change->statement, change->unit, &change->request, this_thread.opened_path,
                                this_thread.opened_descriptor);
    this_thread.opened_descriptor = -1;
    enum statement_kind kind = change->statement.kind;
    int32_t unit = change->unit;
    free(change);
    end_statement(outcome_of(iostat));
    if (kind == statement_close) consumer_unit_closed(unit);
}

EXPORTED int _FortranAioEndIoStatement(cookie statement)
{
    struct frame *frame = frame_of(statement);
    int iostat;
    if (!run_flang_is_ours(statement) || !run_flang_ends(statement, &iostat)) {
        const cookie ours = run_flang_is_ours(statement) ? statement : NULL;
        REAL(int(cookie), EndIoStatement, frame ? frame->source : NULL);
        run_time_begins();
        iostat = real_EndIoStatement(ours ? run_flang_real(ours) : statement);
        run_time_ends();
        if (ours) run_flang_left_ends(ours, iostat);
        else if (run_flang_was_left(statement)) run_flang_left_now_ends(iostat);
        else if (run_is_active) run_flang_other_ends(statement, iostat);
    }
    if (UNLIKELY(!intercept_active)) return iostat;
    if (UNLIKELY(this_thread.depth > frames_deepest)) {
        end_statement(outcome_done);
        return iostat;
    }
    if (UNLIKELY(!frame) && !(frame = unwind_to(statement))) return iostat;
    if (UNLIKELY(frame->kept != NULL)) change_ends(frame, iostat);
    else end_statement(outcome_of(iostat));
    return iostat;
}
