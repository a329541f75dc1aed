// The record that a formatted WRITE puts together: fields at positions, and the moves of X, T, TL
// and TR, which take effect only when a field or a literal follows.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "../../core/streams.hpp"

namespace headrace {

class record_writer {
 public:
  explicit record_writer(byte_sink& sink);

  // Where the next field goes, with room for so many bytes. Null when the record would be longer
  // than gfortran's, 1 GiB.
  char* begin_field(std::size_t most_bytes);
  // end is where the field ended.
  void end_field(const char* end) noexcept;
  bool put(std::string_view text);

  // Of edit descriptors: n as in the format.
  void skip(int n) noexcept;
  void tab(int n) noexcept;
  void tab_left(int n) noexcept;

  status end_record();
  status flush();

  // Bytes of the record up to the position.
  std::size_t position() const noexcept { return position_; }

 private:
  bool make_room(std::size_t bytes);
  bool move();
  void move_later_to(long long place) noexcept;

  byte_sink& sink_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;     // of the record, in buffer_
  std::size_t position_ = 0;  // in the record
  std::size_t highest_ = 0;   // bytes in the record
  // Put off, as gfortran counts them; both may be negative.
  long long moves_ = 0;   // of the position
  long long blanks_ = 0;  // beyond the record so far
};

}  // namespace headrace
