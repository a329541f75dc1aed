/* How long an instruction of x86-64 is: enough to walk from the start of a function to a call. */
#ifndef HEADRACE_INSTRUCTION_LENGTH_H
#define HEADRACE_INSTRUCTION_LENGTH_H

#include <stddef.h>

/* The bytes of the instruction at `code`, of which `available` may be read. 0: not known, or cut off. */
size_t instruction_length(const unsigned char *code, size_t available);

#endif
