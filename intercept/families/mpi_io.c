/* MPI-IO, called from C and from Fortran (mpif.h and mpi: name_, mpi_f08: name_f08_ and name_f08ts_), of every MPI. Some MPIs
 * lead Fortran's calls through the C functions of the same name: that is one call.
 */
#include "library_calls.h"

static const char library[] = "MPI-IO";

/* The size of a datatype, from the MPI that the program has. */
static uint64_t bytes_of_type(const void *instance, word type)
{
    ASK(int(word, int *), PMPI_Type_size);
    int bytes = 0;
    return real_PMPI_Type_size(type, &bytes) == 0 && bytes > 0 ? (uint64_t)bytes : 0;
}

static uint64_t bytes_of_fortran_type(const void *instance, word type)
{
    ASK(void(const int *, int *, int *), pmpi_type_size_);
    int bytes = 0, failed = 0;
    real_pmpi_type_size_((const int *)type, &bytes, &failed);
    return !failed && bytes > 0 ? (uint64_t)bytes : 0;
}

static inline uint64_t in_c(word count) { return (int)count > 0 ? (uint64_t)(int)count : 0; }
static inline uint64_t in_fortran(word count) { return in_c((word)(unsigned)*(const int *)count); }

#define IN_C(name, traits, count, type)                                                                                     \
    LIBRARY_CALL(library, MPI_File_##name, "MPI_File_" #name, traits, in_c(count), elements *bytes_of_type(instance, type), \
                 (int)result != 0)
#define IN_FORTRAN(name, ending, traits, count, type)                                            \
    LIBRARY_CALL(library, mpi_file_##name##ending, "MPI_File_" #name, traits, in_fortran(count), \
                 elements *bytes_of_fortran_type(instance, type), 0)
#define WITHOUT_DATA(name, traits)                                                            \
    LIBRARY_CALL(library, MPI_File_##name, "MPI_File_" #name, traits, 0, 0, (int)result != 0) \
    LIBRARY_CALL(library, mpi_file_##name##_, "MPI_File_" #name, traits, 0, 0, 0)             \
    LIBRARY_CALL(library, mpi_file_##name##_f08_, "MPI_File_" #name, traits, 0, 0, 0)

/* (file, buffer, count, type, ...) and (file, offset, buffer, count, type, ...) */
#define AT_THE_POINTER(name, traits)      \
    IN_C(name, traits, c, d)              \
    IN_FORTRAN(name, _, traits, c, d)     \
    IN_FORTRAN(name, _f08_, traits, c, d) \
    IN_FORTRAN(name, _f08ts_, traits, c, d)
#define AT_AN_OFFSET(name, traits)        \
    IN_C(name, traits, d, e)              \
    IN_FORTRAN(name, _, traits, d, e)     \
    IN_FORTRAN(name, _f08_, traits, d, e) \
    IN_FORTRAN(name, _f08ts_, traits, d, e)

AT_THE_POINTER(write, 0)
AT_THE_POINTER(write_all, trait_collective)
AT_THE_POINTER(write_shared, 0)
AT_THE_POINTER(write_ordered, trait_collective)
AT_THE_POINTER(read, 0)
AT_THE_POINTER(read_all, trait_collective)
AT_THE_POINTER(read_shared, 0)
AT_THE_POINTER(read_ordered, trait_collective)
AT_THE_POINTER(iwrite, 0)
AT_THE_POINTER(iread, 0)
AT_THE_POINTER(iwrite_all, trait_collective)
AT_THE_POINTER(iread_all, trait_collective)
AT_THE_POINTER(iwrite_shared, 0)
AT_THE_POINTER(iread_shared, 0)
AT_THE_POINTER(write_all_begin, trait_collective)
AT_THE_POINTER(read_all_begin, trait_collective)
AT_THE_POINTER(write_ordered_begin, trait_collective)
AT_THE_POINTER(read_ordered_begin, trait_collective)
AT_AN_OFFSET(write_at, 0)
AT_AN_OFFSET(write_at_all, trait_collective)
AT_AN_OFFSET(read_at, 0)
AT_AN_OFFSET(read_at_all, trait_collective)
AT_AN_OFFSET(iwrite_at, 0)
AT_AN_OFFSET(iread_at, 0)
AT_AN_OFFSET(iwrite_at_all, trait_collective)
AT_AN_OFFSET(iread_at_all, trait_collective)
AT_AN_OFFSET(write_at_all_begin, trait_collective)
AT_AN_OFFSET(read_at_all_begin, trait_collective)
WITHOUT_DATA(open, trait_collective)
WITHOUT_DATA(close, trait_collective)
WITHOUT_DATA(set_view, trait_collective)
WITHOUT_DATA(set_size, trait_collective)
WITHOUT_DATA(preallocate, trait_collective)
WITHOUT_DATA(sync, trait_collective)
WITHOUT_DATA(seek, 0)
WITHOUT_DATA(seek_shared, trait_collective)
WITHOUT_DATA(write_all_end, trait_collective)
WITHOUT_DATA(read_all_end, trait_collective)
WITHOUT_DATA(write_at_all_end, trait_collective)
WITHOUT_DATA(read_at_all_end, trait_collective)
WITHOUT_DATA(write_ordered_end, trait_collective)
WITHOUT_DATA(read_ordered_end, trait_collective)
