/* Ends that run no destructor. */
#define _GNU_SOURCE
#include "processes.h"

#include <alloca.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"
#include "frames.h"
#include "real_calls.h"
#include "run/run.h"
#include "sandbox.h"

static pid_t our_process;

/* A child of vfork shares our memory, and is not meant. */
static int is_the_process(void) { return system_calls_are_filtered || getpid() == our_process; }

int is_our_process(void) { return intercept_active && is_the_process(); }

static int runs_here(void) { return run_is_active && is_the_process(); }

void processes_start(void) { our_process = getpid(); }

#define EXITING(name)                                               \
    FUNCTION_BEHIND(void, name, (int))                              \
    EXPORTED __attribute__((noreturn)) void name(int status)        \
    {                                                               \
        if (runs_here()) run_ends();                                \
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
        if (runs_here()) run_before_everything();    \
        if (ours) consumer_ends(process_executes);   \
        int result = call;                           \
        if (ours) consumer_ends(process_still_here); \
        return result;                               \
    } while (0)

typedef char *const *words_of_program;

/* Without a slash PATH says which file it is, and nobody looks into that. */
static const char *with_slash(const char *program) { return program && strchr(program, '/') ? program : NULL; }

#define EXECUTING(name, first, file)                                                                \
    FUNCTION_BEHIND(int, name, (first, words_of_program, words_of_program))                         \
    EXPORTED int name(first program, words_of_program words, words_of_program given)                \
    {                                                                                               \
        ENVIRONMENT_WITH_OURS(with_ours, file, words, given);                                       \
        EXECUTED(behind_##name()(program, words, with_ours ? (words_of_program)with_ours : given)); \
    }
EXECUTING(execve, const char *, program)
EXECUTING(execvpe, const char *, with_slash(program))
EXECUTING(fexecve, int, NULL)

#define EXECUTING_HERE(name, with_environment, file)                                     \
    FUNCTION_BEHIND(int, name, (const char *, words_of_program))                         \
    EXPORTED int name(const char *program, words_of_program words)                       \
    {                                                                                    \
        ENVIRONMENT_WITH_OURS(with_ours, file, words, environ);                          \
        if (with_ours) EXECUTED(behind_##with_environment()(program, words, with_ours)); \
        EXECUTED(behind_##name()(program, words));                                       \
    }
EXECUTING_HERE(execv, execve, program)
EXECUTING_HERE(execvp, execvpe, with_slash(program))

#define SPAWNING(name, file)                                                                                                   \
    FUNCTION_BEHIND(int, name,                                                                                                 \
                    (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, words_of_program,   \
                     words_of_program))                                                                                        \
    EXPORTED int name(pid_t *process, const char *program, const posix_spawn_file_actions_t *actions,                          \
                      const posix_spawnattr_t *attributes, words_of_program words, words_of_program given)                     \
    {                                                                                                                          \
        ENVIRONMENT_WITH_OURS(with_ours, file, words, given);                                                                  \
        if (run_is_active) run_before_everything();                                                                             \
        return behind_##name()(process, program, actions, attributes, words, with_ours ? (words_of_program)with_ours : given); \
    }
SPAWNING(posix_spawn, program)
SPAWNING(posix_spawnp, with_slash(program))

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
    return execv(path, words);
}

EXPORTED int execlp(const char *file, const char *first, ...)
{
    WORDS_OF(first)
    va_end(more);
    return execvp(file, words);
}

EXPORTED int execle(const char *path, const char *first, ...)
{
    WORDS_OF(first)
    char **environment = va_arg(more, char **); /* behind the NULL */
    va_end(more);
    return execve(path, words, environment);
}
