// The record that a formatted WRITE puts together: fields at positions, and the moves of X, T, TL
// and TR, which take effect only when a field or a literal follows.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "../../core/streams.hpp"

namespace headrace {

class edit_record_writer {
 public:
  // goes_back: T or TL may come, so that a record is kept in memory to its end. exact_tabs: see
  // edit_feature.
  edit_record_writer(byte_sink& sink, bool goes_back, bool exact_tabs);

  // Where the next field goes, with room for so many bytes. Null when the record would be longer
  // than gfortran's, 1 GiB, or when writing failed: failure() tells.
  char* begin_field(std::size_t most_bytes) {
    const std::size_t place = begin_ + position_;
    if (moves_ == 0 && place + most_bytes < fast_bytes) return buffer_.data() + place;
    return begin_field_slowly(most_bytes);
  }
  // end is where the field ended.
  void end_field(const char* end) noexcept {
    position_ = static_cast<std::size_t>(end - (buffer_.data() + begin_));
    if (position_ > highest_) highest_ = position_;
  }
  bool put(std::string_view text);

  // Of edit descriptors: n as in the format.
  void skip(int n) noexcept;
  void tab(int n) noexcept;
  void tab_left(int n) noexcept;

  // gfortran begins anew to look where T and X lead: with a value, behind a colon and where format
  // control reverts.
  void forget_tabs() noexcept { tab_ = 0; }

  const status& failure() const noexcept { return failure_; }

  status end_record();
  status flush();  // between records

  // The record goes on behind the position: T or TL went back. Asked after begin_field.
  bool has_text_behind() const noexcept { return position_ < highest_; }

 private:
  // The buffer never has fewer bytes.
  static constexpr std::size_t fast_bytes = std::size_t{512} << 10;

  char* begin_field_slowly(std::size_t most_bytes);
  bool make_room(std::size_t bytes);
  bool move();
  bool flush_beginning();
  void move_later_to(long long place) noexcept;

  byte_sink& sink_;
  bool goes_back_;
  bool exact_tabs_;
  status failure_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;     // of the record, in buffer_
  std::size_t flushed_ = 0;   // bytes of the record that have left
  std::size_t position_ = 0;  // in the record
  std::size_t highest_ = 0;   // bytes in the record
  // Put off, as gfortran counts them; both may be negative.
  long long moves_ = 0;   // of the position
  long long blanks_ = 0;  // beyond the record so far
  long long tab_ = 0;     // where the last T, TL or X led
};

}  // namespace headrace
