#include "netcdf_room.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "../core/disk_room.hpp"

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
    if (error == 0) error = reserve_blocks(descriptor, begin, metadata_bytes);
  ::close(descriptor);
  return is_full(error) ? error : 0;  // others: it cannot reserve
}

}  // namespace

status reserve_netcdf_metadata(const communicator& comm, const std::string& file,
                               std::int64_t bytes) {
  const int error = error_of_reserving(file, bytes);
  status found;
  if (error != 0) found = status::system(error, "there is no room for the metadata").in_file(file);
  return agree(comm, found);
}

status take_room_of_netcdf_array(const communicator& comm, const std::string& file,
                                 std::int64_t offset, std::int64_t end, std::int64_t bytes) {
  return offset >= 0 ? take_room(comm, file, offset, bytes)
                     : take_room(comm, file, end, bytes + 2 * metadata_bytes);
}

}  // namespace headrace
