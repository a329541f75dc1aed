#include "dataset_arguments.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "../../src/abi/views.hpp"
#include "../../src/core/hash.hpp"
#include "../../src/core/name_text.hpp"

namespace headrace {
namespace {

// Fortran's descriptors are looked at before; the other MPI ranks hear of a null pointer only.
const char* const own_reason =
    "describe it with an hr_array; in Fortran that MPI rank's own message has the reason";

template <class Number>
std::string number_at(const char* element, const char* format) {
  Number number;
  std::memcpy(&number, element, sizeof number);
  char text[40] = "";
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string text_of_element(const array_view& value, const char* element) {
  const std::size_t bytes = value.elem_len;
  if (value.type == type_class::logical) return is_true(element, bytes) ? "T" : "F";
  std::string text(element, bytes);
  if (value.type == type_class::character) return text.erase(text.find_last_not_of(' ') + 1);
  if (value.type == type_class::integer && bytes == 4) return number_at<int>(element, "%d");
  if (value.type == type_class::integer && bytes == 8) return number_at<long long>(element, "%lld");
  if (value.type == type_class::real && bytes == 4) return number_at<float>(element, "%.9g");
  if (value.type == type_class::real && bytes == 8) return number_at<double>(element, "%.17g");
  std::string digits;
  for (std::size_t i = 0; i < bytes; ++i) digits += number_at<unsigned char>(element + i, "%02x");
  return digits;
}

// One line, however long the text is and whatever is in it.
std::string line_of(const std::string& text) {
  constexpr std::size_t longest = 40;
  const bool is_plain = text.size() <= longest && text.find('\n') == std::string::npos;
  if (is_plain) return text;
  char digest[20];
  std::snprintf(digest, sizeof digest, "%016llx", static_cast<unsigned long long>(hash_of(text)));
  return shown(text) + " (" + std::to_string(text.size()) + " characters, hash " + digest + ")";
}

}  // namespace

std::string steps_text(const std::vector<std::int64_t>& steps) {
  std::string text;
  for (std::size_t i = 0; i < steps.size() && i < 10; ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(steps[i]);
  return steps.size() > 10 ? text + ", ..." : text;
}

status check_name(const std::string& name, const char* of) {
  if (name.find_first_not_of('/') != std::string::npos) return {};
  return status::failure(stat_code::argument_invalid, std::string(of) + " has no name")
      .expected("a name", "\"" + name + "\"")
      .advise("give the one that it has in the dataset");
}

status check_fits(const std::string& name, const array_view& local, const array_layout& layout,
                  const described_array& stored) {
  const bool same_length = stored.elem_len == local.elem_len || local.type == type_class::logical;
  if (stored.type != local.type || !same_length)
    return status::failure(stat_code::kind_mismatch, "\"" + name + "\" is of another kind")
        .expected(kind_text(local.type, local.elem_len) + " as the array",
                  kind_text(stored.type, stored.elem_len))
        .advise("read it into an array of its kind");
  const box& wanted = layout.global();
  if (stored.global == wanted) return {};
  return status::failure(stat_code::shape_mismatch, "\"" + name + "\" has another shape")
      .expected(text_of_extents(wanted.count.data(), wanted.array_rank) + " as the layout",
                text_of_extents(stored.global.count.data(), stored.global.array_rank))
      .advise("make a layout of the global extents that the file has");
}

status closed_layout() {
  return status::failure(stat_code::handle_closed, "the array_layout is closed or was never made")
      .advise("make it with make_layout; a copy of the variable is the same handle");
}

status check_layout(const array_layout& layout, const communicator& comm) {
  if (layout.comm().same_ranks(comm)) return {};
  const auto text = [](int ranks) {
    return std::to_string(ranks) + (ranks == 1 ? " MPI rank" : " MPI ranks");
  };
  const int expected = comm.size();
  const int found = layout.comm().size();
  return status::failure(stat_code::layout_invalid,
                         "the layout has another communicator than the dataset")
      .expected(text(expected), found != expected ? text(found) : "others, or in another order")
      .advise("give make_layout and open_dataset the same communicator");
}

status check_block(const hr_array* described, const array_layout& layout, bool writes,
                   array_view& local) {
  if (writes && layout.for_reading())
    return status::failure(stat_code::layout_invalid,
                           "an array cannot be written with a layout for reading")
        .expected("one of make_layout", "one of make_reading_layout")
        .advise("make another for writing, whose blocks have neither gaps nor overlaps");
  if (described == nullptr)
    return status::failure(stat_code::argument_invalid, "the array is a null pointer")
        .advise(own_reason);
  if (status s = from_c(*described, local); !s.ok()) return s;
  const box& own = layout.own();
  // An MPI rank without elements may pass any array without elements.
  if (local.array_rank == own.array_rank &&
      (std::equal(own.count.begin(), own.count.begin() + own.array_rank, local.extent.begin()) ||
       (is_empty(own) && element_count(local).value_or(1) == 0)))
    return {};
  return status::failure(stat_code::shape_mismatch,
                         "the local array has not the extents of its block in the layout")
      .expected(text_of_extents(own.count.data(), own.array_rank),
                text_of_extents(local.extent.data(), local.array_rank))
      .advise("pass the section without the halo, or change count in make_layout");
}

std::string value_text(const array_view& value) {
  return kind_text(value.type, value.elem_len) + ", " +
         (value.array_rank == 0 ? "a scalar" : std::to_string(value.extent[0]) + " elements");
}

std::string element_lines(const std::string& name, const array_view& value) {
  std::string lines;
  for (std::size_t i = 0; i < element_count(value).value_or(0); ++i)
    lines += "\n" + name + " = " + line_of(text_of_element(value, value.base + i * value.elem_len));
  return lines;
}

status attribute_value(const hr_array* value, array_view& view) {
  if (value == nullptr)
    return status::failure(stat_code::argument_invalid, "the value is a null pointer")
        .advise(own_reason);
  if (status s = from_c(*value, view); !s.ok()) return s;
  if (view.array_rank <= 1 && is_contiguous(view)) return {};
  return status::failure(stat_code::argument_invalid,
                         "an attribute is a scalar or a contiguous array of rank 1")
      .advise("write large values as an array of the dataset");
}

}  // namespace headrace
