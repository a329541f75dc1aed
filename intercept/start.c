/* The start and the end of a traced process. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "environment.h"
#include "families/families.h"
#include "frames.h"
#include "processes.h"
#include "real_calls.h"
#include "redirect/redirect.h"
#include "run/run.h"

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
    run_starts_again();
    if (intercept_active) consumer_starts(1);
}

static void before_a_fork(void)
{
    if (run_is_active) run_before_everything();
}

/* The linker names the ends of the section. */
extern const struct function_behind __start_functions_behind[] __attribute__((visibility("hidden"))),
    __stop_functions_behind[] __attribute__((visibility("hidden")));

static void find_functions_behind(void)
{
    for (const struct function_behind *one = __start_functions_behind; one < __stop_functions_behind; ++one)
        if (!*one->function) *one->function = next_function(one->name);
}

static void start_trace(void)
{
    const char *directory = getenv("HEADRACE_TRACE_DIRECTORY");
    if (!directory || !*directory) return;
    clock_counter_is_usable = kernel_uses_counter();
    consumer_starts(0);
    intercept_active = 1;
}

__attribute__((constructor)) static void start(void)
{
    find_functions_behind();
    if (another_is_linked_in()) return;
    run_starts();
    const char *directory = getenv("HEADRACE_TRACE_DIRECTORY");
    if (!run_is_active && (!directory || !*directory)) return;
    environment_start();
    processes_start();
    start_trace();
    families_start();
    call_at_forks(before_a_fork, child_of_fork);
    redirect_static_run_times();
}

__attribute__((destructor)) static void end(void)
{
    run_ends();
    if (intercept_active) consumer_ends(process_exits);
}
