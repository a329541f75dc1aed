#include "steps.hpp"

#include <algorithm>

namespace headrace {

netcdf_step_axis& netcdf_steps::axis_for(const std::string& array, std::int64_t first_step,
                                         bool classic, bool is_step_taken) {
  for (const auto& axis : axes_)
    if (classic || axis->numbers.empty() ||
        (axis->name == netcdf_step_name && axis->numbers.front() == first_step))
      return *axis;
  axes_.push_back(std::make_unique<netcdf_step_axis>());
  const bool shared = axes_.size() == 1 && !is_step_taken;
  axes_.back()->name = shared ? netcdf_step_name : array + "_" + netcdf_step_name;
  return *axes_.back();
}

void netcdf_steps::drop_undefined() {
  axes_.erase(
      std::remove_if(axes_.begin(), axes_.end(), [](const auto& axis) { return !axis->defined; }),
      axes_.end());
}

bool netcdf_steps::has(const std::string& name) const {
  return std::any_of(axes_.begin(), axes_.end(),
                     [&](const auto& axis) { return axis->defined && axis->name == name; });
}

std::int64_t netcdf_steps::record_of(netcdf_step_axis& axis, std::int64_t step) {
  const auto found = std::find(axis.numbers.begin(), axis.numbers.end(), step);
  const auto record = static_cast<std::int64_t>(found - axis.numbers.begin());
  if (found == axis.numbers.end()) axis.numbers.push_back(step);
  return record;
}

}  // namespace headrace
