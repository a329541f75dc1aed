#include "timeline.hpp"

#include <algorithm>

namespace headrace {

void timeline::add(hr_phase phase, double begin, double end) noexcept {
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

void timeline::fill(hr_parallel_report& report) const noexcept {
  std::copy(seconds_.begin(), seconds_.end(), report.seconds);
  std::copy(events_.begin(), events_.begin() + count_, report.event);
  report.events = count_;
}

}  // namespace headrace
