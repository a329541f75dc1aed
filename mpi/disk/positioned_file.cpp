#include "positioned_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "../../src/core/system_calls.hpp"

namespace headrace {
namespace {

// Longer calls gain nothing, and Linux cuts them at 2 GiB.
constexpr std::int64_t longest_call = std::int64_t{8} << 20;

// What one call wrote, or -1 with errno. Where there are no locks nobody needs to wait.
ssize_t write_once(int descriptor, const char* data, std::size_t bytes, std::int64_t offset,
                   bool takes_turns) {
  const bool has_turn =
      takes_turns && uninterrupted([&] { return ::flock(descriptor, LOCK_EX); }) == 0;
  const ssize_t done = ::pwrite(descriptor, data, bytes, offset);
  const int error_of_writing = errno;
  if (has_turn) ::flock(descriptor, LOCK_UN);
  errno = error_of_writing;
  return done;
}

}  // namespace

bool exists(const std::string& path) noexcept {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0;
}

positioned_file::~positioned_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

status positioned_file::open(const std::string& file, int flags, const char* what, unsigned mode) {
  file_ = file;
  descriptor_ = uninterrupted([&] { return ::open(file.c_str(), flags | O_CLOEXEC, mode); });
  if (descriptor_ < 0) return status::system(errno, what).in_file(file);
  return {};
}

status positioned_file::create(const std::string& file) {
  return open(file, O_RDWR | O_CREAT | O_EXCL, "cannot create the file");
}

status positioned_file::open_to_write(const std::string& file) {
  return open(file, O_RDWR, "cannot open the file for writing");
}

status positioned_file::open_to_read(const std::string& file) {
  return open(file, O_RDONLY, "cannot open the file");
}

status positioned_file::write_at(std::int64_t offset, const char* data, std::int64_t bytes) const {
  while (bytes > 0) {
    const auto call = static_cast<std::size_t>(std::min(bytes, longest_call));
    const ssize_t done = write_once(descriptor_, data, call, offset, takes_turns_);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0)
      return status::system(done < 0 ? errno : ENOSPC, "cannot write")
          .in_file(file_)
          .at_byte(static_cast<std::uint64_t>(offset));
    offset += done;
    data += done;
    bytes -= done;
  }
  return {};
}

status positioned_file::read_at(std::int64_t offset, char* data, std::int64_t bytes) const {
  while (bytes > 0) {
    const auto call = static_cast<std::size_t>(std::min(bytes, longest_call));
    const ssize_t done = ::pread(descriptor_, data, call, offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0)
      return status::system(errno, "cannot read")
          .in_file(file_)
          .at_byte(static_cast<std::uint64_t>(offset));
    if (done == 0)
      return status::failure(stat_code::end_of_file, "the file ends too early")
          .in_file(file_)
          .at_byte(static_cast<std::uint64_t>(offset))
          .expected(bytes_text(static_cast<std::uint64_t>(bytes)) + " more", "none")
          .advise("check that it was written and copied whole");
    offset += done;
    data += done;
    bytes -= done;
  }
  return {};
}

status positioned_file::size(std::int64_t& bytes) const {
  struct stat found {};
  if (::fstat(descriptor_, &found) != 0)
    return status::system(errno, "cannot look at the file").in_file(file_);
  bytes = found.st_size;
  return {};
}

status positioned_file::check_stored(std::int64_t bytes) const {
  struct stat found {};
  struct statvfs disk {};
  if (::fstat(descriptor_, &found) != 0 || ::fstatvfs(descriptor_, &disk) != 0) return {};
  constexpr std::int64_t block = 512;  // of st_blocks, whatever the file system's
  const std::int64_t missing = bytes - found.st_blocks * block;
  // Sparse and compressing file systems have fewer blocks too, but then there is room.
  const auto room =
      static_cast<std::int64_t>(disk.f_bavail) * static_cast<std::int64_t>(disk.f_frsize);
  if (missing <= static_cast<std::int64_t>(disk.f_bsize) || room >= missing) return {};
  return status::system(ENOSPC, "parts of the file are missing, and the disk is full")
      .in_file(file_);
}

status positioned_file::check_size(std::int64_t expected) const {
  std::int64_t found = 0;
  if (status s = size(found); !s.ok()) return s;
  if (found == expected) return {};
  return status::failure(stat_code::file_size_mismatch,
                         "the file does not have the size that was written")
      .in_file(file_)
      .expected(bytes_text(static_cast<std::uint64_t>(expected)),
                bytes_text(static_cast<std::uint64_t>(found)))
      .advise(
          "check that it was written and copied whole, that the disk is not full and that nothing "
          "else writes to it");
}

status positioned_file::check_written(std::int64_t expected) const {
  status result = check_stored(expected);  // a full disk may have cut it
  return result.ok() ? check_size(expected) : result;
}

status positioned_file::check_named(const std::string& file) const {
  struct stat named {};
  struct stat opened {};
  if (::fstat(descriptor_, &opened) != 0)
    return status::system(errno, "cannot look at the file").in_file(file);
  const bool is_there = ::stat(file.c_str(), &named) == 0;
  if (!is_there && errno != ENOENT)
    return status::system(errno, "cannot look at the file").in_file(file);
  if (is_there && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino) return {};
  return status::failure(stat_code::file_changed_while_writing,
                         "the file is gone that is being written")
      .in_file(file)
      .expected("the file that was opened", is_there ? "another one of its name" : "none")
      .advise("see that nothing deletes or replaces it before it is closed, and write it anew");
}

status positioned_file::sync() const {
  if (::fsync(descriptor_) == 0) return {};
  return status::system(errno, "cannot bring the file to the device").in_file(file_);
}

status positioned_file::close() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor < 0 || ::close(descriptor) == 0 || errno == EINTR) return {};
  return status::system(errno, "cannot close the file").in_file(file_);
}

}  // namespace headrace
