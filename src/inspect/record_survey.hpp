// Which dialect of unformatted sequential records a file may have: every one is walked from marker
// to marker as far as it holds. Next: record_survey.cpp walks, record_rest.cpp looks behind the
// place where that ends.
//
// A reader follows one dialect and stops at the first error (../binary/record_walk.hpp); here wrong
// guesses are the rule, and what follows an error is the question.
#pragma once

#include <string>
#include <vector>

#include "../../include/headrace_inspect.h"
#include "../binary/record_walk.hpp"
#include "length_pattern.hpp"

namespace headrace {

struct record_survey {
  record_dialect dialect;
  bool flagged = false;  // a piece had a negative length, or one with the high bit set
  int end = HR_SURVEY_WHOLE;
  std::uint64_t records = 0, pieces = 0, empty = 0;
  std::uint64_t checked = 0, echoed = 0;
  std::uint64_t bytes = 0;    // where the last whole record ends
  std::uint64_t stopped = 0;  // the piece that does not fit
  std::uint64_t leading = 0, trailing = 0;
  length_pattern lengths;
  int rest = HR_REST_NONE;
  std::uint64_t changes = 0;
  std::uint64_t resumed = UINT64_MAX;
  std::uint64_t rest_records = 0, rest_end = 0, missing = 0;
};

// Walks from start, over at most so many records. Only fills what a walk finds, not the rest.
record_survey walk_records(record_walk& walk, std::uint64_t start,
                           std::uint64_t most_records = UINT64_MAX);

// What is behind the place where a walk from the beginning has stopped.
void find_rest(const file_reader& file, record_survey& survey);

// All dialects; those that explain most bytes first. A failure when the file cannot be read.
status survey_records(const std::string& file, std::vector<record_survey>& surveys,
                      std::uint64_t& file_bytes);

}  // namespace headrace
