#include "record_writer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "../core/array_copy.hpp"
#include "../core/byte_swap.hpp"
#include "../core/transfer.hpp"
#include "frame_records.hpp"
#include "record_tail.hpp"

namespace headrace {
namespace {

// What is gathered before a system call: fits the cache beside what it is copied from.
constexpr std::size_t block_bytes = std::size_t{256} << 10;
// A file of one small record needs no more: large memory comes from the system and goes back to it.
constexpr std::size_t first_block = 896;
// Data from this size on goes to the file without a copy: a system call costs less.
constexpr std::size_t direct_bytes = std::size_t{64} << 10;
// Records up to this size are framed in blocks.
constexpr std::size_t small_record = std::size_t{16} << 10;
constexpr std::size_t gathered_bytes = std::size_t{64} << 10;

status check_dialect(const std::string& file, const record_dialect& dialect) {
  if (dialect.marker_bytes != 4 && dialect.marker_bytes != 8)
    return status::failure(stat_code::argument_invalid, "a record marker has 4 or 8 bytes")
        .expected("4 or 8", std::to_string(dialect.marker_bytes))
        .in_file(file)
        .advise("say record_marker=4 or record_marker=8");
  if (!dialect.segmented && dialect.longer == long_records::subrecords) return {};
  return status::failure(stat_code::argument_invalid, "such records are read only")
      .in_file(file)
      .advise("write the default, long records in signed pieces, which most compilers read");
}

// The marker of a length as it is in the file.
std::array<char, 8> marker_of(std::uint64_t bytes, bool negative, int marker_bytes,
                              bool swapped) noexcept {
  std::array<char, 8> marker{};
  const auto size = static_cast<std::size_t>(marker_bytes);
  const std::uint64_t wide = negative ? ~bytes + 1 : bytes;
  const auto narrow = static_cast<std::uint32_t>(wide);
  if (marker_bytes == 8)
    std::memcpy(marker.data(), &wide, sizeof wide);
  else
    std::memcpy(marker.data(), &narrow, sizeof narrow);
  if (swapped) swap_bytes(marker.data(), marker.data(), 1, size);
  return marker;
}

// The first of the records that the last dimension counts.
array_view one_record(const array_view& array) noexcept {
  array_view record = array;
  if (record.array_rank > 0) --record.array_rank;
  return record;
}

status misuse(const char* what) {
  return status::failure(stat_code::argument_invalid, what)
      .advise("put as many bytes as the record was begun with, then end it");
}

}  // namespace

record_writer::~record_writer() {
  // In a child of fork() the records are the parent's.
  if (!open_ || !failure_.ok() || !file_.is_own()) return;
  // A failure cuts the file back to whole records; there is nobody to tell.
  static_cast<void>(flush());
  file_.keep(complete_);
}

status record_writer::open(const std::string& file, replace_mode mode,
                           const record_dialect& dialect, sync_mode sync) {
  if (open_) return misuse("the writer is open");
  if (status s = check_dialect(file, dialect); !s.ok()) return s;
  if (status s = file_.open(file, mode); !s.ok()) return s;
  // Now that nobody else appends.
  if (mode == replace_mode::append)
    if (status s = check_record_tail(file, dialect); !s.ok()) return fail(std::move(s));
  file_.append_in_order();
  dialect_ = dialect;
  sync_ = sync;
  swaps_ = is_swapped(dialect.order);
  failure_ = {};
  held_ = 0;
  complete_ = 0;
  in_record_ = false;
  open_ = true;
  return {};
}

// Ends the file: a new one does not appear, an old one keeps its whole records.
void record_writer::stop(status failure) {
  failure_ = std::move(failure);
  held_ = 0;
  file_.abandon();
}

status record_writer::fail(status failure) {
  stop(std::move(failure));
  return failure_;
}

status record_writer::flush() {
  if (held_ == 0) return {};
  const std::size_t bytes = std::exchange(held_, 0);
  if (status s = file_.write(block_.data(), bytes); !s.ok()) return fail(std::move(s));
  if (file_.bytes_written() >= complete_) file_.keep(complete_);
  return {};
}

// The records of a call are complete, though perhaps in memory.
void record_writer::finish_call() noexcept {
  complete_ = file_.bytes_written() + held_;
  if (held_ == 0) file_.keep(complete_);
}

// For bytes behind those held, block_bytes together at most.
void record_writer::make_room(std::size_t bytes) {
  const std::size_t wanted = held_ + bytes;
  if (wanted <= block_.capacity()) return;
  block_.reserve(std::min(block_bytes, std::max({first_block, wanted, 4 * block_.capacity()})),
                 held_);
}

status record_writer::append_bytes(const char* data, std::size_t bytes) {
  if (held_ + bytes > block_bytes || bytes >= direct_bytes)
    if (status s = flush(); !s.ok()) return s;
  if (bytes >= direct_bytes) {
    status s = file_.write(data, bytes);
    return s.ok() ? s : fail(std::move(s));
  }
  make_room(bytes);
  std::memcpy(block_.data() + held_, data, bytes);
  held_ += bytes;
  return {};
}

status record_writer::put_marker(bool negative) {
  const std::array<char, 8> marker =
      marker_of(piece_bytes_, negative, dialect_.marker_bytes, swaps_);
  return append_bytes(marker.data(), static_cast<std::size_t>(dialect_.marker_bytes));
}

std::uint64_t record_writer::piece_limit() const noexcept {
  if (piece_limit_ > 0) return piece_limit_;
  return dialect_.marker_bytes == 4 ? static_cast<std::uint64_t>(longest_piece)
                                    : std::numeric_limits<std::int64_t>::max();
}

// The marker in front of a piece is negative when another piece follows.
status record_writer::begin_piece() {
  piece_bytes_ = std::min(piece_limit(), record_left_);
  piece_left_ = piece_bytes_;
  return put_marker(record_left_ > piece_bytes_);
}

status record_writer::begin(std::uint64_t bytes) {
  if (!failure_.ok()) return failure_;
  if (!open_ || in_record_) return misuse("a record cannot begin here");
  in_record_ = true;
  continued_ = false;
  record_left_ = bytes;
  return begin_piece();
}

status record_writer::put(const char* data, std::size_t bytes) {
  if (!failure_.ok()) return failure_;
  if (!in_record_ || bytes > record_left_) return misuse("these bytes are not of the record");
  while (bytes > 0) {
    if (piece_left_ == 0) {
      if (status s = put_marker(continued_); !s.ok()) return s;
      continued_ = true;
      if (status s = begin_piece(); !s.ok()) return s;
    }
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, piece_left_));
    if (status s = append_bytes(data, part); !s.ok()) return s;
    data += part, bytes -= part;
    piece_left_ -= part, record_left_ -= part;
  }
  return {};
}

status record_writer::end_record() {
  if (!in_record_ || record_left_ > 0) return misuse("the record is not complete");
  in_record_ = false;
  return put_marker(continued_);
}

status record_writer::end() {
  if (!failure_.ok()) return failure_;
  if (status s = end_record(); !s.ok()) return s;
  finish_call();
  return {};
}

bool record_writer::is_small(std::uint64_t record_bytes) const noexcept {
  return record_bytes <= small_record && record_bytes <= piece_limit();
}

status record_writer::write_large(const array_view& array) {
  if (status s = begin(byte_count(array).value_or(0)); !s.ok()) return s;
  const transfer_settings settings = transfer_in_order(dialect_.order, array);
  const auto take = [this](const char* data, std::size_t bytes) { return put(data, bytes); };
  if (status s = transfer_out(array, settings, take); !s.ok()) return s;
  return end_record();
}

// Whole records whose elements lie one after another, as they are to be in the file.
status record_writer::put_small(const char* data, std::size_t records, std::size_t record_bytes) {
  const auto marker_bytes = static_cast<std::size_t>(dialect_.marker_bytes);
  const std::array<char, 8> marker = marker_of(record_bytes, false, dialect_.marker_bytes, swaps_);
  const std::size_t framed = record_bytes + 2 * marker_bytes;
  while (records > 0) {
    if (held_ + framed > block_bytes)
      if (status s = flush(); !s.ok()) return s;
    const std::size_t count = records == 1 ? 1 : std::min(records, (block_bytes - held_) / framed);
    make_room(count * framed);
    frame_records(block_.data() + held_, data, count, record_bytes, marker.data(), marker_bytes);
    held_ += count * framed;
    data += count * record_bytes;
    records -= count;
  }
  return {};
}

status record_writer::write_small(const array_view& array, std::size_t records,
                                  std::size_t record_bytes) {
  const std::size_t word = swaps_ ? word_bytes(array) : 0;
  if (record_bytes == 0 || (word <= 1 && is_contiguous(array)))
    return put_small(array.base, records, record_bytes);
  const std::size_t most = gathered_bytes / record_bytes * record_bytes;
  gathered_.reserve(gathered_bytes);
  array_copier elements(array);
  while (const std::size_t bytes = elements.gather(gathered_.data(), most)) {
    if (word > 1) swap_bytes(gathered_.data(), gathered_.data(), bytes / word, word);
    if (status s = put_small(gathered_.data(), bytes / record_bytes, record_bytes); !s.ok())
      return s;
  }
  return {};
}

status record_writer::write(const array_view& array) {
  if (!failure_.ok()) return failure_;
  if (!open_ || in_record_) return misuse("a record cannot begin here");
  const std::size_t bytes = byte_count(array).value_or(0);
  if (status s = is_small(bytes) ? write_small(array, 1, bytes) : write_large(array); !s.ok())
    return s;
  finish_call();
  return {};
}

status record_writer::write_many(const array_view& array) {
  if (array.array_rank == 0) return write(array);
  if (!failure_.ok()) return failure_;
  if (!open_ || in_record_) return misuse("a record cannot begin here");
  array_view record = one_record(array);
  const auto last = static_cast<std::size_t>(array.array_rank - 1);
  const std::ptrdiff_t records = std::max<std::ptrdiff_t>(array.extent[last], 0);
  const std::size_t bytes = byte_count(record).value_or(0);
  if (is_small(bytes)) {
    if (status s = write_small(array, static_cast<std::size_t>(records), bytes); !s.ok()) return s;
  } else {
    for (std::ptrdiff_t i = 0; i < records; ++i, record.base += array.stride[last])
      if (status s = write_large(record); !s.ok()) return s;
  }
  finish_call();
  return {};
}

status record_writer::close() {
  if (!open_) return {};
  if (in_record_ && failure_.ok()) stop(misuse("the record is not complete"));
  if (failure_.ok() && flush().ok())
    if (status s = file_.finish(sync_); !s.ok()) stop(std::move(s));
  open_ = false;
  return std::exchange(failure_, {});
}

}  // namespace headrace
