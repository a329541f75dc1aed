// A library that reports success and has not written, as Open MPI's OMPIO does after an error of
// the device. A file that is too short is a failure on all MPI ranks, and the old file is what it
// was. Otherwise there is success, as without headrace, and the elements of that write are missing:
// they are what the file system has there. This program's calls come before the C library's and say
// of one large write that it was done.
//
//     hdf5_lost_writes FORMAT
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <string>
#include <vector>

#include "arrays/faults_files.hpp"

namespace {

// More than descriptions of arrays, and than headrace tries a disk with.
constexpr std::size_t large = std::size_t{100} << 10;
const char* const stem = "lost_writes";
int writes_until_loss = 0;  // of this MPI rank to the file, 0: none is lost

bool is_lost(int descriptor, std::size_t bytes) {
  if (writes_until_loss <= 0 || bytes < large) return false;
  std::array<char, PATH_MAX + 1> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  if (::readlink(link.c_str(), path.data(), path.size() - 1) < 0) return false;
  const char* const name = std::strrchr(path.data(), '/');
  return name != nullptr && std::strstr(name, stem) != nullptr && --writes_until_loss == 0;
}

std::size_t bytes_of(const struct iovec* parts, int number) {
  std::size_t sum = 0;
  for (int i = 0; i < number; ++i) sum += parts[i].iov_len;
  return sum;
}

ssize_t passed_on(long call, int descriptor, const void* data, std::size_t bytes, off64_t offset) {
  return ::syscall(call, descriptor, data, bytes, offset);
}

// The C library's pwritev() gives the offset in two halves; 64 bits need the first only.
ssize_t write_parts(int descriptor, const struct iovec* parts, int number, off64_t offset) {
  const std::size_t bytes = bytes_of(parts, number);
  if (is_lost(descriptor, bytes)) return static_cast<ssize_t>(bytes);
  return ::syscall(SYS_pwritev, descriptor, parts, number, offset, 0L);
}

}  // namespace

extern "C" {

ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off64_t offset) {
  if (is_lost(descriptor, bytes)) return static_cast<ssize_t>(bytes);
  return passed_on(SYS_pwrite64, descriptor, data, bytes, offset);
}

ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
  return pwrite64(descriptor, data, bytes, offset);
}

ssize_t pwritev64(int descriptor, const struct iovec* parts, int number, off64_t offset) {
  return write_parts(descriptor, parts, number, offset);
}

ssize_t pwritev(int descriptor, const struct iovec* parts, int number, off_t offset) {
  return write_parts(descriptor, parts, number, offset);
}

ssize_t write(int descriptor, const void* data, size_t bytes) {
  if (is_lost(descriptor, bytes)) {
    ::lseek(descriptor, static_cast<off_t>(bytes), SEEK_CUR);
    return static_cast<ssize_t>(bytes);
  }
  return passed_on(SYS_write, descriptor, data, bytes, 0);
}

ssize_t writev(int descriptor, const struct iovec* parts, int number) {
  const std::size_t bytes = bytes_of(parts, number);
  if (is_lost(descriptor, bytes)) {
    ::lseek(descriptor, static_cast<off_t>(bytes), SEEK_CUR);
    return static_cast<ssize_t>(bytes);
  }
  return ::syscall(SYS_writev, descriptor, parts, number);
}

}  // extern "C"

namespace {

using faults::way;
using spread::checks;
using spread::cut;
using spread::spread_array;

// Several cycles of a collective write.
const spread::extents global = {256, 256, 40};

class lost_writes {
 public:
  lost_writes(checks& check, const way& how)
      : check_(check), how_(how), file_(std::string(stem) + "." + how.ending) {}

  // One after another is lost, until there are no more.
  void each_of(int victim) {
    write_old();
    int lost = 0;
    while (lost < 64 && loses(lost + 1, victim)) ++lost;
    check_.that(lost > 0 && lost < 64, how_.text() + ": lost " + std::to_string(lost) + " writes");
  }

 private:
  bool loses(int number, int victim) {
    const std::string what = how_.text() + ", write " + std::to_string(number) + " of MPI rank " +
                             std::to_string(victim) + " is lost";
    // Alone an MPI rank makes large writes of what is in one piece only.
    const bool alone = std::string(how_.pattern) == "shared_independent";
    spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global,
                      alone ? cut::last : cut::skewed);
    data.fill(7);
    hr_error error{};
    MPI_Barrier(MPI_COMM_WORLD);
    if (check_.rank() == victim) writes_until_loss = number;
    const int code = faults::write(file_, how_, data, error);
    int is_lost = check_.rank() == victim && writes_until_loss == 0 ? 1 : 0;
    writes_until_loss = 0;
    MPI_Bcast(&is_lost, 1, MPI_INT, victim, MPI_COMM_WORLD);
    if (is_lost == 0) {
      is_whole(code, error, what + ", which it did not make");
      return false;
    }
    if (code == 0) {
      check_.that(faults::lacks_elements(file_, how_, global, 7),
                  what + ": success, and nothing is missing");
      MPI_Barrier(MPI_COMM_WORLD);
      write_old();
      return true;
    }
    // Without its last bytes the file is too short.
    check_.fails(code, error, HR_FILE_SIZE_MISMATCH,
                 std::vector<std::string>{stem, "bytes, found "}, what);
    check_.that(faults::has_contents(file_, before_), what + ": the old file is not what it was");
    check_.that(faults::leftovers(file_) == 0, what + ": something was left beside it");
    MPI_Barrier(MPI_COMM_WORLD);
    return true;
  }

  void write_old() {
    spread_array old(MPI_COMM_WORLD, spread::kind_named("real64"), {16, 8}, cut::balanced);
    old.fill(100);
    hr_error error{};
    check_.ok(faults::write(file_, how_, old, error), error, how_.text() + ", an old file");
    before_ = faults::contents(file_);
  }

  void is_whole(int code, const hr_error& error, const std::string& what) {
    check_.ok(code, error, what);
    spread_array data(MPI_COMM_WORLD, spread::kind_named("real64"), global, cut::balanced);
    data.clear();
    hr_error refused{};
    check_.ok(faults::read(file_, how_, data, refused), refused, what + ", reading it");
    check_.that(data.wrong(7) == 0, what + ": success, but other values");
  }

  checks& check_;
  way how_;
  std::string file_;
  std::string before_;
};

void test(checks& check, const char* format) {
  faults::empty_this_directory(check);
  for (const way& how : faults::ways()) {
    if (std::string(how.format) != format || std::string(how.transfer) != "library") continue;
    const bool all_write = std::string(how.pattern) == "shared_independent";
    lost_writes(check, how).each_of(all_write ? check.size() - 1 : 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  return spread::run(argc, argv, std::string("lost writes, ") + argv[1],
                     [&](checks& check) { test(check, argv[1]); });
}
