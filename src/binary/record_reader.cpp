#include "record_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../core/byte_swap.hpp"
#include "../core/transfer.hpp"
#include "record_block.hpp"
#include "record_fit.hpp"

namespace headrace {
namespace {

// Longer records are read one by one, straight into the array.
constexpr std::size_t longest_blocked = std::size_t{32} << 10;
// So many records back are found by the markers behind them, more by the index.
constexpr std::uint64_t few_records = 1000;

// Delivers the data of a record piece by piece.
class record_bytes {
 public:
  record_bytes(record_walk& walk, const record_extent& record)
      : walk_(walk), begin_(record.begin), pieces_left_(record.pieces) {
    if (record.pieces != 1) return;
    pieces_left_ = 0;
    offset_ = record.offset;
    left_ = record.bytes;
  }

  status fill(char* data, std::size_t bytes) {
    while (bytes > 0) {
      if (left_ == 0) {
        if (status s = next_piece(); !s.ok()) return s;
        continue;
      }
      const auto block = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes));
      if (status s = get(data, block); !s.ok()) return s;
      data += block;
      bytes -= block;
    }
    return {};
  }

 private:
  status next_piece() {
    record_piece piece;
    if (pieces_left_ > 0 && !look_at_piece(walk_.window(), begin_, first_, walk_.dialect(), piece))
      return walk_.window().failure();
    // The markers were right when the record was passed.
    if (pieces_left_ == 0 || piece.fault != piece_fault::none)
      return record_file_shrank(walk_.file(), begin_);
    offset_ = piece.offset;
    left_ = piece.bytes;
    begin_ = piece.end;
    first_ = false;
    --pieces_left_;
    return {};
  }

  status get(char* data, std::size_t bytes) {
    if (walk_.window().at_hand(offset_) >= bytes) {
      std::memcpy(data, walk_.window().at(offset_), bytes);
    } else {
      std::size_t count = 0;
      if (status s = walk_.file().read_at(offset_, data, bytes, count); !s.ok()) return s;
      if (count < bytes) return record_file_shrank(walk_.file(), offset_ + count);
    }
    offset_ += bytes;
    left_ -= bytes;
    return {};
  }

  record_walk& walk_;
  std::uint64_t begin_;  // of the next piece
  std::uint64_t pieces_left_;
  bool first_ = true;
  std::uint64_t offset_ = 0;  // in the present piece
  std::uint64_t left_ = 0;
};

// array(:, ..., i), i from 0.
array_view element_of(const array_view& array, std::ptrdiff_t i) noexcept {
  array_view part = with_last_range(array, i, 1);
  --part.array_rank;
  return part;
}

}  // namespace

status record_reader::open(const std::string& file, const std::vector<record_dialect>& candidates) {
  file_ = file;
  if (status s = reader_.open_sized(
          file, "records are not read from a pipe or device: its bytes pass once only",
          "copy it to a file first");
      !s.ok())
    return named(std::move(s));
  record_dialect dialect = candidates.front();
  if (candidates.size() > 1)
    if (status s = choose_dialect(reader_, candidates, dialect); !s.ok())
      return named(std::move(s));
  walk_.emplace(reader_, dialect);
  scout_.emplace(reader_, dialect);
  index_.emplace(reader_, dialect);
  peeked_.reset();
  return {};
}

std::uint64_t record_reader::next_number() const noexcept {
  return peeked_ ? peeked_->number : walk_->number();
}

// Passes the next record, if it has not been passed yet.
bool record_reader::peek() {
  if (peeked_) return true;
  record_extent found;
  if (!walk_->next(found)) return false;
  peeked_ = found;
  return true;
}

// Why there is no next record.
status record_reader::no_next() const {
  if (!walk_->failure().ok()) return named(walk_->failure());
  return status::failure(stat_code::end_of_file, "there are no more records")
      .in_file(file_)
      .at_byte(walk_->begin());
}

status record_reader::next_bytes(std::uint64_t& bytes) {
  if (!peek()) return no_next();
  bytes = peeked_->bytes;
  return {};
}

status record_reader::mismatch(const record_extent& record, const array_view& array) const {
  const std::string elements = std::to_string(element_count(array).value_or(0)) + " elements of " +
                               bytes_text(array.elem_len);
  return status::failure(stat_code::record_size_mismatch,
                         "record " + std::to_string(record.number) + " does not fit the array")
      .expected(bytes_text(byte_count(array).value_or(0)) + " (" + elements + ")",
                bytes_text(record.bytes))
      .in_file(file_)
      .at_byte(record.begin)
      .advise("read it into an array of the size that next_record returns, or skip it");
}

// Into an array without gaps.
void record_reader::copy_in(const array_view& array, const char* data, std::size_t bytes) const {
  const std::size_t word = transfer_in_order(dialect().order, array).swapped_word;
  if (word > 1)
    swap_bytes(array.base, data, bytes / word, word);
  else if (bytes > 0)
    std::memcpy(array.base, data, bytes);
}

// The next record if it is one short piece that fits the array and is at hand, as most are.
// False when it is another, or damaged.
bool record_reader::read_at_hand(const array_view& array, std::size_t bytes) {
  if (peeked_ || dialect().segmented || bytes > longest_blocked || !is_contiguous(array))
    return false;
  const equal_records shape = equal_records_of(dialect(), bytes);
  record_window& window = walk_->window();
  const std::uint64_t begin = walk_->begin();
  if (window.at_hand(begin) < shape.stride() || count_equal(window.at(begin), 1, shape) == 0)
    return false;
  copy_in(array, window.at(begin) + shape.marker_bytes, bytes);
  window.count_looks(2);
  walk_->go_to(begin + shape.stride(), walk_->number() + 1);
  return true;
}

// A short record that is at hand, into an array without gaps. False when it is another.
bool record_reader::copy_short(const record_extent& record, const array_view& array) {
  const auto bytes = static_cast<std::size_t>(record.bytes);
  if (record.pieces != 1 || walk_->window().at_hand(record.offset) < bytes || !is_contiguous(array))
    return false;
  copy_in(array, walk_->window().at(record.offset), bytes);
  return true;
}

status record_reader::read_long(const record_extent& record, const array_view& array) {
  record_bytes source(*walk_, record);
  const transfer_settings settings = transfer_in_order(dialect().order, array);
  return named(transfer_in(
      array, settings, [&](char* data, std::size_t bytes) { return source.fill(data, bytes); }));
}

status record_reader::read(const array_view& array) {
  const std::size_t bytes = byte_count(array).value_or(0);
  if (read_at_hand(array, bytes)) return {};
  if (!peek()) return no_next();
  const record_extent record = *peeked_;
  if (record.bytes != bytes) return mismatch(record, array);
  if (!copy_short(record, array))
    if (status s = read_long(record, array); !s.ok()) return s;
  peeked_.reset();
  return {};
}

status record_reader::missing(std::uint64_t passed, std::uint64_t wanted) const {
  return status::failure(stat_code::record_missing,
                         "the file has fewer records than were asked for")
      .expected(std::to_string(wanted), std::to_string(passed))
      .in_file(file_)
      .advise("count_records tells how many the file has, and which comes next");
}

// That so many records of a size can still come, before any is read.
status record_reader::check_room(std::uint64_t records, std::uint64_t bytes) {
  const std::uint64_t overhead =
      dialect().segmented ? 4 : 2 * static_cast<std::uint64_t>(dialect().marker_bytes);
  const std::uint64_t begin = peeked_ ? peeked_->begin : walk_->begin();
  const std::uint64_t left = walk_->window().size() - begin;
  std::uint64_t wanted = 0;
  if (!__builtin_mul_overflow(records, bytes + overhead, &wanted) && wanted <= left) return {};
  record_walk ahead(reader_, dialect());
  ahead.go_to(begin, next_number());
  const std::uint64_t first = ahead.number();
  if (ahead.skip(records) || !ahead.failure().ok()) return {};  // reading tells what is wrong
  return status::failure(stat_code::end_of_file, "fewer records are left than were asked for")
      .expected(std::to_string(records), std::to_string(ahead.number() - first))
      .in_file(file_)
      .at_byte(walk_->window().size())
      .advise("read as many as are left: count_records tells");
}

// The records for array(:, ..., i), i from first on, from 0.
status record_reader::read_each(const array_view& array, std::ptrdiff_t first) {
  const std::ptrdiff_t end = array.extent[static_cast<std::size_t>(array.array_rank - 1)];
  for (std::ptrdiff_t i = first; i < end; ++i)
    if (status s = read(element_of(array, i)); !s.ok()) return s;
  return {};
}

status record_reader::read_many(const array_view& array) {
  if (array.array_rank == 0) return read(array);
  const std::ptrdiff_t records = array.extent[static_cast<std::size_t>(array.array_rank - 1)];
  if (records == 0) return {};
  if (!peek()) return no_next();
  const record_extent record = *peeked_;
  const std::size_t bytes = byte_count(array).value_or(0) / static_cast<std::size_t>(records);
  if (record.bytes != bytes) return mismatch(record, element_of(array, 0));
  if (status s = check_room(static_cast<std::uint64_t>(records), bytes); !s.ok()) return s;
  std::ptrdiff_t done = 0;
  if (record.pieces == 1 && !dialect().segmented && bytes <= longest_blocked) {
    const equal_records shape = equal_records_of(dialect(), bytes);
    done = static_cast<std::ptrdiff_t>(
        read_equal(reader_, record.begin, shape, array,
                   transfer_in_order(dialect().order, array).swapped_word));
    const auto passed = static_cast<std::uint64_t>(done);
    walk_->go_to(record.begin + passed * shape.stride(), record.number + passed);
    peeked_.reset();
  }
  status result = read_each(array, done);
  if (result.ok()) return {};
  walk_->go_to(record.begin, record.number);
  peeked_.reset();
  return result;
}

status record_reader::skip(std::int64_t records) {
  const std::uint64_t begin = peeked_ ? peeked_->begin : walk_->begin();
  const std::uint64_t number = next_number();
  if (records < 0) {
    const std::uint64_t back = 0 - static_cast<std::uint64_t>(records);
    if (back >= number) return missing(number - 1, back);
    return go_back(begin, number, back);
  }
  const auto forward = static_cast<std::uint64_t>(records);
  walk_->go_to(begin, number);
  peeked_.reset();
  if (walk_->skip(forward)) return {};
  status result =
      walk_->failure().ok() ? missing(walk_->number() - number, forward) : named(walk_->failure());
  walk_->go_to(begin, number);
  return result;
}

status record_reader::go_back(std::uint64_t begin, std::uint64_t number, std::uint64_t back) {
  peeked_.reset();
  walk_->go_to(begin, number);
  status result;
  if (dialect().segmented || back > few_records) {
    result = index_->go_to(static_cast<std::int64_t>(number - back), *walk_);
  } else {
    record_extent record;
    while (back > 0 && walk_->previous(record)) --back;
    if (back > 0)
      result = walk_->failure().ok() ? record_file_shrank(reader_, 0) : walk_->failure();
  }
  if (!result.ok()) walk_->go_to(begin, number);
  return named(std::move(result));
}

status record_reader::go_to(std::int64_t number) {
  const std::uint64_t begin = peeked_ ? peeked_->begin : walk_->begin();
  const std::uint64_t now = next_number();
  status result = index_->go_to(number, *walk_);
  peeked_.reset();
  if (!result.ok()) walk_->go_to(begin, now);
  return named(std::move(result));
}

status record_reader::count(std::uint64_t& records) {
  return named(index_->count(records));
}

status record_reader::locate(std::int64_t first, std::size_t capacity,
                             std::vector<record_part>& parts) {
  parts.clear();
  const auto number = static_cast<std::uint64_t>(std::max<std::int64_t>(first, 0));
  // Whoever asks in parts goes on behind the last record, or with it when it was cut.
  if (number > 0 && number == last_told_.number)
    scout_->go_to(last_told_.begin, number);
  else if (number == 0 || number != scout_->number())
    if (status s = index_->go_to(first, *scout_); !s.ok()) {
      scout_->go_to(0, 1);
      return named(std::move(s));
    }
  return locate_on(capacity, parts);
}

// From where the scout stands.
status record_reader::locate_on(std::size_t capacity, std::vector<record_part>& parts) {
  record_extent record;
  while (parts.size() < capacity) {
    if (!scout_->next(record)) break;
    last_told_ = record;
    std::uint64_t begin = record.begin;
    record_piece piece;
    for (std::uint64_t i = 0; i < record.pieces && parts.size() < capacity; ++i) {
      if (!look_at_piece(scout_->window(), begin, i == 0, dialect(), piece))
        return named(scout_->window().failure());
      if (piece.fault != piece_fault::none) return named(record_file_shrank(reader_, begin));
      parts.push_back({record.number, piece.offset, piece.bytes});
      begin = piece.end;
    }
  }
  // What was found before the damage is told first; the next call tells the damage.
  return parts.empty() ? named(scout_->failure()) : status();
}

}  // namespace headrace
