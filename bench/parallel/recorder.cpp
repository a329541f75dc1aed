#include "recorder.hpp"

#include <time.h>

namespace headrace::bench {

double now() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void recorder::add(phase what, double begin, double end) noexcept {
  add_seconds(what, end - begin);
  add_event(what, begin, end);
}

void recorder::add_seconds(phase what, double seconds) noexcept {
  seconds_[static_cast<std::size_t>(what)] += seconds;
}

void recorder::add_event(phase what, double begin, double end) noexcept {
  if (events_.size() < most_events) {
    events_.push_back({what, begin, end});
    return;
  }
  for (auto last = events_.rbegin(); last != events_.rend(); ++last) {
    if (last->what == what) {
      last->end = end;
      return;
    }
  }
}

}  // namespace headrace::bench
