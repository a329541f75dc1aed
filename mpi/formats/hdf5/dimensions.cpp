#include "dimensions.hpp"

#include <algorithm>

#include "../../together/communicator.hpp"
#include "file.hpp"

namespace headrace::hdf5 {
namespace {

// Numbers of a chunk, when more will come.
constexpr hsize_t steps_of_a_chunk = 512;

}  // namespace

status dimension_scales::adopt(
    const std::map<std::string, std::vector<std::string>>& scales_of_arrays) {
  for (const auto& [path, scales] : scales_of_arrays) {
    written_array& array = arrays_.at(path);
    std::vector<std::size_t>& own = array.scales;
    array.has_scales = true;
    for (std::size_t d = 0; d < scales.size(); ++d) {
      if (scales[d].empty()) {
        own.clear();  // it has no names, and gets none
        break;
      }
      const auto [known, is_new] = by_path_.try_emplace(scales[d], scales_.size());
      own.push_back(known->second);
      if (is_new) {
        scale made;
        made.path = scales[d];
        made.is_described = true;
        const auto coordinates = arrays_.find(scales[d]);
        if (coordinates != arrays_.end()) made.coordinates = &coordinates->second;
        made.has_steps = d == 0 && array.has_steps;
        if (made.has_steps) made.steps = array.steps;
        made.steps_written = made.steps.size();
        if (!made.has_steps) made.extent = array.global.count[scales.size() - 1 - d];
        if (made.coordinates == nullptr)
          made.made = owned_dataset(H5Dopen2(file_, made.path.c_str(), H5P_DEFAULT));
        if (made.coordinates == nullptr && !made.made)
          return library_failure("cannot open the dimension \"" + made.path + "\"");
        scales_.push_back(std::move(made));
      }
      scale& found = scales_[known->second];
      if (found.coordinates != &array) found.used_by.emplace_back(&array, static_cast<unsigned>(d));
    }
  }
  return {};
}

status dimension_scales::write(bool is_root, bool is_last,
                               function_ref<status(status mine)> agreed) {
  const status ready = agreed(caught([&] {
    follow_steps();
    for (auto& [path, array] : arrays_)
      if (!array.has_scales) collect(path, array);
    status planned;
    for (scale& one : scales_)
      if (planned.ok() && !one.path.empty() && one.coordinates == nullptr && !one.made)
        planned = plan(one, is_last);
    return planned;
  }));
  if (!ready.ok()) return ready;
  // HDF5 waits for all MPI ranks in each of them, where the dataset is in chunks.
  status made;
  for (scale& one : scales_) made.keep_first(caught([&] { return make_dataset(one); }));
  if (!made.ok()) return made;
  for (scale& one : scales_) {
    if (one.path.empty()) continue;
    if (status s = describe(one); !s.ok()) return s;
    if (is_root && one.has_steps)
      if (status s = write_numbers(one.made.get(), one.steps, one.steps_written); !s.ok()) return s;
    one.steps_written = one.steps.size();
  }
  // In an order that is the same on all MPI ranks.
  for (auto& [path, array] : arrays_) {
    if (!array.is_renamed) continue;
    if (status s = name_array(path, array); !s.ok()) return s;
    array.is_renamed = false;
  }
  return {};
}

status dimension_scales::name_array(const std::string& path, const written_array& array) {
  std::vector<hobj_ref_t> references;
  for (const std::size_t found : array.scales) {
    scale& one = scales_[found];
    if (one.coordinates == &array) return {};
    if (one.reference == 0)
      if (status s = refer_to(dataset_of(one), one.reference); !s.ok()) return s;
    references.push_back(one.reference);
  }
  if (references.empty()) return {};
  if (array.dataset) return name_dimensions(array.dataset.get(), references, lists_);
  const handle again = owned_dataset(H5Dopen2(file_, path.c_str(), H5P_DEFAULT));
  if (!again) return library_failure("cannot open the array \"" + path + "\"");
  return name_dimensions(again.get(), references, lists_);
}

status dimension_scales::name_at_once(const std::string& path, written_array& array, bool& named) {
  named = !array.has_steps &&
          !(array.dimensions.size() == 1 && array.dimensions.front() == leaf_of(path));
  if (!named) return {};
  collect(path, array);
  array.is_renamed = false;
  for (const std::size_t found : array.scales) {
    scale& one = scales_[found];
    if (one.coordinates != nullptr || one.made) continue;
    if (status s = plan(one, false); !s.ok()) return s;
    if (status s = make_dataset(one); !s.ok()) return s;
  }
  return name_array(path, array);
}

// An array whose steps are no more those that it shared has numbers of its own.
void dimension_scales::follow_steps() {
  for (scale& one : scales_)
    if (one.has_steps && !one.used_by.empty()) one.steps = one.used_by.front().first->steps;
  for (auto& [path, array] : arrays_)
    if (array.has_steps && !array.scales.empty() &&
        scales_[array.scales.front()].steps != array.steps)
      leave(&array);
}

void dimension_scales::use(array_pointer array, std::size_t found, unsigned dimension) {
  scale& one = scales_[found];
  if (one.coordinates != array) {
    one.used_by.emplace_back(array, dimension);
    one.users_changed = true;
  }
  array->scales.push_back(found);
}

// It is collected again.
void dimension_scales::leave(array_pointer array) {
  for (const std::size_t found : array->scales) {
    scale& one = scales_[found];
    const auto is_this = [&](const auto& user) { return user.first == array; };
    const auto gone = std::remove_if(one.used_by.begin(), one.used_by.end(), is_this);
    one.users_changed = one.users_changed || gone != one.used_by.end();
    one.used_by.erase(gone, one.used_by.end());
  }
  array->scales.clear();
  array->has_scales = false;
}

status dimension_scales::give_way(const std::string& path) {
  const auto known = by_path_.find(path);
  if (known == by_path_.end()) return {};
  scale& one = scales_[known->second];
  if (one.has_steps || one.coordinates != nullptr) return {};
  one.made.close();
  if (H5Ldelete(file_, path.c_str(), H5P_DEFAULT) < 0)
    return library_failure("cannot give the name of a dimension to an array");
  while (!one.used_by.empty()) leave(one.used_by.front().first);
  one.path.clear();
  by_path_.erase(known);
  return {};
}

// Whether another dimension or array has the name; not when it is the same dimension, or an array
// of coordinates.
bool dimension_scales::is_taken(const std::string& path, const scale& wanted,
                                array_pointer& coordinates) const {
  if (const auto known = by_path_.find(path); known != by_path_.end())
    return !same(scales_[known->second], wanted);
  const auto array = arrays_.find(path);
  if (array == arrays_.end()) return H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0;
  written_array& other = array->second;
  const bool is_coordinate =
      !wanted.has_steps && !other.has_steps && other.global.array_rank == 1 &&
      other.global.count[0] == wanted.extent && other.dimensions.front() == leaf_of(path);
  if (is_coordinate) coordinates = &other;
  return !is_coordinate;
}

std::size_t dimension_scales::find(const std::string& path, const std::string& name,
                                   const scale& wanted) {
  const std::string group = group_of(path).empty() ? "" : group_of(path) + "/";
  for (std::size_t known = 0; wanted.has_steps && known < scales_.size(); ++known)
    if (!scales_[known].path.empty() && same(scales_[known], wanted) &&
        group_of(scales_[known].path) == group_of(path))
      return known;
  scale made;
  made.extent = wanted.extent;
  made.has_steps = wanted.has_steps;
  made.steps = wanted.steps;
  made.path = group + name;
  // The name ends the same: who reads knows dimensions of steps by it.
  const std::string own = group + leaf_of(path) + "_";
  for (int number = 1; is_taken(made.path, wanted, made.coordinates); ++number)
    made.path = own + (number == 1 ? "" : std::to_string(number) + "_") + name;
  const auto [known, is_new] = by_path_.try_emplace(made.path, scales_.size());
  if (is_new) scales_.push_back(std::move(made));
  return known->second;
}

void dimension_scales::collect(const std::string& path, written_array& array) {
  unsigned dimension = 0;
  array.has_scales = true;
  array.is_renamed = true;
  scale wanted;
  if (array.has_steps) {
    wanted.has_steps = true;
    wanted.steps = array.steps;
    use(&array, find(path, "step", wanted), dimension++);
    wanted.has_steps = false;
    wanted.steps.clear();
  }
  for (std::size_t d = array.dimensions.size(); d-- > 0;) {
    wanted.extent = array.global.count[d];
    use(&array, find(path, array.dimensions[d], wanted), dimension++);
  }
}

status dimension_scales::plan(scale& one, bool is_last) const {
  const hsize_t extent = one.has_steps ? one.steps.size() : static_cast<hsize_t>(one.extent);
  const hsize_t largest = one.has_steps ? H5S_UNLIMITED : extent;
  const hsize_t chunk = std::max<hsize_t>(is_last ? 1 : steps_of_a_chunk, extent);
  one.plan.space = owned_space(H5Screate_simple(1, &extent, &largest));
  if (one.plan.space && plan_creation(one.plan.creation) &&
      (!one.has_steps || H5Pset_chunk(one.plan.creation.get(), 1, &chunk) >= 0))
    return {};
  return library_failure("cannot prepare the dimension \"" + one.path + "\"");
}

status dimension_scales::make_dataset(scale& one) const {
  if (one.path.empty() || one.coordinates != nullptr || one.made) return {};
  const hid_t type = one.has_steps ? H5T_NATIVE_INT64 : H5T_IEEE_F32BE;
  one.made = owned_dataset(H5Dcreate2(file_, one.path.c_str(), type, one.plan.space.get(),
                                      H5P_DEFAULT, one.plan.creation.get(), H5P_DEFAULT));
  return one.made ? status() : library_failure("cannot create the dimension \"" + one.path + "\"");
}

// The two attributes of a dimension's dataset, and the list of those who use it.
status dimension_scales::describe(scale& one) const {
  if (!one.is_described) {
    const bool is_only_a_name = one.coordinates == nullptr && !one.has_steps;
    const std::string title = is_only_a_name ? title_of_dimension(one.extent) : leaf_of(one.path);
    if (status s = make_scale(dataset_of(one), title); !s.ok()) return s;
  }
  one.is_described = true;
  if (!one.users_changed) return {};
  scale_references users;
  for (const auto& [array, dimension] : one.used_by) {
    users.emplace_back(array->reference, dimension);
    if (!array->dataset) continue;
    if (status s = refer_to(array->dataset.get(), users.back().first); !s.ok()) return s;
  }
  one.users_changed = false;
  return list_references(dataset_of(one), users);
}

}  // namespace headrace::hdf5
