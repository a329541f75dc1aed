/* headrace: fast Fortran I/O, measured. The C interface; Fortran programs use the module headrace.
 *
 * Every function returns a status: 0 is success, values from 1 to 999 are errno, others are in
 * hr_stat. The last argument, which may be null, receives the status with a sentence that says what
 * went wrong, where, what was expected and found, and what to do. Nothing is printed, no exception
 * leaves a function. Functions may be called from several threads at once on different files.
 *
 *     double x[3] = {1, 2, 3};
 *     hr_array array = {x, sizeof x[0], HR_TYPE_REAL, 1, {3}, {sizeof x[0]}};
 *     hr_error error;
 *     if (hr_write_array("x.raw", &array, NULL, &error)) puts(error.message);
 */
#ifndef HEADRACE_H
#define HEADRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HR_MAX_ARRAY_RANK 15
#define HR_MESSAGE_BYTES 2048

/* Named status values: HR_SUCCESS is 0, the others are in headrace_status.def, each with its
 * meaning. The text of a name in lower case, without HR_, is what hr_stat_name gives. */
enum hr_stat {
#define HR_STATUS(name, NAME, number, meaning) HR_##NAME = number,
#include "headrace_status.def"
#undef HR_STATUS
};

/* What the bytes of an element mean; together with elem_len it is Fortran's type and kind. */
enum hr_type {
  HR_TYPE_INTEGER = 1,
  HR_TYPE_REAL = 2,
  HR_TYPE_COMPLEX = 3,
  HR_TYPE_LOGICAL = 4,
  HR_TYPE_CHARACTER = 5,
  HR_TYPE_UNSIGNED = 6 /* integers without a sign, of 1, 2, 4 or 8 bytes: for C and Python, in raw,
                          unformatted, direct, npy and npz files and in hr_array_info only; with
                          HR_TYPE_REAL of 2 bytes the same. Other functions refuse them
                          (HR_ARGUMENT_INVALID, HR_KIND_UNSUPPORTED) */
};

/* An array in memory, described but not owned. Dimensions in Fortran order: the first varies
 * fastest. Element (i, j, ...) from 0 lies at base + i*stride[0] + j*stride[1] + ... */
typedef struct hr_array {
  void* base;                          /* not null, unless the array has no elements */
  size_t elem_len;                     /* bytes of one element */
  int type;                            /* an hr_type */
  int array_rank;                      /* 0 (a scalar) to HR_MAX_ARRAY_RANK */
  ptrdiff_t extent[HR_MAX_ARRAY_RANK]; /* elements along each dimension, 0 or more */
  ptrdiff_t stride[HR_MAX_ARRAY_RANK]; /* bytes from one to the next, may be negative or 0 */
} hr_array;

/* What happened last. message is one line of UTF-8, empty on success, cut to fit. */
typedef struct hr_error {
  int status;
  char message[HR_MESSAGE_BYTES];
} hr_error;

/* Options; set all members to zero (null) first: null, "" and 0 mean the default. Options marked
 * "text" are refused (HR_OPTION_UNKNOWN) for other formats. */
typedef struct hr_write_options {
  const char* format; /* "raw", "unformatted", "direct", "npy", "npz", "meta", "csv", "tsv", "text";
                         default: the ending of the file name decides */
  const char* sync;   /* "none" (default), "file": return when the file is on the device */
  const char* replace; /* "whole" (default): a new file takes the old one's place when complete;
                          "in_place": the old file's pages are overwritten, two to three times
                          faster; a crash then leaves a mixture of old and new */
  const char* append;  /* text, unformatted, npz, meta: "no" (default), "yes": rows, a record or an
                          array after those of the file; a failure leaves the file as it was. The
                          first lines of a text must have as many columns, and the names of header */
  int threads;         /* text: 0: as OpenMP (OMP_NUM_THREADS, one inside a parallel region), else
                          all cores */
  const char* edit;    /* text: a Fortran format such as "(10e15.5)", or "*" for list-directed: the
                          elements in element order, byte for byte what the WRITE of the
                          dialect's gfortran writes */
  const char* number;  /* text: how a cell is written: "shortest" (default), "hex", or one Fortran
                          edit descriptor such as "es24.16e3"; not for characters */
  const char*
      delimiter; /* text: one character, "tab" or "blank"; default: ',' csv, tab tsv, blank text */
  const char* decimal;       /* text: "." (default) or "," (csv then has the delimiter ';') */
  const char* const* header; /* text: header_count column names for the first line */
  int header_count;
  const char* byte_order; /* raw, unformatted, direct, npy, npz, meta: "native" (default), "little",
                             "big" */
  int record_marker;      /* unformatted: bytes of the length around a record: 4 (default) or 8 */
  long long record_length; /* direct: bytes of every record, no default */
  long long record;        /* direct: number of the first record to write, from 1 (default) */
  const char* checksum;    /* meta: "none" (default), "crc32c": stored, and checked when read */
  const char* name;        /* npz, meta: what the array is called there */
  const char* compression; /* npz: "none" (default: stored), "deflate" */
  const char* dialect;     /* text, with edit or a descriptor as number: whose formats these are,
                              "gfortran11" to "gfortran16" (default: the newest of them) */
  int level; /* of compression, 1 (fastest) to 9 (.gz, npz with compression "deflate") or 19 (.zst)
                (smallest); 0: the usual one, 6 or 3 (.zst). Other files: HR_OPTION_UNKNOWN */
} hr_write_options;

typedef struct hr_read_options {
  const char* format;    /* as above */
  int threads;           /* text: as above */
  const char* edit;      /* text: a Fortran format or "*": elements are read in element order */
  const char* number;    /* text: "decimal" (default), "hex": cells hold the bits of values */
  const char* delimiter; /* text: as above */
  const char* decimal;   /* text: as above */
  const char* header;    /* text: "auto" (default): a first line of names above numbers is a header,
                            and one of numbers in quotes above numbers without quotes; any other is
                            data, and an error if it has something else than numbers;
                            "yes": the first line is a header; "no", and "auto" for characters: it is
                            data */
  const char* comment;   /* text: one character; it and what follows on its line are ignored; with
                            edit "*" lines that begin with it, blanks aside */
  int skip_rows;         /* text: lines at the beginning that are ignored */
  const int* columns;    /* text: column_count numbers from 1: the columns to read, in this order */
  int column_count;
  const char*
      missing; /* text: what becomes of a missing value: "error" (default), "nan" (real and
                  complex) or a value of the array's type; then, each behind a comma, texts
                  that stand for one: "nan,-999,xx". Missing are empty cells, those that hold
                  NA, N/A, #N/A, #NA, <NA>, null or None in any case, and those of the texts;
                  one that is a number stands for that value (-999.0, too). With decimal ","
                  semicolons divide them. Not for characters, whose empty cells are blank */
  int type;    /* hr_text_shape: the hr_type of the array to come, which tells a header from data;
                  0 means HR_TYPE_REAL */
  const char* byte_order;  /* raw, unformatted, direct: as above; other formats know it */
  int record_marker;       /* unformatted: as above */
  long long record_length; /* direct: as above */
  long long record;        /* unformatted: number of the record to read, from 1 (default: the first,
                              which must then be the only one); direct: of the first to read */
  const char* checksum;    /* meta: "crc32c" refuses a file without one; one that is there is always
                              checked */
  const char* name;        /* npz, meta: of the array to read; default: the only one */
  const char* dialect;     /* text, with edit: as above */
  const char* const* column_names; /* text: column_name_count names in the header: the columns to
                                      read, in this order, instead of columns */
  int column_name_count;
} hr_read_options;

/* What a file says about an array in it. */
typedef struct hr_array_info {
  int type; /* an hr_type; 0: the file knows the number of bytes only (raw, unformatted, direct) */
  int array_rank;                      /* 0 to HR_MAX_ARRAY_RANK */
  size_t elem_len;                     /* bytes of one element */
  ptrdiff_t extent[HR_MAX_ARRAY_RANK]; /* in Fortran's order of dimensions */
  long long bytes;                     /* of all elements */
  int big_endian;                      /* 1: the most significant byte of a word comes first */
  int last_index_fastest;              /* 1: the elements follow in C order of these extents */
  long long data_offset; /* where they begin in data_file if they lie there plain; -1 otherwise */
  char data_file[4096];  /* the file that holds them */
} hr_array_info;

/* Called between blocks, by the calling thread, with the bytes of text done and in all (0 when
 * unknown); 0 ends the reading or writing with HR_INTERRUPTED.
 * Reading: bytes of text taken, and the size of the file; 0 if it is a pipe or compressed.
 * Writing: bytes of text so far, before compression and without those that append found; the total
 * is always 0. Called at the end of every hr_text_writer_rows too. A writer that was interrupted
 * takes no more rows and leaves no file. */
typedef int (*hr_progress)(int64_t done, int64_t total);

/* Writes all elements of an array to a file, in element order.
 *
 * The file appears under its name only when complete; until then, and after any error, an old file
 * of that name stays as it was. Symbolic links are followed; the mode of a replaced file is kept,
 * its owner if the system permits (hard links to it keep the old content). FIFOs and devices are
 * written directly. A killed program can leave <file>.headrace-*.tmp beside it; the next write of
 * that file removes it. In a program of several MPI ranks: HR_WRITTEN_BY_ANOTHER_RANK if another of
 * them is writing the file at this moment.
 *
 * Formats: raw (.raw, .bin): the bytes of the elements, nothing else.
 * unformatted (.unf, .seq): one record as Fortran's unformatted sequential WRITE writes it, or with
 * append one more. direct (.da, .direct): records of record_length bytes, the last filled up with
 * null bytes; a new file, or with record these records of an old one in place.
 * npy (.npy): the file that numpy.save writes. npz (.npz): an archive of such files, each with a
 * name. Indices stay; an array in C order is written in C order. meta (.meta): a text that
 * describes arrays for people and for a Fortran namelist READ, beside files of plain bytes, one a
 * type. csv, tsv, text (.csv, .tsv, .txt .dat; also .gz and .zst behind): rows of cells; array rank
 * 1 is a column, or a row if header or the file that is appended to have as many columns as it
 * has elements (a file without rows and without a header that says it: HR_ARGUMENT_INVALID), row i
 * of array rank 2 holds its elements (i, :), higher ranks follow in element order below a line with
 * their shape. With edit= all elements go through a Fortran format in element order.
 *
 * file     name, not empty
 * array    what to write; it is not changed
 * options  may be null
 * error    may be null
 *
 * Errors: errno of the system call that failed (ENOSPC, EACCES, ENOENT, ...), HR_FORMAT_UNKNOWN,
 * HR_OPTION_UNKNOWN, HR_FILE_NAME_EMPTY, HR_ARGUMENT_INVALID, HR_ARRAY_TOO_LARGE,
 * HR_FILE_CHANGED_WHILE_WRITING; HR_TRUNCATED_RECORD (appending behind a damaged record; a direct
 * file of no whole number of records), HR_RECORD_SIZE_MISMATCH (record_length), HR_HEADER_DAMAGED
 * (appending to an npz or meta file), HR_KIND_UNSUPPORTED (npy: real128); text:
 * HR_KIND_UNSUPPORTED, HR_FORMAT_INVALID, HR_EDIT_MISMATCH, HR_COMPRESSION_UNAVAILABLE,
 * HR_TEXT_ENCODING (a null byte within characters; at their end they are ignored, as blanks);
 * append: HR_ROW_LENGTH (other columns, or another delimiter), HR_COLUMN_UNKNOWN (other names),
 * HR_BAD_NUMBER (its cells are no numbers: another delimiter), HR_SHAPE_MISMATCH (the file states
 * the shape of its array), HR_COMPRESSION_DAMAGED (readers would stop before the new rows). */
int hr_write_array(const char* file, const hr_array* array, const hr_write_options* options,
                   hr_error* error);

/* Reads a file into all elements of an array, in element order.
 *
 * A raw file must have as many bytes as the array, otherwise the array is left untouched. FIFOs
 * and devices have no size: as many bytes as the array holds are read. After any other error part
 * of the array may have been filled.
 *
 * file     name, not empty
 * array    where to read to: elements at base are overwritten, bytes between them are not
 * options  may be null
 * error    may be null
 *
 * Errors: errno, HR_FILE_SIZE_MISMATCH, HR_END_OF_FILE (the file shrank, a pipe ended),
 * HR_FORMAT_UNKNOWN, HR_OPTION_UNKNOWN, HR_FILE_NAME_EMPTY, HR_ARGUMENT_INVALID,
 * HR_ARRAY_TOO_LARGE; HR_RECORD_SIZE_MISMATCH, HR_RECORD_MISSING, HR_RECORD_MARKER_DAMAGED,
 * HR_TRUNCATED_RECORD; npy, npz, meta: HR_KIND_MISMATCH, HR_SHAPE_MISMATCH, HR_HEADER_DAMAGED,
 * HR_ARRAY_MISSING, HR_CHECKSUM_MISMATCH, HR_KIND_UNSUPPORTED, HR_COMPRESSION_DAMAGED;
 * text: HR_KIND_UNSUPPORTED, HR_FORMAT_INVALID, HR_EDIT_MISMATCH, HR_RECORD_TOO_SHORT,
 * HR_COMPRESSION_UNAVAILABLE; with file, line and column: HR_BAD_NUMBER, HR_NUMBER_OUT_OF_RANGE,
 * HR_MISSING_VALUE, HR_ROW_LENGTH, HR_ROW_COUNT, HR_TEXT_ENCODING, HR_LINE_TOO_LONG,
 * HR_QUOTE_UNBALANCED, HR_COLUMN_UNKNOWN, HR_COMPRESSION_DAMAGED, HR_FILE_CHANGED_WHILE_READING. */
int hr_read_array(const char* file, const hr_array* array, const hr_read_options* options,
                  hr_error* error);

/* Says what array a file holds without reading its elements.
 *
 * info  receives type, kind, shape, byte order and place
 *
 * Errors: errno, HR_FORMAT_UNKNOWN (a text says nothing about its array),
 * HR_HEADER_DAMAGED, HR_KIND_UNSUPPORTED, HR_ARRAY_MISSING. */
int hr_describe_array(const char* file, const hr_read_options* options, hr_array_info* info,
                      hr_error* error);

/* Looks at a text file: how many rows and columns hr_read_array would find with the same options.
 *
 * rows, columns  receive the numbers; rows counts lines with data, columns those that columns=
 * selects
 *
 * Errors: as hr_read_array. */
int hr_text_shape(const char* file, const hr_read_options* options, long long* rows,
                  long long* columns, hr_error* error);

/* Finds how large an array must be to take a file: allocate it, set base and stride, and call
 * hr_read_array with the same options.
 *
 * array  type, elem_len and array_rank say what it is to be; receives extent and, for characters,
 *        elem_len: of a text that of the longest cell, 1 at least. Texts: array rank 1 takes a file
 *        of one column or one row, array rank 2 any, higher ranks the shape that the file states in
 *        its first line. npy, npz, meta: the array rank of the file. Formats that know bytes only:
 *        array rank 1
 *
 * Errors: as hr_read_array; HR_ROW_COUNT, HR_SHAPE_MISMATCH: no array of that rank holds the file;
 * HR_KIND_MISMATCH: the file has another kind; HR_FILE_SIZE_MISMATCH: no whole number of elements.
 */
int hr_fit_array(const char* file, const hr_read_options* options, hr_array* array,
                 hr_error* error);

/* The version of the library, for example "0.1.0". The text is constant. */
const char* hr_version(void);

/* A file format. The texts are constant. */
typedef struct hr_format {
  const char* name;    /* as the option format takes it */
  const char* endings; /* of the file names that choose it: in lower case, separated by blanks */
  int is_text;         /* rows of cells; .gz and .zst compress it */
  int keeps_indices;   /* x(i, j) is x[i-1, j-1] in numpy */
  int takes_unsigned;  /* HR_TYPE_UNSIGNED */
  int is_parallel;     /* written and read by headrace_mpi alone */
} hr_format;

/* The formats, one after the other from number 0 on; null after the last. */
const hr_format* hr_format_at(int number);

/* The format that the ending of a file's name chooses, in any case and before .gz or .zst; null if
 * it chooses none. */
const hr_format* hr_format_of(const char* file);

/* A hint of MPI-IO. The texts are constant. Without a library that looks it up: its name is known,
 * and no value of it is judged. */
typedef struct hr_hint {
  const char* name;
  const char* words; /* that it may be, separated by blanks; "": anything */
  long long least;   /* of a hint that counts or measures; 0 with most 0: it is a word */
  long long most;
  int ompio; /* Open MPI's own module looks it up */
  int romio; /* MPICH's, also within Open MPI */
  int cray;  /* HPE Cray MPICH, as its manual page intro_mpi says: not tried */
  int headrace;
  int pnetcdf;
} hr_hint;

/* The hint of this number, from 0 on. Returns 1; 0 after the last. */
int hr_hint_at(int number, hr_hint* hint);

/* The name of a status, for example "file_size_mismatch"; null when it has none (errno has none).
 * The text is constant. */
const char* hr_stat_name(int status);

#ifdef __cplusplus
}
#endif

#include "headrace_convert.h"
#include "headrace_records.h"
#include "headrace_rows.h"
#include "headrace_tables.h"

#endif
