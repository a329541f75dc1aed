// make_layout and free_layout of the module headrace_mpi_layouts. Next: hr_make_layout.
#include <array>
#include <cstdint>

#include "../abi/for_bindings.hpp"
#include "parallel_arguments.hpp"

namespace headrace {
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
