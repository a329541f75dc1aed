// The same WRITE by gfortran and by headrace.
#include "both_ways.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iomanip>
#include <sstream>

#include "text/edit/edit_transfer.hpp"

extern "C" int write_with_gfortran(const char* file_name, const char* format_text, char decimal,
                                   int type, int element_bytes, const void* values, int n);
extern "C" void hr_fortran_features(char* features);

namespace headrace::test {
namespace {

std::uint64_t compared = 0;

// In memory if there is such a directory: each WRITE has a file of its own.
const std::string& scratch_file() {
  static const std::string name = [] {
    const std::filesystem::path memory = "/dev/shm";
    std::error_code error;
    const bool usable = access(memory.c_str(), W_OK) == 0;
    const auto directory = usable ? memory : std::filesystem::temp_directory_path(error);
    return (directory / ("headrace-writing-" + std::to_string(getpid()))).string();
  }();
  return name;
}

std::string contents(const std::string& name) {
  std::string text;
  if (std::FILE* const file = std::fopen(name.c_str(), "rb")) {
    char buffer[65536];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;)
      text.append(buffer, n);
    std::fclose(file);
  }
  std::remove(name.c_str());
  return text;
}

std::string hexadecimal(const items& list, std::size_t index) {
  std::ostringstream text;
  text << std::hex << std::setfill('0');
  const auto* const bytes = static_cast<const unsigned char*>(list.values) + index * list.bytes;
  for (std::size_t i = list.bytes; i-- > 0;) text << std::setw(2) << int{bytes[i]};
  return text.str();
}

std::string line_around(const std::string& text, std::size_t position) {
  if (position > text.size()) position = text.size();
  const std::size_t before = position == 0 ? std::string::npos : text.rfind('\n', position - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t first = position - begin > 300 ? position - 300 : begin;
  return "[" + text.substr(first, std::min(text.find('\n', position), position + 300) - first) +
         "]";
}

// Which value alone differs, for formats of which every item is like the others.
std::string explain(const std::string& format, char decimal, const items& list) {
  for (std::size_t i = 0; i < std::min<std::size_t>(list.n, 3000); ++i) {
    const items one{list.type, list.bytes, static_cast<const char*>(list.values) + i * list.bytes,
                    1};
    const written expected = by_gfortran(format, decimal, one);
    const written found = by_headrace(format, decimal, one);
    if (expected.text != found.text || expected.accepted != found.accepted)
      return "value " + std::to_string(i) + " = Z'" + hexadecimal(one, 0) + "'\n  gfortran " +
             (expected.accepted ? "" : "refuses ") + "[" + expected.text + "]\n  headrace " +
             (found.accepted ? "" : "refuses ") + "[" + found.text + "]";
  }
  std::string all = "no value differs alone; all of them:";
  for (std::size_t i = 0; i < std::min<std::size_t>(list.n, 30); ++i)
    all += " " + hexadecimal(list, i);
  return all;
}

}  // namespace

const edit_dialect& own_dialect() {
  static const edit_dialect dialect = [] {
    char features[edit_features];
    hr_fortran_features(features);
    edit_dialect found;
    EXPECT_TRUE(parse_dialect("features:" + std::string(features, edit_features), found).ok());
    return found;
  }();
  return dialect;
}

written by_gfortran(const std::string& format, char decimal, const items& list) {
  written result;
  const int stat = write_with_gfortran(scratch_file().c_str(), format.c_str(), decimal,
                                       static_cast<int>(list.type), static_cast<int>(list.bytes),
                                       list.values, static_cast<int>(list.n));
  result.accepted = stat == 0;
  result.text = contents(scratch_file());
  return result;
}

written by_headrace(const std::string& format, char decimal, const items& list) {
  array_view array;
  array.base = const_cast<char*>(static_cast<const char*>(list.values));
  array.elem_len = list.bytes;
  array.type = list.type;
  array.array_rank = 1;
  array.extent[0] = static_cast<std::ptrdiff_t>(list.n);
  array.stride[0] = static_cast<std::ptrdiff_t>(list.bytes);
  written result;
  string_sink sink(result.text);
  if (format == "*") {
    result.accepted = write_list_directed(array, decimal, sink).ok();
    return result;
  }
  edit_format parsed;
  result.accepted = parse_edit_format(format, parsed, '.', own_dialect()).ok() &&
                    write_edited(parsed, array, sink).ok();
  return result;
}

bool same_both_ways(const std::string& format, const items& list, char decimal) {
  const written expected = by_gfortran(format, decimal, list);
  const written found = by_headrace(format, decimal, list);
  compared += list.n;
  if (expected.accepted == found.accepted && (!expected.accepted || expected.text == found.text))
    return true;
  const auto differ = std::mismatch(expected.text.begin(), expected.text.end(), found.text.begin(),
                                    found.text.end());
  const auto place = static_cast<std::size_t>(differ.first - expected.text.begin());
  ADD_FAILURE() << "format " << format << ", type " << static_cast<int>(list.type) << ", "
                << list.bytes << " bytes, " << list.n << " values, seed " << seed()
                << "\n  gfortran " << (expected.accepted ? "writes  " : "refuses ")
                << line_around(expected.text, place) << "\n  headrace "
                << (found.accepted ? "writes  " : "refuses ") << line_around(found.text, place)
                << "\n  " << explain(format, decimal, list);
  return false;
}

// Says at the end of all tests how many values were compared.
class count_at_end final : public testing::Environment {
 public:
  void TearDown() override {
    std::printf("%llu values compared with %s\n", static_cast<unsigned long long>(compared),
                name_of(own_dialect()).c_str());
  }
};

const testing::Environment* const counter = testing::AddGlobalTestEnvironment(new count_at_end);

bool long_test() noexcept {
  const char* const wish = std::getenv("HEADRACE_TEST_LONG");
  return wish != nullptr && *wish == '1';
}

std::uint64_t seed() noexcept {
  const char* const wish = std::getenv("HEADRACE_TEST_SEED");
  return wish != nullptr ? std::strtoull(wish, nullptr, 10) : 20240229;
}

}  // namespace headrace::test
