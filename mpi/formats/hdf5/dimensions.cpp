#include "dimensions.hpp"

#include <algorithm>
#include <utility>

#include "../../together/communicator.hpp"
#include "file.hpp"

namespace headrace::hdf5 {
namespace {

// Numbers of a chunk, when more will come.
constexpr hsize_t steps_of_a_chunk = 512;

}  // namespace

std::size_t scale_list::add(scale&& made) {
  scales_.push_back(std::move(made));
  return scales_.size() - 1;
}

std::size_t scale_list::add_old(scale&& made) {
  made.is_described = true;
  made.steps_written = made.steps.size();
  if (made.coordinates == nullptr)
    made.made = owned_dataset(H5Dopen2(file_, made.path.c_str(), H5P_DEFAULT));
  return add(std::move(made));
}

void scale_list::use(scaled_dataset& one, std::size_t number, bool old) {
  scale& used = scales_[number];
  if (one.scales.empty()) users_.push_back(&one);
  if (used.coordinates != &one) {
    used.used_by.emplace_back(&one, static_cast<unsigned>(one.scales.size()));
    used.users_changed = used.users_changed || !old;
  }
  one.scales.push_back(number);
  one.has_scales = true;
  one.is_unnamed = one.is_unnamed || !old;
}

void scale_list::leave(scaled_dataset& one) {
  for (const std::size_t found : one.scales) {
    scale& its = scales_[found];
    const auto is_this = [&](const auto& user) { return user.first == &one; };
    const auto gone = std::remove_if(its.used_by.begin(), its.used_by.end(), is_this);
    its.users_changed = its.users_changed || gone != its.used_by.end();
    its.used_by.erase(gone, its.used_by.end());
  }
  one.scales.clear();
  one.has_scales = false;
}

status scale_list::give_way(scale& one) {
  one.made.close();
  if (H5Ldelete(file_, one.path.c_str(), H5P_DEFAULT) < 0)
    return library_failure("cannot give the name of a dimension to an array");
  one.reference = 0;
  one.is_described = false;
  one.users_changed = true;
  for (const auto& [user, dimension] : one.used_by) user->is_unnamed = true;
  return {};
}

status scale_list::close(scaled_dataset& one) {
  for (const std::size_t found : one.scales) {
    if (status s = plan(scales_[found], false); !s.ok()) return s;
    if (status s = make_dataset(scales_[found]); !s.ok()) return s;
  }
  if (status s = name(one); !s.ok()) return s;
  if (status s = refer_to(one.dataset.get(), one.reference); !s.ok()) return s;
  return one.dataset.close() ? status()
                             : library_failure("cannot close the array \"" + one.path + "\"");
}

status scale_list::write(bool is_root, bool is_last, function_ref<status(status mine)> agreed) {
  const auto plan_all = [&] {
    status planned;
    for (scale& one : scales_)
      if (planned.ok()) planned = plan(one, is_last);
    return planned;
  };
  if (status s = agreed(caught(plan_all)); !s.ok()) return s;
  // HDF5 waits for all MPI ranks in each of them, if the dataset is in chunks.
  status made;
  for (scale& one : scales_) made.keep_first(caught([&] { return make_dataset(one); }));
  if (!made.ok()) return made;
  for (std::size_t number = 0; number < scales_.size(); ++number) {
    scale& one = scales_[number];
    if (status s = describe(number); !s.ok()) return s;
    if (is_root && one.has_steps && !one.path.empty())
      if (status s = write_numbers(one.made.get(), one.steps, one.steps_written); !s.ok()) return s;
    one.steps_written = one.steps.size();
  }
  // In an order that is the same on all MPI ranks.
  for (scaled_dataset* const user : users_)
    if (user->is_unnamed)
      if (status s = name(*user); !s.ok()) return s;
  return {};
}

status scale_list::name(scaled_dataset& one) {
  std::vector<hobj_ref_t> references;
  one.is_unnamed = false;
  for (const std::size_t found : one.scales) {
    scale& its = scales_[found];
    if (its.coordinates == &one) return {};
    if (its.reference == 0)
      if (status s = refer_to(dataset_of(its), its.reference); !s.ok()) return s;
    references.push_back(its.reference);
  }
  if (references.empty()) return {};
  if (one.dataset) return name_dimensions(one.dataset.get(), references, lists_);
  const handle again = owned_dataset(H5Dopen2(file_, one.path.c_str(), H5P_DEFAULT));
  if (!again) return library_failure("cannot open the array \"" + one.path + "\"");
  return name_dimensions(again.get(), references, lists_);
}

status scale_list::plan(scale& one, bool is_last) const {
  if (!is_to_be_made(one)) return {};
  const hsize_t extent = one.has_steps ? one.steps.size() : static_cast<hsize_t>(one.extent);
  const hsize_t largest = one.has_steps ? H5S_UNLIMITED : extent;
  const hsize_t chunk = std::max<hsize_t>(is_last ? 1 : steps_of_a_chunk, extent);
  one.plan.space = owned_space(H5Screate_simple(1, &extent, &largest));
  if (one.plan.space && plan_creation(one.plan.creation) &&
      (!one.has_steps || H5Pset_chunk(one.plan.creation.get(), 1, &chunk) >= 0))
    return {};
  return library_failure("cannot prepare the dimension \"" + one.path + "\"");
}

status scale_list::make_dataset(scale& one) const {
  if (!is_to_be_made(one)) return {};
  const hid_t type = one.has_steps ? H5T_NATIVE_INT64 : H5T_IEEE_F32BE;
  one.made = owned_dataset(H5Dcreate2(file_, one.path.c_str(), type, one.plan.space.get(),
                                      H5P_DEFAULT, one.plan.creation.get(), H5P_DEFAULT));
  return one.made ? status() : library_failure("cannot create the dimension \"" + one.path + "\"");
}

// The attributes of a dimension's dataset, and the list of those who use it.
status scale_list::describe(std::size_t number) {
  scale& one = scales_[number];
  if (one.path.empty()) return {};
  if (!std::exchange(one.is_described, true)) {
    const bool is_only_a_name = one.coordinates == nullptr && !one.has_steps;
    const std::string title = is_only_a_name ? title_of_dimension(one.extent) : leaf_of(one.path);
    if (status s = make_scale(dataset_of(one), title); !s.ok()) return s;
    if (numbered_)
      if (status s = number_scale(dataset_of(one), static_cast<int>(number)); !s.ok()) return s;
  }
  if (!one.users_changed) return {};
  scale_references users;
  for (const auto& [user, dimension] : one.used_by) {
    users.emplace_back(user->reference, dimension);
    if (!user->dataset) continue;
    if (status s = refer_to(user->dataset.get(), users.back().first); !s.ok()) return s;
  }
  one.users_changed = false;
  return list_references(dataset_of(one), users);
}

status dimension_scales::adopt(const std::vector<old_array>& old) {
  for (const auto& [described, scales, is_ours] : old) {
    written_array& array = arrays_.at(described.name);
    array.has_scales = true;
    for (std::size_t d = 0; d < scales.size(); ++d) {
      if (scales[d].empty()) {
        array.scales.clear();  // it has no names, and gets none
        break;
      }
      const auto [known, is_new] = by_path_.try_emplace(scales[d], scales_.size());
      if (is_new) {
        scale made;
        made.path = scales[d];
        const auto coordinates = arrays_.find(scales[d]);
        if (coordinates != arrays_.end()) made.coordinates = &coordinates->second;
        made.has_steps = d == 0 && array.has_steps;
        if (made.has_steps) made.steps = array.steps.numbers();
        if (!made.has_steps) made.extent = array.global.count[scales.size() - 1 - d];
        add_old(std::move(made));
        if (scales_.back().coordinates == nullptr && !scales_.back().made)
          return library_failure("cannot open the dimension \"" + scales[d] + "\"");
      }
      use(array, known->second, true);
    }
  }
  return {};
}

status dimension_scales::write(bool is_root, bool is_last,
                               function_ref<status(status mine)> agreed) {
  const auto collect_all = [&] {
    follow_steps();
    for (auto& [path, array] : arrays_)
      if (!array.has_scales) collect(array);
    return status();
  };
  const status ready = agreed(caught(collect_all));
  return ready.ok() ? scale_list::write(is_root, is_last, agreed) : ready;
}

status dimension_scales::close(written_array& array) {
  const bool can_change = array.has_steps || (array.dimensions.size() == 1 &&
                                              array.dimensions.front() == leaf_of(array.path));
  if (can_change) return {};
  collect(array);
  return scale_list::close(array);
}

// An array whose steps are no more those that it shared has numbers of its own.
void dimension_scales::follow_steps() {
  for (auto& [path, array] : arrays_) {
    if (!array.has_steps || array.scales.empty()) continue;
    scale& shared = scales_[array.scales.front()];
    if (!shared.used_by.empty() && shared.used_by.front().first == &array)
      shared.steps = array.steps.numbers();
  }
  for (auto& [path, array] : arrays_)
    if (array.has_steps && !array.scales.empty() &&
        scales_[array.scales.front()].steps != array.steps.numbers())
      leave(array);
}

status dimension_scales::give_way(const std::string& path) {
  const auto known = by_path_.find(path);
  if (known == by_path_.end()) return {};
  scale& one = scales_[known->second];
  if (one.has_steps || one.coordinates != nullptr) return {};
  if (status s = scale_list::give_way(one); !s.ok()) return s;
  while (!one.used_by.empty()) leave(*one.used_by.front().first);
  one.path.clear();
  by_path_.erase(known);
  return {};
}

// Whether another dimension or array has the name; not when it is the same dimension, or an array
// of coordinates.
bool dimension_scales::is_taken(const std::string& path, const scale& wanted,
                                scaled_dataset*& coordinates) const {
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

void dimension_scales::collect(written_array& array) {
  scale wanted;
  array.has_scales = true;
  if (array.has_steps) {
    wanted.has_steps = true;
    wanted.steps = array.steps.numbers();
    use(array, find(array.path, "step", wanted));
    wanted.has_steps = false;
    wanted.steps.clear();
  }
  for (std::size_t d = array.dimensions.size(); d-- > 0;) {
    wanted.extent = array.global.count[d];
    use(array, find(array.path, array.dimensions[d], wanted));
  }
}

}  // namespace headrace::hdf5
