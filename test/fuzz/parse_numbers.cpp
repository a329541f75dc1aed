// Numbers in fields: every tier against the conversion of one field, and that against
// std::from_chars.
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "padded_text.hpp"
#include "targets.hpp"
#include "text/kernels/parse_one.hpp"

namespace headrace::fuzz {
namespace {

struct fields_of_text {
  padded_text text;
  std::vector<std::uint32_t> ends{~std::uint32_t{0}};

  fields_of_text(std::string_view bytes, char filler) : text(bytes, filler) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
      if (bytes[i] == ';' || bytes[i] == '\n') ends.push_back(static_cast<std::uint32_t>(i));
  }
  std::size_t count() const { return ends.size() - 1; }
  const char* begin(std::size_t i) const { return text.data() + std::uint32_t(ends[i] + 1); }
  const char* end(std::size_t i) const { return text.data() + ends[i + 1]; }
};

std::string shown(const fields_of_text& fields, std::size_t i) {
  return "field " + std::to_string(i) + " \"" + std::string(fields.begin(i), fields.end(i)) + '"';
}

template <class Value>
field_state parse_one(const char* begin, const char* end, number_style style, Value& value) {
  if constexpr (std::is_floating_point_v<Value>)
    return parse_real(begin, end, style, value);
  else
    return parse_integer(begin, end, sizeof value, &value);
}

template <class Value>
bool same_bits(const Value& a, const Value& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// If from_chars takes the whole field, parse_one must give the same.
template <class Value>
void check_with_standard_library(const fields_of_text& fields, std::size_t i) {
  Value expected{};
  const auto found = std::from_chars(fields.begin(i), fields.end(i), expected);
  const char* const first =
      fields.begin(i) + (fields.begin(i) != fields.end(i) && *fields.begin(i) == '-');
  const bool is_number =
      first != fields.end(i) && (*first == '.' || (*first >= '0' && *first <= '9'));
  if (found.ptr != fields.end(i) || !is_number) return;
  Value value{};
  const field_state state = parse_one(fields.begin(i), fields.end(i), '.', value);
  if (found.ec == std::errc()) {
    require(state == field_state::good, shown(fields, i) + " is refused");
    require(same_bits(value, expected), shown(fields, i) + " differs from from_chars");
  } else if (std::is_integral_v<Value>) {
    require(state == field_state::too_large, shown(fields, i) + " is not too large");
  }
}

template <class Value>
void check_type(const fields_of_text& fields, number_style style) {
  std::vector<field_state> states(fields.count());
  std::vector<Value> expected(fields.count());
  for (std::size_t i = 0; i < fields.count(); ++i) {
    states[i] = parse_one(fields.begin(i), fields.end(i), style, expected[i]);
    if (style.decimal == '.') check_with_standard_library<Value>(fields, i);
  }
  on_each_tier([&](int tier) {
    for (std::size_t first = 0; first < fields.count();) {
      field_state state{};
      std::vector<Value> values(fields.count() - first);
      const std::size_t stop = parse_fields(fields.text.data(), fields.ends.data() + 1, first,
                                            fields.count(), style, values.data(), state);
      require(stop >= first && stop <= fields.count(), "stops outside");
      const std::string where = ", tier " + std::to_string(tier);
      for (std::size_t i = first; i < stop; ++i) {
        require(states[i] == field_state::good, shown(fields, i) + " is accepted" + where);
        require(same_bits(values[i - first], expected[i]), shown(fields, i) + " differs" + where);
      }
      if (stop < fields.count())
        require(state == states[stop] && state != field_state::good,
                shown(fields, stop) + " has another state" + where);
      else
        require(state == field_state::good, "ends with a bad state" + where);
      first = stop + 1;
    }
  });
}

void check_hexadecimal(const fields_of_text& fields, std::size_t elem_len) {
  std::vector<field_state> states(fields.count());
  std::vector<char> expected(fields.count() * elem_len);
  for (std::size_t i = 0; i < fields.count(); ++i)
    states[i] = parse_hexadecimal_one(fields.begin(i), fields.end(i), elem_len,
                                      expected.data() + i * elem_len);
  on_each_tier([&](int tier) {
    for (std::size_t first = 0; first < fields.count();) {
      field_state state{};
      std::vector<char> values((fields.count() - first) * elem_len);
      const std::size_t stop = parse_hexadecimal(fields.text.data(), fields.ends.data() + 1, first,
                                                 fields.count(), elem_len, values.data(), state);
      require(stop >= first && stop <= fields.count(), "stops outside");
      require(std::memcmp(values.data(), expected.data() + first * elem_len,
                          (stop - first) * elem_len) == 0,
              "hexadecimal differs, tier " + std::to_string(tier));
      require(state == (stop < fields.count() ? states[stop] : field_state::good),
              "hexadecimal has another state, tier " + std::to_string(tier));
      first = stop + 1;
    }
  });
}

}  // namespace

void parse_numbers(std::string_view bytes) {
  fuzz_input input(bytes);
  const std::size_t type = input.choose(12);
  const char decimal = type % 2 == 0 ? '.' : ',';
  constexpr char fillers[] = {'9', '.', 'e', '\0', '\xff', ' '};
  const fields_of_text fields(input.rest(), fillers[input.rest().size() % sizeof fillers]);
  // Cells, and what READ takes.
  for (const bool as_read : {false, true}) {
    if (type < 2) check_type<double>(fields, {decimal, as_read});
    if (type == 2 || type == 3) check_type<float>(fields, {decimal, as_read});
  }
  if (type < 4) return;
  if (type == 4) return check_type<std::int8_t>(fields, '.');
  if (type == 5) return check_type<std::int16_t>(fields, '.');
  if (type == 6) return check_type<std::int32_t>(fields, '.');
  if (type == 7) return check_type<std::int64_t>(fields, '.');
  check_hexadecimal(fields, std::size_t{1} << (type - 7));
}

}  // namespace headrace::fuzz
