// Reads numbers through formats whose records are all the same. uniform_parse_plan.hpp takes the
// format apart, ../kernels/parse_numbers_tiers.hpp reads blocks of fields, edit_read_fields.hpp the
// fields that do not look as they are usually written.
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include "../kernels/parse_numbers_tiers.hpp"
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

  // Records from the first that are complete.
  std::size_t good_records(const char* text, std::size_t records) const noexcept {
    std::size_t good = 0;
    while (good < records && is_record(text + good * bytes)) ++good;
    return good;
  }

  const std::vector<column>& columns() const noexcept { return columns_; }
  bool needs_exponent() const noexcept { return needs_exponent_; }

 private:
  std::vector<column> columns_;
  std::vector<gap> gaps_;
  std::vector<std::size_t> lone_bytes_;  // of short gaps
  bool needs_exponent_ = false;
};

// Walks over the fields of records, a block at a time.
class block_walker {
 public:
  block_walker(const char* text, std::size_t record_bytes, const std::vector<column>& columns)
      : record_(text), record_bytes_(record_bytes), columns_(columns) {}

  // The next n fields; text is where their offsets count from.
  const char* next(std::size_t n) noexcept {
    const char* const text = record_;
    std::uint32_t offset = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const column& field = columns_[column_];
      ends[i] = offset + field.begin + field.width;
      widths[i] = field.width;
      numbers[i] = static_cast<std::uint32_t>(column_);
      if (++column_ == columns_.size()) {
        column_ = 0;
        record_ += record_bytes_;
        offset += static_cast<std::uint32_t>(record_bytes_);
      }
    }
    return text;
  }

  std::uint32_t ends[block_fields];
  std::uint32_t widths[block_fields];
  std::uint32_t numbers[block_fields];  // which column

 private:
  const char* record_;
  std::size_t record_bytes_;
  const std::vector<column>& columns_;
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
    const std::size_t good = std::min(n, good_records(text, (n + values - 1) / values) * values);
    block_walker walker(text, bytes, columns());
    for (std::size_t done = 0; done < good; done += block_fields) {
      const std::size_t count = std::min(block_fields, good - done);
      const char* const begin = walker.next(count);
      const column_block block{
          begin, walker.ends, walker.widths, count, columns().front().decimal, needs_exponent()};
      const std::uint64_t unclear = parse_block(block, out + done);
      const std::size_t read = read_unclear(block, walker, unclear, out + done);
      if (read < count) return done + read;
    }
    return good;
  }

 private:
  std::uint64_t parse_block(const column_block& block, Value* out) const noexcept {
    if (columns().front().is_hexadecimal)
      return parse_hexadecimal_columns(block, sizeof(Value), out);
    return parse_columns(block, out);
  }

  // One by one; returns how many fields of the block are good.
  std::size_t read_unclear(const column_block& block, const block_walker& walker,
                           std::uint64_t unclear, Value* out) const noexcept {
    for (; unclear != 0; unclear &= unclear - 1) {
      const auto i = static_cast<std::size_t>(__builtin_ctzll(unclear));
      const column& field = columns()[walker.numbers[i]];
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
