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

// The options of a conversion, which live as long as this object.
class style_arguments {
 public:
  // missing: characters, or a value of any type.
  status convert(const CFI_cdesc_t* fmt, const int* decimals, const CFI_cdesc_t* decimal,
                 const CFI_cdesc_t* imaginary, const CFI_cdesc_t* missing, const int* threads);
  const hr_text_style* style() const noexcept { return &style_; }

 private:
  std::string fmt_, decimal_, imaginary_, missing_;
  hr_text_style style_{};
};

// An array as the C interface takes it. along "row": array rank 1 is a row of cells.
status array_argument(const CFI_cdesc_t& array, const CFI_cdesc_t* along, hr_array& result);

// Keeps a text until the Fortran side has allocated a variable of its length and takes it.
void keep_text(hr_text text, std::size_t* length) noexcept;

// Keeps what a call has ended with, until the Fortran side asks (kept_text.f90 says why).
void keep_failure(const hr_error& error) noexcept;

}  // namespace headrace
