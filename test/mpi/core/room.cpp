// Room on the disk is asked for in vain without harm, and given back.
// The disk is test/interpose/full_disk.c, one for each MPI rank. Cutting a file can be made to take
// long; see CMakeLists.txt.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "checks.hpp"
#include "disk/library_files.hpp"
#include "disk/room.hpp"
#include "together/communicator.hpp"

namespace {

std::chrono::milliseconds before_cutting{0};

}  // namespace

extern "C" {
int __real_ftruncate(int descriptor, off_t length);
int __wrap_ftruncate(int descriptor, off_t length) {
  std::this_thread::sleep_for(before_cutting);
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
    status explained;
    if (check_.rank() == last_) {
      const shorter_files limit(bytes);
      explained = headrace::explain_failed_write(comm_, shared_, library_failed());
      check_.that(headrace::is_within_limit(bytes), "the limit itself is within");
    } else {
      explained = headrace::explain_failed_write(comm_, shared_, library_failed());
    }
    names_the_last(explained, EFBIG, "cannot grow");
  }

  // As often as one likes, on a disk for which two at a time are too many.
  void is_given_back_by_who_asks() {
    new_file_for_all();
    const auto before = blocks();
    MPI_Barrier(MPI_COMM_WORLD);
    {
      const small_disk disk(100000);
      // When another MPI rank cuts the file first, this one's disk never hears of what was written.
      const int times = check_.size() == 1 ? 3 : 0;
      for (int n = 0; n < times; ++n) {
        const status found = headrace::explain_failed_write(comm_, shared_, library_failed());
        check_.that(found.code() == library_failed().code(),
                    "room for another: " + found.message());
      }
      if (check_.rank() == last_) small_disk::holds(100);
      names_the_last(headrace::explain_failed_write(comm_, shared_, library_failed()), ENOSPC,
                     "cannot grow");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    check_.that(blocks() == before, "bytes behind the end stay taken: " + std::to_string(blocks()) +
                                        " blocks, not " + std::to_string(before));
    MPI_Barrier(MPI_COMM_WORLD);
  }

  // What the others try with is not the file, for an MPI rank that comes later either.
  void is_not_the_files_while_others_try() {
    new_file_for_all();
    const auto before = blocks();
    MPI_Barrier(MPI_COMM_WORLD);
    before_cutting = std::chrono::milliseconds(100);  // the last comes later, and cuts later
    if (check_.rank() == last_) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const status found = headrace::explain_failed_write(comm_, shared_, library_failed());
    before_cutting = {};
    check_.that(found.code() == library_failed().code(), "a disk with room: " + found.message());
    MPI_Barrier(MPI_COMM_WORLD);
    check_.that(bytes() == 8, "the file has grown to " + std::to_string(bytes()) + " bytes");
    check_.that(blocks() == before, "blocks of what was tried: " + std::to_string(blocks()) +
                                        ", not " + std::to_string(before));
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  static status library_failed() {
    return status::failure(stat_code::library_failed, "the library gives no reason");
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
  here.is_given_back_by_who_asks();
  here.is_not_the_files_while_others_try();
}

}  // namespace

int main(int count, char** arguments) {
  return spread::run(count, arguments, "room on the disk", test);
}
