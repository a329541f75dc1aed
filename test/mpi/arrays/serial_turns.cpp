// MPI ranks that write one file by serial calls: all after a barrier, where what is lost must be
// said, or each after a message of the one before, which is allowed and said once. 2 to 8 MPI ranks
// in turn, with the writers of all formats.
//
//     serial_turns barrier|message [runs] [no_links]
//
// no_links: as on a file system without symbolic links.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "checks.hpp"

namespace {

bool has_links = true;

}  // namespace

extern "C" int symlink(const char* to, const char* name) noexcept {
  if (has_links) return static_cast<int>(::syscall(SYS_symlinkat, to, AT_FDCWD, name));
  errno = EPERM;
  return -1;
}

namespace {

namespace fs = std::filesystem;
using spread::checks;

struct writer {
  const char* file;
  const char* format;
  const char* replace;
};
constexpr writer writers[] = {
    {"u.npy", nullptr, nullptr},  {"u.csv", nullptr, nullptr},    {"u.raw", nullptr, nullptr},
    {"u.npz", nullptr, nullptr},  {"u.csv.gz", nullptr, nullptr}, {"u.dat", "unformatted", nullptr},
    {"u.meta", nullptr, nullptr}, {"u.npy", nullptr, "in_place"}, {"u.raw", nullptr, "in_place"}};
constexpr std::size_t writers_count = sizeof writers / sizeof writers[0];

class turns {
 public:
  explicit turns(checks& check)
      : check_(check),
        values_(check.rank() == 0 ? 3 : 5, 1.5 + check.rank()),
        errors_("stderr." + std::to_string(check.rank())),
        told_(::open(errors_.c_str(), O_CREAT | O_TRUNC | O_APPEND | O_WRONLY, 0666)),
        stderr_(::dup(STDERR_FILENO)) {}

  void run(int number, bool after_messages) {
    const writer& by = writers[static_cast<std::size_t>(number) % writers_count];
    const int size = check_.size() < 3 ? check_.size() : 2 + number % (check_.size() - 1);
    const std::string directory = "run" + std::to_string(number);
    if (check_.rank() == 0) fs::create_directory(directory);
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, check_.rank() < size ? 0 : MPI_UNDEFINED, 0, &some);
    MPI_Barrier(MPI_COMM_WORLD);
    const auto before = warnings();
    int code = 0;
    ::dup2(told_, STDERR_FILENO);
    if (some != MPI_COMM_NULL)
      code = after_messages ? write_in_turn(some, size, directory + "/" + by.file, by)
                            : write_at_once(some, directory + "/" + by.file, by);
    ::dup2(stderr_, STDERR_FILENO);
    const bool refused = code == HR_WRITTEN_BY_ANOTHER_RANK;
    const std::string what = directory + ", " + by.file + " on " + std::to_string(size);
    check_.that(code == 0 || refused, what + ": " + error_.message);
    if (refused)
      check_.that(std::strstr(error_.message, "headrace_mpi") != nullptr, error_.message);
    int seen[] = {refused ? 1 : 0, static_cast<int>(warnings() - before)};
    MPI_Allreduce(MPI_IN_PLACE, seen, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (after_messages)
      check_.that(seen[0] == 0 && seen[1] == 1, what + ": " + text_of(seen));
    else
      check_.that(seen[0] + seen[1] >= 1 && seen[0] < size, what + ": " + text_of(seen));
    refusals_ += seen[0] > 0 ? 1 : 0;
    if (some != MPI_COMM_NULL) MPI_Comm_free(&some);
    if (check_.rank() == 0) nothing_else_is_in(directory, by);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void say(int runs) const {
    if (check_.rank() == 0) std::printf("refused in %d of %d runs\n", refusals_, runs);
  }

 private:
  static std::string text_of(const int (&seen)[2]) {
    return std::to_string(seen[0]) + " refused, " + std::to_string(seen[1]) + " warnings";
  }

  int write_at_once(MPI_Comm some, const std::string& file, const writer& by) {
    MPI_Barrier(some);
    return write(file, by);
  }

  int write_in_turn(MPI_Comm some, int size, const std::string& file, const writer& by) {
    int token = 0;
    const int rank = check_.rank();
    if (rank > 0) MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, some, MPI_STATUS_IGNORE);
    const int code = write(file, by);
    if (rank + 1 < size) MPI_Send(&token, 1, MPI_INT, rank + 1, 0, some);
    return code;
  }

  int write(const std::string& file, const writer& by) {
    hr_array array{};
    array.base = values_.data();
    array.elem_len = sizeof(double);
    array.type = HR_TYPE_REAL;
    array.array_rank = 1;
    array.extent[0] = static_cast<std::ptrdiff_t>(values_.size());
    array.stride[0] = sizeof(double);
    hr_write_options options{};
    options.format = by.format;
    options.replace = by.replace;
    return hr_write_array(file.c_str(), &array, &options, &error_);
  }

  long warnings() const {
    std::ifstream lines(errors_);
    long found = 0;
    for (std::string line; std::getline(lines, line);)
      if (line.find("headrace: warning: ") != std::string::npos &&
          line.find("headrace_mpi") != std::string::npos)
        ++found;
    return found;
  }

  void nothing_else_is_in(const std::string& directory, const writer& by) {
    const bool is_pair = std::strstr(by.file, ".meta") != nullptr;
    for (const auto& entry : fs::directory_iterator(directory)) {
      const std::string name = entry.path().filename().string();
      check_.that(name == by.file || (is_pair && name.find(".headrace-") == std::string::npos),
                  "left in " + directory + ": " + name);
    }
  }

  checks& check_;
  std::vector<double> values_;
  std::string errors_;  // what the calls print
  int told_;
  int stderr_;
  int refusals_ = 0;
  hr_error error_{};
};

}  // namespace

int main(int count, char** arguments) {
  const std::string how = count > 1 ? arguments[1] : "";
  if (how != "barrier" && how != "message") return 2;
  const int asked = count > 2 ? std::atoi(arguments[2]) : 0;
  const int runs = asked > 0 ? asked : spread::long_tests() ? 150 : 10;
  has_links = std::strcmp(arguments[count - 1], "no_links") != 0;
  return spread::run(count, arguments, "serial writes of one file, " + how, [&](checks& check) {
    turns test(check);
    for (int number = 0; number < runs; ++number) test.run(number, how == "message");
    test.say(runs);
  });
}
