// Fortran's own statements for C++: the Fortran library brings them, this library does not know it.
//
// mpi/headrace_mpi/stream_statements.f90 defines hr_mpi_register_statements(), which calls
// hr_mpi_use_statements(). The bindings call it before they open a dataset; calling it again does
// nothing.
#pragma once

extern "C" {

// Each returns IOSTAT and puts IOMSG into message, length characters filled up with blanks.
typedef int (*hr_statement_open)(const char* file, int file_length, int writes, int* unit,
                                 char* message, int length);
// The bytes from an offset on, counted from 0.
typedef int (*hr_statement_move)(int unit, int writes, long long offset, void* data,
                                 long long bytes, char* message, int length);
typedef int (*hr_statement_close)(int unit, char* message, int length);

// Null pointers: there are none any more.
void hr_mpi_use_statements(hr_statement_open open, hr_statement_move move,
                           hr_statement_close close);

// In Fortran.
void hr_mpi_register_statements(void);
}
