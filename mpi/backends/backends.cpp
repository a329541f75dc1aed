// The list of formats. Next: npy.cpp, the shortest of them.
#include <array>
#include <cstring>
#include <sstream>

#include "../../src/core/lower_case.hpp"
#include "backend.hpp"

namespace headrace {
namespace {

constexpr std::array<const backend*, 7> backends = {
    &npy_backend,    &hdf5_backend, &netcdf4_backend,    &pnetcdf_backend,
    &adios2_backend, &zarr_backend, &statements_backend,
};

std::string ending_of(std::string file) {
  while (file.size() > 1 && file.back() == '/') file.pop_back();  // a store is a directory
  const std::size_t slash = file.rfind('/');
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = file.rfind('.');
  return dot == std::string::npos || dot <= begin ? "" : lower_case(file.substr(dot));
}

// Most are there or not since the library was built.
const char* why_unavailable(const backend& candidate) noexcept {
  return &candidate == &statements_backend ? statements_unavailable() : candidate.unavailable;
}

bool has_ending(const backend& candidate, const std::string& ending) {
  std::istringstream endings(candidate.endings);
  for (std::string known; endings >> known;)
    if (known == ending) return true;
  return false;
}

std::string known_backends() {
  std::string text = "known are ";
  for (const backend* candidate : backends) {
    if (candidate != backends.front()) text += ", ";
    text += candidate->name;
    if (*candidate->endings != '\0') text += std::string(" (") + candidate->endings + ")";
  }
  return text;
}

}  // namespace

const char* name_of(write_pattern pattern) noexcept {
  switch (pattern) {
    case write_pattern::serial:
      return "serial";
    case write_pattern::file_per_process:
      return "file_per_process";
    case write_pattern::file_per_node:
      return "file_per_node";
    case write_pattern::shared_independent:
      return "shared_independent";
    case write_pattern::shared_collective:
      return "shared_collective";
    case write_pattern::automatic:
      break;
  }
  return "";
}

status find_backend(const std::string& file, const std::string& name, const backend*& found) {
  const std::string wanted = lower_case(name);
  const std::string ending = ending_of(file);
  for (const backend* candidate : backends) {
    if (wanted.empty() ? !has_ending(*candidate, ending) : wanted != candidate->name) continue;
    found = candidate;
    const char* const why = why_unavailable(*candidate);
    if (why == nullptr) return {};
    return status::failure(stat_code::backend_unavailable,
                           std::string(candidate->name) + " files are not available here: " + why)
        .in_file(file)
        .advise(
            "choose another format, zarr and npy need no library; or build headrace_mpi "
            "with an MPI for which that library is there");
  }
  if (!wanted.empty())
    return status::failure(stat_code::format_unknown,
                           "there is no format \"" + name + "\" of parallel arrays")
        .in_file(file)
        .advise(known_backends());
  return status::failure(stat_code::format_unknown,
                         (ending.empty() ? "the file name has no ending that names a format"
                                         : "the ending \"" + ending + "\" names no format") +
                             std::string(" of parallel arrays"))
      .in_file(file)
      .advise(known_backends() + "; use such an ending or the option format=\"zarr\"");
}

}  // namespace headrace

extern "C" const char* hr_parallel_unavailable(const char* format) {
  for (const headrace::backend* candidate : headrace::backends)
    if (format != nullptr && std::strcmp(candidate->name, format) == 0)
      return headrace::why_unavailable(*candidate);
  return nullptr;
}
