// What inspect does with any file: every dialect is walked, every type tried; nothing it says goes
// beyond the file.
#include <vector>

#include "headrace_inspect.h"
#include "memory_file.hpp"
#include "targets.hpp"

namespace headrace::fuzz {
namespace {

std::int64_t records_of(const hr_record_survey& survey) {
  std::int64_t records = 0;
  for (int k = 0; k < survey.runs; ++k) records += survey.run[k].times * survey.run[k].count;
  return records;
}

std::int64_t bytes_of(const hr_record_survey& survey) {
  std::int64_t bytes = 0;
  for (int k = 0; k < survey.runs; ++k)
    for (int i = 0; i < survey.run[k].count; ++i)
      bytes += survey.run[k].times * survey.run[k].length[i];
  return bytes;
}

void check(const hr_record_survey& survey, std::int64_t size) {
  require(survey.bytes >= 0 && survey.bytes <= size, "more bytes than the file has");
  require(survey.records >= survey.empty && survey.pieces >= survey.records,
          "records do not add up");
  require((survey.end == HR_SURVEY_WHOLE) == (survey.stopped == -1), "where does it stop?");
  require(survey.end != HR_SURVEY_WHOLE || survey.bytes == size, "whole, and yet not");
  require(survey.stopped <= size && survey.rest_end <= size && survey.resumed <= size,
          "an offset beyond the file");
  const std::int64_t told = records_of(survey);
  require(survey.runs_complete != 0 ? told == survey.records : told <= survey.records,
          "the runs tell another number of records");
  require(bytes_of(survey) <= survey.bytes, "the runs hold more bytes than the file");
  std::int64_t counted = 0;
  for (int k = 0; k < survey.lengths; ++k) counted += survey.count[k];
  require(
      survey.distinct > HR_SURVEY_LENGTHS ? counted <= survey.records : counted == survey.records,
      "the histogram counts another number of records");
}

void check_items(std::string_view bytes, std::size_t rows, bool big) {
  const std::size_t row_bytes = bytes.size() / rows;
  hr_item items[64];
  std::size_t count = 0;
  hr_error error{};
  if (row_bytes == 0) return;
  require(hr_split_items(bytes.data(), rows, row_bytes, big, items, 64, &count, &error) == 0,
          error.message);
  std::int64_t place = 0;
  for (std::size_t k = 0; k < count; ++k) {
    require(items[k].offset == place, "items leave a gap");
    place += items[k].values * static_cast<std::int64_t>(items[k].elem_len);
  }
  require(count == 64 || place == static_cast<std::int64_t>(row_bytes),
          "items do not fill the row");
}

}  // namespace

void inspect(std::string_view bytes) {
  fuzz_input input(bytes);
  const std::size_t rows = 1 + input.choose(4);
  const bool big = input.choose(2) == 1;
  const std::string_view content = input.rest();
  const memory_file file(content);
  hr_error error{};
  std::vector<hr_record_survey> surveys(14);
  std::size_t count = 0;
  std::int64_t size = 0;
  require(hr_survey_records(file.path().c_str(), surveys.data(), surveys.size(), &count, &size,
                            &error) == 0,
          error.message);
  require(size == static_cast<std::int64_t>(content.size()), "another size");
  for (std::size_t k = 0; k < count; ++k) check(surveys[k], size);
  hr_value_probe probes[16];
  require(hr_probe_values(content.data(), content.size(), 0, probes, 16, &count, &error) == 0,
          error.message);
  for (std::size_t k = 0; k < count; ++k)
    require(probes[k].values >= 0 && probes[k].bits >= 0, "less than no information");
  check_items(content.substr(0, 300), rows, big);
}

}  // namespace headrace::fuzz
