// Blocks of uneven shapes, of which OMPIO of Open MPI 4.1.0 to 4.1.6 and 5.0.0 to 5.0.5 loses
// elements when it sieves: on a busy machine in up to half of all files, here always, because its
// reads take long. In a program that used MPI-IO before, this cannot be switched off any more: then
// transfer="library" loses them, as the plain calls do, and headrace's own transfer does not.
//
//     sieving FORMAT [late]
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "faults_files.hpp"

namespace {

using faults::way;
using spread::checks;
using spread::spread_array;

const spread::extents global = {37, 29};

// On one machine OMPIO gives such a communicator several aggregators.
class grid {
 public:
  grid() {
    int size = 0;
    int lengths[2] = {};
    const int periods[2] = {};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, lengths);
    MPI_Cart_create(MPI_COMM_WORLD, 2, lengths, periods, 0, &comm_);
  }
  ~grid() { MPI_Comm_free(&comm_); }
  grid(const grid&) = delete;
  grid& operator=(const grid&) = delete;
  MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// first_right: the first release of 4.1 that is not.
bool is_affected(int first_right) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  int major = 0;
  int minor = 0;
  int release = 0;
  MPI_Get_library_version(version, &length);
  const char* module = std::getenv("OMPI_MCA_io");
  if (module != nullptr && std::string(module).find("romio") == 0) return false;
  if (std::sscanf(version, "Open MPI v%d.%d.%d", &major, &minor, &release) != 3) return false;
  const bool writes = first_right == 7;
  return (major == 4 && minor == 1 && release < first_right) ||
         (writes && major == 5 && minor == 0 && release < 6);
}

void writes_uneven_blocks(checks& check, const way& how) {
  const std::string file = std::string("uneven.") + how.ending;
  const grid ranks;
  spread_array data(ranks.comm(), spread::kind_named("real64"), global, spread::cut::equal);
  for (int round = 0; round < 8; ++round) {
    hr_error error{};
    data.fill(round);
    check.ok(faults::write(file, how, data, error), error, how.text());
    data.clear();
    check.ok(faults::read(file, how, data, error), error, how.text());
    check.that(data.wrong(round) == 0, how.text() + ": elements were lost");
  }
}

// Elements that are wrong on all MPI ranks.
int lost_elements(const spread_array& data, int value) {
  int lost = static_cast<int>(data.wrong(value));
  MPI_Allreduce(MPI_IN_PLACE, &lost, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return lost;
}

void loses_what_the_library_loses(checks& check, const way& how) {
  const std::string file = std::string("late.") + how.ending;
  const grid ranks;
  spread_array data(ranks.comm(), spread::kind_named("real64"), global, spread::cut::equal);
  way own = how;
  own.transfer = "headrace";
  const bool is_together = std::string(how.transfer) == "library" && !how.is_serial();
  int lost = 0;
  hr_error error{};
  for (int round = 0; round < 8; ++round) {
    data.fill(round);
    check.ok(faults::write(file, how, data, error), error, how.text());
    data.clear();
    check.ok(faults::read(file, own, data, error), error, how.text() + ", reading it");
    lost += lost_elements(data, round);
  }
  // What collects npy's blocks leaves no gaps here.
  if (!is_affected(7) || !is_together)
    check.that(lost == 0, how.text() + ": elements were lost");
  else if (std::string(how.pattern) == "shared_collective" && std::string(how.format) != "npy")
    check.that(lost > 0, how.text() + ": the library lost no elements");

  // Reading what headrace wrote.
  data.fill(9);
  check.ok(faults::write(file, own, data, error), error, own.text());
  data.clear();
  check.ok(faults::read(file, how, data, error), error, how.text() + ", reading");
  lost = lost_elements(data, 9);
  if (!is_affected(5) || !is_together) check.that(lost == 0, how.text() + ": other elements");
}

void use_mpi_io() {
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, "before.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  MPI_File_close(&file);
}

void test(checks& check, const std::string& format, bool late) {
  if (late) use_mpi_io();
  faults::empty_this_directory(check);
  for (const way& how : faults::ways())
    if (format == how.format)
      late ? loses_what_the_library_loses(check, how) : writes_uneven_blocks(check, how);
}

}  // namespace

// Before the C library's, also for libraries: between a read and the write that follows another MPI
// rank has time to write.
extern "C" ssize_t pread(int file, void* to, size_t bytes, off_t at) {
  const ssize_t done = ::syscall(SYS_pread64, file, to, bytes, at);
  ::usleep(2000);
  return done;
}
extern "C" ssize_t pread64(int file, void* to, size_t bytes, off64_t at) {
  return pread(file, to, bytes, at);
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const bool late = argc == 3 && std::string(argv[2]) == "late";
  return spread::run(argc, argv, std::string("data sieving, ") + argv[1],
                     [&](checks& check) { test(check, argv[1], late); });
}
