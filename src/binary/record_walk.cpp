#include "record_walk.hpp"

#include <algorithm>

#include "record_block.hpp"
#include "record_fit.hpp"

namespace headrace {
namespace {

// Longer records are passed by jumps: reading the bytes between would take longer.
constexpr std::uint64_t longest_equal = 2048;

std::string record_text(std::uint64_t number) {
  return "record " + std::to_string(number);
}

status damaged(std::string what, std::uint64_t expected, std::uint64_t found) {
  return status::failure(stat_code::record_marker_damaged, std::move(what))
      .expected(bytes_text(expected), bytes_text(found));
}

status truncated(std::string what, std::uint64_t expected, std::uint64_t found) {
  return status::failure(stat_code::truncated_record, std::move(what))
      .expected(bytes_text(expected), bytes_text(found));
}

status failure_of(const record_piece& piece, const std::string& record) {
  switch (piece.fault) {
    case piece_fault::nothing:
      return status::failure(stat_code::truncated_record,
                             record + " goes on in another piece, but the file ends");
    case piece_fault::cut_marker:
      return truncated("the file ends within the marker of " + record, piece.expected, piece.found);
    case piece_fault::too_long:
      return truncated(record + " ends beyond the end of the file: behind its first marker",
                       piece.expected, piece.found);
    case piece_fault::other_length:
      return damaged("the markers before and behind " + record + " differ", piece.expected,
                     piece.found);
    case piece_fault::bad_segment:
      return status::failure(stat_code::record_marker_damaged,
                             record + " is not a segmented record: its head says length " +
                                 std::to_string(piece.expected) + " and place " +
                                 std::to_string(piece.found));
    default:
      return status::failure(stat_code::record_marker_damaged,
                             "the markers of " + record + " disagree about its pieces");
  }
}

std::string advice_text(const std::string& fitting) {
  if (!fitting.empty()) return fitting;
  return "check that its writer has finished, or try another byte_order or record_marker: "
         "headrace inspect tells";
}

}  // namespace

bool record_walk::cannot_read(std::uint64_t offset) {
  failure_ = window_.failure();
  failed_at_ = offset;
  return false;
}

bool record_walk::fail(const record_piece& piece, std::uint64_t number, bool first) {
  failed_at_ = piece.faulty;
  // Other dialects can be tried where a record begins only.
  const std::string fitting = first ? fitting_dialects(window_, piece.begin, dialect_) : "";
  failure_ =
      failure_of(piece, record_text(number)).at_byte(failed_at_).advise(advice_text(fitting));
  return false;
}

bool record_walk::next(record_extent& record) {
  if (!failure_.ok()) failure_ = status();
  if (at_end()) return false;
  record_piece piece;
  record = {number_, begin_, begin_, 0, 0, 0};
  do {
    const bool first = record.pieces == 0;
    if (!look_at_piece(window_, record.end, first, dialect_, piece)) return cannot_read(record.end);
    if (piece.fault != piece_fault::none) return fail(piece, number_, first);
    if (first) record.offset = piece.offset;
    record.bytes += piece.bytes;
    record.end = piece.end;
    ++record.pieces;
  } while (piece.more);
  begin_ = record.end;
  ++number_;
  return true;
}

std::uint64_t record_walk::skip_equal(std::uint64_t bytes, std::uint64_t most) {
  if (dialect_.segmented || bytes > longest_equal) return 0;
  const equal_records shape = equal_records_of(dialect_, static_cast<std::size_t>(bytes));
  std::uint64_t passed = 0;
  while (passed < most) {
    const std::uint64_t whole =
        std::min<std::uint64_t>(window_.at_hand(begin_) / shape.stride(), most - passed);
    if (whole == 0) {
      if (window_.size() - begin_ < shape.stride()) break;
      if (window_.look(begin_, shape.stride()) == nullptr) break;
      continue;
    }
    const char* const data = window_.look(begin_, shape.stride());
    const std::size_t equal = count_equal(data, static_cast<std::size_t>(whole), shape);
    window_.count_looks(equal);
    passed += equal;
    begin_ += equal * shape.stride();
    number_ += equal;
    if (equal < whole) break;
  }
  return passed;
}

bool record_walk::skip(std::uint64_t records) {
  record_extent record;
  while (records > 0) {
    if (!next(record)) return false;
    --records;
    if (record.pieces == 1) records -= skip_equal(record.bytes, records);
  }
  return true;
}

bool record_walk::fail_back(const record_piece& piece, bool last) {
  failed_at_ = piece.faulty;
  const std::string record = record_text(number_ - 1);
  if (piece.fault == piece_fault::nothing || piece.fault == piece_fault::cut_marker)
    failure_ = status::failure(stat_code::record_marker_damaged,
                               record + " is said to have a piece before the file begins");
  else if (piece.fault == piece_fault::too_long)
    failure_ = damaged(record + " begins before the file, as its last marker says", piece.expected,
                       piece.found);
  else
    failure_ = failure_of(piece, record);
  failure_ = std::move(failure_)
                 .at_byte(failed_at_)
                 .advise(last ? advice_text("") : "read the file from its beginning");
  return false;
}

bool record_walk::previous(record_extent& record) {
  if (!failure_.ok()) failure_ = status();
  if (begin_ == 0 || number_ <= 1) return false;
  record_piece piece;
  record = {number_ - 1, begin_, begin_, 0, 0, 0};
  do {
    const bool last = record.pieces == 0;
    if (!look_back_at_piece(window_, record.begin, last, dialect_, piece))
      return cannot_read(record.begin);
    if (piece.fault != piece_fault::none) return fail_back(piece, last);
    record.offset = piece.offset;
    record.bytes += piece.bytes;
    record.begin = piece.begin;
    ++record.pieces;
  } while (piece.more);
  begin_ = record.begin;
  --number_;
  return true;
}

}  // namespace headrace
