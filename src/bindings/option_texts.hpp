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

// Those of binary formats, the same for both; compression is of writing only.
struct binary_arguments {
  const CFI_cdesc_t* byte_order;
  const int* record_marker;
  const CFI_cdesc_t* record_length;
  const CFI_cdesc_t* record;
  const CFI_cdesc_t* checksum;
  const CFI_cdesc_t* name;
};

// An integer scalar of any kind; unchanged when absent.
status read_integer(const CFI_cdesc_t* number, const char* name, long long& value);

// The same for numbers from 1 on.
status read_place(const CFI_cdesc_t* number, const char* name, long long& value);

// Keeps the texts that options point to.
class option_texts {
 public:
  // Null for an absent argument; trailing blanks do not count.
  const char* add(const CFI_cdesc_t* text);
  // The same for a single character, for which a blank is a value.
  const char* add_character(const CFI_cdesc_t* text);
  // A character scalar or array of rank 1.
  status add_names(const CFI_cdesc_t* names, const char* const*& list, int& count,
                   const char* option = "header");
  hr_write_options write_options(const write_arguments& arguments);
  status read_options(const read_arguments& arguments, hr_read_options& options);
  // Adds them to hr_write_options or hr_read_options.
  template <class Options>
  status add_binary(const binary_arguments& arguments, Options& options) {
    options.byte_order = add(arguments.byte_order);
    options.record_marker = arguments.record_marker == nullptr ? 0 : *arguments.record_marker;
    options.checksum = add(arguments.checksum);
    options.name = add(arguments.name);
    if (status s = read_place(arguments.record_length, "record_length", options.record_length);
        !s.ok())
      return s;
    return read_place(arguments.record, "record", options.record);
  }

 private:
  std::deque<std::string> texts_;  // elements do not move
  std::vector<const char*> names_;
  // Numbers of any kind, or names.
  status add_columns(const CFI_cdesc_t* columns, hr_read_options& options);

  std::vector<int> columns_;
};

}  // namespace headrace
