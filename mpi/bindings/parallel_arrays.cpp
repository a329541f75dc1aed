// write_array and read_array of the module headrace_mpi_arrays. Next: hr_write_parallel.
#include "parallel_arguments.hpp"

namespace headrace {
namespace {

// The array's description. What a descriptor does not allow (unallocated arrays, derived types) is
// told to the other MPI ranks by a null pointer, so that none of them waits.
class block_argument {
 public:
  explicit block_argument(const CFI_cdesc_t* array) {
    with_array(array, own_, [this](const hr_array& found) { block_ = found; });
  }
  const hr_array* get() const noexcept { return own_.status != 0 ? nullptr : &block_; }

  // This MPI rank's own reason is better than that it passed a null pointer.
  void report_to(const hr_error& found, int* iostat, CFI_cdesc_t* iomsg) const {
    report_together(own_.status != 0 ? own_ : found, iostat, iomsg);
  }

 private:
  hr_array block_{};
  hr_error own_{};
};

// An array of a file of its own, by hr_write_parallel or hr_read_parallel.
void pass_array(decltype(&hr_write_parallel) function, const CFI_cdesc_t* file,
                const CFI_cdesc_t* array, hr_layout layout, const CFI_cdesc_t* dataset,
                const CFI_cdesc_t* dimensions, const parallel_arguments& arguments,
                CFI_cdesc_t* hints_in_force, CFI_cdesc_t* hints_ignored, int* iostat,
                CFI_cdesc_t* iomsg) {
  hr_error error{};
  hr_parallel_report found{};
  option_texts texts;
  const block_argument block(array);
  hr_parallel_options options = options_of(arguments, texts);
  options.dataset = texts.add(dataset);
  options.dimensions = texts.add(dimensions);
  function(texts.add(file), block.get(), layout, &options, &found, &error);
  fill_text(found.hints_in_force, hints_in_force);
  fill_text(found.hints_ignored, hints_ignored);
  block.report_to(error, iostat, iomsg);
}

// An array of a dataset: act(block, step, error) calls the function for it.
template <class Act>
void pass_state(const CFI_cdesc_t* array, const CFI_cdesc_t* step, int* iostat, CFI_cdesc_t* iomsg,
                Act act) {
  hr_error error{};
  hr_error bad_step{};
  long long number = 0;
  const block_argument block(array);
  const bool stepped = step != nullptr && step->base_addr != nullptr;
  const bool good = guarded(&bad_step, [&] { return read_integer(step, "step", number); }) == 0;
  act(good ? block.get() : nullptr, stepped ? &number : nullptr, &error);
  block.report_to(good ? error : bad_step, iostat, iomsg);
}

}  // namespace
}  // namespace headrace

extern "C" void hr_fortran_write_parallel(
    const CFI_cdesc_t* file, const CFI_cdesc_t* array, const hr_layout* layout,
    const CFI_cdesc_t* dataset, const CFI_cdesc_t* pattern, const CFI_cdesc_t* mode,
    const CFI_cdesc_t* transfer, const CFI_cdesc_t* dimensions, const CFI_cdesc_t* hints,
    const CFI_cdesc_t* checksum, const CFI_cdesc_t* compression, const CFI_cdesc_t* sync,
    const CFI_cdesc_t* format, CFI_cdesc_t* hints_in_force, CFI_cdesc_t* hints_ignored, int* iostat,
    CFI_cdesc_t* iomsg) {
  headrace::pass_array(hr_write_parallel, file, array, *layout, dataset, dimensions,
                       {pattern, mode, transfer, hints, checksum, compression, sync, format},
                       hints_in_force, hints_ignored, iostat, iomsg);
}

extern "C" void hr_fortran_read_parallel(const CFI_cdesc_t* file, const CFI_cdesc_t* array,
                                         const hr_layout* layout, const CFI_cdesc_t* dataset,
                                         const CFI_cdesc_t* pattern, const CFI_cdesc_t* mode,
                                         const CFI_cdesc_t* transfer, const CFI_cdesc_t* hints,
                                         const CFI_cdesc_t* format, CFI_cdesc_t* hints_in_force,
                                         CFI_cdesc_t* hints_ignored, int* iostat,
                                         CFI_cdesc_t* iomsg) {
  headrace::pass_array(hr_read_parallel, file, array, *layout, dataset, nullptr,
                       {pattern, mode, transfer, hints, nullptr, nullptr, nullptr, format},
                       hints_in_force, hints_ignored, iostat, iomsg);
}

extern "C" void hr_fortran_write_dataset_array(const hr_dataset* state, const CFI_cdesc_t* name,
                                               const CFI_cdesc_t* array, const hr_layout* layout,
                                               const CFI_cdesc_t* step,
                                               const CFI_cdesc_t* dimensions, int* iostat,
                                               CFI_cdesc_t* iomsg) {
  headrace::option_texts texts;
  headrace::pass_state(array, step, iostat, iomsg, [&](auto block, auto number, hr_error* error) {
    hr_write_dataset_array(*state, texts.add(name), block, *layout, texts.add(dimensions), number,
                           error);
  });
}

extern "C" void hr_fortran_read_dataset_array(const hr_dataset* state, const CFI_cdesc_t* name,
                                              const CFI_cdesc_t* array, const hr_layout* layout,
                                              const CFI_cdesc_t* step, int* iostat,
                                              CFI_cdesc_t* iomsg) {
  headrace::option_texts texts;
  headrace::pass_state(array, step, iostat, iomsg, [&](auto block, auto number, hr_error* error) {
    hr_read_dataset_array(*state, texts.add(name), block, *layout, number, error);
  });
}

extern "C" void hr_fortran_read_dataset_steps(const hr_dataset* state, const CFI_cdesc_t* name,
                                              const CFI_cdesc_t* array, const hr_layout* layout,
                                              const CFI_cdesc_t* first, const CFI_cdesc_t* last,
                                              int* iostat, CFI_cdesc_t* iomsg) {
  headrace::option_texts texts;
  long long end = 0;
  hr_error bad_step{};
  const bool good =
      headrace::guarded(&bad_step, [&] { return headrace::read_integer(last, "last", end); }) == 0;
  headrace::pass_state(array, first, iostat, iomsg, [&](auto block, auto begin, hr_error* error) {
    hr_read_dataset_steps(*state, texts.add(name), good ? block : nullptr, *layout,
                          begin == nullptr ? 0 : *begin, end, error);
    if (!good) *error = bad_step;
  });
}
