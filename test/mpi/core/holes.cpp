// When all have closed a file, a hole on a network file system is asked whether the disk is full.
// The calls are counted, and some made to fail; see CMakeLists.txt.
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "checks.hpp"
#include "disk/library_files.hpp"

namespace {

long kind_of_files = 0;  // 0: the real one
int writes_made = 0;
int error_of_writes = 0;

}  // namespace

extern "C" {
ssize_t __real_pwrite(int descriptor, const void* data, std::size_t bytes, off_t offset);
int __real_statfs(const char* path, struct statfs* found);

ssize_t __wrap_pwrite(int descriptor, const void* data, std::size_t bytes, off_t offset) {
  ++writes_made;
  if (error_of_writes == 0) return __real_pwrite(descriptor, data, bytes, offset);
  errno = error_of_writes;
  return -1;
}

int __wrap_statfs(const char* path, struct statfs* found) {
  const int result = __real_statfs(path, found);
  if (kind_of_files != 0) found->f_type = kind_of_files;
  return result;
}
}

namespace {

using headrace::status;
using spread::checks;

const std::string name = "holes.bin";
constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
constexpr std::int64_t length = 3 * mebibyte;

// 1 MiB of elements, a hole as long, and elements again.
bool make_file() {
  const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const std::string elements(mebibyte, 'x');
  bool made = true;
  for (const off_t at : {off_t{0}, off_t{2 * mebibyte}})
    made = made && __real_pwrite(descriptor, elements.data(), elements.size(), at) == mebibyte;
  return ::close(descriptor) == 0 && made;
}

// A look at the file with the calls that fail, both where the places of arrays are known and where
// they are not.
class looks {
 public:
  looks(checks& check, int writing, const std::string& what) : check_(check), what_(what) {
    for (const bool known : {true, false}) {
      check.that(make_file(), "a file with a hole");
      writes_made = 0;
      error_of_writes = writing;
      found_[known ? 0 : 1] = known ? headrace::check_written(name, length, {{0, length}})
                                    : headrace::check_written(name, length, length);
      writes_[known ? 0 : 1] = writes_made;
    }
  }

  looks& fail_with(int error) {
    for (const status& one : found_)
      check_.that(one.code() == error,
                  what_ + ": " + std::to_string(one.code()) + ", " + one.message());
    return *this;
  }
  void write(int times) {
    for (const int one : writes_)
      check_.that(one == times, what_ + ": " + std::to_string(one) + " writes into holes");
  }

 private:
  checks& check_;
  std::string what_;
  status found_[2];
  int writes_[2] = {};
};

// An array may begin in the last bytes of a hole: the question must not go beyond it.
void elements_behind_a_hole_stay(checks& check) {
  check.that(make_file(), "a file with a hole");
  writes_made = 0;
  const status found = headrace::check_written(name, length, {{2 * mebibyte - 100, length}});
  check.that(found.ok() && writes_made == 1, "a hole of 100 bytes: " + found.message());
  std::string elements(mebibyte, ' ');
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  check.that(::pread(descriptor, elements.data(), elements.size(), 2 * mebibyte) == mebibyte &&
                 elements.find_first_not_of('x') == std::string::npos,
             "the elements behind the hole are others");
  ::close(descriptor);
}

void test(checks& check) {
  kind_of_files = NFS_SUPER_MAGIC;
  looks(check, 0, "closed, room everywhere").fail_with(0).write(1);
  looks(check, ENOSPC, "closed, a full disk").fail_with(ENOSPC).write(1);
  looks(check, EIO, "closed, a broken disk").fail_with(EIO).write(1);
  error_of_writes = 0;
  elements_behind_a_hole_stay(check);
  kind_of_files = EXT4_SUPER_MAGIC;
  looks(check, 0, "closed, on this node alone").fail_with(ENOSPC).write(0);
  kind_of_files = 0;
}

}  // namespace

int main(int count, char** arguments) {
  const int probe = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool tells = ::ftruncate(probe, length) == 0 && ::lseek(probe, 0, SEEK_HOLE) == 0;
  ::close(probe);
  if (!tells) {
    std::printf("skipped: only ext4, tmpfs and xfs tell bytes that were never written\n");
    return 77;
  }
  return spread::run(count, arguments, "holes in files", test);
}
