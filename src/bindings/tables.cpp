// The procedures of the module headrace_tables. Next: headrace_tables.h.
#include <cstring>

#include "text_arguments.hpp"

namespace headrace {
namespace {

// Fortran's arguments of reading and writing a table as the C interface takes them.
struct table_arguments {
  std::string file;
  std::string missing;
  hr_table_options options{};

  status convert(const CFI_cdesc_t* file_name, const CFI_cdesc_t* delimiter,
                 const CFI_cdesc_t* header, const CFI_cdesc_t* quote, const int* threads) {
    file = text_of(file_name);
    bool has_header = true;
    if (status s = read_character(delimiter, "delimiter", options.delimiter); !s.ok()) return s;
    if (status s = read_flag(header, "header", true, has_header); !s.ok()) return s;
    options.no_header = has_header ? 0 : 1;
    options.any_header = header != nullptr && has_header ? 1 : 0;
    options.threads = threads == nullptr ? 0 : *threads;
    if (text_of(quote) == "none")
      options.no_quotes = 1;
    else if (status s = read_character(quote, "quote", options.quote); !s.ok())
      return s;
    return {};
  }

  status convert_reading(const CFI_cdesc_t* comment, const CFI_cdesc_t* decimal,
                         const CFI_cdesc_t* missing_text, const int* skip_rows) {
    missing = text_of(missing_text);
    options.missing = missing.c_str();
    options.skip_rows = skip_rows == nullptr ? 0 : *skip_rows;
    if (status s = read_character(decimal, "decimal", options.decimal); !s.ok()) return s;
    return read_character(comment, "comment", options.comment);
  }

  status convert_writing(const CFI_cdesc_t* append, const int* level) {
    options.level = level == nullptr ? 0 : *level;
    bool appends = false;
    if (status s = read_flag(append, "append", false, appends); !s.ok()) return s;
    options.append = appends ? 1 : 0;
    return {};
  }
};

template <class Integer>
std::int64_t integer_at(const char* base) noexcept {
  Integer value;
  std::memcpy(&value, base, sizeof value);
  return value;
}

// A column: its name, or null and a number.
struct column_argument {
  std::string text;
  const char* name = nullptr;
  std::int64_t number = 0;

  status convert(const CFI_cdesc_t& column) {
    array_view view;
    if (status s = view_of(column, view); !s.ok()) return s;
    const bool is_text = view.type == type_class::character;
    if (view.array_rank > 0 || (!is_text && view.type != type_class::integer))
      return status::failure(stat_code::option_unknown, "column must be a name or a number")
          .advise("give one text, or one integer from 1");
    if (is_text) {
      text = text_of(&column);
      name = text.c_str();
    } else if (view.elem_len == 1) {
      number = integer_at<std::int8_t>(view.base);
    } else if (view.elem_len == 2) {
      number = integer_at<std::int16_t>(view.base);
    } else if (view.elem_len == 4) {
      number = integer_at<std::int32_t>(view.base);
    } else {
      number = integer_at<std::int64_t>(view.base);
    }
    return {};
  }
};

// Calls body(column) unless the argument is refused: error says so.
template <class Body>
void with_column(const CFI_cdesc_t* argument, hr_error* error, Body body) {
  column_argument column;
  if (guarded(error, [&] { return column.convert(*argument); }) == 0) body(column);
}

}  // namespace
}  // namespace headrace

using namespace headrace;

extern "C" void hr_fortran_read_table(const CFI_cdesc_t* file, hr_table* table,
                                      const CFI_cdesc_t* delimiter, const CFI_cdesc_t* header,
                                      const CFI_cdesc_t* quote, const CFI_cdesc_t* comment,
                                      const CFI_cdesc_t* decimal, const CFI_cdesc_t* missing,
                                      const int* skip_rows, const int* threads, int* iostat,
                                      CFI_cdesc_t* iomsg) {
  table_arguments c;
  reported(iostat, iomsg, [&](hr_error* error) {
    if (guarded(error, [&] {
          if (status s = c.convert(file, delimiter, header, quote, threads); !s.ok()) return s;
          return c.convert_reading(comment, decimal, missing, skip_rows);
        }) == 0)
      hr_table_read(c.file.c_str(), table, &c.options, error);
  });
}

extern "C" void hr_fortran_write_table(const CFI_cdesc_t* file, const hr_table* table,
                                       const CFI_cdesc_t* delimiter, const CFI_cdesc_t* header,
                                       const CFI_cdesc_t* quote, const CFI_cdesc_t* append,
                                       const int* threads, const int* level, int* iostat,
                                       CFI_cdesc_t* iomsg) {
  table_arguments c;
  reported(iostat, iomsg, [&](hr_error* error) {
    if (guarded(error, [&] {
          if (status s = c.convert(file, delimiter, header, quote, threads); !s.ok()) return s;
          return c.convert_writing(append, level);
        }) == 0)
      hr_table_write(c.file.c_str(), *table, &c.options, error);
  });
}

extern "C" void hr_fortran_table_get(const hr_table* table, const CFI_cdesc_t* column,
                                     const CFI_cdesc_t* array, const CFI_cdesc_t* missing,
                                     const CFI_cdesc_t* fmt, const CFI_cdesc_t* decimal,
                                     const CFI_cdesc_t* imaginary, const CFI_cdesc_t* since,
                                     const int* threads, int* iostat, CFI_cdesc_t* iomsg) {
  const style_options options{fmt, nullptr, decimal, imaginary, missing, threads, since};
  reported(iostat, iomsg, [&](hr_error* reason) {
    with_column(column, reason, [&](const column_argument& c) {
      with_array(array, nullptr, options, reason,
                 [&](const hr_array* described, const hr_text_style* style, hr_error* error) {
                   hr_table_get(*table, c.name, c.number, described, style, error);
                 });
    });
  });
}

extern "C" void hr_fortran_table_put(hr_table* table, const CFI_cdesc_t* column,
                                     const CFI_cdesc_t* array, const CFI_cdesc_t* fmt,
                                     const int* decimals, const CFI_cdesc_t* decimal,
                                     const CFI_cdesc_t* imaginary, const CFI_cdesc_t* since,
                                     const int* threads, int* iostat, CFI_cdesc_t* iomsg) {
  const style_options options{fmt, decimals, decimal, imaginary, nullptr, threads, since};
  reported(iostat, iomsg, [&](hr_error* reason) {
    with_array(array, nullptr, options, reason,
               [&](const hr_array* described, const hr_text_style* style, hr_error* error) {
                 hr_table_put(table, text_of(column).c_str(), described, style, error);
               });
  });
}

extern "C" std::int64_t hr_fortran_table_rows(const hr_table* table, int* iostat,
                                              CFI_cdesc_t* iomsg) {
  std::int64_t rows = -1;
  reported(iostat, iomsg, [&](hr_error* error) { hr_table_shape(*table, &rows, nullptr, error); });
  return rows;
}

extern "C" std::int64_t hr_fortran_table_columns(const hr_table* table, int* iostat,
                                                 CFI_cdesc_t* iomsg) {
  std::int64_t columns = -1;
  reported(iostat, iomsg,
           [&](hr_error* error) { hr_table_shape(*table, nullptr, &columns, error); });
  return columns;
}

extern "C" void hr_fortran_column_name(const hr_table* table, const CFI_cdesc_t* column,
                                       std::size_t* length) {
  kept(length, [&](hr_text* name, hr_error* error) {
    with_column(column, error, [&](const column_argument& c) {
      hr_table_column_name(*table, c.number, name, error);
    });
  });
}

extern "C" void hr_fortran_column_type(const hr_table* table, const CFI_cdesc_t* column,
                                       std::size_t* length) {
  kept(length, [&](hr_text* type, hr_error* error) {
    with_column(column, error, [&](const column_argument& c) {
      hr_table_column_type(*table, c.name, c.number, type, error);
    });
  });
}

extern "C" std::int64_t hr_fortran_column_length(const hr_table* table, const CFI_cdesc_t* column,
                                                 int* iostat, CFI_cdesc_t* iomsg) {
  std::int64_t length = -1;
  reported(iostat, iomsg, [&](hr_error* error) {
    with_column(column, error, [&](const column_argument& c) {
      hr_table_column_length(*table, c.name, c.number, &length, error);
    });
  });
  return length;
}

extern "C" void hr_fortran_close_table(hr_table* table, int* iostat, CFI_cdesc_t* iomsg) {
  reported(iostat, iomsg, [&](hr_error* error) { hr_table_close(table, error); });
}
