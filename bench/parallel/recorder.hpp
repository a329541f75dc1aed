// What this MPI rank did when: phases with their beginning and end.
#pragma once

#include <array>
#include <vector>

namespace headrace::bench {

enum class phase { open, exchange, transfer, sync, close, wait };
inline constexpr std::size_t phases = 6;
inline constexpr std::array<const char*, phases> phase_names = {"open", "exchange", "transfer",
                                                                "sync", "close",    "wait"};

// Seconds of CLOCK_MONOTONIC: one clock for all MPI ranks of a node, which MPI_Wtime need not be.
double now() noexcept;

struct event {
  phase what;
  double begin;
  double end;
};

class recorder {
 public:
  // Until the scope ends.
  class scope {
   public:
    scope(recorder& line, phase what) noexcept : line_(line), what_(what), begin_(now()) {}
    ~scope() { line_.add(what_, begin_, now()); }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;

   private:
    recorder& line_;
    phase what_;
    double begin_;
  };

  recorder() { events_.reserve(most_events); }
  scope during(phase what) noexcept { return scope(*this, what); }
  void add(phase what, double begin, double end) noexcept;
  // Time of a phase that is known as a sum only.
  void add_seconds(phase what, double seconds) noexcept;
  void add_event(phase what, double begin, double end) noexcept;

  double seconds(phase what) const noexcept { return seconds_[static_cast<std::size_t>(what)]; }
  const std::vector<event>& events() const noexcept { return events_; }

 private:
  static constexpr std::size_t most_events = 1024;  // later ones of a phase are merged
  std::array<double, phases> seconds_{};
  std::vector<event> events_;
};

}  // namespace headrace::bench
