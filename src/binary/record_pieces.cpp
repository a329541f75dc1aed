#include "record_pieces.hpp"

#include <algorithm>

#include "../core/byte_swap.hpp"

namespace headrace {
namespace {

// Before each segment: two numbers of 2 bytes, the length with the second of them and the place.
constexpr std::uint64_t segment_head = 4;
constexpr std::uint64_t counted_head = 2;
constexpr unsigned first_segment = 1;  // flags of the place; both: the only one
constexpr unsigned last_segment = 2;

void set_fault(record_piece& piece, piece_fault fault, std::uint64_t faulty, std::uint64_t expected,
               std::uint64_t found) noexcept {
  piece.fault = fault;
  piece.faulty = faulty;
  piece.expected = expected;
  piece.found = found;
}

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

// False when fewer than head bytes follow.
bool has_head(record_piece& piece, std::uint64_t begin, std::uint64_t left, std::uint64_t head) {
  if (left >= head) return true;
  set_fault(piece, left == 0 ? piece_fault::nothing : piece_fault::cut_marker, begin, head, left);
  return false;
}

unsigned half_word(const char* at, bool swapped) noexcept {
  std::uint16_t word;
  std::memcpy(&word, at, sizeof word);
  return swapped ? __builtin_bswap16(word) : word;
}

bool look_at_segment(record_window& window, std::uint64_t begin, bool first, bool swapped,
                     record_piece& piece) {
  const std::uint64_t left = window.size() - std::min(begin, window.size());
  if (!has_head(piece, begin, left, segment_head)) return true;
  const char* const head = window.look(begin, segment_head);
  if (head == nullptr) return false;
  const std::uint64_t counted = half_word(head, swapped);
  const unsigned place = half_word(head + 2, swapped);
  if (counted < counted_head || place > (first_segment | last_segment)) {
    set_fault(piece, piece_fault::bad_segment, begin, counted, place);
    return true;
  }
  piece.bytes = counted - counted_head;
  piece.offset = begin + segment_head;
  piece.more = (place & last_segment) == 0;
  // A byte that is not counted makes the length even.
  const std::uint64_t stored = piece.bytes + piece.bytes % 2;
  piece.end = piece.offset + stored;
  if (((place & first_segment) != 0) != first)
    set_fault(piece, piece_fault::other_flag, begin, 0, 0);
  else if (stored > left - segment_head)
    set_fault(piece, piece_fault::too_long, begin, stored, left - segment_head);
  return true;
}

}  // namespace

marker_reader::marker_reader(const record_dialect& dialect) noexcept
    : wide_(dialect.marker_bytes == 8),
      swapped_(is_swapped(dialect.order)),
      longer_(dialect.longer) {}

bool look_at_piece(record_window& window, std::uint64_t begin, bool first,
                   const record_dialect& dialect, record_piece& piece) {
  piece.fault = piece_fault::none;
  piece.begin = begin;
  if (dialect.segmented)
    return look_at_segment(window, begin, first, is_swapped(dialect.order), piece);
  const marker_reader read(dialect);
  const std::uint64_t width = read.bytes();
  const std::uint64_t left = window.size() - std::min(begin, window.size());
  if (!has_head(piece, begin, left, width)) return true;
  const char* at = window.look(begin, width);
  if (at == nullptr) return false;
  const record_marker front = read(at);
  piece.offset = begin + width;
  piece.bytes = front.bytes;
  piece.more = front.flagged;
  if (left < 2 * width || front.bytes > left - 2 * width) {
    set_fault(piece, piece_fault::too_long, begin, saturated_sum(front.bytes, width), left - width);
    return true;
  }
  piece.end = piece.offset + front.bytes + width;
  at = window.look(piece.end - width, width);
  if (at == nullptr) return false;
  const record_marker behind = read(at);
  if (behind.bytes != front.bytes)
    set_fault(piece, piece_fault::other_length, piece.end - width, front.bytes, behind.bytes);
  else if (behind.flagged == first)
    set_fault(piece, piece_fault::other_flag, piece.end - width, 0, 0);
  return true;
}

bool look_back_at_piece(record_window& window, std::uint64_t end, bool last,
                        const record_dialect& dialect, record_piece& piece) {
  const marker_reader read(dialect);
  const std::uint64_t width = read.bytes();
  piece.fault = piece_fault::none;
  piece.end = end;
  if (!has_head(piece, 0, end, width)) return true;
  const char* at = window.look_back(end - width, width);
  if (at == nullptr) return false;
  const record_marker behind = read(at);
  piece.bytes = behind.bytes;
  piece.more = behind.flagged;
  if (end < 2 * width || behind.bytes > end - 2 * width) {
    set_fault(piece, piece_fault::too_long, end - width, saturated_sum(behind.bytes, width),
              end - width);
    return true;
  }
  piece.offset = end - width - behind.bytes;
  piece.begin = piece.offset - width;
  at = window.look_back(piece.begin, width);
  if (at == nullptr) return false;
  const record_marker front = read(at);
  if (front.bytes != behind.bytes)
    set_fault(piece, piece_fault::other_length, piece.begin, behind.bytes, front.bytes);
  else if (front.flagged == last)
    set_fault(piece, piece_fault::other_flag, piece.begin, 0, 0);
  return true;
}

}  // namespace headrace
