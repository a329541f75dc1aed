/* headrace: turns files of records into other dialects. Part of headrace.h. */
#ifndef HEADRACE_CONVERT_H
#define HEADRACE_CONVERT_H

#include "headrace.h"

#ifdef __cplusplus
extern "C" {
#endif

enum hr_record_form_name {
  HR_FORM_SEQUENTIAL = 1, /* with markers */
  HR_FORM_DIRECT = 2,     /* without markers, all of one length */
  HR_FORM_STREAM = 3      /* without markers, one after another */
};

/* One of the two files. */
typedef struct hr_record_layout {
  int form;                /* an hr_record_form_name */
  int big_endian;          /* 1: words have the most significant byte first, markers too */
  int record_marker;       /* sequential: bytes, 4 or 8 */
  int long_records;        /* sequential: 0 subrecords; only to read from: 1 high bit (PGI),
                              2 unsigned (LLVM flang) */
  int segmented;           /* sequential: 1 Intel's segments, only to read from */
  long long record_length; /* direct: bytes of every record */
  /* Without markers, for files that have a header, such as npy. 0 and a null pointer: none. */
  long long first_byte; /* to read from: bytes in front of the records */
  long long bytes;      /* to read from: bytes of all records; 0: up to the end of the file */
  const void* head;     /* to write: bytes in front of the records, */
  size_t head_bytes;    /*   and their number */
} hr_record_layout;

/* Some bytes of a record that are words of one length. */
typedef struct hr_word_run {
  long long record; /* which record of the pattern, from 0; not less than that of the run before */
  long long bytes;  /* 0: the rest of the record (of the file, in the last record of a stream) */
  int word_bytes;   /* 1, 2, 4, 8 or 16; a complex number is two words */
} hr_word_run;

/* Converts all records of a file, in constant memory. The new file appears whole or not at all; it
 * may have the name of the old one.
 *
 * runs      what the records hold, one after another and again from the beginning: needed if the
 *           byte orders differ, and for a stream of several records, whose lengths they are
 * progress  called now and then with the bytes done and in all; 0 ends the work (HR_INTERRUPTED);
 *           may be null
 * sync      as in hr_write_options
 * records   receives their number; may be null
 *
 * Errors: errno, HR_ARGUMENT_INVALID, HR_OPTION_UNKNOWN, HR_RECORD_MARKER_DAMAGED,
 * HR_TRUNCATED_RECORD, HR_RECORD_SIZE_MISMATCH (a record does not fit record_length or its runs),
 * HR_FILE_SIZE_MISMATCH (a file without markers ends within a record, or before first_byte and
 * bytes say). */
int hr_convert_records(const char* from, const hr_record_layout* from_layout, const char* to,
                       const hr_record_layout* to_layout, const hr_word_run* runs, size_t run_count,
                       const char* sync, hr_progress progress, long long* records, hr_error* error);

/* A name beside target (symbolic links are not followed) for a file or directory that another
 * library makes and the caller renames to target when it is complete. Nothing has the name yet; a
 * locked file beside it says that somebody writes. What killed programs left of the same target is
 * removed before, whichever part of headrace they used.
 *
 * temporary  receives the name; capacity: its bytes, PATH_MAX is enough
 * handle     receives what hr_release_temporary takes
 *
 * Errors: errno, HR_ARGUMENT_INVALID, HR_FILE_NAME_EMPTY. */
int hr_reserve_temporary(const char* target, char* temporary, size_t capacity, int64_t* handle,
                         hr_error* error);

/* Removes what still has the temporary name, a directory with all that is in it, and the lock.
 * Sets handle to 0; one that is 0 does nothing. */
int hr_release_temporary(int64_t* handle, hr_error* error);

#ifdef __cplusplus
}
#endif

#endif
