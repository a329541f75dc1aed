// Where the records of a file begin, in memory that does not grow with the file.
#pragma once

#include <cstdint>
#include <vector>

#include "record_walk.hpp"

namespace headrace {

// Passes the markers of a file once, as far as it is asked, and keeps the place of every first,
// then of every second, fourth, ... record, so that there are never more than 2^17 places.
class record_index {
 public:
  // As record_walk.
  record_index(const file_reader& file, const record_dialect& dialect) : frontier_(file, dialect) {}

  // Moves a walk of the same file before a record, from 1; the number of records + 1 is the end.
  // Failures: record_missing; when the file is damaged before that record, what the walk says.
  // The walk may be anywhere then.
  status go_to(std::int64_t number, record_walk& walk);

  // The number of records of the whole file.
  status count(std::uint64_t& records);

  // Records up to the last that was passed.
  std::uint64_t known() const noexcept { return frontier_.number() - 1; }

 private:
  void pass_until(std::uint64_t number);
  status missing(std::int64_t number);
  void note(std::uint64_t number, std::uint64_t begin, std::uint64_t count, std::uint64_t stride);

  record_walk frontier_;
  std::vector<std::uint64_t> places_;  // of the records 1, 1 + spacing_, ...
  std::uint64_t spacing_ = 1;
};

}  // namespace headrace
