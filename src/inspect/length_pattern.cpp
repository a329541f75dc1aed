#include "length_pattern.hpp"

#include <algorithm>

namespace headrace {
namespace {

constexpr std::size_t window = 2 * longest_period;  // lengths looked at together
constexpr std::size_t most_distinct = 1024;         // lengths that are counted one by one

// Where a length belongs in a table, whose size is a power of 2.
std::size_t place_of(std::uint64_t length, std::size_t entries) noexcept {
  return static_cast<std::size_t>((length * 0x9E3779B97F4A7C15U) >> 48) & (entries - 1);
}

}  // namespace

void length_pattern::add_other(std::uint64_t length) {
  if (repeating_) {
    end_repetition();
    waiting_.assign(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(cursor_));
  }
  if (!complete_) {
    count_waiting();
    count(length, 1);
    return;
  }
  waiting_.push_back(length);
  if (waiting_.size() >= window) digest(false);
}

void length_pattern::add_equal(std::uint64_t length, std::uint64_t times) {
  for (; times > 0; --times) {
    if (repeating_ && period_ == 1 && ring_[0] == length) {
      times_ += times;
      return;
    }
    if (!repeating_ && !complete_ && waiting_.empty()) {
      count(length, times);
      return;
    }
    add(length);
  }
}

void length_pattern::finish(bool whole) {
  if (!repeating_) {
    digest(true);
    if (!repeating_) return;
  }
  const std::size_t begun = cursor_;
  if (begun == 0 || !whole) {
    end_repetition();
    for (std::size_t k = 0; k < begun; ++k) put_single(ring_[k]);
    return;
  }
  // 24, (8, 100, 24) n times instead of (24, 8, 100) n times, 24.
  for (std::size_t k = 0; k < begun; ++k) put_single(ring_[k]);
  std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(begun),
              ring_.begin() + static_cast<std::ptrdiff_t>(period_));
  end_repetition();
}

void length_pattern::count(std::uint64_t length, std::uint64_t times) {
  if (times == 0) return;
  shortest_ = std::min(shortest_, length);
  longest_ = std::max(longest_, length);
  length_count* const entry = find(length);
  if (entry->count == 0 && distinct_ >= most_distinct) return;
  distinct_ += entry->count == 0;
  entry->length = length;
  entry->count += times;
  if (2 * distinct_ > table_.size()) grow();
}

// The entry of a length, or the free one where it belongs.
length_count* length_pattern::find(std::uint64_t length) {
  if (table_.empty()) table_.resize(16);
  std::size_t k = place_of(length, table_.size());
  while (table_[k].count != 0 && table_[k].length != length) k = (k + 1) & (table_.size() - 1);
  return &table_[k];
}

void length_pattern::grow() {
  std::vector<length_count> old(2 * table_.size());
  old.swap(table_);
  for (const length_count& entry : old)
    if (entry.count != 0) *find(entry.length) = entry;
}

bool length_pattern::has(std::uint64_t length) {
  return find(length)->count != 0;
}

std::vector<length_count> length_pattern::histogram() const {
  std::vector<length_count> result;
  for (const length_count& entry : table_)
    if (entry.count != 0) result.push_back(entry);
  std::sort(result.begin(), result.end(), [](const length_count& a, const length_count& b) {
    return a.count != b.count ? a.count > b.count : a.length < b.length;
  });
  return result;
}

void length_pattern::end_repetition() {
  repeating_ = false;
  put_run(times_, ring_.data(), period_);
}

void length_pattern::begin_repetition(std::size_t first, const repetition& found) {
  period_ = found.period;
  times_ = found.covered / period_;
  cursor_ = found.covered % period_;
  std::copy_n(waiting_.begin() + static_cast<std::ptrdiff_t>(first), period_, ring_.begin());
  repeating_ = true;
}

// The repetition that saves most lengths; covered includes a beginning of the next one.
length_pattern::repetition length_pattern::repetition_at(std::size_t first) const noexcept {
  repetition best;
  std::size_t best_saving = 0;
  const std::size_t left = waiting_.size() - first;
  for (std::size_t period = 1; period <= longest_period && 2 * period <= left; ++period) {
    std::size_t covered = period;
    while (covered < left && waiting_[first + covered] == waiting_[first + covered - period])
      ++covered;
    const std::size_t saving = covered / period * period - period;
    if (saving > best_saving) {
      best = {period, covered};
      best_saving = saving;
    }
  }
  return best;
}

void length_pattern::digest(bool last) {
  std::size_t first = 0;
  const std::size_t size = waiting_.size();
  while (first < size && complete_ && !repeating_) {
    const repetition found = repetition_at(first);
    if (found.period != 0 && first + found.covered == size) {
      begin_repetition(first, found);
      first = size;
    } else if (!last && first > size / 2) {
      break;  // what follows may show a repetition
    } else if (found.period != 0) {
      const std::size_t times = found.covered / found.period;
      put_run(times, &waiting_[first], found.period);
      first += times * found.period;
    } else {
      put_single(waiting_[first++]);
    }
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(first));
  if (!complete_) count_waiting();
}

void length_pattern::count_waiting() {
  for (const std::uint64_t length : waiting_) count(length, 1);
  waiting_.clear();
}

void length_pattern::put_run(std::uint64_t times, const std::uint64_t* lengths,
                             std::size_t number) {
  if (times == 0) return;
  if (times == 1) {
    for (std::size_t k = 0; k < number; ++k) put_single(lengths[k]);
    return;
  }
  for (std::size_t k = 0; k < number; ++k) count(lengths[k], times);
  if (!complete_) return;
  complete_ = runs_.size() < most_runs;
  if (complete_) runs_.push_back({times, {lengths, lengths + number}});
}

void length_pattern::put_single(std::uint64_t length) {
  count(length, 1);
  if (!complete_) return;
  if (!runs_.empty() && runs_.back().times == 1 && runs_.back().lengths.size() < most_singles) {
    runs_.back().lengths.push_back(length);
    return;
  }
  complete_ = runs_.size() < most_runs;
  if (complete_) runs_.push_back({1, {length}});
}

}  // namespace headrace
