#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "displaced_copy.hpp"
#include "file_endings.hpp"
#include "files.hpp"
#include "system_calls.hpp"

namespace headrace {
namespace {

// Of one system call whose bytes are moved on: they stay in the cache in between.
constexpr std::size_t displaced_block = std::size_t{512} << 10;
constexpr std::size_t least_displaced = std::size_t{64} << 10;

}  // namespace

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
  if (status s = refuse_slash(file, ""); !s.ok()) return s;
  descriptor_ =
      uninterrupted([&] { return ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY); });
  struct stat now {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &now) != 0)
    return status::system(errno, "cannot open the file for reading").in_file(file);
  if (S_ISDIR(now.st_mode)) return status::system(EISDIR, "cannot read the file").in_file(file);
  if (S_ISREG(now.st_mode)) size_ = static_cast<std::uint64_t>(now.st_size);
  return {};
}

status file_reader::open_sized(const std::string& file, const char* refusal, const char* advice) {
  const bool pipe = is_pipe(file);
  if (!pipe)
    if (status s = open(file); !s.ok() || size_) return s;
  return status::failure(stat_code::argument_invalid, refusal).in_file(file).advise(advice);
}

status file_reader::read_some(char* data, std::size_t capacity, std::size_t& count) {
  const std::size_t block = std::min(capacity, largest_block);
  const ssize_t moved = uninterrupted([&] {
    return size_ ? ::pread(descriptor_, data, block, static_cast<off_t>(read_))
                 : ::read(descriptor_, data, block);
  });
  count = moved > 0 ? static_cast<std::size_t>(moved) : 0;
  if (moved < 0) return status::system(errno, "cannot read").in_file(file_).at_byte(read_);
  read_ += count;
  return {};
}

status file_reader::read_at(std::uint64_t offset, char* data, std::size_t bytes,
                            std::size_t& count) const {
  const std::size_t shift = bytes < least_displaced ? 0 : displacement_of(data, offset);
  count = 0;
  while (count < bytes) {
    const std::size_t left = bytes - count;
    // Behind the last bytes there is no room to read them to another place.
    const std::size_t away = left < least_displaced ? 0 : shift;
    const std::size_t block = std::min(left - away, away > 0 ? displaced_block : largest_block);
    char* const to = data + count;
    const ssize_t moved = uninterrupted(
        [&] { return ::pread(descriptor_, to + away, block, static_cast<off_t>(offset + count)); });
    if (moved < 0)
      return status::system(errno, "cannot read").in_file(file_).at_byte(offset + count);
    if (moved == 0) return {};
    if (away > 0) move_back(to, away, static_cast<std::size_t>(moved));
    count += static_cast<std::size_t>(moved);
  }
  return {};
}

status file_reader::check_unchanged() const {
  struct stat now {};
  if (!size_) return {};
  if (::fstat(descriptor_, &now) != 0)
    return status::system(errno, "cannot look at the file").in_file(file_);
  if (static_cast<std::uint64_t>(now.st_size) == *size_) return {};
  return status::failure(stat_code::file_changed_while_reading,
                         "the file changed its size while it was read")
      .expected(bytes_text(*size_), bytes_text(static_cast<std::uint64_t>(now.st_size)))
      .in_file(file_)
      .advise("wait until its writer has finished, and read again");
}

status file_reader::read(char* data, std::size_t bytes) {
  const std::uint64_t wanted = read_ + bytes;
  while (bytes > 0) {
    std::size_t moved = 0;
    status result = size_ ? read_at(read_, data, bytes, moved) : read_some(data, bytes, moved);
    if (size_) read_ += moved;
    if (!result.ok()) return result;
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
