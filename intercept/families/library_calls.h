/* Calls of I/O libraries as events: MPI-IO, HDF5, NetCDF, PnetCDF.
 *
 * Their functions get here with eight words of arguments, and go on with the same eight: integers, handles and pointers are
 * passed in registers or words of the stack whatever their types are, so that one wrapper serves the handles of every MPI.
 * (x86-64 and aarch64; none of these functions takes or returns floating point.)
 */
#ifndef HEADRACE_LIBRARY_CALLS_H
#define HEADRACE_LIBRARY_CALLS_H

#include "../frames.h"
#include "../real_calls.h"

typedef uintptr_t word;
#define WORDS word a, word b, word c, word d, word e, word f, word g, word h
#define SAME_WORDS a, b, c, d, e, f, g, h

/* NULL if the call is to pass uncounted: we are not active, or it is made inside of one of the same library. */
struct frame *begin_library_call(const char *library, const char *function, uint32_t traits, const void *caller);

/* A function of the same instance of the library: a process may have two HDF5s, and a handle belongs to one. */
#define ASK(type, name) REAL_CALL_FOR(type, name, #name, instance)

/* elements and payload are evaluated before the call, when all arguments are valid; `failed` may use `result`. */
#define LIBRARY_CALL(library, symbol, spoken, traits, count, payload, failed)                           \
    EXPORTED word symbol(WORDS)                                                                         \
    {                                                                                                   \
        REAL_CALL(word(WORDS), symbol, #symbol);                                                        \
        const void *instance = (const void *)(uintptr_t)real_##symbol;                                  \
        (void)instance;                                                                                 \
        struct frame *frame = begin_library_call(library, spoken, traits, __builtin_return_address(0)); \
        if (UNLIKELY(!frame)) return real_##symbol(SAME_WORDS);                                         \
        uint64_t elements = (uint64_t)(count);                                                          \
        frame->inside_item = 1; /* asking the library is not counted either */                          \
        uint64_t bytes = (uint64_t)(payload);                                                           \
        frame->inside_item = 0;                                                                         \
        if (elements) count_item(frame, elements, bytes);                                               \
        word result = real_##symbol(SAME_WORDS);                                                        \
        end_statement((failed) ? outcome_error : outcome_done);                                         \
        return result;                                                                                  \
    }

#endif
