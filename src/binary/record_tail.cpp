#include "record_tail.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "record_fit.hpp"
#include "record_walk.hpp"

namespace headrace {
namespace {

// So many records that fit at the end are no accident.
constexpr int enough_records = 8;

// True for bytes that a cut record of equal numbers can hold: without data, or with the record's
// own length at both ends of it.
bool may_be_data(record_walk& walk, const record_extent& record) {
  const marker_reader marker(walk.dialect());
  if (record.bytes == 0) return true;
  if (record.pieces > 1 || record.bytes < marker.bytes()) return false;
  const std::uint64_t last = record.offset + record.bytes - marker.bytes();
  for (const std::uint64_t place : {record.offset, last}) {
    const char* const word = walk.window().look_back(place, marker.bytes());
    if (word == nullptr || marker(word).bytes != record.bytes) return false;
  }
  return true;
}

// Goes back from the end until enough records fitted or the file begins.
bool ends_with_records(const file_reader& reader, const record_dialect& dialect) {
  record_walk walk(reader, dialect);
  walk.go_to(reader.size().value_or(0), std::numeric_limits<std::uint64_t>::max());
  record_extent record;
  for (int found = 0; found < enough_records;) {
    if (!walk.previous(record)) return walk.failure().ok() && walk.begin() == 0;
    if (!may_be_data(walk, record)) ++found;
  }
  return true;
}

// As a shell takes it for one word.
std::string shell_quoted(const std::string& word) {
  const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._-+,:@%=").find(c) != std::string_view::npos;
  });
  if (plain && !word.empty() && word.front() != '-') return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string advice_for(record_walk& walk, const std::string& file) {
  if (walk.number() == 1) {
    const std::string fitting = fitting_dialects(walk.window(), 0, walk.dialect());
    return fitting.empty() ? "headrace inspect tells what is in the file" : fitting;
  }
  if (walk.failure().code() != static_cast<int>(stat_code::truncated_record))
    return "the file is damaged there: headrace inspect tells more";
  return "to keep the records before, cut the file there: truncate -s " +
         std::to_string(walk.begin()) + " " + shell_quoted(file);
}

}  // namespace

status check_record_tail(const std::string& file, const record_dialect& dialect) {
  if (!is_regular_file(file)) return {};
  file_reader reader;
  if (status s = reader.open(file); !s.ok()) return s;
  if (reader.size().value_or(0) == 0 || ends_with_records(reader, dialect)) return {};
  record_walk walk(reader, dialect);
  while (walk.skip(std::numeric_limits<std::uint64_t>::max())) {
  }
  if (walk.failure().ok()) return {};
  const std::uint64_t rest = reader.size().value_or(0) - walk.begin();
  return status::failure(stat_code::truncated_record,
                         "cannot append: record " + std::to_string(walk.number()) +
                             " of the file is not whole, as " + dialect_text(dialect))
      .expected("the end of the file or a whole record", bytes_text(rest) + " more")
      .in_file(file)
      .at_byte(walk.begin())
      .advise(advice_for(walk, file));
}

}  // namespace headrace
