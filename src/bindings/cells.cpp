// The procedures of the module headrace_cells. Next: headrace_tables.h.
#include "text_arguments.hpp"

using namespace headrace;

namespace {

hr_separators separators_of(const CFI_cdesc_t* column, const CFI_cdesc_t* row) noexcept {
  const std::string_view columns = characters_of(column);
  const std::string_view rows = characters_of(row);
  return {columns.data(), columns.size(), rows.data(), rows.size()};
}

std::int64_t or_zero(const int* number) noexcept {
  return number == nullptr ? 0 : *number;
}

}  // namespace

extern "C" void hr_fortran_cells_put(hr_cells* cells, const CFI_cdesc_t* array,
                                     const CFI_cdesc_t* fmt, const int* decimals,
                                     const CFI_cdesc_t* decimal, const CFI_cdesc_t* imaginary,
                                     const CFI_cdesc_t* since, const CFI_cdesc_t* append,
                                     const CFI_cdesc_t* along, const int* threads, int* iostat,
                                     CFI_cdesc_t* iomsg) {
  const style_options options{fmt, decimals, decimal, imaginary, nullptr, threads, since};
  reported(iostat, iomsg, [&](hr_error* reason) {
    with_flag(append, "append", reason, [&](int appends) {
      with_array(array, along, options, reason,
                 [&](const hr_array* described, const hr_text_style* style, hr_error* error) {
                   hr_cells_put(cells, described, style, appends, error);
                 });
    });
  });
}

extern "C" void hr_fortran_cells_get(const hr_cells* cells, const CFI_cdesc_t* array,
                                     const int* row, const int* column, const CFI_cdesc_t* fmt,
                                     const CFI_cdesc_t* decimal, const CFI_cdesc_t* imaginary,
                                     const CFI_cdesc_t* since, const CFI_cdesc_t* missing,
                                     const CFI_cdesc_t* along, const int* threads, int* iostat,
                                     CFI_cdesc_t* iomsg) {
  const style_options options{fmt, nullptr, decimal, imaginary, missing, threads, since};
  reported(iostat, iomsg, [&](hr_error* reason) {
    with_array(array, along, options, reason,
               [&](const hr_array* described, const hr_text_style* style, hr_error* error) {
                 hr_cells_get(*cells, described, or_zero(row), or_zero(column), style, error);
               });
  });
}

extern "C" void hr_fortran_cells_read(const CFI_cdesc_t* file, hr_cells* cells,
                                      const CFI_cdesc_t* column_separator,
                                      const CFI_cdesc_t* row_separator, int* iostat,
                                      CFI_cdesc_t* iomsg) {
  const hr_separators separators = separators_of(column_separator, row_separator);
  reported(iostat, iomsg, [&](hr_error* error) {
    hr_cells_read(text_of(file).c_str(), cells, &separators, error);
  });
}

extern "C" void hr_fortran_cells_write(const CFI_cdesc_t* file, const hr_cells* cells,
                                       const CFI_cdesc_t* column_separator,
                                       const CFI_cdesc_t* row_separator, const CFI_cdesc_t* append,
                                       int* iostat, CFI_cdesc_t* iomsg) {
  const hr_separators separators = separators_of(column_separator, row_separator);
  reported(iostat, iomsg, [&](hr_error* error) {
    with_flag(append, "append", error, [&](int appends) {
      hr_cells_write(text_of(file).c_str(), *cells, &separators, appends, error);
    });
  });
}

extern "C" std::int64_t hr_fortran_cells_rows(const hr_cells* cells, int* iostat,
                                              CFI_cdesc_t* iomsg) {
  std::int64_t rows = -1;
  reported(iostat, iomsg,
           [&](hr_error* error) { hr_cells_shape(*cells, &rows, nullptr, nullptr, error); });
  return rows;
}

extern "C" std::int64_t hr_fortran_cells_columns(const hr_cells* cells, int* iostat,
                                                 CFI_cdesc_t* iomsg) {
  std::int64_t columns = -1;
  reported(iostat, iomsg,
           [&](hr_error* error) { hr_cells_shape(*cells, nullptr, &columns, nullptr, error); });
  return columns;
}

extern "C" std::int64_t hr_fortran_cells_len64(const hr_cells* cells, int* iostat,
                                               CFI_cdesc_t* iomsg) {
  std::int64_t bytes = -1;
  reported(iostat, iomsg,
           [&](hr_error* error) { hr_cells_shape(*cells, nullptr, nullptr, &bytes, error); });
  return bytes;
}

extern "C" void hr_fortran_cell_text(const hr_cells* cells, const int* row, const int* column,
                                     std::size_t* length) {
  kept(length,
       [&](hr_text* text, hr_error* error) { hr_cells_text(*cells, *row, *column, text, error); });
}

extern "C" void hr_fortran_set_cell(const hr_cells* cells, const int* row, const int* column,
                                    const CFI_cdesc_t* text, int* iostat, CFI_cdesc_t* iomsg) {
  const std::string_view characters = characters_of(text);
  reported(iostat, iomsg, [&](hr_error* error) {
    hr_cells_set(*cells, *row, *column, characters.data(), characters.size(), error);
  });
}

extern "C" void hr_fortran_split_text(const CFI_cdesc_t* text, hr_cells* cells,
                                      const CFI_cdesc_t* separator, int* iostat,
                                      CFI_cdesc_t* iomsg) {
  const std::string_view whole = characters_of(text);
  const std::string_view between = separator == nullptr ? " " : characters_of(separator);
  reported(iostat, iomsg, [&](hr_error* error) {
    hr_cells_split(cells, whole.data(), whole.size(), between.data(), between.size(), error);
  });
}

extern "C" void hr_fortran_join_cells(const hr_cells* cells, const CFI_cdesc_t* separator,
                                      std::size_t* length) {
  const std::string_view between = characters_of(separator);
  kept(length, [&](hr_text* text, hr_error* error) {
    hr_cells_join(*cells, between.data(), between.size(), text, error);
  });
}

extern "C" void hr_fortran_replace_cells(const hr_cells* cells, const CFI_cdesc_t* match,
                                         const CFI_cdesc_t* substring, const CFI_cdesc_t* back,
                                         int* iostat, CFI_cdesc_t* iomsg) {
  const std::string_view wanted = characters_of(match);
  const std::string_view other = characters_of(substring);
  reported(iostat, iomsg, [&](hr_error* error) {
    with_flag(back, "back", error, [&](int backwards) {
      hr_cells_replace(*cells, wanted.data(), wanted.size(), other.data(), other.size(), backwards,
                       error);
    });
  });
}

extern "C" void hr_fortran_trim_cells(const hr_cells* cells, int* iostat, CFI_cdesc_t* iomsg) {
  reported(iostat, iomsg, [&](hr_error* error) { hr_cells_trim(*cells, error); });
}

extern "C" void hr_fortran_push_cells(const hr_cells* cells, const CFI_cdesc_t* substring,
                                      int* iostat, CFI_cdesc_t* iomsg) {
  const std::string_view tail = characters_of(substring);
  reported(iostat, iomsg,
           [&](hr_error* error) { hr_cells_push(*cells, tail.data(), tail.size(), error); });
}

extern "C" void hr_fortran_repeat_cells(const hr_cells* cells, const int* copies, int* iostat,
                                        CFI_cdesc_t* iomsg) {
  reported(iostat, iomsg, [&](hr_error* error) { hr_cells_repeat(*cells, *copies, error); });
}

extern "C" std::int64_t hr_fortran_count_cells(const hr_cells* cells, const CFI_cdesc_t* match,
                                               int* iostat, CFI_cdesc_t* iomsg) {
  const std::string_view wanted = characters_of(match);
  std::int64_t count = -1;
  reported(iostat, iomsg, [&](hr_error* error) {
    hr_cells_count(*cells, wanted.data(), wanted.size(), &count, error);
  });
  return count;
}

extern "C" int hr_fortran_equal_cells(const hr_cells* left, const hr_cells* right) {
  int equal = 0;
  reported(nullptr, nullptr,
           [&](hr_error* error) { hr_cells_equal(*left, *right, &equal, error); });
  return equal;
}

extern "C" void hr_fortran_close_cells(hr_cells* cells, int* iostat, CFI_cdesc_t* iomsg) {
  reported(iostat, iomsg, [&](hr_error* error) { hr_cells_close(cells, error); });
}

// In src/headrace/strings.f90: Fortran's own unit, so that lines of both languages keep their
// order.
extern "C" void hr_fortran_print(const char* text, std::size_t length);

extern "C" void hr_fortran_print_cells(const hr_cells* cells, int* iostat, CFI_cdesc_t* iomsg) {
  hr_text text{nullptr, 0};
  reported(iostat, iomsg, [&](hr_error* error) { hr_cells_print(*cells, &text, error); });
  if (text.length > 0) hr_fortran_print(text.bytes, text.length);
  hr_text_free(&text);
}

extern "C" void hr_fortran_aprint(const CFI_cdesc_t* array, const CFI_cdesc_t* fmt,
                                  const int* decimals, const CFI_cdesc_t* imaginary, int* iostat,
                                  CFI_cdesc_t* iomsg) {
  const style_options options{fmt, decimals, nullptr, imaginary, nullptr, nullptr};
  hr_text text{nullptr, 0};
  reported(iostat, iomsg, [&](hr_error* reason) {
    with_array(array, nullptr, options, reason,
               [&](const hr_array* described, const hr_text_style* style, hr_error* error) {
                 hr_array_to_text(described, style, &text, error);
               });
  });
  if (text.length > 0) hr_fortran_print(text.bytes, text.length);
  hr_text_free(&text);
}
