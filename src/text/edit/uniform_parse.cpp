// Reads numbers through formats whose records are all the same. uniform_parse_plan.hpp takes the
// format apart, ../kernels/parse_columns.hpp reads blocks of fields, edit_read_fields.hpp the
// fields that do not look as they are usually written.
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include "../kernels/parse_columns.hpp"
#include "edit_read_fields.hpp"
#include "uniform_parse_plan.hpp"
#include "uniform_rows.hpp"

namespace headrace {
namespace {

constexpr std::size_t block_fields = 64;

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

template <class Value>
class typed_parser final : public column_parser {
 public:
  using column_parser::column_parser;

  std::size_t parse(const char* text, std::size_t n,
                    void* contiguous_values) const noexcept override {
    if (reinterpret_cast<std::uintptr_t>(contiguous_values) % alignof(Value) != 0) return 0;
    auto* const out = static_cast<Value*>(contiguous_values);
    known_layout known;
    const std::size_t part = values_together();
    for (std::size_t done = 0; done < n; done += part) {
      const char* const records = text + done / values * bytes;
      const std::size_t wanted = std::min(part, n - done);
      const std::size_t read = parse_part(records, wanted, known, out + done);
      if (read < wanted) return done + read;
    }
    return n;
  }

 private:
  // n values of full records, checked before they are read.
  std::size_t parse_part(const char* text, std::size_t n, known_layout& known,
                         Value* out) const noexcept {
    const std::size_t good = std::min(n, good_records(text, (n + values - 1) / values) * values);
    block_walker walker(text, bytes, tables());
    for (std::size_t done = 0; done < good; done += block_fields, walker.pass_over_block()) {
      column_block block = walker.block(std::min(block_fields, good - done));
      block.decimal = columns().front().decimal;
      block.needs_exponent = needs_exponent();
      const std::uint64_t unclear = parse_block(block, known, out + done);
      const std::size_t read = read_unclear(block, walker, unclear, out + done);
      if (read < block.n) return done + read;
    }
    return good;
  }

  std::uint64_t parse_block(const column_block& block, known_layout& known,
                            Value* out) const noexcept {
    if (columns().front().is_hexadecimal)
      return parse_hexadecimal_columns(block, sizeof(Value), out);
    if constexpr (std::is_floating_point_v<Value>)
      if (are_alike()) return parse_columns_alike(block, known, out);
    return parse_columns(block, out);
  }

  // One by one; returns how many fields of the block are good.
  std::size_t read_unclear(const column_block& block, const block_walker& walker,
                           std::uint64_t unclear, Value* out) const noexcept {
    for (; unclear != 0; unclear &= unclear - 1) {
      const auto i = static_cast<std::size_t>(__builtin_ctzll(unclear));
      const column& field = columns()[walker.column_of(i)];
      const std::string_view text(block.text + block.ends[i] - field.width, field.width);
      if (!read_one(text, field, out[i])) return i;
    }
    return block.n;
  }

  static bool read_one(std::string_view text, const column& field, Value& value) noexcept {
    if (text.find('\n') != std::string_view::npos) return false;  // the record is shorter
    if (field.is_hexadecimal)
      return read_radix_field(text, false, 4, sizeof value, &value) == field_state::good;
    if constexpr (std::is_integral_v<Value>)
      return read_integer_field(text, false, sizeof value, &value) == field_state::good;
    else
      return read_real(text, field, value);
  }

  template <class Real>
  static bool read_real(std::string_view text, const column& field, Real& value) noexcept {
    read_modes modes;
    modes.scale = field.scale;
    modes.decimal = field.decimal;
    try {
      std::string memory;
      return read_real_field(text, field.digits, modes, memory, value) == field_state::good;
    } catch (const std::exception&) {  // out of memory: the general reader says so
      return false;
    }
  }
};

template <class Value>
std::unique_ptr<row_parser> make(std::vector<column> columns) {
  return std::make_unique<typed_parser<Value>>(std::move(columns));
}

}  // namespace

std::unique_ptr<row_parser> make_row_parser(const edit_format& format, type_class type,
                                            std::size_t elem_len) {
  std::vector<column> columns;
  if (!plan_columns(format, type, columns)) return nullptr;
  // A block of fields lies within 2^32 bytes.
  const column& last = columns.back();
  const std::size_t record = std::size_t{last.begin} + last.width + 1;
  if (record * (block_fields / columns.size() + 2) >= std::size_t{1} << 32) return nullptr;
  if (type == type_class::real)
    return elem_len == 8   ? make<double>(std::move(columns))
           : elem_len == 4 ? make<float>(std::move(columns))
                           : nullptr;
  switch (elem_len) {
    case 1:
      return make<std::int8_t>(std::move(columns));
    case 2:
      return make<std::int16_t>(std::move(columns));
    case 4:
      return make<std::int32_t>(std::move(columns));
    case 8:
      return make<std::int64_t>(std::move(columns));
    default:
      return nullptr;
  }
}

}  // namespace headrace
