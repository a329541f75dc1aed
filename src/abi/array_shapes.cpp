// hr_text_shape, hr_describe_array and hr_fit_array: what a file holds, before it is read.
#include <algorithm>
#include <cstring>

#include "../binary/array_names.hpp"
#include "../binary/npy_descr.hpp"
#include "../cells/characters.hpp"
#include "../core/byte_swap.hpp"
#include "../core/files.hpp"
#include "errors.hpp"
#include "formats.hpp"
#include "options.hpp"
#include "texts.hpp"
#include "views.hpp"

namespace headrace {
namespace {

// The format of a file and what its options mean.
status prepare(const std::string& file, const hr_read_options& options, const format*& file_format,
               read_settings& settings) {
  if (status s = find_format(file, text_of(options.format), file_format); !s.ok()) return s;
  return convert(options, *file_format, settings).in_file_once(file);
}

// Only text files of rows that can be read twice have a shape to be counted.
status check_measurable(const std::string& file, const format& file_format,
                        const read_settings& settings) {
  if (!file_format.is_text)
    return status::failure(stat_code::format_unknown, "only text files have rows")
        .in_file(file)
        .advise("choose a text format such as \"csv\"");
  if (is_pipe(file))
    return status::failure(stat_code::argument_invalid,
                           "the shape of a pipe is not known before it is read")
        .in_file(file)
        .advise("read it into an array of known shape");
  if (!settings.text.edit.empty())
    return status::failure(stat_code::option_unknown, "a file read through edit= has no columns")
        .in_file(file)
        .advise("hr_read_array takes edit= and an array of known shape");
  return {};
}

// The same for a file that must be such a text.
status prepare_text(const std::string& file, const hr_read_options& options,
                    read_settings& settings) {
  const format* file_format = nullptr;
  if (status s = prepare(file, options, file_format, settings); !s.ok()) return s;
  return check_measurable(file, *file_format, settings);
}

status deliver(const array_info& info, const std::string& file, hr_array_info& result) {
  result = {};
  result.type = info.typed ? static_cast<int>(info.type) : 0;
  if (info.typed && info.is_unsigned) result.type = HR_TYPE_UNSIGNED;
  result.array_rank = info.array_rank;
  result.elem_len = info.elem_len;
  std::copy(info.extent.begin(), info.extent.end(), result.extent);
  result.bytes = static_cast<long long>(info.bytes);
  result.big_endian = info.order == byte_order::big ||
                      (info.order == byte_order::native && is_swapped(byte_order::little));
  result.last_index_fastest = info.last_index_fastest;
  result.data_offset = info.data_offset;
  const std::string& data_file = info.file.empty() ? file : info.file;
  if (data_file.size() >= sizeof result.data_file)
    return status::failure(stat_code::argument_invalid, "the name of the data file is too long")
        .in_file(file)
        .advise("use a shorter path");
  std::memcpy(result.data_file, data_file.c_str(), data_file.size() + 1);
  return {};
}

// An array of rank 1 takes bytes without a shape.
status fit_to_bytes(const std::string& file, const array_info& info, array_view& array) {
  if (array.array_rank != 1)
    return status::failure(stat_code::shape_mismatch, "the file does not say its shape")
        .in_file(file)
        .advise("load it into an array of rank 1, or read it into an array of known shape");
  if (array.elem_len == 0)
    return status::failure(stat_code::kind_mismatch,
                           "the file does not say the length of its characters")
        .in_file(file)
        .advise("read it into characters of known length");
  if (info.bytes % array.elem_len != 0)
    return status::failure(stat_code::file_size_mismatch,
                           "the file does not hold a whole number of elements")
        .expected("a multiple of " + bytes_text(array.elem_len), bytes_text(info.bytes))
        .in_file(file)
        .advise("use the kind that was written");
  array.extent[0] = static_cast<std::ptrdiff_t>(info.bytes / array.elem_len);
  return {};
}

status fit_to_array(const std::string& file, const array_info& info, array_view& array) {
  if (status s = check_fortran_has(info); !s.ok()) return std::move(s).in_file(file);
  const bool characters = array.type == type_class::character && array.elem_len == 0;
  const bool logicals = array.type == type_class::logical && info.any_logical_kind;
  if (info.type != array.type || (!characters && !logicals && info.elem_len != array.elem_len))
    return status::failure(stat_code::kind_mismatch, "the file holds another type or kind")
        .expected(characters ? "character" : type_name(array.type, array.elem_len),
                  type_name(info.type, info.elem_len))
        .in_file(file)
        .advise("use an array of the type and kind that was written");
  if (info.array_rank != array.array_rank)
    return status::failure(stat_code::shape_mismatch,
                           "the file holds an array of another array rank")
        .expected("array rank " + std::to_string(array.array_rank),
                  "array rank " + std::to_string(info.array_rank) + " " +
                      shape_name(info.array_rank, info.extent.data()))
        .in_file(file)
        .advise("use an array of that rank");
  if (characters) array.elem_len = info.elem_len;
  array.extent = info.extent;
  return {};
}

status fit(const std::string& file, const hr_read_options& options, array_view& array) {
  const format* file_format = nullptr;
  read_settings settings;
  if (status s = prepare(file, options, file_format, settings); !s.ok()) return s;
  if (file_format->describe == nullptr) {
    if (status s = check_measurable(file, *file_format, settings); !s.ok()) return s;
    return fit_to_text(file, settings, array);
  }
  array_info info;
  if (status s = file_format->describe(file, settings, info); !s.ok()) return s;
  return info.typed ? fit_to_array(file, info, array) : fit_to_bytes(file, info, array);
}

}  // namespace
}  // namespace headrace

extern "C" int hr_text_shape(const char* file, const hr_read_options* options, long long* rows,
                             long long* columns, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    const hr_read_options chosen = options == nullptr ? hr_read_options{} : *options;
    const std::string name = text_of(file);
    read_settings settings;
    if (rows == nullptr || columns == nullptr)
      return status::failure(stat_code::argument_invalid, "rows or columns is a null pointer")
          .in_file(name)
          .advise("give places for both numbers");
    if (status s = prepare_text(name, chosen, settings); !s.ok()) return s;
    if (chosen.type < 0 || chosen.type > HR_TYPE_CHARACTER)
      return status::failure(stat_code::argument_invalid, "type is not an hr_type")
          .in_file(name)
          .advise("see hr_type in headrace.h");
    const type_class type =
        chosen.type == 0 ? type_class::real : static_cast<type_class>(chosen.type);
    text_extents found;
    status result = measure_text(name, settings, type, found);
    *rows = static_cast<long long>(found.rows);
    *columns = static_cast<long long>(found.columns);
    return result;
  });
}

extern "C" int hr_column_names(const char* file, const hr_read_options* options, hr_text* names,
                               int64_t* count, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    const hr_read_options chosen = options == nullptr ? hr_read_options{} : *options;
    const std::string name = text_of(file);
    read_settings settings;
    std::vector<std::string> found;
    if (names == nullptr)
      return status::failure(stat_code::argument_invalid, "names is a null pointer")
          .in_file(name)
          .advise("give a place for the names");
    if (status s = prepare_text(name, chosen, settings); !s.ok()) return s;
    const type_class type =
        chosen.type == 0 ? type_class::real : static_cast<type_class>(chosen.type);
    if (status s = read_column_names(name, settings, type, found); !s.ok()) return s;
    std::string text;
    for (const std::string& one : found) text.append(one).push_back('\0');
    deliver_text(text, names);
    if (count != nullptr) *count = static_cast<int64_t>(found.size());
    return status();
  });
}

extern "C" int hr_describe_array(const char* file, const hr_read_options* options,
                                 hr_array_info* info, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    const std::string name = text_of(file);
    const format* file_format = nullptr;
    read_settings settings;
    array_info found;
    if (info == nullptr)
      return status::failure(stat_code::argument_invalid, "info is a null pointer")
          .in_file(name)
          .advise("give a place for what the file says");
    if (status s =
            prepare(name, options == nullptr ? hr_read_options{} : *options, file_format, settings);
        !s.ok())
      return s;
    if (file_format->describe == nullptr)
      return status::failure(stat_code::format_unknown, "a text does not say what array it holds")
          .in_file(name)
          .advise("hr_text_shape counts its rows and columns");
    if (status s = file_format->describe(name, settings, found); !s.ok()) return s;
    return deliver(found, name, *info);
  });
}

extern "C" int hr_fit_array(const char* file, const hr_read_options* options, hr_array* array,
                            hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    const hr_read_options chosen = options == nullptr ? hr_read_options{} : *options;
    const std::string name = text_of(file);
    array_view view;
    if (array == nullptr)
      return status::failure(stat_code::argument_invalid, "the array is a null pointer")
          .in_file(name)
          .advise("describe its type and array rank with an hr_array");
    hr_array wanted{};
    wanted.base = array;  // of the elements to come, which are not touched
    wanted.type = array->type;
    wanted.array_rank = array->array_rank;
    wanted.elem_len = array->elem_len;
    if (status s = from_c(wanted, view); !s.ok()) return std::move(s).in_file(name);
    if (status s = fit(name, chosen, view); !s.ok()) return s;
    array->elem_len = view.elem_len;
    std::copy(view.extent.begin(), view.extent.end(), array->extent);
    return status();
  });
}
