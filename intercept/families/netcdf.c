/* NetCDF's C interface; NetCDF-Fortran (nf90_put_var, NF_PUT_VARA_DOUBLE) calls it. */
#include "library_calls.h"

static const char library[] = "NetCDF";

enum { most_dimensions = 1024 }; /* NC_MAX_VAR_DIMS */

static int dimensions_of(const void *instance, word file, word variable)
{
    int dimensions = 0;
    ASK(int(int, int, int *), nc_inq_varndims);
    if (real_nc_inq_varndims((int)file, (int)variable, &dimensions) || dimensions < 0 || dimensions > most_dimensions) return -1;
    return dimensions;
}

static uint64_t elements_of_part(const void *instance, word file, word variable, const size_t *count)
{
    int dimensions = dimensions_of(instance, file, variable);
    uint64_t elements = 1;
    if (dimensions < 0 || (dimensions > 0 && !count)) return 0;
    for (int i = 0; i < dimensions; ++i) elements *= count[i];
    return elements;
}

static uint64_t elements_of_all(const void *instance, word file, word variable)
{
    int ids[most_dimensions], dimensions = dimensions_of(instance, file, variable);
    uint64_t elements = 1;
    ASK(int(int, int, int *), nc_inq_vardimid);
    ASK(int(int, int, size_t *), nc_inq_dimlen);
    if (dimensions < 0 || real_nc_inq_vardimid((int)file, (int)variable, ids)) return 0;
    for (int i = 0; i < dimensions; ++i) {
        size_t length = 0;
        if (real_nc_inq_dimlen((int)file, ids[i], &length)) return 0;
        elements *= length;
    }
    return elements;
}

/* The size of the variable's own type: calls that name none pass memory of that type. */
static uint64_t bytes_of_variable(const void *instance, word file, word variable)
{
    int type = 0;
    size_t bytes = 0;
    ASK(int(int, int, int *), nc_inq_vartype);
    ASK(int(int, int, char *, size_t *), nc_inq_type);
    if (real_nc_inq_vartype((int)file, (int)variable, &type) || real_nc_inq_type((int)file, type, NULL, &bytes)) return 0;
    return bytes;
}

#define FAILED ((int)result != 0)
#define PART (const size_t *)d
#define TRANSFER(name, ending, bytes)                                                                                       \
    LIBRARY_CALL(library, nc_##name##_var1##ending, "nc_" #name "_var1" #ending, 0, 1, elements *bytes, FAILED)             \
    LIBRARY_CALL(library, nc_##name##_var##ending, "nc_" #name "_var" #ending, 0, elements_of_all(instance, a, b),          \
                 elements *bytes, FAILED)                                                                                   \
    LIBRARY_CALL(library, nc_##name##_vara##ending, "nc_" #name "_vara" #ending, 0, elements_of_part(instance, a, b, PART), \
                 elements *bytes, FAILED)                                                                                   \
    LIBRARY_CALL(library, nc_##name##_vars##ending, "nc_" #name "_vars" #ending, 0, elements_of_part(instance, a, b, PART), \
                 elements *bytes, FAILED)                                                                                   \
    LIBRARY_CALL(library, nc_##name##_varm##ending, "nc_" #name "_varm" #ending, 0, elements_of_part(instance, a, b, PART), \
                 elements *bytes, FAILED)
#define TYPE(ending, bytes)      \
    TRANSFER(put, ending, bytes) \
    TRANSFER(get, ending, bytes)

TYPE(, bytes_of_variable(instance, a, b))
TYPE(_text, 1)
TYPE(_schar, 1)
TYPE(_uchar, 1)
TYPE(_short, 2)
TYPE(_int, 4)
TYPE(_long, sizeof(long))
TYPE(_float, 4)
TYPE(_double, 8)
TYPE(_ubyte, 1)
TYPE(_ushort, 2)
TYPE(_uint, 4)
TYPE(_longlong, 8)
TYPE(_ulonglong, 8)
TYPE(_string, sizeof(char *))

#define WITHOUT_DATA(name, traits) LIBRARY_CALL(library, name, #name, traits, 0, 0, FAILED)
WITHOUT_DATA(nc_create, 0)
WITHOUT_DATA(nc__create, 0)
WITHOUT_DATA(nc_create_par, trait_collective)
WITHOUT_DATA(nc_create_par_fortran, trait_collective)
WITHOUT_DATA(nc_open, 0)
WITHOUT_DATA(nc__open, 0)
WITHOUT_DATA(nc_open_par, trait_collective)
WITHOUT_DATA(nc_open_par_fortran, trait_collective)
WITHOUT_DATA(nc_close, 0)
WITHOUT_DATA(nc_enddef, 0)
WITHOUT_DATA(nc__enddef, 0)
WITHOUT_DATA(nc_redef, 0)
WITHOUT_DATA(nc_sync, 0)
