#include "record_window.hpp"

#include <algorithm>

namespace headrace {
namespace {

// A jump from marker to marker of long records reads little; short ones come by the thousand.
constexpr std::size_t narrowest = 512;
constexpr std::size_t first_width = std::size_t{4} << 10;
constexpr std::size_t widest = std::size_t{256} << 10;  // stays in the cache while it is looked at
// Markers in a window that make the next one wider or narrower.
constexpr std::size_t many_looks = 16;
constexpr std::size_t few_looks = 4;

}  // namespace

const char* record_window::fetch(std::uint64_t offset, std::size_t bytes, bool backwards) {
  if (width_ == 0)
    width_ = first_width;
  else if (looks_ >= many_looks)
    width_ = std::min(width_ * 4, widest);
  else if (looks_ <= few_looks)
    width_ = std::max(width_ / 4, narrowest);
  looks_ = 1;
  const std::size_t wanted = std::max(width_, bytes);
  const std::uint64_t end = offset + bytes;
  begin_ = !backwards ? offset : end > wanted ? end - wanted : 0;
  held_ = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, size_ - begin_));
  data_.reserve(held_);
  std::size_t count = 0;
  failure_ = file_->read_at(begin_, data_.data(), held_, count);
  held_ = count;
  if (failure_.ok() && end > begin_ + held_) failure_ = record_file_shrank(*file_, begin_ + held_);
  if (failure_.ok()) return data_.data() + (offset - begin_);
  held_ = 0;
  return nullptr;
}

status record_file_shrank(const file_reader& file, std::uint64_t offset) {
  if (status s = file.check_unchanged(); !s.ok()) return std::move(s).at_byte(offset);
  return status::failure(stat_code::file_changed_while_reading,
                         "the file ended too early while it was read")
      .at_byte(offset)
      .advise("wait until its writer has finished, and read again");
}

}  // namespace headrace
