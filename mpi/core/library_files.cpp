#include "library_files.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "positioned_file.hpp"

namespace headrace {
namespace {

status full(int error, const std::string& file, std::int64_t missing) {
  return status::system(error, "the library reported success, but at least " +
                                   bytes_text(static_cast<std::uint64_t>(missing)) +
                                   " did not reach the file system")
      .in_file(file);
}

// Whether a file can grow, which quotas and network file systems tell only who tries.
status try_to_grow(const std::string& file) {
  struct stat before {};
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0 || ::fstat(descriptor, &before) != 0 || !S_ISREG(before.st_mode)) {
    if (descriptor >= 0) ::close(descriptor);
    return {};
  }
  static const std::array<char, 65536> nothing{};
  const ssize_t done = ::pwrite(descriptor, nothing.data(), nothing.size(), before.st_size);
  int error = done < 0 ? errno : 0;
  if (done >= 0 && done < static_cast<ssize_t>(nothing.size())) error = ENOSPC;
  if (::ftruncate(descriptor, before.st_size) != 0 && error == 0) error = errno;
  ::close(descriptor);
  return error == 0 ? status() : status::system(error, "the file cannot grow").in_file(file);
}

// Writes null bytes where null bytes are read anyway.
int error_of_writing(const std::string& file, off_t offset) noexcept {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const std::array<char, 512> nothing{};
  int error = 0;
  if (::pwrite(descriptor, nothing.data(), nothing.size(), offset) < 0) error = errno;
  if (error == 0 && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

bool is_local_file_system(const std::string& file) noexcept {
  struct statfs found {};
  if (::statfs(file.c_str(), &found) != 0) return false;
  const auto kind = static_cast<unsigned long>(found.f_type);
  constexpr unsigned long xfs = 0x58465342;
  return kind == EXT4_SUPER_MAGIC || kind == TMPFS_MAGIC || kind == xfs;
}

bool names_striping(const hint_list& hints) noexcept {
  // ROMIO's and Cray MPICH's names, and those of Open MPI's OMPIO.
  constexpr std::array names = {"striping_factor", "striping_unit", "start_iodevice", "stripe_size",
                                "stripe_width"};
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return hints.count(name) != 0; });
}

status create_with_hints(const std::string& file, const hint_list& hints, hints_found& found) {
  if (!names_striping(hints)) {
    positioned_file made;
    if (status s = made.create(file); !s.ok()) return s;
    return made.close();
  }
  MPI_File made = MPI_FILE_NULL;
  const info_of_hints info(hints);
  int code = MPI_File_open(MPI_COMM_SELF, file.c_str(),
                           MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_EXCL, info.get(), &made);
  if (code != MPI_SUCCESS) return mpi_failure(code, "MPI cannot create the file").in_file(file);
  MPI_Info used = MPI_INFO_NULL;
  if (MPI_File_get_info(made, &used) == MPI_SUCCESS) found.learn(hints, used);
  if (used != MPI_INFO_NULL) MPI_Info_free(&used);
  code = MPI_File_close(&made);
  return code == MPI_SUCCESS ? status()
                             : mpi_failure(code, "MPI cannot close the file").in_file(file);
}

status create_for_library(const communicator& comm, const std::string& file, const hint_list& hints,
                          hints_found& found) {
  status made;
  if (comm.rank() == 0) made = create_with_hints(file, hints, found);
  if (status s = agree(comm, made); !s.ok()) return s;
  if (names_striping(hints)) broadcast_found(comm, found);
  if (comm.rank() != 0) {
    positioned_file probe;
    made = probe.open_to_write(file);
    if (made.ok()) made = probe.close();
  }
  return agree(comm, made);
}

status check_readable(const communicator& comm, const std::string& file) {
  positioned_file probe;
  status opened = probe.open_to_read(file);
  if (opened.ok()) opened = probe.close();
  return agree(comm, opened);
}

status check_writable_directory(const communicator& comm, const std::string& directory) {
  status found;
  // With the rights in force: a program may have given some away.
  if (::faccessat(AT_FDCWD, directory.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    found = status::system(errno, "cannot write into the directory").in_file(directory);
  return agree(comm, found);
}

status check_room(const communicator& comm, const std::string& file, std::int64_t bytes) {
  status found;
  struct statvfs space {};
  if (comm.rank() == 0 && ::statvfs(file.c_str(), &space) == 0 && is_local_file_system(file)) {
    const auto needed = static_cast<std::uint64_t>(bytes);
    const std::uint64_t free = std::uint64_t{space.f_bavail} * space.f_frsize;
    // A file system without a size (tmpfs with size=0) says 0 blocks.
    if (space.f_blocks != 0 && needed > free)
      found = status::system(ENOSPC, "the array needs " + bytes_text(needed) + " and " +
                                         std::to_string(free) + " are free")
                  .in_file(file);
  }
  if (comm.rank() == 0 && found.ok()) found = try_to_grow(file);
  std::int64_t code = found.code();
  broadcast(comm, 0, code);
  return code == 0 ? status() : agree(comm, found);
}

status check_written(const std::string& file, std::int64_t length, std::int64_t stored) {
  struct stat found {};
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || ::fstat(descriptor, &found) != 0) {
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    return status::system(error, "cannot check the file").in_file(file);
  }
  const std::int64_t missing = stored - std::int64_t{found.st_blocks} * 512;
  // Looking for the hole takes milliseconds in a large file.
  const off_t hole = missing > 0 ? ::lseek(descriptor, 0, SEEK_HOLE) : -1;
  ::close(descriptor);
  if (found.st_size < length)
    return status::failure(stat_code::file_size_mismatch,
                           "the library reported success, but the file is cut")
        .expected("at least " + bytes_text(static_cast<std::uint64_t>(length)),
                  bytes_text(static_cast<std::uint64_t>(found.st_size)))
        .in_file(file)
        .advise("is the file system full?");
  if (missing <= 0 || hole < 0 || hole >= found.st_size) return {};
  if (is_local_file_system(file)) return full(ENOSPC, file, missing);
  // Elsewhere null bytes may have become a hole: ask the file system itself.
  const int error = error_of_writing(file, hole);
  return error == 0 ? status() : full(error, file, missing);
}

void drop_locks(const std::string& file) noexcept {
  // A process loses all its locks on a file with the first descriptor of it that is closed.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) ::close(descriptor);
}

status sync_on_all_nodes(const communicator& comm, const std::string& file) {
  status done;
  if (comm.node_rank() == 0) {
    positioned_file written;
    done = written.open_to_write(file);
    if (done.ok()) done = written.sync();
    if (done.ok()) done = written.close();
  }
  return agree(comm, done);
}

// Which files of the store this node has written only the library knows: the whole file system.
status sync_directory_on_all_nodes(const communicator& comm, const std::string& directory) {
  status done;
  if (comm.node_rank() == 0) {
    const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0 || ::syncfs(descriptor) != 0)
      done = status::system(errno, "cannot bring the store to the device").in_file(directory);
    if (descriptor >= 0) ::close(descriptor);
  }
  return agree(comm, done);
}

}  // namespace headrace
