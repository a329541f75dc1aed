// The procedures of the module headrace_strings. Next: headrace_tables.h.
#include "text_arguments.hpp"

using namespace headrace;

extern "C" void hr_fortran_str(const CFI_cdesc_t* value, const CFI_cdesc_t* fmt,
                               const int* decimals, const CFI_cdesc_t* decimal,
                               const CFI_cdesc_t* imaginary, std::size_t* length) {
  hr_error error{};
  hr_array described{};
  hr_text text{nullptr, 0};
  style_arguments style;
  if (guarded(&error, [&] {
        if (status s = array_argument(*value, nullptr, described); !s.ok()) return s;
        return style.convert(fmt, decimals, decimal, imaginary, nullptr, nullptr);
      }) == 0)
    hr_value_to_text(&described, style.style(), &text, &error);
  keep_text(text, length);
  keep_failure(error);
}

extern "C" void hr_fortran_text_get(const CFI_cdesc_t* text, const CFI_cdesc_t* value,
                                    const CFI_cdesc_t* fmt, const CFI_cdesc_t* decimal,
                                    const CFI_cdesc_t* imaginary, int* iostat, CFI_cdesc_t* iomsg) {
  hr_error error{};
  hr_array described{};
  style_arguments style;
  const std::string_view characters = characters_of(text);
  if (guarded(&error, [&] {
        if (status s = array_argument(*value, nullptr, described); !s.ok()) return s;
        return style.convert(fmt, nullptr, decimal, imaginary, nullptr, nullptr);
      }) == 0)
    hr_text_to_value(characters.data(), characters.size(), &described, style.style(), &error);
  report(error, iostat, iomsg);
}

extern "C" void hr_fortran_replace(const CFI_cdesc_t* text, const CFI_cdesc_t* match,
                                   const CFI_cdesc_t* substring, const int* back,
                                   std::size_t* length) {
  const std::string_view whole = characters_of(text);
  const std::string_view wanted = characters_of(match);
  const std::string_view other = characters_of(substring);
  hr_error error{};
  hr_text result{nullptr, 0};
  hr_text_replace(whole.data(), whole.size(), wanted.data(), wanted.size(), other.data(),
                  other.size(), *back, &result, &error);
  keep_text(result, length);
  keep_failure(error);
}

extern "C" std::int64_t hr_fortran_count_text(const CFI_cdesc_t* text, const CFI_cdesc_t* match) {
  const std::string_view whole = characters_of(text);
  const std::string_view wanted = characters_of(match);
  return hr_text_count(whole.data(), whole.size(), wanted.data(), wanted.size());
}

extern "C" void hr_fortran_read_text(const CFI_cdesc_t* file, std::size_t* length) {
  hr_error error{};
  hr_text text{nullptr, 0};
  hr_text_read(text_of(file).c_str(), &text, &error);
  keep_text(text, length);
  keep_failure(error);
}

extern "C" void hr_fortran_write_text(const CFI_cdesc_t* file, const CFI_cdesc_t* text,
                                      const CFI_cdesc_t* append, int* iostat, CFI_cdesc_t* iomsg) {
  hr_error error{};
  bool appends = false;
  const std::string_view characters = characters_of(text);
  if (guarded(&error, [&] { return read_flag(append, "append", false, appends); }) == 0)
    hr_text_write(text_of(file).c_str(), characters.data(), characters.size(), appends ? 1 : 0,
                  &error);
  report(error, iostat, iomsg);
}
