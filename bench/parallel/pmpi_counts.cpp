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

// The functions with a buffer, each of which writes or reads. offset: explicit, or that of a file
// pointer; outcome: in a status, by a request, or of a call that comes later.
#define COUNTED_CALL(name, kind, offset, buffer, outcome)                              \
  int MPI_File_##name(MPI_File file, PARAMETER_##offset buffer data, int n,            \
                      MPI_Datatype type PARAMETER_##outcome) {                         \
    count(counts::kind, n, type);                                                      \
    return PMPI_File_##name(file, ARGUMENT_##offset data, n, type ARGUMENT_##outcome); \
  }
#define COUNTED(write, read, access, offset, outcome)                \
  COUNTED_CALL(write, access##_writes, offset, const void*, outcome) \
  COUNTED_CALL(read, access##_reads, offset, void*, outcome)
#define PARAMETER_pointer
#define ARGUMENT_pointer
#define PARAMETER_explicit MPI_Offset at,
#define ARGUMENT_explicit at,
#define PARAMETER_status , MPI_Status* status
#define ARGUMENT_status , status
#define PARAMETER_request , MPI_Request* request
#define ARGUMENT_request , request
#define PARAMETER_later
#define ARGUMENT_later

COUNTED(write, read, independent, pointer, status)
COUNTED(write_shared, read_shared, independent, pointer, status)
COUNTED(iwrite, iread, independent, pointer, request)
COUNTED(write_all, read_all, collective, pointer, status)
COUNTED(iwrite_all, iread_all, collective, pointer, request)
COUNTED(write_all_begin, read_all_begin, collective, pointer, later)
COUNTED(write_ordered, read_ordered, collective, pointer, status)
COUNTED(write_at, read_at, independent, explicit, status)
COUNTED(iwrite_at, iread_at, independent, explicit, request)
COUNTED(write_at_all, read_at_all, collective, explicit, status)
COUNTED(iwrite_at_all, iread_at_all, collective, explicit, request)
COUNTED(write_at_all_begin, read_at_all_begin, collective, explicit, later)

}  // extern "C"
