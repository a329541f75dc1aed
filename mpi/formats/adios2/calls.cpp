#include "calls.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <sstream>

#include "../../disk/room.hpp"
#include "../../together/library_words.hpp"

namespace headrace {
namespace {

// One at a time: std::cerr belongs to the whole program.
std::mutex one_at_a_time;

// While it lives, std::cerr goes to a text.
class caught_words {
 public:
  caught_words() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
  ~caught_words() { std::cerr.rdbuf(before_); }
  caught_words(const caught_words&) = delete;
  caught_words& operator=(const caught_words&) = delete;

  // The last message, without colours, date and the names of its layers.
  std::string last() const {
    std::string plain;
    bool in_colour = false;
    for (const char c : text_.str()) {
      if (c == '\033') in_colour = true;
      if (!in_colour) plain += c;
      if (c == 'm') in_colour = false;
    }
    while (!plain.empty() && plain.back() == '\n') plain.pop_back();
    const std::size_t begin = plain.rfind("> : ");
    if (begin != std::string::npos) plain = plain.substr(begin + 4);
    std::replace(plain.begin(), plain.end(), '\n', ' ');
    return plain;
  }

 private:
  std::ostringstream text_;
  std::streambuf* before_;
};

// "... : errno = 28: No space left on device"; 0: not the operating system's. C++'s streams, by
// which ADIOS2 writes its profile, say nothing: what they left in errno counts.
int error_in(const std::string& words, int left) {
  if (const int error = error_in_words(words); error > 0) return error;
  if (words.find("std::bad_alloc") != std::string::npos) return ENOMEM;
  const bool of_a_stream = words.find("iostream error") != std::string::npos;
  return of_a_stream && is_full(left) ? left : 0;
}

adios2_type integer_type(std::size_t bytes) {
  if (bytes == 1) return adios2_type_int8_t;
  if (bytes == 2) return adios2_type_int16_t;
  if (bytes == 4) return adios2_type_int32_t;
  return bytes == 8 ? adios2_type_int64_t : adios2_type_unknown;
}

struct kind_entry {
  adios2_type type;
  type_class kind;
  std::size_t bytes;
};
constexpr std::array<kind_entry, 8> kinds = {{
    {adios2_type_int8_t, type_class::integer, 1},
    {adios2_type_int16_t, type_class::integer, 2},
    {adios2_type_int32_t, type_class::integer, 4},
    {adios2_type_int64_t, type_class::integer, 8},
    {adios2_type_float, type_class::real, 4},
    {adios2_type_double, type_class::real, 8},
    {adios2_type_float_complex, type_class::complex, 8},
    {adios2_type_double_complex, type_class::complex, 16},
}};

}  // namespace

status adios2_try(std::string_view what, const std::string& file, function_ref<bool()> call) {
  std::string words;
  return adios2_try(what, file, call, words);
}

status adios2_try(std::string_view what, const std::string& file, function_ref<bool()> call,
                  std::string& words) {
  int left = 0;
  {
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    const caught_words caught;
    errno = 0;
    if (call()) return {};
    left = errno;
    words = caught.last();
  }
  if (words.empty()) words = "ADIOS2 says no more than that it failed";
  const int error = error_in(words, left);
  if (error > 0) return status::system(error, std::string(what)).in_file(file);
  return status::failure(stat_code::library_failed, std::string(what) + ": " + words).in_file(file);
}

status adios2_form_of(const array_view& array, adios2_form& form) {
  form = {};
  switch (array.type) {
    case type_class::logical:
      form.type = adios2_type_int8_t;
      form.mark = "logical";
      return {};
    case type_class::character:
      form.type = adios2_type_int8_t;
      form.mark = "character";
      form.text_length = array.elem_len;
      if (array.elem_len > 0) return {};
      break;
    case type_class::integer:
      form.type = integer_type(array.elem_len);
      if (form.type != adios2_type_unknown) return {};
      break;
    default:
      for (const kind_entry& entry : kinds)
        if (entry.kind == array.type && entry.bytes == array.elem_len) form.type = entry.type;
      if (form.type != adios2_type_unknown) return {};
  }
  const char* const names[] = {"",         "integers",  "reals", "complex numbers",
                               "logicals", "characters"};
  return status::failure(stat_code::kind_unsupported, std::string("ADIOS2 holds no ") +
                                                          names[static_cast<int>(array.type)] +
                                                          " of " + bytes_text(array.elem_len))
      .advise("it has integers of 1, 2, 4 and 8 bytes, reals of 4 and 8, complex ones of 8 and 16");
}

bool adios2_kind_of(const adios2_form& form, array_info& info) {
  for (const kind_entry& entry : kinds) {
    if (entry.type != form.type) continue;
    info.type = entry.kind;
    info.elem_len = entry.bytes;
    if (form.type == adios2_type_int8_t && form.mark == "logical") {
      info.type = type_class::logical;
      info.any_logical_kind = true;
    }
    if (form.text_length > 0) {
      info.type = type_class::character;
      info.elem_len = form.text_length;
    }
    return true;
  }
  return false;
}

adios2_section adios2_section_of(const box& part, const adios2_form& form) {
  adios2_section section;
  for (auto d = static_cast<std::size_t>(part.array_rank); d-- > 0;) {
    section.start.push_back(static_cast<std::size_t>(part.start[d]));
    section.count.push_back(static_cast<std::size_t>(part.count[d]));
  }
  if (form.text_length > 0) {
    section.start.push_back(0);
    section.count.push_back(form.text_length);
  }
  return section;
}

}  // namespace headrace
