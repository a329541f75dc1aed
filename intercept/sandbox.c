#define _GNU_SOURCE
#include "sandbox.h"

#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "clock.h"
#include "frames.h"
#include "real_calls.h"
#include "run/run.h"

int system_calls_are_filtered;

/* No call, no clock: what was counted so far stays. */
static void stop_counting(const char *why)
{
    consumer_note("the program %s: what it did from then on is not counted", why);
    consumer_ends(process_exits_at_once);
    intercept_active = 0;
}

static void filter_is_set(void)
{
    if (!clock_counter_is_usable) {
        stop_counting("filters its system calls (seccomp), and telling the time may be one of them");
        return;
    }
    system_calls_are_filtered = 1;
    consumer_note(
        "the program filters its system calls (seccomp): source lines and files that it came to after that are not counted");
}

FUNCTION_BEHIND(int, prctl, (int, ...))
EXPORTED int prctl(int option, ...)
{
    va_list more;
    unsigned long words[4];
    va_start(more, option);
    for (int i = 0; i < 4; ++i) words[i] = va_arg(more, unsigned long);
    va_end(more);
    if (option == PR_SET_SECCOMP) run_steps_aside("the program filters its system calls (seccomp)");
    if (!intercept_active) return behind_prctl()(option, words[0], words[1], words[2], words[3]);
    if (option == PR_SET_TSC && words[0] == PR_TSC_SIGSEGV) stop_counting("forbids to read the processor's counter of time");
    if (option == PR_SET_SECCOMP && words[0] == SECCOMP_MODE_STRICT)
        stop_counting("allows itself only read and write (seccomp, strict mode)");
    int result = behind_prctl()(option, words[0], words[1], words[2], words[3]);
    if (result == 0 && option == PR_SET_SECCOMP && words[0] == SECCOMP_MODE_FILTER) filter_is_set();
    return result;
}

/* More words than were passed are read, and mean nothing. */
#ifdef HEADRACE_FUZZ
#define READS_SIX_WORDS __attribute__((no_sanitize("address")))
#else
#define READS_SIX_WORDS
#endif

FUNCTION_BEHIND(long, syscall, (long, ...))
READS_SIX_WORDS EXPORTED long syscall(long number, ...)
{
    va_list more;
    long words[6];
    va_start(more, number);
    for (int i = 0; i < 6; ++i) words[i] = va_arg(more, long);
    va_end(more);
    if (number == SYS_seccomp) run_steps_aside("the program filters its system calls (seccomp)");
    int is_seccomp = number == SYS_seccomp && intercept_active;
    if (is_seccomp && words[0] == SECCOMP_SET_MODE_STRICT && !words[1])
        stop_counting("allows itself only read and write (seccomp, strict mode)");
    long result = behind_syscall()(number, words[0], words[1], words[2], words[3], words[4], words[5]);
    if (is_seccomp && result == 0 && words[0] == SECCOMP_SET_MODE_FILTER) filter_is_set();
    return result;
}
