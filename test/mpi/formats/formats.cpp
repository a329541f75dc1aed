#include "formats.hpp"

#include <unistd.h>

#include <cstdio>

namespace format_tests {

const std::vector<way> hdf5_ways = {
    {"shared_collective", "headrace"}, {"shared_independent", "headrace"}, {"serial", "headrace"},
    {"shared_collective", "library"},  {"shared_independent", "library"},  {"serial", "library"}};

namespace {

const std::vector<way> npy_ways = {{"shared_collective", "headrace"},
                                   {"shared_independent", "headrace"},
                                   {"serial", "headrace"},
                                   {"shared_collective", "library"},
                                   {"shared_independent", "library"}};
const std::vector<way> adios2_ways = {{"file_per_process"}, {"file_per_node"}, {"serial"}};
const std::vector<way> zarr_ways = {
    {"file_per_process"},
    {"file_per_node", nullptr, "node_writers=all"},
    {"file_per_node", nullptr, "node_writers=leader"},
    {"serial"},
    {"shared_independent"},
    {"shared_collective"},
    {"shared_collective", nullptr, "cb_nodes=2,cb_buffer_size=4096"}};

// Name, ending, ways, so many of them read differently; groups, complex attributes, lists of texts;
// hints for states; what is said of no elements, of a second extent, of an attribute with a longer
// text. HDF5's hint makes several chunks in a step of the larger arrays. An npy file has one array
// and nothing else: only its size is tested by these programs.
const format_facts formats[] = {
    {"hdf5", ".h5", hdf5_ways, 6, true, true, true, "hdf5_chunk_bytes=300", nullptr, 0,
     HR_KIND_MISMATCH},
    {"netcdf4", ".nc", hdf5_ways, 6, false, true, true, nullptr, "length 0", HR_SHAPE_MISMATCH,
     HR_SHAPE_MISMATCH},
    {"pnetcdf", ".pnc", hdf5_ways, 6, false, true, false, nullptr, "length 0", HR_SHAPE_MISMATCH,
     HR_SHAPE_MISMATCH},
    {"adios2", ".bp", adios2_ways, 3, false, true, true, nullptr, "no array without", 0,
     HR_SHAPE_MISMATCH},
    {"zarr", ".zarr", zarr_ways, 1, false, false, true, nullptr, nullptr, HR_ARGUMENT_INVALID,
     HR_KIND_MISMATCH},
    {"npy", ".npy", npy_ways, 5, false, false, false, nullptr, nullptr, 0, 0},
};

}  // namespace

std::string text_of(const way& one) {
  std::string text = one.pattern;
  if (one.transfer != nullptr) text += std::string(" by ") + one.transfer;
  if (one.hints != nullptr) text += std::string(", ") + one.hints;
  return text;
}

hr_parallel_options options_of(const way& how, const char* dataset) {
  hr_parallel_options chosen{};
  chosen.pattern = how.pattern;
  chosen.transfer = how.transfer;
  chosen.hints = how.hints;
  chosen.dataset = dataset;
  return chosen;
}

hr_parallel_options format_in_test::options(const way& how, const char* dataset) const {
  hr_parallel_options chosen = options_of(how, dataset);
  chosen.format = name.c_str();
  return chosen;
}

int run(int count, char** arguments, void (*test)(checks&, const format_in_test&),
        const std::string& needed) {
  const std::string name = count > 1 ? arguments[1] : "";
  const std::string directory = count > 2 ? arguments[2] : ".";
  for (const format_facts& one : formats) {
    if (name != one.name) continue;
    const char* const absent = hr_parallel_unavailable(one.name.c_str());
    std::string why = absent == nullptr ? "" : absent;
    if (!needed.empty() && access((directory + "/" + needed).c_str(), R_OK) != 0)
      why = "there is no " + needed + " (its writer was skipped)";
    if (why.empty())
      return spread::run(count, arguments, name, [&](checks& check) {
        test(check, {one, directory});
      });
    std::printf("skipped: %s\n", why.c_str());
    return 77;
  }
  std::fprintf(stderr, "no format \"%s\": expected a format and a directory\n", name.c_str());
  return 2;
}

}  // namespace format_tests
