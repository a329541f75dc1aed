/* What families/ tell each other and start.c. */
#ifndef HEADRACE_FAMILIES_H
#define HEADRACE_FAMILIES_H

#include "../events.h"

/* Looks which run times are there. */
void families_start(void);

/* Is this address in a shared Fortran run time? */
int is_in_shared_run_time(const void *address);

/* The first statement of a unit that nobody opened connects it: fort.99, or stdin and stdout. To be called if the
 * statement in progress was seen to open a file. */
void connected_by_itself(const struct statement *statement) __attribute__((cold));

#endif
