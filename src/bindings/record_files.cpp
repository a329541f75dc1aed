// Files of records, of the module headrace_records. Next: headrace_records.h.
#include "../../include/headrace_records.h"

#include "arguments.hpp"
#include "descriptor.hpp"
#include "option_texts.hpp"

namespace headrace {
namespace {

using array_function = int (*)(hr_record_file, const hr_array*, hr_error*);
using number_function = int (*)(hr_record_file, long long, hr_error*);

void pass_array(array_function function, hr_record_file file, const CFI_cdesc_t* array, int* iostat,
                CFI_cdesc_t* iomsg) {
  fresh_error error;
  with_array(array, error, [&](const hr_array& c_array) { function(file, &c_array, &error); });
  report(error, iostat, iomsg);
}

void pass_number(number_function function, hr_record_file file, const CFI_cdesc_t* number,
                 const char* name, int* iostat, CFI_cdesc_t* iomsg) {
  fresh_error error;
  long long value = 0;
  if (guarded(&error, [&] { return read_integer(number, name, value); }) == 0)
    function(file, value, &error);
  report(error, iostat, iomsg);
}

}  // namespace
}  // namespace headrace

extern "C" void hr_fortran_open_records(hr_record_file* file, const CFI_cdesc_t* name,
                                        const CFI_cdesc_t* action, const int* record_marker,
                                        const CFI_cdesc_t* byte_order,
                                        const CFI_cdesc_t* long_records,
                                        const CFI_cdesc_t* record_type, const CFI_cdesc_t* sync,
                                        int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  fresh_error error;
  option_texts texts;
  hr_record_options options{};
  *file = 0;
  const int failed = guarded(&error, [&] {
    options.action = texts.add(action);
    options.record_marker = record_marker == nullptr ? 0 : *record_marker;
    options.byte_order = texts.add(byte_order);
    options.long_records = texts.add(long_records);
    options.record_type = texts.add(record_type);
    options.sync = texts.add(sync);
    return status();
  });
  if (failed == 0) hr_open_records(texts.add(name), &options, file, &error);
  report(error, iostat, iomsg);
}

extern "C" void hr_fortran_next_record(const hr_record_file* file, std::int64_t* bytes, int* iostat,
                                       CFI_cdesc_t* iomsg) {
  headrace::fresh_error error;
  long long length = 0;
  hr_next_record(*file, &length, &error);
  *bytes = length;
  headrace::report(error, iostat, iomsg);
}

extern "C" void hr_fortran_read_record(const hr_record_file* file, const CFI_cdesc_t* array,
                                       int* iostat, CFI_cdesc_t* iomsg) {
  headrace::pass_array(hr_read_record, *file, array, iostat, iomsg);
}

extern "C" void hr_fortran_read_records(const hr_record_file* file, const CFI_cdesc_t* array,
                                        int* iostat, CFI_cdesc_t* iomsg) {
  headrace::pass_array(hr_read_records, *file, array, iostat, iomsg);
}

extern "C" void hr_fortran_write_record(const hr_record_file* file, const CFI_cdesc_t* array,
                                        int* iostat, CFI_cdesc_t* iomsg) {
  headrace::pass_array(hr_write_record, *file, array, iostat, iomsg);
}

extern "C" void hr_fortran_write_records(const hr_record_file* file, const CFI_cdesc_t* array,
                                         int* iostat, CFI_cdesc_t* iomsg) {
  headrace::pass_array(hr_write_records, *file, array, iostat, iomsg);
}

extern "C" void hr_fortran_skip_records(const hr_record_file* file, const CFI_cdesc_t* records,
                                        int* iostat, CFI_cdesc_t* iomsg) {
  headrace::pass_number(hr_skip_records, *file, records, "records", iostat, iomsg);
}

extern "C" void hr_fortran_go_to_record(const hr_record_file* file, const CFI_cdesc_t* number,
                                        int* iostat, CFI_cdesc_t* iomsg) {
  headrace::pass_number(hr_go_to_record, *file, number, "number", iostat, iomsg);
}

extern "C" void hr_fortran_count_records(const hr_record_file* file, std::int64_t* records,
                                         std::int64_t* next, int* iostat, CFI_cdesc_t* iomsg) {
  headrace::fresh_error error;
  long long count = 0;
  long long after = 0;
  hr_count_records(*file, &count, &after, &error);
  *records = count;
  if (next != nullptr) *next = after;
  headrace::report(error, iostat, iomsg);
}

extern "C" void hr_fortran_close_records(const hr_record_file* file, int* iostat,
                                         CFI_cdesc_t* iomsg) {
  headrace::fresh_error error;
  hr_record_file handle = *file;
  hr_close_records(&handle, &error);
  headrace::report(error, iostat, iomsg);
}
