#include "checks.hpp"

#include <cstdio>
#include <cstdlib>

namespace spread {

checks::checks() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

bool checks::that(bool condition, const std::string& what) {
  ++done_;
  if (condition) return true;
  ++failed_;
  std::fprintf(stderr, "MPI rank %d: %s\n", rank_, what.c_str());
  return false;
}

bool checks::ok(int code, const hr_error& error, const std::string& what) {
  return that(code == 0, what + ": status " + std::to_string(code) + ", " + error.message);
}

bool checks::fails(int code, const hr_error& error, int expected,
                   const std::vector<std::string>& words, const std::string& what) {
  const std::string message = error.message;
  bool good = that(code == expected && error.status == code,
                   what + ": expected status " + std::to_string(expected) + ", found " +
                       std::to_string(code) + ": " + message);
  for (const std::string& word : words)
    good = that(message.find(word) != std::string::npos,
                what + ": no \"" + word + "\" in the message: " + message) &&
           good;
  std::vector<char> first(HR_MESSAGE_BYTES, '\0');
  message.copy(first.data(), first.size() - 1);
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  return that(message == first.data(), what + ": another message than on MPI rank 0: " + message) &&
         good;
}

int checks::finish(const std::string& name) const {
  long long counts[2] = {done_, failed_};
  MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank_ == 0)
    std::printf("%s: %lld checks on %d MPI ranks, %lld failed\n", name.c_str(), counts[0], size_,
                counts[1]);
  std::fflush(stdout);
  return counts[1] == 0 && counts[0] > 0 ? 0 : 1;
}

told_at_once::told_at_once() : was_set_(std::getenv("HEADRACE_CHECK") != nullptr) {
  ::setenv("HEADRACE_CHECK", "1", 0);
}

told_at_once::~told_at_once() {
  if (!was_set_) ::unsetenv("HEADRACE_CHECK");
}

}  // namespace spread
