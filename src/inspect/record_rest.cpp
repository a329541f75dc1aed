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

// Records of another form behind the place, perhaps changing again and again.
bool other_form(file_window& file, record_survey& survey, marker_form other, int rest) {
  marker_form now = other;
  std::uint64_t place = survey.bytes;
  std::uint64_t records = 0, changes = 0;
  while (place < file.size() && changes < most_changes) {
    const record_survey walked = walk_records(file, now, place);
    if (!has_data(walked)) break;
    ++changes;
    records += walked.records;
    place = walked.bytes;
    now = changes % 2 == 0 ? other : survey.form;
  }
  // One short record may be chance; all the rest of the file is none.
  if (changes == 0 || (records < 2 && place != file.size())) return false;
  survey.rest = rest;
  survey.changes = changes;
  survey.resumed = survey.bytes;
  survey.rest_records = records;
  survey.rest_end = place;
  return true;
}

std::uint64_t length_at(const unsigned char* bytes, const marker_form& form) noexcept {
  std::uint64_t length = 0;
  for (int k = 0; k < form.bytes; ++k)
    length |= static_cast<std::uint64_t>(bytes[k]) << (8 * (form.big ? form.bytes - 1 - k : k));
  return length;
}

// Whether records go on at a place: to the end of the file, or three of them.
bool goes_on(file_window& file, const marker_form& form, std::uint64_t place) {
  const record_survey walked = walk_records(file, form, place, 3);
  return has_data(walked) && (walked.bytes == file.size() || walked.records - walked.empty >= 3);
}

bool resumes(file_window& file, record_survey& survey) {
  const auto width = static_cast<std::uint64_t>(survey.form.bytes);
  const std::uint64_t last =
      std::min(file.size() - std::min(file.size(), 2 * width), survey.bytes + searched);
  int looks = far_looks, tries = most_tries;
  for (std::uint64_t place = survey.bytes + 1; place <= last; ++place) {
    const unsigned char* const bytes = file.at(place, static_cast<std::size_t>(width));
    if (bytes == nullptr) return false;
    const std::uint64_t length = length_at(bytes, survey.form);
    if (length == 0 || length > file.size() - place - 2 * width) continue;
    if (length > near && !survey.lengths.has(length) && --looks < 0) continue;
    const std::uint64_t behind = place + width + length;
    const unsigned char* const other = file.at(behind, static_cast<std::size_t>(width));
    if (other == nullptr) return false;
    if (length_at(other, survey.form) != length) continue;
    if (--tries < 0) return false;
    if (!goes_on(file, survey.form, place)) continue;
    const record_survey walked = walk_records(file, survey.form, place);
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
bool truncated(const file_window& file, record_survey& survey) noexcept {
  const auto width = static_cast<std::uint64_t>(survey.form.bytes);
  const std::uint64_t left = file.size() - survey.stopped;
  if (survey.end == HR_SURVEY_NOT_CONTINUED) {
    survey.rest = HR_REST_TRUNCATED;
    return true;
  }
  if (survey.end != HR_SURVEY_BEYOND_END) return false;
  const std::int64_t said = survey.leading;
  const std::uint64_t length =
      said < 0 ? static_cast<std::uint64_t>(-said) : static_cast<std::uint64_t>(said);
  const std::uint64_t likely =
      std::max(std::max(std::uint64_t{4} * file.size(), std::uint64_t{1} << 20),
               std::uint64_t{64} * survey.lengths.longest());
  if (!survey.lengths.has(length) && (length > likely || length == 0)) return false;
  survey.rest = HR_REST_TRUNCATED;
  survey.missing = length + 2 * width - left;
  return true;
}

// Fewer bytes than a marker: they are the beginning of one if they are those of a known record.
bool cut_marker(file_window& file, record_survey& survey) {
  if (survey.end != HR_SURVEY_MARKER_CUT) return false;
  const auto left = static_cast<std::size_t>(file.size() - survey.stopped);
  const auto width = static_cast<std::size_t>(survey.form.bytes);
  if (left == 0 || left >= width) return false;
  const unsigned char* const rest = file.at(survey.stopped, left);
  if (rest == nullptr) return false;
  for (const length_count& known : survey.lengths.histogram()) {
    unsigned char marker[8];
    for (std::size_t k = 0; k < width; ++k)
      marker[survey.form.big ? width - 1 - k : k] =
          static_cast<unsigned char>(known.length >> (8 * k));
    if (std::memcmp(marker, rest, left) != 0) continue;
    survey.rest = HR_REST_TRUNCATED;
    survey.missing = known.length + 2 * width - left;
    return true;
  }
  return false;
}

}  // namespace

void find_rest(file_window& file, record_survey& survey) {
  survey.rest = HR_REST_UNKNOWN;
  survey.rest_end = survey.bytes;
  if (survey.form.long_records == HR_RECORDS_SEGMENTED) {
    if (survey.end == HR_SURVEY_NOT_CONTINUED || survey.end == HR_SURVEY_BEYOND_END)
      survey.rest = HR_REST_TRUNCATED;
    return;
  }
  marker_form other = survey.form;
  other.big = !other.big;
  if (other_form(file, survey, other, HR_REST_OTHER_ORDER)) return;
  other = survey.form;
  other.bytes = 12 - other.bytes;
  if (other_form(file, survey, other, HR_REST_OTHER_MARKER)) return;
  if (cut_marker(file, survey) || resumes(file, survey)) return;
  truncated(file, survey);
}

}  // namespace headrace
