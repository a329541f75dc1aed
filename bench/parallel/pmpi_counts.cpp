// Functions of MPI-IO that count and go on to MPI's own. The executable exports them, so that
// libraries that call MPI-IO come here too.
#include "pmpi_counts.hpp"

namespace {

using counts = headrace::bench::mpi_io_counts;

counts& state() {
  static counts now;
  return now;
}

headrace::bench::hint_map& hints() {
  static headrace::bench::hint_map last;
  return last;
}

void count(counts::kinds kind, MPI_Count elements, MPI_Datatype type) {
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  const bool collective = kind == counts::collective_writes || kind == counts::collective_reads;
  state().of[kind] += 1;
  state().of[collective ? counts::bytes_collective : counts::bytes_independent] += elements * size;
}

}  // namespace

namespace headrace::bench {

void reset_mpi_io_counts() {
  state() = {};
  hints().clear();
}
const mpi_io_counts& present_mpi_io_counts() {
  return state();
}
const hint_map& last_hints_in_force() {
  return hints();
}

}  // namespace headrace::bench

extern "C" {

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
  state().of[counts::opens] += 1;
  return PMPI_File_open(comm, name, mode, info, file);
}

int MPI_File_close(MPI_File* file) {
  MPI_Info info = MPI_INFO_NULL;
  if (PMPI_File_get_info(*file, &info) == MPI_SUCCESS && info != MPI_INFO_NULL) {
    hints() = headrace::bench::hints_of(info);
    PMPI_Info_free(&info);
  }
  return PMPI_File_close(file);
}

// At the individual or shared pointer, independent
int MPI_File_write(MPI_File file, const void* data, int n, MPI_Datatype type, MPI_Status* done) {
  count(counts::independent_writes, n, type);
  return PMPI_File_write(file, data, n, type, done);
}
int MPI_File_read(MPI_File file, void* data, int n, MPI_Datatype type, MPI_Status* done) {
  count(counts::independent_reads, n, type);
  return PMPI_File_read(file, data, n, type, done);
}
int MPI_File_write_shared(MPI_File file, const void* data, int n, MPI_Datatype type,
                          MPI_Status* done) {
  count(counts::independent_writes, n, type);
  return PMPI_File_write_shared(file, data, n, type, done);
}
int MPI_File_read_shared(MPI_File file, void* data, int n, MPI_Datatype type, MPI_Status* done) {
  count(counts::independent_reads, n, type);
  return PMPI_File_read_shared(file, data, n, type, done);
}
int MPI_File_iwrite(MPI_File file, const void* data, int n, MPI_Datatype type,
                    MPI_Request* request) {
  count(counts::independent_writes, n, type);
  return PMPI_File_iwrite(file, data, n, type, request);
}
int MPI_File_iread(MPI_File file, void* data, int n, MPI_Datatype type, MPI_Request* request) {
  count(counts::independent_reads, n, type);
  return PMPI_File_iread(file, data, n, type, request);
}

// At the individual pointer, collective
int MPI_File_write_all(MPI_File file, const void* data, int n, MPI_Datatype type,
                       MPI_Status* done) {
  count(counts::collective_writes, n, type);
  return PMPI_File_write_all(file, data, n, type, done);
}
int MPI_File_read_all(MPI_File file, void* data, int n, MPI_Datatype type, MPI_Status* done) {
  count(counts::collective_reads, n, type);
  return PMPI_File_read_all(file, data, n, type, done);
}
int MPI_File_iwrite_all(MPI_File file, const void* data, int n, MPI_Datatype type,
                        MPI_Request* request) {
  count(counts::collective_writes, n, type);
  return PMPI_File_iwrite_all(file, data, n, type, request);
}
int MPI_File_iread_all(MPI_File file, void* data, int n, MPI_Datatype type, MPI_Request* request) {
  count(counts::collective_reads, n, type);
  return PMPI_File_iread_all(file, data, n, type, request);
}
int MPI_File_write_all_begin(MPI_File file, const void* data, int n, MPI_Datatype type) {
  count(counts::collective_writes, n, type);
  return PMPI_File_write_all_begin(file, data, n, type);
}
int MPI_File_read_all_begin(MPI_File file, void* data, int n, MPI_Datatype type) {
  count(counts::collective_reads, n, type);
  return PMPI_File_read_all_begin(file, data, n, type);
}
int MPI_File_write_ordered(MPI_File file, const void* data, int n, MPI_Datatype type,
                           MPI_Status* done) {
  count(counts::collective_writes, n, type);
  return PMPI_File_write_ordered(file, data, n, type, done);
}
int MPI_File_read_ordered(MPI_File file, void* data, int n, MPI_Datatype type, MPI_Status* done) {
  count(counts::collective_reads, n, type);
  return PMPI_File_read_ordered(file, data, n, type, done);
}

// At an explicit offset, independent
int MPI_File_write_at(MPI_File file, MPI_Offset at, const void* data, int n, MPI_Datatype type,
                      MPI_Status* done) {
  count(counts::independent_writes, n, type);
  return PMPI_File_write_at(file, at, data, n, type, done);
}
int MPI_File_read_at(MPI_File file, MPI_Offset at, void* data, int n, MPI_Datatype type,
                     MPI_Status* done) {
  count(counts::independent_reads, n, type);
  return PMPI_File_read_at(file, at, data, n, type, done);
}
int MPI_File_iwrite_at(MPI_File file, MPI_Offset at, const void* data, int n, MPI_Datatype type,
                       MPI_Request* request) {
  count(counts::independent_writes, n, type);
  return PMPI_File_iwrite_at(file, at, data, n, type, request);
}
int MPI_File_iread_at(MPI_File file, MPI_Offset at, void* data, int n, MPI_Datatype type,
                      MPI_Request* request) {
  count(counts::independent_reads, n, type);
  return PMPI_File_iread_at(file, at, data, n, type, request);
}

// At an explicit offset, collective
int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void* data, int n, MPI_Datatype type,
                          MPI_Status* done) {
  count(counts::collective_writes, n, type);
  return PMPI_File_write_at_all(file, at, data, n, type, done);
}
int MPI_File_read_at_all(MPI_File file, MPI_Offset at, void* data, int n, MPI_Datatype type,
                         MPI_Status* done) {
  count(counts::collective_reads, n, type);
  return PMPI_File_read_at_all(file, at, data, n, type, done);
}
int MPI_File_iwrite_at_all(MPI_File file, MPI_Offset at, const void* data, int n, MPI_Datatype type,
                           MPI_Request* request) {
  count(counts::collective_writes, n, type);
  return PMPI_File_iwrite_at_all(file, at, data, n, type, request);
}
int MPI_File_iread_at_all(MPI_File file, MPI_Offset at, void* data, int n, MPI_Datatype type,
                          MPI_Request* request) {
  count(counts::collective_reads, n, type);
  return PMPI_File_iread_at_all(file, at, data, n, type, request);
}
int MPI_File_write_at_all_begin(MPI_File file, MPI_Offset at, const void* data, int n,
                                MPI_Datatype type) {
  count(counts::collective_writes, n, type);
  return PMPI_File_write_at_all_begin(file, at, data, n, type);
}
int MPI_File_read_at_all_begin(MPI_File file, MPI_Offset at, void* data, int n, MPI_Datatype type) {
  count(counts::collective_reads, n, type);
  return PMPI_File_read_at_all_begin(file, at, data, n, type);
}

}  // extern "C"
