// write_array and read_array of the module headrace_mpi_arrays. Next: hr_write_parallel.
#include "parallel_arguments.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "../abi/for_bindings.hpp"

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

// The module headrace_mpi_datasets. Next: hr_open_dataset.
namespace {

using attribute_function = int (*)(hr_dataset, const char*, const char*, const hr_array*,
                                   hr_error*);

void pass_attribute(attribute_function function, hr_dataset state, const CFI_cdesc_t* name,
                    const CFI_cdesc_t* value, const CFI_cdesc_t* array, int* iostat,
                    CFI_cdesc_t* iomsg) {
  option_texts texts;
  hr_error error{};
  const block_argument block(value);
  function(state, texts.add(array), texts.add(name), block.get(), &error);
  block.report_to(error, iostat, iomsg);
}

}  // namespace

// make_layout and free_layout of the module headrace_mpi_layouts. Next: hr_make_layout.
namespace {

using numbers = std::array<long long, HR_MAX_PARALLEL_RANK>;

// What was given instead: "9 integers", "reals of array rank 2".
std::string text_of(const array_view& view) {
  static constexpr const char* names[] = {"",         "integers",  "reals", "complex numbers",
                                          "logicals", "characters"};
  const std::string kind = names[static_cast<std::size_t>(view.type)];
  if (view.array_rank == 1) return std::to_string(view.extent[0]) + " " + kind;
  return view.array_rank == 0 ? "a scalar"
                              : kind + " of array rank " + std::to_string(view.array_rank);
}

// An array of rank 1 of integers of any kind.
status read_numbers(const CFI_cdesc_t& argument, const char* name, numbers& values, int& count) {
  array_view view;
  if (status s = view_of(argument, view); !s.ok()) return s;
  const bool fits =
      view.array_rank == 1 && view.extent[0] >= 1 && view.extent[0] <= HR_MAX_PARALLEL_RANK;
  if (!fits || view.type != type_class::integer || view.elem_len > sizeof(long long))
    return status::failure(
               stat_code::argument_invalid,
               std::string(name) + "= is not a list of integers, one for each dimension")
        .expected("1 to 7 integers", text_of(view))
        .advise("give an integer for each dimension, for example [nx, ny, nz]");
  count = static_cast<int>(view.extent[0]);
  for (std::ptrdiff_t i = 0; i < view.extent[0]; ++i) {
    const char* const at = view.base + i * view.stride[0];
    long long& value = values[static_cast<std::size_t>(i)];
    if (view.elem_len == 1) value = *reinterpret_cast<const std::int8_t*>(at);
    if (view.elem_len == 2) value = *reinterpret_cast<const std::int16_t*>(at);
    if (view.elem_len == 4) value = *reinterpret_cast<const std::int32_t*>(at);
    if (view.elem_len == 8) value = *reinterpret_cast<const std::int64_t*>(at);
  }
  return {};
}

status same_lengths(const int (&lengths)[3]) {
  if (lengths[0] == lengths[1] && lengths[0] == lengths[2]) return {};
  const std::string global = std::to_string(lengths[0]);
  return status::failure(stat_code::argument_invalid,
                         "global=, start= and count= have different lengths")
      .expected("an integer for each dimension in all three",
                global + ", " + std::to_string(lengths[1]) + " and " + std::to_string(lengths[2]))
      .advise("an array of " + global + " dimensions needs " + global + " in each");
}

// lists: global, start and count.
void make(hr_layout* layout, const void* comm, const CFI_cdesc_t* const (&lists)[3],
          bool for_reading, int* iostat, CFI_cdesc_t* iomsg) {
  static constexpr const char* names[3] = {"global", "start", "count"};
  hr_error error{};
  *layout = 0;
  numbers found[3] = {};
  int lengths[3] = {0, 0, 0};
  guarded(&error, [&] {
    status wrong;
    for (std::size_t i = 0; i < 3 && wrong.ok(); ++i)
      wrong = read_numbers(*lists[i], names[i], found[i], lengths[i]);
    if (wrong.ok()) wrong = same_lengths(lengths);
    // A bad list on one MPI rank must not leave the others waiting: all hear of it.
    return make_layout(layout, communicator_of(comm), std::move(wrong), for_reading, lengths[0],
                       found[0].data(), found[1].data(), found[2].data());
  });
  report_together(error, iostat, iomsg);
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

extern "C" void hr_fortran_make_layout(hr_layout* layout, const void* comm,
                                       const CFI_cdesc_t* global, const CFI_cdesc_t* start,
                                       const CFI_cdesc_t* count, int* iostat, CFI_cdesc_t* iomsg) {
  headrace::make(layout, comm, {global, start, count}, false, iostat, iomsg);
}

extern "C" void hr_fortran_make_reading_layout(hr_layout* layout, const void* comm,
                                               const CFI_cdesc_t* global, const CFI_cdesc_t* start,
                                               const CFI_cdesc_t* count, int* iostat,
                                               CFI_cdesc_t* iomsg) {
  headrace::make(layout, comm, {global, start, count}, true, iostat, iomsg);
}

extern "C" void hr_fortran_free_layout(hr_layout* layout, int* iostat, CFI_cdesc_t* iomsg) {
  hr_error error{};
  hr_free_layout(layout, &error);
  headrace::report_together(error, iostat, iomsg);
}
