// Records that are all the same: where their fields stand, and whether a text consists of them.
// Next: uniform_parse_plan.hpp takes the format apart.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "../kernels/parse_columns.hpp"
#include "uniform_parse_plan.hpp"
#include "uniform_rows.hpp"

namespace headrace {

inline constexpr std::size_t block_fields = layout_fields;

// Bytes of a record that no field reads.
struct gap {
  std::size_t begin;
  std::size_t bytes;
};

// The fields of the columns and of block_fields more, in the records that follow.
struct column_tables {
  std::size_t columns = 0;
  std::vector<std::uint32_t> ends;  // from the beginning of the first record
  std::vector<std::uint32_t> widths;

  column_tables() = default;
  column_tables(const std::vector<column>& list, std::size_t record_bytes) : columns(list.size()) {
    for (std::size_t i = 0; i < columns + block_fields; ++i) {
      const column& each = list[i % columns];
      ends.push_back(
          static_cast<std::uint32_t>(i / columns * record_bytes + each.begin + each.width));
      widths.push_back(each.width);
    }
  }
};

// What all types share: records and where their fields stand.
class column_parser : public row_parser {
 public:
  explicit column_parser(std::vector<column> columns) : columns_(std::move(columns)) {
    values = columns_.size();
    constexpr std::size_t few = 8;  // not worth a search
    std::size_t end = 0;
    for (const column& each : columns_) {
      if (each.begin > end + few) gaps_.push_back({end, each.begin - end});
      if (each.begin <= end + few)
        for (; end < each.begin; ++end) lone_bytes_.push_back(end);
      end = each.begin + each.width;
      needs_exponent_ = needs_exponent_ || each.scale != 0;
    }
    bytes = end + 1;
    tables_ = column_tables(columns_, bytes);
    are_alike_ = std::all_of(columns_.begin(), columns_.end(), [this](const column& each) {
      return each.width == columns_.front().width;
    });
  }

 protected:
  // The record ends with its line feed and has none in a gap: those in fields are no digits.
  bool is_record(const char* text) const noexcept {
    bool good = text[bytes - 1] == '\n';
    for (const std::size_t place : lone_bytes_) good &= text[place] != '\n';
    if (!good) return false;
    for (const gap& each : gaps_)
      if (std::memchr(text + each.begin, '\n', each.bytes) != nullptr) return false;
    return true;
  }

  // All end with a line feed, and have no other: the quick answer, which may be false for records
  // that have line feeds in fields.
  bool are_records(const char* text, std::size_t records) const noexcept {
    const char* const end = text + records * bytes;
    bool good = true;
    for (const char* p = text; p < end; p += bytes) good &= p[bytes - 1] == '\n';
    const bool has_gaps = !gaps_.empty() || !lone_bytes_.empty();
    return good && (!has_gaps || has_line_feeds(text, records * bytes, records));
  }

  // Records from the first that are complete.
  std::size_t good_records(const char* text, std::size_t records) const noexcept {
    if (are_records(text, records)) return records;
    std::size_t good = 0;
    while (good < records && is_record(text + good * bytes)) ++good;
    return good;
  }

  // Values of records that are checked and read together: they stay in the cache, and fill blocks.
  std::size_t values_together() const noexcept {
    constexpr std::size_t cached = std::size_t{16} << 10;
    return values * block_fields * std::max<std::size_t>(1, cached / (bytes * block_fields));
  }

  const std::vector<column>& columns() const noexcept { return columns_; }
  const column_tables& tables() const noexcept { return tables_; }
  bool needs_exponent() const noexcept { return needs_exponent_; }
  bool are_alike() const noexcept { return are_alike_; }  // equally wide

 private:
  std::vector<column> columns_;
  std::vector<gap> gaps_;
  std::vector<std::size_t> lone_bytes_;  // of short gaps
  column_tables tables_;
  bool needs_exponent_ = false;
  bool are_alike_ = false;
};

// Walks over the fields of records, a block at a time. Where fields end and how wide they are, is
// known for all the columns and the block_fields after them, whichever column a block begins with.
class block_walker {
 public:
  block_walker(const char* text, std::size_t record_bytes, const column_tables& tables)
      : record_(text),
        record_bytes_(record_bytes),
        records_of_block_(block_fields / tables.columns * record_bytes),
        columns_of_block_(block_fields % tables.columns),
        tables_(tables) {}

  // The next n <= block_fields fields.
  column_block block(std::size_t n) const noexcept {
    column_block result{};
    result.text = record_;
    result.ends = tables_.ends.data() + column_;
    result.widths = tables_.widths.data() + column_;
    result.n = n;
    return result;
  }
  // Of field i of the block.
  std::size_t column_of(std::size_t i) const noexcept { return (column_ + i) % tables_.columns; }

  void pass_over_block() noexcept {
    column_ += columns_of_block_;
    record_ += records_of_block_;
    if (column_ < tables_.columns) return;
    column_ -= tables_.columns;
    record_ += record_bytes_;
  }

 private:
  const char* record_;
  std::size_t record_bytes_;
  std::size_t records_of_block_;  // a block is so many bytes of whole records
  std::size_t columns_of_block_;  // and so many columns
  const column_tables& tables_;
  std::size_t column_ = 0;
};

}  // namespace headrace
