#include "metadata.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "../../../src/core/name_text.hpp"
#include "../../dataset/attribute_failures.hpp"

namespace headrace::zarr {

namespace {

template <class Value>
Value value_at(const char* at) noexcept {
  Value value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::string_view trimmed(const char* text, std::size_t bytes) noexcept {
  while (bytes > 0 && text[bytes - 1] == ' ') --bytes;
  return {text, bytes};
}

// Integers of every kind: 0, or as many bytes as it has.
template <class Act>
std::size_t with_integer_kind(std::size_t bytes, Act act) {
  if (bytes == 1) act(std::int8_t{});
  if (bytes == 2) act(std::int16_t{});
  if (bytes == 4) act(std::int32_t{});
  if (bytes == 8) act(std::int64_t{});
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ? bytes : 0;
}

status unsupported(const array_view& value) {
  return status::failure(
             stat_code::kind_unsupported,
             value.type == type_class::complex
                 ? std::string("attributes of a Zarr store hold no complex numbers")
                 : "attributes of a Zarr store hold no numbers of " + bytes_text(value.elem_len))
      .advise("write real and imaginary parts, or values of int64 or real64");
}

status json_of_element(const array_view& value, const char* at, std::string& text) {
  std::int64_t integer = 0;
  switch (value.type) {
    case type_class::integer:
      if (with_integer_kind(value.elem_len,
                            [&](auto kind) { integer = value_at<decltype(kind)>(at); }) == 0)
        return unsupported(value);
      text = std::to_string(integer);
      return {};
    case type_class::real:
      if (value.elem_len != 4 && value.elem_len != 8) return unsupported(value);
      text = value.elem_len == 4 ? json_real(value_at<float>(at)) : json_real(value_at<double>(at));
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

const char* kind_of(const json_value& stored) noexcept {
  switch (stored.what) {
    case json_value::kind::null:
      return "null";
    case json_value::kind::boolean:
      return "a logical value";
    case json_value::kind::number:
      return stored.text.find_first_of(".eEN") == std::string::npos ? "an integer"
                                                                    : "a real number";
    case json_value::kind::text:
      return "a text";
    case json_value::kind::list:
      return "a list";
    case json_value::kind::object:
      break;
  }
  return "an object";
}

status mismatch(const std::string& name, const json_value& stored, const char* wanted) {
  return status::failure(stat_code::kind_mismatch, "attribute " + shown(name) + " has another kind")
      .expected(wanted, kind_of(stored))
      .advise("read it into a variable of that kind: attributes are not converted");
}

status too_large(const std::string& name, const json_value& stored) {
  return status::failure(stat_code::kind_mismatch,
                         "the value of attribute " + shown(name) +
                             " does not fit the kind of the variable: " + stored.text)
      .advise("read it into a longer kind");
}

status read_integer(const std::string& name, const json_value& stored, std::size_t bytes,
                    char* to) {
  if (bytes > 8) return mismatch(name, stored, "an integer of at most 8 bytes to read it into");
  if (!stored.is(json_value::kind::number)) return mismatch(name, stored, "an integer");
  if (put_integer(stored, bytes, to)) return {};
  const bool is_integer = stored.text.find_first_of(".eEN") == std::string::npos;
  return is_integer ? too_large(name, stored) : mismatch(name, stored, "an integer");
}

status read_real(const std::string& name, const json_value& stored, std::size_t bytes, char* to) {
  double number = 0;
  if (bytes != 4 && bytes != 8) return mismatch(name, stored, "real32 or real64 to read it into");
  if (!stored.real(number)) {
    if (stored.is(json_value::kind::number)) return too_large(name, stored);
    return mismatch(name, stored, "a real number");
  }
  if (bytes == 8) {
    std::memcpy(to, &number, 8);
    return {};
  }
  const auto value = static_cast<float>(number);
  if (std::isinf(value) && !std::isinf(number)) return too_large(name, stored);
  std::memcpy(to, &value, 4);
  return {};
}

status read_text(const std::string& name, const json_value& stored, std::size_t bytes, char* to) {
  if (!stored.is(json_value::kind::text)) return mismatch(name, stored, "a text");
  if (stored.text.size() > bytes)
    return attribute_text_too_long(stat_code::kind_mismatch, name, bytes, stored.text.size());
  std::memset(to, ' ', bytes);
  if (!stored.text.empty()) std::memcpy(to, stored.text.data(), stored.text.size());
  return {};
}

status read_logical(const std::string& name, const json_value& stored, std::size_t bytes,
                    char* to) {
  if (!stored.is(json_value::kind::boolean)) return mismatch(name, stored, "a logical value");
  set_logical(to, bytes, stored.truth);
  return {};
}

status read_element(const std::string& name, const json_value& stored, const array_view& value,
                    char* to) {
  switch (value.type) {
    case type_class::integer:
      return read_integer(name, stored, value.elem_len, to);
    case type_class::real:
      return read_real(name, stored, value.elem_len, to);
    case type_class::logical:
      return read_logical(name, stored, value.elem_len, to);
    case type_class::character:
      return read_text(name, stored, value.elem_len, to);
    case type_class::complex:
      break;
  }
  return mismatch(name, stored, "a complex number, which attributes of a Zarr store cannot be");
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
