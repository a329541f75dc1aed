// The functions of headrace_inspect.h. Next: ../inspect/record_survey.hpp,
// ../inspect/value_probe.hpp.
#include <algorithm>

#include "../../include/headrace_inspect.h"
#include "../inspect/record_survey.hpp"
#include "../inspect/value_probe.hpp"
#include "errors.hpp"

namespace headrace {
namespace {

constexpr std::size_t most_probed = std::size_t{1} << 20;
constexpr std::size_t longest_row = 8192;

std::int64_t offset_of(std::uint64_t value) noexcept {
  return value == UINT64_MAX ? -1 : static_cast<std::int64_t>(value);
}

int form_of(const record_survey& survey) noexcept {
  if (survey.dialect.segmented) return HR_RECORDS_SEGMENTED;
  if (survey.dialect.longer == long_records::unsigned_marker) return HR_RECORDS_UNSIGNED;
  if (!survey.flagged) return HR_RECORDS_PLAIN;
  return survey.dialect.longer == long_records::high_bit ? HR_RECORDS_HIGH_BIT
                                                         : HR_RECORDS_SUBRECORDS;
}

void deliver_lengths(const length_pattern& lengths, hr_record_survey& result) {
  const std::vector<length_count> histogram = lengths.histogram();
  result.distinct = static_cast<std::int64_t>(histogram.size());
  result.lengths = static_cast<int>(std::min<std::size_t>(histogram.size(), HR_SURVEY_LENGTHS));
  for (int k = 0; k < result.lengths; ++k) {
    result.length[k] = static_cast<std::int64_t>(histogram[static_cast<std::size_t>(k)].length);
    result.count[k] = static_cast<std::int64_t>(histogram[static_cast<std::size_t>(k)].count);
  }
  if (!histogram.empty()) {
    result.shortest = static_cast<std::int64_t>(lengths.shortest());
    result.longest = static_cast<std::int64_t>(lengths.longest());
  }
  result.runs_complete = lengths.complete();
  for (const length_run& run : lengths.runs()) {
    hr_length_run& target = result.run[result.runs++];
    target.times = static_cast<std::int64_t>(run.times);
    for (const std::uint64_t length : run.lengths)
      target.length[target.count++] = static_cast<std::int64_t>(length);
  }
}

hr_record_survey deliver(const record_survey& survey) {
  hr_record_survey result{};
  result.marker_bytes = survey.dialect.marker_bytes;
  result.big_endian = survey.dialect.order == byte_order::big;
  result.long_records = form_of(survey);
  result.end = survey.end;
  result.records = static_cast<std::int64_t>(survey.records);
  result.pieces = static_cast<std::int64_t>(survey.pieces);
  result.empty = static_cast<std::int64_t>(survey.empty);
  result.checked = static_cast<std::int64_t>(survey.checked);
  result.echoed = static_cast<std::int64_t>(survey.echoed);
  result.bytes = static_cast<std::int64_t>(survey.bytes);
  result.stopped = survey.end == HR_SURVEY_WHOLE ? -1 : static_cast<std::int64_t>(survey.stopped);
  result.leading = static_cast<std::int64_t>(survey.leading);
  result.trailing = static_cast<std::int64_t>(survey.trailing);
  deliver_lengths(survey.lengths, result);
  result.rest = survey.rest;
  result.changes = static_cast<std::int64_t>(survey.changes);
  result.resumed = offset_of(survey.resumed);
  result.rest_records = static_cast<std::int64_t>(survey.rest_records);
  result.rest_end = static_cast<std::int64_t>(survey.rest_end);
  result.missing = static_cast<std::int64_t>(survey.missing);
  return result;
}

status nowhere(const char* what) {
  return status::failure(stat_code::argument_invalid, std::string(what) + " is a null pointer")
      .advise("give a place for what is found");
}

template <class Result>
void deliver_all(const std::vector<Result>& found, Result* results, std::size_t capacity,
                 std::size_t* count) {
  *count = std::min(found.size(), capacity);
  std::copy_n(found.begin(), *count, results);
}

}  // namespace
}  // namespace headrace

extern "C" int hr_survey_records(const char* file, hr_record_survey* surveys, size_t capacity,
                                 size_t* count, int64_t* file_bytes, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    if (surveys == nullptr || count == nullptr) return nowhere("surveys or count");
    std::vector<record_survey> found;
    std::uint64_t size = 0;
    if (status s = survey_records(file == nullptr ? "" : file, found, size); !s.ok()) return s;
    *count = std::min(found.size(), capacity);
    std::transform(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(*count), surveys,
                   [](const record_survey& survey) { return deliver(survey); });
    if (file_bytes != nullptr) *file_bytes = static_cast<std::int64_t>(size);
    return status();
  });
}

extern "C" int hr_probe_values(const void* bytes, size_t size, int order, hr_value_probe* probes,
                               size_t capacity, size_t* count, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    if ((bytes == nullptr && size != 0) || probes == nullptr || count == nullptr)
      return nowhere("bytes, probes or count");
    const probed_order orders = order == 1   ? probed_order::little
                                : order == 2 ? probed_order::big
                                             : probed_order::both;
    deliver_all(
        probe_values(static_cast<const unsigned char*>(bytes), std::min(size, most_probed), orders),
        probes, capacity, count);
    return status();
  });
}

extern "C" int hr_split_items(const void* bytes, size_t rows, size_t row_bytes, int big_endian,
                              hr_item* items, size_t capacity, size_t* count, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    if ((bytes == nullptr && rows != 0 && row_bytes != 0) || items == nullptr || count == nullptr)
      return nowhere("bytes, items or count");
    if (row_bytes > longest_row)
      return status::failure(stat_code::argument_invalid, "rows are too long")
          .expected("at most " + bytes_text(longest_row), bytes_text(row_bytes))
          .advise("give the beginning of each record");
    deliver_all(
        split_items(static_cast<const unsigned char*>(bytes), rows, row_bytes, big_endian != 0),
        items, capacity, count);
    return status();
  });
}
