/* PnetCDF's C interface; its Fortran interfaces (nf90mpi_put_var, nfmpi_put_vara_double) call it. */
#include "library_calls.h"

static const char library[] = "PnetCDF";

enum { most_dimensions = 1024 };

static int dimensions_of(const void *instance, word file, word variable)
{
    int dimensions = 0;
    ASK(int(int, int, int *), ncmpi_inq_varndims);
    if (real_ncmpi_inq_varndims((int)file, (int)variable, &dimensions) || dimensions < 0 || dimensions > most_dimensions) return -1;
    return dimensions;
}

static uint64_t elements_of_part(const void *instance, word file, word variable, const int64_t *count)
{
    int dimensions = dimensions_of(instance, file, variable);
    uint64_t elements = 1;
    if (dimensions < 0 || (dimensions > 0 && !count)) return 0;
    for (int i = 0; i < dimensions; ++i) elements *= count[i] > 0 ? (uint64_t)count[i] : 0;
    return elements;
}

static uint64_t elements_of_all(const void *instance, word file, word variable)
{
    int ids[most_dimensions], dimensions = dimensions_of(instance, file, variable);
    uint64_t elements = 1;
    ASK(int(int, int, int *), ncmpi_inq_vardimid);
    ASK(int(int, int, int64_t *), ncmpi_inq_dimlen);
    if (dimensions < 0 || real_ncmpi_inq_vardimid((int)file, (int)variable, ids)) return 0;
    for (int i = 0; i < dimensions; ++i) {
        int64_t length = 0;
        if (real_ncmpi_inq_dimlen((int)file, ids[i], &length) || length < 0) return 0;
        elements *= (uint64_t)length;
    }
    return elements;
}

#define FAILED ((int)result != 0)
#define PART (const int64_t *)d
#define CALL(name, type, ending, traits, count, bytes) \
    LIBRARY_CALL(library, ncmpi_##name##_##type##ending, "ncmpi_" #name "_" #type #ending, traits, count, elements *bytes, FAILED)
#define SHAPES(name, type, ending, traits, bytes)                                          \
    CALL(name##_var1, type, ending, traits, 1, bytes)                                      \
    CALL(name##_var, type, ending, traits, elements_of_all(instance, a, b), bytes)         \
    CALL(name##_vara, type, ending, traits, elements_of_part(instance, a, b, PART), bytes) \
    CALL(name##_vars, type, ending, traits, elements_of_part(instance, a, b, PART), bytes) \
    CALL(name##_varm, type, ending, traits, elements_of_part(instance, a, b, PART), bytes)
#define TYPE(type, bytes)                            \
    SHAPES(put, type, , 0, bytes)                    \
    SHAPES(get, type, , 0, bytes)                    \
    SHAPES(put, type, _all, trait_collective, bytes) \
    SHAPES(get, type, _all, trait_collective, bytes) \
    SHAPES(iput, type, , 0, bytes)                   \
    SHAPES(iget, type, , 0, bytes)                   \
    SHAPES(bput, type, , 0, bytes)

TYPE(text, 1)
TYPE(schar, 1)
TYPE(uchar, 1)
TYPE(short, 2)
TYPE(ushort, 2)
TYPE(int, 4)
TYPE(uint, 4)
TYPE(long, sizeof(long))
TYPE(float, 4)
TYPE(double, 8)
TYPE(longlong, 8)
TYPE(ulonglong, 8)

#define WITHOUT_DATA(name, traits) LIBRARY_CALL(library, name, #name, traits, 0, 0, FAILED)
WITHOUT_DATA(ncmpi_create, trait_collective)
WITHOUT_DATA(ncmpi_open, trait_collective)
WITHOUT_DATA(ncmpi_close, trait_collective)
WITHOUT_DATA(ncmpi_enddef, trait_collective)
WITHOUT_DATA(ncmpi_redef, trait_collective)
WITHOUT_DATA(ncmpi_sync, trait_collective)
WITHOUT_DATA(ncmpi_wait, 0)
WITHOUT_DATA(ncmpi_wait_all, trait_collective)
