// The markers around one piece of a record: most records are one piece. Next: record_walk.hpp goes
// from record to record.
#pragma once

#include <cstdint>
#include <cstring>

#include "record_dialect.hpp"
#include "record_window.hpp"

namespace headrace {

// What a marker says.
struct record_marker {
  std::uint64_t bytes = 0;
  bool flagged = false;  // in front: another piece follows; behind: another piece came before
};

// Takes markers of one dialect apart; not for segments.
class marker_reader {
 public:
  explicit marker_reader(const record_dialect& dialect) noexcept;

  std::uint64_t bytes() const noexcept { return wide_ ? 8 : 4; }
  record_marker operator()(const char* at) const noexcept {
    return wide_ ? read<std::uint64_t, std::int64_t>(at) : read<std::uint32_t, std::int32_t>(at);
  }

 private:
  static std::uint32_t reversed(std::uint32_t word) noexcept { return __builtin_bswap32(word); }
  static std::uint64_t reversed(std::uint64_t word) noexcept { return __builtin_bswap64(word); }

  template <class Word, class Signed>
  record_marker read(const char* at) const noexcept {
    Word word;
    std::memcpy(&word, at, sizeof word);
    if (swapped_) word = reversed(word);
    if (longer_ == long_records::unsigned_marker || static_cast<Signed>(word) >= 0)
      return {word, false};
    constexpr Word high = Word{1} << (8 * sizeof(Word) - 1);
    // In arithmetic without signs the most negative number has an opposite too.
    return {longer_ == long_records::high_bit ? word ^ high : static_cast<Word>(0 - word), true};
  }

  bool wide_;
  bool swapped_;
  long_records longer_;
};

enum class piece_fault {
  none,
  nothing,       // the file ends here (or begins, for somebody who goes backwards)
  cut_marker,    // the file ends within the marker
  too_long,      // the file ends (or begins) before the piece does
  other_length,  // the two markers say different lengths
  other_flag,   // one of them tells of a piece before or behind where there is none, or the reverse
  bad_segment,  // the head of a segment says what no segment can be
};

// A piece of a record, or why there is none. Offsets count from the beginning of the file.
struct record_piece {
  piece_fault fault = piece_fault::none;
  bool more = false;  // going on: a piece of the same record follows; going back: came before
  std::uint64_t offset = 0;  // of the data
  std::uint64_t bytes = 0;   // of the data
  std::uint64_t begin = 0;   // of the marker in front
  std::uint64_t end = 0;     // behind the marker behind
  // With a fault: the marker that does not fit, and bytes as expected and found.
  std::uint64_t faulty = 0;
  std::uint64_t expected = 0;
  std::uint64_t found = 0;
};

// Looks at the piece that begins at an offset; first: of its record. Allocates nothing and takes no
// length for true that the file does not hold. False when the file cannot be read.
bool look_at_piece(record_window& window, std::uint64_t begin, bool first,
                   const record_dialect& dialect, record_piece& piece);

// Looks at the piece that ends at an offset; last: of its record. Not for segments, which have no
// marker behind them.
bool look_back_at_piece(record_window& window, std::uint64_t end, bool last,
                        const record_dialect& dialect, record_piece& piece);

}  // namespace headrace
