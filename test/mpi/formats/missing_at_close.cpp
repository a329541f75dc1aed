// HEADRACE_CHECK=1 names the MPI ranks that do not come to close or abandon a dataset, whatever the
// format would wait for, and the dataset can be closed when they come.
#include <filesystem>

#include "formats.hpp"

namespace {

using namespace format_tests;

void ends(checks& check, const format_in_test& format, bool abandons) {
  const std::string file = format.file(abandons ? "abandoned" : "closed");
  const std::string call = abandons ? "abandon_dataset" : "close_dataset";
  const auto end = abandons ? hr_abandon_dataset : hr_close_dataset;
  hr_error error{};
  hr_parallel_options chosen = format.options({"shared_collective", "library"});
  if (format.name == "adios2" || format.name == "zarr") chosen = format.options(format.ways[0]);
  hr_dataset state = 0;
  spread_array data(MPI_COMM_WORLD, kind_named("real64"), {12, 9}, cut::uneven);
  data.fill(1);
  check.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &chosen, &error), error,
           call);
  check.ok(
      hr_write_dataset_array(state, "u", data.array(), data.layout(), nullptr, nullptr, &error),
      error, call);
  // The last MPI rank makes another call, and learns the same as the others.
  const bool other = check.rank() == check.size() - 1;
  const int code = other ? hr_write_dataset_array(state, "v", data.array(), data.layout(), nullptr,
                                                  nullptr, &error)
                         : end(&state, &error);
  check.that(code == HR_RANKS_DISAGREE, call + ": " + error.message);
  check.that(state != 0, call + " took the handle of a dataset that is open");
  check.ok(end(&state, &error), error, call + " of all");
  check.that(state < 0, call + " left the handle");
  MPI_Barrier(MPI_COMM_WORLD);
  check.that(std::filesystem::exists(file) == !abandons, call + ": the file");
}

void test(checks& check, const format_in_test& format) {
  for (const bool abandons : {false, true}) ends(check, format, abandons);
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
