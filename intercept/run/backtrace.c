/* The backtrace of an error, as it is without us: functions of ours that stand between the run time and the program are passed
 * over. Those that a signal has met stay, because they may be the reason.
 */
#ifdef HEADRACE_RUN
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>

#include "../frames.h"
#include "../real_calls.h"

/* A compiler without the attribute could not tell our function from that of libgcc, which is linked into this library. */
#if defined(__has_attribute)
#if __has_attribute(symver)

extern const char __ehdr_start[] __attribute__((visibility("hidden"))), _end[] __attribute__((visibility("hidden")));

typedef int each_frame(void *context, void *data);

FUNCTION_BEHIND(int, _Unwind_Backtrace, (each_frame *, void *))
FUNCTION_BEHIND(uintptr_t, _Unwind_GetIP, (void *))

struct walk {
    each_frame *shows;
    void *data;
    uintptr_t last; /* the address before, of those that were shown */
};

static int is_of_run_time(uintptr_t address)
{
    const char *path = NULL;
    object_at((const void *)address, &path);
    return path && strstr(path, "libgfortran");
}

static int passes(void *context, void *data)
{
    struct walk *walk = data;
    const uintptr_t address = behind__Unwind_GetIP()(context);
    const int is_ours = address - (uintptr_t)__ehdr_start < (uintptr_t)(_end - __ehdr_start);
    const int is_this_walk = walk->last == 0; /* run_backtrace */
    if (is_ours && (is_this_walk || is_of_run_time(walk->last))) return 0;
    walk->last = address;
    return walk->shows(context, walk->data);
}

EXPORTED int run_backtrace(each_frame *shows, void *data);
/* The version that libgfortran asks for. */
__attribute__((symver("_Unwind_Backtrace@GCC_3.3"))) EXPORTED int run_backtrace(each_frame *shows, void *data)
{
    struct walk walk = {shows, data, 0};
    if (!behind__Unwind_Backtrace()) return 5; /* the end of the stack */
    if (!behind__Unwind_GetIP()) return behind__Unwind_Backtrace()(shows, data);
    return behind__Unwind_Backtrace()(passes, &walk);
}

#endif
#endif
#endif
