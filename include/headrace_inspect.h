/* headrace: what may be in a file of unknown format. `headrace inspect` stands on this; headrace.h
 * does not include it. */
#ifndef HEADRACE_INSPECT_H
#define HEADRACE_INSPECT_H

#include <stdint.h>

#include "headrace.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HR_SURVEY_RUNS 24    /* runs of record lengths that a survey keeps */
#define HR_SURVEY_PERIOD 512 /* lengths in one run */
#define HR_SURVEY_LENGTHS 16 /* entries of the histogram that a survey gives */

/* How the records of an unformatted sequential file may be marked. */
enum hr_dialect_records {
  HR_RECORDS_PLAIN = 0,      /* one piece a record */
  HR_RECORDS_SUBRECORDS = 1, /* negative lengths: a record goes on (gfortran, Intel) */
  HR_RECORDS_HIGH_BIT = 2,   /* the high bit of a length: a record goes on (PGI) */
  HR_RECORDS_UNSIGNED = 3,   /* lengths of 2 to 4 GiB in one piece (LLVM flang) */
  HR_RECORDS_SEGMENTED = 4   /* Intel's RECORDTYPE='SEGMENTED': 2 bytes of length, 2 of flags */
};

/* Why a walk from marker to marker stopped. */
enum hr_survey_end {
  HR_SURVEY_WHOLE = 0,        /* at the end of the file, behind a whole record */
  HR_SURVEY_MARKER_CUT = 1,   /* fewer bytes are left than a marker has */
  HR_SURVEY_BEYOND_END = 2,   /* a length goes beyond the end of the file */
  HR_SURVEY_DIFFERS = 3,      /* the length behind a record is not the one before it */
  HR_SURVEY_NO_LENGTH = 4,    /* a length that no record has: negative, or unknown flags */
  HR_SURVEY_NOT_CONTINUED = 5 /* the file ends, or a record begins, where another piece must come */
};

/* What comes behind the place where a walk stopped. */
enum hr_survey_rest {
  HR_REST_NONE = 0,
  HR_REST_UNKNOWN = 1,      /* bytes that hold no record */
  HR_REST_OTHER_ORDER = 2,  /* records of the other byte order; the orders may change again */
  HR_REST_OTHER_MARKER = 3, /* records with markers of the other size */
  HR_REST_RESUMES = 4,      /* records of the same dialect, after damaged bytes */
  HR_REST_TRUNCATED = 5 /* the beginning of a record: missing says how many bytes are not there */
};

/* Lengths that follow each other, times times. */
typedef struct hr_length_run {
  int64_t times;
  int64_t count;                    /* of lengths, 1 to HR_SURVEY_PERIOD */
  int64_t length[HR_SURVEY_PERIOD]; /* bytes of each record, without markers */
} hr_length_run;

/* One hypothesis, walked from the beginning of the file as far as it holds. Bytes and offsets count
 * from 0, records from 1. */
typedef struct hr_record_survey {
  int marker_bytes; /* 4 or 8; 2 + 2 for segmented records (stated as 4) */
  int big_endian;   /* of the markers */
  int long_records; /* an hr_dialect_records */
  int end;          /* an hr_survey_end */
  int64_t records;  /* whole ones */
  int64_t pieces;   /* of all records: more than records if one has several */
  int64_t empty;    /* records without data */
  int64_t checked;  /* records whose neighbouring data words were compared with their length ... */
  int64_t echoed;   /* ... and in how many the data hold the same number: no evidence then */
  int64_t bytes;    /* from the beginning of the file to the end of the last whole record */
  int64_t stopped;  /* offset of the marker that does not fit; -1 when end is HR_SURVEY_WHOLE */
  int64_t leading, trailing; /* the lengths that differ, or the length that cannot be */
  int64_t shortest, longest; /* record; 0 when there is none */
  int64_t distinct;          /* different lengths, at most 1024 counted */
  int64_t length[HR_SURVEY_LENGTHS], count[HR_SURVEY_LENGTHS]; /* the most frequent first */
  int lengths;                                                 /* entries of these two */
  int runs;                                                    /* entries of run */
  int runs_complete; /* 1: they tell all records; 0: those from the beginning */
  hr_length_run run[HR_SURVEY_RUNS];
  int rest;             /* an hr_survey_rest */
  int64_t changes;      /* how often the byte order or the marker changes, from stopped on */
  int64_t resumed;      /* offset where records go on; -1: they do not */
  int64_t rest_records; /* walked from there */
  int64_t rest_end;     /* where these end */
  int64_t missing;      /* bytes that a truncated record lacks, its trailing marker included */
} hr_record_survey;

/* Tries every dialect of unformatted sequential records on a file, from marker to marker. Reads the
 * markers only if records are large. No length of the file is trusted: memory and time do not
 * depend on what they say.
 *
 * file      name, not empty; a regular file
 * surveys   receives at most capacity results, those that explain most bytes first; 14 is enough
 * count     receives their number
 * file_bytes  may be null
 *
 * Errors: errno, HR_FILE_NAME_EMPTY, HR_ARGUMENT_INVALID (a pipe, a device),
 * HR_FILE_CHANGED_WHILE_READING (it shrank). */
int hr_survey_records(const char* file, hr_record_survey* surveys, size_t capacity, size_t* count,
                      int64_t* file_bytes, hr_error* error);

/* What bytes look like when they are taken for values of one type. */
typedef struct hr_value_probe {
  int type;        /* an hr_type */
  size_t elem_len; /* bytes of an element */
  int big_endian;
  int64_t values;
  int64_t zeros, not_a_number, infinite;
  double bits; /* an element: the information that is left when the type is known; the type with
                  the smallest bits / elem_len is the most probable */
  double smallest, largest; /* of finite values */
  double first[4];
} hr_value_probe;

/* Compares bytes with every type that Fortran has: integers of 1 to 8 bytes, reals of 4, 8 and 16,
 * characters.
 *
 * bytes, size  at most 1 MiB is looked at
 * order        0: both byte orders; 1: little endian only; 2: big endian only
 * probes       receives at most capacity results, the most probable first; 16 is enough
 *
 * Errors: HR_ARGUMENT_INVALID. */
int hr_probe_values(const void* bytes, size_t size, int order, hr_value_probe* probes,
                    size_t capacity, size_t* count, hr_error* error);

/* A stretch of equal elements in a record. */
typedef struct hr_item {
  int type; /* an hr_type; 0: zeros in every row, of no type */
  size_t elem_len;
  int64_t offset; /* from the beginning of the record, bytes */
  int64_t values;
} hr_item;

/* Finds of which items records of the same length are made, such as an integer and three reals.
 *
 * bytes        rows * row_bytes: the same row_bytes (at most 8192) of each record
 * big_endian   byte order of all of them
 * items        receives at most capacity results
 *
 * Errors: HR_ARGUMENT_INVALID. */
int hr_split_items(const void* bytes, size_t rows, size_t row_bytes, int big_endian, hr_item* items,
                   size_t capacity, size_t* count, hr_error* error);

#ifdef __cplusplus
}
#endif

#endif
