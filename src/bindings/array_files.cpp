// write_array and read_array of the module headrace_arrays. Next: hr_write_array in headrace.h.
#include "../abi/errors.hpp"
#include "../abi/views.hpp"
#include "arguments.hpp"
#include "descriptor.hpp"

namespace headrace {
namespace {

// Fortran's arguments as the C interface takes them.
struct c_arguments {
  std::string file;
  std::string format;
  std::string sync;
  hr_array array{};

  status convert(const CFI_cdesc_t* file_name, const CFI_cdesc_t* fortran_array,
                 const CFI_cdesc_t* format_name, const CFI_cdesc_t* sync_name) {
    file = text_of(file_name);
    format = text_of(format_name);
    sync = text_of(sync_name);
    array_view view;
    if (status s = view_of(*fortran_array, view); !s.ok()) return std::move(s).in_file(file);
    array = to_c(view);
    return {};
  }
};

}  // namespace
}  // namespace headrace

extern "C" void hr_fortran_write_array(const CFI_cdesc_t* file, const CFI_cdesc_t* array,
                                       const CFI_cdesc_t* format, const CFI_cdesc_t* sync,
                                       int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  hr_error error{};
  c_arguments c;
  if (guarded(&error, [&] { return c.convert(file, array, format, sync); }) == 0) {
    const hr_write_options options{c.format.c_str(), c.sync.c_str()};
    hr_write_array(c.file.c_str(), &c.array, &options, &error);
  }
  report(error, iostat, iomsg);
}

extern "C" void hr_fortran_read_array(const CFI_cdesc_t* file, const CFI_cdesc_t* array,
                                      const CFI_cdesc_t* format, int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  hr_error error{};
  c_arguments c;
  if (guarded(&error, [&] { return c.convert(file, array, format, nullptr); }) == 0) {
    const hr_read_options options{c.format.c_str()};
    hr_read_array(c.file.c_str(), &c.array, &options, &error);
  }
  report(error, iostat, iomsg);
}
