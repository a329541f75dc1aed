// Types and values of arrays and attributes as JSON has them.
#include "metadata.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"

namespace headrace::zarr {

namespace {

struct numeric_name {
  const char* name;
  type_class type;
  std::size_t bytes;
};

constexpr numeric_name numeric_names[] = {
    {"bool", type_class::logical, 1},      {"int8", type_class::integer, 1},
    {"int16", type_class::integer, 2},     {"int32", type_class::integer, 4},
    {"int64", type_class::integer, 8},     {"float16", type_class::real, 2},
    {"float32", type_class::real, 4},      {"float64", type_class::real, 8},
    {"complex64", type_class::complex, 8}, {"complex128", type_class::complex, 16},
};
// Fixed-length bytes as numpy's S; zarr-python writes and reads this name.
constexpr const char* characters_name = "null_terminated_bytes";
constexpr std::int64_t longest_character = std::int64_t{1} << 24;

const numeric_name* find_name(type_class type, std::size_t bytes) noexcept {
  for (const numeric_name& known : numeric_names)
    if (known.type == type && known.bytes == bytes) return &known;
  return nullptr;
}

// "0x7fc00000": the bits of a real number.
bool put_bits(const json_value& value, std::size_t bytes, char* to) {
  if (!value.is(json_value::kind::text) || value.text.size() != 2 + 2 * bytes ||
      value.text.compare(0, 2, "0x") != 0)
    return false;
  std::uint64_t bits = 0;
  const char* const end = value.text.data() + value.text.size();
  if (std::from_chars(value.text.data() + 2, end, bits, 16).ptr != end) return false;
  return with_integer(bytes, [&](auto word) {
    word = static_cast<decltype(word)>(bits);
    std::memcpy(to, &word, sizeof word);
  });
}

bool put_integer(const json_value& value, std::size_t bytes, char* to) {
  std::int64_t number = 0;
  bool fits = false;
  if (!value.integer(number)) return false;
  with_integer(bytes, [&](auto word) {
    word = static_cast<decltype(word)>(number);
    fits = word == number;
    if (fits) std::memcpy(to, &word, sizeof word);
  });
  return fits;
}

bool put_real(const json_value& value, std::size_t bytes, char* to) {
  double number = 0;
  if (!value.real(number)) return false;
  if (bytes == 8) {
    std::memcpy(to, &number, 8);
  } else if (const auto single = static_cast<float>(number); bytes == 4) {
    if (std::isinf(single) && !std::isinf(number)) return false;
    std::memcpy(to, &single, 4);
  } else if (const std::uint16_t half = number == 0 ? 0 : 0x7E00; bytes == 2) {
    if (number != 0 && !std::isnan(number)) return false;  // C++17 has no numbers of two bytes
    std::memcpy(to, &half, 2);
  } else {
    return false;
  }
  return true;
}

// Base64 with padding, as zarr-python writes the bytes of a text.
bool put_base64(const std::string& text, std::vector<char>& element) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::size_t done = 0;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = digits.find(c);
    if (digit == digits.npos) return false;
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    if (done == element.size()) return false;
    element[done++] = static_cast<char>(bits >> count & 0xFFU);
  }
  return true;
}

}  // namespace

bool put_value(const json_value& value, type_class type, std::size_t bytes, char* to) {
  if (type == type_class::integer) return put_integer(value, bytes, to);
  if (type == type_class::real) return put_real(value, bytes, to);
  if (type != type_class::logical || !value.is(json_value::kind::boolean)) return false;
  set_logical(to, bytes, value.truth);
  return true;
}

std::size_t element_type::word_bytes() const noexcept {
  if (type == type_class::character) return 1;
  return type == type_class::complex ? bytes / 2 : bytes;
}

std::string element_type::json() const {
  if (type == type_class::character)
    return std::string(R"({"name": ")") + characters_name +
           R"(", "configuration": {"length_bytes": )" + std::to_string(bytes) + "}}";
  return json_text(find_name(type, bytes)->name);
}

std::string element_type::fill_json() const {
  switch (type) {
    case type_class::integer:
      return std::to_string(std::numeric_limits<std::int64_t>::min() >> (64 - 8 * bytes));
    case type_class::complex:
      return R"(["NaN", "NaN"])";
    case type_class::logical:
      return "false";
    case type_class::character:
      return R"("")";
    case type_class::real:
      break;
  }
  return R"("NaN")";
}

status type_of(const array_view& array, element_type& type) {
  const bool logical = array.type == type_class::logical;
  type = {array.type, logical ? 1 : array.elem_len};
  const bool fits = array.type == type_class::character
                        ? array.elem_len > 0
                        : find_name(type.type, type.bytes) != nullptr;
  return fits ? status() : no_such_kind("Zarr stores", array.type, array.elem_len);
}

status parse_type(const json_value& value, element_type& type) {
  const std::string name = extension_name(value);
  if (name.empty()) return status::failure(stat_code::header_damaged, "data_type has no name");
  for (const numeric_name& known : numeric_names) {
    if (name != known.name) continue;
    type = {known.type, known.bytes};
    return {};
  }
  if (name == characters_name) {
    const json_value* const length = extension_setting(value, "length_bytes");
    std::int64_t bytes = 0;
    if (length == nullptr || !length->integer(bytes) || bytes < 1 || bytes > longest_character)
      return status::failure(stat_code::header_damaged,
                             "data_type null_terminated_bytes has no length_bytes");
    type = {type_class::character, static_cast<std::size_t>(bytes)};
    return {};
  }
  return status::failure(stat_code::kind_unsupported,
                         "its elements have the data type " + name +
                             ", which headrace cannot read into a Fortran type")
      .advise("convert it to an integer, real, complex or bool type with zarr-python");
}

status parse_fill(const json_value& value, const element_type& type, std::vector<char>& element) {
  element.assign(type.bytes, '\0');
  const auto put_part = [&](const json_value& part, std::size_t bytes, char* to) {
    return put_bits(part, bytes, to) || put_real(part, bytes, to);
  };
  const std::size_t half = type.bytes / 2;
  bool good = false;
  if (type.type == type_class::complex)
    good = value.is(json_value::kind::list) && value.items.size() == 2 &&
           put_part(value.items[0], half, element.data()) &&
           put_part(value.items[1], half, element.data() + half);
  else if (type.type == type_class::character)
    good = value.is(json_value::kind::text) && put_base64(value.text, element);
  else if (type.type == type_class::real)
    good = put_part(value, type.bytes, element.data());
  else
    good = put_value(value, type.type, type.bytes, element.data());
  if (good) return {};
  return status::failure(stat_code::header_damaged,
                         "fill_value is not a value of the data_type" +
                             (value.text.empty() ? std::string() : ": \"" + value.text + "\""));
}

namespace {

std::string_view trimmed(const char* text, std::size_t bytes) noexcept {
  while (bytes > 0 && text[bytes - 1] == ' ') --bytes;
  return {text, bytes};
}

status unsupported(const array_view& value) {
  return status::failure(
             stat_code::kind_unsupported,
             value.type == type_class::complex
                 ? std::string("attributes of a Zarr store hold no complex numbers")
                 : "attributes of a Zarr store hold no numbers of " + bytes_text(value.elem_len))
      .advise("write real and imaginary parts, or values of int64 or real64");
}

template <class Real>
std::string json_of_real(const char* at) {
  Real number;
  std::memcpy(&number, at, sizeof number);
  return json_real(number);
}

status json_of_element(const array_view& value, const char* at, std::string& text) {
  switch (value.type) {
    case type_class::integer:
      if (!with_integer(value.elem_len, [&](auto word) {
            std::memcpy(&word, at, sizeof word);
            text = std::to_string(word);
          }))
        return unsupported(value);
      return {};
    case type_class::real:
      if (value.elem_len != 4 && value.elem_len != 8) return unsupported(value);
      text = value.elem_len == 4 ? json_of_real<float>(at) : json_of_real<double>(at);
      return {};
    case type_class::logical:
      text = is_true(at, value.elem_len) ? "true" : "false";
      return {};
    case type_class::character:
      if (!is_utf8(trimmed(at, value.elem_len)))
        return status::failure(stat_code::argument_invalid,
                               "the text of the attribute is not UTF-8")
            .advise("JSON holds UTF-8 only: convert the text");
      text = json_text(trimmed(at, value.elem_len));
      return {};
    case type_class::complex:
      break;
  }
  return unsupported(value);
}

bool is_integer(const json_value& stored) noexcept {
  return stored.is(json_value::kind::number) &&
         stored.text.find_first_of(".eEN") == std::string::npos;
}

const char* kind_of(const json_value& stored) noexcept {
  if (stored.is(json_value::kind::number))
    return is_integer(stored) ? "an integer of 1 to 8 bytes" : "a real number, real32 or real64";
  static constexpr const char* names[] = {"null",   "a logical value", "",
                                          "a text", "a list",          "an object"};
  return names[static_cast<std::size_t>(stored.what)];
}

status read_element(const std::string& name, const json_value& stored, const array_view& value,
                    char* to) {
  const std::size_t bytes = value.elem_len;
  if (value.type == type_class::character && stored.is(json_value::kind::text)) {
    if (stored.text.size() > bytes)
      return attribute_text_too_long(stat_code::kind_mismatch, name, bytes, stored.text.size());
    std::memset(to, ' ', bytes);
    stored.text.copy(to, bytes);
    return {};
  }
  if (put_value(stored, value.type, bytes, to)) return {};
  const bool is_too_large =
      bytes <= 8 && (value.type == type_class::integer
                         ? is_integer(stored)
                         : value.type == type_class::real && stored.is(json_value::kind::number));
  if (!is_too_large) return attribute_of_another_kind(name, value, kind_of(stored));
  return status::failure(stat_code::kind_mismatch,
                         "the value of attribute " + shown(name) +
                             " does not fit the kind of the variable: " + stored.text)
      .advise("read it into a longer kind");
}

}  // namespace

status json_of_attribute(const array_view& value, std::string& text) {
  if (value.array_rank == 0) return json_of_element(value, value.base, text);
  std::vector<std::string> items;
  for (std::ptrdiff_t i = 0; i < value.extent[0]; ++i) {
    items.emplace_back();
    if (status s = json_of_element(value, value.base + i * value.stride[0], items.back()); !s.ok())
      return s;
  }
  text = json_list(items);
  return {};
}

status read_json_attribute(const std::string& name, const json_value& stored,
                           const array_view& value) {
  const bool is_list = stored.is(json_value::kind::list);
  const auto wanted = static_cast<std::size_t>(value.array_rank == 0 ? 1 : value.extent[0]);
  // One value is a scalar or a list of one: libraries differ.
  if (!is_list && wanted == 1) return read_element(name, stored, value, value.base);
  if (!is_list || stored.items.size() != wanted)
    return attribute_of_another_length(name, value, is_list ? stored.items.size() : 1);
  const std::ptrdiff_t step = value.array_rank == 0 ? 0 : value.stride[0];
  for (std::size_t i = 0; i < wanted; ++i)
    if (status s = read_element(name, stored.items[i], value,
                                value.base + static_cast<std::ptrdiff_t>(i) * step);
        !s.ok())
      return s;
  return {};
}

}  // namespace headrace::zarr
