#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>

#include "../../dataset/attribute_failures.hpp"
#include "../../together/library_words.hpp"
#include "format.hpp"

namespace headrace::adios2_format {
namespace {

// The message without colours, date and the names of the library's layers.
std::string plain_words(const char* words) {
  std::string plain;
  bool in_colour = false;
  for (; *words != '\0'; ++words) {
    if (*words == '\033') in_colour = true;
    if (!in_colour) plain += *words;
    if (*words == 'm') in_colour = false;
  }
  if (const std::size_t begin = plain.rfind("> : "); begin != std::string::npos)
    plain.erase(0, begin + 4);
  while (!plain.empty() && plain.back() == '\n') plain.pop_back();
  std::replace(plain.begin(), plain.end(), '\n', ' ');
  return plain;
}

// C++'s streams, by which ADIOS2 writes its profile, give no reason: what they left in errno does.
status explained(std::string_view what, const std::string& file, const char* said, int left) {
  const std::string words = plain_words(said);
  int error = error_in_words(words);
  if (error == 0 && words.find("iostream error") != std::string::npos && is_of_the_disk(left))
    error = left;
  if (error > 0) return status::system(error, std::string(what)).in_file(file);
  return status::failure(stat_code::library_failed, std::string(what) + ": " + words).in_file(file);
}

struct kind_entry {
  adios2::DataType type;
  type_class kind;
  std::size_t bytes;
};
constexpr std::array<kind_entry, 8> kinds = {{
    {adios2::DataType::Int8, type_class::integer, 1},
    {adios2::DataType::Int16, type_class::integer, 2},
    {adios2::DataType::Int32, type_class::integer, 4},
    {adios2::DataType::Int64, type_class::integer, 8},
    {adios2::DataType::Float, type_class::real, 4},
    {adios2::DataType::Double, type_class::real, 8},
    {adios2::DataType::FloatComplex, type_class::complex, 8},
    {adios2::DataType::DoubleComplex, type_class::complex, 16},
}};

}  // namespace

status attempt(std::string_view what, const std::string& file, function_ref<void()> call) {
  try {
    errno = 0;
    call();
    return {};
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::exception& failed) {
    const int left = errno;
    return caught([&] { return explained(what, file, failed.what(), left); });
  }
}

status find_form(const array_view& array, form& found) {
  found = {};
  const bool bytes = array.type == type_class::logical || array.type == type_class::character;
  if (bytes) {
    found.type = adios2::DataType::Int8;
    found.mark = array.type == type_class::logical ? "logical" : "character";
    found.text_length = array.type == type_class::character ? array.elem_len : 0;
    if (array.type == type_class::logical || array.elem_len > 0) return {};
  }
  for (const kind_entry& entry : kinds)
    if (entry.kind == array.type && entry.bytes == array.elem_len) {
      found.type = entry.type;
      return {};
    }
  return status::failure(stat_code::kind_unsupported,
                         "ADIOS2 holds no " + kinds_text(array.type, array.elem_len))
      .advise("it has integers of 1, 2, 4 and 8 bytes, reals of 4 and 8, complex ones of 8 and 16");
}

bool find_kind(const form& of, described_array& array) {
  for (const kind_entry& entry : kinds) {
    if (entry.type != of.type) continue;
    array.type = entry.kind;
    array.elem_len = entry.bytes;
    if (of.type == adios2::DataType::Int8 && of.mark == "logical") array.type = type_class::logical;
    if (of.text_length > 0) {
      array.type = type_class::character;
      array.elem_len = of.text_length;
    }
    return true;
  }
  return false;
}

adios2::Box<adios2::Dims> section_of(const box& part, const form& of) {
  adios2::Box<adios2::Dims> section;
  const std::size_t most = static_cast<std::size_t>(part.array_rank) + 1;
  section.first.reserve(most);
  section.second.reserve(most);
  for (auto d = static_cast<std::size_t>(part.array_rank); d-- > 0;) {
    section.first.push_back(static_cast<std::size_t>(part.start[d]));
    section.second.push_back(static_cast<std::size_t>(part.count[d]));
  }
  if (of.text_length > 0) {
    section.first.push_back(0);
    section.second.push_back(of.text_length);
  }
  return section;
}

}  // namespace headrace::adios2_format
