// Which dimension scales the datasets of a file have. They are written when the file is flushed or
// closed, once the arrays are there that may hold the coordinates; in memory those of a dataset
// that is complete at once, and again when an array takes the name.
#pragma once

#include <map>

#include "../../together/function_ref.hpp"
#include "contents.hpp"
#include "scales.hpp"
#include "storage.hpp"

namespace headrace::hdf5 {

// A dataset in a file that is being written.
struct scaled_dataset {
  std::string path;
  handle dataset;                   // closed once nothing more comes to it (close())
  hobj_ref_t reference = 0;         // to a dataset that was closed
  std::vector<std::size_t> scales;  // of its dimensions, slowest first
  bool has_scales = false;          // they were chosen, or it gets none
  bool is_unnamed = false;          // its dimensions are to be named
};

// The dimensions of a file, by their numbers, and who uses them.
class scale_list {
 public:
  // numbered: in the file too, as NetCDF does it.
  scale_list(hid_t file, bool numbered) : file_(file), numbered_(numbered) {}

  // A dimension of some datasets.
  struct scale {
    std::string path;  // empty: it is gone
    std::int64_t extent = 0;
    scaled_dataset* coordinates = nullptr;  // the dataset that is the scale
    bool has_steps = false;
    std::vector<std::int64_t> steps;
    dataset_plan plan;  // of a new one
    handle made;
    hobj_ref_t reference = 0;                                   // once a dataset has it
    std::vector<std::pair<scaled_dataset*, unsigned>> used_by;  // and as which dimension
    // In the file:
    bool is_described = false;
    bool users_changed = false;
    std::size_t steps_written = 0;
  };
  scale& operator[](std::size_t number) { return scales_[number]; }
  std::size_t add(scale&& made);
  // One that the file has: without coordinates it is opened.
  std::size_t add_old(scale&& made);
  // As its next dimension. old: it says so in the file.
  void use(scaled_dataset& one, std::size_t number, bool old = false);
  // The dataset that only has the name goes, for one of coordinates.
  status give_way(scale& one);
  // Of this MPI rank alone: HDF5 takes twice as long for each new dataset while many are open.
  // Nothing may change the dimensions but give_way().
  status close(scaled_dataset& one);
  // All that is new. is_root: writes the numbers of steps. agreed(): the outcome on all MPI ranks
  // that have the file open, before HDF5 waits for them.
  status write(bool is_root, bool is_last, function_ref<status(status mine)> agreed);

 protected:
  // Nobody uses a scale but those that do not.
  void leave(scaled_dataset& one);

  std::vector<scale> scales_;

 private:
  static bool is_to_be_made(const scale& one) {
    return !one.path.empty() && one.coordinates == nullptr && !one.made && !one.is_described;
  }
  status plan(scale& one, bool is_last) const;
  status make_dataset(scale& one) const;
  status describe(std::size_t number);
  status name(scaled_dataset& one);
  static hid_t dataset_of(const scale& one) {
    return one.coordinates != nullptr ? one.coordinates->dataset.get() : one.made.get();
  }

  hid_t file_;
  bool numbered_;
  std::vector<scaled_dataset*> users_;
  list_form lists_;
};

// An array in a file that is being written.
struct written_array : scaled_dataset, described_array {
  bool is_ours = true;  // it is stored as we do: steps can be added
};
using written_arrays = std::map<std::string, written_array>;

// Dimensions of one name and extent in one group are the same; another extent gets the array's name
// in front. An array of array rank 1 that is called as its dimension holds the coordinates. Arrays
// of a group with the same steps share their numbers.
class dimension_scales : private scale_list {
 public:
  dimension_scales(hid_t file, written_arrays& arrays)
      : scale_list(file, false), file_(file), arrays_(arrays) {}

  // Takes up those that a file has.
  status adopt(const std::vector<old_array>& old);
  // Names the dimensions of all arrays that are new, and adds the new steps.
  status write(bool is_root, bool is_last, function_ref<status(status mine)> agreed);
  // The same for a new array at once, of this MPI rank alone, if nothing can change it: without
  // steps, and no coordinates. Such an array is closed.
  status close(written_array& array);
  // A new array gets the name of a dimension that has only a name: that is chosen again.
  status give_way(const std::string& path);

 private:
  static bool same(const scale& left, const scale& right) {
    return left.has_steps == right.has_steps &&
           (left.has_steps ? left.steps == right.steps : left.extent == right.extent);
  }
  void follow_steps();
  void collect(written_array& array);
  std::size_t find(const std::string& path, const std::string& name, const scale& wanted);
  bool is_taken(const std::string& path, const scale& wanted, scaled_dataset*& coordinates) const;

  hid_t file_;
  written_arrays& arrays_;
  std::map<std::string, std::size_t> by_path_;
};

}  // namespace headrace::hdf5
