/* Ends that run no destructor. */
#define _GNU_SOURCE
#include "processes.h"

#include <alloca.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "frames.h"
#include "real_calls.h"
#include "sandbox.h"

static pid_t our_process;

int is_our_process(void) { return intercept_active && (system_calls_are_filtered || getpid() == our_process); }

void processes_start(void) { our_process = getpid(); }

#define EXITING(name)                                               \
    FUNCTION_BEHIND(void, name, (int))                              \
    EXPORTED __attribute__((noreturn)) void name(int status)        \
    {                                                               \
        if (is_our_process()) consumer_ends(process_exits_at_once); \
        behind_##name()(status);                                    \
        __builtin_unreachable();                                    \
    }
EXITING(_exit)
EXITING(_Exit)
EXITING(quick_exit) /* its handlers may do I/O: that is counted as well */

#define EXECUTED(call)                               \
    do {                                             \
        int ours = is_our_process();                 \
        if (ours) consumer_ends(process_executes);   \
        int result = call;                           \
        if (ours) consumer_ends(process_still_here); \
        return result;                               \
    } while (0)

#define EXECUTING(name, parameters, arguments) \
    FUNCTION_BEHIND(int, name, parameters)     \
    EXPORTED int name parameters { EXECUTED(behind_##name() arguments); }
EXECUTING(execve, (const char *path, char *const arguments_[], char *const environment[]), (path, arguments_, environment))
EXECUTING(execv, (const char *path, char *const arguments_[]), (path, arguments_))
EXECUTING(execvp, (const char *path, char *const arguments_[]), (path, arguments_))
EXECUTING(execvpe, (const char *path, char *const arguments_[], char *const environment[]), (path, arguments_, environment))
EXECUTING(fexecve, (int descriptor, char *const arguments_[], char *const environment[]), (descriptor, arguments_, environment))

/* The words of execl and its kin, on the stack: a child of vfork must not allocate. */
#define WORDS_OF(first)                                                        \
    va_list more;                                                              \
    size_t count = 1;                                                          \
    va_start(more, first);                                                     \
    while (count < SIZE_MAX / sizeof(char *) && va_arg(more, char *)) ++count; \
    va_end(more);                                                              \
    char **words = alloca((count + 1) * sizeof *words);                        \
    va_start(more, first);                                                     \
    words[0] = (char *)(uintptr_t)first;                                       \
    for (size_t i = 1; i <= count; ++i) words[i] = va_arg(more, char *);

EXPORTED int execl(const char *path, const char *first, ...)
{
    WORDS_OF(first)
    va_end(more);
    EXECUTED(behind_execve()(path, words, environ));
}

EXPORTED int execlp(const char *file, const char *first, ...)
{
    WORDS_OF(first)
    va_end(more);
    EXECUTED(behind_execvp()(file, words));
}

EXPORTED int execle(const char *path, const char *first, ...)
{
    WORDS_OF(first)
    char **environment = va_arg(more, char **); /* behind the NULL */
    va_end(more);
    EXECUTED(behind_execve()(path, words, environment));
}
