// hr_write_array and hr_read_array: find the format, let it work. Next: formats.hpp.
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
static_assert(HR_RECORD_MARKER_DAMAGED == static_cast<int>(stat_code::record_marker_damaged));
static_assert(HR_RECORD_SIZE_MISMATCH == static_cast<int>(stat_code::record_size_mismatch));
static_assert(HR_RECORD_MISSING == static_cast<int>(stat_code::record_missing));
static_assert(HR_CHECKSUM_MISMATCH == static_cast<int>(stat_code::checksum_mismatch));
static_assert(HR_KIND_MISMATCH == static_cast<int>(stat_code::kind_mismatch));
static_assert(HR_SHAPE_MISMATCH == static_cast<int>(stat_code::shape_mismatch));
static_assert(HR_HEADER_DAMAGED == static_cast<int>(stat_code::header_damaged));
static_assert(HR_ARRAY_MISSING == static_cast<int>(stat_code::array_missing));
static_assert(HR_TRUNCATED_RECORD == static_cast<int>(stat_code::truncated_record));
static_assert(HR_LAYOUT_INVALID == static_cast<int>(stat_code::layout_invalid));
static_assert(HR_RANKS_DISAGREE == static_cast<int>(stat_code::ranks_disagree));
static_assert(HR_RANK_MISSING == static_cast<int>(stat_code::rank_missing));
static_assert(HR_BACKEND_UNAVAILABLE == static_cast<int>(stat_code::backend_unavailable));
static_assert(HR_STEP_MISSING == static_cast<int>(stat_code::step_missing));
static_assert(HR_CHUNK_MISSING == static_cast<int>(stat_code::chunk_missing));
static_assert(HR_LIBRARY_FAILED == static_cast<int>(stat_code::library_failed));
static_assert(HR_WRITTEN_BY_ANOTHER_RANK == static_cast<int>(stat_code::written_by_another_rank));
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
    if (status s = from_c_or_unsigned(*described, array); !s.ok())
      return std::move(s).in_file(file);
    if (status s = find_format(file, text_of(format_name), file_format); !s.ok()) return s;
    return check_type().in_file_once(file);
  }

  // Text and meta have no unsigned integers.
  status check_type() const {
    if (!array.is_unsigned || (file_format->options & takes_unsigned) != 0) return {};
    return status::failure(stat_code::kind_unsupported,
                           std::string(file_format->name) + " files have no unsigned integers")
        .advise("convert them to signed integers that hold them, or write an .npy file");
  }
};

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
