/* Whose line a library's call belongs to: the first caller outside of the I/O libraries. HDF5's Fortran interface calls its C
 * interface, NetCDF calls HDF5, HDF5 calls MPI-IO: each is a statement of its own, inside the other. */
#define _GNU_SOURCE
#include "library_calls.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>

extern __typeof__(backtrace) backtrace __attribute__((weak));

static int is_of_a_library(const void *address)
{
    static const char *const parts[] = {"libmpi",  "libpmpi", "libmpich", "libhdf5", "libnetcdf",         "libpnetcdf",
                                        "libmca_", "mca_",    "libopen-", "libpmi",  "libheadrace_trace", "libheadrace_run",
                                        NULL};
    Dl_info object;
    if (!dladdr(address, &object) || !object.dli_fname) return 0;
    const char *name = strrchr(object.dli_fname, '/');
    name = name ? name + 1 : object.dli_fname;
    for (int i = 0; parts[i]; ++i)
        if (strncmp(name, parts[i], strlen(parts[i])) == 0) return 1;
    return 0;
}

/* Loaded objects rarely change: what was said of an address is kept. A plug-in that takes the place of another at the same
 * address would be named wrongly, no more. */
static int is_of_a_library_remembered(const void *address)
{
    enum { places = 64 }; /* thread-local memory is taken from the stacks of threads */
    static __thread __attribute__((tls_model("initial-exec"))) struct {
        const void *address;
        int answer;
    } known[places];
    uintptr_t place = (uintptr_t)address / 4 % places;
    if (known[place].address != address) {
        known[place].answer = is_of_a_library(address);
        known[place].address = address;
    }
    return known[place].answer;
}

static const void *outside_caller(const void *address)
{
    enum { deepest = 24 };
    void *callers[deepest];
    if (LIKELY(!is_of_a_library_remembered(address))) return address;
    int depth = backtrace ? backtrace(callers, deepest) : 0; /* musl has none */
    for (int i = 0; i < depth; ++i)
        if (!is_of_a_library_remembered(callers[i])) return callers[i];
    return address;
}

struct frame *begin_library_call(const char *library, const char *function, uint32_t traits, const void *caller)
{
    if (UNLIKELY(!intercept_active)) return NULL;
    struct frame *outer = current_frame();
    if (outer && (outer->library == library || (outer->library && outer->inside_item))) return NULL;
    struct statement statement = {.kind = statement_library_call,
                                  .traits = traits,
                                  .unit = unit_none,
                                  .name = function,
                                  .family = library,
                                  .caller = outside_caller(caller)};
    struct frame *frame = begin_statement(&statement);
    if (frame) frame->library = library;
    else end_statement(outcome_done); /* too deep: uncounted */
    return frame;
}
