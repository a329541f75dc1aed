/* headrace: files of many records (Fortran's unformatted sequential files). Part of headrace.h.
 *
 * Every function returns 0 or a status (hr_stat) and fills error, which may be null. Several
 * threads may use one handle: their calls come one after another.
 *
 *     hr_error error;
 *     hr_record_file records = 0;
 *     double space[1000];
 *     long long bytes = 0;
 *     hr_open_records("run.unf", NULL, &records, &error);
 *     while (hr_next_record(records, &bytes, &error) == 0 && bytes <= sizeof space) {
 *       hr_array array = {space, 8, HR_TYPE_REAL, 1, {bytes / 8}, {8}};
 *       hr_read_record(records, &array, &error);
 *     }
 *     hr_close_records(&records, &error);
 */
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
                         byte_order "auto" 0 means: find out; segmented: 0 */
  const char* byte_order;   /* "native" (default), "little", "big", also with "_endian" behind; when
                               reading also "auto" */
  const char* long_records; /* "subrecords" (default: gfortran, Intel), "high_bit" (PGI, reading
                               only), "unsigned" (LLVM flang, reading only) */
  const char* record_type;  /* "variable" (default), "segmented" (Intel; reading only) */
  const char* sync;         /* as hr_write_options, acts when the file is closed */
} hr_record_options;

/* Opens a file of records. Reading: a regular file; a FIFO or device, whose bytes pass once only,
 * is HR_ARGUMENT_INVALID. Records that another program appends later are not seen.
 *
 * Appending: the file is locked until it is closed. Others that append to it wait up to a minute
 * (EWOULDBLOCK then); the same thread is refused at once. Not if the file system has no locks.
 * A child of fork() has a copy of every handle: leaving them open does nothing to the files.
 *
 * options  may be null
 * records  receives the handle
 *
 * Errors: errno, HR_OPTION_UNKNOWN, HR_ARGUMENT_INVALID, HR_RECORD_MARKER_DAMAGED ("auto" that fits
 * nothing, or more than one: the message names all that was tried), appending:
 * HR_TRUNCATED_RECORD when the file does not end with a whole record. */
int hr_open_records(const char* file, const hr_record_options* options, hr_record_file* records,
                    hr_error* error);

/* How the records of a file that is read are marked, which "auto" has found out.
 *
 * record_marker  receives 4 or 8 (bytes), 0 for segmented records; may be null
 * big_endian     receives 1 or 0; may be null */
int hr_record_form(hr_record_file records, int* record_marker, int* big_endian, hr_error* error);

/* The bytes of the next record, which is not read. HR_END_OF_FILE when there is none. */
int hr_next_record(hr_record_file records, long long* bytes, hr_error* error);

/* Reads the next record into all elements of an array, in element order, and goes behind it. Words
 * come in the machine's byte order; type and kind are those of the array, the file knows none.
 *
 * Errors: HR_RECORD_SIZE_MISMATCH when the record has another size: the array is untouched.
 * HR_END_OF_FILE; HR_RECORD_MARKER_DAMAGED and HR_TRUNCATED_RECORD with the byte offset of the
 * marker; HR_FILE_CHANGED_WHILE_READING; errno. After every error the record comes again. */
int hr_read_record(hr_record_file records, const hr_array* array, hr_error* error);

/* Reads as many equal records as the last extent says (rank 1: a record for each element), each
 * into the elements array(:, ..., i). Short records come through as many threads as OpenMP's rules
 * allow (OMP_NUM_THREADS).
 *
 * Errors as hr_read_record; HR_END_OF_FILE when there are not so many. The array is untouched when
 * the first record has another size or too few are left; after an error in a later one it may be
 * overwritten. The position is as before after every error. */
int hr_read_records(hr_record_file records, const hr_array* array, hr_error* error);

/* Writes all elements of an array as one record, in element order. The array may be empty: a record
 * of 0 bytes. After a failure (errno, HR_ARGUMENT_INVALID for a file that is read) the file takes
 * no more records and every call tells that failure. */
int hr_write_record(hr_record_file records, const hr_array* array, hr_error* error);
/* Writes a record for each index of the last dimension: array(:, ..., i), or each element of a
 * vector. Much faster than one by one. */
int hr_write_records(hr_record_file records, const hr_array* array, hr_error* error);

/* Goes forward by count records, back when it is negative (BACKSPACE). Never beyond the ends:
 * HR_RECORD_MISSING leaves the position as it was. */
int hr_skip_records(hr_record_file records, long long count, hr_error* error);

/* Goes before record number, from 1 (1 is REWIND; the number of records + 1 is the end). The
 * markers up to there are scanned once; later calls find the place in memory of at most 1 MiB.
 * HR_RECORD_MISSING leaves the position as it was. */
int hr_go_to_record(hr_record_file records, long long number, hr_error* error);

/* The number of records, and that of the one that comes next; either may be null. Scans the markers
 * once; in a damaged file it fails with their error, count receives the records before. */
int hr_count_records(hr_record_file records, long long* count, long long* next, hr_error* error);

/* Where the bytes of records lie: pieces of them in file order, beginning with the first piece of
 * record first (from 1). The position stays.
 *
 * number, offset, bytes  arrays of capacity elements: receive the number of the record, the offset
 *                        of the first byte of data from the beginning of the file, and the bytes
 * count                  receives how many pieces; 0 at the end. The last record may be cut by
 *                        capacity: ask for it again.
 *
 * Errors: HR_RECORD_MISSING; those of a damaged marker when nothing was found before it. */
int hr_locate_records(hr_record_file records, long long first, size_t capacity, long long* number,
                      long long* offset, long long* bytes, size_t* count, hr_error* error);

/* Closes; a written file appears under its name now. Reports the first failure that no call has
 * told. */
int hr_close_records(hr_record_file* records, hr_error* error);

/* Copies words with their bytes reversed; to may be from, otherwise they do not overlap.
 * word_bytes: 1, 2, 4, 8, 16; of a complex number half its bytes. */
void hr_swap_bytes(void* to, const void* from, size_t words, size_t word_bytes);

#ifdef __cplusplus
}
#endif

#endif
