/* The functions behind our wrappers. */
#ifndef HEADRACE_REAL_CALLS_H
#define HEADRACE_REAL_CALLS_H

#include <sys/types.h>

/* The next definition of a name after ours: in the libraries of the program, in a run time that was loaded later, or in the
 * program itself if its run time is static. Never NULL: a program that calls what nobody defines could not have started;
 * should it be so, the process stops with a message, as the loader would have done. */
void *real_function(const char *name);

/* The same, or NULL. */
void *real_function_if_any(const char *name);

/* For our own use, past the wrappers. */
int real_open(const char *path, int flags, mode_t mode);
int real_close(int descriptor);
ssize_t real_read(int descriptor, void *buffer, size_t bytes);

#endif
