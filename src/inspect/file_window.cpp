#include "file_window.hpp"

#include <algorithm>

namespace headrace {
namespace {

constexpr std::size_t block = std::size_t{256} << 10;  // stays in the second cache
constexpr std::size_t peek = 4096;
// Records longer than this are jumped over: reading them costs more than another system call.
constexpr std::uint64_t far = std::uint64_t{16} << 10;

}  // namespace

status file_window::open(const std::string& file) {
  file_ = file;
  if (status s = reader_.open(file); !s.ok()) return s;
  if (!reader_.size())
    return status::failure(stat_code::argument_invalid, "a pipe or device cannot be looked into")
        .in_file(file)
        .advise("copy what it gives to a file");
  size_ = *reader_.size();
  data_ = std::make_unique<unsigned char[]>(block);
  return {};
}

const unsigned char* file_window::load(std::uint64_t offset, std::size_t bytes) noexcept {
  if (!result_.ok() || bytes > peek || offset > size_ || bytes > size_ - offset) return nullptr;
  const bool follows = offset <= end_ + far && offset + far >= begin_;
  const std::size_t wanted = static_cast<std::size_t>(
      std::min<std::uint64_t>(size_ - offset, std::max(bytes, follows ? block : peek)));
  std::size_t count = 0;
  result_ = reader_.read_at(offset, reinterpret_cast<char*>(data_.get()), wanted, count);
  begin_ = offset;
  end_ = offset + count;
  if (result_.ok() && count < wanted)
    result_ = status::failure(stat_code::file_changed_while_reading, "the file has become shorter")
                  .in_file(file_)
                  .at_byte(end_)
                  .expected(bytes_text(size_), bytes_text(end_))
                  .advise("inspect it when nothing writes to it");
  return result_.ok() ? data_.get() : nullptr;
}

}  // namespace headrace
