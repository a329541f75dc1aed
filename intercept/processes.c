/* Ends that run no destructor. vfork's children share our memory and must not be taken for the parent: they are another process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "frames.h"

static pid_t our_process;

static int is_ours(void)
{
    if (!intercept_active) return 0;
    return getpid() == our_process;
}

void processes_start(void) { our_process = getpid(); }

#define EXITING(name)                                                                                   \
    EXPORTED __attribute__((noreturn)) void name(int status)                                            \
    {                                                                                                   \
        static void (*function)(int) __attribute__((noreturn));                                         \
        if (!function) *(void **)&function = dlsym(RTLD_NEXT, #name);                                   \
        if (is_ours()) consumer_ends(process_exits_at_once);                                            \
        function(status);                                                                               \
    }
EXITING(_exit)
EXITING(_Exit)

#define EXECUTING(name, parameters, arguments)                                                          \
    EXPORTED int name parameters                                                                        \
    {                                                                                                   \
        static int(*function) parameters;                                                               \
        if (!function) *(void **)&function = dlsym(RTLD_NEXT, #name);                                   \
        int ours = is_ours();                                                                           \
        if (ours) consumer_ends(process_executes);                                                      \
        int result = function arguments;                                                                \
        if (ours) consumer_ends(process_still_here);                                                    \
        return result;                                                                                  \
    }
EXECUTING(execve, (const char *path, char *const arguments_[], char *const environment[]), (path, arguments_, environment))
EXECUTING(execv, (const char *path, char *const arguments_[]), (path, arguments_))
EXECUTING(execvp, (const char *path, char *const arguments_[]), (path, arguments_))
EXECUTING(execvpe, (const char *path, char *const arguments_[], char *const environment[]), (path, arguments_, environment))
