// hr_write_array and hr_read_array: find the format, let it work. Next: formats.hpp.
#include "errors.hpp"
#include "formats.hpp"
#include "options.hpp"
#include "views.hpp"

namespace headrace {
namespace {

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
