// The list of formats. Next: ../formats/npy/npy.cpp, the shortest of them.
#include <array>
#include <cstring>
#include <new>

#include "../../src/abi/formats.hpp"
#include "../../src/core/file_endings.hpp"
#include "../../src/core/lower_case.hpp"
#include "backend.hpp"
#include "statements.hpp"

namespace headrace {
namespace {

constexpr std::array<const backend*, 7> backends = {
    &npy_backend,    &hdf5_backend, &netcdf4_backend,    &pnetcdf_backend,
    &adios2_backend, &zarr_backend, &statements_backend,
};

// Most are there or not since the library was built.
const char* why_unavailable(const backend& candidate) noexcept {
  return &candidate == &statements_backend ? statements_unavailable() : candidate.unavailable;
}

known_formats known_backends() {
  known_formats known;
  for (const backend* candidate : backends)
    known.push_back({candidate->name, endings_of(candidate->name)});
  return known;
}

// What to do about a name or an ending that no backend has.
std::string advice_about(const std::string& file, const std::string& name) {
  const format* serial = nullptr;
  if (find_format(without_slashes(file), name, serial).ok())
    return std::string(serial->name) +
           " files are written and read by the serial library: call it (use headrace) on one MPI "
           "rank; or turn .npy into them, and back, with `headrace convert`";
  return did_you_mean(known_backends(), name, ending_of(file)) + advice_on(known_backends(), name);
}

// As agree() words what some MPI ranks alone have.
bool is_of_one_rank(const status& failure) noexcept {
  try {
    return failure.message().rfind("MPI rank ", 0) == 0;
  } catch (const std::bad_alloc&) {
    return true;
  }
}

}  // namespace

bool ends_a_dataset(const status& failure) noexcept {
  switch (static_cast<stat_code>(failure.code())) {
    case stat_code::success:
    case stat_code::argument_invalid:
    case stat_code::option_unknown:
    case stat_code::kind_unsupported:
    case stat_code::kind_mismatch:
    case stat_code::shape_mismatch:
    case stat_code::layout_invalid:
    case stat_code::array_missing:
    case stat_code::ranks_disagree:
    case stat_code::text_encoding:
    case stat_code::array_not_allocated:
    case stat_code::array_too_large:
      return false;
    // If only some have it, they may have closed the dataset: the others must not wait for them.
    case stat_code::handle_closed:
      return is_of_one_rank(failure);
    default:
      return true;
  }
}

status cannot_append(const std::string& what) {
  std::string able;
  for (const backend* candidate : backends)
    if ((candidate->abilities & can_append) != 0)
      able += std::string(able.empty() ? "" : ", ") + candidate->name;
  return status::failure(stat_code::argument_invalid, "the format does not allow a dataset " + what)
      .advise("take a format that does: " + able);
}

status find_backend(const std::string& file, const std::string& name, const backend*& found) {
  const std::string wanted = lower_case(name);
  const std::string ending = ending_of(file);
  for (const backend* candidate : backends) {
    if (wanted.empty() ? !has_ending(endings_of(candidate->name), ending)
                       : wanted != candidate->name)
      continue;
    found = candidate;
    const char* const why = why_unavailable(*candidate);
    if (why == nullptr) {
      const bool is_file = (candidate->abilities & is_a_directory) == 0;
      return is_file ? refuse_slash(file, candidate->name) : status();
    }
    return status::failure(stat_code::backend_unavailable,
                           std::string(candidate->name) + " files are not available here: " + why)
        .in_file(file)
        .advise(
            "choose another format, npy needs no library; or build headrace_mpi "
            "with an MPI for which that library is there");
  }
  return unknown_format(name, ending, " of parallel arrays")
      .in_file(file)
      .advise(advice_about(file, name));
}

}  // namespace headrace

extern "C" const char* hr_parallel_unavailable(const char* format) {
  for (const headrace::backend* candidate : headrace::backends)
    if (format != nullptr && std::strcmp(candidate->name, format) == 0)
      return headrace::why_unavailable(*candidate);
  return nullptr;
}

// The formats whose library CMake did not find: they are refused with the reason.
namespace headrace {
namespace {

[[maybe_unused]] constexpr backend absent(const char* name, const char* why) {
  return {name, 0, write_pattern::automatic, transfer_way::automatic, why, nullptr, nullptr};
}

}  // namespace

#if !defined(HEADRACE_HAVE_ZARR)
const backend zarr_backend = absent("zarr", HEADRACE_ABSENT_ZARR);
// Its chunks are those of a Zarr store.
const backend statements_backend = absent("statements", HEADRACE_ABSENT_ZARR);
const char* statements_unavailable() noexcept {
  return HEADRACE_ABSENT_ZARR;
}
#endif
#if !defined(HEADRACE_HAVE_HDF5)
const backend hdf5_backend = absent("hdf5", HEADRACE_ABSENT_HDF5);
#endif
#if !defined(HEADRACE_HAVE_NETCDF)
const backend netcdf4_backend = absent("netcdf4", HEADRACE_ABSENT_NETCDF);
#endif
#if !defined(HEADRACE_HAVE_PNETCDF)
const backend pnetcdf_backend = absent("pnetcdf", HEADRACE_ABSENT_PNETCDF);
#endif
#if !defined(HEADRACE_HAVE_ADIOS2)
const backend adios2_backend = absent("adios2", HEADRACE_ABSENT_ADIOS2);
#endif

}  // namespace headrace

#if !defined(HEADRACE_HAVE_ZARR)
extern "C" void hr_mpi_use_statements(hr_statement_open /*open*/, hr_statement_move /*move*/,
                                      hr_statement_close /*close*/) {}
#endif
