#include "text_arguments.hpp"

#include <cstring>

namespace headrace {
namespace {

thread_local hr_text kept_text{nullptr, 0};
thread_local hr_error kept_failure{};

status unknown(const char* name, const std::string& value, const char* advice) {
  return status::failure(stat_code::option_unknown,
                         std::string("there is no ") + name + "=\"" + value + "\"")
      .advise(advice);
}

// A number given where a text may stand, too: missing=-1.
status number_as_text(const CFI_cdesc_t& value, std::string& text) {
  array_view view;
  if (status s = view_of(value, view); !s.ok()) return s;
  const hr_array described = to_c(view);
  hr_text result{nullptr, 0};
  fresh_error error;
  if (hr_value_to_text(&described, nullptr, &result, &error) != 0)
    return status::failure(stat_code::option_unknown, error.message);
  text.assign(result.bytes, result.length);
  hr_text_free(&result);
  return {};
}

bool is_characters(const CFI_cdesc_t& argument) {
  array_view view;
  return view_of(argument, view).ok() && view.type == type_class::character;
}

}  // namespace

status read_flag(const CFI_cdesc_t* flag, const char* name, bool absent, bool& value) {
  value = absent;
  if (flag == nullptr || flag->base_addr == nullptr) return {};
  array_view view;
  if (status s = view_of(*flag, view); !s.ok()) return s;
  if (view.type == type_class::character) {
    const std::string text = text_of(flag);
    value = text == "yes" || (absent && text.empty());
    if (value || text == "no" || text.empty()) return {};
    return unknown(name, text, "known are \"yes\" and \"no\", .true. and .false.");
  }
  if (view.type != type_class::logical && view.type != type_class::integer)
    return unknown(name, "a number", "known are \"yes\" and \"no\", .true. and .false.");
  value = (*view.base & 1) != 0;
  return {};
}

status read_character(const CFI_cdesc_t* text, const char* name, char& value) {
  const std::string given = text_of(text);
  value = '\0';
  if (given.empty()) {
    if (!characters_of(text).empty()) value = ' ';
    return {};
  }
  if (given == "tab")
    value = '\t';
  else if (given == "blank")
    value = ' ';
  else if (given.size() == 1)
    value = given[0];
  else
    return unknown(name, given, "it is one character, \"tab\" or \"blank\"");
  return {};
}

status style_arguments::convert(const style_options& options) {
  fmt_ = text_of(options.fmt);
  decimal_ = text_of(options.decimal);
  imaginary_ = text_of(options.imaginary);
  since_ = text_of(options.since);
  if (options.missing != nullptr && !is_characters(*options.missing)) {
    if (status s = number_as_text(*options.missing, missing_); !s.ok()) return s;
  } else {
    missing_ = text_of(options.missing);
  }
  style_ = {fmt_.c_str(),     options.decimals,
            decimal_.c_str(), options.imaginary == nullptr ? nullptr : imaginary_.c_str(),
            missing_.c_str(), options.threads == nullptr ? 0 : *options.threads,
            since_.c_str()};
  return {};
}

status array_argument(const CFI_cdesc_t& array, const CFI_cdesc_t* along, hr_array& result) {
  array_view view;
  if (status s = view_of(array, view); !s.ok()) return s;
  const std::string direction = text_of(along);
  if (!direction.empty() && direction != "row" && direction != "column")
    return unknown("along", direction, "known are \"column\" and \"row\"");
  if (direction == "row" && view.array_rank == 1) {
    view.array_rank = 2;
    view.extent[1] = view.extent[0];
    view.stride[1] = view.stride[0];
    view.extent[0] = 1;
    view.stride[0] = static_cast<std::ptrdiff_t>(view.elem_len);
  }
  result = to_c(view);
  return {};
}

void keep_text(hr_text text, std::size_t* length) noexcept {
  hr_text_free(&kept_text);
  kept_text = text;
  *length = text.length;
}

void keep_failure(const hr_error& error) noexcept {
  kept_failure = error;
}

}  // namespace headrace

extern "C" void hr_fortran_take_failure(int* iostat, CFI_cdesc_t* iomsg) {
  headrace::report(headrace::kept_failure, iostat, iomsg);
}

// Moves the kept text into a variable of its length.
extern "C" void hr_fortran_take_text(CFI_cdesc_t* text) {
  using namespace headrace;
  const std::size_t length = text->elem_len < kept_text.length ? text->elem_len : kept_text.length;
  if (length > 0) std::memcpy(text->base_addr, kept_text.bytes, length);
  hr_text_free(&kept_text);
}
