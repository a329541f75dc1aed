// What a full disk or a limit refuses to our own calls is told by the MPI rank that met it. A check
// of what a library wrote takes no room and cuts no file, however many MPI ranks check at a time.
// The disk is test/interpose/full_disk.c, one for each MPI rank. Calls that cut files are counted;
// see CMakeLists.txt.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>

#include "checks.hpp"
#include "core/file_limits.hpp"
#include "disk/library_files.hpp"
#include "disk/positioned_file.hpp"
#include "together/communicator.hpp"

namespace {

int times_cut = 0;

}  // namespace

extern "C" {
int __real_ftruncate(int descriptor, off_t length);
int __wrap_ftruncate(int descriptor, off_t length) {
  ++times_cut;
  return __real_ftruncate(descriptor, length);
}
}

namespace {

using headrace::communicator;
using headrace::stat_code;
using headrace::status;
using spread::checks;

// While it lives, so many bytes fit on the disk, an empty one, of this MPI rank.
class small_disk {
 public:
  explicit small_disk(std::int64_t bytes) {
    static int disks = 0;
    setenv("HEADRACE_TEST_DISK_PATH", "room.bin", 1);
    setenv("HEADRACE_TEST_DISK_NAME", std::to_string(++disks).c_str(), 1);
    holds(bytes);
  }
  ~small_disk() {
    for (const char* const name : {"PATH", "NAME", "BYTES"})
      unsetenv((std::string("HEADRACE_TEST_DISK_") + name).c_str());
  }
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;

  static void holds(std::int64_t bytes) {
    setenv("HEADRACE_TEST_DISK_BYTES", std::to_string(bytes).c_str(), 1);
  }
};

// While it lives, no file of this process may be longer.
class shorter_files {
 public:
  explicit shorter_files(std::int64_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit shorter = before_;
    shorter.rlim_cur = static_cast<rlim_t>(bytes);
    ::setrlimit(RLIMIT_FSIZE, &shorter);
  }
  ~shorter_files() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  shorter_files(const shorter_files&) = delete;
  shorter_files& operator=(const shorter_files&) = delete;

 private:
  rlimit before_{};
};

class room {
 public:
  room(checks& check, const communicator& comm)
      : check_(check), comm_(comm), last_(check.size() - 1) {}

  void ends_at_the_limit_of_the_process(std::int64_t bytes) {
    new_file_for_all();
    status told;
    if (check_.rank() == last_) {
      const shorter_files limit(bytes);
      told = writes_behind(bytes);
      check_.that(headrace::is_within_limit(bytes), "the limit itself is within");
    } else {
      told = headrace::agree(comm_, {});
    }
    names_the_last(told, EFBIG, "cannot write");
  }

  // As often as one likes, on a disk for which two at a time are too many.
  void is_not_taken_by_who_checks() {
    new_file_for_all();
    times_cut = 0;
    const auto before = blocks();
    MPI_Barrier(MPI_COMM_WORLD);
    {
      const small_disk disk(100000);
      for (int n = 0; n < 3; ++n) {
        const status found = headrace::agree(comm_, headrace::check_written(shared_, 8, 8));
        check_.that(found.ok(), "a disk with room: " + found.message());
      }
      MPI_Barrier(MPI_COMM_WORLD);
      check_.that(blocks() == before && bytes() == 8 && times_cut == 0,
                  "the file was changed: " + std::to_string(blocks()) + " blocks, not " +
                      std::to_string(before) + ", " + std::to_string(bytes()) + " bytes");
      MPI_Barrier(MPI_COMM_WORLD);
      if (check_.rank() == last_) small_disk::holds(100);
      names_the_last(check_.rank() == last_ ? writes_behind(200000) : headrace::agree(comm_, {}),
                     ENOSPC, "cannot write");
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  // A file that became too short is found by whoever checks.
  void ends_too_early() {
    new_file_for_all();
    const status found = headrace::agree(comm_, headrace::check_written(shared_, 9, 9));
    check_.that(found.code() == static_cast<int>(stat_code::file_size_mismatch) &&
                    found.message().find(shared_) != std::string::npos,
                "a short file: " + found.message());
  }

 private:
  // Collective: from the begin of the file to behind that byte.
  status writes_behind(std::int64_t byte) {
    const headrace::no_signal_at_limit guard;
    const std::string elements(static_cast<std::size_t>(byte) + 1000, 'x');
    headrace::positioned_file file;
    status done = file.open_to_write(shared_);
    if (done.ok())
      done = file.write_at(0, elements.data(), static_cast<std::int64_t>(elements.size()));
    return headrace::agree(comm_, done);
  }
  static void new_file(const std::string& name) {
    ::unlink(name.c_str());
    std::ofstream(name) << "elements";
  }
  void new_file_for_all() const {
    if (check_.rank() == 0) new_file(shared_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  // That the file has on the disk underneath.
  std::int64_t blocks() const {
    struct stat found {};
    ::stat(shared_.c_str(), &found);
    return found.st_blocks;
  }
  std::int64_t bytes() const {
    struct stat found {};
    ::stat(shared_.c_str(), &found);
    return found.st_size;
  }
  void names_the_last(const status& found, int code, const std::string& words) {
    const std::string who = "MPI rank " + std::to_string(last_);
    check_.that(found.code() == code, "code " + std::to_string(found.code()));
    check_.that((check_.size() == 1 || found.message().find(who) != std::string::npos) &&
                    found.message().find(words) != std::string::npos &&
                    found.message().find(shared_) != std::string::npos,
                found.message());
  }

  checks& check_;
  const communicator& comm_;
  int last_;
  std::string shared_ = "shared_room.bin";
};

void test(checks& check) {
  headrace::communicator_ptr comm;
  const status made = communicator::duplicate(MPI_COMM_WORLD, comm);
  if (!check.that(made.ok(), made.message())) return;
  room here(check, *comm);
  for (const std::int64_t bytes : {std::int64_t{5000}, std::int64_t{8}})
    here.ends_at_the_limit_of_the_process(bytes);
  here.is_not_taken_by_who_checks();
  here.ends_too_early();
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "room on the disk", test);
}
