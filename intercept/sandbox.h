/* Programs that forbid themselves system calls: one that we make would be their end. */
#ifndef HEADRACE_SANDBOX_H
#define HEADRACE_SANDBOX_H

/* A filter of seccomp is set: from now on only memory that is there already is used. */
extern int system_calls_are_filtered;

#endif
