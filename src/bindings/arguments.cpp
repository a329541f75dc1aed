#include "arguments.hpp"

#include <cstring>

// In src/headrace/stop.f90: the one place that stops the program.
extern "C" [[noreturn]] void hr_fortran_stop(const char* message, int length);

namespace headrace {

std::string text_of(const CFI_cdesc_t* text) {
  if (text == nullptr || text->base_addr == nullptr) return {};
  std::string_view view(static_cast<const char*>(text->base_addr), text->elem_len);
  view = view.substr(0, view.find('\0'));
  return std::string(view.substr(0, view.find_last_not_of(' ') + 1));
}

void report(int number, std::string_view message, int* iostat, CFI_cdesc_t* iomsg) noexcept {
  if (iostat != nullptr) *iostat = number;
  if (number == 0) return;
  if (iomsg != nullptr && iomsg->base_addr != nullptr) {
    char* const text = static_cast<char*>(iomsg->base_addr);
    const std::size_t length = fitting_length(message, iomsg->elem_len);
    std::memcpy(text, message.data(), length);
    std::memset(text + length, ' ', iomsg->elem_len - length);
  }
  if (iostat == nullptr) hr_fortran_stop(message.data(), static_cast<int>(message.size()));
}

}  // namespace headrace
