#include "netcdf_room.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace headrace {
namespace {

// Definitions of an array with some attributes; HDF5 asks for 2 KiB at a time.
constexpr std::int64_t metadata_bytes = std::int64_t{32} << 10;

int error_of_reserving(const std::string& file, std::int64_t bytes) noexcept {
  struct stat found {};
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  int error = ::fstat(descriptor, &found) == 0 ? 0 : errno;
  for (const std::int64_t begin : {std::int64_t{found.st_size}, found.st_size + bytes})
    if (error == 0 && ::fallocate(descriptor, FALLOC_FL_KEEP_SIZE, begin, metadata_bytes) != 0)
      error = errno;
  ::close(descriptor);
  return error == ENOSPC || error == EDQUOT ? error : 0;  // others: it cannot reserve
}

}  // namespace

status reserve_netcdf_metadata(const communicator& comm, const std::string& file,
                               std::int64_t bytes) {
  const int error = comm.rank() == 0 ? error_of_reserving(file, bytes) : 0;
  status found;
  if (error != 0) found = status::system(error, "there is no room for the metadata").in_file(file);
  return agree(comm, found);
}

void release_netcdf_metadata(const std::string& file) noexcept {
  struct stat found {};
  if (::stat(file.c_str(), &found) == 0 && ::truncate(file.c_str(), found.st_size) != 0) errno = 0;
}

}  // namespace headrace
