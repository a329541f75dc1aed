// The lengths of records, one after another: how they repeat, and how often each occurs. Bounded
// memory, however many there are.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace headrace {

inline constexpr std::size_t longest_period = 512;
inline constexpr std::size_t most_singles = 32;  // lengths in a run that does not repeat
inline constexpr std::size_t most_runs = 24;

// So many times these lengths.
struct length_run {
  std::uint64_t times = 0;
  std::vector<std::uint64_t> lengths;  // at most longest_period
};

struct length_count {
  std::uint64_t length = 0;
  std::uint64_t count = 0;
};

class length_pattern {
 public:
  void add(std::uint64_t length) {
    if (repeating_ && length == ring_[cursor_]) {
      if (++cursor_ == period_) {
        cursor_ = 0;
        ++times_;
      }
      return;
    }
    add_other(length);
  }
  void add_equal(std::uint64_t length, std::uint64_t times);
  // What repeats, when a repetition has just ended and some are behind it; otherwise period is 0.
  const std::uint64_t* repeated(std::size_t& period) const noexcept {
    period = repeating_ && cursor_ == 0 ? period_ : 0;
    return ring_.data();
  }
  // So many repetitions follow.
  void add_repetitions(std::uint64_t times) noexcept { times_ += times; }
  // After the last length. whole: these are all records of a file, so that a repetition that ends
  // within itself is better told from another record on.
  void finish(bool whole);

  const std::vector<length_run>& runs() const noexcept { return runs_; }
  // False when there were too many runs; they tell the records from the beginning then.
  bool complete() const noexcept { return complete_; }
  // The most frequent first, equal ones by length.
  std::vector<length_count> histogram() const;
  bool has(std::uint64_t length);  // after finish()
  std::uint64_t shortest() const noexcept { return shortest_; }
  std::uint64_t longest() const noexcept { return longest_; }

 private:
  struct repetition {
    std::size_t period = 0;
    std::size_t covered = 0;
  };
  void add_other(std::uint64_t length);
  void count(std::uint64_t length, std::uint64_t times);
  length_count* find(std::uint64_t length);
  void grow();
  void count_waiting();
  void end_repetition();
  void digest(bool last);
  repetition repetition_at(std::size_t first) const noexcept;
  void begin_repetition(std::size_t first, const repetition& found);
  void put_run(std::uint64_t times, const std::uint64_t* lengths, std::size_t number);
  void put_single(std::uint64_t length);

  std::vector<std::uint64_t> waiting_;  // lengths of which no repetition is known yet
  std::vector<length_run> runs_;
  bool complete_ = true;
  bool repeating_ = false;
  std::array<std::uint64_t, longest_period> ring_{};  // what repeats
  std::size_t period_ = 0, cursor_ = 0;
  std::uint64_t times_ = 0;
  std::vector<length_count> table_;  // open addressing
  std::size_t distinct_ = 0;
  std::uint64_t shortest_ = UINT64_MAX, longest_ = 0;
};

}  // namespace headrace
