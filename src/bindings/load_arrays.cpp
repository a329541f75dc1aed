// load_array: one body that allocates for all interfaces of the module headrace_load, and two steps
// of it for those that must allocate in Fortran (headrace_load_steps). Next: hr_fit_array in
// headrace.h.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "../abi/errors.hpp"
#include "../abi/views.hpp"
#include "arguments.hpp"
#include "descriptor.hpp"
#include "option_texts.hpp"
#include "text_arguments.hpp"

namespace headrace {
namespace {

// A text argument as load_by_fortran.f90 hands it on; the types have the same names there.
struct argument_text {
  char* bytes;  // null: absent
  std::size_t length;
};

struct load_request {
  argument_text file, number, delimiter, decimal, header, comment, missing, format, byte_order,
      name;
  int skip_rows, threads, record_marker;
};

// The same as a descriptor, of which texts need the place and the length only.
class text_descriptor {
 public:
  explicit text_descriptor(const argument_text& text) {
    descriptor_.base_addr = text.bytes;
    descriptor_.elem_len = text.length;
  }
  operator const CFI_cdesc_t*() const { return &descriptor_; }

 private:
  CFI_cdesc_t descriptor_{};
};

using text = text_descriptor;

// What a file is read with, and how it went.
struct load {
  std::string file;
  option_texts texts;
  hr_read_options options{};
  fresh_error error;

  void begin(const CFI_cdesc_t* name, const read_arguments& arguments,
             const binary_arguments& binary) {
    guarded(&error, [&] {
      file = text_of(name);
      if (status s = texts.read_options(arguments, options); !s.ok())
        return std::move(s).in_file(file);
      return texts.add_binary(binary, options);
    });
  }

  void fit(hr_array& array) {
    if (error.status == 0) hr_fit_array(file.c_str(), &options, &array, &error);
  }

  void fill(const CFI_cdesc_t& array) {
    hr_array filled{};
    const int failed = guarded(&error, [&] {
      array_view view;
      status s = view_of(array, view);
      if (s.ok()) filled = to_c(view);
      return s;
    });
    if (failed == 0) hr_read_array(file.c_str(), &filled, &options, &error);
  }

  void no_memory() {
    guarded(&error,
            [&] { return status::system(ENOMEM, "cannot allocate the array").in_file(file); });
  }
};

// The load that Fortran is in the middle of.
thread_local load current;

// The type and array rank of an array that is not allocated yet.
status describe(const CFI_cdesc_t& array, hr_array& wanted) {
  CFI_cdesc_t element = array;
  char nothing = 0;
  element.base_addr = &nothing;
  element.rank = 0;
  array_view view;
  status result = view_of(element, view);
  wanted = to_c(view);
  wanted.array_rank = array.rank;
  return result;
}

bool allocate(CFI_cdesc_t& array, const hr_array& wanted) {
  CFI_index_t lower[HR_MAX_ARRAY_RANK];
  CFI_index_t upper[HR_MAX_ARRAY_RANK];
  for (int d = 0; d < wanted.array_rank; ++d) {
    lower[d] = 1;
    upper[d] = wanted.extent[d];
  }
  return CFI_allocate(&array, lower, upper, wanted.elem_len) == CFI_SUCCESS;
}

void load_array(const CFI_cdesc_t* file, CFI_cdesc_t& array, const read_arguments& arguments,
                const binary_arguments& binary, int* iostat, CFI_cdesc_t* iomsg) {
  load work;
  hr_array wanted{};
  if (array.base_addr != nullptr) CFI_deallocate(&array);  // intent(out)
  work.begin(file, arguments, binary);
  if (work.error.status == 0) guarded(&work.error, [&] { return describe(array, wanted); });
  work.fit(wanted);
  if (work.error.status == 0 && !allocate(array, wanted)) work.no_memory();
  if (work.error.status == 0) work.fill(array);
  if (work.error.status != 0 && array.base_addr != nullptr) CFI_deallocate(&array);
  report(work.error, iostat, iomsg);
}

}  // namespace
}  // namespace headrace

extern "C" void hr_fortran_fit(const int* type, const int* array_rank, std::size_t* length,
                               std::size_t* extent, int* stat,
                               const headrace::load_request* request, const CFI_cdesc_t* columns) {
  using namespace headrace;
  const load_request& r = *request;
  current = load();
  current.begin(
      text(r.file),
      {nullptr, text(r.number), text(r.delimiter), text(r.decimal), text(r.header), text(r.comment),
       &r.skip_rows, columns, text(r.missing), &r.threads, text(r.format)},
      {text(r.byte_order), &r.record_marker, nullptr, nullptr, nullptr, text(r.name)});
  hr_array wanted{};
  wanted.type = *type;
  wanted.elem_len = *length;
  wanted.array_rank = *array_rank;
  current.fit(wanted);
  *stat = current.error.status;
  *length = wanted.elem_len;
  std::copy_n(wanted.extent, wanted.array_rank, extent);
  // What is told when Fortran finds no memory for the array.
  if (*stat == 0) current.no_memory();
  keep_failure(current.error);
}

// The names of columns for load_names; they are kept for hr_fortran_take_name.
thread_local static std::vector<std::string> kept_names;

extern "C" void hr_fortran_find_names(std::size_t* length, std::size_t* count, int* stat,
                                      const headrace::load_request* request) {
  using namespace headrace;
  const load_request& r = *request;
  fresh_error error;
  hr_text names{};
  int64_t found = 0;
  option_texts texts;
  hr_read_options options{};
  kept_names.clear();
  *length = 1;
  const int failed = guarded(&error, [&] {
    return texts.read_options(
        {nullptr, nullptr, text(r.delimiter), text(r.decimal), text(r.header), text(r.comment),
         &r.skip_rows, nullptr, nullptr, nullptr, text(r.format)},
        options);
  });
  if (failed == 0) hr_column_names(texts.add(text(r.file)), &options, &names, &found, &error);
  if (error.status == 0)
    guarded(&error, [&] {
      const char* name = names.bytes;
      for (int64_t i = 0; i < found; ++i, name += kept_names.back().size() + 1) {
        kept_names.emplace_back(name);
        *length = std::max(*length, kept_names.back().size());
      }
      return status();
    });
  hr_text_free(&names);
  *count = kept_names.size();
  *stat = error.status;
  keep_failure(error);
}

extern "C" void hr_fortran_take_name(const std::size_t* number, CFI_cdesc_t* name) {
  const std::string& kept = kept_names[*number - 1];
  char* const text = static_cast<char*>(name->base_addr);
  std::memset(text, ' ', name->elem_len);
  std::memcpy(text, kept.data(), std::min(kept.size(), name->elem_len));
}

extern "C" int hr_fortran_fill(CFI_cdesc_t* array) {
  using namespace headrace;
  current.error = {};
  current.fill(*array);
  keep_failure(current.error);
  const int failed = current.error.status;
  current = load();
  return failed;
}

// Fortran needs a name for each interface; all do the same.
#define HEADRACE_LOAD(NAME)                                                                    \
  extern "C" void hr_fortran_load_##NAME(                                                      \
      const CFI_cdesc_t* file, CFI_cdesc_t* array, const CFI_cdesc_t* number,                  \
      const CFI_cdesc_t* delimiter, const CFI_cdesc_t* decimal, const CFI_cdesc_t* header,     \
      const CFI_cdesc_t* comment, const int* skip_rows, const CFI_cdesc_t* columns,            \
      const CFI_cdesc_t* missing, const int* threads, const CFI_cdesc_t* format,               \
      const CFI_cdesc_t* byte_order, const int* record_marker, const CFI_cdesc_t* name,        \
      int* iostat, CFI_cdesc_t* iomsg) {                                                       \
    headrace::load_array(file, *array,                                                         \
                         {nullptr, number, delimiter, decimal, header, comment, skip_rows,     \
                          columns, missing, threads, format},                                  \
                         {byte_order, record_marker, nullptr, nullptr, nullptr, name}, iostat, \
                         iomsg);                                                               \
  }

HEADRACE_LOAD(int8)
HEADRACE_LOAD(int16)
HEADRACE_LOAD(int32)
HEADRACE_LOAD(int64)
HEADRACE_LOAD(real32)
HEADRACE_LOAD(real64)
HEADRACE_LOAD(complex32)
HEADRACE_LOAD(complex64)
HEADRACE_LOAD(logical8)
