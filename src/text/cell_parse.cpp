#include "cell_parse.hpp"

#include <cstring>

#include "cell_format.hpp"
#include "cells_parse_batch.hpp"
#include "kernels/parse_one.hpp"

namespace headrace {
namespace {

template <class T>
class number_parser final : public cell_parser {
 public:
  explicit number_parser(char decimal) noexcept : decimal_(decimal) {}
  std::size_t parse(const char* text, const std::uint32_t* ends, std::size_t first,
                    std::size_t last, char* values, field_state& state) const noexcept override {
    return parse_fields(text, ends, first, last, decimal_, reinterpret_cast<T*>(values), state);
  }

 private:
  char decimal_;
};

class hexadecimal_parser final : public cell_parser {
 public:
  std::size_t parse(const char* text, const std::uint32_t* ends, std::size_t first,
                    std::size_t last, char* values, field_state& state) const noexcept override {
    return parse_hexadecimal(text, ends, first, last, elem_len, values, state);
  }
};

// Types that have no block kernel: a function for one field.
template <class One>
std::size_t one_by_one(const char* text, const std::uint32_t* ends, std::size_t first,
                       std::size_t last, char* values, std::size_t elem_len, field_state& state,
                       One one) noexcept {
  for (std::size_t i = first; i < last; ++i) {
    const std::string_view field = field_text(text, ends, i);
    state = field.empty() ? field_state::empty : one(field, values + (i - first) * elem_len);
    if (state != field_state::good) return i;
  }
  state = field_state::good;
  return last;
}

class logical_parser final : public cell_parser {
 public:
  std::size_t parse(const char* text, const std::uint32_t* ends, std::size_t first,
                    std::size_t last, char* values, field_state& state) const noexcept override {
    const auto one = [this](std::string_view field, char* value) {
      bool truth = false;
      const field_state found =
          parse_logical_word(field.data(), field.data() + field.size(), truth);
      if (found != field_state::good) return found;
      std::memset(value, 0, elem_len);
      value[0] = truth ? 1 : 0;  // the lowest byte: headrace runs on little-endian machines
      return found;
    };
    return one_by_one(text, ends, first, last, values, elem_len, state, one);
  }
};

// As in tables: "(1.5,-2)", "1.5-2j", "1.5-2*1i" or a real part alone.
class complex_parser final : public cell_parser {
 public:
  explicit complex_parser(char decimal) { style_.decimal = decimal; }
  std::size_t parse(const char* text, const std::uint32_t* ends, std::size_t first,
                    std::size_t last, char* values, field_state& state) const noexcept override {
    const auto one = [this](std::string_view field, char* value) {
      switch (parse_cell(field, {type_class::complex, elem_len}, style_, value)) {
        case cell_state::good:
          return field_state::good;
        case cell_state::too_large:
          return field_state::too_large;
        default:
          return field_state::not_a_number;
      }
    };
    return one_by_one(text, ends, first, last, values, elem_len, state, one);
  }

 private:
  parse_style style_;
};

template <class Parser, class... Arguments>
std::unique_ptr<cell_parser> make(const char* expected, Arguments... arguments) {
  auto parser = std::make_unique<Parser>(arguments...);
  parser->expected = expected;
  return parser;
}

std::unique_ptr<cell_parser> make_integer_parser(std::size_t elem_len, char decimal) {
  constexpr const char* what = "an integer";
  switch (elem_len) {
    case 1:
      return make<number_parser<std::int8_t>>(what, decimal);
    case 2:
      return make<number_parser<std::int16_t>>(what, decimal);
    case 4:
      return make<number_parser<std::int32_t>>(what, decimal);
    default:
      return make<number_parser<std::int64_t>>(what, decimal);
  }
}

}  // namespace

bool cell_parser::parse_text(const std::string& text, std::string& value) const {
  const std::string padded =
      std::string(parse_padding, ' ') + text + "," + std::string(parse_padding, ' ');
  const std::uint32_t ends[] = {UINT32_MAX, static_cast<std::uint32_t>(text.size())};
  alignas(16) char bytes[32] = {};
  field_state state = field_state::empty;
  parse(padded.data() + parse_padding, ends + 1, 0, 1, bytes, state);
  value.assign(bytes, elem_len);
  return state == field_state::good;
}

status make_cell_parser(const text_layout& layout, type_class type, std::size_t elem_len,
                        std::unique_ptr<cell_parser>& parser) {
  if (status s = check_text_kind(type, elem_len); !s.ok()) return s;
  const char decimal = layout.decimal;
  if (layout.number == "hex" && type == type_class::complex) return no_complex_bits();
  if (layout.number == "hex") {
    parser = make<hexadecimal_parser>("hexadecimal digits of the element's size");
  } else if (!layout.number.empty() && layout.number != "decimal") {
    return status::failure(stat_code::option_unknown,
                           "there is no number=\"" + layout.number + "\"")
        .advise("known for reading are \"decimal\" and \"hex\"");
  } else if (type == type_class::real) {
    parser = elem_len == 4 ? make<number_parser<float>>("a real number", decimal)
                           : make<number_parser<double>>("a real number", decimal);
  } else if (type == type_class::integer) {
    parser = make_integer_parser(elem_len, decimal);
    parser->is_integer = true;
  } else if (type == type_class::logical) {
    parser = make<logical_parser>("T or F");
  } else if (type == type_class::complex) {
    constexpr const char* what = "a complex number such as 1.5-2.0j or (1.5,-2.0)";
    parser = make<complex_parser>(what, decimal);
  }
  if (parser == nullptr)
    return status::failure(stat_code::type_unknown, "characters are not read row by row")
        .advise("read_array and tables read them");
  parser->elem_len = elem_len;
  return {};
}

std::string_view field_text(const char* text, const std::uint32_t* ends,
                            std::size_t field) noexcept {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  const char* begin = text + static_cast<std::uint32_t>(*(ends + field - 1) + 1U);
  const char* end = text + ends[field];
  while (begin < end && blank(*begin)) ++begin;
  while (begin < end && blank(end[-1])) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace headrace
