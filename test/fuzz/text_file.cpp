// Whole text files through the C interface: one thread and several give the same.
#include <cstring>

#include "headrace.h"
#include "memory_file.hpp"
#include "sample_array.hpp"
#include "targets.hpp"

namespace headrace::fuzz {
namespace {

hr_array described(const sample_array& array) {
  const array_view& view = array.view();
  hr_array result{};
  result.base = view.base;
  result.elem_len = view.elem_len;
  result.type = static_cast<int>(view.type);
  result.array_rank = view.array_rank;
  for (std::size_t i = 0; i < 2; ++i) {
    result.extent[i] = view.extent[i];
    result.stride[i] = view.stride[i];
  }
  return result;
}

struct chosen_options {
  hr_read_options options{};
  int columns[2] = {};

  explicit chosen_options(fuzz_input& input) {
    constexpr const char* formats[] = {"csv", "csv", "tsv", "text"};
    constexpr const char* delimiters[] = {nullptr, ";", "tab", "blank", "|"};
    constexpr const char* headers[] = {nullptr, "yes", "no", "auto"};
    options.format = formats[input.choose(4)];
    options.delimiter = delimiters[input.choose(5)];
    options.header = headers[input.choose(4)];
    options.decimal = input.choose(4) == 3 ? "," : nullptr;
    options.comment = input.choose(3) == 2 ? "#" : nullptr;
    options.missing = input.choose(3) == 2 ? "nan" : nullptr;
    options.number = input.choose(5) == 4 ? "hex" : nullptr;
    const std::size_t rest = input.choose(16);
    options.skip_rows = static_cast<int>(rest % 4 == 3);
    if (rest / 4 == 3) {
      columns[0] = 2;
      columns[1] = 1;
      options.columns = columns;
      options.column_count = 2;
    }
  }
};

}  // namespace

void text_file(std::string_view bytes) {
  fuzz_input input(bytes);
  const element_type element = element_types[input.choose(element_type_count)];
  const std::size_t first = 1 + input.choose(5);
  const std::size_t second = 1 + input.choose(5);
  chosen_options chosen(input);
  const memory_file file(input.rest());
  const sample_array one(element, first, second);
  const sample_array several(element, first, second);
  const hr_array to_one = described(one);
  const hr_array to_several = described(several);
  hr_error error_one{};
  hr_error error_several{};
  chosen.options.threads = 1;
  const int code_one = hr_read_array(file.path().c_str(), &to_one, &chosen.options, &error_one);
  chosen.options.threads = 3;
  hr_read_array(file.path().c_str(), &to_several, &chosen.options, &error_several);
  require(error_one.status == error_several.status,
          std::string("threads give another status: ") + error_one.message + error_several.message);
  require(
      std::strcmp(error_one.message, error_several.message) == 0,
      std::string("threads give another message: ") + error_one.message + error_several.message);
  if (code_one == 0) require(one.bytes() == several.bytes(), "threads give other values");
}

}  // namespace headrace::fuzz
