// What this MPI rank did when, for reports and pictures.
#pragma once

#include <algorithm>
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
  void add(hr_phase phase, double begin, double end) noexcept {
    seconds_[phase] += end - begin;
    // Cycles repeat: once the list is full, the last event of the phase grows.
    if (count_ < HR_MAX_EVENTS) {
      events_[static_cast<std::size_t>(count_++)] = {phase, begin, end};
      return;
    }
    for (int i = count_ - 1; i >= 0; --i) {
      hr_event& last = events_[static_cast<std::size_t>(i)];
      if (last.phase != phase) continue;
      last.end = end;
      return;
    }
  }
  void fill(hr_parallel_report& report) const noexcept {
    std::copy(seconds_.begin(), seconds_.end(), report.seconds);
    std::copy(events_.begin(), events_.begin() + count_, report.event);
    report.events = count_;
  }

 private:
  std::array<double, HR_PHASES> seconds_{};
  std::array<hr_event, HR_MAX_EVENTS> events_{};
  int count_ = 0;
};

}  // namespace headrace
