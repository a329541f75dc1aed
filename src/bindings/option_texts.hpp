// Fortran's optional arguments as the C interface takes them. Next: arguments.hpp.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace headrace {

// The arguments of reading, in the order of the Fortran interfaces; absent ones are null.
struct read_arguments {
  const CFI_cdesc_t* edit;
  const CFI_cdesc_t* number;
  const CFI_cdesc_t* delimiter;
  const CFI_cdesc_t* decimal;
  const CFI_cdesc_t* header;
  const CFI_cdesc_t* comment;
  const int* skip_rows;
  const CFI_cdesc_t* columns;
  const CFI_cdesc_t* missing;
  const int* threads;
  const CFI_cdesc_t* format;
};

// The same of writing, without the header.
struct write_arguments {
  const CFI_cdesc_t* edit;
  const CFI_cdesc_t* number;
  const CFI_cdesc_t* delimiter;
  const CFI_cdesc_t* decimal;
  const CFI_cdesc_t* append;
  const CFI_cdesc_t* replace;
  const int* threads;
  const CFI_cdesc_t* format;
  const CFI_cdesc_t* sync;
};

// Keeps the texts that options point to.
class option_texts {
 public:
  // Null for an absent argument; trailing blanks do not count.
  const char* add(const CFI_cdesc_t* text);
  // The same for a single character, where a blank is a value.
  const char* add_character(const CFI_cdesc_t* text);
  // A character scalar or array of rank 1.
  status add_names(const CFI_cdesc_t* names, const char* const*& list, int& count);
  hr_write_options write_options(const write_arguments& arguments);
  hr_read_options read_options(const read_arguments& arguments);

 private:
  std::deque<std::string> texts_;  // elements do not move
  std::vector<const char*> names_;
  std::vector<int> columns_;
};

}  // namespace headrace
