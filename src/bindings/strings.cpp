// The procedures of the module headrace_strings. Next: headrace_tables.h.
#include "text_arguments.hpp"

using namespace headrace;

extern "C" void hr_fortran_str(const CFI_cdesc_t* value, const CFI_cdesc_t* fmt,
                               const int* decimals, const CFI_cdesc_t* decimal,
                               const CFI_cdesc_t* imaginary, std::size_t* length) {
  const style_options options{fmt, decimals, decimal, imaginary, nullptr, nullptr};
  kept(length, [&](hr_text* text, hr_error* reason) {
    with_array(value, nullptr, options, reason,
               [&](const hr_array* described, const hr_text_style* style, hr_error* error) {
                 hr_value_to_text(described, style, text, error);
               });
  });
}

extern "C" void hr_fortran_text_get(const CFI_cdesc_t* text, const CFI_cdesc_t* value,
                                    const CFI_cdesc_t* fmt, const CFI_cdesc_t* decimal,
                                    const CFI_cdesc_t* imaginary, const CFI_cdesc_t* since,
                                    int* iostat, CFI_cdesc_t* iomsg) {
  const style_options options{fmt, nullptr, decimal, imaginary, nullptr, nullptr, since};
  const std::string_view characters = characters_of(text);
  reported(iostat, iomsg, [&](hr_error* reason) {
    with_array(value, nullptr, options, reason,
               [&](const hr_array* described, const hr_text_style* style, hr_error* error) {
                 hr_text_to_value(characters.data(), characters.size(), described, style, error);
               });
  });
}

extern "C" void hr_fortran_replace(const CFI_cdesc_t* text, const CFI_cdesc_t* match,
                                   const CFI_cdesc_t* substring, const int* back,
                                   std::size_t* length) {
  const std::string_view whole = characters_of(text);
  const std::string_view wanted = characters_of(match);
  const std::string_view other = characters_of(substring);
  kept(length, [&](hr_text* result, hr_error* error) {
    hr_text_replace(whole.data(), whole.size(), wanted.data(), wanted.size(), other.data(),
                    other.size(), *back, result, error);
  });
}

extern "C" std::int64_t hr_fortran_count_text(const CFI_cdesc_t* text, const CFI_cdesc_t* match) {
  const std::string_view whole = characters_of(text);
  const std::string_view wanted = characters_of(match);
  return hr_text_count(whole.data(), whole.size(), wanted.data(), wanted.size());
}

extern "C" void hr_fortran_read_text(const CFI_cdesc_t* file, std::size_t* length) {
  kept(length,
       [&](hr_text* text, hr_error* error) { hr_text_read(text_of(file).c_str(), text, error); });
}

extern "C" void hr_fortran_write_text(const CFI_cdesc_t* file, const CFI_cdesc_t* text,
                                      const CFI_cdesc_t* append, int* iostat, CFI_cdesc_t* iomsg) {
  const std::string_view characters = characters_of(text);
  reported(iostat, iomsg, [&](hr_error* error) {
    with_flag(append, "append", error, [&](int appends) {
      hr_text_write(text_of(file).c_str(), characters.data(), characters.size(), appends, error);
    });
  });
}
