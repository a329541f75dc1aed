/* What LLVM flang's generated code passes to its run time: the parts that we read.
 *
 * Written from flang/Runtime/io-api.h, descriptor.h (which is ISO_Fortran_binding.h's CFI_cdesc_t) and namelist.h; the names
 * and arguments are the same in flang 19 and 22.
 */
#ifndef HEADRACE_FLANG_H
#define HEADRACE_FLANG_H

#include <stddef.h>
#include <stdint.h>

/* Fortran::runtime::Descriptor */
struct flang_descriptor {
    void *base;
    size_t element_bytes;
    int version;
    unsigned char array_rank;
    signed char type;
    unsigned char attribute, extra;
    struct {
        int64_t lower_bound, extent, byte_stride;
    } dimensions[15];
};

/* Fortran::runtime::io::NamelistGroup */
struct flang_namelist_variable {
    const char *name;
    const struct flang_descriptor *descriptor;
};

struct flang_namelist {
    const char *name;
    size_t variable_count;
    const struct flang_namelist_variable *variables;
};

/* Of Fortran::runtime::io::Iostat, as EndIoStatement returns it; errors are positive. */
enum { flang_iostat_end = -1, flang_iostat_end_of_record = -2 };

#ifdef __cplusplus
#define _Static_assert static_assert
#endif
_Static_assert(sizeof(void *) != 8 || offsetof(struct flang_descriptor, dimensions) == 24, "as in ISO_Fortran_binding.h");

#endif
