// load_array of the module headrace_load: one body for all its interfaces. Next: hr_text_shape in
// headrace.h.
#include <cerrno>

#include "../abi/errors.hpp"
#include "../abi/views.hpp"
#include "arguments.hpp"
#include "descriptor.hpp"
#include "option_texts.hpp"

namespace headrace {
namespace {

status no_shape(const std::string& file, long long rows, long long columns) {
  return status::failure(stat_code::row_count, "the file does not fit an array of rank 1")
      .expected("one column or one row",
                std::to_string(rows) + " rows and " + std::to_string(columns) + " columns")
      .in_file(file)
      .advise("load it into an array of rank 2, or choose a column with columns=");
}

status allocate(CFI_cdesc_t& array, const std::string& file, long long rows, long long columns) {
  if (array.base_addr != nullptr) CFI_deallocate(&array);  // intent(out)
  CFI_index_t lower[2] = {1, 1};
  CFI_index_t upper[2] = {static_cast<CFI_index_t>(rows), static_cast<CFI_index_t>(columns)};
  if (array.rank == 1 && columns != 1) {
    if (rows > 1) return no_shape(file, rows, columns);
    upper[0] = rows == 0 ? 0 : static_cast<CFI_index_t>(columns);
  }
  if (CFI_allocate(&array, lower, upper, array.elem_len) == CFI_SUCCESS) return {};
  return status::system(ENOMEM, "cannot allocate the array").in_file(file);
}

// The type of the array, which is not allocated yet.
status type_of(const CFI_cdesc_t& array, int& type) {
  CFI_cdesc_t element = array;
  char nothing = 0;
  element.base_addr = &nothing;
  element.rank = 0;
  array_view view;
  status result = view_of(element, view);
  type = static_cast<int>(view.type);
  return result;
}

void load(const CFI_cdesc_t* file, CFI_cdesc_t* array, const read_arguments& arguments, int* iostat,
          CFI_cdesc_t* iomsg) {
  hr_error error{};
  option_texts texts;
  hr_read_options options{};
  long long rows = 0;
  long long columns = 0;
  hr_array c_array{};
  const std::string name = text_of(file);
  int failed = guarded(&error, [&] {
    options = texts.read_options(arguments);
    return type_of(*array, options.type);
  });
  if (failed == 0) failed = hr_text_shape(name.c_str(), &options, &rows, &columns, &error);
  if (failed == 0)
    failed = guarded(&error, [&] {
      if (status s = allocate(*array, name, rows, columns); !s.ok()) return s;
      array_view view;
      status s = view_of(*array, view);
      if (s.ok()) c_array = to_c(view);
      return s;
    });
  if (failed == 0) hr_read_array(name.c_str(), &c_array, &options, &error);
  report(error, iostat, iomsg);
}

}  // namespace
}  // namespace headrace

// Fortran needs a name for each interface; all do the same.
#define HEADRACE_LOAD(NAME)                                                                   \
  extern "C" void hr_fortran_load_##NAME(                                                     \
      const CFI_cdesc_t* file, CFI_cdesc_t* array, const CFI_cdesc_t* number,                 \
      const CFI_cdesc_t* delimiter, const CFI_cdesc_t* decimal, const CFI_cdesc_t* header,    \
      const CFI_cdesc_t* comment, const int* skip_rows, const CFI_cdesc_t* columns,           \
      const CFI_cdesc_t* missing, const int* threads, const CFI_cdesc_t* format, int* iostat, \
      CFI_cdesc_t* iomsg) {                                                                   \
    headrace::load(file, array,                                                               \
                   {nullptr, number, delimiter, decimal, header, comment, skip_rows, columns, \
                    missing, threads, format},                                                \
                   iostat, iomsg);                                                            \
  }

HEADRACE_LOAD(real32_1)
HEADRACE_LOAD(real32_2)
HEADRACE_LOAD(real64_1)
HEADRACE_LOAD(real64_2)
HEADRACE_LOAD(int32_1)
HEADRACE_LOAD(int32_2)
HEADRACE_LOAD(int64_1)
HEADRACE_LOAD(int64_2)
HEADRACE_LOAD(complex32_1)
HEADRACE_LOAD(complex32_2)
HEADRACE_LOAD(complex64_1)
HEADRACE_LOAD(complex64_2)
HEADRACE_LOAD(logical_1)
HEADRACE_LOAD(logical_2)
