#include "record_survey.hpp"

#include <algorithm>
#include <cstring>

namespace headrace {
namespace {

constexpr std::uint64_t most_checks = 1000;

template <class Word, bool big>
std::uint64_t word_at(const unsigned char* bytes) noexcept {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (big)
    word = sizeof(Word) == 4
               ? static_cast<Word>(__builtin_bswap32(static_cast<std::uint32_t>(word)))
               : static_cast<Word>(__builtin_bswap64(word));
  return word;
}

// What a leading marker says.
struct piece {
  std::uint64_t bytes = 0;
  bool goes_on = false;
  bool valid = true;
};

template <class Word>
piece piece_of(std::uint64_t word, int long_records) noexcept {
  constexpr std::uint64_t high = std::uint64_t{1} << (8 * sizeof(Word) - 1);
  if ((word & high) == 0 || long_records == HR_RECORDS_UNSIGNED) return {word, false, true};
  if (long_records == HR_RECORDS_HIGH_BIT) return {word & ~high, true, true};
  if (long_records == HR_RECORDS_SUBRECORDS && sizeof(Word) == 4)
    return {static_cast<std::uint32_t>(-static_cast<std::uint32_t>(word)), true, word != high};
  return {0, false, false};
}

// Whether a trailing marker may stand behind a piece. PGI's run time flags the first piece too, so
// pieces of a longer record may have the flag or not.
template <class Word>
bool closes(std::uint64_t word, const piece& now, bool several, int long_records) noexcept {
  if (word == now.bytes) return true;
  if (!several) return false;
  const piece behind = piece_of<Word>(word, long_records);
  return behind.valid && behind.goes_on && behind.bytes == now.bytes;
}

std::int64_t shown(std::uint64_t word, std::size_t bytes, int long_records) noexcept {
  if (bytes == 8 || long_records == HR_RECORDS_UNSIGNED || long_records == HR_RECORDS_HIGH_BIT)
    return static_cast<std::int64_t>(word);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(word));
}

template <class Word, bool big>
class walk {
 public:
  walk(file_window& file, const marker_form& form, std::uint64_t start)
      : file_(file), place_(start) {
    found_.form = form;
    found_.bytes = start;
  }

  record_survey run(std::uint64_t most_records) {
    while (place_ < file_.size() && found_.records < most_records)
      if (!step()) break;
    if (place_ >= file_.size() && inside_) {
      found_.end = HR_SURVEY_NOT_CONTINUED;
      found_.stopped = found_.bytes;
    }
    found_.lengths.finish(found_.end == HR_SURVEY_WHOLE);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t width = sizeof(Word);

  bool stop(int end, std::uint64_t leading, std::uint64_t trailing = 0) noexcept {
    found_.end = end;
    found_.stopped = place_;
    found_.leading = shown(leading, width, found_.form.long_records);
    found_.trailing = shown(trailing, width, found_.form.long_records);
    return false;
  }

  bool step() {
    const std::uint64_t left = file_.size() - place_;
    const unsigned char* const marker = left < width ? nullptr : file_.at(place_, width);
    if (marker == nullptr) return stop(HR_SURVEY_MARKER_CUT, 0);
    const std::uint64_t leading = word_at<Word, big>(marker);
    const piece now = piece_of<Word>(leading, found_.form.long_records);
    if (!now.valid) return stop(HR_SURVEY_NO_LENGTH, leading);
    if (left < 2 * width || now.bytes > left - 2 * width)
      return stop(HR_SURVEY_BEYOND_END, leading);
    // The last word of the data (or the leading marker) stands before the trailing marker.
    const bool check = now.bytes >= width && found_.checked < most_checks;
    std::uint64_t first_word = 0;
    if (check) {
      const unsigned char* const word = file_.at(place_ + width, width);
      if (word == nullptr) return stop(HR_SURVEY_MARKER_CUT, leading);
      first_word = word_at<Word, big>(word);
    }
    const unsigned char* const behind = file_.at(place_ + now.bytes, 2 * width);
    if (behind == nullptr) return stop(HR_SURVEY_MARKER_CUT, leading);
    const std::uint64_t trailing = word_at<Word, big>(behind + width);
    if (!closes<Word>(trailing, now, inside_ || now.goes_on, found_.form.long_records))
      return stop(HR_SURVEY_DIFFERS, leading, trailing);
    if (check) {
      ++found_.checked;
      found_.echoed += first_word == leading || word_at<Word, big>(behind) == leading;
    }
    take(now);
    return true;
  }

  void take(const piece& now) {
    place_ += now.bytes + 2 * width;
    length_ += now.bytes;
    ++pieces_;
    inside_ = now.goes_on;
    if (inside_) return;
    ++found_.records;
    found_.pieces += pieces_;
    found_.empty += length_ == 0;
    found_.lengths.add(length_);
    found_.bytes = place_;
    pieces_ = length_ = 0;
  }

  file_window& file_;
  record_survey found_;
  std::uint64_t place_;
  std::uint64_t length_ = 0, pieces_ = 0;  // of the record begun
  bool inside_ = false;
};

// 2 bytes of length (flags and data), 2 of flags: 1 the first segment of a record, 2 its last one.
class segment_walk {
 public:
  segment_walk(file_window& file, bool big) : file_(file), big_(big) {
    found_.form = {4, big, HR_RECORDS_SEGMENTED};
  }

  record_survey run() {
    while (place_ < file_.size())
      if (!step()) break;
    if (place_ >= file_.size() && inside_) {
      found_.end = HR_SURVEY_NOT_CONTINUED;
      found_.stopped = found_.bytes;
    }
    found_.lengths.finish(found_.end == HR_SURVEY_WHOLE);
    return std::move(found_);
  }

 private:
  bool stop(int end, std::uint64_t leading) noexcept {
    found_.end = end;
    found_.stopped = place_;
    found_.leading = static_cast<std::int64_t>(leading);
    return false;
  }

  bool step() {
    const std::uint64_t left = file_.size() - place_;
    const unsigned char* const header = left < 4 ? nullptr : file_.at(place_, 4);
    if (header == nullptr) return stop(HR_SURVEY_MARKER_CUT, 0);
    const int length = big_ ? header[0] * 256 + header[1] : header[1] * 256 + header[0];
    const int flags = big_ ? header[2] * 256 + header[3] : header[3] * 256 + header[2];
    if (flags > 3 || length < 2 || ((flags & 1) != 0) == inside_)
      return stop(HR_SURVEY_NO_LENGTH, static_cast<std::uint64_t>(length));
    // A byte fills up a segment of odd length; at the end of the file it may be left out.
    const auto whole = static_cast<std::uint64_t>(2 + length);
    if (whole > left) return stop(HR_SURVEY_BEYOND_END, static_cast<std::uint64_t>(length));
    place_ += std::min(left, whole + whole % 2);
    bytes_ += static_cast<std::uint64_t>(length - 2);
    ++pieces_;
    inside_ = (flags & 2) == 0;
    if (!inside_) end_record();
    return true;
  }

  void end_record() {
    ++found_.records;
    found_.pieces += pieces_;
    found_.empty += bytes_ == 0;
    found_.lengths.add(bytes_);
    found_.bytes = place_;
    pieces_ = bytes_ = 0;
  }

  file_window& file_;
  bool big_;
  record_survey found_;
  std::uint64_t place_ = 0, bytes_ = 0, pieces_ = 0;
  bool inside_ = false;
};

// The forms of long records matter only where a marker has its high bit set.
void survey_long_records(file_window& file, bool big, std::vector<record_survey>& surveys) {
  const record_survey plain = surveys.back();
  const bool marked = plain.end == HR_SURVEY_NO_LENGTH;
  if (!marked) return;
  for (const int form : {HR_RECORDS_SUBRECORDS, HR_RECORDS_HIGH_BIT, HR_RECORDS_UNSIGNED}) {
    record_survey found = walk_records(file, {4, big, form}, 0);
    if (found.bytes > plain.bytes || found.stopped > plain.stopped)
      surveys.push_back(std::move(found));
  }
}

}  // namespace

record_survey walk_records(file_window& file, const marker_form& form, std::uint64_t start,
                           std::uint64_t most_records) {
  if (form.bytes == 8)
    return form.big ? walk<std::uint64_t, true>(file, form, start).run(most_records)
                    : walk<std::uint64_t, false>(file, form, start).run(most_records);
  return form.big ? walk<std::uint32_t, true>(file, form, start).run(most_records)
                  : walk<std::uint32_t, false>(file, form, start).run(most_records);
}

record_survey walk_segments(file_window& file, bool big) {
  return segment_walk(file, big).run();
}

status survey_records(const std::string& name, std::vector<record_survey>& surveys,
                      std::uint64_t& file_bytes) {
  file_window file;
  if (status s = file.open(name); !s.ok()) return s;
  file_bytes = file.size();
  surveys.clear();
  for (const bool big : {false, true}) {
    for (const int bytes : {4, 8}) {
      surveys.push_back(walk_records(file, {bytes, big, HR_RECORDS_PLAIN}, 0));
      if (bytes == 4) survey_long_records(file, big, surveys);
    }
    surveys.push_back(walk_segments(file, big));
  }
  for (record_survey& survey : surveys)
    if (survey.end != HR_SURVEY_WHOLE && survey.records != 0) find_rest(file, survey);
  std::stable_sort(
      surveys.begin(), surveys.end(),
      [](const record_survey& a, const record_survey& b) { return a.bytes > b.bytes; });
  return file.result();
}

}  // namespace headrace
