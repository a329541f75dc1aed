// The fuzz targets: each takes any bytes, calls the library with them, and compares. libFuzzer
// makes the bytes (run.sh), or they come from the files in corpus/ (corpus_test.cpp, in every test
// run).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headrace::fuzz {

// What a target throws when the library gave a wrong answer.
class finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& what) {
  if (!holds) throw finding(what);
}

// The input of a target: some bytes choose, the rest is text.
class fuzz_input {
 public:
  explicit fuzz_input(std::string_view bytes) noexcept : bytes_(bytes) {}

  // A number below limit.
  std::size_t choose(std::size_t limit) noexcept {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte % limit;
  }
  // The bytes up to the next line feed.
  std::string_view line() noexcept {
    const std::size_t length = bytes_.find('\n');
    const std::string_view result = bytes_.substr(0, length);
    bytes_.remove_prefix(length < bytes_.size() ? length + 1 : bytes_.size());
    return result;
  }
  std::string_view rest() const noexcept { return bytes_; }

 private:
  std::string_view bytes_;
};

#ifdef HEADRACE_FUZZ_STATEMENTS
void write_statements(std::string_view bytes);
void read_statements(std::string_view bytes);
void format_statements(std::string_view bytes);
#else
void parse_numbers(std::string_view bytes);
void find_fields(std::string_view bytes);
void edit_format(std::string_view bytes);
void edit_read(std::string_view bytes);
void list_read(std::string_view bytes);
void text_file(std::string_view bytes);
void table_file(std::string_view bytes);
void decompress(std::string_view bytes);
void inspect(std::string_view bytes);
void records(std::string_view bytes);
void npy(std::string_view bytes);
void npz(std::string_view bytes);
#endif

struct target {
  const char* name;  // of its folder in corpus/, and of its program
  void (*run)(std::string_view bytes);
};
inline constexpr target targets[] = {
#ifdef HEADRACE_FUZZ_STATEMENTS
    {"write_statements", write_statements},
    {"read_statements", read_statements},
    {"format_statements", format_statements},
#else
    {"parse_numbers", parse_numbers},
    {"find_fields", find_fields},
    {"edit_format", edit_format},
    {"edit_read", edit_read},
    {"list_read", list_read},
    {"text_file", text_file},
    {"table_file", table_file},
    {"decompress", decompress},
    {"inspect", inspect},
    {"records", records},
    {"npy", npy},
    {"npz", npz},
#endif
};

}  // namespace headrace::fuzz
