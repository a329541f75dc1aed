// HEADRACE_CHECK=1 names the MPI rank that did not make a collective call, or made another one.
#include <unistd.h>

#include <cstring>

#include "checks.hpp"
#include "spread_arrays.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 1;
  {
    spread::checks check;
    spread::spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), {8, 12},
                              spread::cut::uneven);
    hr_error error{};
    const int missing = argc > 1 && std::strcmp(argv[1], "first") == 0 ? 0 : check.size() - 1;
    if (check.rank() != missing) {
      const int found =
          hr_write_parallel("x.npy", data.array(), data.layout(), nullptr, nullptr, &error);
      check.that(found == HR_RANK_MISSING, std::string("status: ") + error.message);
      check.that(
          std::strstr(error.message, ("MPI rank " + std::to_string(missing)).c_str()) != nullptr,
          std::string("who is missing: ") + error.message);
    } else {
      sleep(9);  // longer than the others wait
      check.that(true, "");
    }
    check.that(access("x.npy", F_OK) != 0, "nothing was written");
    code = check.finish("missing MPI ranks");
  }
  MPI_Finalize();
  return code;
}
