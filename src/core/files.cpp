#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "file_target.hpp"

namespace headrace {
namespace {

// One call moves at most this much: Linux cuts at 2 GiB, and a signal is answered between calls.
constexpr std::size_t largest_block = std::size_t{64} << 20;

// Calls again when a signal came before anything happened.
template <class Call>
auto uninterrupted(Call call) noexcept {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace

file_writer::~file_writer() {
  abandon();
}

void file_writer::abandon() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  descriptor_ = -1;
  temporary_.clear();
}

status file_writer::error(int number, const char* what) const {
  return status::system(number, what).in_file(file_).at_byte(written_);
}

status file_writer::open(const std::string& file) {
  abandon();
  file_ = file;
  written_ = 0;
  file_target target;
  if (status s = find_target(file, target); !s.ok()) return s;
  path_ = target.path;
  if (!target.direct) return create_beside(target, temporary_, descriptor_);
  descriptor_ =
      uninterrupted([&] { return ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); });
  if (descriptor_ < 0) return error(errno, "cannot open the file for writing");
  return {};
}

status file_writer::write(const char* data, std::size_t bytes) {
  while (bytes > 0) {
    const std::size_t block = std::min(bytes, largest_block);
    const ssize_t count = uninterrupted([&] { return ::write(descriptor_, data, block); });
    // A write of nothing is no error to the system, but repeating it would never end.
    if (count <= 0) return error(count < 0 ? errno : EIO, "cannot write");
    const auto moved = static_cast<std::size_t>(count);
    data += moved;
    bytes -= moved;
    written_ += moved;
  }
  return {};
}

status file_writer::check_size() const {
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) return error(errno, "cannot look at the written file");
  if (static_cast<std::uint64_t>(now.st_size) == written_) return {};
  return status::failure(stat_code::file_changed_while_writing,
                         "the written file has the wrong size")
      .expected(bytes_text(written_), bytes_text(static_cast<std::uint64_t>(now.st_size)))
      .in_file(file_)
      .advise("look for another program that changes it, and write again");
}

status file_writer::sync_directory() const {
  const int directory = ::open(directory_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return error(errno, "cannot synchronise the directory");
  const int result = uninterrupted([&] { return ::fsync(directory); });
  const int number = errno;
  ::close(directory);
  // Some file systems have nothing to synchronise in a directory and say so.
  if (result == 0 || number == EINVAL || number == ENOSYS) return {};
  return error(number, "cannot synchronise the directory");
}

status file_writer::finish(sync_mode sync) {
  const bool renames = !temporary_.empty();
  if (renames)
    if (status s = check_size(); !s.ok()) return s;
  if (sync == sync_mode::file && uninterrupted([&] { return ::fsync(descriptor_); }) != 0)
    // FIFOs and many devices cannot be synchronised, there is nothing to wait for.
    if (renames || (errno != EINVAL && errno != EROFS)) return error(errno, "cannot synchronise");
  // Network file systems report a full disk or quota only here. EINTR: Linux has closed it.
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0 && errno != EINTR) return error(errno, "cannot close");
  if (!renames) return {};
  if (::rename(temporary_.c_str(), path_.c_str()) != 0)
    return error(errno, "cannot rename the temporary file");
  temporary_.clear();
  return sync == sync_mode::file ? sync_directory() : status();
}

file_reader::~file_reader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

status file_reader::open(const std::string& file) {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  file_ = file;
  read_ = 0;
  size_.reset();
  if (file.empty())
    return status::failure(stat_code::file_name_empty, "the file name is empty")
        .advise("give the name of the file to read");
  descriptor_ =
      uninterrupted([&] { return ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY); });
  struct stat now {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &now) != 0)
    return status::system(errno, "cannot open the file for reading").in_file(file);
  if (S_ISDIR(now.st_mode)) return status::system(EISDIR, "cannot read the file").in_file(file);
  if (S_ISREG(now.st_mode)) size_ = static_cast<std::uint64_t>(now.st_size);
  return {};
}

status file_reader::read_some(char* data, std::size_t capacity, std::size_t& count) {
  const std::size_t block = std::min(capacity, largest_block);
  const ssize_t moved = uninterrupted([&] { return ::read(descriptor_, data, block); });
  count = moved > 0 ? static_cast<std::size_t>(moved) : 0;
  if (moved < 0) return status::system(errno, "cannot read").in_file(file_).at_byte(read_);
  read_ += count;
  return {};
}

status file_reader::read(char* data, std::size_t bytes) {
  const std::uint64_t wanted = read_ + bytes;
  while (bytes > 0) {
    std::size_t moved = 0;
    if (status s = read_some(data, bytes, moved); !s.ok()) return s;
    if (moved == 0)
      return status::failure(stat_code::end_of_file, "the file ends too early")
          .expected("at least " + bytes_text(wanted), bytes_text(read_))
          .in_file(file_)
          .advise("check that its writer has finished");
    data += moved;
    bytes -= moved;
  }
  return {};
}

}  // namespace headrace
