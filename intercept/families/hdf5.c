/* HDF5's C interface; its Fortran interface (h5dwrite_f) calls it. */
#include "library_calls.h"

static const char library[] = "HDF5";

/* Ids below are not dataspaces but words: H5S_ALL, H5S_BLOCK, H5S_PLIST. */
static const int64_t last_special_space = 2;

static uint64_t points_of_space(const void *instance, int64_t space)
{
    if (space <= last_special_space) return 0;
    ASK(int64_t(int64_t), H5Sget_select_npoints);
    int64_t count = real_H5Sget_select_npoints(space);
    return count > 0 ? (uint64_t)count : 0;
}

/* How many elements a transfer moves: what is selected in memory; else in the file; else all of the dataset. */
static uint64_t elements_of(const void *instance, int64_t dataset, int64_t memory, int64_t file)
{
    if (memory > last_special_space) return points_of_space(instance, memory);
    if (file > last_special_space) return points_of_space(instance, file);
    if (memory || file || dataset <= 0) return 0;
    ASK(int64_t(int64_t), H5Dget_space);
    ASK(int(int64_t), H5Sclose);
    int64_t space = real_H5Dget_space(dataset);
    uint64_t elements = points_of_space(instance, space);
    if (space > 0) real_H5Sclose(space);
    return elements;
}

static uint64_t bytes_of_type(const void *instance, int64_t type)
{
    if (type <= 0) return 0;
    ASK(size_t(int64_t), H5Tget_size);
    return real_H5Tget_size(type);
}

#define FAILED ((int)result < 0)
#define FAILED_ID ((int64_t)result < 0)
LIBRARY_CALL(library, H5Dwrite, "H5Dwrite", 0, elements_of(instance, (int64_t)a, (int64_t)c, (int64_t)d),
             elements *bytes_of_type(instance, (int64_t)b), FAILED)
LIBRARY_CALL(library, H5Dread, "H5Dread", 0, elements_of(instance, (int64_t)a, (int64_t)c, (int64_t)d),
             elements *bytes_of_type(instance, (int64_t)b), FAILED)
LIBRARY_CALL(library, H5Awrite, "H5Awrite", 0, 0, 0, FAILED)
LIBRARY_CALL(library, H5Aread, "H5Aread", 0, 0, 0, FAILED)
LIBRARY_CALL(library, H5Fcreate, "H5Fcreate", 0, 0, 0, FAILED_ID)
LIBRARY_CALL(library, H5Fopen, "H5Fopen", 0, 0, 0, FAILED_ID)
LIBRARY_CALL(library, H5Fclose, "H5Fclose", 0, 0, 0, FAILED)
LIBRARY_CALL(library, H5Fflush, "H5Fflush", 0, 0, 0, FAILED)
LIBRARY_CALL(library, H5Dcreate2, "H5Dcreate", 0, 0, 0, FAILED_ID)
LIBRARY_CALL(library, H5Dopen2, "H5Dopen", 0, 0, 0, FAILED_ID)
LIBRARY_CALL(library, H5Dclose, "H5Dclose", 0, 0, 0, FAILED)
LIBRARY_CALL(library, H5Dset_extent, "H5Dset_extent", 0, 0, 0, FAILED)
LIBRARY_CALL(library, H5Gcreate2, "H5Gcreate", 0, 0, 0, FAILED_ID)
LIBRARY_CALL(library, H5Gopen2, "H5Gopen", 0, 0, 0, FAILED_ID)
