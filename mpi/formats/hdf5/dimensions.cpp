#include "dimensions.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "../../together/communicator.hpp"
#include "file.hpp"
#include "storage.hpp"

namespace headrace {
namespace {

// What netCDF calls a dimension of which there is no coordinate variable.
const char* const no_variable = "This is a netCDF dimension but not a netCDF variable.";

// A dimension of some arrays of a group.
struct hdf5_scale {
  std::string path;
  std::int64_t extent = 0;
  const hdf5_written_array* coordinates = nullptr;  // the array that is the scale
  const std::vector<std::int64_t>* steps = nullptr;
  hdf5_dataset_plan plan;  // otherwise
  hdf5_handle made;
  std::vector<std::pair<const hdf5_written_array*, unsigned>> used_by;  // and as which dimension
};

// As H5DS lays it out.
struct hdf5_scale_user {
  hobj_ref_t dataset;
  unsigned dimension;
};

class hdf5_dimension_writer {
 public:
  hdf5_dimension_writer(hid_t file, const hdf5_written_arrays& arrays, bool is_root)
      : file_(file), arrays_(arrays), is_root_(is_root) {}

  status write(function_ref<status(status mine)> agreed) {
    const status ready = agreed(caught([&] {
      for (const auto& [path, array] : arrays_) collect(path, array);
      status planned;
      for (hdf5_scale& one : scales_)
        if (planned.ok() && one.coordinates == nullptr) planned = plan(one);
      return planned;
    }));
    if (!ready.ok()) return ready;
    // HDF5 waits for all MPI ranks in each of them, where the dataset is in chunks.
    status made;
    for (hdf5_scale& one : scales_) made.keep_first(caught([&] { return make_dataset(one); }));
    if (!made.ok()) return made;
    for (const hdf5_scale& one : scales_)
      if (status s = describe(one); !s.ok()) return s;
    for (const auto& [path, array] : arrays_)
      if (status s = name_dimensions(path, array); !s.ok()) return s;
    return {};
  }

 private:
  void collect(const std::string& path, const hdf5_written_array& array);
  std::size_t find(const std::string& path, const std::string& name, const hdf5_scale& wanted);
  bool is_taken(const std::string& path, const hdf5_scale& wanted, hdf5_scale& fitting) const;
  status plan(hdf5_scale& one) const;
  status make_dataset(hdf5_scale& one) const;
  status describe(const hdf5_scale& one);
  status name_dimensions(const std::string& path, const hdf5_written_array& array);

  hid_t file_;
  const hdf5_written_arrays& arrays_;
  bool is_root_;
  std::vector<hdf5_scale> scales_;
  std::map<std::string, std::size_t> by_path_;
  std::map<const hdf5_written_array*, std::vector<std::size_t>> of_array_;
};

status write_text(hid_t object, const char* name, const std::string& text) {
  const hdf5_handle type = owned_type(H5Tcopy(H5T_C_S1));
  hdf5_handle space;
  hdf5_handle attribute;
  if (type && H5Tset_size(type.get(), text.size() + 1) >= 0)
    space = owned_space(H5Screate(H5S_SCALAR));
  if (space)
    attribute = owned_attribute(
        H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  if (attribute && H5Awrite(attribute.get(), type.get(), text.c_str()) >= 0) return {};
  return hdf5_failure("cannot name a dimension");
}

// "" where there is no such text.
status read_text(hid_t object, const char* name, std::string& text) {
  const auto failure = [&] {
    text.clear();
    return hdf5_failure("cannot read what describes a dimension", stat_code::header_damaged);
  };
  text.clear();
  const htri_t is_there = H5Aexists(object, name);
  if (is_there == 0) return {};
  if (is_there < 0) return failure();
  const hdf5_handle attribute = owned_attribute(H5Aopen(object, name, H5P_DEFAULT));
  const hdf5_handle type = owned_type(H5Aget_type(attribute.get()));
  const H5T_class_t kind = H5Tget_class(type.get());
  const htri_t variable = kind == H5T_STRING ? H5Tis_variable_str(type.get()) : 0;
  if (kind < 0 || variable < 0) return failure();
  if (kind != H5T_STRING || variable > 0) return {};
  text.resize(H5Tget_size(type.get()));
  if (text.empty() || H5Aread(attribute.get(), type.get(), text.data()) < 0) return failure();
  text = text.c_str();
  return {};
}

bool is_scale(hid_t dataset) {
  std::string text;
  return read_text(dataset, "CLASS", text).ok() && text == "DIMENSION_SCALE";
}

status find_unlimited(hid_t dataset, bool& unlimited) {
  std::array<hsize_t, H5S_MAX_RANK> largest{};
  const hdf5_handle space = owned_space(H5Dget_space(dataset));
  const int dimensions = H5Sget_simple_extent_dims(space.get(), nullptr, largest.data());
  unlimited = dimensions > 0 && largest[0] == H5S_UNLIMITED;
  return dimensions >= 0 ? status() : hdf5_failure("cannot learn whether steps can be added");
}

bool names_steps(const std::string& name) {
  const std::string ending = "_step";
  return name == "step" || (name.size() > ending.size() &&
                            name.compare(name.size() - ending.size(), ending.size(), ending) == 0);
}

// Whether another dimension or array has the name; not when it is the same dimension, and fitting
// may become the coordinates.
bool hdf5_dimension_writer::is_taken(const std::string& path, const hdf5_scale& wanted,
                                     hdf5_scale& fitting) const {
  if (const auto known = by_path_.find(path); known != by_path_.end()) {
    const hdf5_scale& other = scales_[known->second];
    if ((other.steps == nullptr) != (wanted.steps == nullptr)) return true;
    return other.steps != nullptr ? *other.steps != *wanted.steps : other.extent != wanted.extent;
  }
  const auto array = arrays_.find(path);
  if (array == arrays_.end()) return H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0;
  const hdf5_written_array& other = array->second;
  const bool is_coordinate =
      wanted.steps == nullptr && !other.has_steps && other.global.array_rank == 1 &&
      other.global.count[0] == wanted.extent && other.dimensions.front() == hdf5_leaf(path);
  if (is_coordinate) fitting.coordinates = &other;
  return !is_coordinate;
}

std::size_t hdf5_dimension_writer::find(const std::string& path, const std::string& name,
                                        const hdf5_scale& wanted) {
  const std::string group = hdf5_group(path).empty() ? "" : hdf5_group(path) + "/";
  hdf5_scale made;
  made.extent = wanted.extent;
  made.steps = wanted.steps;
  made.path = group + name;
  for (std::size_t known = 0; wanted.steps != nullptr && known < scales_.size(); ++known)
    if (scales_[known].steps != nullptr && *scales_[known].steps == *wanted.steps &&
        hdf5_group(scales_[known].path) == hdf5_group(path))
      return known;
  // The name ends the same: who reads knows dimensions of steps by it.
  const std::string own = group + hdf5_leaf(path) + "_";
  for (int number = 1; is_taken(made.path, wanted, made); ++number)
    made.path = own + (number == 1 ? "" : std::to_string(number) + "_") + name;
  const auto [known, is_new] = by_path_.try_emplace(made.path, scales_.size());
  if (is_new) scales_.push_back(std::move(made));
  return known->second;
}

void hdf5_dimension_writer::collect(const std::string& path, const hdf5_written_array& array) {
  unsigned dimension = 0;
  const auto use = [&](const std::string& name, const hdf5_scale& wanted) {
    const std::size_t found = find(path, name, wanted);
    if (scales_[found].coordinates != &array)
      scales_[found].used_by.emplace_back(&array, dimension);
    of_array_[&array].push_back(found);
    ++dimension;
  };
  hdf5_scale wanted;
  if (array.has_steps) {
    wanted.extent = static_cast<std::int64_t>(array.steps.size());
    wanted.steps = &array.steps;
    use("step", wanted);
    wanted.steps = nullptr;
  }
  for (std::size_t d = array.dimensions.size(); d-- > 0;) {
    wanted.extent = array.global.count[d];
    use(array.dimensions[d], wanted);
  }
}

status hdf5_dimension_writer::plan(hdf5_scale& one) const {
  const auto extent = static_cast<hsize_t>(one.extent);
  const hsize_t largest = one.steps != nullptr ? H5S_UNLIMITED : extent;
  const hsize_t chunk = std::max<hsize_t>(1, extent);
  one.plan.space = owned_space(H5Screate_simple(1, &extent, &largest));
  if (one.plan.space && hdf5_plan_creation(one.plan.creation) &&
      (one.steps == nullptr || H5Pset_chunk(one.plan.creation.get(), 1, &chunk) >= 0))
    return {};
  return hdf5_failure("cannot prepare the dimension \"" + one.path + "\"");
}

status hdf5_dimension_writer::make_dataset(hdf5_scale& one) const {
  if (one.coordinates != nullptr) return {};
  const hid_t type = one.steps != nullptr ? H5T_NATIVE_INT64 : H5T_IEEE_F32BE;
  one.made = owned_dataset(H5Dcreate2(file_, one.path.c_str(), type, one.plan.space.get(),
                                      H5P_DEFAULT, one.plan.creation.get(), H5P_DEFAULT));
  if (!one.made) return hdf5_failure("cannot create the dimension \"" + one.path + "\"");
  if (one.steps == nullptr || !is_root_ || one.steps->empty()) return {};
  if (H5Dwrite(one.made.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
               one.steps->data()) >= 0)
    return {};
  return hdf5_failure("cannot write the numbers of the steps");
}

// The two attributes of a dimension's dataset, and the list of those who use it.
status hdf5_dimension_writer::describe(const hdf5_scale& one) {
  std::string title = hdf5_leaf(one.path);
  if (one.coordinates == nullptr) {
    const std::string length = std::to_string(one.extent);
    if (one.steps == nullptr)
      title = no_variable + std::string(length.size() < 10 ? 13 - length.size() : 3, ' ') + length;
  }
  const hid_t dataset =
      one.coordinates != nullptr ? one.coordinates->dataset.get() : one.made.get();
  if (status s = write_text(dataset, "CLASS", "DIMENSION_SCALE"); !s.ok()) return s;
  if (status s = write_text(dataset, "NAME", title); !s.ok()) return s;
  if (one.used_by.empty()) return {};
  std::vector<hdf5_scale_user> users;
  for (const auto& [array, dimension] : one.used_by) {
    users.push_back({0, dimension});
    if (H5Rcreate(&users.back().dataset, array->dataset.get(), ".", H5R_OBJECT, -1) < 0)
      return hdf5_failure("cannot refer to an array");
  }
  const hdf5_handle type = owned_type(H5Tcreate(H5T_COMPOUND, sizeof(hdf5_scale_user)));
  const hsize_t count = users.size();
  hdf5_handle space;
  hdf5_handle list;
  if (type &&
      H5Tinsert(type.get(), "dataset", HOFFSET(hdf5_scale_user, dataset), H5T_STD_REF_OBJ) >= 0 &&
      H5Tinsert(type.get(), "dimension", HOFFSET(hdf5_scale_user, dimension), H5T_NATIVE_UINT) >= 0)
    space = owned_space(H5Screate_simple(1, &count, nullptr));
  if (space)
    list = owned_attribute(
        H5Acreate2(dataset, "REFERENCE_LIST", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT));
  if (list && H5Awrite(list.get(), type.get(), users.data()) >= 0) return {};
  return hdf5_failure("cannot list the arrays of a dimension");
}

status hdf5_dimension_writer::name_dimensions(const std::string& path,
                                              const hdf5_written_array& array) {
  const std::vector<std::size_t>& own = of_array_[&array];
  if (own.empty() || scales_[own.front()].coordinates == &array) return {};
  std::vector<hobj_ref_t> references(own.size());
  std::vector<hvl_t> lists(own.size());
  for (std::size_t d = 0; d < own.size(); ++d) {
    if (H5Rcreate(&references[d], file_, scales_[own[d]].path.c_str(), H5R_OBJECT, -1) < 0)
      return hdf5_failure("cannot refer to a dimension of \"" + path + "\"");
    lists[d] = {1, &references[d]};
  }
  const hdf5_handle type = owned_type(H5Tvlen_create(H5T_STD_REF_OBJ));
  const hsize_t count = lists.size();
  hdf5_handle space;
  hdf5_handle list;
  if (type) space = owned_space(H5Screate_simple(1, &count, nullptr));
  if (space)
    list = owned_attribute(H5Acreate2(array.dataset.get(), "DIMENSION_LIST", type.get(),
                                      space.get(), H5P_DEFAULT, H5P_DEFAULT));
  if (list && H5Awrite(list.get(), type.get(), lists.data()) >= 0) return {};
  return hdf5_failure("cannot name the dimensions of \"" + path + "\"");
}

status read_steps(hid_t scale_dataset, std::vector<std::int64_t>& steps) {
  const hdf5_handle space = owned_space(H5Dget_space(scale_dataset));
  const hssize_t count = space ? H5Sget_simple_extent_npoints(space.get()) : -1;
  std::string title;
  if (count < 0) return hdf5_failure("cannot read the numbers of the steps");
  if (status s = read_text(scale_dataset, "NAME", title); !s.ok()) return s;
  steps.resize(static_cast<std::size_t>(count));
  if (title.rfind(no_variable, 0) == 0) {  // counted, not numbered
    std::iota(steps.begin(), steps.end(), 0);
    return {};
  }
  if (count == 0 ||
      H5Dread(scale_dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, steps.data()) >= 0)
    return {};
  return hdf5_failure("cannot read the numbers of the steps", stat_code::header_damaged);
}

// The first scale of a dimension.
hdf5_handle scale_of(hid_t dataset, const hvl_t& list) {
  if (list.len == 0) return {};
  return owned_object(H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, list.p));
}

std::string name_of_object(hid_t object) {
  std::vector<char> name(1024, '\0');
  const ssize_t length = H5Iget_name(object, name.data(), name.size());
  return length > 0 ? hdf5_leaf(name.data()) : "";
}

}  // namespace

status hdf5_write_dimensions(hid_t file, const hdf5_written_arrays& arrays, bool is_root,
                             function_ref<status(status mine)> agreed) {
  return hdf5_dimension_writer(file, arrays, is_root).write(agreed);
}

status hdf5_read_dimensions(hid_t dataset, std::vector<std::string>& names, bool& has_steps,
                            std::vector<std::int64_t>& steps) {
  const auto failure = [] {
    return hdf5_failure("cannot read the names of the dimensions", stat_code::header_damaged);
  };
  const hdf5_handle space = owned_space(H5Dget_space(dataset));
  const int array_rank = H5Sget_simple_extent_ndims(space.get());
  if (array_rank < 0) return failure();
  const auto dimensions = static_cast<std::size_t>(array_rank);
  names.assign(dimensions, "");
  has_steps = false;
  if (dimensions == 1 && is_scale(dataset)) names[0] = name_of_object(dataset);
  const htri_t has_list = H5Aexists(dataset, "DIMENSION_LIST");
  if (has_list < 0) return failure();
  if (has_list == 0) return {};
  const hdf5_handle attribute = owned_attribute(H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT));
  const hdf5_handle type = owned_type(H5Tvlen_create(H5T_STD_REF_OBJ));
  const hdf5_handle list_space = owned_space(H5Aget_space(attribute.get()));
  const hssize_t count = H5Sget_simple_extent_npoints(list_space.get());
  if (count < 0) return failure();
  if (count != array_rank) return {};
  std::vector<hvl_t> lists(dimensions);
  if (H5Aread(attribute.get(), type.get(), lists.data()) < 0) return failure();
  status result;
  for (std::size_t d = 0; d < dimensions && result.ok(); ++d) {
    const hdf5_handle found = scale_of(dataset, lists[d]);
    if (!found) continue;
    names[d] = name_of_object(found.get());
    if (d == 0 && names_steps(names[0])) result = find_unlimited(dataset, has_steps);
    if (d == 0 && result.ok() && has_steps) result = read_steps(found.get(), steps);
  }
  H5Dvlen_reclaim(type.get(), list_space.get(), H5P_DEFAULT, lists.data());
  H5Eclear2(H5E_DEFAULT);
  return result;
}

bool hdf5_is_dimension_only(hid_t dataset) {
  if (!is_scale(dataset)) return false;
  std::string title;
  bool unlimited = false;
  if (!read_text(dataset, "NAME", title).ok()) return false;
  return title.rfind(no_variable, 0) == 0 ||
         (names_steps(title) && find_unlimited(dataset, unlimited).ok() && unlimited);
}

bool hdf5_is_reserved_attribute(const std::string& name) {
  return name == "CLASS" || name == "NAME" || name == "DIMENSION_LIST" || name == "REFERENCE_LIST";
}

}  // namespace headrace
