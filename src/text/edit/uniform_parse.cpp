// Reads numbers through formats whose records are all the same: takes the format apart, walks over
// records. ../kernels/parse_columns.hpp reads blocks of fields, edit_read_fields.hpp the fields
// that do not look as they are usually written.
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "../../core/array_view.hpp"
#include "../kernels/number_types.hpp"
#include "../kernels/parse_columns.hpp"
#include "edit_format.hpp"
#include "edit_read_fields.hpp"
#include "edit_write_cursor.hpp"
#include "edit_write_modes.hpp"
#include "uniform_rows.hpp"

namespace headrace {
namespace {

// ---- where the fields of a record stand, when all records of a format are the same ----

struct column {
  std::uint32_t begin = 0;  // offset in the record
  std::uint32_t width = 0;
  int digits = 0;  // behind a decimal point that is not written
  int scale = 0;
  char decimal = '.';
  bool is_hexadecimal = false;
  bool strict_decimal = false;  // with a decimal comma a point is none

  bool operator==(const column& other) const noexcept {
    return begin == other.begin && width == other.width && digits == other.digits &&
           scale == other.scale && decimal == other.decimal &&
           is_hexadecimal == other.is_hexadecimal && strict_decimal == other.strict_decimal;
  }
};

constexpr std::size_t most_columns = std::size_t{1} << 20;
constexpr std::size_t longest_record = std::size_t{1} << 30;

class column_planner {
 public:
  column_planner(const edit_format& format, type_class type, edit_modes modes,
                 std::vector<column>& columns)
      : format_(format),
        type_(type),
        strict_decimal_(format.dialect.has(edit_feature::strict_decimal)),
        modes_(modes),
        columns_(columns) {}

  bool walk() {
    return walk_once(format_, [this](const edit_item& item) { return take(item); }) &&
           !columns_.empty();
  }
  edit_modes modes() const noexcept { return modes_; }

 private:
  bool take(const edit_item& item) {
    const auto distance = static_cast<std::size_t>(std::max(item.value, 0));
    switch (item.kind) {
      case edit_kind::skip:
      case edit_kind::tab_right:
        place_ += distance;
        return place_ < longest_record;
      case edit_kind::colon:
        return true;
      case edit_kind::rounding:
        return false;
      case edit_kind::blank:
        return item.value == 'n';
      default:
        return modes_.set(item) || (takes(item) && take_data(item));
    }
  }

  bool takes(const edit_item& item) const noexcept {
    const bool has_kernel = item.kind == edit_kind::integer ||
                            item.kind == edit_kind::hexadecimal || is_real_kind(item.kind);
    if (!has_kernel || !takes_type(item.kind, type_)) return false;
    if (item.kind == edit_kind::general) return type_ == type_class::real && item.digits != absent;
    return type_ == type_class::integer || type_ == type_class::real;
  }

  bool take_data(const edit_item& item) {
    if (item.width < 1 || columns_.size() == most_columns) return false;
    column next;
    next.begin = static_cast<std::uint32_t>(place_);
    next.width = static_cast<std::uint32_t>(item.width);
    next.digits = std::max(item.digits, 0);
    next.scale = modes_.scale;
    next.decimal = modes_.decimal;
    next.strict_decimal = strict_decimal_ && modes_.decimal == ',';
    next.is_hexadecimal = item.kind == edit_kind::hexadecimal;
    columns_.push_back(next);
    place_ += next.width;
    return place_ < longest_record;
  }

  const edit_format& format_;
  type_class type_;
  bool strict_decimal_;
  edit_modes modes_;
  std::vector<column>& columns_;
  std::size_t place_ = 0;
};

// False when the records of the format are not all the same, or when a descriptor has no fast
// kernel for the type.
bool plan_columns(const edit_format& format, type_class type, std::vector<column>& columns) {
  // Format control goes on at the last group; only the whole format again makes equal records.
  if (format.reversion != 0) return false;
  columns.clear();
  column_planner first(format, type, {}, columns);
  if (!first.walk()) return false;
  // The modes hold on into the next record.
  std::vector<column> next;
  column_planner second(format, type, first.modes(), next);
  if (!second.walk() || !(next == columns)) return false;
  const column& model = columns.front();
  return std::all_of(columns.begin(), columns.end(), [&model](const column& each) {
    return each.is_hexadecimal == model.is_hexadecimal && each.decimal == model.decimal;
  });
}

// ---- whether a text consists of such records ----

constexpr std::size_t block_fields = layout_fields;

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
    const std::size_t records = (n + values - 1) / values;
    // The kernels take a point for a decimal symbol, too.
    if (columns().front().strict_decimal && std::memchr(text, '.', records * bytes) != nullptr)
      return 0;
    const std::size_t good = std::min(n, good_records(text, records) * values);
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
    modes.strict_decimal = field.strict_decimal;
    try {
      std::string memory;
      return read_real_field(text, field.digits, modes, memory, value) == field_state::good;
    } catch (const std::exception&) {  // out of memory: the general reader says so
      return false;
    }
  }
};

}  // namespace

std::unique_ptr<row_parser> make_row_parser(const edit_format& format, type_class type,
                                            std::size_t elem_len) {
  std::vector<column> columns;
  if (!plan_columns(format, type, columns)) return nullptr;
  // A block of fields lies within 2^32 bytes.
  const column& last = columns.back();
  const std::size_t record = std::size_t{last.begin} + last.width + 1;
  if (record * (block_fields / columns.size() + 2) >= std::size_t{1} << 32) return nullptr;
  const bool known = elem_len == 4 || elem_len == 8 ||
                     (type != type_class::real && (elem_len == 1 || elem_len == 2));
  if (!known) return nullptr;
  return with_number(type, elem_len, [&](auto number) -> std::unique_ptr<row_parser> {
    return std::make_unique<typed_parser<decltype(number)>>(std::move(columns));
  });
}

}  // namespace headrace
