/* Jumps to the wrappers, so near to the program's code that 4 bytes of displacement reach them. */
#ifndef HEADRACE_TRAMPOLINES_H
#define HEADRACE_TRAMPOLINES_H

#include "call_sites.h"

/* Makes one for each target; 0: there is no room near the code between these addresses, or the system does not let us. */
int make_trampolines(struct targets *targets, uintptr_t code_begins, uintptr_t code_ends);

/* Changes the displacements, of all sites or of none. 0: the system does not let us write to the code. `protection` is what the
 * code has, as mprotect takes it. */
int redirect_call_sites(const struct call_sites *sites, uintptr_t code_begins, uintptr_t code_ends, int protection);

#endif
