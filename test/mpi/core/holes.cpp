// When all have closed a file, its size is compared and, on a full disk, how much room it takes.
// Nothing is written to find that out; the calls are counted, and some made to fail, see
// CMakeLists.txt.
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "checks.hpp"
#include "disk/library_files.hpp"

namespace {

long kind_of_files = 0;  // 0: the real one
bool disk_is_full = false;
int writes_made = 0;
int error_of_writes = 0;

}  // namespace

extern "C" {
ssize_t __real_pwrite(int descriptor, const void* data, std::size_t bytes, off_t offset);
int __real_statfs(const char* path, struct statfs* found);
int __real_fstatvfs(int descriptor, struct statvfs* found);

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

int __wrap_fstatvfs(int descriptor, struct statvfs* found) {
  const int result = __real_fstatvfs(descriptor, found);
  if (disk_is_full) found->f_bavail = 0;
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

// A look at the file with the calls that fail.
class look {
 public:
  look(checks& check, int writing, bool is_full, const std::string& what)
      : check_(check), what_(what) {
    check.that(make_file(), "a file with a hole");
    writes_made = 0;
    error_of_writes = writing;
    disk_is_full = is_full;
    found_ = headrace::check_written(name, length, length);
    disk_is_full = false;
    error_of_writes = 0;
    check.that(writes_made == 0, what_ + ": " + std::to_string(writes_made) + " writes into holes");
  }

  void fails_with(int error) {
    check_.that(found_.code() == error,
                what_ + ": " + std::to_string(found_.code()) + ", " + found_.message());
  }

 private:
  checks& check_;
  std::string what_;
  status found_;
};

// An array may begin in the last bytes of a hole: nothing may be written there.
void elements_behind_a_hole_stay(checks& check) {
  look(check, 0, false, "a hole before elements").fails_with(0);
  std::string elements(mebibyte, ' ');
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  check.that(::pread(descriptor, elements.data(), elements.size(), 2 * mebibyte) == mebibyte &&
                 elements.find_first_not_of('x') == std::string::npos,
             "the elements behind the hole are others");
  ::close(descriptor);
}

void a_cut_file_is_found(checks& check) {
  check.that(make_file(), "a file with a hole");
  const status found = headrace::check_written(name, length + 1, length);
  check.that(found.code() == static_cast<int>(headrace::stat_code::file_size_mismatch),
             "a file that is cut: " + found.message());
}

// What was lost without a word is told on a full disk only: a file system that was asked by a write
// could say no more of a library's.
void test(checks& check) {
  for (const long kind : {long{NFS_SUPER_MAGIC}, long{EXT4_SUPER_MAGIC}}) {
    kind_of_files = kind;
    look(check, 0, false, "closed, room everywhere").fails_with(0);
    look(check, ENOSPC, true, "closed, a full disk").fails_with(ENOSPC);
    look(check, EIO, false, "closed, a broken disk").fails_with(0);
    elements_behind_a_hole_stay(check);
    a_cut_file_is_found(check);
  }
  kind_of_files = 0;
}

}  // namespace

int main(int count, char** arguments) {
  const int probe = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool tells = ::ftruncate(probe, length) == 0 && ::lseek(probe, 0, SEEK_HOLE) == 0;
  ::close(probe);
  if (!tells) {
    std::printf("skipped: here bytes that were never written take room\n");
    return 77;
  }
  return spread::run(count, arguments, "holes in files", test);
}
