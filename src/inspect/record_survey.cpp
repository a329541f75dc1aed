#include "record_survey.hpp"

#include <algorithm>
#include <cstring>

#include "../binary/record_block.hpp"

namespace headrace {
namespace {

constexpr std::uint64_t most_checks = 1000;
// Bytes of nothing but ones are pieces of one byte that go on for ever; no program writes such.
constexpr std::uint64_t shortest_piece = 8, most_short_pieces = 1000;
constexpr std::uint64_t longest_short = 4096;  // bytes of records that are passed many at a time

// How many of the groups of records at data have the markers that they should have.
template <class Word>
std::size_t count_groups(const char* data, std::size_t groups,
                         const std::vector<equal_records>& records) noexcept {
  const auto differs = [](const char* at, Word expected) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word != expected;
  };
  for (std::size_t group = 0; group < groups; ++group)
    for (const equal_records& record : records) {
      const auto marker = static_cast<Word>(record.marker);
      if (differs(data, marker) || differs(data + sizeof(Word) + record.bytes, marker))
        return group;
      data += record.stride();
    }
  return groups;
}

int end_of(piece_fault fault) noexcept {
  switch (fault) {
    case piece_fault::nothing:
      return HR_SURVEY_NOT_CONTINUED;
    case piece_fault::cut_marker:
      return HR_SURVEY_MARKER_CUT;
    case piece_fault::too_long:
      return HR_SURVEY_BEYOND_END;
    case piece_fault::other_length:
      return HR_SURVEY_DIFFERS;
    default:
      return HR_SURVEY_NO_LENGTH;
  }
}

class survey_walk {
 public:
  survey_walk(record_walk& walk, std::uint64_t start) : walk_(walk), place_(start) {
    found_.dialect = walk.dialect();
    found_.bytes = start;
  }

  // Zeros are records without data, with markers of any size.
  void pass_zeros(std::uint64_t zeros) {
    if (found_.dialect.segmented) return;
    const auto each = static_cast<std::uint64_t>(2 * found_.dialect.marker_bytes);
    const std::uint64_t records = zeros / each;
    found_.records = found_.pieces = found_.empty = records;
    found_.lengths.add_equal(0, records);
    found_.bytes = place_ = records * each;
  }

  record_survey run(std::uint64_t most_records) {
    const std::uint64_t size = walk_.window().size();
    while (place_ < size && found_.records < most_records && step()) {
      if (pieces_ != 0 || found_.dialect.segmented || last_length_ > longest_short) continue;
      if (same_ > 1)
        skip_equal(most_records);
      else
        skip_repetitions(most_records);
    }
    if (pieces_ != 0 && found_.end == HR_SURVEY_WHOLE) {
      found_.end = HR_SURVEY_NOT_CONTINUED;
      found_.stopped = size;
    }
    found_.lengths.finish(found_.end == HR_SURVEY_WHOLE);
    return std::move(found_);
  }

 private:
  bool step() {
    record_piece piece;
    if (!look_at_piece(walk_.window(), place_, pieces_ == 0, found_.dialect, piece)) {
      found_.end = HR_SURVEY_MARKER_CUT;  // the survey ends with the failure of the window
      found_.stopped = place_;
      return false;
    }
    // PGI's run time flags both markers of the first piece too.
    const bool several = pieces_ != 0 || piece.more;
    const bool fits = piece.fault == piece_fault::none || (piece.fault == piece_fault::other_flag &&
                                                           several && !found_.dialect.segmented);
    if (!fits) return stop(piece);
    if (piece.more && piece.bytes < shortest_piece && pieces_ >= most_short_pieces &&
        !found_.dialect.segmented) {
      piece.fault = piece_fault::other_flag;
      return stop(piece);
    }
    if (!found_.dialect.segmented && found_.checked < most_checks) compare_neighbours(piece);
    take(piece);
    return true;
  }

  bool stop(const record_piece& piece) noexcept {
    found_.end = end_of(piece.fault);
    found_.stopped = place_;
    found_.leading = piece.bytes;
    found_.trailing = piece.fault == piece_fault::other_length ? piece.found : 0;
    return false;
  }

  // Data that hold their own length next to the markers prove nothing.
  void compare_neighbours(const record_piece& piece) {
    const marker_reader read(found_.dialect);
    const std::uint64_t width = read.bytes();
    if (piece.bytes < width) return;
    const char* word = walk_.window().look(piece.offset, width);
    const bool first = word != nullptr && read(word).bytes == piece.bytes;
    word = walk_.window().look(piece.offset + piece.bytes - width, width);
    const bool last = word != nullptr && read(word).bytes == piece.bytes;
    ++found_.checked;
    found_.echoed += first || last;
  }

  void take(const record_piece& piece) {
    place_ = piece.end;
    length_ += piece.bytes;
    ++pieces_;
    found_.flagged |= piece.more;
    if (piece.more) return;
    same_ = pieces_ == 1 && length_ == last_length_ ? same_ + 1 : 0;
    last_length_ = length_;
    ++found_.records;
    found_.pieces += pieces_;
    found_.empty += length_ == 0;
    found_.lengths.add(length_);
    found_.bytes = place_;
    pieces_ = length_ = 0;
  }

  // Short records whose lengths repeat: 24, 8, 64 again and again.
  void skip_repetitions(std::uint64_t most_records) {
    std::size_t period = 0;
    const std::uint64_t* const lengths = found_.lengths.repeated(period);
    if (period < 2 || most_records - found_.records < period) return;
    group_.clear();
    std::size_t stride = 0;
    std::uint64_t empty = 0;
    for (std::size_t k = 0; k < period; ++k) {
      if (lengths[k] > longest_short) return;
      group_.push_back(equal_records_of(found_.dialect, static_cast<std::size_t>(lengths[k])));
      stride += group_.back().stride();
      empty += lengths[k] == 0;
    }
    if (stride > 2 * longest_short) return;
    const std::uint64_t passed = pass_groups(stride, (most_records - found_.records) / period);
    found_.records += passed * period;
    found_.pieces += passed * period;
    found_.empty += passed * empty;
    found_.lengths.add_repetitions(passed);
    found_.bytes = place_;
  }

  std::uint64_t pass_groups(std::size_t stride, std::uint64_t most) {
    record_window& window = walk_.window();
    std::uint64_t passed = 0;
    while (passed < most && window.size() - place_ >= stride) {
      const char* const data = window.look(place_, stride);
      if (data == nullptr) break;
      const std::uint64_t whole =
          std::min<std::uint64_t>(window.at_hand(place_) / stride, most - passed);
      const auto groups = static_cast<std::size_t>(whole);
      const std::size_t fitting = found_.dialect.marker_bytes == 8
                                      ? count_groups<std::uint64_t>(data, groups, group_)
                                      : count_groups<std::uint32_t>(data, groups, group_);
      window.count_looks(2 * fitting * group_.size());
      passed += fitting;
      place_ += fitting * stride;
      if (fitting < groups) break;
    }
    return passed;
  }

  void skip_equal(std::uint64_t most_records) {
    walk_.go_to(place_, 1);
    const std::uint64_t passed = walk_.skip_equal(last_length_, most_records - found_.records);
    found_.records += passed;
    found_.pieces += passed;
    if (last_length_ == 0) found_.empty += passed;
    found_.lengths.add_equal(last_length_, passed);
    found_.bytes = place_ = walk_.begin();
  }

  record_walk& walk_;
  record_survey found_;
  std::uint64_t place_;
  std::uint64_t length_ = 0, pieces_ = 0;  // of the record begun
  std::uint64_t last_length_ = UINT64_MAX, same_ = 0;
  std::vector<equal_records> group_;
};

// Zeros that the file begins with; read once for all dialects.
std::uint64_t leading_zeros(const file_reader& file, status& result) {
  std::vector<char> block(std::size_t{256} << 10);
  std::uint64_t zeros = 0;
  std::size_t count = 64;  // most files do not begin with zeros
  for (bool all = true; all && result.ok(); count = block.size()) {
    std::size_t had = 0;
    result = file.read_at(zeros, block.data(), count, had);
    all = had == count && block[0] == 0 && std::memcmp(block.data(), &block[1], had - 1) == 0;
    if (!result.ok() || had == 0) break;
    zeros += all ? had
                 : static_cast<std::size_t>(std::find_if(block.data(), block.data() + had,
                                                         [](char c) { return c != 0; }) -
                                            block.data());
  }
  return zeros;
}

record_survey survey_one(const file_reader& file, const record_dialect& dialect,
                         std::uint64_t zeros, status& result) {
  record_walk walk(file, dialect);
  survey_walk survey(walk, 0);
  survey.pass_zeros(zeros);
  record_survey found = survey.run(UINT64_MAX);
  if (result.ok()) result = walk.window().failure();
  return found;
}

// The forms of long records matter only if a marker has its high bit set.
void survey_long_records(const file_reader& file, std::vector<record_survey>& surveys,
                         std::uint64_t zeros, status& result) {
  const record_survey usual = surveys.back();
  const bool marked = usual.flagged || (usual.end != HR_SURVEY_WHOLE && usual.records < 3) ||
                      usual.end == HR_SURVEY_BEYOND_END || usual.end == HR_SURVEY_DIFFERS;
  if (!marked) return;
  for (const long_records form : {long_records::high_bit, long_records::unsigned_marker}) {
    record_dialect dialect = usual.dialect;
    dialect.longer = form;
    record_survey found = survey_one(file, dialect, zeros, result);
    if (found.bytes > usual.bytes) surveys.push_back(std::move(found));
  }
}

}  // namespace

record_survey walk_records(record_walk& walk, std::uint64_t start, std::uint64_t most_records) {
  return survey_walk(walk, start).run(most_records);
}

status survey_records(const std::string& name, std::vector<record_survey>& surveys,
                      std::uint64_t& file_bytes) {
  file_reader file;
  if (status s = file.open(name); !s.ok()) return s;
  if (!file.size())
    return status::failure(stat_code::argument_invalid, "a pipe or device cannot be looked into")
        .in_file(name)
        .advise("copy what it gives to a file");
  file_bytes = *file.size();
  surveys.clear();
  status result;
  const std::uint64_t zeros = leading_zeros(file, result);
  for (const byte_order order : {byte_order::little, byte_order::big}) {
    for (const int bytes : {4, 8}) {
      surveys.push_back(survey_one(file, {bytes, order}, zeros, result));
      if (bytes == 4) survey_long_records(file, surveys, zeros, result);
    }
    surveys.push_back(survey_one(file, {4, order, long_records::subrecords, true}, zeros, result));
  }
  std::stable_sort(
      surveys.begin(), surveys.end(),
      [](const record_survey& a, const record_survey& b) { return a.bytes > b.bytes; });
  // If one dialect explains all, what others leave is of no interest.
  for (record_survey& survey : surveys) {
    const bool beaten =
        surveys.front().records > survey.records + 1 && surveys.front().bytes / 2 > survey.bytes;
    if (survey.end != HR_SURVEY_WHOLE) survey.rest = HR_REST_UNKNOWN;
    if (survey.end != HR_SURVEY_WHOLE && result.ok() && !beaten) find_rest(file, survey);
  }
  if (!result.ok()) return std::move(result).in_file_once(name);
  return std::move(result = file.check_unchanged()).in_file_once(name);
}

}  // namespace headrace
