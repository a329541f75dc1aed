// Character arguments and the last two arguments of every verb: iostat, iomsg.
#pragma once

#include <string>

#include "../../include/headrace.h"
#include "../core/status.hpp"
#include "fortran_header.hpp"

namespace headrace {

// The text of a character argument without trailing blanks, up to a null character.
// Empty for an absent optional argument.
std::string text_of(const CFI_cdesc_t* text);

// Fortran's rule: iomsg changes on failure only; without iostat a failure stops the program.
void report(int number, std::string_view message, int* iostat, CFI_cdesc_t* iomsg) noexcept;

inline void report(const hr_error& error, int* iostat, CFI_cdesc_t* iomsg) noexcept {
  if (error.status == HR_SUCCESS) {
    if (iostat != nullptr) *iostat = 0;
    return;
  }
  report(error.status, error.message, iostat, iomsg);
}

}  // namespace headrace
