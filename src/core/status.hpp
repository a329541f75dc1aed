// What happened: a number for the program and a sentence for the person.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace headrace {

// The one place of these numbers; headrace.h and hr_stat in Fortran repeat them, and tests compare.
// Numbers between 1 and 999 are errno, the Fortran run times use 1000 to 5999.
enum class stat_code : int {
  success = 0,
  end_of_file = -1,    // iostat_end
  end_of_record = -2,  // iostat_eor
  array_not_allocated = 6001,
  array_assumed_size = 6002,
  type_unknown = 6003,
  type_derived = 6004,
  array_too_large = 6005,
  argument_invalid = 6006,
  file_name_empty = 6007,
  format_unknown = 6008,
  option_unknown = 6009,
  file_size_mismatch = 6010,
  file_changed_while_writing = 6011,
  descriptor_foreign = 6012,
  text_encoding = 6013,
  bad_number = 6014,
  number_out_of_range = 6015,
  row_length = 6016,
  row_count = 6017,
  missing_value = 6018,
  line_too_long = 6019,
  format_invalid = 6020,
  edit_mismatch = 6021,
  kind_unsupported = 6022,
  quote_unbalanced = 6023,
  column_unknown = 6024,
  handle_closed = 6025,
  compression_damaged = 6026,
  compression_unavailable = 6027,
  record_too_short = 6028,
  interrupted = 6029,
  file_changed_while_reading = 6030,
  record_marker_damaged = 6031,
  record_size_mismatch = 6032,
  record_missing = 6033,
  checksum_mismatch = 6034,
  kind_mismatch = 6035,
  shape_mismatch = 6036,
  header_damaged = 6037,
  array_missing = 6038,
  truncated_record = 6039,
  layout_invalid = 6040,
  ranks_disagree = 6041,
  rank_missing = 6042,
  backend_unavailable = 6043,
  step_missing = 6044,
  chunk_missing = 6045,
  library_failed = 6046,
  written_by_another_rank = 6047,
};

// The name of a status ("file_size_mismatch"), null when it has none (errno has none).
const char* name_of(int code) noexcept;

// Success, or a failure that says what, where, expected and found, and what to do. Success holds no
// memory: calls of a hundred nanoseconds pass it up through several functions.
class [[nodiscard]] status {
 public:
  status() noexcept = default;
  status(status&&) noexcept = default;
  status& operator=(status&&) noexcept = default;
  status(const status& other);
  status& operator=(const status& other);
  ~status() = default;

  static status failure(stat_code code, std::string what);
  // error is an errno; its text and an advice are added.
  static status system(int error, std::string what);
  // A failure that came from elsewhere with its whole message, to which nothing is added.
  static status passed_on(int code, std::string message);
  // "no memory left", as passed_on, and without any: it can be made, copied and read then.
  static status no_memory(int code) noexcept;

  status in_file(std::string file) &&;
  // Names the file unless one is named already.
  status in_file_once(const std::string& file) &&;
  // The array in that file; only where the message does not name it.
  status in_array(std::string array) &&;
  status at_byte(std::uint64_t offset) &&;
  // A place in a text, both from 1; column counts bytes. The message says file:line:column.
  status at_line(std::uint64_t line, std::uint64_t column) &&;
  status expected(std::string expected, std::string found) &&;
  status advise(std::string advice) &&;

  bool ok() const noexcept { return code_ == 0; }
  int code() const noexcept { return code_; }
  std::string message() const;  // one line, empty on success

  // An earlier failure is never overwritten by a later one.
  void keep_first(status later);

 private:
  struct reason;
  struct forget {
    void operator()(reason* why) const noexcept;
  };
  static reason* lack_of_memory() noexcept;
  reason& why();

  int code_ = 0;
  std::unique_ptr<reason, forget> why_;  // null on success
};

// "1 byte", "24 bytes"
std::string bytes_text(std::uint64_t bytes);

// Length of the longest beginning of text that fits and does not cut a UTF-8 character.
std::size_t fitting_length(std::string_view text, std::size_t capacity) noexcept;

}  // namespace headrace
