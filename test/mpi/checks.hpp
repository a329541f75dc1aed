// Counted checks of a program that all MPI ranks run.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "../kernels/amounts.hpp"
#include "headrace_mpi.h"

namespace spread {

using headrace::long_tests;

// A failure is printed by the MPI ranks that see it.
class checks {
 public:
  checks();
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool that(bool condition, const std::string& what);
  bool ok(int code, const hr_error& error, const std::string& what);
  // Collective: the code, the same message on all MPI ranks, and the words in it.
  bool fails(int code, const hr_error& error, int expected, const std::vector<std::string>& words,
             const std::string& what);
  bool fails(int code, const hr_error& error, int expected, const std::string& words,
             const std::string& what) {
    return fails(code, error, expected, std::vector<std::string>{words}, what);
  }
  // Collective: a line on MPI rank 0, and the exit code of the program; no check is a failure.
  int finish(const std::string& name) const;

 private:
  int rank_ = 0;
  int size_ = 1;
  long long done_ = 0;
  long long failed_ = 0;
};

// Datasets that are opened while one lives keep no small arrays: what is wrong is told by the call
// that is, on all MPI ranks. All of them have one.
class told_at_once {
 public:
  told_at_once();
  ~told_at_once();
  told_at_once(const told_at_once&) = delete;
  told_at_once& operator=(const told_at_once&) = delete;

 private:
  bool was_set_;
};

// A program's main: test(check) between MPI's beginning and end.
template <class Test>
int run(int count, char** arguments, const std::string& name, Test test) {
  MPI_Init(&count, &arguments);
  int code = 1;
  {
    checks check;
    test(check);
    code = check.finish(name);
  }
  MPI_Finalize();
  return code;
}

}  // namespace spread
