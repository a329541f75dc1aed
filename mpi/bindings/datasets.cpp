// The module headrace_mpi_datasets. Next: hr_open_dataset.
#include <algorithm>
#include <vector>

#include "../abi/for_bindings.hpp"
#include "parallel_arguments.hpp"

namespace headrace {
namespace {

using attribute_function = int (*)(hr_dataset, const char*, const char*, const hr_array*,
                                   hr_error*);

void pass_attribute(attribute_function function, hr_dataset state, const CFI_cdesc_t* name,
                    const CFI_cdesc_t* value, const CFI_cdesc_t* array, int* iostat,
                    CFI_cdesc_t* iomsg) {
  option_texts texts;
  hr_error own{};
  hr_error error{};
  hr_array found{};
  with_array(value, own, [&](const hr_array& c_array) { found = c_array; });
  function(state, texts.add(array), texts.add(name), own.status == 0 ? &found : nullptr, &error);
  report_together(own.status == 0 ? error : own, iostat, iomsg);
}

}  // namespace
}  // namespace headrace

extern "C" void hr_fortran_open_dataset(hr_dataset* state, const CFI_cdesc_t* file,
                                        const void* comm, const CFI_cdesc_t* action,
                                        const CFI_cdesc_t* pattern, const CFI_cdesc_t* mode,
                                        const CFI_cdesc_t* transfer, const CFI_cdesc_t* hints,
                                        const CFI_cdesc_t* checksum, const CFI_cdesc_t* compression,
                                        const CFI_cdesc_t* sync, const CFI_cdesc_t* format,
                                        int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  hr_error error{};
  option_texts texts;
  *state = 0;
  const hr_parallel_options options =
      options_of({pattern, mode, transfer, hints, checksum, compression, sync, format}, texts);
  hr_open_dataset(state, texts.add(file), communicator_of(comm), texts.add(action), &options,
                  &error);
  report_together(error, iostat, iomsg);
}

extern "C" void hr_fortran_close_dataset(hr_dataset* state, CFI_cdesc_t* hints_in_force,
                                         CFI_cdesc_t* hints_ignored, int* iostat,
                                         CFI_cdesc_t* iomsg) {
  using namespace headrace;
  hr_error error{};
  hr_parallel_report found{};
  if (*state != 0) hr_report_dataset(*state, &found, nullptr);
  fill_text(found.hints_in_force, hints_in_force);
  fill_text(found.hints_ignored, hints_ignored);
  hr_close_dataset(state, &error);
  report_together(error, iostat, iomsg);
}

extern "C" void hr_fortran_flush_dataset(const hr_dataset* state, int* iostat, CFI_cdesc_t* iomsg) {
  hr_error error{};
  hr_flush_dataset(*state, &error);
  headrace::report_together(error, iostat, iomsg);
}

extern "C" void hr_fortran_abandon_dataset(hr_dataset* state, int* iostat, CFI_cdesc_t* iomsg) {
  hr_error error{};
  hr_abandon_dataset(state, &error);
  headrace::report_together(error, iostat, iomsg);
}

extern "C" void hr_fortran_write_attribute(const hr_dataset* state, const CFI_cdesc_t* name,
                                           const CFI_cdesc_t* value, const CFI_cdesc_t* array,
                                           int* iostat, CFI_cdesc_t* iomsg) {
  headrace::pass_attribute(hr_write_attribute, *state, name, value, array, iostat, iomsg);
}

extern "C" void hr_fortran_read_attribute(const hr_dataset* state, const CFI_cdesc_t* name,
                                          const CFI_cdesc_t* value, const CFI_cdesc_t* array,
                                          int* iostat, CFI_cdesc_t* iomsg) {
  headrace::pass_attribute(hr_read_attribute, *state, name, value, array, iostat, iomsg);
}

extern "C" void hr_fortran_describe_dataset_array(const hr_dataset* state, const CFI_cdesc_t* name,
                                                  int* array_rank, std::int64_t* global,
                                                  std::int64_t* steps, CFI_cdesc_t* step_numbers,
                                                  int* iostat, CFI_cdesc_t* iomsg) {
  using namespace headrace;
  hr_error error{};
  option_texts texts;
  hr_array_info info{};
  std::vector<std::int64_t> found;
  // One call, whatever this MPI rank asked for: the others may have asked for less.
  const int failed = describe_with_steps(*state, texts.add(name), info, found, &error);
  if (failed == 0 && array_rank != nullptr) *array_rank = info.array_rank;
  for (int d = 0; failed == 0 && global != nullptr && d < HR_MAX_PARALLEL_RANK; ++d)
    global[d] = d < info.array_rank ? info.extent[d] : 1;
  if (failed == 0 && steps != nullptr) *steps = static_cast<std::int64_t>(found.size());
  if (failed == 0 && step_numbers != nullptr && step_numbers->base_addr != nullptr) {
    char* at = static_cast<char*>(step_numbers->base_addr);
    const auto wanted = static_cast<std::size_t>(
        std::max<std::int64_t>(0, std::min<std::int64_t>(static_cast<std::int64_t>(found.size()),
                                                         step_numbers->dim[0].extent)));
    for (std::size_t i = 0; i < wanted; ++i, at += step_numbers->dim[0].sm)
      *reinterpret_cast<std::int64_t*>(at) = found[i];
  }
  report_together(error, iostat, iomsg);
}

// No arrays after a failure.
extern "C" void hr_fortran_count_arrays(const hr_dataset* state, std::int64_t* count,
                                        std::int64_t* longest, int* iostat, CFI_cdesc_t* iomsg) {
  hr_error error{};
  long long found = 0;
  *longest = 0;
  headrace::count_names(*state, &found, *longest, &error);
  *count = found;
  headrace::report_together(error, iostat, iomsg);
}

// The index is one of those counted, and the text as long as the longest name.
extern "C" void hr_fortran_array_name(const hr_dataset* state, std::int64_t index,
                                      CFI_cdesc_t* name) {
  headrace::option_texts texts;
  std::vector<char> text(name->elem_len + 1);
  if (hr_dataset_array_name(*state, index, text.data(), text.size(), nullptr) == 0)
    headrace::fill_text(text.data(), name);
}
