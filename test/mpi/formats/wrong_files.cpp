// Files and directories that are not what their name says, read and gone on with: the message says
// what is there, what was expected, and what to do.
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "formats.hpp"

namespace {

using namespace format_tests;
using words = std::vector<std::string>;

class wrong_files {
 public:
  wrong_files(checks& check, const format_in_test& format) : check_(check), format_(format) {}

  // make: on MPI rank 0, when nothing has the name
  template <class Make>
  void refused(const char* stem, int code, const words& said, Make make) {
    const std::string file = format_.file(stem);
    for (const char* const action : {"read", "append"}) {
      if (check_.rank() == 0) {
        std::filesystem::remove_all(file);
        make(file);
      }
      MPI_Barrier(MPI_COMM_WORLD);
      words all = said;
      all.push_back(file);
      const int found = open(file, action);
      check_.fails(found, error_, code, all, std::string(action) + " " + stem);
    }
  }

  // Which PnetCDF goes on with.
  void classic_file_named_nc() {
    const std::string file = format_.file("classic");
    hr_parallel_options chosen{};
    chosen.format = "pnetcdf";
    spread_array from(MPI_COMM_WORLD, kind_named("real64"), {6, 4}, cut::uneven);
    from.fill(0);
    check_.ok(
        hr_write_parallel(file.c_str(), from.array(), from.layout(), &chosen, nullptr, &error_),
        error_, "a classic file");
    check_.fails(open(file, "append"), error_, HR_ARGUMENT_INVALID,
                 words{"a classic NetCDF file", "format=\"pnetcdf\"", file}, "append to it");
  }

  // What is flushed into it would be lost.
  void deleted_file() {
    const std::string file = format_.file("deleted");
    const hr_parallel_options chosen = format_.options({});
    spread_array from(MPI_COMM_WORLD, kind_named("real64"), {6, 4}, cut::uneven);
    from.fill(0);
    hr_dataset state = 0;
    check_.ok(hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, "write", &chosen, &error_),
              error_, file);
    for (const long long step : {1LL, 2LL}) {
      check_.ok(
          hr_write_dataset_array(state, "u", from.array(), from.layout(), nullptr, &step, &error_),
          error_, file);
      const int code = hr_flush_dataset(state, &error_);
      if (step == 1) {
        check_.ok(code, error_, file);
        if (check_.rank() == 0) std::filesystem::remove(file);
        MPI_Barrier(MPI_COMM_WORLD);
      } else {
        check_.fails(code, error_, HR_FILE_CHANGED_WHILE_WRITING, words{"is gone", file},
                     "flush of a deleted file");
      }
    }
    check_.that(hr_close_dataset(&state, &error_) != 0, "close of a deleted file");
  }

  int open(const std::string& file, const char* action) {
    hr_dataset state = 0;
    const hr_parallel_options chosen = format_.options({});
    error_ = {};
    const int code =
        hr_open_dataset(&state, file.c_str(), MPI_COMM_WORLD, action, &chosen, &error_);
    hr_error ignored{};
    if (code == 0) hr_abandon_dataset(&state, &ignored);
    return code;
  }

 private:
  checks& check_;
  const format_in_test& format_;
  hr_error error_{};
};

void test(checks& check, const format_in_test& format) {
  wrong_files wrong(check, format);
  if (format.name == "zarr") {
    wrong.refused("empty", HR_HEADER_DAMAGED, {"an empty directory", "action=\"write\""},
                  [](const std::string& file) { std::filesystem::create_directory(file); });
    return;
  }
  wrong.refused("empty", HR_HEADER_DAMAGED, {"the file is empty", "action=\"write\""},
                [](const std::string& file) { std::ofstream made(file); });
  if (format.name == "netcdf4" && hr_parallel_unavailable("pnetcdf") == nullptr)
    wrong.classic_file_named_nc();
  if (format.name != "npy") wrong.deleted_file();
  wrong.refused("directory", EISDIR, {"directory"},
                [](const std::string& file) { std::filesystem::create_directory(file); });
}

}  // namespace

int main(int count, char** arguments) {
  return format_tests::run(count, arguments, test);
}
