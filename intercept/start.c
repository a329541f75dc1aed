/* The start and the end of a traced process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "environment.h"
#include "families/families.h"
#include "frames.h"
#include "processes.h"
#include "real_calls.h"
#include "redirect/redirect.h"

__thread struct thread_state this_thread __attribute__((tls_model("initial-exec"))) = {.opened_descriptor = -1};
uint32_t connections_changed, objects_changed;
int intercept_active;
int clock_counter_is_usable;

/* The kernel keeps time by the counter only while it finds it steady and equal on all processors. */
static int kernel_uses_counter(void)
{
#if defined(__x86_64__)
    char text[32] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    if (!file) return 0;
    int has_text = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    return has_text && strncmp(text, "tsc", 3) == 0;
#else
    return 0;
#endif
}

/* What the parent's statement counts stays the parent's; the child's own end of it is ignored. */
static void child_of_fork(void)
{
    memset(&this_thread, 0, sizeof this_thread);
    this_thread.opened_descriptor = -1;
    processes_start();
    consumer_starts(1);
}

/* What glibc's pthread_atfork is made of. musl has pthread_atfork itself; a strong reference to either would keep programs of
 * the other libc from starting: their loader gets our library too, if a script starts them. */
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *) __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

static void watch_forks(void)
{
    if (__register_atfork) {
        __register_atfork(NULL, NULL, child_of_fork, &__dso_handle);
        return;
    }
    int (*at_fork)(void (*)(void), void (*)(void), void (*)(void));
    *(void **)&at_fork = dlsym(RTLD_DEFAULT, "pthread_atfork");
    if (at_fork) at_fork(NULL, NULL, child_of_fork);
}

__attribute__((constructor)) static void start(void)
{
    real_calls_start();
    environment_start();
    clock_counter_is_usable = kernel_uses_counter();
    processes_start();
    consumer_starts(0);
    families_start();
    watch_forks();
    intercept_active = 1;
    redirect_static_run_times();
}

__attribute__((destructor)) static void end(void)
{
    if (intercept_active) consumer_ends(process_exits);
}
