// What this MPI rank did when, for reports and pictures.
#pragma once

#include <array>
#include <vector>

#include "../../include/headrace_mpi.h"

namespace headrace {

class timeline {
 public:
  // Seconds and events of a phase, until the scope ends.
  class scope {
   public:
    scope(timeline& line, hr_phase phase) noexcept
        : line_(line), phase_(phase), begin_(MPI_Wtime()) {}
    ~scope() { line_.add(phase_, begin_, MPI_Wtime()); }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

   private:
    timeline& line_;
    hr_phase phase_;
    double begin_;
  };
  scope during(hr_phase phase) noexcept { return scope(*this, phase); }
  void add(hr_phase phase, double begin, double end) noexcept;
  void fill(hr_parallel_report& report) const noexcept;

 private:
  std::array<double, HR_PHASES> seconds_{};
  std::array<hr_event, HR_MAX_EVENTS> events_{};
  int count_ = 0;
};

}  // namespace headrace
