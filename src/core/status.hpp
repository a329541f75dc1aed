// What happened: a number for the program and a sentence for the person.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace headrace {

// Named as in the list: stat_code::file_size_mismatch.
enum class stat_code : int {
#define HR_STATUS(name, NAME, number, meaning) name = number,
#include "../../include/headrace_status.def"
#undef HR_STATUS
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
  // Names the file unless one is named already, or there is no memory for it: MPI ranks that agree
  // on a failure wait for who would throw.
  status in_file_once(const std::string& file) && noexcept;
  // The array in that file; only if the message does not name it.
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
