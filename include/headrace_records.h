/* headrace: files of many records (Fortran's unformatted sequential files). Part of headrace.h. */
#ifndef HEADRACE_RECORDS_H
#define HEADRACE_RECORDS_H

#include <stdint.h>

#include "headrace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An open file of records: a number, 0 when it is closed. A copy is the same handle. */
typedef int64_t hr_record_file;

/* Options; all members zero (null) mean the defaults. */
typedef struct hr_record_options {
  const char* action; /* "read" (default), "write" (a new file, whole or not at all), "append" */
  int record_marker;  /* bytes of the lengths around a record: 4 (default) or 8; with
                         byte_order "auto" 0 means: find out */
  const char* byte_order;   /* "native" (default), "little", "big"; when reading also "auto" */
  const char* long_records; /* "subrecords" (default: gfortran, Intel), "high_bit" (PGI, reading
                               only), "unsigned" (LLVM flang, reading only) */
  const char* record_type;  /* "variable" (default), "segmented" (Intel; reading only) */
  const char* sync;         /* as hr_write_options, acts when the file is closed */
} hr_record_options;

/* Opens a file of records. Errors: errno, HR_OPTION_UNKNOWN, HR_RECORD_MARKER_DAMAGED ("auto" that
 * fits nothing), appending: HR_TRUNCATED_RECORD when the file does not end with a whole record. */
int hr_open_records(const char* file, const hr_record_options* options, hr_record_file* records,
                    hr_error* error);

/* The bytes of the next record, which is not read. HR_END_OF_FILE when there is none. */
int hr_next_record(hr_record_file records, long long* bytes, hr_error* error);

/* Reads the next record into all elements of an array, in element order, and goes behind it.
 * HR_RECORD_SIZE_MISMATCH when it has another size: the array is untouched, the record comes again.
 * HR_END_OF_FILE, HR_RECORD_MARKER_DAMAGED, HR_TRUNCATED_RECORD with the byte offset. */
int hr_read_record(hr_record_file records, const hr_array* array, hr_error* error);

/* Reads as many equal records as the last extent says (rank 1: a record for each element), each
 * into the elements array(:, ..., i). */
int hr_read_records(hr_record_file records, const hr_array* array, hr_error* error);

int hr_write_record(hr_record_file records, const hr_array* array, hr_error* error);
int hr_write_records(hr_record_file records, const hr_array* array, hr_error* error);

/* Goes forward by count records, back when it is negative (BACKSPACE). Never beyond the ends:
 * HR_RECORD_MISSING leaves the position as it was. */
int hr_skip_records(hr_record_file records, long long count, hr_error* error);

/* Goes before record number, from 1 (1 is REWIND; the number of records + 1 is the end). The first
 * call scans the markers of the file once. */
int hr_go_to_record(hr_record_file records, long long number, hr_error* error);

/* The number of records, and that of the one that comes next. Scans the markers once. */
int hr_count_records(hr_record_file records, long long* count, long long* next, hr_error* error);

/* Where the bytes of records lie: pieces of them in file order, beginning with the first piece of
 * record first (from 1). Receives at most capacity pieces: number of the record, offset of the
 * first byte of data, bytes. count tells how many; 0 at the end. */
int hr_locate_records(hr_record_file records, long long first, size_t capacity, long long* number,
                      long long* offset, long long* bytes, size_t* count, hr_error* error);

/* Closes; a written file appears under its name now. Reports the first failure that no call has
 * told. */
int hr_close_records(hr_record_file* records, hr_error* error);

/* Copies words with their bytes reversed; to may be from. word_bytes: 1, 2, 4, 8, 16. */
void hr_swap_bytes(void* to, const void* from, size_t words, size_t word_bytes);

#ifdef __cplusplus
}
#endif

#endif
