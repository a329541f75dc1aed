/* What families/ tell each other and start.c. */
#ifndef HEADRACE_FAMILIES_H
#define HEADRACE_FAMILIES_H

#include "../events.h"

/* Looks which run times are there. */
void families_start(void);

/* A function of the library of this path was met: a run time may be loaded at any time. Returns its libgfortran_layout. */
int families_meet(const char *path, const void *function);

/* Is this address in a shared Fortran run time? */
int is_in_shared_run_time(const void *address);

/* The first statement of a unit that nobody opened connects it: fort.99, or stdin and stdout. To be called if the
 * statement in progress was seen to open a file. */
void connected_by_itself(const struct statement *statement) __attribute__((cold));

#endif
