#include "source.hpp"

#include <algorithm>
#include <cstring>

#include "../text/input.hpp"

namespace headrace {
namespace {

// With the padding on both sides a block of the usual size is a whole number of huge pages.
constexpr std::size_t usual_capacity = usual_block_text - 256;

constexpr std::size_t smallest_read = 4096;

}  // namespace

status read_text_file(const std::string& file, std::string& text) {
  std::unique_ptr<byte_source> source;
  std::uint64_t file_bytes = 0;
  if (status s = open_text(file, source, file_bytes); !s.ok()) return s;
  text.clear();
  text.reserve(file_bytes + 1);
  std::size_t used = 0;
  for (std::size_t count = 1; count > 0; used += count) {
    text.resize(std::max(used + smallest_read, text.capacity()));
    if (status s = source->read(&text[used], text.size() - used, count); !s.ok()) return s;
  }
  text.resize(used);
  return {};
}

status row_source::open(const std::string& file, const row_rule& rule) {
  file_ = file;
  rule_ = rule;
  return open_text(file, source_, file_bytes_);
}

std::optional<std::size_t> row_source::blocks() const noexcept {
  if (file_bytes_ == 0) return {};
  return file_bytes_ / (usual_block_text / 2) + 1;
}

// Reads until the memory is full or the file ends.
status row_source::fill(cell_memory& text, std::size_t& bytes) {
  // One byte stays free for the row separator of the last row (more are made if it is longer).
  while (!at_end_ && bytes + 1 < text.capacity()) {
    std::size_t count = 0;
    if (status s = source_->read(text.data() + bytes, text.capacity() - 1 - bytes, count); !s.ok())
      return s;
    at_end_ = count == 0;
    bytes += count;
  }
  return {};
}

status row_source::begin_text(cell_memory& text, std::size_t& bytes) {
  at_start_ = false;
  if (rule_.raw) return {};
  std::size_t mark = 0;
  if (status s = find_byte_order_mark({text.data(), bytes}, file_, mark); !s.ok()) return s;
  bytes -= mark;
  std::memmove(text.data(), text.data() + mark, bytes);
  return {};
}

// Makes the text longer until it has a complete row.
status row_source::complete(cell_memory& text, std::size_t& bytes, std::size_t& rows) {
  while (true) {
    if (at_end_) {
      // What the last row lacks of its separator.
      const std::string& separator = rule_.row_separator;
      const std::string_view all(text.data(), bytes);
      const bool whole =
          bytes >= separator.size() && all.substr(bytes - separator.size()) == separator;
      rows = complete_rows(text.data(), bytes, rule_);
      // A quote that stays open is told when the cells are looked at.
      if (rows == bytes || whole) return rows = bytes, status();
      if (bytes + separator.size() > text.capacity()) text.grow(bytes + separator.size(), bytes);
      std::memcpy(text.data() + bytes, separator.data(), separator.size());
      rows = bytes += separator.size();
      return {};
    }
    rows = complete_rows(text.data(), bytes, rule_);
    if (rows > 0) return {};
    if (text.capacity() > largest_block_text) return bad_row(row_trouble::too_long).in_file(file_);
    text.grow(2 * text.capacity(), bytes);
    if (status s = fill(text, bytes); !s.ok()) return s;
  }
}

status row_source::next(cell_block& block, bool keeps) {
  block.bytes = 0;
  if (at_end_ && rest_.empty()) return {};
  std::size_t capacity = std::max(usual_capacity, 2 * rest_.size());
  if (at_start_ && file_bytes_ > 0) capacity = std::min(capacity, file_bytes_ + 64);
  if (!keeps || block.text.capacity() < capacity) block.text.allocate(capacity);
  std::size_t bytes = rest_.size();
  if (bytes > 0) std::memcpy(block.text.data(), rest_.data(), bytes);
  rest_.clear();
  if (status s = fill(block.text, bytes); !s.ok()) return s;
  if (at_start_)
    if (status s = begin_text(block.text, bytes); !s.ok()) return s;
  if (bytes == 0) return {};
  std::size_t rows = 0;
  if (status s = complete(block.text, bytes, rows); !s.ok()) return s;
  rest_.assign(block.text.data() + rows, bytes - rows);
  block.bytes = rows;
  if (!keeps && rows < block.text.capacity() - block.text.capacity() / 8) block.text.shrink(rows);
  return {};
}

}  // namespace headrace
