// Arguments of tables, cells and strings: texts with their blanks, yes or no, styles, and texts
// that go back to Fortran.
#pragma once

#include <optional>
#include <string>

#include "../../include/headrace_tables.h"
#include "../abi/errors.hpp"
#include "../abi/views.hpp"
#include "arguments.hpp"
#include "descriptor.hpp"

namespace headrace {

// All characters of an argument, trailing blanks too; nothing for an absent one.
inline std::string_view characters_of(const CFI_cdesc_t* text) noexcept {
  if (text == nullptr || text->base_addr == nullptr) return {};
  return {static_cast<const char*>(text->base_addr), text->elem_len};
}

// A logical of any kind, or "yes" and "no".
status read_flag(const CFI_cdesc_t* flag, const char* name, bool absent, bool& value);

// One character, "tab" or "blank"; '\0' when absent.
status read_character(const CFI_cdesc_t* text, const char* name, char& value);

// Fortran's options of a conversion; absent ones are null.
struct style_options {
  const CFI_cdesc_t* fmt = nullptr;
  const int* decimals = nullptr;
  const CFI_cdesc_t* decimal = nullptr;
  const CFI_cdesc_t* imaginary = nullptr;
  const CFI_cdesc_t* missing = nullptr;  // characters, or a value of any type
  const int* threads = nullptr;
  const CFI_cdesc_t* since = nullptr;
};

// The same as the C interface takes them; the texts live as long as this object.
class style_arguments {
 public:
  status convert(const style_options& options);
  const hr_text_style* style() const noexcept { return &style_; }

 private:
  std::string fmt_, decimal_, imaginary_, missing_, since_;
  hr_text_style style_{};
};

// An array as the C interface takes it. along "row": array rank 1 is a row of cells.
status array_argument(const CFI_cdesc_t& array, const CFI_cdesc_t* along, hr_array& result);

// Calls body(array, style, error) with an array and its options as the C interface takes them;
// what is refused goes to error.
template <class Body>
void with_array(const CFI_cdesc_t* array, const CFI_cdesc_t* along, const style_options& options,
                hr_error* error, Body body) {
  hr_array described{};
  style_arguments style;
  if (guarded(error, [&] {
        if (status s = array_argument(*array, along, described); !s.ok()) return s;
        return style.convert(options);
      }) == 0)
    body(&described, style.style(), error);
}

// Calls body(0 or 1) with the value of a flag, by default 0; what is refused goes to error.
template <class Body>
void with_flag(const CFI_cdesc_t* flag, const char* name, hr_error* error, Body body) {
  bool value = false;
  if (guarded(error, [&] { return read_flag(flag, name, false, value); }) == 0) body(value ? 1 : 0);
}

// Calls body(error) and reports what it says.
template <class Body>
void reported(int* iostat, CFI_cdesc_t* iomsg, Body body) {
  fresh_error error;
  body(&error);
  report(error, iostat, iomsg);
}

// Keeps a text until the Fortran side has allocated a variable of its length and takes it.
void keep_text(hr_text text, std::size_t* length) noexcept;

// Keeps what a call has ended with, until the Fortran side asks (kept_text.f90 says why).
void keep_failure(const hr_error& error) noexcept;

// Calls body(text, error) and keeps both for the Fortran side.
template <class Body>
void kept(std::size_t* length, Body body) {
  fresh_error error;
  hr_text text{nullptr, 0};
  body(&text, &error);
  keep_text(text, length);
  keep_failure(error);
}

}  // namespace headrace
