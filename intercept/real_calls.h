/* The functions behind our wrappers. */
#ifndef HEADRACE_REAL_CALLS_H
#define HEADRACE_REAL_CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A process may have a run time more than once: wheels of Python bring their own. So the real function depends on who calls:
 * it is the one that the caller's object would have got without us. */
struct real_call {
    uintptr_t caller_begins, caller_bytes; /* the calling object */
    void *function;
    int layout; /* of libgfortran's blocks, if it is of one: families.h */
};

/* Never NULL: what nobody defines cannot be called; should it be so, the process stops with a message, as it would have
 * done without us. `name` is a literal. */
const struct real_call *find_real_call(const char *name, const void *caller);
/* The same; NULL if nobody defines it. */
const struct real_call *look_for_real_call(const char *name, const void *caller);

/* Declares real_<name>, of `type`, as an object gets it that has the address `caller`. */
#define REAL_CALL_FOR(type, name, symbol, caller) \
    static const struct real_call *kept_##name;   \
    REAL_CALL_KEPT(type, name, symbol, caller)
/* The same, if kept_<name> is declared: DECLARE_KEPT(name), as often as one likes. */
#define DECLARE_KEPT(name) static const struct real_call *kept_##name
#define REAL_CALL_KEPT(type, name, symbol, caller)                                                                                 \
    const struct real_call *call_##name = __atomic_load_n(&kept_##name, __ATOMIC_ACQUIRE);                                         \
    const void *caller_##name = (caller);                                                                                          \
    if (__builtin_expect(!call_##name || (uintptr_t)caller_##name - call_##name->caller_begins >= call_##name->caller_bytes, 0)) { \
        call_##name = find_real_call(symbol, caller_##name);                                                                       \
        __atomic_store_n(&kept_##name, call_##name, __ATOMIC_RELEASE);                                                             \
    }                                                                                                                              \
    __typeof__(type) *real_##name;                                                                                                 \
    *(void **)&real_##name = call_##name->function
#define REAL_CALL(type, name, symbol) REAL_CALL_FOR(type, name, symbol, __builtin_return_address(0))

/* Of DECLARE_KEPT, for this caller; NULL: it must be found. */
static inline const struct real_call *kept_call_for(const struct real_call *const *kept, const void *caller)
{
    const struct real_call *call = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
    return __builtin_expect(call != NULL, 1) && (uintptr_t)caller - call->caller_begins < call->caller_bytes ? call : NULL;
}

/* The function of this name that our wrapper is in front of; NULL if nobody defines it. */
void *next_function(const char *name);

/* Found at the start: in a signal handler, in a child of vfork or on a small stack is no time to ask the loader. */
struct function_behind {
    void **function;
    const char *name;
};

/* Declares behind_<name>(), which gives the function of libc (or of another preloaded library) that a wrapper is in front of. */
#define FUNCTION_BEHIND(result_type, name, parameters)                                                                            \
    static void *found_##name;                                                                                                    \
    static const struct function_behind entry_##name __attribute__((section("functions_behind"), used)) = {&found_##name, #name}; \
    static inline __attribute__((unused)) result_type(*behind_##name(void)) parameters                                            \
    {                                                                                                                             \
        if (__builtin_expect(!found_##name, 0)) found_##name = next_function(#name);                                              \
        result_type(*function) parameters;                                                                                        \
        *(void **)&function = found_##name;                                                                                       \
        return function;                                                                                                          \
    }

/* Where the object that has this address inside begins; its path, or NULL. */
const void *object_at(const void *address, const char **path);

/* Calls `before` at every fork, and `in_child` in the child. */
void call_at_forks(void (*before)(void), void (*in_child)(void));

/* Is the program linked with the object of `headrace trace --object`? Then its wrappers count, and those of the preloaded
 * library let everything pass. */
int another_is_linked_in(void);

/* For our own use, past the wrappers of system_calls.c. */
int real_open(const char *path, int flags, mode_t mode);
int real_close(int descriptor);
ssize_t real_read(int descriptor, void *buffer, size_t bytes);
ssize_t real_read_at(int descriptor, void *buffer, size_t bytes, off_t place);
ssize_t real_write(int descriptor, const void *buffer, size_t bytes);
ssize_t real_write_at(int descriptor, const void *buffer, size_t bytes, off_t place);
int real_dlclose(void *handle);

/* A jump: the run time's backtrace does not show us. */
#define JUMP_IF_KNOWN(kept, type, caller, arguments)                            \
    do {                                                                        \
        const struct real_call *const call_here = kept_call_for(&kept, caller); \
        if (LIKELY(call_here != NULL)) {                                        \
            __typeof__(type) *real_here;                                        \
            *(void **)&real_here = call_here->function;                         \
            real_here arguments;                                                \
            return;                                                             \
        }                                                                       \
    } while (0)

#endif
