// A device from which one MPI rank cannot read, wherever in the file: the same failure on all MPI
// ranks, and what the disk gives again can be read again. The disk is test/interpose/full_disk.c.
//
//     faults_reading FORMAT
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "faults_files.hpp"

namespace {

using faults::way;
using spread::checks;
using spread::cut;
using spread::spread_array;

// Bytes [begin, end) of a file; end 0: all that follow.
struct bad_bytes {
  long long begin = 0;
  long long end = 0;
  bool at_once = false;  // nor the bytes before them in the same call, as network file systems do

  std::string range() const {
    return std::to_string(begin) + (end > 0 ? "-" + std::to_string(end) : "");
  }
};

// Of any file this MPI rank's disk does not give these any more.
void lose(const bad_bytes& bad) {
  char* const here = realpath(".", nullptr);
  setenv("HEADRACE_TEST_DISK_PATH", (std::string(here) + "/unreadable").c_str(), 1);
  std::free(here);
  setenv("HEADRACE_TEST_DISK_UNREADABLE", bad.range().c_str(), 1);
  if (bad.at_once) setenv("HEADRACE_TEST_DISK_AT_ONCE", "1", 1);
}

void lose_nothing() {
  for (const char* name : {"PATH", "UNREADABLE", "AT_ONCE"})
    unsetenv((std::string("HEADRACE_TEST_DISK_") + name).c_str());
}

// Of a store the largest of its files.
long long bytes_of(const std::string& file) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(file)) return static_cast<long long>(fs::file_size(file));
  long long largest = 0;
  for (const auto& entry : fs::recursive_directory_iterator(file))
    if (entry.is_regular_file())
      largest = std::max(largest, static_cast<long long>(entry.file_size()));
  return largest;
}

class unreadable_file {
 public:
  unreadable_file(checks& check, const way& how, const spread::extents& global, cut blocks)
      : check_(check),
        how_(how),
        global_(global),
        blocks_(blocks),
        file_(std::string("unreadable.") + how.ending) {
    spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global_, blocks_);
    data.fill(7);
    hr_error error{};
    check_.ok(faults::write(file_, how_, data, error), error, how_.text() + ", a file");
    MPI_Barrier(MPI_COMM_WORLD);
    bytes_ = bytes_of(file_);
  }

  // Each MPI rank in turn cannot read what is bad; one of them at least needs it.
  void without_for_each(const bad_bytes& bad) {
    int failures = 0;
    for (int victim = 0; victim < check_.size(); ++victim) failures += fails(bad, victim) ? 1 : 0;
    check_.that(failures > 0, text(bad) + ": nobody needed these bytes");
    reads_all(text(bad) + ", with the whole disk");
  }
  long long bytes() const { return bytes_; }

 private:
  std::string text(const bad_bytes& bad) const {
    return how_.text() + ", " + spread::name_of(blocks_) + " blocks, without bytes " + bad.range() +
           " of " + std::to_string(bytes_) + (bad.at_once ? ", at once" : "");
  }

  int read(spread_array& data, hr_error& error) {
    const hr_parallel_options options = how_.options();
    data.clear();
    return hr_read_parallel(file_.c_str(), data.array(), data.layout(), &options, nullptr, &error);
  }

  // False when the MPI rank has no need of these bytes: then the array is right.
  bool fails(const bad_bytes& bad, int victim) {
    const std::string what = text(bad) + ", by MPI rank " + std::to_string(victim);
    spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global_, blocks_);
    hr_error error{};
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_.rank() == victim) lose(bad);
    const int code = read(data, error);
    if (check_.rank() == victim) lose_nothing();
    if (code == 0) {
      check_.that(data.wrong(7) == 0, what + ": success, but other values");
      return false;
    }
    const std::string whose = "MPI rank " + std::to_string(victim) + ": ";
    // ADIOS2 gives no reason for what its readers cannot read.
    const bool untold = std::string(how_.format) == "adios2" && code == HR_LIBRARY_FAILED;
    check_.fails(code, error, untold ? code : EIO, {file_, check_.size() > 1 ? whose : ""}, what);
    return true;
  }

  void reads_all(const std::string& what) {
    spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global_, blocks_);
    hr_error error{};
    MPI_Barrier(MPI_COMM_WORLD);
    check_.ok(read(data, error), error, what);
    check_.that(data.wrong(7) == 0, what + ": other values");
  }

  checks& check_;
  way how_;
  spread::extents global_;
  cut blocks_;
  std::string file_;
  long long bytes_ = 0;
};

// A disk that gives nothing; what describes the array, its first piece, the middle, and the end.
void test_way(checks& check, const way& how, cut blocks) {
  unreadable_file file(check, how, {80, 60, 200}, blocks);
  const long long middle = file.bytes() / 2 + 3;
  const long long first =
      how.is_store() ? file.bytes() / 20 : file.bytes() - 8 * 80 * 60 * 200 + 100000;
  // An HDF5 file ends in up to 6 KiB of metadata that a reader of the array need not see.
  const long long end = file.bytes() - 8192;
  for (const bool at_once : {false, true}) {
    file.without_for_each({0, 0, at_once});
    const bad_bytes parts[] = {{20, 30, at_once},
                               {first, first + 4096, at_once},
                               {middle, middle + 4096, at_once},
                               {end, 0, at_once}};
    for (const bad_bytes& bad : parts) file.without_for_each(bad);
  }
}

void test(checks& check, const char* format) {
  faults::empty_this_directory(check);
  int number = 0;
  for (const way& how : faults::ways()) {
    // OMPIO reports success of reads that failed, and ROMIO waits for who cannot read.
    if (std::string(format) != how.format || how.is_by_library()) continue;
    ++number;  // in the short form each way has one of the two
    for (const cut blocks : {cut::skewed, cut::last})
      if (spread::long_tests() || (blocks == cut::last) == (number % 2 == 0))
        test_way(check, how, blocks);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  setenv("HEADRACE_NODE_SIZE", "2", 1);
  return spread::run(argc, argv, std::string("disks that cannot be read, ") + argv[1],
                     [&](checks& check) { test(check, argv[1]); });
}
