// A disk that is full, or fails, for one MPI rank, wherever the write has come to by then: the same
// failure on all MPI ranks, and the old file as it was. A library that reports success nevertheless
// (OMPIO) has written a file in which elements are missing, as it does without headrace. The disk
// is test/interpose/full_disk.c.
//
//     faults_disk FORMAT [broken_device]
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "faults_files.hpp"

namespace {

using faults::way;
using spread::checks;
using spread::cut;
using spread::spread_array;

// What a disk has too little of: bytes, which it tells who asks before or not, or files. Or there
// is enough, but from some byte on no write works.
enum class shortage { bytes, known_bytes, files, none_but_broken };

// From now on so many bytes can be written to this MPI rank's disk.
void leave_room(long long bytes, shortage of) {
  static int disks = 0;
  char* const here = realpath(".", nullptr);
  // The whole path: Open MPI keeps files of similar names elsewhere.
  setenv("HEADRACE_TEST_DISK_PATH", (std::string(here) + "/full_disk").c_str(), 1);
  std::free(here);
  setenv("HEADRACE_TEST_DISK_NAME", std::to_string(++disks).c_str(), 1);
  const bool breaks = of == shortage::none_but_broken;
  setenv(breaks ? "HEADRACE_TEST_DISK_BREAKS" : "HEADRACE_TEST_DISK_BYTES",
         std::to_string(bytes).c_str(), 1);
  if (of == shortage::known_bytes) setenv("HEADRACE_TEST_DISK_TELLS", "1", 1);
  if (of == shortage::files) setenv("HEADRACE_TEST_DISK_FILES", "1", 1);
}

void leave_all_room() {
  for (const char* name : {"BYTES", "PATH", "TELLS", "FILES", "BREAKS"})
    unsetenv((std::string("HEADRACE_TEST_DISK_") + name).c_str());
}

class full_disk {
 public:
  full_disk(checks& check, const way& how, shortage of = shortage::bytes)
      : check_(check), how_(how), of_(of), file_(std::string("full_disk.") + how.ending) {}

  // With enough room there is the new file, and larger rooms need no try. True: it was too small.
  bool at_every_stage(const spread::extents& global, const std::vector<long long>& rooms,
                      int victim, cut blocks = cut::skewed) {
    blocks_ = blocks;
    write_old(global);
    bool failed = false;
    for (const long long room : rooms) {
      const std::string what =
          how_.text() + " with room for " +
          (of_ == shortage::files ? "no files" : std::to_string(room) + " bytes") +
          " on MPI rank " + std::to_string(victim);
      if (!try_with(global, room, victim, what)) {
        old_ = spread::extents();
        break;
      }
      failed = true;
    }
    return failed;
  }

 private:
  // As long as no try has succeeded, the file is the one that was compared after the last of them.
  void write_old(const spread::extents& global) {
    if (global == old_) return;
    spread_array old(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::uneven);
    old.fill(100);
    hr_error error{};
    check_.ok(faults::write(file_, how_, old, error), error, how_.text() + ", an old file");
    before_ = faults::contents(file_);
    old_ = global;
  }

  // False when there was room.
  bool try_with(const spread::extents& global, long long room, int victim,
                const std::string& what) {
    spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, blocks_);
    data.fill(7);
    hr_error error{};
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_.rank() == victim) leave_room(room, of_);
    const int code = faults::write(file_, how_, data, error);
    if (check_.rank() == victim) leave_all_room();
    if (code == 0 && how_.is_by_library() && faults::lacks_elements(file_, how_, global, 7)) {
      old_ = spread::extents();
      write_old(global);
      return true;
    }
    if (code == 0) return is_new(global, what);
    // No way may keep to itself that the disk is full, nor whose.
    const std::string whose = check_.size() > 1 ? "MPI rank " + std::to_string(victim) + ": " : "";
    if (how_.is_by_library())
      check_.fails(code, error, code, "full_disk", what);
    else if (of_ == shortage::none_but_broken)
      check_.fails(code, error, EIO, {"full_disk", whose}, what);
    else
      check_.fails(code, error, ENOSPC, {"full_disk", whose, "free space"}, what);
    MPI_Barrier(MPI_COMM_WORLD);
    check_.that(faults::has_contents(file_, before_), what + ": the old file is not what it was");
    check_.that(faults::leftovers(file_) == 0, what + ": something was left beside it");
    MPI_Barrier(MPI_COMM_WORLD);
    return true;
  }

  bool is_new(const spread::extents& global, const std::string& what) {
    spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::balanced);
    data.clear();
    hr_error error{};
    check_.ok(faults::read(file_, how_, data, error), error, what + ", reading the new file");
    check_.that(data.wrong(7) == 0, what + ": success, but other values");
    return false;
  }

  checks& check_;
  way how_;
  shortage of_;
  cut blocks_ = cut::skewed;
  std::string file_;
  spread::extents old_;  // of the file before the tries; none: it is another by now
  std::string before_;
};

// An MPI rank that certainly writes. Collective calls of MPI-IO choose who does; of a node it is
// the first MPI rank.
int writer_of(const way& how, int size) {
  if (how.is_serial() || (how.is_by_library() && std::string(how.pattern) == "shared_collective"))
    return 0;
  if (std::string(how.pattern) != "file_per_node") return size - 1;
  return size < 2 ? 0 : (size - 1) / 2 * 2;
}

// Hints that make ADIOS2's writers share a file or wait for each other elsewhere, were they obeyed.
// Several writers of BP4 wait for ever for one whose write fails.
constexpr way hinted_ways[] = {
    {"adios2", "bp", "serial", "library", "engine=BP4"},
    {"adios2", "bp", "file_per_process", "library", "NumAggregators=1"},
    {"adios2", "bp", "file_per_process", "library", "AggregationType=TwoLevelShm,NumSubFiles=2"},
    {"adios2", "bp", "file_per_process", "library", "AggregationType=DataSizeBased"},
    {"adios2", "bp", "file_per_node", "library", "AsyncWrite=Naive,AsyncOpen=on"},
    {"adios2", "bp", "file_per_process", "library", "UseSelectiveMetadataAggregation=off"},
    {"adios2", "bp", "file_per_process", "library", "BurstBufferPath=elsewhere"}};

std::vector<way> ways_of(const char* format) {
  std::vector<way> all = faults::ways();
  if (hr_parallel_unavailable("adios2") == nullptr)
    all.insert(all.end(), std::begin(hinted_ways), std::end(hinted_ways));
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const way& one) { return std::string(format) != one.format; }),
            all.end());
  return all;
}

// ADIOS2's messages name files of its index, md.0 and md.idx, and so may the path.
void go_to_a_directory_like_an_index(const checks& check) {
  if (check.rank() == 0) std::filesystem::create_directory("md.run");
  MPI_Barrier(MPI_COMM_WORLD);
  std::filesystem::current_path("md.run");
}

void test_at_every_stage(checks& check, const way& how) {
  full_disk disk(check, how);
  const int writer = writer_of(how, check.size());
  // Several pieces of every exchange, and a few elements whose metadata are all there is.
  check.that(disk.at_every_stage({80, 60, 200}, {0, 9000, 400000}, writer),
             how.text() + ": no disk was too small");
  // A smaller one, whose metadata count. MPI rank 0 tries 64 KiB before a library writes.
  const std::vector<long long> rooms = {1,     300,   2500,  9000,   40000,  65636,
                                        67600, 71700, 90000, 120000, 250000, 1000000};
  disk.at_every_stage({40, 30, 40}, rooms, 0);
  if (check.size() > 1) disk.at_every_stage({40, 30, 40}, rooms, std::max(1, writer));
  // What has begun by then must end without writing more.
  full_disk known(check, how, shortage::known_bytes);
  known.at_every_stage({40, 30, 40}, {0, 9000, 200000}, 0);
  full_disk no_files(check, how, shortage::files);
  const std::vector<long long> any = {1LL << 40};
  check.that(no_files.at_every_stage({40, 30, 40}, any, 0), how.text() + ": files were made");
  const bool makes_one = no_files.at_every_stage({40, 30, 40}, any, writer);
  // A chunk or shard that blocks of several MPI ranks have parts of is made by whichever comes
  // first.
  const bool shares = std::string(how.format) == "zarr";
  const bool has_its_own = !shares && std::string(how.pattern).rfind("file_per_", 0) == 0;
  check.that(makes_one || !has_its_own, how.text() + ": the writer made a file");
}

void test_broken_device(checks& check, const way& how) {
  full_disk disk(check, how, shortage::none_but_broken);
  const std::vector<long long> rooms = {0, 300, 2500, 9000, 70000, 100000, 400000};
  check.that(disk.at_every_stage({80, 60, 200}, rooms, writer_of(how, check.size())),
             how.text() + ": no device was broken");
}

void test(checks& check, const char* format, const std::string& mode) {
  faults::empty_this_directory(check);
  go_to_a_directory_like_an_index(check);
  for (const way& how : ways_of(format))
    if (!how.may_write_for_ever())
      mode == "broken_device" ? test_broken_device(check, how) : test_at_every_stage(check, how);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) return 2;
  const std::string mode = argc == 3 ? argv[2] : "";
  const std::vector<std::string> modes = {"", "broken_device"};
  if (std::find(modes.begin(), modes.end(), mode) == modes.end()) return 2;
  setenv("HEADRACE_NODE_SIZE", "2", 1);
  return spread::run(argc, argv, "disks that fail, " + mode + " " + argv[1],
                     [&](checks& check) { test(check, argv[1], mode); });
}
