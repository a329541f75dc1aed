// load_column of the module headrace_table_columns: a column as a new array. Next:
// headrace_tables.h.
#include <cerrno>

#include "text_arguments.hpp"

extern "C" void hr_fortran_table_get(const hr_table* table, const CFI_cdesc_t* column,
                                     const CFI_cdesc_t* array, const CFI_cdesc_t* missing,
                                     const CFI_cdesc_t* fmt, const CFI_cdesc_t* decimal,
                                     const CFI_cdesc_t* imaginary, const CFI_cdesc_t* since,
                                     const int* threads, int* iostat, CFI_cdesc_t* iomsg);

namespace headrace {
namespace {

status no_room() {
  return status::system(ENOMEM, "cannot allocate the array of a column");
}

// Allocates for the rows of a table; error says why not.
bool allocate_rows(hr_table table, CFI_cdesc_t& array, hr_error* error) {
  std::int64_t rows = 0;
  if (array.base_addr != nullptr) CFI_deallocate(&array);  // intent(out)
  if (hr_table_shape(table, &rows, nullptr, error) != 0) return false;
  const CFI_index_t lower[] = {1};
  const CFI_index_t upper[] = {static_cast<CFI_index_t>(rows)};
  if (CFI_allocate(&array, lower, upper, array.elem_len) == CFI_SUCCESS) return true;
  guarded(error, no_room);
  return false;
}

// A failure with the message that a Fortran procedure gives.
struct told {
  int status = 0;
  char text[HR_MESSAGE_BYTES] = {};
  CFI_CDESC_T(0) storage;
  CFI_cdesc_t* message() {
    auto* const descriptor = reinterpret_cast<CFI_cdesc_t*>(&storage);
    CFI_establish(descriptor, text, CFI_attribute_other, CFI_type_char, sizeof text, 0, nullptr);
    return descriptor;
  }
};

void load_column(const hr_table* table, const CFI_cdesc_t* column, CFI_cdesc_t* array,
                 const CFI_cdesc_t* missing, const CFI_cdesc_t* fmt, const CFI_cdesc_t* decimal,
                 const CFI_cdesc_t* imaginary, const CFI_cdesc_t* since, const int* threads,
                 int* iostat, CFI_cdesc_t* iomsg) {
  fresh_error error;
  told failure;
  if (!allocate_rows(*table, *array, &error)) return report(error, iostat, iomsg);
  hr_fortran_table_get(table, column, array, missing, fmt, decimal, imaginary, since, threads,
                       &failure.status, failure.message());
  if (failure.status != 0) CFI_deallocate(array);
  const std::string_view text(failure.text, sizeof failure.text);
  report(failure.status, text.substr(0, text.find_last_not_of(std::string_view(" \0", 2)) + 1),
         iostat, iomsg);
}

status check_column(std::int64_t number) {
  if (number != -2) return {};
  return status::failure(stat_code::option_unknown, "column must be a name or a number")
      .advise("give one text, or one integer of the kind int32 or int64, from 1");
}

}  // namespace
}  // namespace headrace

using namespace headrace;

// number: -1 with a name, -2 for what is neither.
extern "C" void hr_fortran_fit_column(const hr_table* table, const CFI_cdesc_t* name,
                                      const std::int64_t* number, std::size_t* length,
                                      std::size_t* rows, int* stat) {
  fresh_error error;
  std::int64_t found_rows = 0;
  std::int64_t found_length = 0;
  const std::string text = text_of(name);
  if (guarded(&error, [&] { return check_column(*number); }) == 0 &&
      hr_table_shape(*table, &found_rows, nullptr, &error) == 0)
    hr_table_column_length(*table, *number == -1 ? text.c_str() : nullptr, *number, &found_length,
                           &error);
  *rows = static_cast<std::size_t>(found_rows);
  *length = static_cast<std::size_t>(found_length);
  *stat = error.status;
  keep_failure(error);
}

extern "C" void hr_fortran_fill_column(const hr_table* table, const CFI_cdesc_t* name,
                                       const std::int64_t* number, const CFI_cdesc_t* array,
                                       const CFI_cdesc_t* missing, int* stat) {
  fresh_error error;
  const std::string text = text_of(name);
  const style_options options{nullptr, nullptr, nullptr, nullptr, missing, nullptr, nullptr};
  with_array(array, nullptr, options, &error,
             [&](const hr_array* described, const hr_text_style* style, hr_error* reason) {
               hr_table_get(*table, *number == -1 ? text.c_str() : nullptr, *number, described,
                            style, reason);
             });
  *stat = error.status;
  keep_failure(error);
}

// Fortran needs a name for each interface; all do the same.
#define HEADRACE_LOAD_COLUMN(NAME)                                                              \
  extern "C" void hr_fortran_load_column_##NAME(                                                \
      const hr_table* table, const CFI_cdesc_t* column, CFI_cdesc_t* array,                     \
      const CFI_cdesc_t* missing, const CFI_cdesc_t* fmt, const CFI_cdesc_t* decimal,           \
      const CFI_cdesc_t* imaginary, const CFI_cdesc_t* since, const int* threads, int* iostat,  \
      CFI_cdesc_t* iomsg) {                                                                     \
    load_column(table, column, array, missing, fmt, decimal, imaginary, since, threads, iostat, \
                iomsg);                                                                         \
  }

HEADRACE_LOAD_COLUMN(int8)
HEADRACE_LOAD_COLUMN(int16)
HEADRACE_LOAD_COLUMN(int32)
HEADRACE_LOAD_COLUMN(int64)
HEADRACE_LOAD_COLUMN(real32)
HEADRACE_LOAD_COLUMN(real64)
HEADRACE_LOAD_COLUMN(complex32)
HEADRACE_LOAD_COLUMN(complex64)
HEADRACE_LOAD_COLUMN(logical8)
