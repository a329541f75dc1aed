// The records of a formatted READ: fields of a given width, positions, line ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "edit_read_cursor.hpp"

namespace headrace {

// A line ends at a line feed, with or without a carriage return before it; where a field runs into
// a carriage return alone, it ends there too. The end of the text ends its last line.
class edit_record_reader {
 public:
  // keep_lines: tabs to the left may come, so that a line is kept in memory from its beginning.
  edit_record_reader(byte_source& source, bool keep_lines)
      : cursor_(source), keep_lines_(keep_lines) {}

  // Reads the next width bytes, fewer at the end of the line. A comma ends the field if it may; it
  // is passed over. False when the text is at its end and this line does not exist.
  bool read_field(std::size_t width, bool comma_ends, std::string_view& field);

  // Moves to an offset in the line, or by so many bytes.
  void move_to(std::size_t offset);
  void move_by(std::size_t bytes) { move_to(offset() + bytes); }
  std::size_t offset() const noexcept { return passed_ + at_; }

  // Goes to the next line. False when the current line does not exist.
  bool next_line();

  // Where the last field begins, from 1.
  std::uint64_t line() const noexcept { return line_; }
  std::uint64_t column() const noexcept { return field_offset_ + 1; }

  const status& failure() const noexcept { return cursor_.failure(); }

 private:
  void need(std::size_t bytes, char last);
  void read_line_end();
  void forget_fields();

  text_cursor cursor_;
  bool keep_lines_;
  std::string text_;              // what was read of the line, from passed_ on
  std::size_t passed_ = 0;        // bytes of the line that are kept no more
  std::size_t at_ = 0;            // the next byte in text_, possibly behind its end
  std::size_t field_offset_ = 0;  // of the last field in the line
  std::uint64_t line_ = 1;
  bool ended_ = false;   // the end of the line was read
  bool exists_ = false;  // a byte of the line or its end was read
};

}  // namespace headrace
