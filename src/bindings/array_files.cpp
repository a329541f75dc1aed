// write_array and read_array of the module headrace_arrays. Next: hr_write_array in headrace.h.
#include "../abi/errors.hpp"
#include "../abi/views.hpp"
#include "arguments.hpp"
#include "descriptor.hpp"
#include "option_texts.hpp"

namespace headrace {
namespace {

status convert(const std::string& file, const CFI_cdesc_t* fortran_array, hr_array& array) {
  array_view view;
  if (status s = view_of(*fortran_array, view); !s.ok()) return std::move(s).in_file(file);
  array = to_c(view);
  return {};
}

}  // namespace
}  // namespace headrace

extern "C" void hr_fortran_write_array(
    const CFI_cdesc_t* file, const CFI_cdesc_t* array, const CFI_cdesc_t* edit,
    const CFI_cdesc_t* number, const CFI_cdesc_t* delimiter, const CFI_cdesc_t* decimal,
    const CFI_cdesc_t* header, const CFI_cdesc_t* append, const CFI_cdesc_t* replace,
    const int* threads, const CFI_cdesc_t* format, const CFI_cdesc_t* sync,
    const CFI_cdesc_t* byte_order, const int* record_marker, const CFI_cdesc_t* record_length,
    const CFI_cdesc_t* record, const CFI_cdesc_t* checksum, const CFI_cdesc_t* array_name,
    const CFI_cdesc_t* compression, const int* level, int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  fresh_error error;
  option_texts texts;
  hr_array c_array{};
  hr_write_options options{};
  const int failed = guarded(&error, [&] {
    const std::string name = text_of(file);
    options = texts.write_options(
        {edit, number, delimiter, decimal, append, replace, threads, format, sync});
    options.compression = texts.add(compression);
    options.level = level == nullptr ? 0 : *level;
    if (status s = texts.add_binary(
            {byte_order, record_marker, record_length, record, checksum, array_name}, options);
        !s.ok())
      return std::move(s).in_file(name);
    if (status s = texts.add_names(header, options.header, options.header_count); !s.ok())
      return std::move(s).in_file(name);
    return convert(name, array, c_array);
  });
  if (failed == 0) hr_write_array(texts.add(file), &c_array, &options, &error);
  report(error, iostat, iomsg);
}

extern "C" void hr_fortran_read_array(
    const CFI_cdesc_t* file, const CFI_cdesc_t* array, const CFI_cdesc_t* edit,
    const CFI_cdesc_t* number, const CFI_cdesc_t* delimiter, const CFI_cdesc_t* decimal,
    const CFI_cdesc_t* header, const CFI_cdesc_t* comment, const int* skip_rows,
    const CFI_cdesc_t* columns, const CFI_cdesc_t* missing, const int* threads,
    const CFI_cdesc_t* format, const CFI_cdesc_t* byte_order, const int* record_marker,
    const CFI_cdesc_t* record_length, const CFI_cdesc_t* record, const CFI_cdesc_t* checksum,
    const CFI_cdesc_t* array_name, int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  fresh_error error;
  option_texts texts;
  hr_array c_array{};
  hr_read_options options{};
  const int failed = guarded(&error, [&] {
    if (status s = texts.read_options({edit, number, delimiter, decimal, header, comment, skip_rows,
                                       columns, missing, threads, format},
                                      options);
        !s.ok())
      return std::move(s).in_file(text_of(file));
    if (status s = texts.add_binary(
            {byte_order, record_marker, record_length, record, checksum, array_name}, options);
        !s.ok())
      return std::move(s).in_file(text_of(file));
    return convert(text_of(file), array, c_array);
  });
  if (failed == 0) hr_read_array(texts.add(file), &c_array, &options, &error);
  report(error, iostat, iomsg);
}
