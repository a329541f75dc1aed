// Steps that are read together, into an array whose last dimension counts them.
#pragma once

#include <string>
#include <vector>

#include "../../include/headrace_mpi.h"
#include "../../src/core/status.hpp"
#include "dataset_arguments.hpp"

namespace headrace {

class several_steps {
 public:
  // Not collective. Those of the stored steps whose numbers are not below first or above last, in
  // the order of the file; the local array must have as many. May throw std::bad_alloc.
  status choose(const hr_array* local, const std::vector<std::int64_t>& stored, long long first,
                long long last) {
    const std::string range = std::to_string(first) + " to " + std::to_string(last);
    for (const std::int64_t step : stored)
      if (first <= step && step <= last) steps_.push_back(step);
    if (steps_.empty())
      return status::failure(stat_code::step_missing, "the array has no step from " + range)
          .advise(stored.empty() ? "it has no steps: read it with read_array"
                                 : "it has " + steps_text(stored));
    if (local == nullptr || local->array_rank < 1 || local->array_rank > HR_MAX_ARRAY_RANK)
      return status::failure(stat_code::shape_mismatch,
                             "the local array has no last dimension for the steps")
          .expected("1 to " + std::to_string(HR_MAX_ARRAY_RANK) + " dimensions",
                    local == nullptr ? "a null pointer" : std::to_string(local->array_rank))
          .advise("pass one more dimension than the layout has, of as many elements as steps");
    part_ = *local;
    base_ = static_cast<char*>(local->base);
    const int last_dimension = --part_.array_rank;
    stride_ = local->stride[last_dimension];
    const auto room = static_cast<std::int64_t>(local->extent[last_dimension]);
    if (room == static_cast<std::int64_t>(steps_.size())) return {};
    return status::failure(stat_code::shape_mismatch,
                           "the last dimension of the local array has not the number of steps")
        .expected(std::to_string(steps_.size()) + " for the steps from " + range,
                  std::to_string(room))
        .advise("the array has the steps " + steps_text(stored));
  }

  std::string text() const {
    std::string all;
    for (const long long step : steps_) all += std::to_string(step) + " ";
    return all;
  }
  std::size_t count() const noexcept { return steps_.size(); }
  const long long* number(std::size_t i) const noexcept { return &steps_[i]; }
  // The local array of one of them, until the next call.
  const hr_array* part(std::size_t i) noexcept {
    part_.base = base_ == nullptr ? nullptr : base_ + static_cast<std::ptrdiff_t>(i) * stride_;
    return &part_;
  }

 private:
  std::vector<long long> steps_;
  hr_array part_{};
  char* base_ = nullptr;
  std::ptrdiff_t stride_ = 0;
};

}  // namespace headrace
