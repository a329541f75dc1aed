#include "room.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "../../src/core/system_calls.hpp"
#include "../together/mpi_io_module.hpp"
#include "library_files.hpp"

namespace headrace {
namespace {

// Little: thousands of MPI ranks try at once.
constexpr std::size_t probed_bytes = std::size_t{1} << 16;

bool is_failure(int error) noexcept {
  return is_full(error) || error == EIO;
}

// Others wait for the room. Only cutting a file frees what lies behind its end, on ext4 for one. It
// may take what another MPI rank just tried with, which does that no harm.
void give_back(int descriptor, off_t size) noexcept {
  if (uninterrupted([&] { return ::ftruncate(descriptor, size); }) != 0)
    errno = 0;  // the file is thrown away
}

// Each MPI rank behind the end, and apart from the others.
int error_of_growing(int descriptor, const std::string& file, off_t size, int rank) {
  if (!is_within_limit(size + off_t{probed_bytes})) return EFBIG;
  const off_t begin = size + static_cast<off_t>(rank) * off_t{probed_bytes};
  if (!is_within_limit(begin + off_t{probed_bytes})) return 0;  // the others reach so far for it
  const std::vector<char> nothing(probed_bytes);
  const ssize_t done =
      uninterrupted([&] { return ::pwrite(descriptor, nothing.data(), nothing.size(), begin); });
  int error = done < 0 ? errno : done < static_cast<ssize_t>(nothing.size()) ? ENOSPC : 0;
  if (error == 0 && !is_local_file_system(file) && ::fsync(descriptor) != 0) error = errno;
  give_back(descriptor, size);
  return error;
}

// How many bytes a file has, on this MPI rank; -1: nothing can be tried.
off_t size_of(const std::string& file) noexcept {
  struct stat found {};
  return ::stat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) ? found.st_size : -1;
}

int error_of_growing(const std::string& file, off_t size, int rank) {
  if (size < 0) return 0;
  const int descriptor = uninterrupted([&] { return ::open(file.c_str(), O_WRONLY | O_CLOEXEC); });
  if (descriptor < 0) return is_full(errno) ? errno : 0;
  const int error = error_of_growing(descriptor, file, size, rank);
  ::close(descriptor);
  return is_failure(error) ? error : 0;
}

// Collective: the failure of an MPI rank for which the file cannot grow.
status find_no_room(const communicator& comm, const std::string& file, const char* what) {
  // Who looked later would take for the file what the others try with.
  const off_t size = size_of(file);
  if (status s = agree(comm, {}); !s.ok()) return s;
  return agree_on(comm, [&] {
    const int error = error_of_growing(file, size, comm.rank());
    if (error == 0) return status();
    return status::system(error, std::string(what) +
                                     (is_full(error) ? ", and the file cannot grow"
                                                     : ", and headrace cannot write there either"))
        .in_file(file);
  });
}

}  // namespace

status check_hard_limit(std::int64_t end) {
  const std::int64_t longest = longest_file_ever();
  if (end <= longest) return {};
  return status::system(EFBIG, "the file would be longer than this process may write")
      .expected(bytes_text(static_cast<std::uint64_t>(longest)) + " at most",
                bytes_text(static_cast<std::uint64_t>(end)));
}

status explain_failed_write(const communicator& comm, const std::string& file, status failure) {
  // Of arguments that are wrong nothing was written. EIO may be a full disk that nobody told of.
  const bool without_reason = failure.code() == EIO ||
                              failure.code() == static_cast<int>(stat_code::library_failed) ||
                              failure.code() == static_cast<int>(stat_code::file_size_mismatch);
  if (!without_reason) return failure;
  status found = find_no_room(comm, file, "the library could not write");
  return found.ok() ? std::move(failure) : std::move(found);
}

status check_room_after(const communicator& comm, const std::string& file) {
  if (!mpi_io_may_lose_writes()) return {};
  return find_no_room(comm, file,
                      "the library reported success, which OMPIO also does on a full disk");
}

}  // namespace headrace
