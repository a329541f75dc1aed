#include "library_files.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "positioned_file.hpp"

namespace headrace {
namespace {

// Whether this MPI rank may.
status try_to_open(const std::string& file, bool writes) {
  positioned_file probe;
  status opened = writes ? probe.open_to_write(file) : probe.open_to_read(file);
  return opened.ok() ? probe.close() : opened;
}

}  // namespace

bool is_local_file_system(const std::string& file) noexcept {
  constexpr unsigned long xfs = 0x58465342;
  struct statfs found {};
  if (::statfs(file.c_str(), &found) != 0) return false;
  const auto kind = static_cast<unsigned long>(found.f_type);
  return kind == EXT4_SUPER_MAGIC || kind == TMPFS_MAGIC || kind == xfs;
}

bool is_local_file_system(const communicator& comm, const std::string& file) {
  int is_local = comm.rank() == 0 && is_local_file_system(file) ? 1 : 0;
  copy_from(comm, 0, &is_local, 1, MPI_INT);
  return is_local != 0;
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
  found.learn(hints, made);
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
  if (comm.rank() != 0) made = try_to_open(file, true);
  return agree(comm, made);
}

status check_not_empty(const std::string& file) {
  if (status s = try_to_open(file, false); !s.ok()) return s;
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0 || !S_ISREG(found.st_mode) || found.st_size > 0) return {};
  return status::failure(stat_code::header_damaged, "the file is empty")
      .in_file(file)
      .expected("a dataset", bytes_text(0))
      .advise(
          "check that its writer has finished; to write it anew, open it with "
          "action=\"write\" or delete it");
}

status check_readable(const communicator& comm, const std::string& file) {
  return agree_on(
      comm, [&] { return comm.rank() == 0 ? check_not_empty(file) : try_to_open(file, false); });
}

status check_writable(const std::string& file) {
  return try_to_open(file, true);
}

status check_writable_directory(const communicator& comm, const std::string& directory) {
  status found;
  // With the rights in force: a program may have given some away.
  if (::faccessat(AT_FDCWD, directory.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    found = status::system(errno, "cannot write into the directory").in_file(directory);
  return agree(comm, found);
}

status check_written(const std::string& file, std::int64_t least, std::int64_t stored) {
  positioned_file written;
  std::int64_t found = 0;
  if (status s = written.open_to_read(file); !s.ok()) return s;
  if (status s = written.size(found); !s.ok()) return s;
  if (status s = written.check_stored(stored); !s.ok()) return s;
  return found < least ? written.check_size(least) : status();
}

void drop_locks(const char* file) noexcept {
  // A process loses all its locks on a file with the first descriptor of it that is closed.
  const int descriptor = ::open(file, O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) ::close(descriptor);
}

// Which files of a store this node has written only the library knows: the whole file system.
status sync_on_all_nodes(const communicator& comm, const std::string& path) {
  status done;
  if (comm.node_rank() == 0) {
    struct stat found {};
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || ::fstat(descriptor, &found) != 0 ||
        (S_ISDIR(found.st_mode) ? ::syncfs(descriptor) : ::fsync(descriptor)) != 0)
      done = status::system(errno, "cannot bring it to the device").in_file(path);
    if (descriptor >= 0) ::close(descriptor);
  }
  return agree(comm, done);
}

}  // namespace headrace
