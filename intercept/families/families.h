/* What families/ tell each other and start.c. */
#ifndef HEADRACE_FAMILIES_H
#define HEADRACE_FAMILIES_H

/* Looks which run times are there. */
void families_start(void);

/* Is this address in a shared Fortran run time? */
int is_in_shared_run_time(const void *address);

/* A statement connected a unit by itself, or an OPEN ended: what open(2) was seen to open. */
void forget_opened(void);

#endif
