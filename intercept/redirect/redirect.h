/* Run times inside of the executable (-static-libgfortran, flang): the calls to them are redirected at the start. */
#ifndef HEADRACE_REDIRECT_H
#define HEADRACE_REDIRECT_H

#include <stddef.h>
#include <stdint.h>

/* Redirects the calls of the executable to the wrappers of this object. Does nothing if it has no static run time. */
void redirect_static_run_times(void);

/* The function of the static run time in the object that `address` is in; with NULL, of the first object that has one. NULL if
 * there is none of this name. */
void *static_function(const char *name, const void *address);

/* Are all calls to the static run time in the object of this address redirected? 0 also if there is none. Where that object is. */
int is_wholly_redirected(const void *address, uintptr_t *begins, uintptr_t *bytes);

/* Does that object define flush_, which flang's CALL FLUSH calls? Its run time may be inside of it. */
int has_flush_routine(const void *address);

/* Is this address in a function of a static run time? Then a system call from there is the run time's. */
int is_in_static_run_time(const void *address);

#endif
