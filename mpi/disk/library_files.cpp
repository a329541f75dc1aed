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

// Writes a null byte into a hole, where one is read anyway. No more: the hole may end behind it.
int error_of_writing(const std::string& file, off_t offset) noexcept {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const char nothing = 0;
  int error = 0;
  if (::pwrite(descriptor, &nothing, 1, offset) < 0) error = errno;
  if (error == 0 && ::fsync(descriptor) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

// Whether this MPI rank may.
status try_to_open(const std::string& file, bool writes) {
  positioned_file probe;
  status opened = writes ? probe.open_to_write(file) : probe.open_to_read(file);
  return opened.ok() ? probe.close() : opened;
}

struct holes_found {
  std::int64_t bytes = 0;
  off_t first = -1;
};

// Bytes that nobody wrote, also where room was taken for them; behind the end of the file too. File
// systems that do not know their holes have none.
void look_for_holes(int descriptor, const byte_range& where, holes_found& found) noexcept {
  for (off_t at = where.begin; at < where.end;) {
    off_t hole = ::lseek(descriptor, at, SEEK_HOLE);
    if (hole < 0 && errno != ENXIO) return;
    if (hole < 0) hole = at;  // behind the end
    if (hole >= where.end) return;
    if (found.first < 0) found.first = hole;
    at = ::lseek(descriptor, hole, SEEK_DATA);
    if (at < 0 || at > where.end) at = where.end;
    found.bytes += at - hole;
  }
}

status lost(int error, const std::string& file, std::int64_t bytes) {
  return status::system(error, "the library reported success, but at least " +
                                   bytes_text(static_cast<std::uint64_t>(bytes)) +
                                   " did not reach the file system")
      .in_file(file);
}

// Why: what has blocks and was not written failed for another reason than a full disk.
status explain_holes(const std::string& file, const struct stat& known, std::int64_t stored,
                     const holes_found& found) {
  if (is_local_file_system(file))
    return lost(std::int64_t{known.st_blocks} * 512 < stored ? ENOSPC : EIO, file, found.bytes);
  // Elsewhere null bytes may have become a hole: ask the file system itself.
  if (found.first >= known.st_size) return {};
  const int error = error_of_writing(file, found.first);
  return error == 0 ? status() : lost(error, file, found.bytes);
}

// look(descriptor) finds the holes that should not be there.
template <class Look>
status check_file_written(const std::string& file, std::int64_t length, std::int64_t stored,
                          Look look) {
  struct stat known {};
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || ::fstat(descriptor, &known) != 0) {
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    return status::system(error, "cannot check the file").in_file(file);
  }
  const holes_found found = look(descriptor);
  ::close(descriptor);
  if (known.st_size < length)
    return status::failure(stat_code::file_size_mismatch,
                           "the library reported success, but the file is cut")
        .expected("at least " + bytes_text(static_cast<std::uint64_t>(length)),
                  bytes_text(static_cast<std::uint64_t>(known.st_size)))
        .in_file(file)
        .advise("is the file system full?");
  return found.bytes <= 0 ? status() : explain_holes(file, known, stored, found);
}

holes_found holes_in(int descriptor, const std::vector<byte_range>& ranges) noexcept {
  holes_found found;
  for (const byte_range& one : ranges) look_for_holes(descriptor, one, found);
  return found;
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

status check_written(const std::string& file, std::int64_t length,
                     const std::vector<byte_range>& arrays) {
  const std::vector<byte_range> all = joined(arrays);
  return check_file_written(file, length, bytes_of(all),
                            [&](int descriptor) { return holes_in(descriptor, all); });
}

status check_written(const std::string& file, std::int64_t length, std::int64_t stored) {
  return check_file_written(file, length, stored, [&](int descriptor) {
    struct stat known {};
    holes_found found;
    if (::fstat(descriptor, &known) != 0) return found;
    look_for_holes(descriptor, {0, known.st_size}, found);
    const std::int64_t written = std::int64_t{known.st_size} - found.bytes;
    found.bytes = std::max<std::int64_t>(0, stored - written);
    return found;
  });
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
