// The numbers of steps along unlimited dimensions, and which arrays have which of them.
//
// Arrays share the dimension "step" and its numbers. Where the format allows more than one
// unlimited dimension, an array that begins with another number than "step" does gets one of its
// own, "<array>_step"; so does the first one where "step" is an array. An array that leaves out
// steps of its dimension has records there that nobody wrote.
#pragma once

#include <memory>

#include "types.hpp"

namespace headrace {

struct netcdf_step_axis {
  std::string name;
  int dimension = 0;
  int variable = 0;
  std::vector<std::int64_t> numbers;
  bool defined = false;
};

class netcdf_steps {
 public:
  // The axis of a new array; may be new itself (not defined). classic: there is only one.
  // is_step_taken: an array has the name "step".
  netcdf_step_axis& axis_for(const std::string& array, std::int64_t first_step, bool classic,
                             bool is_step_taken);
  // Of arrays whose definition was refused.
  void drop_undefined();
  // The name of the numbers of an axis.
  bool has(const std::string& name) const;
  const std::vector<std::unique_ptr<netcdf_step_axis>>& all() const noexcept { return axes_; }
  // Record of a step on an axis, added at its end if it is new.
  static std::int64_t record_of(netcdf_step_axis& axis, std::int64_t step);

 private:
  std::vector<std::unique_ptr<netcdf_step_axis>> axes_;
};

}  // namespace headrace
