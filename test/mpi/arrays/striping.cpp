// How a file lies on the targets of a parallel file system is settled when it is created, and only
// MPI-IO sets it: so the file that a write leaves must have been created by MPI-IO with the hint.
// This program's MPI_File_open looks at those of headrace and the libraries, before MPI's own.
#include <sys/stat.h>

#include <cstring>
#include <string>
#include <vector>

#include "faults_files.hpp"

namespace {

using faults::way;
using spread::checks;

const char* const hint_name = "striping_factor";
const char* const hint_value = "3";

struct creation {
  ino_t file = 0;
  bool knew_hint = false;
};
std::vector<creation> creations;  // by this MPI rank's calls

bool has_hint(MPI_Info info) {
  char value[16] = "";
  int there = 0;
  if (info != MPI_INFO_NULL) MPI_Info_get(info, hint_name, sizeof value - 1, value, &there);
  return there != 0 && std::strcmp(value, hint_value) == 0;
}

ino_t file_at(const char* path) {
  struct stat found {};
  return ::stat(path, &found) == 0 ? found.st_ino : 0;
}

}  // namespace

extern "C" int MPI_File_open(MPI_Comm comm, const char* path, int mode, MPI_Info info,
                             MPI_File* file) {
  const bool is_new = (mode & MPI_MODE_CREATE) != 0 && file_at(path) == 0;
  const int code = PMPI_File_open(comm, path, mode, info, file);
  if (code == MPI_SUCCESS && is_new) creations.push_back({file_at(path), has_hint(info)});
  return code;
}

namespace {

void write_striped(checks& check, const way& how) {
  const std::string file = std::string("striped.") + how.ending;
  const std::string hints = std::string(hint_name) + "=" + hint_value;
  spread::spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), {12, 10, 8},
                            spread::cut::uneven);
  data.fill(3);
  hr_parallel_options options = how.options();
  options.hints = hints.c_str();
  hr_error error{};
  hr_parallel_report report{};
  creations.clear();
  check.ok(hr_write_parallel(file.c_str(), data.array(), data.layout(), &options, &report, &error),
           error, how.text());
  MPI_Barrier(MPI_COMM_WORLD);
  int created = 0;
  for (const creation& one : creations)
    if (one.file == file_at(file.c_str()) && one.knew_hint) created = 1;
  MPI_Allreduce(MPI_IN_PLACE, &created, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  check.that(created == 1, how.text() + ": the file was not created by MPI-IO with " + hints);
  // No file system here stripes: either is told.
  if (check.rank() == 0)
    check.that((std::string(report.hints_in_force) + report.hints_ignored).find(hint_name) !=
                   std::string::npos,
               how.text() + ": nothing is said of " + hints);
  spread::spread_array back(MPI_COMM_WORLD, spread::kind_named("real64"), {12, 10, 8},
                            spread::cut::skewed);
  back.clear();
  check.ok(faults::read(file, how, back, error), error, how.text() + ", reading");
  check.that(back.wrong(3) == 0, how.text() + ": other values");
  MPI_Barrier(MPI_COMM_WORLD);
}

void test(checks& check) {
  faults::empty_this_directory(check);
  for (const way& how : faults::ways())
    if (!how.is_store()) write_striped(check, how);
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "striping", test);
}
