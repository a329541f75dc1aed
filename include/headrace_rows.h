/* headrace: text files row by row, for arrays larger than memory. Part of headrace.h.
 *
 * Writers and readers are handles, numbers that an open function fills in. 0 was never opened.
 * Every handle is closed once; a copy of the number is the same object; using it after it was
 * closed is HR_HANDLE_CLOSED. One handle may be used from one thread at a time. Memory does not
 * depend on the size of the file.
 *
 *     double x[3] = {1, 2, 3};
 *     hr_array chunk = {x, sizeof x[0], HR_TYPE_REAL, 1, {3}, {sizeof x[0]}};
 *     hr_error error;
 *     hr_text_writer writer = 0;
 *     hr_text_writer_open("long.csv", NULL, NULL, &writer, &error);
 *     for (int i = 0; i < 4; i++) hr_text_writer_rows(writer, &chunk, &error);
 *     hr_text_writer_close(&writer, &error);
 */
#ifndef HEADRACE_ROWS_H
#define HEADRACE_ROWS_H

#include <stdint.h>

#include "headrace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t hr_text_writer;
typedef int64_t hr_text_reader;

/* Opens a text file for writing. Options as for hr_write_array; progress may be null. The file
 * appears under its name at hr_text_writer_close, unless append or replace="in_place" is asked for.
 */
int hr_text_writer_open(const char* file, const hr_write_options* options, hr_progress progress,
                        hr_text_writer* writer, hr_error* error);

/* Writes the rows of an array behind those before. All arrays have the type, kind and columns of
 * the first (HR_ROW_LENGTH); array rank 1 is a row if there are as many columns as it has
 * elements. Small ones wait in memory, up to 64 KiB of text, so that a full disk may be told by a
 * later call. After a failure the writer takes no more rows. */
int hr_text_writer_rows(hr_text_writer writer, const hr_array* array, hr_error* error);

/* Completes the file and closes the handle, in any case. After a failure of hr_text_writer_rows it
 * gives that failure again and leaves no file (append: the old content). */
int hr_text_writer_close(hr_text_writer* writer, hr_error* error);

/* Opens a text file for reading. Options as for hr_read_array, without edit; progress may be null.
 */
int hr_text_reader_open(const char* file, const hr_read_options* options, hr_progress progress,
                        hr_text_reader* reader, hr_error* error);

/* Fills an array with the next rows; count receives their number, less than the array has only at
 * the end of the file. No rows left: HR_END_OF_FILE. All arrays have the type and kind of the
 * first. */
int hr_text_reader_rows(hr_text_reader reader, const hr_array* array, long long* count,
                        hr_error* error);

/* Closes the handle. HR_FILE_CHANGED_WHILE_READING when the file's size is not what it was. */
int hr_text_reader_close(hr_text_reader* reader, hr_error* error);

#ifdef __cplusplus
}
#endif

#endif
