// Which dimension scales the arrays of a file have. They are written when the file is flushed or
// closed, once the arrays are there that may hold the coordinates; in memory those of an array
// without steps at once, and again where another array takes the name.
#pragma once

#include <map>

#include "../../move/boxes.hpp"
#include "../../together/function_ref.hpp"
#include "scales.hpp"
#include "storage.hpp"

namespace headrace::hdf5 {

// An array in a file that is being written.
struct written_array {
  handle dataset;            // closed once nothing more comes to it (close_named())
  hobj_ref_t reference = 0;  // to a dataset that was closed
  box global;
  std::vector<std::string> dimensions;  // in Fortran's order, without the steps
  bool has_steps = false;
  std::vector<std::int64_t> steps;
  bool is_ours = true;  // it is stored as we do: steps can be added
  // Of dimension_scales:
  std::vector<std::size_t> scales;  // of its dimensions, slowest first
  bool has_scales = false;          // they were chosen, or it gets none
  bool is_renamed = false;          // its dimensions are to be named
};
using written_arrays = std::map<std::string, written_array>;

// Dimensions of one name and extent in one group are the same; another extent gets the array's name
// in front. An array of array rank 1 that is called as its dimension holds the coordinates. Arrays
// of a group with the same steps share their numbers.
class dimension_scales {
 public:
  dimension_scales(hid_t file, written_arrays& arrays) : file_(file), arrays_(arrays) {}

  // Takes up those that a file has: of each array the paths of its scales, slowest first.
  status adopt(const std::map<std::string, std::vector<std::string>>& scales_of_arrays);
  // Names the dimensions of all arrays that are new, and adds the new steps. is_root: writes the
  // numbers of steps. agreed(): the outcome on all MPI ranks that have the file open, before HDF5
  // waits for them.
  status write(bool is_root, bool is_last, function_ref<status(status mine)> agreed);
  // The same for a new array at once, of this MPI rank alone, where nothing can change it: without
  // steps, and no coordinates. named: it was done.
  status name_at_once(const std::string& path, written_array& array, bool& named);
  // A new array gets the name of a dimension that has only a name: that is chosen again.
  status give_way(const std::string& path);

 private:
  using array_pointer = written_array*;

  // A dimension of some arrays of a group.
  struct scale {
    std::string path;  // empty: it is gone
    std::int64_t extent = 0;
    array_pointer coordinates = nullptr;  // the array that is the scale
    bool has_steps = false;
    std::vector<std::int64_t> steps;
    dataset_plan plan;  // of a new one
    handle made;
    hobj_ref_t reference = 0;                                 // once an array has it
    std::vector<std::pair<array_pointer, unsigned>> used_by;  // and as which dimension
    // In the file:
    bool is_described = false;
    bool users_changed = false;
    std::size_t steps_written = 0;
  };

  static bool same(const scale& left, const scale& right) {
    return left.has_steps == right.has_steps &&
           (left.has_steps ? left.steps == right.steps : left.extent == right.extent);
  }
  void follow_steps();
  void collect(const std::string& path, written_array& array);
  void use(array_pointer array, std::size_t found, unsigned dimension);
  void leave(array_pointer array);
  std::size_t find(const std::string& path, const std::string& name, const scale& wanted);
  bool is_taken(const std::string& path, const scale& wanted, array_pointer& coordinates) const;
  status name_array(const std::string& path, const written_array& array);
  status plan(scale& one, bool is_last) const;
  status make_dataset(scale& one) const;
  status describe(scale& one) const;
  hid_t dataset_of(const scale& one) const {
    return one.coordinates != nullptr ? one.coordinates->dataset.get() : one.made.get();
  }

  hid_t file_;
  written_arrays& arrays_;
  std::vector<scale> scales_;
  std::map<std::string, std::size_t> by_path_;
  list_form lists_;
};

}  // namespace headrace::hdf5
