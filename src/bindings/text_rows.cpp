// Text files row by row, of the module headrace_rows. Next: headrace_rows.h.
#include "../../include/headrace_rows.h"

#include "arguments.hpp"
#include "descriptor.hpp"
#include "option_texts.hpp"

extern "C" void hr_fortran_open_writer(hr_text_writer* writer, const CFI_cdesc_t* file,
                                       const CFI_cdesc_t* number, const CFI_cdesc_t* delimiter,
                                       const CFI_cdesc_t* decimal, const CFI_cdesc_t* header,
                                       const CFI_cdesc_t* append, const CFI_cdesc_t* replace,
                                       const int* threads, const CFI_cdesc_t* format,
                                       const CFI_cdesc_t* sync, hr_progress progress,
                                       const int* level, int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  fresh_error error;
  option_texts texts;
  hr_write_options options{};
  *writer = 0;
  const int failed = guarded(&error, [&] {
    options = texts.write_options(
        {nullptr, number, delimiter, decimal, append, replace, threads, format, sync});
    options.level = level == nullptr ? 0 : *level;
    return texts.add_names(header, options.header, options.header_count);
  });
  if (failed == 0) hr_text_writer_open(texts.add(file), &options, progress, writer, &error);
  report(error, iostat, iomsg);
}

extern "C" void hr_fortran_open_reader(hr_text_reader* reader, const CFI_cdesc_t* file,
                                       const CFI_cdesc_t* number, const CFI_cdesc_t* delimiter,
                                       const CFI_cdesc_t* decimal, const CFI_cdesc_t* header,
                                       const CFI_cdesc_t* comment, const int* skip_rows,
                                       const CFI_cdesc_t* columns, const CFI_cdesc_t* missing,
                                       const int* threads, const CFI_cdesc_t* format,
                                       hr_progress progress, int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  fresh_error error;
  option_texts texts;
  hr_read_options options{};
  *reader = 0;
  const int failed = guarded(&error, [&] {
    return texts.read_options({nullptr, number, delimiter, decimal, header, comment, skip_rows,
                               columns, missing, threads, format},
                              options);
  });
  if (failed == 0) hr_text_reader_open(texts.add(file), &options, progress, reader, &error);
  report(error, iostat, iomsg);
}

extern "C" void hr_fortran_write_rows(const hr_text_writer* writer, const CFI_cdesc_t* array,
                                      int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  fresh_error error;
  bool described = false;
  with_array(array, error, [&](const hr_array& rows) {
    described = true;
    hr_text_writer_rows(*writer, &rows, &error);
  });
  // The rows are missing from the file: the handle must know.
  if (!described) hr_text_writer_rows(*writer, nullptr, nullptr);
  report(error, iostat, iomsg);
}

extern "C" void hr_fortran_read_rows(const hr_text_reader* reader, const CFI_cdesc_t* array,
                                     int* rows, int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  fresh_error error;
  long long count = 0;
  with_array(array, error, [&](const hr_array& target) {
    hr_text_reader_rows(*reader, &target, &count, &error);
  });
  if (rows != nullptr) *rows = static_cast<int>(count);
  report(error, iostat, iomsg);
}

extern "C" void hr_fortran_close_writer(const hr_text_writer* writer, int* iostat,
                                        CFI_cdesc_t* iomsg) {
  headrace::fresh_error error;
  hr_text_writer handle = *writer;
  hr_text_writer_close(&handle, &error);
  headrace::report(error, iostat, iomsg);
}

extern "C" void hr_fortran_close_reader(const hr_text_reader* reader, int* iostat,
                                        CFI_cdesc_t* iomsg) {
  headrace::fresh_error error;
  hr_text_reader handle = *reader;
  hr_text_reader_close(&handle, &error);
  headrace::report(error, iostat, iomsg);
}
