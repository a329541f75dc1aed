/* Where an object calls functions of its static run time. */
#ifndef HEADRACE_CALL_SITES_H
#define HEADRACE_CALL_SITES_H

#include "functions.h"

/* A function that has a wrapper. */
struct target {
    const char *name;
    uintptr_t address;
    const void *wrapper;
    uintptr_t trampoline;
};

/* The functions of one object that have wrappers, by address. */
struct targets {
    struct target *list;
    size_t count;
};

struct call_site {
    uintptr_t displacement; /* where the 4 bytes stand */
    const struct target *target;
};

struct call_sites {
    struct call_site *list;
    size_t count, room;
    size_t refused; /* look like a call, but did not pass the check */
};

/* Finds all calls and jumps to `targets` from functions that are not the run time's own, and checks each:
 * the instructions from the start of its function must lead exactly to it. 0: no memory. */
int find_call_sites(struct call_sites *sites, const struct object_file *file, const struct functions *functions,
                    const struct targets *targets);

#endif
