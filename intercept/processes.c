/* Ends that run no destructor. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "frames.h"
#include "processes.h"

static pid_t our_process;

int is_our_process(void) { return intercept_active && getpid() == our_process; }

void processes_start(void) { our_process = getpid(); }

#define EXITING(name)                                                 \
    EXPORTED __attribute__((noreturn)) void name(int status)          \
    {                                                                 \
        static void (*function)(int) __attribute__((noreturn));       \
        if (!function) *(void **)&function = dlsym(RTLD_NEXT, #name); \
        if (is_our_process()) consumer_ends(process_exits_at_once);   \
        function(status);                                             \
    }
EXITING(_exit)
EXITING(_Exit)

#define EXECUTING(name, parameters, arguments)                        \
    EXPORTED int name parameters                                      \
    {                                                                 \
        static int(*function) parameters;                             \
        if (!function) *(void **)&function = dlsym(RTLD_NEXT, #name); \
        int ours = is_our_process();                                  \
        if (ours) consumer_ends(process_executes);                    \
        int result = function arguments;                              \
        if (ours) consumer_ends(process_still_here);                  \
        return result;                                                \
    }
EXECUTING(execve, (const char *path, char *const arguments_[], char *const environment[]), (path, arguments_, environment))
EXECUTING(execv, (const char *path, char *const arguments_[]), (path, arguments_))
EXECUTING(execvp, (const char *path, char *const arguments_[]), (path, arguments_))
EXECUTING(execvpe, (const char *path, char *const arguments_[], char *const environment[]), (path, arguments_, environment))
