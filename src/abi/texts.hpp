// What the functions of headrace_tables.h have in common: texts, styles, handles.
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "../../include/headrace_tables.h"
#include "../cells/parse.hpp"
#include "../cells/value.hpp"
#include "errors.hpp"
#include "handles.hpp"
#include "views.hpp"

namespace headrace {

inline std::string string_of(const char* text) {
  return text == nullptr ? "" : text;
}

inline std::string_view view_of_text(const char* text, std::size_t length) noexcept {
  return text == nullptr ? std::string_view() : std::string_view(text, length);
}

// Gives a text to the caller.
inline void deliver_text(std::string_view text, hr_text* result) {
  if (result == nullptr) return;
  auto* const bytes = static_cast<char*>(std::malloc(text.size() + 1));
  if (bytes == nullptr) throw std::bad_alloc();
  if (!text.empty()) std::memcpy(bytes, text.data(), text.size());
  bytes[text.size()] = '\0';
  *result = {bytes, text.size()};
}

inline status checked_view(const hr_array* array, array_view& view) {
  if (array == nullptr)
    return status::failure(stat_code::argument_invalid, "the array is a null pointer")
        .advise("describe it with an hr_array");
  return from_c(*array, view);
}

inline status to_value_style(const hr_text_style* style, value_style& result) {
  const hr_text_style chosen = style == nullptr ? hr_text_style{} : *style;
  return make_value_style(string_of(chosen.fmt), chosen.decimals == nullptr ? -1 : *chosen.decimals,
                          string_of(chosen.decimal), string_of(chosen.imaginary), result,
                          string_of(chosen.since));
}

inline status to_parse_style(const hr_text_style* style, parse_style& result) {
  const hr_text_style chosen = style == nullptr ? hr_text_style{} : *style;
  return make_parse_style(string_of(chosen.fmt), string_of(chosen.decimal),
                          string_of(chosen.imaginary), string_of(chosen.missing), result,
                          string_of(chosen.since));
}

inline int threads_of(const hr_text_style* style) noexcept {
  return style == nullptr ? 0 : style->threads;
}

// The object of a handle; a new one for 0 when make is set.
template <class Object>
status open_handle(handle_registry<Object>& registry, std::int64_t* number, bool make,
                   const char* name, std::shared_ptr<Object>& object) {
  if (number == nullptr)
    return status::failure(stat_code::argument_invalid, std::string(name) + ": a null pointer")
        .advise("pass the address of a handle");
  object = registry.find(*number);
  if (object == nullptr && *number == 0 && make) {
    object = std::make_shared<Object>();
    *number = registry.add(object);
  }
  return object == nullptr ? closed_handle(name, *number) : status();
}

template <class Object>
status close_handle(handle_registry<Object>& registry, std::int64_t* number, const char* name) {
  if (number == nullptr || *number == 0) return {};
  if (registry.remove(*number) == nullptr) return closed_handle(name, *number);
  *number = 0;
  return {};
}

}  // namespace headrace
