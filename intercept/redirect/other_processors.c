/* Elsewhere than on x86-64 static run times are not traced. */
#include "redirect.h"

#if !defined(__x86_64__)

void redirect_static_run_times(void) {}

void *static_function(const char *name, const void *address)
{
    (void)name;
    (void)address;
    return NULL;
}

int is_wholly_redirected(const void *address, uintptr_t *begins, uintptr_t *bytes)
{
    (void)address;
    (void)begins;
    (void)bytes;
    return 0;
}

int has_flush_routine(const void *address)
{
    (void)address;
    return 0;
}

int is_in_static_run_time(const void *address)
{
    (void)address;
    return 0;
}

#endif
