/* headrace_mpi: arrays that are spread over the ranks of an MPI communicator, written to and read
 * from one logical array in files. The C interface; Fortran programs use the module headrace_mpi.
 *
 * Every function with a communicator, a layout or a dataset is collective: all MPI ranks of the
 * communicator call it, in the same order, with the same names and options. Each returns the same
 * status and message on every MPI rank; a failure of one names that MPI rank.
 *
 *     hr_layout layout = 0;
 *     hr_make_layout(&layout, MPI_COMM_WORLD, 3, global, start, count, &error);
 *     hr_write_parallel("restart.zarr", &local, layout, NULL, NULL, &error);
 *     hr_free_layout(&layout, NULL);
 */
#ifndef HEADRACE_MPI_H
#define HEADRACE_MPI_H

#include <mpi.h>

#include "headrace.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HR_MAX_PARALLEL_RANK 7

/* Handles; 0: none; negative: closed by this variable. A copy is the same handle; using a closed
 * one is HR_HANDLE_CLOSED, on all MPI ranks also if only one of them has closed it. */
typedef int64_t hr_layout;
typedef int64_t hr_dataset;

/* Options; set all members to zero first: null, "" and 0 mean the default. */
typedef struct hr_parallel_options {
  const char* format;      /* "npy", "hdf5", "netcdf4", "pnetcdf", "adios2", "zarr", "statements";
                              default: the ending of the name decides, as in doc/reference/parallel.md */
  const char* pattern;     /* "serial", "file_per_process", "file_per_node", "shared_independent",
                              "shared_collective"; default: the best of the format */
  const char* mode;        /* "collective" or "independent": the shared pattern of that name */
  const char* transfer;    /* "headrace": our own exchange in cycles, the default of
                              all but adios2;
                              "library": the call of MPI-IO or of the library */
  const char* dataset;     /* name of the array in the file, default "data" */
  const char* dimensions;  /* names in Fortran's order, "x,y,z"; default d1, d2, ... */
  const char* hints;       /* "name=value,name=value" for MPI-IO, the library and our exchange, or
                              a profile: "archer2", "romio", "ompio"; also "romio,cb_nodes=4".
                              Names are case-sensitive: CB_NODES is another hint */
  const char* checksum;    /* zarr: "none" (default), "crc32c" */
  const char* compression; /* zarr: "none" (default), "zstd" */
  const char* sync;        /* "none" (default), "file": return when all is on the device */
} hr_parallel_options;

/* What happened on this MPI rank, and what the library made of the hints. */
#define HR_PHASES 6
enum hr_phase {
  HR_PHASE_OPEN = 0,     /* create or open, define */
  HR_PHASE_EXCHANGE = 1, /* between MPI ranks */
  HR_PHASE_TRANSFER = 2, /* to or from the file system or into the library */
  HR_PHASE_SYNC = 3,     /* to the device */
  HR_PHASE_CLOSE = 4,    /* close, rename */
  HR_PHASE_WAIT = 5      /* for other MPI ranks */
};
typedef struct hr_event {
  int phase;         /* an hr_phase */
  double begin, end; /* MPI_Wtime */
} hr_event;
typedef struct hr_parallel_report {
  char format[16];
  char pattern[24];
  char transfer[12];
  int writers;       /* MPI ranks that touch the file system */
  int redistributed; /* 1: the blocks were no chunk grid and were redistributed first */
  double seconds[HR_PHASES];
  char hints_in_force[2048]; /* "name=value,..." as the library reports them; "" if it does not */
  char hints_ignored[1024];  /* those asked for that are not in force as asked */
  int events;                /* filled, of at most HR_MAX_EVENTS; later ones are merged */
#define HR_MAX_EVENTS 256
  hr_event event[HR_MAX_EVENTS];
} hr_parallel_report;

/* How an array is spread over the MPI ranks of a communicator.
 *
 * global  extents of the whole array, in Fortran's order; the same on every MPI rank
 * start   index of this MPI rank's first element along each dimension, from 1
 * count   extents of its block; 0 if it has none
 *
 * The blocks may form any decomposition without gaps and overlaps. Errors: HR_LAYOUT_INVALID (names
 * the MPI ranks and an index), HR_ARGUMENT_INVALID, HR_HANDLE_CLOSED. */
int hr_make_layout(hr_layout* layout, MPI_Comm comm, int array_rank, const long long* global,
                   const long long* start, const long long* count, hr_error* error);
/* A layout that only reads: blocks may overlap (halos, the same box on every MPI rank), and need
 * not cover the array. If they are smaller than it, MPI ranks read only the lines of their blocks
 * (npy, HDF5 and NetCDF with transfer "headrace", but not by the pattern "serial"). Writing with it
 * is HR_LAYOUT_INVALID. Errors as above. */
int hr_make_reading_layout(hr_layout* layout, MPI_Comm comm, int array_rank,
                           const long long* global, const long long* start, const long long* count,
                           hr_error* error);
int hr_free_layout(hr_layout* layout, hr_error* error);

/* Writes an array to a file or store of its own, whole or not at all; array is this MPI rank's
 * block, any section. options, report and error may be null. */
int hr_write_parallel(const char* file, const hr_array* array, hr_layout layout,
                      const hr_parallel_options* options, hr_parallel_report* report,
                      hr_error* error);
/* Reads one with any layout on any number of MPI ranks. */
int hr_read_parallel(const char* file, const hr_array* array, hr_layout layout,
                     const hr_parallel_options* options, hr_parallel_report* report,
                     hr_error* error);

/* Many arrays, attributes and steps in one file or store. action: "read"; "write": a new one that
 * takes the place of an old one when it is closed or first flushed; "append": steps, arrays and
 * attributes are added to what is there, and what is not there is made as by "write". Failure
 * HR_ARGUMENT_INVALID if the format cannot append. */
int hr_open_dataset(hr_dataset* dataset, const char* file, MPI_Comm comm, const char* action,
                    const hr_parallel_options* options, hr_error* error);
/* step: null, or a number of its own for each state along the unlimited dimension "step".
 *
 * Small arrays (256 KiB in all, or less) are copied, kept and delivered together: before a larger
 * one, an attribute, a flush and the end, or when 256 calls or 4 MiB are kept. A delivery of full
 * ones waits for no MPI rank that writes: its failure comes from the next call that delivers, or
 * from those others, on all MPI ranks. What is wrong on this MPI rank alone comes back at once, and
 * the others hear of it when they deliver. With HEADRACE_CHECK=1 nothing is kept. */
int hr_write_dataset_array(hr_dataset dataset, const char* name, const hr_array* array,
                           hr_layout layout, const char* dimensions, const long long* step,
                           hr_error* error);
int hr_read_dataset_array(hr_dataset dataset, const char* name, const hr_array* array,
                          hr_layout layout, const long long* step, hr_error* error);
/* Several steps at once: those whose numbers are first to last. The array has one more dimension
 * than the layout, the last one, with an element for each of them. */
int hr_read_dataset_steps(hr_dataset dataset, const char* name, const hr_array* array,
                          hr_layout layout, long long first, long long last, hr_error* error);
/* A scalar or an array of rank 1, the same on every MPI rank. array_name: null for an attribute of
 * the whole dataset. */
int hr_write_attribute(hr_dataset dataset, const char* array_name, const char* name,
                       const hr_array* value, hr_error* error);
int hr_read_attribute(hr_dataset dataset, const char* array_name, const char* name,
                      const hr_array* value, hr_error* error);
/* How many arrays a dataset has that is read, without those that only number steps or dimensions,
 * and the name of each, index from 0, in no order in particular. Failure HR_ARGUMENT_INVALID: there
 * is none, or its name with the null character at its end is longer than room bytes. Groups of HDF5
 * are part of a name: "fields/rho". */
int hr_count_dataset_arrays(hr_dataset dataset, long long* count, hr_error* error);
int hr_dataset_array_name(hr_dataset dataset, long long index, char* name, size_t room,
                          hr_error* error);
/* Type, kind and shape of an array (without steps), and how many steps it has (0: it has none). */
int hr_describe_dataset_array(hr_dataset dataset, const char* name, hr_array_info* info,
                              long long* steps, hr_error* error);
/* Number of step index (from 0) of an array. */
int hr_dataset_step(hr_dataset dataset, const char* name, long long index, long long* step,
                    hr_error* error);
/* What happened since the dataset was opened. */
int hr_report_dataset(hr_dataset dataset, hr_parallel_report* report, hr_error* error);
/* What was written so far survives a kill at any later moment (a loss of power too, with the option
 * sync). The first call for a new dataset gives it its name, and what was there before is gone;
 * then, and after action "append", it grows in place. Failure HR_ARGUMENT_INVALID if the format
 * cannot append; it costs the dataset nothing. */
int hr_flush_dataset(hr_dataset dataset, hr_error* error);
/* Only now a dataset that was written takes the place of the old one. */
int hr_close_dataset(hr_dataset* dataset, hr_error* error);
/* Ends a dataset without that; the old one stays, or what was flushed. Collective while small
 * arrays are kept. */
int hr_abandon_dataset(hr_dataset* dataset, hr_error* error);

/* Whether a format is there: null, or why not ("built without ADIOS2: ..."). format as above;
 * unknown ones are null too. "statements" is there once a Fortran program has used headrace_mpi. */
const char* hr_parallel_unavailable(const char* format);

#ifdef __cplusplus
}
#endif
#endif
