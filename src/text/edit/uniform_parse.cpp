// Reads numbers through formats whose records are all the same. uniform_parse_records.hpp
// walks over records, ../kernels/parse_columns.hpp reads blocks of fields, edit_read_fields.hpp the
// fields that do not look as they are usually written.
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include "../kernels/number_types.hpp"
#include "../kernels/parse_columns.hpp"
#include "edit_read_fields.hpp"
#include "uniform_parse_records.hpp"

namespace headrace {
namespace {

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
