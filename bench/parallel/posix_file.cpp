#include "posix_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace headrace::bench {
namespace {

constexpr std::int64_t largest_call = std::int64_t{8} << 20;

}  // namespace

posix_file::~posix_file() {
  if (file_ >= 0) ::close(file_);
}

outcome posix_file::failed(const char* what, std::int64_t bytes, std::int64_t offset,
                           int error) const {
  return system_failure(error, std::string(what) + " " + std::to_string(bytes) + " bytes at byte " +
                                   std::to_string(offset) + " of " + path_);
}

outcome posix_file::open_to_write(const std::string& path) {
  path_ = path;
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  return file_ >= 0 ? outcome{} : system_failure(errno, "creating " + path);
}

outcome posix_file::open_to_read(const std::string& path) {
  path_ = path;
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return file_ >= 0 ? outcome{} : system_failure(errno, "opening " + path);
}

outcome posix_file::write_at(std::int64_t offset, const char* data, std::int64_t bytes) {
  while (bytes > 0) {
    const std::int64_t part = std::min(bytes, largest_call);
    const ssize_t done = ::pwrite(file_, data, static_cast<std::size_t>(part), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return failed("writing", part, offset, done < 0 ? errno : ENOSPC);
    offset += done;
    data += done;
    bytes -= done;
  }
  return {};
}

outcome posix_file::read_at(std::int64_t offset, char* data, std::int64_t bytes) {
  while (bytes > 0) {
    const std::int64_t part = std::min(bytes, largest_call);
    const ssize_t done = ::pread(file_, data, static_cast<std::size_t>(part), offset);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return failed("reading", part, offset, errno);
    if (done == 0) {
      return failure(EIO, "reading " + std::to_string(part) + " bytes at byte " +
                              std::to_string(offset) + " of " + path_ + ": the file ends there");
    }
    offset += done;
    data += done;
    bytes -= done;
  }
  return {};
}

outcome posix_file::sync() {
  return ::fsync(file_) == 0 ? outcome{} : system_failure(errno, "syncing " + path_);
}

outcome posix_file::close() {
  const int file = file_;
  file_ = -1;
  return ::close(file) == 0 ? outcome{} : system_failure(errno, "closing " + path_);
}

}  // namespace headrace::bench
