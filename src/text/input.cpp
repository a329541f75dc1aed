#include "input.hpp"

#include <algorithm>
#include <cstring>

#include "../core/compressed.hpp"
#include "../core/file_streams.hpp"
#include "bad_cells.hpp"
#include "kernels/parse_numbers.hpp"
#include "quotes.hpp"

namespace headrace {
namespace {

constexpr std::size_t most_block_bytes = std::size_t{512} << 10;
constexpr std::size_t least_block_bytes = std::size_t{16} << 10;
// Text of all threads. The fields of a text of one-digit numbers and their values take twelve times
// as much, usual ones twice.
constexpr std::size_t bytes_of_all = std::size_t{7} << 19;
// Of a file that is read at offsets the first lines are looked at before its blocks are read.
constexpr std::size_t first_look = std::size_t{4} << 10;
// Read behind a block, so that its last line is usually complete at once.
constexpr std::size_t tail_part = 16;
// If the first line fits into a block, no other is so many times longer: a number has at most so
// many more characters than a one-digit number.
constexpr std::size_t longest_in_blocks = 16;
constexpr std::size_t longest_cell = std::size_t{4} << 20;

const char* find_line_feed(const char* text, std::size_t bytes) noexcept {
  return static_cast<const char*>(std::memchr(text, '\n', bytes));
}

}  // namespace

status find_byte_order_mark(std::string_view beginning, const std::string& file,
                            std::size_t& mark) {
  const auto begins_with = [&](std::string_view bytes) {
    return beginning.substr(0, bytes.size()) == bytes;
  };
  if (begins_with("\xff\xfe") || begins_with("\xfe\xff"))
    return status::failure(stat_code::text_encoding, "the file is UTF-16")
        .expected("ASCII or UTF-8 text", "a UTF-16 byte order mark")
        .in_file(file)
        .advise("convert it: iconv -f UTF-16 -t UTF-8");
  mark = begins_with("\xef\xbb\xbf") ? 3 : 0;
  return {};
}

status open_text(const std::string& file, std::unique_ptr<byte_source>& source,
                 std::uint64_t& file_bytes) {
  auto plain = std::make_unique<file_source>();
  if (status s = plain->open(file); !s.ok()) return s;
  const compression kind = compression_of(file);
  file_bytes = kind == compression::none ? plain->reader().size().value_or(0) : 0;
  return open_decompressor(std::move(plain), kind, file, source);
}

status text_input::open(const std::string& file) {
  file_ = file;
  regular_ = is_regular_file(file);
  if (compression_of(file) == compression::none) {
    if (status s = reader_.open(file); !s.ok()) return s;
    if (reader_.size()) {
      size_ = *reader_.size();
      return check_encoding();
    }
  }
  std::uint64_t unknown = 0;
  if (status s = open_text(file, source_, unknown); !s.ok()) return s;
  return check_encoding();
}

void text_input::share_memory(int threads) noexcept {
  const std::size_t share = bytes_of_all / static_cast<std::size_t>(std::max(1, threads));
  block_bytes_ = std::clamp(share, least_block_bytes, most_block_bytes);
}

status text_input::check_encoding() {
  const char* text = nullptr;
  std::size_t bytes = 0;
  if (status s = peek(longest_byte_order_mark, text, bytes); !s.ok()) return s;
  std::size_t mark = 0;
  if (status s = find_byte_order_mark({text, bytes}, file_, mark); !s.ok()) return s;
  if (mark > 0) skip(mark);
  return {};
}

// Bytes of a line that is not the first.
std::size_t text_input::longest_whole_line() const noexcept {
  return regular_ ? longest_in_blocks * block_bytes_ : longest_line;
}

// A hole that a killed program left, or the content of another format, may have no line feed
// either.
status text_input::without_end(std::string_view text, std::uint64_t offset, status too_long) const {
  const std::size_t null = text.find('\0');
  if (null == std::string_view::npos) return std::move(too_long).in_file(file_);
  status failure = bad_row(row_trouble::null_byte).in_file(file_);
  return source_ != nullptr ? failure : std::move(failure).at_byte(offset + null);
}

status text_input::line_too_long(std::string_view text, std::uint64_t offset) const {
  return without_end(
      text, offset,
      status::failure(stat_code::line_too_long, "a line is too long")
          .expected(regular_ ? "lines of the length of the first" : "lines of at most 1 GiB",
                    "no line feed in " + std::to_string(longest_whole_line()) + " bytes")
          .advise("check that it is a text file"));
}

status text_input::cell_too_long(std::string_view text) const {
  return without_end(
      text, start_,
      status::failure(stat_code::line_too_long, "a cell is too long")
          .expected("a delimiter or a line feed", "none in " + bytes_text(text.size()))
          .advise("check the delimiter= and that it is a text file"));
}

// Bytes of held_ that were left out already.
std::size_t text_input::held_start() const noexcept {
  return static_cast<std::size_t>(std::min<std::uint64_t>(held_bytes_, start_ - held_begin_));
}

// Forgets what was left out, so that many lines to skip need no memory.
void text_input::drop_skipped() noexcept {
  const std::size_t skipped = held_start();
  if (skipped < block_bytes_) return;
  char* const text = held_.data() + parse_padding;
  std::memmove(text, text + skipped, held_bytes_ - skipped);
  held_bytes_ -= skipped;
  searched_ = 0;
  if (source_ != nullptr)
    start_ -= skipped;
  else
    held_begin_ += skipped;
}

// Until held_ has wanted bytes and a complete line from start_ on, or everything; if the line need
// not be whole, a block of it.
status text_input::fill(std::size_t wanted, bool whole_line) {
  drop_skipped();
  while (!at_end_) {
    const std::size_t begin = held_start();
    const std::size_t have = held_bytes_ - begin;
    searched_ = std::max(searched_, begin);  // no line feed before it
    const char* const text = held_.data() + parse_padding;
    if (have > 0) {
      const char* const found = find_line_feed(text + searched_, held_bytes_ - searched_);
      searched_ = found == nullptr ? held_bytes_ : static_cast<std::size_t>(found - text);
      if (found != nullptr ? have >= wanted : !whole_line && have >= block_bytes_) return {};
    }
    if (have > longest_whole_line() && whole_line)
      return line_too_long({text + begin, have}, start_);
    if (status s = read_more(); !s.ok()) return s;
  }
  return {};
}

// To held_; count 0 is the end.
status text_input::read_more() {
  const bool looks = source_ == nullptr && !cuts_lines_ && held_bytes_ < block_bytes_;
  const std::size_t more = looks ? std::min(std::max(first_look, held_bytes_), block_bytes_)
                                 : std::max(block_bytes_, held_bytes_ / 2);
  held_.reserve(held_bytes_ + more + 2 * parse_padding + 1, held_bytes_ + parse_padding);
  char* const free_space = held_.data() + parse_padding + held_bytes_;
  std::size_t count = 0;
  status read = source_ != nullptr
                    ? source_->read(free_space, more, count)
                    : reader_.read_at(held_begin_ + held_bytes_, free_space, more, count);
  held_bytes_ += count;
  at_end_ = read.ok() && count == 0;
  return read;
}

status text_input::peek(std::size_t wanted, const char*& text, std::size_t& bytes) {
  if (status s = fill(wanted, !regular_); !s.ok()) return s;
  text = held_.data() == nullptr ? "" : held_.data() + parse_padding + held_start();
  bytes = held_bytes_ - held_start();
  return {};
}

status text_input::take_line(std::string& line, bool& found) {
  line.clear();
  found = false;
  for (bool ended = false; !ended;) {
    const char* text = nullptr;
    std::size_t bytes = 0;
    if (status s = peek(1, text, bytes); !s.ok()) return s;
    if (bytes == 0) return {};
    const auto* const end = static_cast<const char*>(std::memchr(text, '\n', bytes));
    const std::size_t length = end == nullptr ? bytes : static_cast<std::size_t>(end - text);
    if (!found) line.assign(text, length);
    found = true;
    ended = end != nullptr;
    skip(std::min(bytes, length + 1));
  }
  return {};
}

status text_input::next(text_block& block, bool& found) {
  return source_ != nullptr || cuts_lines_ ? next_in_order(block, found)
                                           : next_at_offset(block, found);
}

// Lines that begin in bytes [index, index + 1) * block_bytes_ after start_.
status text_input::next_at_offset(text_block& block, bool& found) {
  {
    const std::lock_guard<std::mutex> lock(guard_);
    block.index = next_index_;
    found = start_ + block.index * block_bytes_ < size_;
    if (!found) return {};
    ++next_index_;
  }
  const std::uint64_t begin = start_ + block.index * block_bytes_;
  const std::uint64_t end = std::min(size_, begin + block_bytes_);
  const std::size_t lead = block.index == 0 ? 0 : 1;  // does the line before end there?
  std::size_t wanted =
      static_cast<std::size_t>(std::min(size_, end + block_bytes_ / tail_part) - begin) + lead;
  std::size_t have = 0;
  const auto last_before_end = static_cast<std::size_t>(end - begin) + lead - 1;
  block.bytes = 0;
  for (;;) {
    block.memory.reserve(wanted + 2 * parse_padding + 1, have + parse_padding);
    char* const text = block.memory.data() + parse_padding;
    std::size_t count = 0;
    if (status s = reader_.read_at(begin - lead + have, text + have, wanted - have, count); !s.ok())
      return s;
    if (count < wanted - have) return shrunk();
    have = wanted;
    const char* const first = lead == 0 ? text : find_line_feed(text, last_before_end + 1);
    if (first == nullptr) return {};  // one long line, which an earlier block has
    const char* stop = find_line_feed(text + last_before_end, have - last_before_end);
    const bool file_ends = begin - lead + have == size_;
    if (stop == nullptr && !file_ends) {
      if (have > longest_whole_line()) return line_too_long({text, have}, begin - lead);
      wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size_ - (begin - lead), have * 2));
      continue;
    }
    if (stop == nullptr) text[have] = '\n', stop = text + have;
    block.text = text + (first - text) + lead;
    block.bytes = static_cast<std::size_t>(stop + 1 - block.text);
    if (stop < block.text) block.bytes = 0;  // the line feed ends the line before
    return {};
  }
}

// Where a piece of a line may end: behind a delimiter that something else than blanks follows, so
// that the rest of the line has cells. 0: nowhere.
std::size_t text_input::find_cut(const char* text, std::size_t bytes) const noexcept {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  const auto ends_cell = [&](char c) {
    return c == delimiter_ || (delimiter_ == ' ' && c == '\t');
  };
  std::size_t cut = bytes;
  while (cut > 0 && is_blank(text[cut - 1])) --cut;  // the last byte that counts is before cut
  if (cut > 0) --cut;
  while (cut > 0 && !ends_cell(text[cut - 1])) --cut;
  return cut;
}

// How many bytes of held_ are whole lines or, if there is none, a piece of a line.
status text_input::take_piece(std::size_t& bytes) {
  for (;;) {
    const std::size_t have = held_bytes_ - held_start();
    char* const text = held_.data() + parse_padding + held_start();
    bytes = have;
    if (at_end_ && text[have - 1] != '\n') text[bytes++] = '\n';
    const auto* const last = static_cast<const char*>(::memrchr(text, '\n', bytes));
    if (last != nullptr) {
      bytes = static_cast<std::size_t>(last - text) + 1;
      in_line_ = false;
      state_ = line_state::plain;
      return {};
    }
    bytes = state_ == line_state::comment ? have : find_cut(text, have);
    if (bytes > 0) {
      in_line_ = true;
      state_ = state_behind({text, bytes}, {delimiter_, comment_}, state_);
      text[bytes - 1] = '\n';
      return {};
    }
    if (have > longest_cell) return cell_too_long({text, have});
    if (status s = read_more(); !s.ok()) return s;
  }
}

status text_input::next_in_order(text_block& block, bool& found) {
  const std::lock_guard<std::mutex> lock(guard_);
  block.index = next_index_;  // also where a failure stands
  if (status s = fill(block_bytes_, !cuts_lines_); !s.ok()) return s;
  const std::size_t have = held_bytes_ - held_start();
  found = have > 0;
  if (!found) return {};
  ++next_index_;
  block.continues = in_line_;
  block.begin = state_;
  std::size_t bytes = 0;
  if (status s = take_piece(bytes); !s.ok()) return s;
  block.unfinished = in_line_;
  // The block takes the memory; what follows its last line moves to the other.
  char* const text = held_.data() + parse_padding + held_start();
  const std::size_t left = held_bytes_ - held_start();
  const std::size_t rest = left - std::min(left, bytes);
  const std::size_t taken = held_bytes_ - rest;
  std::swap(block.memory, held_);
  held_.reserve(rest + block_bytes_ + 2 * parse_padding + 1);
  std::memcpy(held_.data() + parse_padding, text + bytes, rest);
  block.text = text;
  block.bytes = bytes;
  given_bytes_ += bytes;
  held_bytes_ = rest;
  held_begin_ = source_ != nullptr ? 0 : held_begin_ + taken;
  start_ = held_begin_;
  searched_ = 0;
  return {};
}

status text_input::shrunk() const {
  status changed = reader_.check_unchanged();
  if (!changed.ok()) return changed;
  return status::failure(stat_code::end_of_file, "the file ends too early").in_file(file_);
}

status text_input::check_unchanged() const {
  return source_ != nullptr ? status() : reader_.check_unchanged();
}

std::uint64_t text_input::blocks_left() const noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  if (source_ != nullptr) return UINT64_MAX;
  const std::uint64_t given = cuts_lines_ ? 0 : next_index_ * block_bytes_;
  const std::uint64_t done = std::min(size_, start_ + given);
  return (size_ - done + block_bytes_ - 1) / block_bytes_;
}

std::uint64_t text_input::taken() const noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  if (source_ != nullptr || cuts_lines_) return given_bytes_;
  return std::min(size_, start_ + next_index_ * block_bytes_);
}

}  // namespace headrace
