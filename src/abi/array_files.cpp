// hr_write_array and hr_read_array: find the format, let it work. Next: formats.hpp.
#include <algorithm>

#include "../core/files.hpp"
#include "../text/text_shape.hpp"
#include "errors.hpp"
#include "formats.hpp"
#include "options.hpp"
#include "views.hpp"

namespace headrace {
namespace {

static_assert(HR_SUCCESS == static_cast<int>(stat_code::success));
static_assert(HR_END_OF_FILE == static_cast<int>(stat_code::end_of_file));
static_assert(HR_END_OF_RECORD == static_cast<int>(stat_code::end_of_record));
static_assert(HR_ARRAY_NOT_ALLOCATED == static_cast<int>(stat_code::array_not_allocated));
static_assert(HR_ARRAY_ASSUMED_SIZE == static_cast<int>(stat_code::array_assumed_size));
static_assert(HR_TYPE_UNKNOWN == static_cast<int>(stat_code::type_unknown));
static_assert(HR_TYPE_DERIVED == static_cast<int>(stat_code::type_derived));
static_assert(HR_ARRAY_TOO_LARGE == static_cast<int>(stat_code::array_too_large));
static_assert(HR_ARGUMENT_INVALID == static_cast<int>(stat_code::argument_invalid));
static_assert(HR_FILE_NAME_EMPTY == static_cast<int>(stat_code::file_name_empty));
static_assert(HR_FORMAT_UNKNOWN == static_cast<int>(stat_code::format_unknown));
static_assert(HR_OPTION_UNKNOWN == static_cast<int>(stat_code::option_unknown));
static_assert(HR_FILE_SIZE_MISMATCH == static_cast<int>(stat_code::file_size_mismatch));
static_assert(HR_FILE_CHANGED_WHILE_WRITING ==
              static_cast<int>(stat_code::file_changed_while_writing));
static_assert(HR_DESCRIPTOR_FOREIGN == static_cast<int>(stat_code::descriptor_foreign));
static_assert(HR_TEXT_ENCODING == static_cast<int>(stat_code::text_encoding));
static_assert(HR_BAD_NUMBER == static_cast<int>(stat_code::bad_number));
static_assert(HR_NUMBER_OUT_OF_RANGE == static_cast<int>(stat_code::number_out_of_range));
static_assert(HR_ROW_LENGTH == static_cast<int>(stat_code::row_length));
static_assert(HR_ROW_COUNT == static_cast<int>(stat_code::row_count));
static_assert(HR_MISSING_VALUE == static_cast<int>(stat_code::missing_value));
static_assert(HR_LINE_TOO_LONG == static_cast<int>(stat_code::line_too_long));
static_assert(HR_FORMAT_INVALID == static_cast<int>(stat_code::format_invalid));
static_assert(HR_EDIT_MISMATCH == static_cast<int>(stat_code::edit_mismatch));
static_assert(HR_KIND_UNSUPPORTED == static_cast<int>(stat_code::kind_unsupported));
static_assert(HR_QUOTE_UNBALANCED == static_cast<int>(stat_code::quote_unbalanced));
static_assert(HR_COLUMN_UNKNOWN == static_cast<int>(stat_code::column_unknown));
static_assert(HR_HANDLE_CLOSED == static_cast<int>(stat_code::handle_closed));
static_assert(HR_COMPRESSION_DAMAGED == static_cast<int>(stat_code::compression_damaged));
static_assert(HR_COMPRESSION_UNAVAILABLE == static_cast<int>(stat_code::compression_unavailable));
static_assert(HR_RECORD_TOO_SHORT == static_cast<int>(stat_code::record_too_short));
static_assert(HR_FILE_CHANGED_WHILE_READING ==
              static_cast<int>(stat_code::file_changed_while_reading));
static_assert(HR_INTERRUPTED == static_cast<int>(stat_code::interrupted));

// What both verbs need: a file name, a sound array and the format that does the work.
struct request {
  std::string file;
  array_view array;
  const format* file_format = nullptr;

  status prepare(const char* name, const hr_array* described, const char* format_name) {
    if (described == nullptr)
      return status::failure(stat_code::argument_invalid, "the array is a null pointer")
          .advise("describe it with an hr_array");
    file = text_of(name);
    if (file.empty())
      return status::failure(stat_code::file_name_empty, "the file name is empty")
          .advise("give the name of a file");
    if (status s = from_c(*described, array); !s.ok()) return std::move(s).in_file(file);
    return find_format(file, text_of(format_name), file_format);
  }
};

// For a text file of rows that can be read twice.
status convert_to_measure(const std::string& file, const hr_read_options& options,
                          read_settings& settings) {
  const format* file_format = nullptr;
  if (status s = find_format(file, text_of(options.format), file_format); !s.ok()) return s;
  if (status s = convert(options, *file_format, settings); !s.ok())
    return std::move(s).in_file_once(file);
  if (!file_format->is_text)
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

}  // namespace
}  // namespace headrace

extern "C" int hr_write_array(const char* file, const hr_array* array,
                              const hr_write_options* options, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    const hr_write_options chosen = options == nullptr ? hr_write_options{} : *options;
    request wanted;
    write_settings settings;
    if (status s = wanted.prepare(file, array, chosen.format); !s.ok()) return s;
    if (status s = convert(chosen, *wanted.file_format, settings); !s.ok())
      return std::move(s).in_file_once(wanted.file);
    return wanted.file_format->write(wanted.file, wanted.array, settings);
  });
}

extern "C" int hr_read_array(const char* file, const hr_array* array,
                             const hr_read_options* options, hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    const hr_read_options chosen = options == nullptr ? hr_read_options{} : *options;
    request wanted;
    read_settings settings;
    if (status s = wanted.prepare(file, array, chosen.format); !s.ok()) return s;
    if (status s = convert(chosen, *wanted.file_format, settings); !s.ok())
      return std::move(s).in_file_once(wanted.file);
    return wanted.file_format->read(wanted.file, wanted.array, settings);
  });
}

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
    if (status s = convert_to_measure(name, chosen, settings); !s.ok()) return s;
    if (chosen.type < 0 || chosen.type > HR_TYPE_CHARACTER)
      return status::failure(stat_code::argument_invalid, "type is no hr_type")
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

extern "C" int hr_text_fit(const char* file, const hr_read_options* options, hr_array* array,
                           hr_error* error) {
  using namespace headrace;
  return guarded(error, [&] {
    const hr_read_options chosen = options == nullptr ? hr_read_options{} : *options;
    const std::string name = text_of(file);
    read_settings settings;
    array_view view;
    if (array == nullptr)
      return status::failure(stat_code::argument_invalid, "the array is a null pointer")
          .in_file(name)
          .advise("describe its type and array rank with an hr_array");
    if (status s = convert_to_measure(name, chosen, settings); !s.ok()) return s;
    hr_array wanted{};
    wanted.base = array;  // of the elements to come, which are not touched
    wanted.type = array->type;
    wanted.array_rank = array->array_rank;
    wanted.elem_len = array->elem_len;
    if (status s = from_c(wanted, view); !s.ok()) return std::move(s).in_file(name);
    if (status s = fit_to_text(name, settings, view); !s.ok()) return s;
    array->elem_len = view.elem_len;
    std::copy(view.extent.begin(), view.extent.end(), array->extent);
    return status();
  });
}

// CMake and fpm give the version of fpm.toml.
#if !defined(HEADRACE_VERSION)
#define HEADRACE_VERSION "unknown"
#endif

extern "C" const char* hr_version(void) {
  return HEADRACE_VERSION;
}

extern "C" const char* hr_stat_name(int status) {
  return headrace::name_of(status);
}
