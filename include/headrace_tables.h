/* headrace: tables of columns of different kinds, and arrays of texts ("cells"). Part of
 * headrace.h.
 *
 * Tables and cells are handles: numbers that a function fills in. 0 is a handle that was never
 * opened. Every handle is closed once; a copy of the number is the same object; using it after it
 * was closed is HR_HANDLE_CLOSED. Different handles may be used from several threads at once, one
 * handle from one thread at a time. Rows and columns are counted from 1.
 *
 *     double mass[1000];
 *     hr_array array = {mass, sizeof mass[0], HR_TYPE_REAL, 1, {1000}, {sizeof mass[0]}};
 *     hr_table table = 0;
 *     hr_error error;
 *     if (hr_table_read("stars.csv", &table, NULL, &error)) puts(error.message);
 *     if (hr_table_get(table, "mass", 0, &array, NULL, &error)) puts(error.message);
 *     hr_table_close(&table, &error);
 */
#ifndef HEADRACE_TABLES_H
#define HEADRACE_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "headrace.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t hr_table;
typedef int64_t hr_cells;

/* A text that a function made: hr_text_free gives its memory back. After a failure it is as it was
 * before the call. */
typedef struct hr_text {
  char* bytes; /* length bytes and a null character; null when there is none */
  size_t length;
} hr_text;

/* Sets *text to null and 0; text may be null. */
void hr_text_free(hr_text* text);

/* The names of the columns of a text file of numbers, as hr_read_array with the same options would
 * read them: those in the header without quotes and blanks around them, of the columns that
 * options choose. A mark in front that other programs skip ("# time mass") is not part of them.
 *
 * names   receives the names one behind the other, each with a null character behind it
 * count   receives their number, 0 if the file has no header; may be null
 * options may be null; type HR_TYPE_CHARACTER: with header "auto" there is none
 *
 * Errors: as hr_read_array. */
int hr_column_names(const char* file, const hr_read_options* options, hr_text* names,
                    int64_t* count, hr_error* error);

/* How numbers and texts become each other. Set all members to zero first. */
typedef struct hr_text_style {
  const char* fmt;       /* null or "": "i" for integers, "g" for real and complex numbers.
                            "g": the shortest text that reads back as the same value; "e", "f": with
                            or without exponent; "z": the bits as 0x and hexadecimal digits.
                            Reading: "z", or everything else is found out */
  const int* decimals;   /* writing: places after the point ("g": significant digits), 0 to 400,
                            rounded correctly; null: as many as read back the same value */
  const char* decimal;   /* "." (default) or "," */
  const char* imaginary; /* complex numbers: "": (1.5,-2.0); "j": 1.5-2.0j; null: "", in tables "j"
                            (hr_array_to_text: "j" for both). Reading: null or "" takes any */
  const char* missing; /* reading: what becomes of a missing value, and texts that stand for one: as
                          missing of hr_read_options */
  int threads;         /* 0: as OpenMP (OMP_NUM_THREADS, one inside a parallel region), else all
                          cores */
  const char* since;   /* null or "": numbers are numbers. An epoch such as "1970-01-01": texts are
                          dates and times of ISO 8601 (2010-01, 2010-01-05, 2010-01-05T12:30:00.5Z,
                          with a blank for T, with offsets; without one: UTC; years 1 to 9999; no
                          leap seconds), real64 or int64 are seconds since then. 2010-01 is its
                          first moment. Writing: 2010-01-05T12:30:00Z, NaN is an empty cell;
                          decimals: of a second, 0 to 9, null: the fewest of these that read back
                          as the same value (9 if none do) */
} hr_text_style;

/* One value (an array of one element) as text, and back. style may be null.
 *
 * A number is all of the text: 1.5, .5, 5., 1e5, 1D+05, inf, nan; an exponent has a letter, e or d,
 * so that 2010-01 and 1974Q1 are none, and with decimal "," a point is none of a number. Logicals
 * are whole words: T, true, .true., F and so on in any case.
 *
 * Errors: HR_ARGUMENT_INVALID (several elements), HR_OPTION_UNKNOWN, HR_KIND_UNSUPPORTED (real128
 * has only fmt "z"; since has int64 and real64); reading: HR_BAD_NUMBER, HR_NUMBER_OUT_OF_RANGE
 * (with since: a fraction of a second for int64; writing: beyond the years 1 to 9999),
 * HR_MISSING_VALUE. */
int hr_value_to_text(const hr_array* value, const hr_text_style* style, hr_text* text,
                     hr_error* error);
int hr_text_to_value(const char* text, size_t length, const hr_array* value,
                     const hr_text_style* style, hr_error* error);

/* The text with all occurrences of match replaced (back not 0: searched from the end), and how many
 * there are. They do not overlap; an empty match is nowhere. Fails for lack of memory only. */
int hr_text_replace(const char* text, size_t length, const char* match, size_t match_length,
                    const char* by, size_t by_length, int back, hr_text* replaced, hr_error* error);
int64_t hr_text_count(const char* text, size_t length, const char* match, size_t match_length);

/* A whole file as one text, as it is; decompressed when it ends in .gz or .zst. And a text to a
 * file, whole or not at all (append not 0: after what it holds); .gz and .zst compress.
 *
 * Errors: errno, HR_FILE_NAME_EMPTY, HR_COMPRESSION_DAMAGED, HR_COMPRESSION_UNAVAILABLE. */
int hr_text_read(const char* file, hr_text* text, hr_error* error);
int hr_text_write(const char* file, const char* text, size_t length, int append, hr_error* error);

/* The elements of an array in columns of equal width, a row of the array a line: what Fortran's
 * aprint prints. Reals have fmt "f" and two decimals unless style says otherwise. Errors: as
 * hr_value_to_text. */
int hr_array_to_text(const hr_array* array, const hr_text_style* style, hr_text* text,
                     hr_error* error);

/* ---- cells: an array of texts, rows times columns ---- */

/* Replaces all cells by the elements of an array (append not 0: adds rows below). Row i holds
 * array(i, :); array rank 1 is a column; higher ranks have their first dimension along a row.
 * Blanks and null bytes at the end of characters are ignored.
 * *cells 0: new cells. style may be null.
 *
 * Errors: HR_HANDLE_CLOSED, HR_OPTION_UNKNOWN, HR_KIND_UNSUPPORTED, HR_ROW_LENGTH (append). */
int hr_cells_put(hr_cells* cells, const hr_array* array, const hr_text_style* style, int append,
                 hr_error* error);

/* Fills an array, of any kind, from the cells at row, column on. row or column 0: the array must
 * have exactly the rows or columns of the cells. style may be null.
 *
 * Errors: HR_HANDLE_CLOSED, HR_OPTION_UNKNOWN, HR_KIND_UNSUPPORTED, HR_ROW_COUNT and HR_ROW_LENGTH
 * (the array does not fit). After HR_BAD_NUMBER, HR_NUMBER_OUT_OF_RANGE and HR_MISSING_VALUE, which
 * name file, line and column, part of the array may have been filled. */
int hr_cells_get(hr_cells cells, const hr_array* array, int64_t row, int64_t column,
                 const hr_text_style* style, hr_error* error);

typedef struct hr_separators {
  const char* column; /* null or "": "," */
  size_t column_length;
  const char* row; /* null or "": a line feed */
  size_t row_length;
} hr_separators;

/* A file as cells and back: what stands between separators, nothing is added, changed or left out.
 * All rows must have as many cells as the first. A last row needs no separator behind it. *cells 0:
 * new cells, otherwise they are replaced. Writing: whole or not at all, append not 0: behind what
 * the file holds. .gz and .zst are decompressed and compressed. separators may be null.
 *
 * Errors: HR_HANDLE_CLOSED, HR_ROW_LENGTH (with file:line:column), HR_LINE_TOO_LONG, errno,
 * HR_FILE_NAME_EMPTY, HR_COMPRESSION_DAMAGED, HR_COMPRESSION_UNAVAILABLE. */
int hr_cells_read(const char* file, hr_cells* cells, const hr_separators* separators,
                  hr_error* error);
int hr_cells_write(const char* file, hr_cells cells, const hr_separators* separators, int append,
                   hr_error* error);

/* Numbers of rows and columns; bytes: of all texts with one byte for each separator. Arguments may
 * be null. Errors here and in all functions below: HR_HANDLE_CLOSED. */
int hr_cells_shape(hr_cells cells, int64_t* rows, int64_t* columns, int64_t* bytes,
                   hr_error* error);

/* The text of one cell, and a new one; setting costs a copy of its block, some 4 MiB. No such cell:
 * HR_ARGUMENT_INVALID. */
int hr_cells_text(hr_cells cells, int64_t row, int64_t column, hr_text* text, hr_error* error);
int hr_cells_set(hr_cells cells, int64_t row, int64_t column, const char* text, size_t length,
                 hr_error* error);

/* The parts of a text between separators as one column (*cells 0: new cells; an empty separator:
 * one part), and all cells joined row by row. */
int hr_cells_split(hr_cells* cells, const char* text, size_t length, const char* separator,
                   size_t separator_length, hr_error* error);
int hr_cells_join(hr_cells cells, const char* separator, size_t separator_length, hr_text* text,
                  hr_error* error);

/* Changes of every cell: match replaced by another text, blanks, tabs and line ends at both ends
 * taken off, a text appended, repeated copies times. A row of more than 2 GiB: HR_LINE_TOO_LONG,
 * and nothing is changed. */
int hr_cells_replace(hr_cells cells, const char* match, size_t match_length, const char* by,
                     size_t by_length, int back, hr_error* error);
int hr_cells_trim(hr_cells cells, hr_error* error);
int hr_cells_push(hr_cells cells, const char* text, size_t length, hr_error* error);
int hr_cells_repeat(hr_cells cells, int64_t copies, hr_error* error);

/* How often match stands in all cells; whether shapes and texts are the same (1) or not (0). */
int hr_cells_count(hr_cells cells, const char* match, size_t match_length, int64_t* count,
                   hr_error* error);
int hr_cells_equal(hr_cells left, hr_cells right, int* equal, hr_error* error);

/* The cells in columns of equal width, for a person. */
int hr_cells_print(hr_cells cells, hr_text* text, hr_error* error);

/* Sets *cells to 0. Closing 0 is no error. */
int hr_cells_close(hr_cells* cells, hr_error* error);

/* ---- tables: columns of different kinds with names ---- */

typedef struct hr_table_options {
  char delimiter; /* 0: a tab in .tsv, a blank in .txt and .dat, ';' with decimal ',', else ',';
                     ' ' when reading: any number of blanks and tabs */
  char quote;     /* 0: '"' */
  char comment;   /* 0: no comments; what follows it in a line is ignored */
  char decimal;  /* of the numbers of the file, 0: '.'; writing: '.' and ',' change the numbers that
                    were put, 0 leaves them as they were put */
  int no_header; /* not 0: the file has no names of columns; they are "1", "2", ... */
  int any_header; /* not 0: the first row has the names, whatever they look like; 0: reading refuses
                     a first row of numbers, dates and stars, of missing values, of logicals above
                     logicals, of one text only, with a decimal sign in a number, or with a number
                     (a date) above a number (a date), but for years in equal steps and numbers in
                     quotes above those without; writing gives a table read with no_header no first
                     row of names */
  int no_quotes;  /* not 0: quotes are characters like others */
  int skip_rows;  /* lines to skip before everything else */
  int append;     /* writing: rows are added; a file with content must have the columns of the
                     table in their order, as its header says, and gets no second header */
  const char* missing; /* texts that stand for an empty cell, with commas between them ("-999,xx";
                          with decimal ',' semicolons), beside NA, N/A, #N/A, #NA, <NA>, null and
                          None in any case; one that is a number stands for that value */
  int threads;         /* 0: as OpenMP (OMP_NUM_THREADS, one inside a parallel region), else all
                          cores */
  int level;           /* writing: of compression, as that of hr_write_options */
} hr_table_options;

/* Reads a file of delimited cells (RFC 4180): cells in quotes may hold delimiters, line ends and
 * doubled quotes; blanks around a delimiter belong neither to names nor to quoted cells; lines end
 * with \n or \r\n; blank lines are skipped; a UTF-8 byte order mark is skipped. .gz and .zst are
 * decompressed. *table 0: a new table, otherwise its columns are replaced; after a failure of the
 * reading it is empty. options may be null.
 *
 * Errors, with file:line:column: HR_ROW_LENGTH, HR_QUOTE_UNBALANCED, HR_TEXT_ENCODING (UTF-16, NUL
 * bytes, lines that end with carriage returns only), HR_LINE_TOO_LONG; HR_END_OF_FILE (an empty
 * file without its header), HR_COLUMN_UNKNOWN (the first row is data), HR_HANDLE_CLOSED,
 * HR_OPTION_UNKNOWN, HR_COMPRESSION_DAMAGED, HR_COMPRESSION_UNAVAILABLE, errno. */
int hr_table_read(const char* file, hr_table* table, const hr_table_options* options,
                  hr_error* error);

/* Columns in the order in which they were put. Quotes only where they are needed. Whole or not at
 * all, as hr_write_array. options may be null.
 *
 * Errors: HR_HANDLE_CLOSED, HR_ARGUMENT_INVALID (no columns), HR_OPTION_UNKNOWN, errno,
 * HR_COMPRESSION_UNAVAILABLE, HR_BAD_NUMBER (numbers that were read with another decimal sign
 * than options ask for); of append: HR_COLUMN_UNKNOWN (other names, or another order),
 * HR_ROW_LENGTH (another number of columns, or another delimiter), HR_BAD_NUMBER (cells of another
 * type, or numbers with another decimal sign, by the first rows of both), HR_COMPRESSION_DAMAGED.
 */
int hr_table_write(const char* file, hr_table table, const hr_table_options* options,
                   hr_error* error);

/* Fills an array of any kind, of array rank 1 with as many elements as there are rows, from the
 * column of a name, or of a number if the name is null. style may be null; its decimal is that
 * of the file unless it says otherwise.
 *
 * Errors: HR_HANDLE_CLOSED, HR_COLUMN_UNKNOWN (none, or several of that name), HR_ROW_COUNT,
 * HR_ARGUMENT_INVALID (array rank 2 and more), and as hr_cells_get. */
int hr_table_get(hr_table table, const char* name, int64_t number, const hr_array* array,
                 const hr_text_style* style, hr_error* error);

/* Replaces the column of that name, or adds one behind the others. *table 0: a new table. style may
 * be null. Complex numbers become 1.5-2.0j unless it says otherwise. Blanks and null bytes at the
 * end of characters are ignored.
 *
 * Errors: HR_HANDLE_CLOSED, HR_ROW_COUNT (not as many elements as rows), HR_ARGUMENT_INVALID (array
 * rank 2 and more), HR_OPTION_UNKNOWN, HR_KIND_UNSUPPORTED, HR_TEXT_ENCODING (characters with a
 * null byte before their end). */
int hr_table_put(hr_table* table, const char* name, const hr_array* array,
                 const hr_text_style* style, hr_error* error);

/* Numbers of rows, without the header, and of columns; each may be null. HR_HANDLE_CLOSED. */
int hr_table_shape(hr_table table, int64_t* rows, int64_t* columns, hr_error* error);
/* The name of a column, from 1. HR_HANDLE_CLOSED, HR_COLUMN_UNKNOWN, as the two below. */
int hr_table_column_name(hr_table table, int64_t number, hr_text* name, hr_error* error);
/* "integer", "real", "date" (2010-01-05, 2010-01), "timestamp" (with a time; dates among them),
 * "logical" or "character": the first that all cells are, but for empty ones.
 * The column is that of a name, or of a number if the name is null. */
int hr_table_column_type(hr_table table, const char* name, int64_t number, hr_text* type,
                         hr_error* error);
/* Bytes of the longest cell: the length of characters that hold the column. */
int hr_table_column_length(hr_table table, const char* name, int64_t number, int64_t* length,
                           hr_error* error);

/* Sets *table to 0. Closing 0 is no error. */
int hr_table_close(hr_table* table, hr_error* error);

#ifdef __cplusplus
}
#endif

#endif
