/* The functions behind our wrappers. */
#ifndef HEADRACE_REAL_CALLS_H
#define HEADRACE_REAL_CALLS_H

#include <stdint.h>
#include <sys/types.h>

/* A process may have a run time more than once: wheels of Python bring their own. So the real function depends on who calls:
 * it is the one that the caller's object would have got without us. */
struct real_call {
    uintptr_t caller_begins, caller_bytes; /* the calling object */
    void *function;
};

/* Never NULL: what nobody defines cannot be called; should it be so, the process stops with a message, as it would have
 * done without us. `name` is a literal. */
const struct real_call *find_real_call(const char *name, const void *caller);

/* Declares real_<name>, of `type`, as an object gets it that has the address `caller`. */
#define REAL_CALL_FOR(type, name, symbol, caller)                                                                                  \
    static const struct real_call *kept_##name;                                                                                    \
    const struct real_call *call_##name = __atomic_load_n(&kept_##name, __ATOMIC_ACQUIRE);                                         \
    const void *caller_##name = (caller);                                                                                          \
    if (__builtin_expect(!call_##name || (uintptr_t)caller_##name - call_##name->caller_begins >= call_##name->caller_bytes, 0)) { \
        call_##name = find_real_call(symbol, caller_##name);                                                                       \
        __atomic_store_n(&kept_##name, call_##name, __ATOMIC_RELEASE);                                                             \
    }                                                                                                                              \
    __typeof__(type) *real_##name;                                                                                                 \
    *(void **)&real_##name = call_##name->function
#define REAL_CALL(type, name, symbol) REAL_CALL_FOR(type, name, symbol, __builtin_return_address(0))

void real_calls_after_fork(void);

/* For our own use, past the wrappers. */
int real_open(const char *path, int flags, mode_t mode);
int real_close(int descriptor);
ssize_t real_read(int descriptor, void *buffer, size_t bytes);

#endif
