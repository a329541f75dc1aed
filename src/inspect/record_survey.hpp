// Which dialect of unformatted sequential records a file may have: every one is walked from marker
// to marker as far as it holds. Next: record_survey.cpp walks, record_rest.cpp looks behind the
// place where that ends.
//
// A reader follows one dialect and stops at the first error (src/binary); here wrong guesses are
// the rule, nothing may be believed, and what follows an error is the question.
#pragma once

#include <string>
#include <vector>

#include "../../include/headrace_inspect.h"
#include "file_window.hpp"
#include "length_pattern.hpp"

namespace headrace {

struct marker_form {
  int bytes = 4;  // 4 or 8
  bool big = false;
  int long_records = HR_RECORDS_PLAIN;
};

struct record_survey {
  marker_form form;
  int end = HR_SURVEY_WHOLE;
  std::uint64_t records = 0, pieces = 0, empty = 0;
  std::uint64_t checked = 0, echoed = 0;
  std::uint64_t bytes = 0;
  std::uint64_t stopped = 0;
  std::int64_t leading = 0, trailing = 0;
  length_pattern lengths;
  int rest = HR_REST_NONE;
  std::uint64_t changes = 0;
  std::uint64_t resumed = UINT64_MAX;
  std::uint64_t rest_records = 0, rest_end = 0, missing = 0;
};

// Walks from start, over at most so many records. Only fills what a walk finds, not the rest.
record_survey walk_records(file_window& file, const marker_form& form, std::uint64_t start,
                           std::uint64_t most_records = UINT64_MAX);

// The same for RECORDTYPE='SEGMENTED'.
record_survey walk_segments(file_window& file, bool big);

// What is behind the place where a walk from the beginning has stopped.
void find_rest(file_window& file, record_survey& survey);

// All dialects; those that explain most bytes first. A failure when the file cannot be read.
status survey_records(const std::string& file, std::vector<record_survey>& surveys,
                      std::uint64_t& file_bytes);

}  // namespace headrace
