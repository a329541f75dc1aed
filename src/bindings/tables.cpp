// The procedures of the module headrace_tables. Next: headrace_tables.h.
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
};

// A column: its name, or null and a number.
struct column_argument {
  std::string name;
  const char* name_or_null = nullptr;
  std::int64_t number = 0;

  column_argument(const CFI_cdesc_t* text, const int* column) : name(text_of(text)) {
    if (text != nullptr) name_or_null = name.c_str();
    if (column != nullptr) number = *column;
  }
};

}  // namespace
}  // namespace headrace

using namespace headrace;

extern "C" void hr_fortran_read_table(const CFI_cdesc_t* file, hr_table* table,
                                      const CFI_cdesc_t* delimiter, const CFI_cdesc_t* header,
                                      const CFI_cdesc_t* quote, const CFI_cdesc_t* comment,
                                      const CFI_cdesc_t* decimal, const CFI_cdesc_t* missing,
                                      const int* skip_rows, const int* threads, int* iostat,
                                      CFI_cdesc_t* iomsg) {
  hr_error error{};
  table_arguments c;
  if (guarded(&error, [&] {
        if (status s = c.convert(file, delimiter, header, quote, threads); !s.ok()) return s;
        return c.convert_reading(comment, decimal, missing, skip_rows);
      }) == 0)
    hr_table_read(c.file.c_str(), table, &c.options, &error);
  report(error, iostat, iomsg);
}

extern "C" void hr_fortran_write_table(const CFI_cdesc_t* file, const hr_table* table,
                                       const CFI_cdesc_t* delimiter, const CFI_cdesc_t* header,
                                       const CFI_cdesc_t* quote, const CFI_cdesc_t* append,
                                       const int* threads, int* iostat, CFI_cdesc_t* iomsg) {
  hr_error error{};
  table_arguments c;
  if (guarded(&error, [&] {
        bool appends = false;
        if (status s = c.convert(file, delimiter, header, quote, threads); !s.ok()) return s;
        if (status s = read_flag(append, "append", false, appends); !s.ok()) return s;
        c.options.append = appends ? 1 : 0;
        return status();
      }) == 0)
    hr_table_write(c.file.c_str(), *table, &c.options, &error);
  report(error, iostat, iomsg);
}

static void get_column(const hr_table* table, const column_argument& column,
                       const CFI_cdesc_t* array, const CFI_cdesc_t* missing, const CFI_cdesc_t* fmt,
                       const CFI_cdesc_t* decimal, const CFI_cdesc_t* imaginary, const int* threads,
                       int* iostat, CFI_cdesc_t* iomsg) {
  hr_error error{};
  hr_array described{};
  style_arguments style;
  if (guarded(&error, [&] {
        if (status s = array_argument(*array, nullptr, described); !s.ok()) return s;
        return style.convert(fmt, nullptr, decimal, imaginary, missing, threads);
      }) == 0)
    hr_table_get(*table, column.name_or_null, column.number, &described, style.style(), &error);
  report(error, iostat, iomsg);
}

extern "C" void hr_fortran_table_get_name(const hr_table* table, const CFI_cdesc_t* column,
                                          const CFI_cdesc_t* array, const CFI_cdesc_t* missing,
                                          const CFI_cdesc_t* fmt, const CFI_cdesc_t* decimal,
                                          const CFI_cdesc_t* imaginary, const int* threads,
                                          int* iostat, CFI_cdesc_t* iomsg) {
  get_column(table, {column, nullptr}, array, missing, fmt, decimal, imaginary, threads, iostat,
             iomsg);
}

extern "C" void hr_fortran_table_get_number(const hr_table* table, const int* column,
                                            const CFI_cdesc_t* array, const CFI_cdesc_t* missing,
                                            const CFI_cdesc_t* fmt, const CFI_cdesc_t* decimal,
                                            const CFI_cdesc_t* imaginary, const int* threads,
                                            int* iostat, CFI_cdesc_t* iomsg) {
  get_column(table, {nullptr, column}, array, missing, fmt, decimal, imaginary, threads, iostat,
             iomsg);
}

extern "C" void hr_fortran_table_put(hr_table* table, const CFI_cdesc_t* column,
                                     const CFI_cdesc_t* array, const CFI_cdesc_t* fmt,
                                     const int* decimals, const CFI_cdesc_t* decimal,
                                     const CFI_cdesc_t* imaginary, const int* threads, int* iostat,
                                     CFI_cdesc_t* iomsg) {
  hr_error error{};
  hr_array described{};
  style_arguments style;
  if (guarded(&error, [&] {
        if (status s = array_argument(*array, nullptr, described); !s.ok()) return s;
        return style.convert(fmt, decimals, decimal, imaginary, nullptr, threads);
      }) == 0)
    hr_table_put(table, text_of(column).c_str(), &described, style.style(), &error);
  report(error, iostat, iomsg);
}

extern "C" std::int64_t hr_fortran_table_rows(const hr_table* table, int* iostat,
                                              CFI_cdesc_t* iomsg) {
  hr_error error{};
  std::int64_t rows = -1;
  hr_table_shape(*table, &rows, nullptr, &error);
  report(error, iostat, iomsg);
  return rows;
}

extern "C" std::int64_t hr_fortran_table_columns(const hr_table* table, int* iostat,
                                                 CFI_cdesc_t* iomsg) {
  hr_error error{};
  std::int64_t columns = -1;
  hr_table_shape(*table, nullptr, &columns, &error);
  report(error, iostat, iomsg);
  return columns;
}

extern "C" void hr_fortran_column_name(const hr_table* table, const int* column,
                                       std::size_t* length) {
  hr_error error{};
  hr_text name{nullptr, 0};
  hr_table_column_name(*table, *column, &name, &error);
  keep_text(name, length);
  keep_failure(error);
}

static void column_type(const hr_table* table, const column_argument& column, std::size_t* length) {
  hr_error error{};
  hr_text type{nullptr, 0};
  hr_table_column_type(*table, column.name_or_null, column.number, &type, &error);
  keep_text(type, length);
  keep_failure(error);
}

extern "C" void hr_fortran_column_type_name(const hr_table* table, const CFI_cdesc_t* column,
                                            std::size_t* length) {
  column_type(table, {column, nullptr}, length);
}

extern "C" void hr_fortran_column_type_number(const hr_table* table, const int* column,
                                              std::size_t* length) {
  column_type(table, {nullptr, column}, length);
}

static std::int64_t column_length(const hr_table* table, const column_argument& column, int* iostat,
                                  CFI_cdesc_t* iomsg) {
  hr_error error{};
  std::int64_t length = -1;
  hr_table_column_length(*table, column.name_or_null, column.number, &length, &error);
  report(error, iostat, iomsg);
  return length;
}

extern "C" std::int64_t hr_fortran_column_length_name(const hr_table* table,
                                                      const CFI_cdesc_t* column, int* iostat,
                                                      CFI_cdesc_t* iomsg) {
  return column_length(table, {column, nullptr}, iostat, iomsg);
}

extern "C" std::int64_t hr_fortran_column_length_number(const hr_table* table, const int* column,
                                                        int* iostat, CFI_cdesc_t* iomsg) {
  return column_length(table, {nullptr, column}, iostat, iomsg);
}

extern "C" void hr_fortran_close_table(hr_table* table, int* iostat, CFI_cdesc_t* iomsg) {
  hr_error error{};
  hr_table_close(table, &error);
  report(error, iostat, iomsg);
}
