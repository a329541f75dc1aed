// Statements as gfortran's generated code makes them, each done twice: through the library of
// `headrace run`, which stands in front of libgfortran here as in a program that it is loaded into,
// and by libgfortran itself on a unit and a file of its own. What can be seen afterwards must be
// the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "../../../intercept/run/blocks.hpp"

namespace headrace::fuzz {

// An item of an I/O list: a value, or an array of several.
struct io_item {
  int type = 0;  // item_code
  int kind = 0;
  std::string bytes;      // of all values
  std::size_t count = 0;  // 0: a scalar
  std::size_t length() const noexcept { return bytes.size() / (count > 0 ? count : 1); }
};

// A place in a source file with a statement.
struct source_place {
  bool is_list_directed = true;
  std::string format;
  std::int32_t line = 0;
};

struct functions_of_run_time;  // twin.cpp

class twin {
 public:
  twin();
  ~twin();
  twin(const twin&) = delete;
  twin& operator=(const twin&) = delete;

  void write(const source_place& place, const std::vector<io_item>& items, bool advances);
  void read(const source_place& place, const std::vector<io_item>& items, bool advances);
  void write_internal(const source_place& place, const std::vector<io_item>& items,
                      std::size_t length);
  void read_internal(const source_place& place, const std::vector<io_item>& items,
                     std::string_view text);
  enum class statement { rewind, backspace, endfile, flush };
  void do_one(statement which);
  // The file of both has this text, and is opened at its beginning.
  void put_text(std::string_view text);
  // Closes both, and compares their files.
  void finish();

 private:
  enum class direction { write, read };
  void open(const char* status);
  void close();
  void transfer(direction does, const source_place& place, const std::vector<io_item>& items,
                bool advances, std::string_view internal, bool is_internal);
  std::vector<std::string> log_;  // what was done, for the report
};

// Is a format harmless? Widths of gigabytes end the run time, and the test; bytes behind its end
// that are no text end gfortran 12.
bool is_harmless(std::string_view format) noexcept;

}  // namespace headrace::fuzz
