// What stands behind the place where the records of a file stop to fit.
#include <algorithm>
#include <cstring>

#include "record_survey.hpp"

namespace headrace {
namespace {

constexpr std::uint64_t most_changes = 10000;                // of the byte order, that are followed
constexpr std::uint64_t searched = std::uint64_t{16} << 20;  // bytes searched for the next record
constexpr int far_looks = 4096;                              // reads elsewhere, in that search
constexpr int most_tries = 20000;                            // walks begun
constexpr std::uint64_t near = std::uint64_t{64} << 10;

bool has_data(const record_survey& walked) noexcept {
  return walked.records > walked.empty;
}

// Records of another dialect behind the place, perhaps changing again and again.
bool other_dialect(const file_reader& file, record_survey& survey, const record_dialect& other,
                   int rest) {
  record_walk walks[2] = {{file, other}, {file, survey.dialect}};
  const std::uint64_t size = walks[0].window().size();
  std::uint64_t place = survey.bytes;
  std::uint64_t records = 0, changes = 0;
  while (place < size && changes < most_changes) {
    const record_survey walked = walk_records(walks[changes % 2], place);
    if (!has_data(walked)) break;
    ++changes;
    records += walked.records;
    place = walked.bytes;
  }
  // One short record may be chance; all the rest of the file is none.
  if (changes == 0 || (records < 2 && place != size)) return false;
  survey.rest = rest;
  survey.changes = changes;
  survey.resumed = survey.bytes;
  survey.rest_records = records;
  survey.rest_end = place;
  return true;
}

// Whether records go on at a place: to the end of the file, or three of them.
bool goes_on(record_walk& walk, std::uint64_t place) {
  const record_survey walked = walk_records(walk, place, 3);
  return has_data(walked) &&
         (walked.bytes == walk.window().size() || walked.records - walked.empty >= 3);
}

bool resumes(const file_reader& file, record_survey& survey) {
  record_walk walk(file, survey.dialect);    // goes on at a place that looks right
  record_window search(file), behind(file);  // looks for one
  const marker_reader read(survey.dialect);
  const std::uint64_t width = read.bytes();
  const std::uint64_t size = search.size();
  if (size < 2 * width) return false;
  const std::uint64_t last = std::min(size - 2 * width, survey.bytes + searched);
  int looks = far_looks, tries = most_tries;
  for (std::uint64_t place = survey.bytes + 1; place <= last; ++place) {
    const char* at = search.look(place, width);
    if (at == nullptr) return false;
    const record_marker marker = read(at);
    if (marker.flagged || marker.bytes == 0 || marker.bytes > size - place - 2 * width) continue;
    if (marker.bytes > near && !survey.lengths.has(marker.bytes) && --looks < 0) continue;
    at = behind.look(place + width + marker.bytes, width);
    if (at == nullptr) return false;
    if (read(at).bytes != marker.bytes) continue;
    if (--tries < 0) return false;
    if (!goes_on(walk, place)) continue;
    const record_survey walked = walk_records(walk, place);
    survey.rest = HR_REST_RESUMES;
    survey.resumed = place;
    survey.rest_records = walked.records;
    survey.rest_end = walked.bytes;
    return true;
  }
  return false;
}

// A length that goes beyond the end is believed when such records are there, or when chance would
// hardly give one so small.
bool truncated(std::uint64_t size, record_survey& survey) {
  const auto width = static_cast<std::uint64_t>(survey.dialect.marker_bytes);
  const std::uint64_t left = size - survey.stopped;
  if (survey.end == HR_SURVEY_NOT_CONTINUED) {
    survey.rest = HR_REST_TRUNCATED;
    return true;
  }
  if (survey.end != HR_SURVEY_BEYOND_END) return false;
  const std::uint64_t length = survey.leading;
  const std::uint64_t likely = std::max(std::max(std::uint64_t{4} * size, std::uint64_t{1} << 20),
                                        std::uint64_t{64} * survey.lengths.longest());
  if (!survey.lengths.has(length) && (length > likely || length == 0)) return false;
  survey.rest = HR_REST_TRUNCATED;
  survey.missing = length + 2 * width - left;
  return true;
}

// Fewer bytes than a marker: they are the beginning of one if they are those of a known record.
bool cut_marker(const file_reader& file, record_survey& survey) {
  if (survey.end != HR_SURVEY_MARKER_CUT) return false;
  record_window window(file);
  const auto left = static_cast<std::size_t>(window.size() - survey.stopped);
  const auto width = static_cast<std::size_t>(survey.dialect.marker_bytes);
  if (left == 0 || left >= width) return false;
  const char* const rest = window.look(survey.stopped, left);
  if (rest == nullptr) return false;
  const bool big = survey.dialect.order == byte_order::big;
  for (const length_count& known : survey.lengths.histogram()) {
    char marker[8];
    for (std::size_t k = 0; k < width; ++k)
      marker[big ? width - 1 - k : k] = static_cast<char>(known.length >> (8 * k));
    if (std::memcmp(marker, rest, left) != 0) continue;
    survey.rest = HR_REST_TRUNCATED;
    survey.missing = known.length + 2 * width - left;
    return true;
  }
  return false;
}

}  // namespace

void find_rest(const file_reader& file, record_survey& survey) {
  survey.rest_end = survey.bytes;
  if (survey.dialect.segmented) {
    if (survey.end == HR_SURVEY_NOT_CONTINUED || survey.end == HR_SURVEY_BEYOND_END)
      survey.rest = HR_REST_TRUNCATED;
    return;
  }
  record_dialect other = survey.dialect;
  if (survey.records != 0) {
    other.order = other.order == byte_order::little ? byte_order::big : byte_order::little;
    if (other_dialect(file, survey, other, HR_REST_OTHER_ORDER)) return;
    other = survey.dialect;
    other.marker_bytes = 12 - other.marker_bytes;
    other.longer = long_records::subrecords;
    if (other_dialect(file, survey, other, HR_REST_OTHER_MARKER)) return;
    if (cut_marker(file, survey)) return;
    const bool begun = survey.end == HR_SURVEY_BEYOND_END && survey.lengths.has(survey.leading);
    if (!begun && resumes(file, survey)) return;
  }
  truncated(file.size().value_or(0), survey);
}

}  // namespace headrace
