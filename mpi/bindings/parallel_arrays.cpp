// write_array and read_array of the module headrace_mpi_arrays. Next: hr_write_parallel.
#include "parallel_arguments.hpp"

namespace headrace {
namespace {

// The array's description. What a descriptor does not allow (unallocated arrays, derived types) is
// told to the other MPI ranks by a null pointer, so that none of them waits.
class block_argument {
 public:
  block_argument(const CFI_cdesc_t* array, hr_error& error) {
    hr_error mine{};
    with_array(array, mine, [this](const hr_array& found) { block_ = found; });
    failed_ = mine.status != 0;
    if (failed_) error = mine;
  }
  const hr_array* get() const noexcept { return failed_ ? nullptr : &block_; }

  // This MPI rank's own reason is better than that it passed a null pointer.
  void report_to(const hr_error& own, const hr_error& found, int* iostat,
                 CFI_cdesc_t* iomsg) const {
    report(failed_ ? own : found, iostat, iomsg);
  }

 private:
  hr_array block_{};
  bool failed_ = false;
};

struct step_argument {
  long long number = 0;
  const long long* given = nullptr;
  status read(const CFI_cdesc_t* step) {
    if (step == nullptr || step->base_addr == nullptr) return {};
    given = &number;
    return read_integer(step, "step", number);
  }
};

}  // namespace
}  // namespace headrace

extern "C" void hr_fortran_write_parallel(
    const CFI_cdesc_t* file, const CFI_cdesc_t* array, const hr_layout* layout,
    const CFI_cdesc_t* dataset, const CFI_cdesc_t* pattern, const CFI_cdesc_t* mode,
    const CFI_cdesc_t* transfer, const CFI_cdesc_t* dimensions, const CFI_cdesc_t* hints,
    const CFI_cdesc_t* checksum, const CFI_cdesc_t* compression, const CFI_cdesc_t* sync,
    const CFI_cdesc_t* format, CFI_cdesc_t* hints_in_force, CFI_cdesc_t* hints_ignored, int* iostat,
    CFI_cdesc_t* iomsg) {
  using namespace headrace;
  hr_error own{};
  hr_error error{};
  hr_parallel_report found{};
  option_texts texts;
  const block_argument block(array, own);
  hr_parallel_options options =
      options_of({pattern, mode, transfer, hints, checksum, compression, sync, format}, texts);
  options.dataset = texts.add(dataset);
  options.dimensions = texts.add(dimensions);
  hr_write_parallel(texts.add(file), block.get(), *layout, &options, &found, &error);
  fill_text(found.hints_in_force, hints_in_force);
  fill_text(found.hints_ignored, hints_ignored);
  block.report_to(own, error, iostat, iomsg);
}

extern "C" void hr_fortran_read_parallel(const CFI_cdesc_t* file, const CFI_cdesc_t* array,
                                         const hr_layout* layout, const CFI_cdesc_t* dataset,
                                         const CFI_cdesc_t* pattern, const CFI_cdesc_t* mode,
                                         const CFI_cdesc_t* transfer, const CFI_cdesc_t* hints,
                                         const CFI_cdesc_t* format, CFI_cdesc_t* hints_in_force,
                                         CFI_cdesc_t* hints_ignored, int* iostat,
                                         CFI_cdesc_t* iomsg) {
  using namespace headrace;
  hr_error own{};
  hr_error error{};
  hr_parallel_report found{};
  option_texts texts;
  const block_argument block(array, own);
  hr_parallel_options options =
      options_of({pattern, mode, transfer, hints, nullptr, nullptr, nullptr, format}, texts);
  options.dataset = texts.add(dataset);
  hr_read_parallel(texts.add(file), block.get(), *layout, &options, &found, &error);
  fill_text(found.hints_in_force, hints_in_force);
  fill_text(found.hints_ignored, hints_ignored);
  block.report_to(own, error, iostat, iomsg);
}

extern "C" void hr_fortran_write_dataset_array(const hr_dataset* state, const CFI_cdesc_t* name,
                                               const CFI_cdesc_t* array, const hr_layout* layout,
                                               const CFI_cdesc_t* step,
                                               const CFI_cdesc_t* dimensions, int* iostat,
                                               CFI_cdesc_t* iomsg) {
  using namespace headrace;
  hr_error own{};
  hr_error error{};
  option_texts texts;
  step_argument number;
  const block_argument block(array, own);
  hr_error bad_step{};
  const bool stepped = guarded(&bad_step, [&] { return number.read(step); }) == 0;
  hr_write_dataset_array(*state, texts.add(name), stepped ? block.get() : nullptr, *layout,
                         texts.add(dimensions), number.given, &error);
  block.report_to(own, stepped ? error : bad_step, iostat, iomsg);
}

extern "C" void hr_fortran_read_dataset_array(const hr_dataset* state, const CFI_cdesc_t* name,
                                              const CFI_cdesc_t* array, const hr_layout* layout,
                                              const CFI_cdesc_t* step, int* iostat,
                                              CFI_cdesc_t* iomsg) {
  using namespace headrace;
  hr_error own{};
  hr_error error{};
  option_texts texts;
  step_argument number;
  const block_argument block(array, own);
  hr_error bad_step{};
  const bool stepped = guarded(&bad_step, [&] { return number.read(step); }) == 0;
  hr_read_dataset_array(*state, texts.add(name), stepped ? block.get() : nullptr, *layout,
                        number.given, &error);
  block.report_to(own, stepped ? error : bad_step, iostat, iomsg);
}
