#include "mpi_file.hpp"

#include <climits>

#include "../disk/library_files.hpp"

namespace headrace {
namespace {

MPI_Datatype bytes_type(std::int64_t bytes) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

// Where a part lies in the global array: lines of the first dimension, repeated along the others.
// Built from vectors with byte strides, which know no limit of int for what they span.
MPI_Datatype view_type(const box& part, const box& global, std::int64_t element_bytes) {
  MPI_Datatype type = bytes_type(part.count[0] * element_bytes);
  std::int64_t stride = element_bytes;
  for (std::size_t d = 1; d < static_cast<std::size_t>(part.array_rank); ++d) {
    stride *= global.count[d - 1];
    MPI_Datatype next = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(static_cast<int>(part.count[d]), 1, static_cast<MPI_Aint>(stride), type,
                            &next);
    MPI_Type_free(&type);
    type = next;
  }
  MPI_Type_commit(&type);
  return type;
}

std::int64_t first_byte(const box& part, const box& global, std::int64_t element_bytes) {
  std::int64_t at = 0;
  std::int64_t stride = element_bytes;
  for (std::size_t d = 0; d < static_cast<std::size_t>(part.array_rank); ++d) {
    at += part.start[d] * stride;
    stride *= global.count[d];
  }
  return at;
}

}  // namespace

mpi_file::~mpi_file() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

status mpi_file::open(const communicator& comm, const std::string& file, int mode,
                      const hint_list& hints, hints_found& found) {
  const status ready = agree_on(comm, [&] {
    name_ = file;
    return status();
  });
  if (!ready.ok()) return ready;
  const info_of_hints info(hints);
  const int code = MPI_File_open(comm.handle(), file.c_str(), mode, info.get(), &file_);
  if (code != MPI_SUCCESS) file_ = MPI_FILE_NULL;
  if (status s = agree(comm, done(code, "MPI cannot open the file")); !s.ok()) return s;
  info.give_again(file_);
  MPI_Info used = MPI_INFO_NULL;
  if (MPI_File_get_info(file_, &used) != MPI_SUCCESS) used = MPI_INFO_NULL;
  const status learnt = agree_on(comm, [&] {
    if (used != MPI_INFO_NULL) found.learn(hints, used);
    return status();
  });
  if (used != MPI_INFO_NULL) MPI_Info_free(&used);
  return learnt;
}

status mpi_file::transfer(std::int64_t offset, const box& part, const array_layout& layout,
                          const element_form& form, char* data, bool collective, bool writes) {
  const auto element = static_cast<std::int64_t>(form.file_bytes);
  const std::int64_t bytes = volume(part) * element;
  if (bytes > INT_MAX)  // of one element: parts have no more than largest_call_bytes otherwise
    return status::failure(stat_code::array_too_large,
                           "MPI-IO takes no elements of more than 2147483647 bytes")
        .in_file(name_)
        .advise("use transfer=\"headrace\"");
  const box& global = layout.global();
  MPI_Datatype where = bytes > 0 ? view_type(part, global, element) : bytes_type(1);
  const std::int64_t begin = offset + (bytes > 0 ? first_byte(part, global, element) : 0);
  int code = MPI_File_set_view(file_, begin, MPI_BYTE, where, "native", MPI_INFO_NULL);
  const auto count = static_cast<int>(bytes);
  MPI_Status found;
  const int set = code;  // the others wait in a collective call for who has no view
  if (writes && collective)
    code = MPI_File_write_all(file_, data, count, MPI_BYTE, &found);
  else if (writes)
    code = MPI_File_write(file_, data, count, MPI_BYTE, &found);
  else if (collective)
    code = MPI_File_read_all(file_, data, count, MPI_BYTE, &found);
  else
    code = MPI_File_read(file_, data, count, MPI_BYTE, &found);
  int moved = 0;
  if (set != MPI_SUCCESS) code = set;
  if (code == MPI_SUCCESS) MPI_Get_count(&found, MPI_BYTE, &moved);
  MPI_Type_free(&where);
  if (writes && (code != MPI_SUCCESS || moved < count)) drop_locks(name_.c_str());
  if (code != MPI_SUCCESS) return done(code, writes ? "MPI cannot write" : "MPI cannot read");
  if (bytes == 0 || moved == count) return {};
  return status::failure(writes ? stat_code::library_failed : stat_code::end_of_file,
                         writes ? "MPI wrote less than it was given"
                                : "MPI read less than was asked for: the file ends too early")
      .in_file(name_)
      .expected(bytes_text(static_cast<std::uint64_t>(bytes)),
                bytes_text(static_cast<std::uint64_t>(moved)))
      .advise(writes ? "check that the disk is not full"
                     : "check that it was written and copied whole");
}

status mpi_file::pass_array(std::int64_t offset, const array_view& local,
                            const array_layout& layout, bool collective, direction way) {
  const element_form form = form_of(local);
  return pass_slabs(layout, local, form, way, [&](const box& part, char* data) {
    return transfer(offset, part, layout, form, data, collective, way == direction::out);
  });
}

status mpi_file::done(int code, const char* what) const {
  return code == MPI_SUCCESS ? status() : mpi_failure(code, what).in_file(name_);
}

status mpi_file::sync() {
  return done(MPI_File_sync(file_), "MPI cannot sync the file to the device");
}

status mpi_file::close() {
  if (file_ == MPI_FILE_NULL) return {};
  const int code = MPI_File_close(&file_);
  file_ = MPI_FILE_NULL;
  return done(code, "MPI cannot close the file");
}

}  // namespace headrace
